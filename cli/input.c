/* SPDX-License-Identifier: MIT */
#include "input.h"

#include "distance_metric.h"

#include "essential_points.h"
#include "message.h"
#include "ranks.h"
#include "shared_input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct shepard_bounds box_of(const struct shepard_numbers *numbers)
{
    /* As gdal_grid has it, corners may come in either order. */
    const double *const v = numbers->v;
    const bool x = v[0] <= v[2], y = v[1] <= v[3];
    return (struct shepard_bounds){.given = numbers->set,
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

static struct shepard_read_options read_options(const struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    return (struct shepard_read_options){
        .where = options->where,
        .las = job->las,
        .fields = (const char *const *)options->fields.items,
        .x_field = options->x_field,
        .y_field = options->y_field,
        .weight_field = options->weight_field,
        .z_field = options->z_dimension,
        .has_nodata = options->nodata.set,
        .nodata = options->nodata.v[0],
        .z_increase = options->z_increase.set ? options->z_increase.v[0] : 0,
        .z_multiply = options->z_multiply.set ? options->z_multiply.v[0] : 1,
        .decimal = job->decimal,
        .skip_invalid = options->skip_invalid,
        .spat = box_of(&options->spat),
        .clip = clip_of(options),
        .srs = options->source_srs,
        .target_srs = options->target_srs,
        .geometry = job->geometry};
}

/* "skipped 3 without this, 2 without that": what is not 0. */
struct skipped {
    size_t count;
    const char *what;
};

static void note_skipped(const char *who, const struct skipped *skipped, size_t kinds,
                         struct shepard_progress *watch)
{
    char *text = NULL;
    for (size_t i = 0; i < kinds; i++) {
        if (skipped[i].count > 0) {
            shepard_append_format(&text, "%s %zu %s", text ? "," : "", skipped[i].count,
                                  skipped[i].what);
        }
    }
    if (text) {
        shepard_progress_note(watch, "%s: skipped%s", who, text);
    }
    free(text);
}

/* Texts are noted apart. */
static void note_field(const struct shepard_point_set *points, const char *field, size_t null,
                       size_t not_finite, struct shepard_progress *watch)
{
    const struct skipped skipped[] = {{null, "points without a value"},
                                      {not_finite, "with one that is not finite"}};
    char *who = NULL;
    if (shepard_append_format(&who, "layer %s, field %s", points->layer, field)) {
        note_skipped(who, skipped, 2, watch);
    }
    free(who);
}

static void note_stray(const struct shepard_point_set *points, const struct shepard_column *column,
                       struct shepard_progress *watch)
{
    const struct shepard_stray *const stray = &column->stray;
    if (stray->count > 0) {
        shepard_progress_note(
            watch,
            "layer %s, field %s: the value %.12g occurs %zu times, far from the others "
            "(%.12g to %.12g); if it means a missing value, use -a_nodata_in %.17g",
            points->layer, column->name, stray->value, stray->count, stray->others_min,
            stray->others_max, stray->value);
    }
}

static void note_points(const struct shepard_point_set *points,
                        const struct shepard_job_options *options, struct shepard_progress *watch)
{
    const struct shepard_read_counts *const counts = &points->counts;
    const struct skipped skipped[] = {
        {counts->no_geometry, "without geometry or coordinate"},
        {counts->no_z - counts->z_lost.count, "without a third coordinate"},
        {counts->empty_geometry, "with an empty geometry"},
        {counts->not_finite, "with a coordinate that is not a finite number"},
        {counts->untransformed, "that -t_srs has no coordinates for"},
        {counts->withheld, "flagged as withheld (-withheld uses them)"}};
    char *who = NULL;
    if (shepard_append_format(&who, "layer %s", points->layer)) {
        note_skipped(who, skipped, sizeof skipped / sizeof skipped[0], watch);
    }
    for (size_t c = 0; c < points->columns; c++) {
        const struct shepard_column *const column = &points->column[c];
        note_field(points, column->name, column->null, column->not_finite - column->lost.count,
                   watch);
        note_stray(points, column, watch);
    }
    if (options->weight_field) {
        note_field(points, options->weight_field, counts->weight_null,
                   counts->weight_not_finite - counts->weight_lost.count, watch);
    }
    free(who);
}

/* What the texts of several columns cost, in one line. */
struct losses {
    struct shepard_text_loss first;
    const char *layer, *field; /* of the first */
    size_t values, fields;
};

static void add_loss(struct losses *losses, const struct shepard_text_loss *loss, const char *layer,
                     const char *field)
{
    if (loss->count == 0) {
        return;
    }
    if (losses->fields++ == 0) {
        losses->first = *loss;
        losses->layer = layer;
        losses->field = field;
    }
    losses->values += loss->count;
}

static void note_losses(const struct losses *losses, struct shepard_progress *watch)
{
    char *more = NULL;
    if (losses->fields > 1) {
        shepard_append_format(&more, ", and %zu in other fields",
                              losses->values - losses->first.count);
    }
    if (losses->fields > 0) {
        shepard_progress_warn(
            watch,
            "layer %s, field %s: skipped %zu %s not a number, first \"%s\" in row "
            "%zu%s",
            losses->layer, losses->field, losses->first.count,
            losses->first.count == 1 ? "text that is" : "texts that are", losses->first.text,
            losses->first.row, more ? more : "");
    }
    free(more);
}

static void note_input_losses(const struct shepard_input *input, const char *weight_field,
                              struct shepard_progress *watch)
{
    struct losses losses = {0};
    for (size_t i = 0; i < input->count; i++) {
        const struct shepard_point_set *const points = &input->layers[i];
        add_loss(&losses, &points->counts.x_lost, points->layer, points->x_name);
        add_loss(&losses, &points->counts.y_lost, points->layer, points->y_name);
        add_loss(&losses, &points->counts.z_lost, points->layer, points->z_name);
        for (size_t c = 0; c < points->columns; c++) {
            add_loss(&losses, &points->column[c].lost, points->layer, points->column[c].name);
        }
        add_loss(&losses, &points->counts.weight_lost, points->layer, weight_field);
    }
    note_losses(&losses, watch);
}

void shepard_input_note_query(const struct shepard_target_layer_targets *targets,
                              struct shepard_progress *watch)
{
    struct losses losses = {0};
    add_loss(&losses, &targets->x_lost, "of the query", "x");
    add_loss(&losses, &targets->y_lost, "of the query", "y");
    add_loss(&losses, &targets->z_lost, "of the query", "z");
    note_losses(&losses, watch);
}

/* The share of the memory in which points are sorted. */
enum { SORTING_PART = 2 };

/* To disk, with a bar of its own. */
static bool spill_points(struct shepard_input *input, struct shepard_job *job,
                         const struct shepard_read_options *options,
                         struct shepard_point_set *points)
{
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    const struct shepard_spill_options to = {.folder = job->temp_folder,
                                             .memory = job->memory / SORTING_PART,
                                             .threads = job->algorithm.options.threads,
                                             .sample = job->sampled};
    const double begin = shepard_progress_clock();
    shepard_progress_part(&job->watch, 0, 1);
    const enum shepard_io_status status =
        shepard_source_spill(input->source, options, &to, points, &input->spill, &control, &error);
    if (!status) {
        char text[120];
        const double seconds = shepard_progress_clock() - begin;
        shepard_spill_get_info(input->spill, &input->info);
        snprintf(text, sizeof text, "%zu points sorted on disk in %.3g s, %.3g million a second",
                 input->info.points, seconds, 1e-6 * (double)input->info.points / seconds);
        shepard_progress_end_bar(&job->watch, text);
    }
    shepard_progress_part(&job->watch, 0, 0);
    return !status || shepard_progress_error(error.message);
}

/* Of all ranks, where points are spread over them. */
static bool read_points(struct shepard_input *input, struct shepard_job *job,
                        const struct shepard_read_options *options,
                        struct shepard_point_set *points)
{
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    input->elsewhere = job->memory > 0 || job->spread;
    if (job->memory > 0) {
        return spill_points(input, job, options, points);
    }
    if (job->spread) {
        const struct shepard_shared_layer layer = {input->source, options, &control,
                                                   job->algorithm.options.threads, job->essential};
        return shepard_shared_input_read(&layer, points, &input->info, &input->spread);
    }
    return !shepard_source_read(input->source, options, points, &control, &error) ||
           shepard_progress_error(error.message);
}

static bool read_layer(struct shepard_input *input, struct shepard_job *job,
                       const struct shepard_read_options *options)
{
    struct shepard_point_set *const points = &input->layers[input->count];
    *points = (struct shepard_point_set){0};
    if (!read_points(input, job, options, points)) {
        return false;
    }
    input->count++;
    return true;
}

/* What reads other fields, as they are, of the points that options read. */
static struct shepard_read_options read_options_of_fields(struct shepard_read_options options,
                                                          const struct shepard_text_list *fields)
{
    options.fields = (const char *const *)fields->items;
    options.weight_field = NULL;
    options.has_nodata = false;
    options.z_increase = 0;
    options.z_multiply = 1;
    return options;
}

/* What is said of the points and their places was said when the values were read. */
bool shepard_input_read_fields(const struct shepard_input *input, size_t layer,
                               const struct shepard_text_list *fields,
                               struct shepard_point_set *points, struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    const bool by_sql = options->sql || options->layers.count == 0;
    struct shepard_read_options what = read_options_of_fields(read_options(job), fields);
    struct shepard_io_error error;
    const struct shepard_io_control control = {.progress = shepard_progress_report,
                                               .user = &job->watch};
    what.sql = by_sql && layer == 0 ? options->sql : NULL;
    what.layer = by_sql && layer == 0 ? NULL : options->layers.items[layer - by_sql];
    *points = (struct shepard_point_set){0};
    if (shepard_source_read(input->source, &what, points, &control, &error)) {
        return error.status == SHEPARD_IO_ERROR_FIELD
                   ? shepard_say_error("-trend: what is no raster is a field of SRC: %s",
                                       error.message)
                   : shepard_progress_error(error.message);
    }
    return points->count == input->layers[layer].count ||
           shepard_say_error("layer %s had %zu points when its values were read, and now has %zu: "
                             "does its -sql give other rows each time?",
                             points->layer, input->layers[layer].count, points->count);
}

/* The result of -sql first, then each layer, as gdal_grid orders its bands. */
static bool read_layers(struct shepard_input *input, struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    struct shepard_read_options what = read_options(job);
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

/* The first layer with longitude and latitude decides: the others have the same system or none. */
static const struct shepard_point_set *geographic_layer(const struct shepard_input *input)
{
    size_t i = 0;
    while (i + 1 < input->count && !input->layers[i].geographic) {
        i++;
    }
    return &input->layers[i];
}

static bool are_on_sphere(const struct shepard_input *input, const struct shepard_job *job)
{
    const struct shepard_point_set *const points = geographic_layer(input);
    return points->geographic && !job->options->planar &&
           shepard_io_are_degrees(points->count, points->x, points->y);
}

static void forget_layers(struct shepard_input *input)
{
    for (size_t i = 0; i < input->count; i++) {
        shepard_point_set_clear(&input->layers[i]);
    }
    shepard_spread_free(&input->spread);
    input->count = 0;
}

/* Points are spread where the method allows it. That their places do not is known when they are
 * read: an anisotropy's frame follows from all places, in use or not. */
static bool read_all_or_spread(struct shepard_input *input, struct shepard_job *job)
{
    if (!read_layers(input, job)) {
        return false;
    }
    const struct shepard_spill_info *const info = &input->info;
    const bool stretched = job->algorithm.options.anisotropy_ratio != 1;
    if (!job->spread || !(are_on_sphere(input, job) || (stretched && info->points != info->read) ||
                          (job->essential && !shepard_essential_suits_points(input)))) {
        return true;
    }
    forget_layers(input);
    job->spread = job->essential = false;
    return read_layers(input, job);
}

static bool choose_metric(const struct shepard_input *input, struct shepard_job *job)
{
    const struct shepard_point_set *const points = geographic_layer(input);
    const bool degrees = shepard_io_are_degrees(points->count, points->x, points->y);
    char *who = NULL;
    if (points->geographic && !degrees && !job->options->planar) {
        shepard_progress_note(&job->watch,
                              "layer %s says that it has longitude and latitude, but its "
                              "coordinates are no degrees and are taken as plane ones; give their "
                              "coordinate system with -s_srs",
                              points->layer);
    }
    if (input->elsewhere && are_on_sphere(input, job)) {
        return shepard_say_error("--memory: distances along great circles need all points in "
                                 "memory; transform the points, or give -planar");
    }
    const bool good = shepard_append_format(&who, "layer %s", points->layer) &&
                      shepard_distance_metric_choose(job, who, points->geographic && degrees);
    free(who);
    return good;
}

/* What one coordinate system means another does not. */
static bool check_layers(const struct shepard_input *input)
{
    const char *const first = input->layers[0].srs;
    for (size_t i = 1; i < input->count; i++) {
        const char *const srs = input->layers[i].srs;
        if (first && srs && !shepard_io_same_srs(first, srs)) {
            return shepard_say_error("layers %s and %s have different coordinate systems; predict "
                                     "from one of them at a time, or transform both with -t_srs",
                                     input->layers[0].layer, input->layers[i].layer);
        }
    }
    return true;
}

/* In the coordinate system of the data. */
static bool read_barriers(const struct shepard_input *input, struct shepard_job *job)
{
    const struct shepard_line_options what = {.path = job->options->barrier,
                                              .layer = job->options->barrier_layer,
                                              .target_srs = shepard_input_srs(input)};
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    if (!what.path) {
        return true;
    }
    if (shepard_line_set_read(&what, &job->lines, &control, &error)) {
        return shepard_say_error("-barrier: %s", error.message);
    }
    job->barriers.count = job->lines.count;
    job->barriers.x = shepard_doubles(job->lines.x);
    job->barriers.y = shepard_doubles(job->lines.y);
    return true;
}

bool shepard_input_read(struct shepard_input *input, const char *path, struct shepard_job *job)
{
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    const struct shepard_source_options from = {
        .path = path,
        .open_options = (const char *const *)job->options->open_options.items,
        .more = (const char *const *)job->more.items};
    shepard_progress_stage(&job->watch, SHEPARD_STAGE_READ);
    if (shepard_source_open(&from, &input->source, &control, &error)) {
        return shepard_progress_error(error.message);
    }
    if (!shepard_job_add_source(job, input->source)) {
        return false;
    }
    input->layers = calloc(job->options->layers.count + 1, sizeof *input->layers);
    if (!input->layers) {
        return shepard_say_error("out of memory");
    }
    if (!read_all_or_spread(input, job)) {
        return false;
    }
    for (size_t i = 0; i < input->count; i++) {
        note_points(&input->layers[i], job->options, &job->watch);
    }
    if (!check_layers(input) || !choose_metric(input, job) || !read_barriers(input, job)) {
        return false;
    }
    note_input_losses(input, job->options->weight_field, &job->watch);
    return true;
}

/* Whether the open source has a layer of this name. */
static bool has_layer(const struct shepard_source *source, const char *name)
{
    size_t i = 0;
    const size_t count = shepard_source_layer_count(source);
    while (i < count && strcmp(shepard_source_layer_name(source, i), name) != 0) {
        i++;
    }
    return i < count;
}

static struct shepard_read_options withheld_options(const struct shepard_input *input,
                                                    const struct shepard_job *job)
{
    struct shepard_read_options what = read_options(job);
    what.where = what.weight_field = NULL;
    what.las = (struct shepard_las_choice){.withheld = false};
    what.spat = (struct shepard_bounds){.given = false};
    what.clip = (struct shepard_clip){.box = {.given = false}};
    what.target_srs = input->layers[0].srs;
    return what;
}

static bool read_withheld(struct shepard_source *source, const struct shepard_read_options *what,
                          struct shepard_withheld_layer *layer, struct shepard_job *job)
{
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    if (shepard_source_read(source, what, &layer->points, &control, &error)) {
        return shepard_say_error("--truth: %s", error.message);
    }
    note_points(&layer->points, job->options, &job->watch);
    if (!layer->also || layer->also->count == 0) {
        return true;
    }
    const struct shepard_read_options also = read_options_of_fields(*what, layer->also);
    if (shepard_source_read(source, &also, &layer->fields, &control, &error)) {
        return shepard_say_error(error.status == SHEPARD_IO_ERROR_FIELD
                                     ? "-trend with --truth: fields of SRC have to be fields of "
                                       "the withheld layer, too: %s; or give a raster"
                                     : "--truth: %s",
                                 error.message);
    }
    return layer->fields.count == layer->points.count ||
           shepard_say_error("--truth: layer %s had %zu points when its values were read, and now "
                             "has %zu: does another program write it?",
                             layer->points.layer, layer->points.count, layer->fields.count);
}

bool shepard_input_read_withheld(const struct shepard_input *input,
                                 struct shepard_withheld_layer *layer, struct shepard_job *job)
{
    struct shepard_read_options what = withheld_options(input, job);
    if (has_layer(input->source, layer->name)) {
        what.layer = layer->name;
        return read_withheld(input->source, &what, layer, job);
    }
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    const struct shepard_source_options from = {.path = layer->name};
    struct shepard_source *source = NULL;
    if (shepard_source_open(&from, &source, &control, &error)) {
        return shepard_say_error("--truth: %s", error.message);
    }
    const bool good =
        shepard_job_add_source(job, source) && read_withheld(source, &what, layer, job);
    shepard_source_close(source);
    return good;
}

size_t shepard_input_used(const struct shepard_point_set *points, size_t column)
{
    const double *const values = points->values[column], *const weights = points->weights;
    size_t used = 0;
    for (size_t i = 0; i < points->count; i++) {
        used += isfinite(values[i]) && !(weights && isnan(weights[i]));
    }
    return used;
}

struct shepard_coordinates shepard_input_coordinates(const struct shepard_point_set *points)
{
    return (struct shepard_coordinates){.size = sizeof(struct shepard_coordinates),
                                        .count = points->count,
                                        .x = shepard_doubles(points->x),
                                        .y = shepard_doubles(points->y),
                                        .z = shepard_doubles(points->z)};
}

struct shepard_targets shepard_input_targets(size_t count, const double *x, const double *y,
                                             const double *z)
{
    return (struct shepard_targets){.size = sizeof(struct shepard_targets),
                                    .kind = SHEPARD_TARGETS_LIST,
                                    .count = count,
                                    .x = shepard_doubles(x),
                                    .y = shepard_doubles(y),
                                    .z = shepard_doubles(z)};
}

struct shepard_values shepard_input_column(const struct shepard_point_set *points,
                                           const struct shepard_array *column)
{
    return (struct shepard_values){.size = sizeof(struct shepard_values),
                                   .column_count = 1,
                                   .columns = column,
                                   .weights = shepard_doubles(points->weights)};
}

const char *shepard_input_srs(const struct shepard_input *input)
{
    const char *srs = NULL;
    for (size_t i = 0; !srs && i < input->count; i++) {
        srs = input->layers[i].srs;
    }
    return srs;
}

void shepard_input_print(const struct shepard_input *input)
{
    size_t least = 0, most = 0, all = 0;
    for (size_t i = 0; i < input->count; i++) {
        const size_t count = input->elsewhere ? input->info.read : input->layers[i].count;
        size_t low = count, high = 0;
        for (size_t c = 0; c < input->layers[i].columns; c++) {
            const size_t used = input->elsewhere ? input->info.value_count[c]
                                                 : shepard_input_used(&input->layers[i], c);
            low = used < low ? used : low;
            high = used > high ? used : high;
        }
        least += low;
        most += high;
        all += count;
    }
    if (least < most) {
        printf("%zu to ", least);
    }
    if (least < all) {
        printf("%zu of ", most);
    }
    printf("%zu point%s", all, all == 1 ? "" : "s");
    const struct shepard_point_set *const first = &input->layers[0];
    if (first->column[0].by_default && first->x_name) {
        printf(", field %s (by default)", first->column[0].name);
    }
}

void shepard_input_free(struct shepard_input *input)
{
    forget_layers(input);
    free(input->layers);
    shepard_spill_close(input->spill);
    shepard_source_close(input->source);
    *input = (struct shepard_input){0};
}

bool shepard_bounds_have_any(const struct shepard_bounds *box, size_t count, const double *x,
                             const double *y)
{
    for (size_t i = 0; i < count; i++) {
        if (x[i] >= box->x_min && x[i] <= box->x_max && y[i] >= box->y_min && y[i] <= box->y_max) {
            return true;
        }
    }
    return false;
}
