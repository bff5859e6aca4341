/* SPDX-License-Identifier: MIT */
/** The vertices of one Arrow record batch. */
#ifndef SHEPARD_IO_POINT_BATCH_H
#define SHEPARD_IO_POINT_BATCH_H

#include "batch_column.h"
#include "io_error.h"
#include "wkb.h"

#include <ogr_api.h>

/** Start from {0}. */
struct shepard_point_batch {
    size_t count, capacity;
    struct shepard_vertex *vertex; /* [count] */
    uint32_t *row;                 /* [count] the row that each vertex came from */
    size_t rows_capacity;
    double *number[2];             /* [rows] scratch */
    unsigned char *kind[2];        /* [rows] scratch */
    bool one_each;                 /* exactly one vertex a row, NaN where it has none */
    enum shepard_geometry_use use; /* of what is more than points */
    char refused[40];              /* a kind of geometry that cannot be used so; "": none */
};

void shepard_point_batch_free(struct shepard_point_batch *batch);

/** Makes room for the numbers of `rows` rows; false: out of memory. */
bool shepard_point_batch_reserve_rows(struct shepard_point_batch *batch, size_t rows);

/** Makes room for so many more vertices; false: out of memory. */
bool shepard_point_batch_reserve(struct shepard_point_batch *batch, size_t more);

/** Fills the batch from a WKB column; false: out of memory. */
bool shepard_point_batch_from_wkb(struct shepard_point_batch *batch, size_t rows,
                                  const struct shepard_batch_column *column,
                                  struct shepard_read_counts *counts);

/** Fills the batch from two columns of numbers; false: out of memory, or not of numbers. */
bool shepard_point_batch_from_columns(struct shepard_point_batch *batch, size_t rows,
                                      const struct shepard_batch_column *x,
                                      const struct shepard_batch_column *y,
                                      struct shepard_read_counts *counts);

#endif
