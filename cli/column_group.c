/* SPDX-License-Identifier: MIT */
#include "column_group.h"

#include "column_fit.h"
#include "error_text.h"
#include "message.h"
#include "result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool missing(const struct shepard_column *column, size_t i)
{
    return !isfinite(column->values[i]);
}

/* True where the two columns of a layer miss values at the same points. */
static bool same_gaps(const struct shepard_point_set *points, size_t a, size_t b)
{
    const struct shepard_column *const first = &points->column[a], *const second =
                                                                       &points->column[b];
    const size_t gaps = first->null + first->not_finite;
    if (gaps != second->null + second->not_finite) {
        return false;
    }
    size_t i = 0;
    while (gaps > 0 && i < points->count && missing(first, i) == missing(second, i)) {
        i++;
    }
    return gaps == 0 || i == points->count;
}

bool shepard_column_is_used(const struct shepard_point_set *points, size_t column, size_t i)
{
    const double *const weights = points->weights;
    return isfinite(points->values[column][i]) &&
           (!weights || (isfinite(weights[i]) && weights[i] != 0));
}

/* True where two columns of a layer may be one surface. */
static bool may_share(const struct shepard_point_set *points, const struct shepard_job *job,
                      size_t a, size_t b)
{
    if (shepard_algorithm_by_gdal(&job->algorithm) ||
        shepard_algorithm_is_fitted(&job->algorithm)) {
        return false;
    }
    return shepard_diagnostics_are_of_columns(&job->diagnostics) || same_gaps(points, a, b);
}

static bool begin_surface(struct shepard_column_group *surface, size_t layer, size_t column,
                          const struct shepard_algorithm *algorithm)
{
    *surface = (struct shepard_column_group){.layer = layer,
                                             .columns = 1,
                                             .parameters = algorithm->parameters,
                                             .options = algorithm->options};
    /* NaN marks cells without a prediction: others may be predicted the nodata value. */
    surface->parameters.nodata = NAN;
    surface->column = malloc(sizeof *surface->column);
    if (!surface->column) {
        return shepard_say_error("out of memory");
    }
    surface->column[0] = column;
    return true;
}

static bool add_surface(struct shepard_column_groups *surfaces, size_t layer, size_t column,
                        const struct shepard_job *job)
{
    struct shepard_column_group *const items =
        realloc(surfaces->items, (surfaces->count + 1) * sizeof *items);
    if (!items) {
        return shepard_say_error("out of memory");
    }
    surfaces->items = items;
    const bool good = begin_surface(&items[surfaces->count], layer, column, &job->algorithm);
    surfaces->count += good;
    return good;
}

static bool add_column(struct shepard_column_group *surface, size_t column)
{
    size_t *const longer =
        realloc(surface->column, (surface->columns + 1) * sizeof *surface->column);
    if (!longer) {
        return shepard_say_error("out of memory");
    }
    surface->column = longer;
    surface->column[surface->columns++] = column;
    return true;
}

static bool group_layer(struct shepard_column_groups *surfaces, const struct shepard_input *input,
                        size_t layer, const struct shepard_job *job)
{
    const struct shepard_point_set *const points = &input->layers[layer];
    const size_t first = surfaces->count;
    for (size_t c = 0; c < points->columns; c++) {
        size_t s = first;
        while (s < surfaces->count && !may_share(points, job, surfaces->items[s].column[0], c)) {
            s++;
        }
        if (!(s < surfaces->count ? add_column(&surfaces->items[s], c)
                                  : add_surface(surfaces, layer, c, job))) {
            return false;
        }
    }
    return true;
}

static void add_timing(struct shepard_timing *sum, const struct shepard_timing *part)
{
    sum->upload += part->upload;
    sum->sort += part->sort;
    sum->tree += part->tree;
    sum->moments += part->moments;
    sum->nearest += part->nearest;
    sum->sums += part->sums;
    sum->download += part->download;
}

