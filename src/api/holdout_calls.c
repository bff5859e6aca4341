/* SPDX-License-Identifier: MIT */
#include "api/holdout_parts.h"

#include "api/argument.h"
#include "api/holdout_sds.h"
#include "api/parameters.h"
#include "api/points_options.h"
#include "api/star_pairs.h"
#include "api/validation.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/methods.h"
#include "core/selection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Ratios of medians of nearest distances within which held-out data stand for the targets. */
#define RATIO_LEAST 0.7
#define RATIO_MOST 1.4
/* Targets of a sample that is not asked for a number. */
#define SAMPLE 2000

/* ---- creation -------------------------------------------------------------------------------- */

/* The median of a [count] without its NaN values; NaN where all are NaN. */
static enum shepard_status find_median(const struct shepard_holdout *holdout, const double *a,
                                       size_t count, double *median, struct shepard_error *error)
{
    long n = 0;
    double *copy = shepard_allocate(holdout->allocator_used, count, sizeof *copy);
    if (copy == NULL)
        return shepard_error_set_memory(error, "the held-out data");
    for (size_t i = 0; i < count; i++)
        if (!isnan(a[i]))
            copy[n++] = a[i];
    *median = n > 0 ? shepard_select_quantile(copy, n, 0.5) : NAN;
    shepard_release(holdout->allocator_used, copy);
    return SHEPARD_OK;
}

static enum shepard_status find_medians(struct shepard_holdout *holdout,
                                        const struct shepard_target_sample *sample,
                                        struct shepard_error *error)
{
    const struct shepard_held_out *held_out = &holdout->held_out;
    enum shepard_status status =
        find_median(holdout, held_out->nearest, held_out->count, &holdout->held_out_nearest, error);
    if (status == SHEPARD_OK && sample->count > 0)
        status =
            find_median(holdout, sample->nearest, sample->count, &holdout->target_nearest, error);
    const bool none = status == SHEPARD_OK && isnan(holdout->held_out_nearest);
    if (none && holdout->validation.kind == SHEPARD_VALIDATION_STARS)
        return shepard_error_set(error, SHEPARD_ERROR_NO_POINTS, "validation.targets",
                                 "no datum can stand for a target: the targets lie too far outside "
                                 "the data, or the data are at one place; give targets among the "
                                 "data, or none");
    if (none)
        return shepard_error_set(error, SHEPARD_ERROR_NO_POINTS, "coordinates",
                                 "all data are at one place, and without it nothing is left to "
                                 "predict from: give data at two places or more");
    return status;
}

/* Whether the nearest data on all sides are as far as those of the targets. */
static bool has_like_octants(const struct shepard_holdout *holdout)
{
    return fabs(log(holdout->octant_ratio)) <= log(SHEPARD_OCTANT_RATIO_MOST);
}

/* Whether distances to the nearest data are like those of the targets. */
static bool is_representative(const struct shepard_holdout *holdout)
{
    const double ratio = holdout->held_out_nearest / holdout->target_nearest;
    return isnan(ratio) ||
           (ratio >= RATIO_LEAST && ratio <= RATIO_MOST && has_like_octants(holdout));
}

/* dropped: targets that no datum can stand for. */
static void note(struct shepard_holdout *holdout, size_t dropped)
{
    const double ratio = holdout->held_out_nearest / holdout->target_nearest;
    char *to = holdout->notice;
    size_t room = sizeof holdout->notice;
    if (dropped > 0) {
        const int written =
            snprintf(to, room,
                     "%zu of %zu sampled targets have too few data round them for a "
                     "datum to stand for them: the error there is not known",
                     dropped, dropped + holdout->held_out.count);
        to += written;
        room -= (size_t)written;
    }
    if (is_representative(holdout))
        return;
    if (ratio >= RATIO_LEAST && ratio <= RATIO_MOST)
        snprintf(to, room,
                 "%sthe nearest data round the held-out data are %.3g times as far as those round "
                 "the targets (mean of eight octants): the data cannot tell the error at the "
                 "targets, which is likely to be %s than theirs",
                 dropped > 0 ? "; " : "", holdout->octant_ratio,
                 holdout->octant_ratio > 1 ? "smaller" : "larger");
    else
        snprintf(
            to, room,
            "%sthe held-out data are %.3g times as far from their nearest datum as the targets "
            "(medians %.4g and %.4g): the data cannot tell the error at the targets, which is "
            "likely to be %s than theirs",
            dropped > 0 ? "; " : "", ratio, holdout->held_out_nearest, holdout->target_nearest,
            ratio > 1 ? "smaller" : "larger");
}

