/* SPDX-License-Identifier: MIT */
/** Columns of batches of rows, which are Arrow record batches or features, as numbers and as bytes.
 */
#ifndef SHEPARD_IO_BATCH_COLUMN_H
#define SHEPARD_IO_BATCH_COLUMN_H

#include "number_text.h"

#include <gdal.h>
#include <ogr_api.h>
#include <ogr_recordbatch.h>

/** One column of one batch. */
struct shepard_batch_column {
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    int64_t first;               /* row 0 of the batch, in the column's buffers */
    const OGRFeatureH *features; /* the rows, in place of Arrow's; NULL: they are Arrow's */
    int field;                   /* of these, a text */
    bool no_commas;              /* texts with a decimal comma are no numbers */
};

/** Number of the child of that name, searched from the end if `last`; -1: none. */
int64_t shepard_arrow_find(const struct ArrowSchema *schema, const char *name, bool last);

/** The column that is child i of a batch. */
struct shepard_batch_column shepard_arrow_child(const struct ArrowSchema *schema,
                                                const struct ArrowArray *batch, int64_t i);

/** Bytes of a binary or text column's row; NULL: the row is NULL. */
const unsigned char *shepard_column_bytes(const struct shepard_batch_column *column, int64_t row,
                                          size_t *length);

/** Whether the column's type is binary with 32-bit or 64-bit offsets. */
bool shepard_column_is_binary(const struct shepard_batch_column *column);

/** Whether the column's type is text. */
bool shepard_column_is_text(const struct shepard_batch_column *column);

/**
 * Reads `rows` values: numbers (NaN for other values) and their kinds, enum shepard_value.
 * False: the column's type holds no numbers.
 */
bool shepard_column_numbers(const struct shepard_batch_column *column, size_t rows, double *numbers,
                            unsigned char *kinds);

#endif
