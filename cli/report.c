/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "distance_metric.h"
#include "general.h"
#include "run_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void add_box(struct shepard_json *json, const char *key, const struct shepard_bounds *box)
{
    struct shepard_json *const item = shepard_json_object(json, key);
    shepard_json_number(item, "x_min", box->x_min);
    shepard_json_number(item, "y_min", box->y_min);
    shepard_json_number(item, "x_max", box->x_max);
    shepard_json_number(item, "y_max", box->y_max);
}

/* Least and largest finite value; null without any. */
static void add_range(struct shepard_json *json, const double *values, size_t count)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i])) {
            low = fmin(low, values[i]);
            high = fmax(high, values[i]);
        }
    }
    shepard_json_number(json, "min", low);
    shepard_json_number(json, "max", high);
}

/* elsewhere: NULL where the points are in memory. */
static void add_columns(struct shepard_json *json, const struct shepard_point_set *points,
                        const struct shepard_spill_info *elsewhere)
{
    struct shepard_json *const list = shepard_json_array(json, "fields");
    for (size_t c = 0; c < points->columns; c++) {
        const struct shepard_column *const column = &points->column[c];
        struct shepard_json *const item = shepard_json_object(list, NULL);
        shepard_json_text(item, "name", column->name);
        shepard_json_bool(item, "by_default", column->by_default);
        shepard_json_number(
            item, "points_used",
            (double)(elsewhere ? elsewhere->value_count[c] : shepard_input_used(points, c)));
        shepard_json_number(item, "skipped_null", (double)column->null);
        shepard_json_number(item, "skipped_nodata", (double)column->nodata);
        shepard_json_number(item, "skipped_not_finite", (double)column->not_finite);
        shepard_json_number(item, "skipped_text", (double)column->lost.count);
        add_range(item, column->values, points->count);
    }
}

static void add_layers(struct shepard_json *json, const struct shepard_input *input)
{
    struct shepard_json *const list = shepard_json_array(json, "layers");
    const struct shepard_spill_info *const elsewhere = input->elsewhere ? &input->info : NULL;
    for (size_t i = 0; i < input->count; i++) {
        const struct shepard_point_set *const points = &input->layers[i];
        const struct shepard_read_counts *const counts = &points->counts;
        struct shepard_json *const item = shepard_json_object(list, NULL);
        shepard_json_text(item, "name", points->layer);
        shepard_json_number(item, "features", (double)counts->features);
        shepard_json_number(item, "points_read",
                            (double)(elsewhere ? elsewhere->read : points->count));
        struct shepard_json *const skipped = shepard_json_object(item, "skipped");
        shepard_json_number(skipped, "no_geometry", (double)counts->no_geometry);
        shepard_json_number(skipped, "empty_geometry", (double)counts->empty_geometry);
        shepard_json_number(skipped, "coordinate_not_finite", (double)counts->not_finite);
        shepard_json_number(skipped, "outside", (double)counts->outside);
        add_columns(item, points, elsewhere);
        shepard_json_number(skipped, "weight_null", (double)counts->weight_null);
        shepard_json_number(skipped, "weight_not_finite", (double)counts->weight_not_finite);
        shepard_json_number(skipped, "not_transformed", (double)counts->untransformed);
        shepard_json_number(skipped, "no_third_coordinate", (double)counts->no_z);
        shepard_json_text(item, "srs", points->srs);
        shepard_json_bool(item, "transformed", points->transformed);
        shepard_json_bool(item, "geographic", points->geographic);
        add_box(item, "extent", &points->extent);
    }
}

void shepard_report_add_method(struct shepard_json *json, const struct shepard_algorithm *algorithm)
{
    shepard_json_text(json, "method", shepard_algorithm_name(algorithm));
    shepard_json_text(json, "metric", shepard_distance_metric_name(algorithm->options.metric));
    struct shepard_json *const parameters = shepard_json_object(json, "parameters");
    const char *key;
    for (size_t i = 0; (key = shepard_algorithm_key(algorithm, i)); i++) {
        double number = 0;
        if (shepard_algorithm_number(algorithm, i, &number)) {
            shepard_json_number(parameters, key, number);
        } else {
            shepard_json_text(parameters, key, algorithm->texts.items[i]);
        }
    }
}

