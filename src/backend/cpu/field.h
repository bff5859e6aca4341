/* SPDX-License-Identifier: MIT */
/* Values on points of the cpu backend, and what predictions have prepared of them. */
#ifndef SHEPARD_BACKEND_CPU_FIELD_H
#define SHEPARD_BACKEND_CPU_FIELD_H

#include "backend/cpu/kriging_all.h"
#include "backend/cpu/points.h"

struct shepard_cpu_cache;

/* Charges for sums in float32: made when they are first needed. */
struct shepard_cpu_charges {
    struct shepard_once made;
    float *weight;               /* [n] q; NULL: all 1 */
    float **values;              /* [columns] pointers to [n]: q times the scaled value */
    struct shepard_once squared; /* of: */
    double *squares;             /* [n] q^2; NULL: all 1 */
};

struct shepard_cpu_field {
    struct shepard_prepared_field base;
    const struct shepard_cpu_points *points;
    struct shepard_tree tree; /* the points', with the samples' order of equal distances */
    double *scale, *middle;   /* [columns] as in the sums */
    double least_weight;      /* the least q, the largest being 1 */
    struct shepard_cpu_charges *charges;
    struct shepard_cpu_cache *cache;
    struct shepard_cpu_kriging_kept *kriging;
    size_t memory_limit; /* of what it keeps */
};

static inline const struct shepard_cpu_field *
shepard_cpu_field_of(const struct shepard_prepared_field *field)
{
    return (const struct shepard_cpu_field *)field;
}

/* q of a point. */
static inline double shepard_cpu_field_weight(const struct shepard_cpu_field *field, size_t i)
{
    return field->base.samples.weights != NULL ? field->base.samples.weights[i] : 1;
}

/* scale (z - middle) of a point, within -1 and 1. */
static inline double shepard_cpu_field_value(const struct shepard_cpu_field *field, size_t column,
                                             size_t i)
{
    const double scale = field->scale[column];
    return field->base.samples.values[column][i] * scale - field->middle[column] * scale;
}

/* As the slots of the backend table. */
enum shepard_status shepard_cpu_field_create(const struct shepard_prepared_points *points,
                                             const struct shepard_values *values,
                                             size_t memory_limit,
                                             struct shepard_prepared_field **field, bool *gaps,
                                             struct shepard_error *error);
void shepard_cpu_field_free(struct shepard_prepared_field *field);
void shepard_cpu_field_holding(const struct shepard_prepared_field *field,
                               struct shepard_holding *holding);

/* Makes the charges where they have not been made: threads may ask at once. */
enum shepard_status shepard_cpu_field_provide_charges(const struct shepard_cpu_field *field);

/* The same for the squares of weights. */
enum shepard_status shepard_cpu_field_provide_squares(const struct shepard_cpu_field *field);

/* Room for values on points of a whole, of which none is there yet, and their charges. */
struct shepard_cpu_field_room {
    size_t columns;
    bool weighted;
    double least_weight; /* of all, the largest being 1 */
    size_t memory_limit;
};
enum shepard_status shepard_cpu_field_begin(const struct shepard_cpu_points *points,
                                            const struct shepard_cpu_field_room *room,
                                            struct shepard_cpu_field **field,
                                            struct shepard_error *error);

/* Makes the charges of points first to end - 1 of these. */
void shepard_cpu_field_charge(const struct shepard_cpu_field *field, size_t first, size_t end);

#endif
