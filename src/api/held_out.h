/* SPDX-License-Identifier: MIT */
/* Which data a validation holds out. */
#ifndef SHEPARD_API_HELD_OUT_H
#define SHEPARD_API_HELD_OUT_H

#include "api/observations.h"
#include "shepard/shepard_validate.h"

/* Held-out data, those of a part together. A part is predicted from a field of its own: there is
 * one with all data, which each prediction leaves its datum out of, or one without each fold. */
struct shepard_held_out {
    size_t count;      /* m */
    uint32_t *indices; /* [m] into the coordinates */
    double *observed;  /* [m] */
    double *nearest;   /* [m] to be filled in */
    size_t parts;
    size_t *first;      /* [parts + 1] */
    uint32_t *fold;     /* [m] of folds, else NULL */
    double *x, *y;      /* [m] of folds, else NULL */
    double *height;     /* [m] of folds where places have three coordinates, else NULL */
    double *star_radii; /* [m, 8] of stars, else NULL */
    const struct shepard_allocator *allocator;
};

/* Each datum, or a random sample. On failure nothing is held. */
enum shepard_status shepard_held_out_singly(const struct shepard_observations *data,
                                            const struct shepard_validation *validation,
                                            struct shepard_held_out *held_out,
                                            struct shepard_error *error);

/* All data, in folds of places; of squares if side > 0. On failure nothing is held. */
enum shepard_status shepard_held_out_in_folds(const struct shepard_observations *data,
                                              const struct shepard_validation *validation,
                                              double side, struct shepard_held_out *held_out,
                                              struct shepard_error *error);

/* Drops data without a nearest one (NaN): of one part. */
void shepard_held_out_drop(struct shepard_held_out *held_out);

/* A zeroed struct is allowed. */
void shepard_held_out_free(struct shepard_held_out *held_out);

#endif
