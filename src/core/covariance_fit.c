/* SPDX-License-Identifier: MIT */
#include "core/covariance_fit.h"

#include "base/arithmetic.h"
#include "base/call_part.h"
#include "base/error.h"
#include "core/fit_space.h"
#include "core/kriging.h"
#include "core/nelder_mead.h"
#include "core/scaled_data.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DEGREES (180 / 3.14159265358979323846)

/* ---- search ---------------------------------------------------------------------------------- */

/* The first stage searches everywhere with few points, the second nearby with more. */
static const struct shepard_vecchia_size stage_sizes[] = {{500, 10}, {2000, 15}};
enum { STAGES = sizeof stage_sizes / sizeof stage_sizes[0], AXES = SHEPARD_FIT_AXES };

#define GRID_RANGES 7
#define GRID_RANGE_MAX 6
static const double grid_nuggets[] = {1e-4, 1e-2, 0.2, 1};
enum { GRID_NUGGETS = sizeof grid_nuggets / sizeof grid_nuggets[0] };

/* Steps along the axes: of a search without direction, of one with, of the last. */
#define ISOTROPIC_EVALUATIONS 100
static const double isotropic_steps[AXES] = {0.7, 0.7, 0.2, 0, 0};
#define ANISOTROPIC_EVALUATIONS 160
static const double anisotropic_steps[AXES] = {0.3, 0.3, 0.15, 0.35, 0.35};
#define FINAL_EVALUATIONS 60
static const double final_steps[AXES] = {0.25, 0.4, 0.12, 0.2, 0.2};
#define EVALUATIONS_MAX                                                                            \
    (GRID_RANGES * GRID_NUGGETS + ISOTROPIC_EVALUATIONS + ANISOTROPIC_EVALUATIONS +                \
     FINAL_EVALUATIONS + 2)

/* Differences of the objective that no longer matter. */
#define TOLERANCE 1e-5
/* Anisotropy is kept if it takes more off the objective, times the points of the first stage: the
 * 95 % points of chi squared, of a ratio at a given angle and of both. */
#define RATIO_WORTH 3.84
#define ANISOTROPY_WORTH 6.0

/* A search: where it is, and what it does. */
struct fit_search {
    const struct shepard_fit_space *space;
    struct shepard_likelihood stages[STAGES];
    size_t stage;
    size_t axes; /* that are searched: */
    enum shepard_fit_axis axis[AXES];
    double at[AXES], value;
    bool anisotropic;
    size_t evaluations;
    const struct shepard_control *control;
};

static struct shepard_likelihood_value likelihood_at(const struct fit_search *search,
                                                     const double *at)
{
    const struct shepard_covariance_shape shape = shepard_fit_space_shape(search->space, at);
    const struct shepard_likelihood_known known = shepard_fit_space_known(search->space, at);
    return shepard_likelihood_evaluate(&search->stages[search->stage], &shape, &known);
}

static enum shepard_status evaluate(struct fit_search *search, const double *at, double *value)
{
    *value = likelihood_at(search, at).deviance + shepard_fit_space_penalty(search->space, at);
    search->evaluations++;
    const double done = (double)search->evaluations / EVALUATIONS_MAX;
    return shepard_control_report(search->control, done) ? SHEPARD_OK : SHEPARD_ERROR_CANCELLED;
}

/* At places on the axes that are searched. */
static enum shepard_status objective(void *context, const double *places, double *value)
{
    struct fit_search *search = context;
    double at[AXES];
    memcpy(at, search->at, sizeof at);
    for (size_t i = 0; i < search->axes; i++)
        at[search->axis[i]] = places[i];
    return evaluate(search, at, value);
}

static void add_axis(struct fit_search *search, enum shepard_fit_axis axis)
{
    if (shepard_fit_space_has(search->space, axis))
        search->axis[search->axes++] = axis;
}

/* Places of a grid in range and nugget, of one place along what is given; goes to the best. */
static enum shepard_status search_grid(struct fit_search *search)
{
    const struct shepard_fit_space *space = search->space;
    const double low = log(space->spacing), high = log(GRID_RANGE_MAX);
    const size_t ranges = shepard_fit_space_has(space, SHEPARD_FIT_LN_RANGE) ? GRID_RANGES : 1;
    const size_t nuggets = shepard_fit_space_has(space, SHEPARD_FIT_LN_NUGGET) ? GRID_NUGGETS : 1;
    enum shepard_status status = SHEPARD_OK;
    double best[AXES], at[AXES];
    memcpy(at, search->at, sizeof at);
    memcpy(best, search->at, sizeof best);
    search->value = INFINITY;
    for (size_t i = 0; i < ranges * nuggets && status == SHEPARD_OK; i++) {
        const double part = (double)(i / nuggets) / (GRID_RANGES - 1);
        double value;
        if (ranges > 1)
            at[SHEPARD_FIT_LN_RANGE] = low + part * (high - low);
        if (nuggets > 1)
            at[SHEPARD_FIT_LN_NUGGET] = log(grid_nuggets[i % nuggets]);
        status = evaluate(search, at, &value);
        if (status != SHEPARD_OK || !(value < search->value))
            continue;
        search->value = value;
        memcpy(best, at, sizeof best);
    }
    memcpy(search->at, best, sizeof best);
    return status;
}

