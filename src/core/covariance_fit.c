/* SPDX-License-Identifier: MIT */
#include "core/covariance_fit.h"

#include "base/arithmetic.h"
#include "base/call_part.h"
#include "base/error.h"
#include "core/likelihood.h"
#include "core/nelder_mead.h"
#include "core/scaled_data.h"

#include <float.h>
#include <math.h>

#define DEGREES (180 / 3.14159265358979323846)

/* ---- parameters ------------------------------------------------------------------------------ */

/* What is searched: ln a, ln nugget, p, ln r cos 2 theta, ln r sin 2 theta; a search of fewer
 * leaves the last as they are. */
enum { LN_RANGE, LN_NUGGET, P, STRETCH_COS, STRETCH_SIN, PARAMETERS };

/* Searches of the range and nugget of an exponential covariance; of an isotropic one; of all. */
enum { EXPONENTIAL = P, ISOTROPIC = STRETCH_COS, ANISOTROPIC = PARAMETERS };

#define P_MIN 0.2
#define P_MAX 1.95
#define LN_NUGGET_MIN (-14)
#define LN_NUGGET_MAX 5
#define LN_RATIO_MAX 3
/* Lengths of 0 and more than all doubles are kept out. */
#define LN_MAX 30

static double ln_ratio(const double *at)
{
    return hypot(at[STRETCH_COS], at[STRETCH_SIN]);
}

static double direction(const double *at)
{
    return atan2(at[STRETCH_SIN], at[STRETCH_COS]) / 2;
}

/* Eq. 62: the area of a circle is kept. */
static struct shepard_covariance_shape shape_at(const double *at)
{
    const double a = exp(shepard_clamp(at[LN_RANGE], -LN_MAX, LN_MAX));
    const double root = exp(shepard_clamp(ln_ratio(at), 0, LN_MAX) / 2), angle = direction(at);
    const double cosine = cos(angle), sine = sin(angle);
    return (struct shepard_covariance_shape){
        .ux = cosine / (root * a),
        .uy = sine / (root * a),
        .vx = -sine * root / a,
        .vy = cosine * root / a,
        .p = shepard_clamp(at[P], P_MIN, P_MAX),
        .nugget = exp(shepard_clamp(at[LN_NUGGET], -LN_MAX, LN_MAX))};
}

static double square_above(double a, double limit)
{
    return a > limit ? (a - limit) * (a - limit) : 0;
}

/* What keeps parameters that the data do not tell within bounds (Eq. 68). */
static double penalty_at(const double *at, double spacing)
{
    const double ratio = ln_ratio(at), p = at[P] - 1;
    return 0.05 * p * p + square_above(at[P], P_MAX) + square_above(-at[P], -P_MIN) +
           0.002 * ratio * ratio + square_above(ratio, LN_RATIO_MAX) +
           0.002 * square_above(at[LN_RANGE], log(4)) +
           0.002 * square_above(-at[LN_RANGE], -log(spacing / 2)) +
           square_above(at[LN_NUGGET], LN_NUGGET_MAX) +
           square_above(-at[LN_NUGGET], -LN_NUGGET_MIN);
}

/* ---- search ---------------------------------------------------------------------------------- */

/* The first stage searches everywhere with few points, the second nearby with more. */
static const struct shepard_vecchia_size stage_sizes[] = {{500, 10}, {2000, 15}};
enum { STAGES = sizeof stage_sizes / sizeof stage_sizes[0] };

#define GRID_RANGES 7
#define GRID_RANGE_MAX 6
static const double grid_nuggets[] = {1e-4, 1e-2, 0.2, 1};
enum { GRID_NUGGETS = sizeof grid_nuggets / sizeof grid_nuggets[0] };

#define ISOTROPIC_EVALUATIONS 100
static const double isotropic_steps[] = {0.7, 0.7, 0.2};
#define ANISOTROPIC_EVALUATIONS 160
static const double anisotropic_steps[] = {0.3, 0.3, 0.15, 0.35, 0.35};
#define FINAL_EVALUATIONS 60
static const double final_steps[] = {0.25, 0.4, 0.12, 0.2, 0.2};
#define EVALUATIONS_MAX                                                                            \
    (GRID_RANGES * GRID_NUGGETS + ISOTROPIC_EVALUATIONS + ANISOTROPIC_EVALUATIONS +                \
     FINAL_EVALUATIONS + 2)

/* Differences of the objective that no longer matter. */
#define TOLERANCE 1e-5
/* Anisotropy is kept if it takes more off the objective, times the points of the first stage. */
#define ANISOTROPY_WORTH 6.0