/* A sample of the targets; empty where there are none. */
static enum shepard_status sample_targets(const struct shepard_holdout *holdout,
                                          struct shepard_target_sample *sample,
                                          struct shepard_error *error)
{
    const struct shepard_validation *validation = &holdout->validation;
    const bool stars = validation->kind == SHEPARD_VALIDATION_STARS;
    struct shepard_field *field = NULL;
    *sample = (struct shepard_target_sample){.allocator = holdout->allocator_used};
    if (validation->targets == NULL)
        return SHEPARD_OK;
    enum shepard_status status =
        shepard_holdout_create_field(holdout, holdout->data.z, &field, error);
    if (status == SHEPARD_OK)
        status = shepard_target_sample_create(validation->targets, holdout->points, field,
                                              stars ? validation->samples : SAMPLE,
                                              validation->seed, stars, sample, error);
    shepard_field_free(field);
    return status;
}

static enum shepard_status hold_out_blocks(struct shepard_holdout *holdout,
                                           const struct shepard_target_sample *sample,
                                           struct shepard_error *error)
{
    enum shepard_status status = SHEPARD_OK;
    holdout->block_size = holdout->validation.block_size;
    if (holdout->block_size == 0)
        status = shepard_holdout_choose_side(holdout, sample, &holdout->block_size, error);
    return status == SHEPARD_OK
               ? shepard_held_out_in_folds(&holdout->data, &holdout->validation,
                                           holdout->block_size, &holdout->held_out, error)
               : status;
}

static enum shepard_status hold_out(struct shepard_holdout *holdout,
                                    const struct shepard_target_sample *sample,
                                    struct shepard_error *error)
{
    const struct shepard_validation *validation = &holdout->validation;
    switch (validation->kind) {
    case SHEPARD_VALIDATION_K_FOLD:
        return shepard_held_out_in_folds(&holdout->data, validation, 0, &holdout->held_out, error);
    case SHEPARD_VALIDATION_BLOCKS:
        return hold_out_blocks(holdout, sample, error);
    case SHEPARD_VALIDATION_STARS:
        return shepard_star_pairs_hold_out(holdout, sample, error);
    case SHEPARD_VALIDATION_LEAVE_ONE_OUT:
        break;
    }
    return shepard_held_out_singly(&holdout->data, validation, &holdout->held_out, error);
}

static enum shepard_status fill(struct shepard_holdout *holdout,
                                const struct shepard_control *control, struct shepard_error *error)
{
    struct shepard_target_sample *targets = &holdout->targets;
    enum shepard_status status = sample_targets(holdout, targets, error);
    if (status == SHEPARD_OK)
        status = hold_out(holdout, targets, error);
    if (status == SHEPARD_OK)
        status = shepard_holdout_open(holdout, control, error);
    const size_t all = holdout->held_out.count;
    if (status == SHEPARD_OK && holdout->held_out.star_radii != NULL)
        shepard_held_out_drop(&holdout->held_out);
    if (status == SHEPARD_OK)
        status = find_medians(holdout, targets, error);
    if (status == SHEPARD_OK)
        note(holdout, all - holdout->held_out.count);
    return status;
}

/* Points and a field of the caller's structs, which checks them. The points, in the plane of the
 * map, stay. */
static enum shepard_status take_data(const struct shepard_coordinates *coordinates,
                                     const struct shepard_values *values,
                                     struct shepard_holdout *holdout, struct shepard_error *error)
{
    struct shepard_field *field = NULL;
    enum shepard_status status =
        shepard_points_create(coordinates, &holdout->options, &holdout->points, error);
    if (status == SHEPARD_OK)
        status = shepard_field_create(holdout->points, values, &field, error);
    shepard_field_free(field);
    return status == SHEPARD_OK
               ? shepard_observations_create(coordinates, &holdout->options, values,
                                             holdout->allocator_used, &holdout->data, error)
               : status;
}