/* Points for so many columns of a set, and for the parameters of a surface. */
static bool make_points(const struct shepard_column_group *surface,
                        const struct shepard_point_set *set, size_t columns,
                        struct shepard_points **points, struct shepard_job *job)
{
    const struct shepard_coordinates coordinates = shepard_input_coordinates(set);
    struct shepard_points_options options = surface->options;
    struct shepard_points_info info = {.size = sizeof info};
    struct shepard_error error;
    options.expected_columns = columns;
    options.expected_parameters = &surface->parameters;
    if (shepard_points_create(&coordinates, &options, points, &error)) {
        return shepard_say_library_error(&job->algorithm, error.message);
    }
    shepard_points_get_info(*points, &info);
    shepard_progress_notice(info.notice, &job->watch);
    add_timing(&job->watch.gpu, &info.timing);
    return true;
}

/* Stands for every buffer: shepard_prepare only looks which there are. */
static double any_buffer;

enum shepard_status shepard_column_group_prepare(const struct shepard_column_group *surface,
                                                 const struct shepard_control *control,
                                                 const struct shepard_job *job,
                                                 struct shepard_error *error)
{
    struct shepard_output_array *const columns = calloc(surface->columns, sizeof *columns);
    if (!columns) {
        *error = (struct shepard_error){SHEPARD_ERROR_MEMORY, .message = "out of memory"};
        return SHEPARD_ERROR_MEMORY;
    }
    for (size_t c = 0; c < surface->columns; c++) {
        columns[c] = shepard_output_doubles(&any_buffer);
    }
    struct shepard_output_array single[SHEPARD_RESULT_KINDS] = {{.data = NULL}};
    struct shepard_output_array *of_columns[SHEPARD_RESULT_KINDS] = {[SHEPARD_RESULT_VALUE] =
                                                                         columns};
    for (size_t i = 0; i < job->diagnostics.count; i++) {
        single[job->diagnostics.kinds[i]] = shepard_output_doubles(&any_buffer);
        of_columns[job->diagnostics.kinds[i]] = columns;
    }
    const struct shepard_output output = shepard_result_output(single, of_columns);
    const enum shepard_status status =
        shepard_prepare(surface->field, &surface->parameters, &output, control, error);
    free(columns);
    return status;
}

static bool prepare(const struct shepard_column_group *surface, const struct shepard_job *job)
{
    struct shepard_error error;
    return shepard_column_group_prepare(surface, NULL, job, &error) == SHEPARD_OK ||
           shepard_say_library_error(&job->algorithm, error.message);
}

static bool has_value(const struct shepard_point_set *points, size_t column)
{
    size_t i = 0;
    while (i < points->count && !shepard_column_is_used(points, column, i)) {
        i++;
    }
    return i < points->count;
}

/* The name of the first column of a surface that has no value at all. */
static const char *empty_column(const struct shepard_column_group *surface,
                                const struct shepard_point_set *points)
{
    size_t c = 0;
    while (c + 1 < surface->columns && has_value(points, surface->column[c])) {
        c++;
    }
    return points->column[surface->column[c]].name;
}

static bool refuse_field(const struct shepard_column_group *surface,
                         const struct shepard_point_set *points, struct shepard_job *job,
                         const struct shepard_error *error)
{
    if (shepard_covariates_are_wrong(error)) {
        return shepard_say_error("-trend: %s", error->message);
    }
    if (error->status == SHEPARD_ERROR_NO_POINTS) {
        return shepard_say_error("layer %s, field %s: no point of %zu has a value and a usable "
                                 "weight",
                                 points->layer, empty_column(surface, points), points->count);
    }
    return shepard_say_library_error(&job->algorithm, error->message);
}

/* What is interpolated of column c: what its trend has left, where there is one. */
struct shepard_array shepard_column_group_values(const struct shepard_column_group *surface,
                                                 const struct shepard_point_set *points, size_t c)
{
    const double *const residuals = surface->trend.residuals;
    return shepard_doubles(residuals ? residuals + c * points->count
                                     : points->values[surface->column[c]]);
}

