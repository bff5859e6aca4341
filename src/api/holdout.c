/* SPDX-License-Identifier: MIT */
#include "api/argument.h"
#include "api/held_out.h"
#include "api/parameters.h"
#include "api/points_options.h"
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

struct shepard_holdout {
    struct shepard_allocator allocator;
    const struct shepard_allocator *allocator_used; /* NULL: malloc and free */
    struct shepard_validation validation;
    struct shepard_observations data;
    struct shepard_held_out held_out;
    double anisotropy_ratio, anisotropy_angle; /* where a call gives none */
    struct shepard_points_options options;     /* of the points at hand */
    struct shepard_points *points;             /* NULL: none at hand */
    struct shepard_field **fields;             /* [parts] NULL: not made */
    double held_out_nearest, target_nearest;   /* medians */
    char notice[400];
};

/* ---- progress -------------------------------------------------------------------------------- */

/* A part of a call. */
struct part_control {
    const struct shepard_control *whole; /* may be NULL */
    double start, length;
};

static bool report_part(double fraction, void *user)
{
    const struct part_control *part = user;
    return part->whole->progress(fmin(part->start + fraction * part->length, 1), part->whole->user);
}

static void pass_notice(const char *text, void *user)
{
    const struct part_control *part = user;
    part->whole->notice(text, part->whole->user);
}

static struct shepard_control control_of(struct part_control *part)
{
    struct shepard_control control = {.size = sizeof control, .user = part};
    if (part->whole == NULL)
        return control;
    control.work = part->whole->work;
    control.timing = part->whole->timing;
    control.progress = part->whole->progress != NULL ? report_part : NULL;
    control.notice = part->whole->notice != NULL ? pass_notice : NULL;
    return control;
}

/* ---- points and fields ----------------------------------------------------------------------- */

static void free_fields(struct shepard_holdout *holdout)
{
    for (size_t p = 0; holdout->fields != NULL && p < holdout->held_out.parts; p++) {
        shepard_field_free(holdout->fields[p]);
        holdout->fields[p] = NULL;
    }
    shepard_points_free(holdout->points);
    holdout->points = NULL;
}

static enum shepard_status create_points(struct shepard_holdout *holdout,
                                         struct shepard_error *error)
{
    const struct shepard_observations *data = &holdout->data;
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = data->given};
    coordinates.x = shepard_doubles(data->x);
    coordinates.y = shepard_doubles(data->y);
    return shepard_points_create(&coordinates, &holdout->options, &holdout->points, error);
}

/* The points by this anisotropy; those at hand where it is theirs. */
static enum shepard_status provide_points(struct shepard_holdout *holdout, double ratio,
                                          double angle, struct shepard_error *error)
{
    struct shepard_points_options *options = &holdout->options;
    const bool same =
        options->anisotropy_ratio == ratio && (ratio == 1 || options->anisotropy_angle == angle);
    if (holdout->points != NULL && same)
        return SHEPARD_OK;
    free_fields(holdout);
    options->anisotropy_ratio = ratio;
    options->anisotropy_angle = angle;
    return create_points(holdout, error);
}

static enum shepard_status create_field(struct shepard_holdout *holdout, const double *z,
                                        struct shepard_field **field, struct shepard_error *error)
{
    const struct shepard_array column = shepard_doubles(z);
    struct shepard_values values = {.size = sizeof values, .column_count = 1, .columns = &column};
    if (holdout->data.weights != NULL)
        values.weights = shepard_doubles(holdout->data.weights);
    return shepard_field_create(holdout->points, &values, field, error);
}

/* The field without what a part holds out. */
static enum shepard_status create_field_without(struct shepard_holdout *holdout, size_t part,
                                                struct shepard_error *error)
{
    const struct shepard_held_out *held_out = &holdout->held_out;
    const size_t given = holdout->data.given;
    double *z = shepard_allocate(holdout->allocator_used, given, sizeof *z);
    if (z == NULL)
        return shepard_error_set_memory(error, "the field of a fold");
    memcpy(z, holdout->data.z, given * sizeof *z);
    for (size_t i = held_out->first[part]; i < held_out->first[part + 1]; i++)
        z[held_out->indices[i]] = NAN;
    const enum shepard_status status = create_field(holdout, z, &holdout->fields[part], error);
    shepard_release(holdout->allocator_used, z);
    return status;
}

