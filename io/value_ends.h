/* SPDX-License-Identifier: MIT */
/** Adding values to the two ends of a column's, to find one that may stand for missing values. */
#ifndef SHEPARD_IO_VALUE_ENDS_H
#define SHEPARD_IO_VALUE_ENDS_H

#include "shepard/shepard_io.h"

/** Adds a finite value, at an end or not. */
void shepard_ends_add_end(struct shepard_value_ends *ends, double value);

/** Adds a finite value: most lie between the ends and change nothing but the count. */
static inline void shepard_ends_add(struct shepard_value_ends *ends, double value)
{
    if (ends->min < ends->next_min && ends->next_max < ends->max && value >= ends->next_min &&
        value <= ends->next_max)
        ends->count++;
    else
        shepard_ends_add_end(ends, value);
}

#endif
