/* SPDX-License-Identifier: MIT */
/* Data points at one place, each left out of its own prediction with the others there, have one
 * prediction: it is made for the first of them and copied to the others. Otherwise each of c
 * points at a place would pass over c points. */
#ifndef SHEPARD_CORE_REPEATS_H
#define SHEPARD_CORE_REPEATS_H

#include "core/leave_out.h"

struct shepard_repeats {
    size_t targets;   /* m */
    size_t count;     /* of those that are served, one at each place */
    uint32_t *first;  /* [m] the served target at the place of each; NULL: all are served */
    uint32_t *served; /* [count] in rising order; NULL: all */
    const struct shepard_allocator *allocator;
};

/* Of targets that leave out what leave_out says. All are served where predictions at one place may
 * differ (stars, keep_coincident), or few are at one. Cost: O(n), and where many are O(m), and 16
 * bytes a target meanwhile. On failure nothing is held. */
enum shepard_status shepard_repeats_find(const struct shepard_targets_view *targets,
                                         const struct shepard_leave_out *leave_out,
                                         struct shepard_repeats *repeats);

/* Has only those targets predicted that are served. */
static inline void shepard_repeats_serve(const struct shepard_repeats *repeats,
                                         struct shepard_targets_view *targets)
{
    targets->served = repeats->served;
    targets->served_count = repeats->count;
}

/* A zeroed struct is allowed. */
void shepard_repeats_free(struct shepard_repeats *repeats);

/* Copies the results of served targets to the others at their places. */
void shepard_repeats_copy(const struct shepard_repeats *repeats,
                          const struct shepard_output *output, size_t columns);

/* The same of one array with `row` elements for each target, one after the other. */
void shepard_repeats_copy_rows(const struct shepard_repeats *repeats,
                               const struct shepard_output_array *array, size_t row);

#endif