/* steps: along all axes. */
static enum shepard_status search_nearby(struct fit_search *search, const double *steps,
                                         size_t evaluations)
{
    double places[AXES], own_steps[AXES];
    for (size_t i = 0; i < search->axes; i++) {
        places[i] = search->at[search->axis[i]];
        own_steps[i] = steps[search->axis[i]];
    }
    const struct shepard_nelder_mead simplex = {.objective = objective,
                                                .context = search,
                                                .dimensions = search->axes,
                                                .steps = own_steps,
                                                .evaluations = evaluations,
                                                .tolerance = TOLERANCE};
    if (search->axes == 0)
        return SHEPARD_OK;
    const enum shepard_status status = shepard_nelder_mead_run(&simplex, places, &search->value);
    for (size_t i = 0; i < search->axes; i++)
        search->at[search->axis[i]] = places[i];
    return status;
}

/* Goes on to ratio and direction where that is worth it. */
static enum shepard_status search_anisotropy(struct fit_search *search, size_t n)
{
    struct fit_search all = *search;
    add_axis(&all, SHEPARD_FIT_STRETCH);
    add_axis(&all, SHEPARD_FIT_STRETCH_ACROSS);
    if (all.axes == search->axes)
        return SHEPARD_OK;
    const double worth = all.axes > search->axes + 1 ? ANISOTROPY_WORTH : RATIO_WORTH;
    const enum shepard_status status =
        search_nearby(&all, anisotropic_steps, ANISOTROPIC_EVALUATIONS);
    const double points = (double)shepard_smaller(n, stage_sizes[search->stage].points);
    const bool worthy = points * (search->value - all.value) > worth;
    search->evaluations = all.evaluations;
    if (worthy)
        *search = all;
    search->anisotropic = worthy;
    return status;
}

