/* SPDX-License-Identifier: MIT */
/* One system of kriging in long double: what every system means (Eq. 55 to 60 of docs/math.md). The
 * backend ref solves all systems so, other backends those that double does not solve well. */
#ifndef SHEPARD_CORE_KRIGING_H
#define SHEPARD_CORE_KRIGING_H

#include "base/host_device.h"
#include "kernel/kriging.h"

#include <stdint.h>

/* A pivot not above this part of the semivariance over the diagonal of the points' box makes a
 * system singular; then so much is added to the data's variances (Eq. 60). */
#define SHEPARD_KRIGING_JITTER 1e-10L

/* The covariance counts as much as so many values in a local scaling of sd. */
#define SHEPARD_KRIGING_PRIOR 8

/* The parameters, resolved. */
struct shepard_kriging_rules {
    struct shepard_variogram variogram;
    double sill; /* psill + nugget */
    double mean;
    bool sd_local; /* sd follows the values of the neighbourhood, too (Eq. 59a) */
};

/* Where data points are; point i of a system is rank[i]. */
struct shepard_kriging_points {
    const double *x, *y; /* frame units */
    const double *z;     /* the same; NULL where places have two coordinates */
    const uint32_t *rank;
    size_t count; /* >= 1 */
};

struct shepard_kriging_system {
    const struct shepard_variogram *variogram;
    const struct shepard_allocator *allocator;
    size_t room;     /* points that there is room for */
    size_t count;    /* points */
    size_t m;        /* increments: places less the base */
    uint32_t *place; /* [count] the place of a point: 0 is the base */
    uint32_t *share; /* [places] points there */
    long double base_x, base_y, base_z;
    long double *x, *y, *z;      /* [m] offsets from the base; z is 0 in the plane */
    long double *from_base;      /* [m] semivariances */
    long double *along, *across; /* [m] of the plane, behind the factor */
    long double *b;              /* [m] room for a target */
    long double *row;            /* the factor's lower triangle, row by row */
    long double noise;           /* added to the data's variances where the system is singular */
};

/* What a target's prediction is made of. */
struct shepard_kriging_answer {
    long double *weight;     /* [count] of the points */
    long double mean_weight; /* of the known mean */
    long double variance;    /* over the sill, >= 0 */
};

/* 1 - rho(h / a) (Eq. 53); of a linear one h / a. */
long double shepard_kriging_rise(const struct shepard_variogram *variogram, long double h);

/* An empty system. */
struct shepard_kriging_system shepard_kriging_system_of(const struct shepard_variogram *variogram,
                                                        const struct shepard_allocator *allocator);

void shepard_kriging_free(struct shepard_kriging_system *system);

/* What its arrays take. */
size_t shepard_kriging_bytes(const struct shepard_kriging_system *system);

/* Factors the system of these points; the first is the base. SHEPARD_ERROR_SIZE: they are more than
 * SHEPARD_KRIGING_POINTS_MAX. */
enum shepard_status shepard_kriging_factor(struct shepard_kriging_system *system,
                                           const struct shepard_kriging_points *points);

/* At a target (x, y, z) that is at none of the points; z counts in space only. Threads may share a
 * factored system, each with a room of m numbers. */
void shepard_kriging_answer(const struct shepard_kriging_system *system, const double at[3],
                            long double *room, struct shepard_kriging_answer *answer);

/* What the variance of a prediction is multiplied by where it follows the values (Eq. 59a): of
 * these squares of values about their mean over the sill, which has so much freedom. */
SHEPARD_HOST_DEVICE double shepard_kriging_scaling(double squares, double freedom)
{
    return (SHEPARD_KRIGING_PRIOR + squares) / (SHEPARD_KRIGING_PRIOR + freedom);
}

/* The same of a factored system: values [count] less the known mean, over the root of the sill.
 * room [m] is scratch. */
double shepard_kriging_local_scaling(const struct shepard_kriging_system *system,
                                     const long double *values, long double *room);

/* The least pivot of the factor; the largest semivariance from the base. */
double shepard_kriging_least_pivot(const struct shepard_kriging_system *system, double *largest);

/* A^+ of Eq. 59: xx, xy, yy. Returns the lesser eigenvalue of A over the greater. */
double shepard_kriging_plane_inverse(const struct shepard_kriging_system *system,
                                     double inverse[3]);

/* The lower triangle [m (m + 1) / 2] row by row, its diagonal inverted. */
void shepard_kriging_copy_factor(const struct shepard_kriging_system *system, double *factor);

/* What predictions are made of, once for all targets (Eq. 59b); values [count] less the known mean,
 * weight [m]. */
struct shepard_kriging_plane shepard_kriging_dual(const struct shepard_kriging_system *system,
                                                  const long double *values, long double *weight);

/* The error of a status of shepard_kriging_factor; others are passed on. */
enum shepard_status shepard_kriging_fail(enum shepard_status status, struct shepard_error *error);

#endif
