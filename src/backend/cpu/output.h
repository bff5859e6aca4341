/* SPDX-License-Identifier: MIT */
/* Writing one target's results into the caller's arrays. */
#ifndef SHEPARD_BACKEND_CPU_OUTPUT_H
#define SHEPARD_BACKEND_CPU_OUTPUT_H

#include "core/diagnostics.h"

/* Whether anything is asked for that takes weights. */
static inline bool shepard_cpu_output_needs_sums(const struct shepard_output *output,
                                                 size_t columns)
{
    bool needed = output->effective.data != NULL;
#define NEEDED(id, arrays, name)                                                                   \
    needed = needed || shepard_output_column(output->arrays, c).data != NULL;
    for (size_t c = 0; c < columns; c++) {
        NEEDED(VALUE, values, "value")
        SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, NEEDED)
    }
#undef NEEDED
    return needed;
}

/* Whether sums over all points are in double: their moments for these are. */
static inline bool shepard_cpu_output_needs_double(const struct shepard_output *output)
{
    return output->deviations != NULL || output->effective.data != NULL;
}

/* A target with no points: count 0, nodata in all else. */
static inline void shepard_cpu_output_put_unmet(const struct shepard_output *output, size_t columns,
                                                size_t index, double nodata)
{
    shepard_output_put_nodata(output, columns, index, nodata);
    shepard_output_put(output->count, index, 0);
}

#endif