static bool fit(struct shepard_column_group *surface,
                const struct shepard_covariate_list *covariates,
                const struct shepard_point_set *points, struct shepard_job *job)
{
    const struct shepard_array values = shepard_doubles(points->values[surface->column[0]]);
    struct shepard_error error;
    if (shepard_column_fit(points, &values, shepard_covariates_of_layer(covariates, surface->layer),
                           &surface->parameters, &surface->options, &surface->fit, job, &error)) {
        return refuse_field(surface, points, job, &error);
    }
    surface->fitted = true;
    shepard_column_fit_note(&surface->fit, points->column[surface->column[0]].name, job);
    return true;
}

static bool make_field(struct shepard_column_group *surface, const struct shepard_points *places,
                       const struct shepard_point_set *points, struct shepard_job *job)
{
    struct shepard_array *const columns = calloc(surface->columns, sizeof *columns);
    if (!columns) {
        return shepard_say_error("out of memory");
    }
    for (size_t c = 0; c < surface->columns; c++) {
        columns[c] = shepard_column_group_values(surface, points, c);
    }
    const struct shepard_values values = {.size = sizeof values,
                                          .column_count = surface->columns,
                                          .columns = columns,
                                          .weights = shepard_doubles(points->weights)};
    struct shepard_error error;
    const bool good = shepard_field_create(places, &values, &surface->field, &error) == SHEPARD_OK;
    free(columns);
    return good || refuse_field(surface, points, job, &error);
}

/* Whether a trend is fitted on the CPU, and the points are on a GPU. */
static bool needs_host(const struct shepard_column_group *surface,
                       const struct shepard_points *places)
{
    struct shepard_points_info info = {.size = sizeof info};
    shepard_points_get_info(places, &info);
    return surface->parameters.method == SHEPARD_METHOD_KRIGE && strcmp(info.backend, "cuda") == 0;
}

static bool fit_trend_on_host(struct shepard_column_group *surface,
                              const struct shepard_covariate_list *covariates,
                              const struct shepard_point_set *points, struct shepard_job *job)
{
    const struct shepard_coordinates coordinates = shepard_input_coordinates(points);
    struct shepard_points_options options = surface->options;
    struct shepard_points *places = NULL;
    struct shepard_error error;
    options.backend = SHEPARD_BACKEND_CPU;
    shepard_progress_note(&job->watch, "the trend of kriging is fitted on the CPU");
    const bool good = shepard_points_create(&coordinates, &options, &places, &error) == SHEPARD_OK
                          ? shepard_column_trend_fit(surface, covariates, places, points, job)
                          : shepard_say_library_error(&job->algorithm, error.message);
    shepard_points_free(places);
    return good;
}

static bool fit_trend(struct shepard_column_group *surface,
                      const struct shepard_covariate_list *covariates,
                      const struct shepard_points *places, const struct shepard_point_set *points,
                      struct shepard_job *job)
{
    if (covariates->count == 0) {
        return true;
    }
    return needs_host(surface, places)
               ? fit_trend_on_host(surface, covariates, points, job)
               : shepard_column_trend_fit(surface, covariates, places, points, job);
}

/* Fits what -a leaves open to what the trend leaves, then the trend by it. */
static bool fit_surface(struct shepard_column_group *surface,
                        const struct shepard_covariate_list *covariates,
                        const struct shepard_point_set *points, struct shepard_job *job)
{
    return fit(surface, covariates, points, job) &&
           make_points(surface, points, 1, &surface->own, job) &&
           fit_trend(surface, covariates, surface->own, points, job);
}

bool shepard_column_group_fit(struct shepard_column_group *surface,
                              const struct shepard_algorithm *algorithm,
                              const struct shepard_input *input,
                              const struct shepard_column_place *place,
                              const struct shepard_covariate_list *covariates,
                              struct shepard_job *job)
{
    const struct shepard_point_set *const points = &input->layers[place->layer];
    if (!begin_surface(surface, place->layer, place->column, algorithm)) {
        return false;
    }
    return shepard_algorithm_is_fitted(algorithm)
               ? fit_surface(surface, covariates, points, job)
               : make_points(surface, points, 1, &surface->own, job) &&
                     fit_trend(surface, covariates, surface->own, points, job);
}