/* Of the box of the points that a column uses, which lies along the anisotropy: what AIDW takes by
 * default. */
static double area_of(const struct shepard_point_set *points, size_t column,
                      const struct shepard_points_options *options)
{
    const double pi = 3.14159265358979323846;
    const bool turned = options->anisotropy_ratio != 1;
    const double angle = turned ? fmod(options->anisotropy_angle, 360) * (pi / 180) : 0;
    const double c = cos(angle), s = sin(angle);
    double u_min = INFINITY, u_max = -INFINITY, v_min = INFINITY, v_max = -INFINITY;
    for (size_t i = 0; i < points->count; i++) {
        if (shepard_column_is_used(points, column, i)) {
            const double u = c * points->x[i] + s * points->y[i];
            const double v = c * points->y[i] - s * points->x[i];
            u_min = fmin(u_min, u);
            u_max = fmax(u_max, u);
            v_min = fmin(v_min, v);
            v_max = fmax(v_max, v);
        }
    }
    return (u_max - u_min) * (v_max - v_min);
}

/* first: a column of the surface. */
static double study_area(const struct shepard_column_group *surface, size_t first,
                         const struct shepard_point_set *points,
                         const struct shepard_points_info *places)
{
    if (surface->parameters.adaptive.area > 0) {
        return surface->parameters.adaptive.area;
    }
    const bool all = shepard_field_count(surface->field, first) == places->points;
    const bool plane = surface->options.metric == SHEPARD_METRIC_PLANE;
    return all ? places->area
               : (plane ? area_of(points, surface->column[first], &surface->options) : NAN);
}

/* What was fitted; parameters as -a takes them. */
static void add_fit(struct shepard_json *item, const struct shepard_column_group *surface,
                    const struct shepard_job *job)
{
    static const char *const forms[] = {[SHEPARD_FIT_CONSTANT] = "constant",
                                        [SHEPARD_FIT_FEW] = "few",
                                        [SHEPARD_FIT_LIKELIHOOD] = "likelihood"};
    const struct shepard_fit_info *const fit = &surface->fit;
    const struct shepard_kriging *const kriging = &surface->parameters.kriging;
    struct shepard_json *const of = shepard_json_object(item, "fit");
    char *text = NULL;
    if (shepard_column_group_text(surface, job, &text)) {
        shepard_json_text(of, "parameters", text);
    }
    free(text);
    shepard_json_text(of, "form", forms[fit->form]);
    shepard_json_number(of, "points", (double)fit->points);
    shepard_json_number(of, "psill", kriging->psill);
    shepard_json_number(of, "nugget", kriging->nugget);
    shepard_json_number(of, "nugget_part", fit->nugget_part);
    shepard_json_number(of, "range", kriging->range);
    shepard_json_number(of, "range_across", fit->range_across);
    shepard_json_number(of, "p", kriging->p);
    shepard_json_number(of, "anisotropy_ratio", surface->options.anisotropy_ratio);
    shepard_json_number(of, "anisotropy_angle", surface->options.anisotropy_angle);
    shepard_json_number(of, "mean", fit->mean);
    shepard_json_number(of, "clipped", (double)fit->clipped);
    shepard_json_number(of, "objective", fit->objective);
    shepard_json_number(of, "evaluations", (double)fit->evaluations);
    shepard_json_number(of, "seconds", fit->seconds);
}

/* How many points a model has, of how many, and the area of their box. */
struct model_points {
    size_t used, all;
    double area;
};

