/* SPDX-License-Identifier: MIT */
/** Where points go that memory does not hold: a reader hands them over when its arrays are full. */
#ifndef SHEPARD_IO_POINT_SINK_H
#define SHEPARD_IO_POINT_SINK_H

#include "io_error.h"

/** Points that are handed over, in arrays to be freed by free. */
struct shepard_sunk_points {
    size_t count, capacity;
    double *x, *y, *value; /* [capacity]; value NaN where it is missing */
    double *weight;        /* [capacity], NaN where missing; NULL: there are none */
};

struct shepard_point_sink {
    size_t capacity; /* points of the reader's arrays, >= 1 */
    /* Keeps the arrays, on failure too, and puts others in their place, perhaps none. */
    enum shepard_io_status (*take)(void *user, struct shepard_sunk_points *points,
                                   struct shepard_io_error *error);
    void *user;
    const char *one_column; /* says of whom there is one value column only: "--memory takes" */
    bool by_range;          /* set by the reader: it reads nothing but a share */
    size_t taken;           /* how many were handed over, */
    struct shepard_bounds extent;   /* their box, */
    double value_min, value_max;    /* and the ends of the values that are there; */
    struct shepard_value_ends ends; /* those of the column as it is read, when all is read */
};

#endif