static enum shepard_status provide_field(struct shepard_holdout *holdout, size_t part,
                                         struct shepard_error *error)
{
    if (holdout->fields[part] != NULL)
        return SHEPARD_OK;
    if (holdout->held_out.fold != NULL)
        return create_field_without(holdout, part, error);
    return create_field(holdout, holdout->data.z, &holdout->fields[part], error);
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* The held-out data of a part. */
static struct shepard_targets targets_of(const struct shepard_held_out *held_out, size_t part)
{
    const size_t first = held_out->first[part];
    struct shepard_targets targets = {.size = sizeof targets,
                                      .count = held_out->first[part + 1] - first};
    if (held_out->fold != NULL) {
        targets.kind = SHEPARD_TARGETS_LIST;
        targets.x = shepard_doubles(held_out->x + first);
        targets.y = shepard_doubles(held_out->y + first);
    } else {
        targets.kind = SHEPARD_TARGETS_LEAVE_ONE_OUT;
        targets.indices = held_out->indices + first;
    }
    return targets;
}

static double *from(double *array, size_t first)
{
    return array != NULL ? array + first : NULL;
}

static enum shepard_status predict_part(struct shepard_holdout *holdout, size_t part,
                                        const struct shepard_parameters *parameters,
                                        const struct shepard_validation_result *to,
                                        const struct shepard_control *control,
                                        struct shepard_error *error)
{
    const size_t first = holdout->held_out.first[part];
    const struct shepard_targets targets = targets_of(&holdout->held_out, part);
    const struct shepard_output_array values = shepard_output_doubles(from(to->values, first));
    const struct shepard_output_array sds = shepard_output_doubles(from(to->sds, first));
    const struct shepard_output_array deviations =
        shepard_output_doubles(from(to->deviations, first));
    const struct shepard_output output = {.size = sizeof output,
                                          .values = to->values != NULL ? &values : NULL,
                                          .sds = to->sds != NULL ? &sds : NULL,
                                          .deviations = to->deviations != NULL ? &deviations : NULL,
                                          .nearest =
                                              shepard_output_doubles(from(to->nearest, first))};
    const enum shepard_status status = provide_field(holdout, part, error);
    return status == SHEPARD_OK ? shepard_predict(holdout->fields[part], parameters, &targets,
                                                  &output, control, error)
                                : status;
}

static enum shepard_status predict_parts(struct shepard_holdout *holdout,
                                         const struct shepard_parameters *parameters,
                                         const struct shepard_validation_result *to,
                                         const struct shepard_control *control,
                                         struct shepard_error *error)
{
    const double m = (double)holdout->held_out.count;
    enum shepard_status status = SHEPARD_OK;
    for (size_t p = 0; p < holdout->held_out.parts && status == SHEPARD_OK; p++) {
        const size_t first = holdout->held_out.first[p], end = holdout->held_out.first[p + 1];
        struct part_control part = {control, (double)first / m, (double)(end - first) / m};
        const struct shepard_control watch = control_of(&part);
        status = predict_part(holdout, p, parameters, to, &watch, error);
    }
    return status;
}

/* ---- creation -------------------------------------------------------------------------------- */

/* The median of those of a [count] that are no NaN; NaN where there is none. */
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

/* The distance of the nearest datum that is not held out with each. */
static enum shepard_status find_nearest(struct shepard_holdout *holdout,
                                        const struct shepard_control *control,
                                        struct shepard_error *error)
{
    const struct shepard_held_out *held_out = &holdout->held_out;
    const struct shepard_validation_result to = {.nearest = held_out->nearest};
    struct shepard_parameters nearest;
    shepard_parameters_init(&nearest);
    nearest.neighbourhood.max_points = 1;
    enum shepard_status status = predict_parts(holdout, &nearest, &to, control, error);
    if (status == SHEPARD_OK)
        status = find_median(holdout, held_out->nearest, held_out->count,
                             &holdout->held_out_nearest, error);
    if (status == SHEPARD_OK && isnan(holdout->held_out_nearest))
        return shepard_error_set(error, SHEPARD_ERROR_NO_POINTS, "coordinates",
                                 "the %zu data are at one place: nothing is left to predict them "
                                 "from, give data at two places or more",
                                 holdout->data.count);
    return status;
}

static enum shepard_status choose_held_out(struct shepard_holdout *holdout,
                                           struct shepard_error *error)
{
    const struct shepard_validation *validation = &holdout->validation;
    switch (validation->kind) {
    case SHEPARD_VALIDATION_LEAVE_ONE_OUT:
        return shepard_held_out_singly(&holdout->data, validation, &holdout->held_out, error);
    case SHEPARD_VALIDATION_K_FOLD:
        return shepard_held_out_in_folds(&holdout->data, validation, 0, &holdout->held_out, error);
    case SHEPARD_VALIDATION_BLOCKS:
        return shepard_held_out_in_folds(&holdout->data, validation, validation->block_size,
                                         &holdout->held_out, error);
    case SHEPARD_VALIDATION_STARS:
        break;
    }
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "validation.kind",
                             "validation.kind: this build holds out no stars, take blocks");
}

static enum shepard_status fill(struct shepard_holdout *holdout,
                                const struct shepard_control *control, struct shepard_error *error)
{
    enum shepard_status status = choose_held_out(holdout, error);
    if (status != SHEPARD_OK)
        return status;
    const size_t parts = holdout->held_out.parts;
    holdout->fields = shepard_allocate(holdout->allocator_used, parts, sizeof *holdout->fields);
    if (holdout->fields == NULL)
        return shepard_error_set_memory(error, "the fields of the validation");
    for (size_t p = 0; p < parts; p++)
        holdout->fields[p] = NULL;
    return find_nearest(holdout, control, error);
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
               ? shepard_observations_create(coordinates, values, holdout->allocator_used,
                                             &holdout->data, error)
               : status;
}