static bool build_field(struct shepard_column_group *surface,
                        const struct shepard_covariate_list *covariates,
                        const struct shepard_points *places, const struct shepard_point_set *points,
                        struct shepard_job *job)
{
    const bool fitted = shepard_algorithm_is_fitted(&job->algorithm);
    struct shepard_field_info info = {.size = sizeof info};
    if (!(fitted ? fit_surface(surface, covariates, points, job)
                 : fit_trend(surface, covariates, places, points, job))) {
        return false;
    }
    places = fitted ? surface->own : places;
    if (!make_field(surface, places, points, job) || !prepare(surface, job)) {
        return false;
    }
    shepard_field_get_info(surface->field, &info);
    shepard_progress_notice(info.notice, &job->watch);
    add_timing(&job->watch.gpu, &info.timing);
    return true;
}

static bool build_grid(struct shepard_column_group *surface, const struct shepard_point_set *points,
                       const struct shepard_job *job)
{
    char *text = NULL;
    struct shepard_io_error error = {0};
    bool good = shepard_append_format(&text, "%s:", shepard_algorithm_name(&job->algorithm)) &&
                shepard_algorithm_text(&job->algorithm, &text);
    if (good &&
        shepard_gdal_grid_create(text, points->count, points->x, points->y,
                                 points->values[surface->column[0]], &surface->grid, &error)) {
        good = shepard_progress_error(error.message);
    }
    free(text);
    return good;
}

static bool build_layer(struct shepard_column_groups *surfaces, const struct shepard_input *input,
                        size_t layer, struct shepard_job *job)
{
    const bool by_gdal = shepard_algorithm_by_gdal(&job->algorithm);
    const bool shares_points = !by_gdal && !shepard_algorithm_is_fitted(&job->algorithm);
    const size_t first = surfaces->count;
    if (!group_layer(surfaces, input, layer, job)) {
        return false;
    }
    if (shares_points &&
        !make_points(&surfaces->items[first], &input->layers[layer], input->layers[layer].columns,
                     &surfaces->points[layer], job)) {
        return false;
    }
    for (size_t s = first; s < surfaces->count; s++) {
        struct shepard_column_group *const surface = &surfaces->items[s];
        const struct shepard_point_set *const points = &input->layers[layer];
        if (!shepard_progress_report(0, &job->watch)) {
            return shepard_progress_error(NULL);
        }
        if (!(by_gdal ? build_grid(surface, points, job)
                      : build_field(surface, surfaces->covariates, surfaces->points[layer], points,
                                    job))) {
            return false;
        }
    }
    return true;
}

bool shepard_column_groups_build(struct shepard_column_groups *surfaces,
                                 const struct shepard_input *input,
                                 const struct shepard_covariate_list *covariates,
                                 struct shepard_job *job)
{
    surfaces->covariates = covariates;
    shepard_progress_stage(&job->watch, SHEPARD_STAGE_BUILD);
    surfaces->points = calloc(input->count, sizeof(struct shepard_points *));
    if (!surfaces->points) {
        return shepard_say_error("out of memory");
    }
    surfaces->layers = input->count;
    for (size_t layer = 0; layer < input->count; layer++) {
        if (!build_layer(surfaces, input, layer, job)) {
            return false;
        }
    }
    return true;
}

const struct shepard_points *
shepard_column_group_points(const struct shepard_column_groups *surfaces,
                            const struct shepard_column_group *surface)
{
    return surface->own ? surface->own : surfaces->points[surface->layer];
}

bool shepard_column_group_text(const struct shepard_column_group *surface,
                               const struct shepard_job *job, char **text)
{
    return shepard_algorithm_print(&job->algorithm, &surface->parameters, &surface->options, text);
}

