/* SPDX-License-Identifier: MIT */
/* What a validation predicts from: points, and a field for each part of what is held out. */
#include "api/holdout_parts.h"
#include "base/call_part.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ---- points and fields ----------------------------------------------------------------------- */

static void free_fields(struct shepard_holdout *holdout)
{
    for (size_t p = 0; holdout->fields != NULL && p < holdout->held_out.parts; p++) {
        shepard_field_free(holdout->fields[p]);
        holdout->fields[p] = NULL;
    }
}

void shepard_holdout_free_points(struct shepard_holdout *holdout)
{
    free_fields(holdout);
    shepard_points_free(holdout->points);
    holdout->points = NULL;
}

static enum shepard_status create_points(struct shepard_holdout *holdout,
                                         struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = shepard_observations_coordinates(&holdout->data);
    return shepard_points_create(&coordinates, &holdout->options, &holdout->points, error);
}

enum shepard_status shepard_holdout_provide_points(struct shepard_holdout *holdout, double ratio,
                                                   double angle, struct shepard_error *error)
{
    struct shepard_points_options *options = &holdout->options;
    const bool same =
        options->anisotropy_ratio == ratio && (ratio == 1 || options->anisotropy_angle == angle);
    if (holdout->points != NULL && same)
        return SHEPARD_OK;
    shepard_holdout_free_points(holdout);
    options->anisotropy_ratio = ratio;
    options->anisotropy_angle = angle;
    return create_points(holdout, error);
}

enum shepard_status shepard_holdout_create_field(const struct shepard_holdout *holdout,
                                                 const double *z, struct shepard_field **field,
                                                 struct shepard_error *error)
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
    const enum shepard_status status =
        shepard_holdout_create_field(holdout, z, &holdout->fields[part], error);
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
    return shepard_holdout_create_field(holdout, holdout->data.z, &holdout->fields[part], error);
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
        if (held_out->height != NULL)
            targets.z = shepard_doubles(held_out->height + first);
    } else {
        targets.kind = SHEPARD_TARGETS_LEAVE_ONE_OUT;
        targets.indices = held_out->indices + first;
        targets.star_radii = held_out->star_radii;
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

enum shepard_status shepard_holdout_predict(struct shepard_holdout *holdout,
                                            const struct shepard_parameters *parameters,
                                            const struct shepard_validation_result *to,
                                            const struct shepard_control *control,
                                            struct shepard_error *error)
{
    const double m = (double)holdout->held_out.count;
    enum shepard_status status = SHEPARD_OK;
    for (size_t p = 0; p < holdout->held_out.parts && status == SHEPARD_OK; p++) {
        const size_t first = holdout->held_out.first[p], end = holdout->held_out.first[p + 1];
        struct shepard_call_part part;
        status = predict_part(
            holdout, p, parameters, to,
            shepard_call_part_begin(&part, control, (double)first / m, (double)end / m), error);
    }
    return status;
}

/* ---- nearest data ---------------------------------------------------------------------------- */

enum shepard_status shepard_holdout_find_nearest(struct shepard_holdout *holdout,
                                                 const struct shepard_control *control,
                                                 struct shepard_error *error)
{
    const struct shepard_validation_result to = {.nearest = holdout->held_out.nearest};
    struct shepard_parameters nearest;
    shepard_parameters_init(&nearest);
    nearest.neighbourhood.max_points = 1;
    return shepard_holdout_predict(holdout, &nearest, &to, control, error);
}

enum shepard_status shepard_holdout_open(struct shepard_holdout *holdout,
                                         const struct shepard_control *control,
                                         struct shepard_error *error)
{
    const size_t parts = holdout->held_out.parts;
    holdout->fields = shepard_allocate(holdout->allocator_used, parts, sizeof *holdout->fields);
    if (holdout->fields == NULL)
        return shepard_error_set_memory(error, "the fields of the validation");
    for (size_t p = 0; p < parts; p++)
        holdout->fields[p] = NULL;
    return shepard_holdout_find_nearest(holdout, control, error);
}

void shepard_holdout_close(struct shepard_holdout *holdout)
{
    free_fields(holdout);
    shepard_release(holdout->allocator_used, holdout->fields);
    holdout->fields = NULL;
    shepard_release(holdout->allocator_used, holdout->sd_part);
    holdout->sd_part = NULL;
    shepard_held_out_free(&holdout->held_out);
}