static enum shepard_status search_all(struct fit_search *search, size_t n)
{
    const bool few = n < SHEPARD_COVARIANCE_FIT_ALL_MIN;
    add_axis(search, SHEPARD_FIT_LN_RANGE);
    add_axis(search, SHEPARD_FIT_LN_NUGGET);
    if (!few)
        add_axis(search, SHEPARD_FIT_P);
    shepard_fit_space_start(search->space, search->at);
    enum shepard_status status = search_grid(search);
    if (status == SHEPARD_OK)
        status = search_nearby(search, isotropic_steps, ISOTROPIC_EVALUATIONS);
    if (status == SHEPARD_OK && !few)
        status = search_anisotropy(search, n);
    search->stage = STAGES - 1;
    if (status == SHEPARD_OK)
        status = evaluate(search, search->at, &search->value);
    return status == SHEPARD_OK ? search_nearby(search, final_steps, FINAL_EVALUATIONS) : status;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Squares outside are held there: their ratios count. */
#define SILL_MIN 1e-290
#define SILL_MAX 1e290

/* sill: scaled, without nugget. */
static void set_sills(const struct shepard_scaled_data *data, double sill, double nugget_ratio,
                      struct shepard_covariance_fit *fit)
{
    fit->scale = sqrt(sill) * data->deviation;
    fit->nugget_ratio = nugget_ratio;
    fit->psill = shepard_clamp(fit->scale * fit->scale, SILL_MIN, SILL_MAX);
    fit->nugget = fit->psill * nugget_ratio;
}

/* What was given stays as it was. */
static void keep_given(const struct shepard_covariance_given *given,
                       struct shepard_covariance_fit *fit)
{
    fit->psill = isnan(given->psill) ? fit->psill : given->psill;
    fit->nugget = isnan(given->nugget) ? fit->nugget : given->nugget;
    fit->range = isnan(given->range) ? fit->range : given->range;
    fit->p = isnan(given->p) ? fit->p : given->p;
    fit->mean = isnan(given->mean) ? fit->mean : given->mean;
    fit->ratio = isnan(given->ratio) ? fit->ratio : given->ratio;
    fit->angle = isnan(given->angle) ? fit->angle : given->angle;
}

/* psill and range of a linear one, of which one is given or none: the slope was fitted. */
static void set_slope(const struct shepard_scaled_data *data, double slope,
                      const struct shepard_covariance_given *given,
                      struct shepard_covariance_fit *fit)
{
    const double length = isnan(given->range) ? data->diagonal * data->length : given->range;
    const double at_nugget = fit->nugget;
    set_sills(data, slope * (length / data->length), 0, fit);
    fit->range = isnan(given->psill)
                     ? length
                     : shepard_clamp(length * (given->psill / fit->psill), DBL_MIN, DBL_MAX);
    fit->nugget = at_nugget;
    fit->nugget_ratio = at_nugget / fit->psill;
}

static void set_fitted(const struct shepard_covariance_data *data,
                       const struct shepard_scaled_data *scaled, const struct fit_search *search,
                       struct shepard_covariance_fit *fit)
{
    const struct shepard_fit_space *space = search->space;
    const struct shepard_likelihood_value value = likelihood_at(search, search->at);
    const double range = shepard_fit_space_range(space, search->at);
    const bool directed = search->anisotropic;
    fit->form = SHEPARD_FIT_LIKELIHOOD;
    fit->anisotropic = directed;
    fit->ratio = directed ? exp(shepard_fit_space_ln_ratio(space, search->at)) : 1;
    fit->angle = directed ? shepard_fit_space_direction(space, search->at) * DEGREES : 0;
    fit->range = shepard_clamp(scaled->length * range, DBL_MIN, DBL_MAX);
    fit->p = shepard_fit_space_shape(space, search->at).p;
    fit->mean = scaled->mean + scaled->deviation * value.mean;
    fit->objective = search->value;
    fit->evaluations = search->evaluations;
    fit->conditioned = search->stages[STAGES - 1].sets->count;
    for (size_t j = 0; j < data->covariates; j++)
        data->coefficient[j] = scaled->deviation * search->stages[STAGES - 1].gls.coefficient[j];
    set_sills(scaled, value.sill, shepard_fit_space_shape(space, search->at).nugget, fit);
    if (space->covariance == SHEPARD_COVARIANCE_LINEAR)
        set_slope(scaled, value.sill / range, &data->given, fit);
}

/* ---- few points ------------------------------------------------------------------------------ */

/* A shape at a place that says all but the sill; psill is what makes the semivariances of all pairs
 * add up to those of the values. */
static double sum_rule(const struct shepard_scaled_data *data,
                       const struct shepard_fit_space *space, double nugget)
{
    const double cosine = cos(space->angle), sine = sin(space->angle), ratio = exp(space->ln_ratio);
    const struct shepard_variogram variogram = {.covariance = space->covariance, .p = space->p};
    double semivariances = 0, rises = 0;
    for (size_t i = 1; i < data->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const double dx = data->x[i] - data->x[j], dy = data->y[i] - data->y[j];
            const double up = data->height != NULL ? data->height[i] - data->height[j] : 0;
            const double along = dx * cosine + dy * sine, across = dy * cosine - dx * sine;
            const double h = hypot(along, ratio * hypot(across, up)) / space->range;
            const double dz = data->z[i] - data->z[j];
            semivariances += dz * dz / 2 - nugget;
            rises += (double)shepard_kriging_rise(&variogram, h);
        }
    }
    return rises > 0 && semivariances > 0 ? semivariances / rises : 0;
}

/* Too few to search: without more said, a line. */
static void set_few(const struct shepard_covariance_data *data,
                    const struct shepard_scaled_data *scaled, struct shepard_fit_space *space,
                    struct shepard_covariance_fit *fit)
{
    const struct shepard_covariance_given *given = &data->given;
    const bool free = given->covariance == SHEPARD_COVARIANCE_STABLE && isnan(given->psill) &&
                      isnan(given->range) && isnan(given->p) && !data->needs_sill;
    const double nugget = isnan(space->nugget) ? 0 : space->nugget;
    space->covariance = free ? SHEPARD_COVARIANCE_LINEAR : space->covariance;
    space->range = isnan(space->range) ? scaled->diagonal : space->range;
    space->p = isnan(space->p) ? 1 : space->p;
    space->ln_ratio = isnan(space->ln_ratio) ? 0 : space->ln_ratio;
    space->angle = isnan(space->angle) ? 0 : space->angle;
    const double sill = isnan(space->psill) ? sum_rule(scaled, space, nugget) : space->psill;
    fit->form = SHEPARD_FIT_FEW;
    fit->covariance = space->covariance;
    fit->range = space->range * scaled->length;
    set_sills(scaled, sill, 0, fit);
    fit->psill = sill > 0 ? fit->psill : 0;
}