/* options: complete. */
static struct shepard_holdout *allocate(const struct shepard_points_options *options, bool stars)
{
    struct shepard_holdout *made = shepard_allocate(options->allocator, 1, sizeof *made);
    if (made == NULL)
        return NULL;
    *made = (struct shepard_holdout){.anisotropy_ratio = options->anisotropy_ratio,
                                     .anisotropy_angle = options->anisotropy_angle,
                                     .options = *options,
                                     .target_nearest = NAN,
                                     .octant_ratio = 1};
    if (options->allocator != NULL) {
        made->allocator = *options->allocator;
        made->allocator_used = &made->allocator;
    }
    made->options.allocator = made->allocator_used;
    /* Stars are left out by the CPU only. */
    if (stars && options->backend == SHEPARD_BACKEND_AUTO)
        made->options.backend = SHEPARD_BACKEND_CPU;
    made->options.anisotropy_ratio = 1;
    made->options.anisotropy_angle = 0;
    return made;
}

enum shepard_status shepard_holdout_create(const struct shepard_coordinates *coordinates,
                                           const struct shepard_values *values,
                                           const struct shepard_points_options *options,
                                           const struct shepard_validation *validation,
                                           const struct shepard_control *control,
                                           struct shepard_holdout **holdout,
                                           struct shepard_error *error)
{
    struct shepard_points_options own;
    struct shepard_parameters expected;
    struct shepard_validation plan;
    struct shepard_control watch;
    enum shepard_status status = shepard_points_options_take(options, &own, &expected, error);
    if (status == SHEPARD_OK)
        status = shepard_validation_take(validation, &plan, error);
    if (status == SHEPARD_OK)
        status = shepard_control_take(control, &watch, error);
    if (status == SHEPARD_OK && holdout == NULL)
        status = shepard_argument_missing("holdout", error);
    if (status != SHEPARD_OK)
        return status;
    struct shepard_holdout *made = allocate(&own, plan.kind == SHEPARD_VALIDATION_STARS);
    if (made == NULL)
        return shepard_error_set_memory(error, "the validation");
    made->validation = plan;
    status = take_data(coordinates, values, made, error);
    /* It lives no longer than this call. */
    made->options.expected_parameters = NULL;
    if (status == SHEPARD_OK)
        status = fill(made, &watch, error);
    made->validation.targets = NULL;
    if (status == SHEPARD_OK)
        *holdout = made;
    else
        shepard_holdout_free(made);
    return status;
}

void shepard_holdout_free(struct shepard_holdout *holdout)
{
    if (holdout == NULL)
        return;
    shepard_holdout_close(holdout);
    shepard_holdout_free_points(holdout);
    shepard_target_sample_free(&holdout->targets);
    shepard_observations_free(&holdout->data);
    const struct shepard_allocator allocator = holdout->allocator;
    shepard_release(holdout->allocator_used != NULL ? &allocator : NULL, holdout);
}

void shepard_holdout_get_info(const struct shepard_holdout *holdout,
                              struct shepard_holdout_info *info)
{
    const struct shepard_held_out *held_out = &holdout->held_out;
    const bool folds = held_out->fold != NULL;
    const struct shepard_holdout_info all = {
        .size = info->size,
        .count = held_out->count,
        .data = holdout->data.count,
        .kind = holdout->validation.kind,
        .folds = folds ? held_out->parts : 0,
        .block_size = holdout->block_size,
        .indices = held_out->indices,
        .observed = held_out->observed,
        .nearest = held_out->nearest,
        .fold = held_out->fold,
        .held_out_nearest = holdout->held_out_nearest,
        .target_nearest = holdout->target_nearest,
        .representative = is_representative(holdout),
        .notice = holdout->notice,
    };
    memcpy(info, &all, shepard_smaller(info->size, sizeof all));
}

