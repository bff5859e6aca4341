/* SPDX-License-Identifier: MIT */
/* Writing one target's results into the caller's arrays. */
#ifndef SHEPARD_BACKEND_CPU_OUTPUT_H
#define SHEPARD_BACKEND_CPU_OUTPUT_H

#include "shepard/shepard.h"

static inline void shepard_cpu_answer_put(double *array, size_t index, double value)
{
    if (array != NULL)
        array[index] = value;
}

/* The array of one column of values or deviations; NULL where it is not wanted. */
static inline double *shepard_cpu_answer_column(double *const *columns, size_t c)
{
    return columns != NULL ? columns[c] : NULL;
}

/* Whether anything is asked for that takes weights. */
static inline bool shepard_cpu_answer_needs_sums(const struct shepard_output *output,
                                                 size_t columns)
{
    bool needed = output->effective != NULL;
    for (size_t c = 0; c < columns; c++)
        needed = needed || shepard_cpu_answer_column(output->values, c) != NULL ||
                 shepard_cpu_answer_column(output->deviations, c) != NULL;
    return needed;
}

/* A target with no points: count 0, nodata in all else. */
static inline void shepard_cpu_answer_unmet(const struct shepard_output *output, size_t columns,
                                            size_t index, double nodata)
{
    for (size_t c = 0; c < columns; c++) {
        shepard_cpu_answer_put(shepard_cpu_answer_column(output->values, c), index, nodata);
        shepard_cpu_answer_put(shepard_cpu_answer_column(output->deviations, c), index, nodata);
    }
    shepard_cpu_answer_put(output->count, index, 0);
    shepard_cpu_answer_put(output->nearest, index, nodata);
    shepard_cpu_answer_put(output->power, index, nodata);
    shepard_cpu_answer_put(output->effective, index, nodata);
}

#endif
