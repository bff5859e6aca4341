/* SPDX-License-Identifier: MIT */
/* Arrays laid out in memory by chance: float or double, with gaps, backwards, as a matrix. */
#ifndef SHEPARD_TESTS_LAYOUT_H
#define SHEPARD_TESTS_LAYOUT_H

#include "chance.h"
#include "shepard/shepard.h"

#include <stdbool.h>

/* `columns` arrays of n elements in one block. */
struct array_layout {
    size_t n, columns;
    enum shepard_type type;
    ptrdiff_t stride, column_stride; /* bytes */
    size_t bytes;
    char *block, *first; /* first: element 0 of column 0 */
};

/* Strides of either sign; elements do not overlap. Every byte is set to one that no test writes. */
struct array_layout layout_make(size_t n, size_t columns, enum shepard_type type,
                                struct chance *chance);
void layout_free(struct array_layout *layout);

/* Writes n numbers into a column. */
void layout_write(const struct array_layout *layout, size_t column, const double *from);

struct shepard_array layout_array(const struct array_layout *layout, size_t column);
struct shepard_output_array layout_output(const struct array_layout *layout, size_t column);

/* Whether a column holds these numbers, rounded to its type, bit for bit; a NaN may have any
 * bits. */
bool layout_holds(const struct array_layout *layout, size_t column, const double *want);
/* Whether all bytes between the elements are as they were made. */
bool layout_is_clean(const struct array_layout *layout);

#endif