/* ---- validation ------------------------------------------------------------------------------ */

/* Where predictions go that the scores need and the caller does not take: values and sds, and,
 * where these come from models, what the models ask. */
static enum shepard_status allocate_result(const struct shepard_holdout *holdout, bool by_models,
                                           double **room, struct shepard_validation_result *result,
                                           struct shepard_error *error)
{
    const size_t m = holdout->held_out.count;
    double **const wanted[] = {&result->values, &result->sds, &result->nearest,
                               &result->deviations};
    const size_t count = by_models ? 4 : 2;
    *room = shepard_allocate(holdout->allocator_used, count * m, sizeof **room);
    if (*room == NULL)
        return shepard_error_set_memory(error, "the predictions");
    for (size_t i = 0; i < count; i++)
        if (*wanted[i] == NULL)
            *wanted[i] = *room + i * m;
    return SHEPARD_OK;
}

/* result: the caller's, of this version. */
static enum shepard_status validate(struct shepard_holdout *holdout,
                                    const struct shepard_parameters *parameters,
                                    struct shepard_validation_result *result,
                                    const struct shepard_control *control,
                                    struct shepard_error *error)
{
    const size_t m = holdout->held_out.count;
    const bool by_models = !shepard_method_facts(parameters->method)->kriging;
    struct shepard_validation_result to = *result;
    double *room = NULL;
    enum shepard_status status = allocate_result(holdout, by_models, &room, &to, error);
    struct shepard_validation_result asked = to;
    if (by_models)
        asked.sds = NULL;
    if (status == SHEPARD_OK)
        status = shepard_holdout_predict(holdout, parameters, &asked, control, error);
    if (status == SHEPARD_OK && by_models)
        status = shepard_holdout_fit_sds(holdout, &to, error);
    if (status == SHEPARD_OK)
        shepard_scores_compute(holdout->held_out.observed, to.values, to.sds, m, &result->scores);
    shepard_release(holdout->allocator_used, room);
    return status;
}

/* The anisotropy that a call asks for. */
static enum shepard_status take_anisotropy(const struct shepard_holdout *holdout,
                                           const struct shepard_points_options *given,
                                           double *ratio, double *angle,
                                           struct shepard_error *error)
{
    struct shepard_points_options options;
    struct shepard_parameters expected;
    enum shepard_status status = SHEPARD_OK;
    *ratio = holdout->anisotropy_ratio;
    *angle = holdout->anisotropy_angle;
    if (given == NULL)
        return SHEPARD_OK;
    status = shepard_points_options_take(given, &options, &expected, error);
    if (status == SHEPARD_OK) {
        *ratio = options.anisotropy_ratio;
        *angle = options.anisotropy_angle;
    }
    return status;
}

enum shepard_status shepard_holdout_validate(struct shepard_holdout *holdout,
                                             const struct shepard_parameters *parameters,
                                             const struct shepard_points_options *options,
                                             struct shepard_validation_result *result,
                                             const struct shepard_control *control,
                                             struct shepard_error *error)
{
    struct shepard_parameters own;
    struct shepard_validation_result to = {.size = sizeof to};
    struct shepard_control watch;
    double ratio, angle;
    if (holdout == NULL)
        return shepard_argument_missing("holdout", error);
    enum shepard_status status = shepard_parameters_take(parameters, &own, error);
    if (status == SHEPARD_OK)
        status = take_anisotropy(holdout, options, &ratio, &angle, error);
    if (status == SHEPARD_OK)
        status = SHEPARD_TAKE(result, &to, "result", shepard_validation_result, error);
    if (status == SHEPARD_OK)
        status = shepard_control_take(control, &watch, error);
    if (status == SHEPARD_OK)
        status = shepard_holdout_provide_points(holdout, ratio, angle, error);
    if (status != SHEPARD_OK)
        return status;
    own.nodata = NAN;
    status = validate(holdout, &own, &to, &watch, error);
    if (status == SHEPARD_OK) {
        to.size = result->size;
        memcpy(result, &to, shepard_smaller(to.size, sizeof to));
    }
    return status;
}
