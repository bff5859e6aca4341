/* SPDX-License-Identifier: MIT */
/* A field of the interface: its columns, in groups that miss values at the same points. */
#ifndef SHEPARD_API_FIELD_H
#define SHEPARD_API_FIELD_H

#include "api/points.h"

/* Columns with the same gaps. */
struct shepard_field_group {
    struct shepard_prepared_points *own; /* those of its points; NULL: all */
    struct shepard_prepared_field *prepared;
    size_t count;
    size_t *column; /* [count] of the field */
};

struct shepard_field {
    const struct shepard_points *points;
    size_t columns;
    size_t group_count;
    struct shepard_field_group *groups; /* [group_count] */
    size_t *group;                      /* [columns]; NULL: all in one */
};

static inline const struct shepard_prepared_points *
shepard_field_group_points(const struct shepard_field_group *group)
{
    return group->prepared->points;
}

#endif