/* A search: where it is, and what it does. */
struct fit_search {
    struct shepard_likelihood stages[STAGES];
    size_t stage;
    double spacing;    /* sp of the recipe: 2 / sqrt(n) */
    size_t dimensions; /* EXPONENTIAL, ISOTROPIC or ANISOTROPIC */
    double at[PARAMETERS], value;
    size_t evaluations;
    const struct shepard_control *control;
};

static struct shepard_likelihood_value likelihood_at(const struct fit_search *search,
                                                     const double *at)
{
    const struct shepard_covariance_shape shape = shape_at(at);
    return shepard_likelihood_evaluate(&search->stages[search->stage], &shape);
}

static enum shepard_status objective(void *context, const double *at, double *value)
{
    struct fit_search *search = context;
    double all[PARAMETERS] = {[P] = 1};
    for (size_t i = 0; i < search->dimensions; i++)
        all[i] = at[i];
    *value = likelihood_at(search, all).deviance + penalty_at(all, search->spacing);
    search->evaluations++;
    const double done = (double)search->evaluations / EVALUATIONS_MAX;
    return shepard_control_report(search->control, done) ? SHEPARD_OK : SHEPARD_ERROR_CANCELLED;
}

/* Exponential covariances at the places of a grid; goes to the best. */
static enum shepard_status search_grid(struct fit_search *search)
{
    const double low = log(search->spacing), high = log(GRID_RANGE_MAX);
    enum shepard_status status = SHEPARD_OK;
    search->value = INFINITY;
    for (size_t i = 0; i < GRID_RANGES * GRID_NUGGETS && status == SHEPARD_OK; i++) {
        const double part = (double)(i / GRID_NUGGETS) / (GRID_RANGES - 1);
        double at[PARAMETERS] = {[P] = 1}, value;
        at[LN_RANGE] = low + part * (high - low);
        at[LN_NUGGET] = log(grid_nuggets[i % GRID_NUGGETS]);
        status = objective(search, at, &value);
        if (status != SHEPARD_OK || !(value < search->value))
            continue;
        search->value = value;
        for (size_t j = 0; j < PARAMETERS; j++)
            search->at[j] = at[j];
    }
    return status;
}

static enum shepard_status search_nearby(struct fit_search *search, const double *steps,
                                         size_t evaluations)
{
    const struct shepard_nelder_mead simplex = {.objective = objective,
                                                .context = search,
                                                .dimensions = search->dimensions,
                                                .steps = steps,
                                                .evaluations = evaluations,
                                                .tolerance = TOLERANCE};
    return shepard_nelder_mead_run(&simplex, search->at, &search->value);
}

/* Goes on to all parameters where that is worth it. */
static enum shepard_status search_anisotropy(struct fit_search *search)
{
    struct fit_search all = *search;
    all.dimensions = ANISOTROPIC;
    const enum shepard_status status =
        search_nearby(&all, anisotropic_steps, ANISOTROPIC_EVALUATIONS);
    const double gain = (double)stage_sizes[search->stage].points * (search->value - all.value);
    search->evaluations = all.evaluations;
    if (gain > ANISOTROPY_WORTH)
        *search = all;
    return status;
}

static enum shepard_status search_all(struct fit_search *search, size_t n)
{
    search->spacing = 2 / sqrt((double)n);
    search->dimensions = n < SHEPARD_COVARIANCE_FIT_ALL_MIN ? EXPONENTIAL : ISOTROPIC;
    enum shepard_status status = search_grid(search);
    if (status == SHEPARD_OK)
        status = search_nearby(search, isotropic_steps, ISOTROPIC_EVALUATIONS);
    if (status == SHEPARD_OK && search->dimensions == ISOTROPIC)
        status = search_anisotropy(search);
    search->stage = STAGES - 1;
    if (status == SHEPARD_OK)
        status = objective(search, search->at, &search->value);
    return status == SHEPARD_OK ? search_nearby(search, final_steps, FINAL_EVALUATIONS) : status;
}

/* ---- results --------------------------------------------------------------------------------- */

/* A double that stands for itself, the largest for what is more. */
static double finite(double a)
{
    return a < HUGE_VAL ? a : DBL_MAX;
}

static void set_sills(const struct shepard_scaled_data *data, double sill, double nugget_ratio,
                      struct shepard_covariance_fit *fit)
{
    fit->scale = sqrt(sill) * data->deviation;
    fit->nugget_ratio = nugget_ratio;
    fit->psill = finite(fit->scale * fit->scale);
    fit->nugget = finite(fit->psill * nugget_ratio);
}

