/* SPDX-License-Identifier: MIT */
#include "query.h"

#include "message.h"

#include <string.h>

bool shepard_query_check(struct shepard_query *query, struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    shepard_input_files_add(job->inputs, options->query_srs);
    shepard_input_files_add_sql(job->inputs, options->query_sql);
    query->geometry = job->geometry;
    return shepard_job_check_srs("-q_srs", options->query_srs) &&
           shepard_job_read_geometry("-qgeometry", options->query_geometry, &query->geometry);
}

/* All query points outside the data's extent: most likely in another coordinate system. */
static void note_far(const struct shepard_query *query, const struct shepard_input *input,
                     struct shepard_progress *watch)
{
    const struct shepard_bounds *const data = &input->layers[0].extent;
    const struct shepard_target_layer_targets *const targets = &query->targets;
    if (targets->missing < targets->count &&
        !shepard_bounds_have_any(data, targets->count, targets->x, targets->y)) {
        shepard_progress_note(watch,
                              "no query point lies within the data's extent (x %.12g to %.12g, y "
                              "%.12g to %.12g): are "
                              "both in the same coordinate system?",
                              data->x_min, data->x_max, data->y_min, data->y_max);
    }
}

/* One side is known to be in degrees, and the other, of unknown system, cannot be. */
static bool check_srs(const struct shepard_query *query, const struct shepard_input *input,
                      struct shepard_progress *watch)
{
    const struct shepard_target_layer_targets *const targets = &query->targets;
    const struct shepard_point_set *const data = &input->layers[0];
    if (!data->srs && targets->geographic &&
        !shepard_io_are_degrees(data->count, data->x, data->y)) {
        return shepard_say_error("the query points are longitude and latitude, the data are not, "
                                 "and their coordinate system is unknown; give it with -s_srs");
    }
    if (!targets->srs && data->geographic &&
        !shepard_io_are_degrees(targets->count, targets->x, targets->y)) {
        return shepard_say_error("the data are longitude and latitude, the query points are not, "
                                 "and their coordinate system is unknown; give it with -q_srs");
    }
    if (!data->srs && targets->srs) {
        shepard_progress_note(
            watch,
            "the coordinate system of the data is unknown; that of the query points is assumed");
    }
    return true;
}

static const char *const *fields_of(const struct shepard_query *query)
{
    return query->fields ? (const char *const *)query->fields->items : NULL;
}

static bool open_layer(struct shepard_query *query, const char *path,
                       const struct shepard_input *input, struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    const struct shepard_source_options from = {
        .path = path, .open_options = (const char *const *)options->query_open_options.items};
    const struct shepard_target_layer_options what = {
        .layer = options->query_layer,
        .sql = options->query_sql,
        .where = options->query_where,
        .x_field = options->query_x_field,
        .y_field = options->query_y_field,
        .z_field = options->query_z_dimension ? options->query_z_dimension : options->z_dimension,
        .decimal = job->decimal,
        .skip_invalid = options->skip_invalid,
        .srs = options->query_srs,
        .fields = fields_of(query),
        .geometry = query->geometry,
        .default_srs = input->layers[0].source_srs,
        .target_srs = input->layers[0].srs,
        .write_target_srs = options->target_srs != NULL};
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    shepard_progress_stage(&job->watch, SHEPARD_STAGE_READ);
    if (shepard_source_open(&from, &query->source, &control, &error)) {
        return shepard_progress_error(error.message);
    }
    if (!shepard_job_add_source(job, query->source)) {
        return false;
    }
    if (!shepard_target_layer_open(query->source, &what, &query->layer, &control, &error)) {
        return true;
    }
    return strcmp(error.argument, "fields") == 0
               ? shepard_say_error("-trend: the query points need the fields too: %s",
                                   error.message)
               : shepard_progress_error(error.message);
}

bool shepard_query_open(struct shepard_query *query, const char *path,
                        const struct shepard_input *input, struct shepard_job *job)
{
    struct shepard_target_layer_targets *const targets = &query->targets;
    if (!open_layer(query, path, input, job)) {
        return false;
    }
    shepard_target_layer_get_targets(query->layer, targets);
    job->algorithm.options.expected_targets = targets->count;
    shepard_input_note_query(targets, &job->watch);
    if (targets->missing > 0) {
        shepard_progress_note(&job->watch,
                              "%zu of %zu query points have no usable coordinates; they get no "
                              "prediction",
                              targets->missing, targets->count);
    }
    if (!check_srs(query, input, &job->watch)) {
        return false;
    }
    note_far(query, input, &job->watch);
    return true;
}

void shepard_query_free(struct shepard_query *query)
{
    shepard_target_layer_free(query->layer);
    shepard_source_close(query->source);
}
