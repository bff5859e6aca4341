/* SPDX-License-Identifier: MIT */
/* Writing one target's results into the caller's arrays. */
#ifndef SHEPARD_BACKEND_CPU_OUTPUT_H
#define SHEPARD_BACKEND_CPU_OUTPUT_H

#include "core/array.h"

/* Whether anything is asked for that takes weights. */
static inline bool shepard_cpu_output_needs_sums(const struct shepard_output *output,
                                                 size_t columns)
{
    bool needed = output->effective.data != NULL;
    for (size_t c = 0; c < columns; c++)
        needed = needed || shepard_output_column(output->values, c).data != NULL ||
                 shepard_output_column(output->deviations, c).data != NULL;
    return needed;
}

/* A target with no points: count 0, nodata in all else. */
static inline void shepard_cpu_output_put_unmet(const struct shepard_output *output, size_t columns,
                                                size_t index, double nodata)
{
    for (size_t c = 0; c < columns; c++) {
        shepard_output_put(shepard_output_column(output->values, c), index, nodata);
        shepard_output_put(shepard_output_column(output->deviations, c), index, nodata);
    }
    shepard_output_put(output->count, index, 0);
    shepard_output_put(output->nearest, index, nodata);
    shepard_output_put(output->power, index, nodata);
    shepard_output_put(output->effective, index, nodata);
}

#endif
