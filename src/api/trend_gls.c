/* SPDX-License-Identifier: MIT */
#include "api/trend_gls.h"

#include "api/covariates.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/fit_space.h"
#include "core/range.h"

#include <math.h>

/* Points that values are conditioned at, and neighbours of each: of more data a sample. */
static const struct shepard_vecchia_size set_size = {10000, SHEPARD_CONDITION_MAX};

/* A part of the sill below this is rounding error, and a range beyond this no different from one
 * at it. */
#define LEAST_PSILL 1e-15
#define RANGE_MAX 1e12

/* The points that count, in the order given: moderate numbers. */
struct gls_points {
    size_t count;
    double *x, *y, *z;                 /* [count] */
    double *height;                    /* [count]; NULL: places have two coordinates */
    double **column;                   /* [p] arrays [count] of covariates */
    double *mean, *scale, *covariance; /* of covariates: [p], [p], [p, p] */
    double *room;
    double unit;             /* of z */
    double length, diagonal; /* half the larger side of their box, frame units; the box's, scaled */
};

static void release(const struct shepard_trend_gls *gls, struct gls_points *points)
{
    shepard_release(gls->points->allocator_used, points->column);
    shepard_release(gls->points->allocator_used, points->room);
}

static bool allocate(const struct shepard_trend_gls *gls, struct gls_points *points)
{
    const struct shepard_allocator *allocator = gls->points->allocator_used;
    const size_t n = gls->points->given, p = gls->covariates->count;
    points->column = shepard_allocate(allocator, p, sizeof *points->column);
    points->room = shepard_allocate(allocator, (4 + p) * n + (2 + p) * p, sizeof *points->room);
    if (points->column == NULL || points->room == NULL)
        return false;
    points->x = points->room;
    points->y = points->x + n;
    points->z = points->y + n;
    for (size_t j = 0; j < p; j++)
        points->column[j] = points->z + (j + 1) * n;
    points->mean = points->z + (p + 1) * n;
    points->scale = points->mean + p;
    points->covariance = points->scale + p;
    if (gls->points->prepared->geometry.z != NULL)
        points->height = points->covariance + p * p;
    return true;
}

/* ---- moderate numbers ------------------------------------------------------------------------ */

/* Places at the indices of their points, then those that count one behind the other. */
static void gather(const struct shepard_trend_gls *gls, struct gls_points *points)
{
    const struct shepard_geometry *geometry = &gls->points->prepared->geometry;
    const size_t n = gls->points->given;
    for (size_t i = 0; i < n; i++)
        points->x[i] = NAN;
    for (size_t rank = 0; rank < geometry->count; rank++) {
        points->x[geometry->index[rank]] = geometry->x[rank];
        points->y[geometry->index[rank]] = geometry->y[rank];
        if (points->height != NULL)
            points->height[geometry->index[rank]] = geometry->z[rank];
    }
    for (size_t i = 0; i < n; i++) {
        if (isnan(points->x[i]) || isnan(gls->values[i]))
            continue;
        points->x[points->count] = points->x[i];
        points->y[points->count] = points->y[i];
        if (points->height != NULL)
            points->height[points->count] = points->height[i];
        points->z[points->count] = gls->values[i];
        for (size_t j = 0; j < gls->covariates->count; j++)
            points->column[j][points->count] = gls->covariate[j][i];
        points->count++;
    }
}

/* Half the width of a coordinate's range, whose middle becomes 0. a may be NULL. */
static double centre(double *a, size_t count, int threads)
{
    if (a == NULL)
        return 0;
    const struct shepard_range range = shepard_range_of(a, count, threads);
    const double half = (range.high - range.low) / 2;
    for (size_t i = 0; i < count; i++)
        a[i] -= range.low + half;
    return half;
}

static void scale_places(struct gls_points *points, int threads)
{
    double *const of[] = {points->x, points->y, points->height};
    double most = 0, squares = 0;
    for (size_t k = 0; k < 3; k++) {
        const double half = centre(of[k], points->count, threads);
        most = fmax(most, half);
        squares += half * half;
    }
    points->length = most > 0 ? most : 1;
    points->diagonal = 2 * sqrt(squares) / points->length;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; of[k] != NULL && i < points->count; i++)
            of[k][i] /= points->length;
}

static void scale_values(const struct shepard_trend_gls *gls, struct gls_points *points)
{
    const bool simple = gls->kriging->kind == SHEPARD_KRIGING_SIMPLE;
    double mean = 0, largest = 0;
    for (size_t i = 0; i < points->count && !simple; i++)
        mean += points->z[i] / (double)points->count;
    for (size_t i = 0; i < points->count; i++)
        largest = fmax(largest, fabs(points->z[i] - mean));
    points->unit = largest > 0 ? largest : 1;
    for (size_t i = 0; i < points->count; i++)
        points->z[i] = (points->z[i] - mean) / points->unit;
}

/* With a known mean a covariate is what it is; else its own mean is a part of the constant. */
static enum shepard_status scale_covariates(const struct shepard_trend_gls *gls,
                                            struct gls_points *points, struct shepard_error *error)
{
    const struct shepard_scaled_covariates scaled = {.points = points->count,
                                                     .column = points->column,
                                                     .mean = points->mean,
                                                     .scale = points->scale};
    const enum shepard_status status =
        shepard_covariates_scale(gls->covariates, points->count, points->column, &scaled, error);
    if (gls->kriging->kind != SHEPARD_KRIGING_SIMPLE)
        return status;
    for (size_t j = 0; j < gls->covariates->count; j++)
        for (size_t i = 0; i < points->count; i++)
            points->column[j][i] += points->mean[j] / points->scale[j];
    return status;
}

