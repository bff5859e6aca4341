/* SPDX-License-Identifier: MIT */
#include "input.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct shepard_box box_of(const struct shepard_numbers *numbers)
{
    /* As gdal_grid has it, corners may come in either order. */
    const double *const v = numbers->v;
    const bool x = v[0] <= v[2], y = v[1] <= v[3];
    return (struct shepard_box){.given = numbers->set,
                                .x_min = x ? v[0] : v[2],
                                .x_max = x ? v[2] : v[0],
                                .y_min = y ? v[1] : v[3],
                                .y_max = y ? v[3] : v[1]};
}

static struct shepard_clip clip_of(const struct shepard_job_options *options)
{
    const char *const text = options->clip.text;
    struct shepard_clip clip = {.box = box_of(&options->clip.box),
                                .layer = options->clip_layer,
                                .sql = options->clip_sql,
                                .where = options->clip_where};
    if (text && strcasecmp(text, "spat_extent") == 0) {
        clip.spat_extent = true;
    } else if (text &&
               (strncasecmp(text, "POLYGON", 7) == 0 ||
                strncasecmp(text, "MULTIPOLYGON", 12) == 0) &&
               strchr(text, '(')) {
        clip.wkt = text;
    } else {
        clip.path = text;
    }
    return clip;
}

static struct shepard_read_options read_options(const struct shepard_job_options *options)
{
    return (struct shepard_read_options){
        .where = options->where,
        .fields = (const char *const *)options->fields.items,
        .x_field = options->x_field,
        .y_field = options->y_field,
        .weight_field = options->weight_field,
        .z_increase = options->z_increase.set ? options->z_increase.v[0] : 0,
        .z_multiply = options->z_multiply.set ? options->z_multiply.v[0] : 1,
        .spat = box_of(&options->spat),
        .clip = clip_of(options)};
}

struct shepard_io_control shepard_job_io_control(struct shepard_job *job)
{
    return (struct shepard_io_control){
        .progress = shepard_watch_progress, .warning = shepard_watch_warning, .user = &job->watch};
}

static void note_points(const struct shepard_point_set *points)
{
    const struct shepard_read_counts *const counts = &points->counts;
    if (counts->no_geometry + counts->empty_geometry + counts->not_finite > 0) {
        shepard_say_note("layer %s: skipped %zu without geometry or coordinate, %zu with an empty "
                         "geometry, %zu with a coordinate that is NaN or infinite",
                         points->layer, counts->no_geometry, counts->empty_geometry,
                         counts->not_finite);
    }
    for (size_t c = 0; c < points->columns; c++) {
        const struct shepard_column *const column = &points->column[c];
        if (column->null + column->not_finite > 0) {
            shepard_say_note("layer %s, field %s: skipped %zu points without a value and %zu with "
                             "one that is no finite number",
                             points->layer, column->name, column->null, column->not_finite);
        }
    }
    if (points->geographic) {
        shepard_say_note("layer %s has longitude and latitude, which are treated as plane "
                         "coordinates; project the data for true distances, or say -planar",
                         points->layer);
    }
}

static bool check_points(const struct shepard_point_set *points)
{
    for (size_t c = 0; c < points->columns; c++) {
        const struct shepard_column *const column = &points->column[c];
        if (column->null + column->not_finite >= points->count) {
            return shepard_say_error(
                "no points: none of the %zu points of layer %s has a value in %s; choose another "
                "field with -zfield",
                points->count, points->layer, column->name);
        }
    }
    return true;
}

static bool read_layer(struct shepard_input *input, struct shepard_job *job,
                       const struct shepard_read_options *options)
{
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    struct shepard_point_set *const points = &input->layers[input->count];
    *points = (struct shepard_point_set){0};
    if (shepard_source_read(input->source, options, points, &control, &error)) {
        return shepard_watch_error(error.message);
    }
    input->count++;
    if (!job->options->quiet) {
        struct shepard_point_set shown = *points;
        shown.geographic = points->geographic && !job->options->planar;
        note_points(&shown);
    }
    return check_points(points);
}

/* The result of -sql first, then each layer, as gdal_grid orders its bands. */
static bool read_layers(struct shepard_input *input, struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    struct shepard_read_options what = read_options(options);
    if (options->sql || options->layers.count == 0) {
        what.sql = options->sql;
        if (!read_layer(input, job, &what)) {
            return false;
        }
        what.sql = NULL;
    }
    for (size_t i = 0; i < options->layers.count; i++) {
        what.layer = options->layers.items[i];
        if (!read_layer(input, job, &what)) {
            return false;
        }
    }
    return true;
}

bool shepard_input_read(struct shepard_input *input, const char *path, struct shepard_job *job)
{
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    const struct shepard_source_options from = {
        .path = path, .open_options = (const char *const *)job->options->open_options.items};
    shepard_watch_stage(&job->watch, SHEPARD_STAGE_READ);
    if (shepard_source_open(&from, &input->source, &control, &error)) {
        return shepard_watch_error(error.message);
    }
    input->layers = calloc(job->options->layers.count + 1, sizeof *input->layers);
    if (!input->layers) {
        return shepard_say_error("out of memory");
    }
    return read_layers(input, job);
}

void shepard_input_free(struct shepard_input *input)
{
    for (size_t i = 0; i < input->count; i++) {
        shepard_point_set_clear(&input->layers[i]);
    }
    free(input->layers);
    shepard_source_close(input->source);
    *input = (struct shepard_input){0};
}
