/* SPDX-License-Identifier: MIT */
#include "surface.h"

#include "blame.h"
#include "message.h"

#include <math.h>
#include <stdlib.h>

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

static bool add_surface(struct shepard_surfaces *surfaces, size_t layer, size_t column)
{
    struct shepard_surface *const items =
        realloc(surfaces->items, (surfaces->count + 1) * sizeof *items);
    if (!items) {
        return shepard_say_error("out of memory");
    }
    surfaces->items = items;
    struct shepard_surface *const surface = &items[surfaces->count];
    *surface = (struct shepard_surface){.layer = layer, .columns = 1};
    surface->column = malloc(sizeof *surface->column);
    if (!surface->column) {
        return shepard_say_error("out of memory");
    }
    surface->column[0] = column;
    surfaces->count++;
    return true;
}

static bool add_column(struct shepard_surface *surface, size_t column)
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

static bool group_layer(struct shepard_surfaces *surfaces, const struct shepard_input *input,
                        size_t layer, bool alone)
{
    const struct shepard_point_set *const points = &input->layers[layer];
    const size_t first = surfaces->count;
    for (size_t c = 0; c < points->columns; c++) {
        size_t s = alone ? surfaces->count : first;
        while (s < surfaces->count && !same_gaps(points, surfaces->items[s].column[0], c)) {
            s++;
        }
        if (!(s < surfaces->count ? add_column(&surfaces->items[s], c)
                                  : add_surface(surfaces, layer, c))) {
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

static void watch_model(const struct shepard_model *model, struct shepard_watch *watch)
{
    struct shepard_model_info info;
    shepard_model_get_info(model, &info);
    shepard_watch_notice(info.notice, watch);
    add_timing(&watch->gpu, &info.timing);
}

static bool build_model(struct shepard_surface *surface, const struct shepard_point_set *points,
                        struct shepard_job *job)
{
    const double **const values = calloc(surface->columns, sizeof *values);
    if (!values) {
        return shepard_say_error("out of memory");
    }
    for (size_t c = 0; c < surface->columns; c++) {
        values[c] = points->values[surface->column[c]];
    }
    const struct shepard_data data = {.count = points->count,
                                      .x = points->x,
                                      .y = points->y,
                                      .columns = surface->columns,
                                      .values = values,
                                      .weights = points->weights};
    struct shepard_error error;
    /* NaN tells cells without a prediction from those that are predicted the nodata value. */
    struct shepard_options options = job->algorithm.options;
    options.nodata = NAN;
    const bool good = shepard_model_create(&data, &options, &surface->model, &error) == SHEPARD_OK;
    free(values);
    if (good) {
        watch_model(surface->model, &job->watch);
    }
    return good || shepard_blame(&job->algorithm, error.message);
}

static bool build_grid(struct shepard_surface *surface, const struct shepard_point_set *points,
                       const struct shepard_job *job)
{
    char *text = NULL;
    struct shepard_io_error error = {0};
    bool good = shepard_append_format(&text, "%s:", shepard_algorithm_name(&job->algorithm)) &&
                shepard_algorithm_text(&job->algorithm, &text);
    if (good &&
        shepard_gdal_grid_create(text, points->count, points->x, points->y,
                                 points->values[surface->column[0]], &surface->grid, &error)) {
        good = shepard_watch_error(error.message);
    }
    free(text);
    return good;
}

bool shepard_surfaces_build(struct shepard_surfaces *surfaces, const struct shepard_input *input,
                            struct shepard_job *job)
{
    const bool by_gdal = shepard_algorithm_by_gdal(&job->algorithm);
    shepard_watch_stage(&job->watch, SHEPARD_STAGE_BUILD);
    for (size_t layer = 0; layer < input->count; layer++) {
        if (!group_layer(surfaces, input, layer, by_gdal)) {
            return false;
        }
    }
    for (size_t s = 0; s < surfaces->count; s++) {
        struct shepard_surface *const surface = &surfaces->items[s];
        const struct shepard_point_set *const points = &input->layers[surface->layer];
        if (!shepard_watch_progress(0, &job->watch)) {
            return shepard_watch_error(NULL);
        }
        if (!(by_gdal ? build_grid(surface, points, job) : build_model(surface, points, job))) {
            return false;
        }
    }
    return true;
}

void shepard_surfaces_free(struct shepard_surfaces *surfaces)
{
    for (size_t s = 0; s < surfaces->count; s++) {
        free(surfaces->items[s].column);
        shepard_model_free(surfaces->items[s].model);
        shepard_gdal_grid_free(surfaces->items[s].grid);
    }
    free(surfaces->items);
    *surfaces = (struct shepard_surfaces){0};
}

static struct shepard_control control_of(struct shepard_job *job)
{
    return (struct shepard_control){.progress = shepard_watch_progress,
                                    .user = &job->watch,
                                    .notice = shepard_watch_notice,
                                    .timing = &job->watch.gpu};
}

bool shepard_surface_raster(const struct shepard_surface *surface,
                            const struct shepard_output *output,
                            const struct shepard_raster *raster,
                            const struct shepard_window *window, struct shepard_job *job)
{
    if (surface->grid) {
        struct shepard_io_error error;
        const struct shepard_io_control control = shepard_job_io_control(job);
        return shepard_gdal_grid_run(surface->grid, raster, window, output->values[0], &control,
                                     &error) == SHEPARD_IO_OK ||
               shepard_watch_error(error.message);
    }
    struct shepard_error error;
    const struct shepard_control control = control_of(job);
    return shepard_predict_raster(surface->model, raster, window, output, &control, &error) ==
               SHEPARD_OK ||
           shepard_blame(&job->algorithm, error.message);
}

bool shepard_surface_points(const struct shepard_surface *surface,
                            const struct shepard_output *output,
                            const struct shepard_targets *targets, struct shepard_job *job)
{
    struct shepard_error error;
    const struct shepard_control control = control_of(job);
    return shepard_predict_points(surface->model, targets, output, &control, &error) ==
               SHEPARD_OK ||
           shepard_blame(&job->algorithm, error.message);
}