/* Semivariances of pairs over their distances: the slope that fits their sums. */
static double mean_slope(const struct shepard_scaled_data *data)
{
    double semivariances = 0, distances = 0;
    for (size_t i = 1; i < data->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const double dz = data->z[i] - data->z[j];
            semivariances += dz * dz / 2;
            distances += hypot(data->x[i] - data->x[j], data->y[i] - data->y[j]);
        }
    }
    return semivariances / distances;
}

static void set_linear(const struct shepard_scaled_data *data, struct shepard_covariance_fit *fit)
{
    fit->form = SHEPARD_FIT_LINEAR;
    fit->range = data->diagonal * data->length;
    set_sills(data, mean_slope(data) * data->diagonal, 0, fit);
}

static void set_stable(const struct shepard_scaled_data *data, const struct fit_search *search,
                       struct shepard_covariance_fit *fit)
{
    const struct shepard_covariance_shape shape = shape_at(search->at);
    const struct shepard_likelihood_value value = likelihood_at(search, search->at);
    fit->form = SHEPARD_FIT_STABLE;
    fit->anisotropic = search->dimensions == ANISOTROPIC;
    fit->ratio = fit->anisotropic ? exp(ln_ratio(search->at)) : 1;
    fit->angle = fit->anisotropic ? direction(search->at) * DEGREES : 0;
    fit->range = data->length / hypot(shape.ux, shape.uy);
    fit->p = shape.p;
    fit->mean = data->mean + data->deviation * value.mean;
    fit->objective = search->value;
    fit->evaluations = search->evaluations;
    fit->conditioned = search->stages[STAGES - 1].sets->count;
    set_sills(data, value.sill, shape.nugget, fit);
}

/* ---- fit ------------------------------------------------------------------------------------- */

static enum shepard_status fit_sets(const struct shepard_covariance_data *data,
                                    const struct shepard_scaled_data *scaled,
                                    const struct shepard_vecchia *sets,
                                    struct shepard_covariance_fit *fit, struct shepard_error *error)
{
    struct fit_search search = {.control = data->control};
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < STAGES && status == SHEPARD_OK; i++)
        status = shepard_likelihood_create(&sets[i], data->kernels, data->threads,
                                           &search.stages[i], error);
    if (status == SHEPARD_OK) {
        status = search_all(&search, data->count);
        if (status != SHEPARD_OK)
            shepard_error_set(error, status, "", "cancelled by the progress callback");
    }
    if (status == SHEPARD_OK)
        set_stable(scaled, &search, fit);
    for (size_t i = 0; i < STAGES; i++)
        shepard_likelihood_free(&search.stages[i]);
    return status;
}

static enum shepard_status fit_stable(const struct shepard_covariance_data *data,
                                      const struct shepard_scaled_data *scaled,
                                      struct shepard_covariance_fit *fit,
                                      struct shepard_error *error)
{
    const struct shepard_vecchia_data places = {.count = scaled->count,
                                                .x = scaled->x,
                                                .y = scaled->y,
                                                .z = scaled->z,
                                                .seed = data->seed,
                                                .kernels = data->kernels,
                                                .threads = data->threads,
                                                .allocator = data->allocator};
    struct shepard_vecchia sets[STAGES];
    enum shepard_status status = shepard_vecchia_create(&places, stage_sizes, STAGES, sets, error);
    if (status != SHEPARD_OK)
        return status;
    status = fit_sets(data, scaled, sets, fit, error);
    for (size_t i = 0; i < STAGES; i++)
        shepard_vecchia_free(&sets[i]);
    return status;
}

enum shepard_status shepard_covariance_fit_run(const struct shepard_covariance_data *data,
                                               struct shepard_covariance_fit *fit,
                                               struct shepard_error *error)
{
    const struct shepard_user_data user = {data->count, data->x, data->y, data->z};
    struct shepard_scaled_data scaled;
    enum shepard_status status =
        shepard_scaled_data_create(&user, data->threads, data->allocator, &scaled, error);
    if (status != SHEPARD_OK)
        return status;
    *fit = (struct shepard_covariance_fit){.nugget = finite(scaled.deviation * scaled.deviation),
                                           .range = 1,
                                           .ratio = 1,
                                           .p = 1,
                                           .mean = scaled.mean,
                                           .clipped = scaled.clipped};
    if (scaled.deviation > 0 && scaled.length > 0) {
        if (scaled.count < SHEPARD_COVARIANCE_FIT_MIN)
            set_linear(&scaled, fit);
        else
            status = fit_stable(data, &scaled, fit, error);
    }
    shepard_scaled_data_free(&scaled);
    return status;
}