void shepard_column_groups_print(const struct shepard_column_groups *surfaces,
                                 const struct shepard_input *input, const struct shepard_job *job)
{
    for (size_t s = 0; s < surfaces->count; s++) {
        const struct shepard_column_group *const surface = &surfaces->items[s];
        const struct shepard_point_set *const points = &input->layers[surface->layer];
        char *text = NULL;
        if (surface->fitted && shepard_column_group_text(surface, job, &text)) {
            printf("%s: fitted to %zu point%s in %.2f s, -a %s\n",
                   points->column[surface->column[0]].name, surface->fit.points,
                   surface->fit.points == 1 ? "" : "s", surface->fit.seconds, text);
        }
        free(text);
    }
}

void shepard_column_group_free(struct shepard_column_group *surface)
{
    free(surface->column);
    free(surface->sd_models);
    shepard_field_free(surface->field);
    shepard_points_free(surface->own);
    shepard_gdal_grid_free(surface->grid);
    shepard_column_trend_free(&surface->trend);
    *surface = (struct shepard_column_group){0};
}

void shepard_column_groups_free(struct shepard_column_groups *surfaces)
{
    for (size_t s = 0; s < surfaces->count; s++) {
        shepard_column_group_free(&surfaces->items[s]);
    }
    for (size_t layer = 0; layer < surfaces->layers; layer++) {
        shepard_points_free(surfaces->points[layer]);
    }
    free(surfaces->items);
    free(surfaces->points);
    *surfaces = (struct shepard_column_groups){0};
}

size_t shepard_column_groups_add_trends(const struct shepard_column_groups *surfaces,
                                        const struct shepard_results *results,
                                        const double *const *at, size_t count,
                                        double *const *buffers)
{
    const struct shepard_covariate_list *const covariates = surfaces->covariates;
    size_t lacking = 0;
    for (size_t r = 0; r < results->count; r++) {
        const struct shepard_result *const result = &results->items[r];
        if (result->kind == SHEPARD_RESULT_VALUE) {
            shepard_column_trend_add(&surfaces->items[result->surface].trend, result->column,
                                     covariates, at, count, buffers[r]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!shepard_covariates_lack(covariates, at, i)) {
            continue;
        }
        lacking++;
        for (size_t r = 0; r < results->count; r++) {
            if (shepard_result_is_of_column(results->items[r].kind)) {
                buffers[r][i] = NAN;
            }
        }
    }
    return lacking;
}

void shepard_column_groups_print_trends(const struct shepard_column_groups *surfaces,
                                        const struct shepard_input *input)
{
    const struct shepard_covariate_list *const covariates = surfaces->covariates;
    for (size_t s = 0; s < surfaces->count && covariates->count > 0; s++) {
        const struct shepard_column_group *const surface = &surfaces->items[s];
        const struct shepard_point_set *const points = &input->layers[surface->layer];
        for (size_t c = 0; c < surface->columns; c++) {
            const char *const name = points->column[surface->column[c]].name;
            shepard_column_trend_print(&surface->trend, c, covariates, name);
        }
    }
}

static bool run_grid(const struct shepard_column_group *surface,
                     const struct shepard_targets *targets, const struct shepard_output *output,
                     struct shepard_job *job)
{
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    return shepard_gdal_grid_run(surface->grid, &targets->raster, &targets->window,
                                 output->values[0].data, &control, &error) == SHEPARD_IO_OK ||
           shepard_progress_error(error.message);
}

bool shepard_column_group_predict(const struct shepard_column_group *surface,
                                  const struct shepard_targets *targets,
                                  const struct shepard_output *output, struct shepard_job *job)
{
    if (surface->grid) {
        return run_grid(surface, targets, output, job);
    }
    struct shepard_error error;
    struct shepard_output with_models = *output;
    with_models.sd_models = surface->sd_models;
    const struct shepard_control control = shepard_job_control(job);
    return shepard_predict(surface->field, &surface->parameters, targets, &with_models, &control,
                           &error) == SHEPARD_OK ||
           shepard_say_library_error(&job->algorithm, error.message);
}