/* ---- the covariance -------------------------------------------------------------------------- */

/* With a sill of 1 with the nugget, in the frame's metric. */
static struct shepard_fit_space space_of(const struct shepard_trend_gls *gls,
                                         const struct gls_points *points)
{
    const struct shepard_kriging *kriging = gls->kriging;
    const struct shepard_frame *frame = &gls->points->prepared->geometry.frame;
    const double range = kriging->range / frame->stretch.ratio * frame->scale / points->length;
    const double sill = kriging->psill + kriging->nugget;
    const double psill = sill > 0 ? kriging->psill / sill : 0;
    return (struct shepard_fit_space){.covariance = kriging->covariance,
                                      .psill = fmax(psill, LEAST_PSILL),
                                      .nugget = 1 - psill,
                                      .range = shepard_clamp(range, 1 / RANGE_MAX, RANGE_MAX),
                                      .p = kriging->p,
                                      .mean = NAN,
                                      .spacing = 2 / sqrt((double)points->count),
                                      .diagonal = points->diagonal};
}

/* Coefficients, and their standard errors, which are roots of the sill times what the normal matrix
 * says. */
static void put_found(const struct shepard_trend_gls *gls, const struct gls_points *points,
                      const struct shepard_likelihood *likelihood, double sill)
{
    const size_t p = gls->covariates->count;
    const double root = sqrt(gls->kriging->psill + gls->kriging->nugget);
    for (size_t j = 0; j < p; j++) {
        gls->coefficients[j] = likelihood->gls.coefficient[j] * (points->unit / points->scale[j]);
        gls->standard_errors[j] =
            root * sqrt(sill * points->covariance[j * p + j]) / points->scale[j];
    }
}

static enum shepard_status solve(const struct shepard_trend_gls *gls,
                                 const struct gls_points *points,
                                 const struct shepard_likelihood *likelihood,
                                 struct shepard_error *error)
{
    const struct shepard_fit_space space = space_of(gls, points);
    double at[SHEPARD_FIT_AXES];
    shepard_fit_space_start(&space, at);
    const struct shepard_covariance_shape shape = shepard_fit_space_shape(&space, at);
    struct shepard_likelihood_known known = shepard_fit_space_known(&space, at);
    known.mean = gls->kriging->kind == SHEPARD_KRIGING_SIMPLE ? 0 : NAN;
    const size_t told = shepard_likelihood_evaluate(likelihood, &shape, &known).told;
    if (told < gls->covariates->count)
        return shepard_covariates_refuse(gls->covariates, told,
                                         "cannot be told from the covariates before it and the "
                                         "mean at the points that a trend of kriging is fitted to",
                                         error);
    const enum shepard_status status =
        shepard_gls_covariance(&likelihood->gls, known.mean, points->covariance, error);
    if (status == SHEPARD_OK)
        put_found(gls, points, likelihood, known.sill);
    return status;
}

static enum shepard_status condition(const struct shepard_trend_gls *gls,
                                     const struct gls_points *points, struct shepard_error *error)
{
    const struct shepard_kernels *kernels = shepard_kernels_choose();
    const int threads = gls->points->prepared->geometry.threads;
    const struct shepard_vecchia_data data = {.count = points->count,
                                              .x = points->x,
                                              .y = points->y,
                                              .z = points->z,
                                              .height = points->height,
                                              .covariates = gls->covariates->count,
                                              .covariate = points->column,
                                              .kernels = kernels,
                                              .threads = threads,
                                              .allocator = gls->points->allocator_used};
    struct shepard_vecchia sets;
    struct shepard_likelihood likelihood;
    enum shepard_status status = shepard_vecchia_create(&data, &set_size, 1, &sets, error);
    if (status != SHEPARD_OK)
        return status;
    status = shepard_likelihood_create(&sets, kernels, threads, &likelihood, error);
    if (status == SHEPARD_OK)
        status = solve(gls, points, &likelihood, error);
    shepard_likelihood_free(&likelihood);
    shepard_vecchia_free(&sets);
    return status;
}

static enum shepard_status fit(const struct shepard_trend_gls *gls, struct gls_points *points,
                               struct shepard_error *error)
{
    scale_places(points, gls->points->prepared->geometry.threads);
    scale_values(gls, points);
    const enum shepard_status status = scale_covariates(gls, points, error);
    return status == SHEPARD_OK ? condition(gls, points, error) : status;
}

enum shepard_status shepard_trend_gls_fit(const struct shepard_trend_gls *gls, size_t *used,
                                          struct shepard_error *error)
{
    struct gls_points points = {.count = 0};
    if (gls->points->prepared->geometry.x == NULL)
        return shepard_error_set(
            error, SHEPARD_ERROR_BACKEND, "points",
            "points have their coordinates on a GPU, and a trend of kriging "
            "is fitted on the CPU: make points for it with "
            "SHEPARD_BACKEND_CPU; predictions of its residuals may use others");
    enum shepard_status status =
        allocate(gls, &points) ? SHEPARD_OK : shepard_error_set_memory(error, "the trend");
    if (status == SHEPARD_OK)
        gather(gls, &points);
    *used = points.count;
    if (points.count >= shepard_covariates_least_points(gls->covariates))
        status = fit(gls, &points, error);
    release(gls, &points);
    return status;
}