static struct model_points model_points_of(const struct shepard_report *report,
                                           const struct shepard_column_group *surface, size_t first,
                                           const struct shepard_points_info *places)
{
    const struct shepard_point_set *const points = &report->input->layers[surface->layer];
    const struct shepard_spill_info *const info = &report->input->info;
    if (!report->input->elsewhere) {
        return (struct model_points){shepard_field_count(surface->field, first), points->count,
                                     study_area(surface, first, points, places)};
    }
    const double given = surface->parameters.adaptive.area;
    const double box = (info->box.x_max - info->box.x_min) * (info->box.y_max - info->box.y_min);
    const bool has_area = surface->options.anisotropy_ratio == 1 && info->gaps == 0;
    return (struct model_points){info->value_count[surface->column[first]], info->read,
                                 given > 0  ? given
                                 : has_area ? box
                                            : NAN};
}

/* Of the columns of a surface that have the same gaps as `first`, the first of them. */
static void add_model(struct shepard_json *list, const struct shepard_report *report,
                      const struct shepard_column_group *surface, size_t first)
{
    const struct shepard_point_set *const points = &report->input->layers[surface->layer];
    struct shepard_points_info places = {.size = sizeof places};
    struct shepard_field_info field = {.size = sizeof field};
    struct shepard_json *const item = shepard_json_object(list, NULL);
    struct shepard_json *const fields = shepard_json_array(item, "fields");
    shepard_points_get_info(shepard_column_group_points(report->surfaces, surface), &places);
    shepard_field_get_info(surface->field, &field);
    const size_t search = shepard_field_search(surface->field, first);
    for (size_t c = first; c < surface->columns; c++) {
        if (shepard_field_search(surface->field, c) == search) {
            shepard_json_text(fields, NULL, points->column[surface->column[c]].name);
        }
    }
    if (surface->fitted) {
        add_fit(item, surface, report->job);
    }
    const struct model_points of = model_points_of(report, surface, first, &places);
    shepard_json_number(item, "points", (double)of.used);
    shepard_json_number(item, "skipped", (double)(of.all - of.used));
    shepard_json_number(item, "area", of.area);
    shepard_json_number(item, "bytes", (double)(places.bytes + field.bytes));
    shepard_json_number(item, "device_bytes", (double)(places.device_bytes + field.device_bytes));
    shepard_json_text(item, "backend", places.backend);
    shepard_json_text(item, "isa", places.isa);
    shepard_json_number(item, "threads", places.threads);
}

static void add_models(struct shepard_json *json, const struct shepard_report *report)
{
    struct shepard_json *const list = shepard_json_array(json, "models");
    for (size_t s = 0; s < report->surfaces->count; s++) {
        const struct shepard_column_group *const surface = &report->surfaces->items[s];
        size_t searches = 0;
        for (size_t c = 0; surface->field && c < surface->columns; c++) {
            if (shepard_field_search(surface->field, c) == searches) {
                add_model(list, report, surface, c);
                searches++;
            }
        }
    }
}

void shepard_report_add_trend(struct shepard_json *json, const struct shepard_column_trend *trend,
                              size_t column, const struct shepard_covariate_list *covariates,
                              size_t layer)
{
    shepard_json_text(json, "estimator", trend->estimator);
    shepard_json_number(json, "points", (double)trend->used[column]);
    shepard_json_number(json, "points_without_covariate",
                        (double)covariates->layers[layer].lacking);
    struct shepard_json *const parts = shepard_json_array(json, "covariates");
    for (size_t j = 0; j < covariates->count; j++) {
        const size_t k = column * covariates->count + j;
        struct shepard_json *const part = shepard_json_object(parts, NULL);
        shepard_json_text(part, "name", covariates->items[j].name);
        shepard_json_number(part, "coefficient", trend->coefficients[k]);
        shepard_json_number(part, "standard_error", trend->standard_errors[k]);
    }
    shepard_json_number(json, "rmse_leave_one_out", trend->rmse[column]);
    shepard_json_number(json, "rmse_leave_one_out_without", trend->rmse_without[column]);
}

/* The trend of column c of a surface. */
static void add_trend(struct shepard_json *list, const struct shepard_report *report,
                      const struct shepard_column_group *surface, size_t c)
{
    const struct shepard_point_set *const points = &report->input->layers[surface->layer];
    struct shepard_json *const item = shepard_json_object(list, NULL);
    shepard_json_text(item, "layer", points->layer);
    shepard_json_text(item, "field", points->column[surface->column[c]].name);
    shepard_report_add_trend(item, &surface->trend, c, report->surfaces->covariates,
                             surface->layer);
}

