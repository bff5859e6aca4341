/* SPDX-License-Identifier: MIT */
/* Which columns of a field miss values at the same points. */
#ifndef SHEPARD_API_GAPS_H
#define SHEPARD_API_GAPS_H

#include "api/points.h"

struct shepard_gaps {
    size_t groups;   /* different sets of gaps */
    size_t *group;   /* [columns] */
    size_t *column;  /* [groups] the first column of each */
    bool *keep;      /* [given] room for the points of one group */
    uint32_t *index; /* [n] of the points, into the caller's arrays */
    const struct shepard_allocator *allocator;
};

/* Groups the columns; on failure *gaps holds nothing. Cost: O(n) a column, times the sets of gaps
 * that have as many missing values. */
enum shepard_status shepard_gaps_find(const struct shepard_points *points,
                                      const struct shepard_values *values,
                                      struct shepard_gaps *gaps, struct shepard_error *error);

/* Sets gaps->keep to the points of a group; how many there are. */
size_t shepard_gaps_keep(const struct shepard_gaps *gaps, const struct shepard_points *points,
                         const struct shepard_values *values, size_t group);

void shepard_gaps_free(struct shepard_gaps *gaps);

#endif
