/* SPDX-License-Identifier: MIT */
/** Where points go that memory does not hold: a reader hands them over when its arrays are full. */
#ifndef SHEPARD_IO_POINT_SINK_H
#define SHEPARD_IO_POINT_SINK_H

#include "io_error.h"

/** Points that are handed over, in arrays to be freed by free. */
struct shepard_sunk_points {
    size_t count, capacity;
    size_t columns; /* >= 1 */
    bool weighted;
    double **numbers; /* [fields][capacity] x, y, the value of each column and, if weighted, the
                         weight; NaN where a value or a weight is missing */
};

/** Numbers of a point of so many columns. */
static inline size_t shepard_record_fields(size_t columns, bool weighted)
{
    return 2 + columns + weighted;
}

struct shepard_point_sink {
    /* Before the first points: what they will be. Says how many the reader's arrays have room for,
     * >= 1. */
    enum shepard_io_status (*begin)(void *user, size_t columns, bool weighted, size_t *capacity,
                                    struct shepard_io_error *error);
    /* Keeps the arrays, on failure too, and puts others in their place, perhaps none. */
    enum shepard_io_status (*take)(void *user, struct shepard_sunk_points *points,
                                   struct shepard_io_error *error);
    void *user;
    size_t capacity;                /* as begin says */
    bool by_range;                  /* set by the reader: it reads nothing but a share */
    size_t taken;                   /* how many were handed over, */
    struct shepard_bounds extent;   /* their box, */
    struct shepard_value_ends ends; /* and the ends of the last column as it is read */
};

#endif
