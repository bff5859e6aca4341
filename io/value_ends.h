/* SPDX-License-Identifier: MIT */
/** The two ends of a column's values, to find one that may stand for missing values. */
#ifndef SHEPARD_IO_VALUE_ENDS_H
#define SHEPARD_IO_VALUE_ENDS_H

#include "shepard/shepard_io.h"

/** Start from {0}. */
struct shepard_value_ends {
    size_t count;
    double min, next_min; /* the smallest value and the next one; equal while there is one value */
    double max, next_max;
    size_t at_min, at_max; /* how often they occur */
};

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

/** A value that occurs several times at an end of the range and is farther from the other values
 * than they are from each other; count 0: no such value. */
struct shepard_stray shepard_ends_stray(const struct shepard_value_ends *ends);

#endif