/* options: complete. */
static struct shepard_holdout *allocate(const struct shepard_points_options *options)
{
    struct shepard_holdout *made = shepard_allocate(options->allocator, 1, sizeof *made);
    if (made == NULL)
        return NULL;
    *made = (struct shepard_holdout){.anisotropy_ratio = options->anisotropy_ratio,
                                     .anisotropy_angle = options->anisotropy_angle,
                                     .options = *options,
                                     .target_nearest = NAN};
    if (options->allocator != NULL) {
        made->allocator = *options->allocator;
        made->allocator_used = &made->allocator;
    }
    made->options.allocator = made->allocator_used;
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
    enum shepard_status status = shepard_points_options_take(options, &own, &expected, error);
    if (status == SHEPARD_OK)
        status = shepard_validation_take(validation, &plan, error);
    if (status == SHEPARD_OK && holdout == NULL)
        status = shepard_argument_missing("holdout", error);
    if (status != SHEPARD_OK)
        return status;
    struct shepard_holdout *made = allocate(&own);
    if (made == NULL)
        return shepard_error_set_memory(error, "the validation");
    made->validation = plan;
    status = take_data(coordinates, values, made, error);
    /* It lives no longer than this call. */
    made->options.expected_parameters = NULL;
    if (status == SHEPARD_OK)
        status = fill(made, control, error);
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
    free_fields(holdout);
    shepard_release(holdout->allocator_used, holdout->fields);
    shepard_held_out_free(&holdout->held_out);
    shepard_observations_free(&holdout->data);
    const struct shepard_allocator allocator = holdout->allocator;
    shepard_release(holdout->allocator_used != NULL ? &allocator : NULL, holdout);
}

void shepard_holdout_get_info(const struct shepard_holdout *holdout,
                              struct shepard_holdout_info *info)
{
    const struct shepard_held_out *held_out = &holdout->held_out;
    const double ratio = holdout->held_out_nearest / holdout->target_nearest;
    const bool folds = held_out->fold != NULL;
    const bool blocks = holdout->validation.kind == SHEPARD_VALIDATION_BLOCKS;
    const struct shepard_holdout_info all = {
        .size = info->size,
        .count = held_out->count,
        .data = holdout->data.count,
        .kind = holdout->validation.kind,
        .folds = folds ? held_out->parts : 0,
        .block_size = blocks ? holdout->validation.block_size : 0,
        .indices = held_out->indices,
        .observed = held_out->observed,
        .nearest = held_out->nearest,
        .fold = held_out->fold,
        .held_out_nearest = holdout->held_out_nearest,
        .target_nearest = holdout->target_nearest,
        .representative = isnan(ratio) || (ratio >= RATIO_LEAST && ratio <= RATIO_MOST),
        .notice = holdout->notice,
    };
    memcpy(info, &all, shepard_smaller(info->size, sizeof all));
}

/* ---- validation ------------------------------------------------------------------------------ */

/* Where predictions go that the scores need and the caller does not take. */
static enum shepard_status allocate_result(const struct shepard_holdout *holdout, bool with_sds,
                                           double **room, struct shepard_validation_result *result,
                                           struct shepard_error *error)
{
    const size_t m = holdout->held_out.count;
    *room = shepard_allocate(holdout->allocator_used, 2 * m, sizeof **room);
    if (*room == NULL)
        return shepard_error_set_memory(error, "the predictions");
    if (result->values == NULL)
        result->values = *room;
    if (with_sds && result->sds == NULL)
        result->sds = *room + m;
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
    const bool with_sds = shepard_method_facts(parameters->method)->kriging;
    struct shepard_validation_result to = *result;
    double *room = NULL;
    enum shepard_status status = allocate_result(holdout, with_sds, &room, &to, error);
    for (size_t i = 0; !with_sds && to.sds != NULL && i < m; i++)
        to.sds[i] = NAN;
    if (!with_sds)
        to.sds = NULL;
    if (status == SHEPARD_OK)
        status = predict_parts(holdout, parameters, &to, control, error);
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
    double ratio, angle;
    if (holdout == NULL)
        return shepard_argument_missing("holdout", error);
    enum shepard_status status = shepard_parameters_take(parameters, &own, error);
    if (status == SHEPARD_OK)
        status = take_anisotropy(holdout, options, &ratio, &angle, error);
    if (status == SHEPARD_OK)
        status = SHEPARD_TAKE(result, &to, "result", shepard_validation_result, error);
    if (status == SHEPARD_OK)
        status = provide_points(holdout, ratio, angle, error);
    if (status != SHEPARD_OK)
        return status;
    own.nodata = NAN;
    status = validate(holdout, &own, &to, control, error);
    if (status == SHEPARD_OK) {
        to.size = result->size;
        memcpy(result, &to, shepard_smaller(to.size, sizeof to));
    }
    return status;
}