/* ---- fit ------------------------------------------------------------------------------------- */

static enum shepard_status fit_sets(const struct shepard_covariance_data *data,
                                    const struct shepard_scaled_data *scaled,
                                    const struct shepard_fit_space *space,
                                    const struct shepard_vecchia *sets,
                                    struct shepard_covariance_fit *fit, struct shepard_error *error)
{
    struct fit_search search = {.space = space, .control = data->control};
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
        set_fitted(data, scaled, &search, fit);
    for (size_t i = 0; i < STAGES; i++)
        shepard_likelihood_free(&search.stages[i]);
    return status;
}

static enum shepard_status fit_likelihood(const struct shepard_covariance_data *data,
                                          const struct shepard_scaled_data *scaled,
                                          const struct shepard_fit_space *space,
                                          struct shepard_covariance_fit *fit,
                                          struct shepard_error *error)
{
    const struct shepard_vecchia_data places = {.count = scaled->count,
                                                .x = scaled->x,
                                                .y = scaled->y,
                                                .z = scaled->z,
                                                .height = scaled->height,
                                                .covariates = data->covariates,
                                                .covariate = data->covariate,
                                                .seed = data->seed,
                                                .kernels = data->kernels,
                                                .threads = data->threads,
                                                .allocator = data->allocator};
    struct shepard_vecchia sets[STAGES];
    enum shepard_status status = shepard_vecchia_create(&places, stage_sizes, STAGES, sets, error);
    if (status != SHEPARD_OK)
        return status;
    status = fit_sets(data, scaled, space, sets, fit, error);
    for (size_t i = 0; i < STAGES; i++)
        shepard_vecchia_free(&sets[i]);
    return status;
}

/* In the units of the scaled data. */
static struct shepard_fit_space space_of(const struct shepard_covariance_given *given,
                                         const struct shepard_scaled_data *scaled)
{
    const double psill = sqrt(given->psill) / scaled->deviation;
    const double nugget = sqrt(given->nugget) / scaled->deviation;
    return (struct shepard_fit_space){.covariance = given->covariance,
                                      .psill = psill * psill,
                                      .nugget = nugget * nugget,
                                      .range = given->range / scaled->length,
                                      .p = given->p,
                                      .mean = (given->mean - scaled->mean) / scaled->deviation,
                                      .ln_ratio = log(given->ratio),
                                      .angle = fmod(given->angle, 360) / DEGREES,
                                      .spacing = 2 / sqrt((double)scaled->count),
                                      .diagonal = scaled->diagonal};
}

/* No structure. */
static void set_constant(const struct shepard_covariance_data *data,
                         const struct shepard_scaled_data *scaled,
                         struct shepard_covariance_fit *fit)
{
    const bool varies = scaled->deviation > 0;
    const double diagonal = scaled->diagonal * scaled->length;
    const double away = fmax(fabs(data->x[0]), fabs(data->y[0]));
    *fit = (struct shepard_covariance_fit){.form = SHEPARD_FIT_CONSTANT,
                                           .covariance = data->given.covariance,
                                           .range = diagonal > 0 ? diagonal : fmax(away, 1),
                                           .ratio = 1,
                                           .p = 1,
                                           .mean = scaled->mean,
                                           .clipped = scaled->clipped};
    if (varies)
        fit->nugget = shepard_clamp(scaled->deviation * scaled->deviation, SILL_MIN, SILL_MAX);
}

enum shepard_status shepard_covariance_fit_run(const struct shepard_covariance_data *data,
                                               struct shepard_covariance_fit *fit,
                                               struct shepard_error *error)
{
    const struct shepard_user_data user = {data->count, data->x, data->y, data->z, data->height};
    struct shepard_scaled_data scaled;
    enum shepard_status status =
        shepard_scaled_data_create(&user, data->threads, data->allocator, &scaled, error);
    if (status != SHEPARD_OK)
        return status;
    set_constant(data, &scaled, fit);
    for (size_t j = 0; j < data->covariates; j++)
        data->coefficient[j] = 0;
    if (scaled.deviation > 0 && scaled.length > 0 && data->given.psill != 0) {
        struct shepard_fit_space space = space_of(&data->given, &scaled);
        if (scaled.count < SHEPARD_COVARIANCE_FIT_MIN)
            set_few(data, &scaled, &space, fit);
        else
            status = fit_likelihood(data, &scaled, &space, fit, error);
    }
    keep_given(&data->given, fit);
    shepard_scaled_data_free(&scaled);
    return status;
}