static void add_trends(struct shepard_json *json, const struct shepard_report *report)
{
    if (report->surfaces->covariates->count == 0) {
        return;
    }
    struct shepard_json *const list = shepard_json_array(json, "trends");
    for (size_t s = 0; s < report->surfaces->count; s++) {
        for (size_t c = 0; c < report->surfaces->items[s].columns; c++) {
            add_trend(list, report, &report->surfaces->items[s], c);
        }
    }
}

static void add_raster(struct shepard_json *json, const struct shepard_report *report)
{
    const struct shepard_raster *const raster = report->raster;
    struct shepard_json *const item = shepard_json_object(json, "raster");
    shepard_json_number(item, "columns", (double)raster->columns);
    shepard_json_number(item, "rows", (double)raster->rows);
    shepard_json_number(item, "x0", raster->x0);
    shepard_json_number(item, "y0", raster->y0);
    shepard_json_number(item, "dx", raster->dx);
    shepard_json_number(item, "dy", raster->dy);
    shepard_json_text(item, "type", report->type);
    struct shepard_json *const bands = shepard_json_array(item, "bands");
    for (size_t i = 0; i < report->results->count; i++) {
        const struct shepard_cell_fit *const fit = &report->fits[i];
        struct shepard_json *const band = shepard_json_object(bands, NULL);
        shepard_json_text(band, "name", report->results->items[i].name);
        const bool any = fit->cells > fit->empty;
        shepard_json_number(band, "min", any ? fit->min : NAN);
        shepard_json_number(band, "max", any ? fit->max : NAN);
        shepard_json_number(band, "mean", shepard_cells_mean(fit));
        shepard_json_number(band, "cells_without_prediction", (double)fit->empty);
        shepard_json_number(band, "cells_without_covariate", (double)fit->lacking);
        shepard_json_number(band, "cells_outside_mask", (double)fit->outside);
        shepard_json_number(band, "cells_clamped", (double)fit->clamped);
        shepard_json_number(band, "cells_moved_off_nodata", (double)fit->moved);
        shepard_json_number(band, "cells_predicted_nodata", (double)fit->same);
    }
}

static void add_output(struct shepard_json *json, const struct shepard_report *report)
{
    struct stat status;
    struct shepard_json *const output = shepard_json_object(json, "output");
    shepard_json_text(output, "path", report->output);
    if (!report->estimate && stat(report->output, &status) == 0 && S_ISREG(status.st_mode)) {
        shepard_json_number(output, "bytes", (double)status.st_size);
    }
    struct shepard_json *const results = shepard_json_array(json, "results");
    for (size_t i = 0; i < report->results->count; i++) {
        shepard_json_text(results, NULL, report->results->items[i].name);
    }
    if (report->raster) {
        add_raster(json, report);
    } else {
        shepard_json_text(json, "query_srs", report->query_srs);
        shepard_json_bool(json, "query_transformed", report->query_transformed);
        shepard_json_number(json, "targets", (double)report->targets);
        shepard_json_number(json, "targets_without_point", (double)report->targets_missing);
        shepard_json_number(json, "targets_without_prediction", (double)report->targets_lonely);
        shepard_json_number(json, "targets_without_covariate", (double)report->targets_lacking);
    }
}

static void add_held_out(struct shepard_json *json, const struct shepard_report *report)
{
    const struct shepard_report_data *const data = report->data;
    if (!data) {
        return;
    }
    struct shepard_json *const list = shepard_json_array(json, "leave_one_out");
    for (size_t i = 0; i < data->held_out_count; i++) {
        const struct shepard_leave_one_out *const held_out = &data->held_out[i];
        const struct shepard_scores *const scores = &held_out->scores;
        struct shepard_json *const item = shepard_json_object(list, NULL);
        shepard_json_text(item, "field", held_out->field);
        shepard_json_number(item, "points", (double)held_out->points);
        shepard_json_number(item, "tried", (double)held_out->tried);
        shepard_json_number(item, "predicted", (double)scores->count);
        shepard_json_number(item, "me", scores->me);
        shepard_json_number(item, "mae", scores->mae);
        shepard_json_number(item, "rmse", scores->rmse);
        shepard_json_number(item, "crps", scores->crps);
        shepard_json_number(item, "coverage", scores->coverage);
    }
}

