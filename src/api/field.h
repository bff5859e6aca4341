/* SPDX-License-Identifier: MIT */
/* A field of the interface: its columns, in groups that miss values at the same points. */
#ifndef SHEPARD_API_FIELD_H
#define SHEPARD_API_FIELD_H

#include "api/points.h"
#include "core/gapped.h"

/* Columns with the same gaps. */
struct shepard_field_group {
    size_t count;
    const size_t *column;                /* [count] of the field */
    struct shepard_once once;            /* of what follows */
    struct shepard_prepared_points *own; /* those of its points; NULL: all */
    struct shepard_prepared_field *prepared;
};

struct shepard_field {
    const struct shepard_points *points;
    size_t columns;
    bool weighted; /* points have weights of their own */
    size_t group_count;
    struct shepard_field_group *groups; /* [group_count] */
    size_t *group;                      /* [columns]; NULL: all in one */
    size_t *order;                      /* [columns] those of a group together */
    struct shepard_gapped *gapped;      /* the values, where the backend predicts groups together;
                                           then each is prepared when it is first needed alone */
};

/* Of the points of a group; without arrays where it may not have been prepared. */
static inline const struct shepard_geometry *
shepard_field_group_geometry(const struct shepard_field *field, size_t group)
{
    return field->gapped != NULL ? &field->gapped->group[group].geometry
                                 : &field->groups[group].prepared->points->geometry;
}

/* *resolved: values of count points, checked, of resolved strides, its columns in *room, to be
 * released. */
enum shepard_status shepard_field_take_values(const struct shepard_values *values,
                                              const struct shepard_points *points, size_t count,
                                              struct shepard_array **room,
                                              struct shepard_values *resolved,
                                              struct shepard_error *error);

/* A field on values that stay their owner's. */
enum shepard_status shepard_field_adopt(const struct shepard_points *points,
                                        struct shepard_prepared_field *prepared, size_t columns,
                                        bool weighted, struct shepard_field **field,
                                        struct shepard_error *error);

/* Frees such a field; NULL is allowed. */
void shepard_field_disown(struct shepard_field *field);

/* Prepares a group where that has not been done: threads may ask at once. */
enum shepard_status shepard_field_provide(const struct shepard_field *field, size_t group,
                                          struct shepard_error *error);

#endif