static void add_notes(struct shepard_json *json, const struct shepard_text_list *notes)
{
    struct shepard_json *const list = shepard_json_array(json, "notes");
    for (size_t i = 0; i < notes->count; i++) {
        shepard_json_text(list, NULL, notes->items[i]);
    }
}

static void add_gpu(struct shepard_json *json, const struct shepard_timing *gpu)
{
    struct shepard_json *const seconds = shepard_json_object(json, "gpu_seconds");
    shepard_json_number(seconds, "upload", gpu->upload);
    shepard_json_number(seconds, "sort", gpu->sort);
    shepard_json_number(seconds, "tree", gpu->tree);
    shepard_json_number(seconds, "moments", gpu->moments);
    shepard_json_number(seconds, "nearest", gpu->nearest);
    shepard_json_number(seconds, "sums", gpu->sums);
    shepard_json_number(seconds, "download", gpu->download);
}

static void add_costs(struct shepard_json *json, struct shepard_progress *watch)
{
    static const char *const names[SHEPARD_STAGE_COUNT] = {"read", "build", "predict", "write"};
    const double total = shepard_progress_total(watch);
    struct shepard_json *const seconds = shepard_json_object(json, "seconds");
    for (int i = 0; i < SHEPARD_STAGE_COUNT; i++) {
        shepard_json_number(seconds, names[i], watch->seconds[i]);
    }
    shepard_json_number(seconds, "total", total);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
    const double unit = 1;
#else
    const double unit = 1024;
#endif
    shepard_json_number(json, "peak_memory_bytes", unit * (double)usage.ru_maxrss);
}

static void add_barriers(struct shepard_json *json, const struct shepard_job *job)
{
    if (!job->options->barrier) {
        return;
    }
    struct shepard_json *const barriers = shepard_json_object(json, "barriers");
    shepard_json_text(barriers, "path", job->options->barrier);
    shepard_json_number(barriers, "lines", (double)job->lines.lines);
    shepard_json_number(barriers, "segments", (double)job->lines.segments);
}

struct shepard_json *shepard_report_begin(const char *verb, const struct shepard_job *job,
                                          const struct shepard_input *input)
{
    if (!job->options->json.set) {
        return NULL;
    }
    struct shepard_json *const json = shepard_json_new();
    shepard_json_text(json, "command", verb);
    shepard_json_text(json, "version", shepard_version());
    shepard_json_text(json, "gdal", shepard_general_gdal_version());
    struct shepard_json *const source = shepard_json_object(json, "source");
    shepard_json_text(source, "path", job->source);
    shepard_json_text(source, "format", shepard_source_format(input->source));
    add_layers(json, input);
    add_barriers(json, job);
    return json;
}

bool shepard_report_end(struct shepard_json *json, struct shepard_job *job)
{
    if (!job->options->json.set) {
        return true;
    }
    add_notes(json, &job->watch.notes);
    add_gpu(json, &job->watch.gpu);
    add_costs(json, &job->watch);
    const bool good = shepard_json_write(json, job->options->json.file);
    shepard_json_free(json);
    return good;
}

bool shepard_report_write(const struct shepard_report *report)
{
    if (!report->job->options->json.set) {
        return true;
    }
    struct shepard_json *const json =
        shepard_report_begin(report->verb, report->job, report->input);
    shepard_report_add_method(json, &report->job->algorithm);
    shepard_choice_add(report->choice, json);
    add_models(json, report);
    add_trends(json, report);
    add_output(json, report);
    add_held_out(json, report);
    if (report->estimate) {
        shepard_run_estimate_add(report->estimate, json);
    }
    return shepard_report_end(json, report->job);
}
