/* SPDX-License-Identifier: MIT */
#include "api/backends.h"
#include "api/options.h"
#include "base/fault.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/span.h"

#include <stdio.h>

struct shepard_model {
    struct shepard_allocator allocator;             /* a copy, where the caller gave one */
    const struct shepard_allocator *allocator_used; /* &allocator or NULL */
    struct shepard_points points;
    struct shepard_rules rules;
    double area; /* user units */
    const struct shepard_backend_table *backend;
    struct shepard_engine *engine;
    char notice[480]; /* why it is not on the backend that was tried first; "" */
};

static enum shepard_status missing(const char *argument, struct shepard_error *error)
{
    return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, argument, "%s is NULL: give a valid pointer",
                        argument);
}

static enum shepard_status check_weights(const struct shepard_data *data,
                                         struct shepard_error *error)
{
    for (size_t i = 0; data->weights != NULL && i < data->count; i++)
        if (data->weights[i] < 0)
            return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "data.weights",
                                "data.weights[%zu] is %g: weights must not be negative", i,
                                data->weights[i]);
    return SHEPARD_OK;
}

static enum shepard_status check_data(const struct shepard_data *data, struct shepard_error *error)
{
    if (data->count == 0)
        return shepard_fail(error, SHEPARD_ERROR_NO_POINTS, "data.count",
                            "there is no data point: give at least one");
    if (data->count > SHEPARD_POINTS_MAX)
        return shepard_fail(
            error, SHEPARD_ERROR_SIZE, "data.count",
            "%zu data points are more than the %u that a model takes: split or thin "
            "the data",
            data->count, SHEPARD_POINTS_MAX);
    if (data->columns == 0 || data->columns > SHEPARD_COLUMNS_MAX)
        return shepard_fail(error, data->columns == 0 ? SHEPARD_ERROR_ARGUMENT : SHEPARD_ERROR_SIZE,
                            "data.columns", "data.columns is %zu: it must be 1 to %u",
                            data->columns, SHEPARD_COLUMNS_MAX);
    if (data->x == NULL)
        return missing("data.x", error);
    if (data->y == NULL)
        return missing("data.y", error);
    if (data->values == NULL)
        return missing("data.values", error);
    for (size_t c = 0; c < data->columns; c++)
        if (data->values[c] == NULL)
            return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "data.values",
                                "data.values[%zu] is NULL: give a pointer to data.count values", c);
    return check_weights(data, error);
}

static enum shepard_status check_area(const struct shepard_options *options,
                                      const struct shepard_points *points, double *area,
                                      struct shepard_error *error)
{
    const struct shepard_frame *frame = &points->frame;
    const bool stretched = frame->stretch.ratio != 1;
    const struct shepard_box *box = stretched ? &frame->box : &points->box;
    const double scale = stretched ? frame->scale : 1;
    bool given = options->adaptive.area > 0;
    const double width = (box->x_max - box->x_min) / scale;
    const double height = (box->y_max - box->y_min) / scale;
    *area = given ? options->adaptive.area : width * height * frame->stretch.ratio;
    bool flat = box->x_max == box->x_min || box->y_max == box->y_min;
    if (options->method == SHEPARD_AIDW && !given && flat)
        return shepard_fail(error, SHEPARD_ERROR_AREA, "options.adaptive.area",
                            "the %zu data points span a box of area 0: AIDW needs the area of the "
                            "study region, give options.adaptive.area",
                            points->count);
    return SHEPARD_OK;
}

/* The points, held by the model or, where it takes them in itself, by the backend. */
static enum shepard_status take(const struct shepard_data *data,
                                const struct shepard_options *options, struct shepard_model *model,
                                struct shepard_error *error)
{
    const struct shepard_allocator *allocator = model->allocator_used;
    if (model->backend->take != NULL) {
        model->points = (struct shepard_points){.columns = data->columns, .allocator = allocator};
        return model->backend->take(data, options, &model->points, error);
    }
    const struct shepard_stretch stretch =
        shepard_stretch_of(options->anisotropy_ratio, options->anisotropy_angle);
    return shepard_points_create(data, &stretch, shepard_threads(options->threads), allocator,
                                 &model->points, error);
}

static enum shepard_status build_engine(const struct shepard_data *data,
                                        const struct shepard_options *options,
                                        struct shepard_model *model, struct shepard_error *error)
{
    enum shepard_status status = take(data, options, model, error);
    if (status == SHEPARD_OK)
        status = shepard_span_check(data, options, &model->points, error);
    if (status == SHEPARD_OK)
        status = check_area(options, &model->points, &model->area, error);
    if (status != SHEPARD_OK)
        return status;
    model->rules = shepard_rules_of(options, &model->points);
    return model->backend->create(&model->points, &model->rules, &model->engine, error);
}

/* Whether another backend may do what this one had no room, or no working device, for. */
static bool may_fit_elsewhere(enum shepard_status status)
{
    return status == SHEPARD_ERROR_MEMORY || status == SHEPARD_ERROR_SIZE ||
           status == SHEPARD_ERROR_BACKEND;
}

/* AUTO is no order to use a GPU: where that fails, the processor takes over. */
static enum shepard_status build(const struct shepard_data *data,
                                 const struct shepard_options *options, struct shepard_model *model,
                                 struct shepard_error *error)
{
    struct shepard_error first = {.message = ""};
    model->backend = shepard_backends_find(data, options, error);
    if (model->backend == NULL)
        return SHEPARD_ERROR_BACKEND;
    if (options->backend != SHEPARD_BACKEND_AUTO || model->backend != &shepard_backend_cuda)
        return build_engine(data, options, model, error);
    enum shepard_status status = build_engine(data, options, model, &first);
    if (may_fit_elsewhere(status)) {
        snprintf(model->notice, sizeof model->notice,
                 "the processor computes what a GPU could not take: %s", first.message);
        shepard_points_free(&model->points);
        model->backend = &shepard_backend_cpu;
        return build_engine(data, options, model, error);
    }
    if (status != SHEPARD_OK && error != NULL)
        *error = first;
    return status;
}

static enum shepard_status check_call(const struct shepard_data *data,
                                      const struct shepard_options *options,
                                      struct shepard_model *const *model,
                                      struct shepard_error *error)
{
    if (data == NULL)
        return missing("data", error);
    if (options == NULL)
        return missing("options", error);
    if (model == NULL)
        return missing("model", error);
    const struct shepard_allocator *allocator = options->allocator;
    if (allocator != NULL && allocator->allocate == NULL)
        return missing("options.allocator->allocate", error);
    if (allocator != NULL && allocator->release == NULL)
        return missing("options.allocator->release", error);
    enum shepard_status status = shepard_options_check(options, error);
    return status == SHEPARD_OK ? check_data(data, error) : status;
}

enum shepard_status shepard_model_create(const struct shepard_data *data,
                                         const struct shepard_options *options,
                                         struct shepard_model **model, struct shepard_error *error)
{
    enum shepard_status status = check_call(data, options, model, error);
    if (status != SHEPARD_OK)
        return status;
    struct shepard_model *made = shepard_allocate(options->allocator, 1, sizeof *made);
    if (made == NULL)
        return shepard_fail_memory(error, "the model");
    *made = (struct shepard_model){0};
    if (options->allocator != NULL) {
        made->allocator = *options->allocator;
        made->allocator_used = &made->allocator;
    }
    status = build(data, options, made, error);
    if (status == SHEPARD_OK)
        *model = made;
    else
        shepard_model_free(made);
    return status;
}

void shepard_model_free(struct shepard_model *model)
{
    if (model == NULL)
        return;
    if (model->engine != NULL)
        model->backend->free(model->engine);
    shepard_points_free(&model->points);
    const struct shepard_allocator allocator = model->allocator;
    shepard_release(model->allocator_used != NULL ? &allocator : NULL, model);
}

void shepard_model_get_info(const struct shepard_model *model, struct shepard_model_info *info)
{
    const struct shepard_box *box = &model->points.box;
    *info = (struct shepard_model_info){
        .points = model->points.count,
        .skipped = model->points.skipped,
        .columns = model->points.columns,
        .x_min = box->x_min,
        .x_max = box->x_max,
        .y_min = box->y_min,
        .y_max = box->y_max,
        .area = model->area,
        .bytes = sizeof *model + shepard_points_bytes(&model->points) +
                 model->backend->bytes(model->engine),
        .threads = model->rules.threads,
        .backend = model->backend->name,
        .isa = model->backend->isa(model->engine),
        .notice = model->notice,
    };
    if (model->backend->tell != NULL)
        model->backend->tell(model->engine, info);
}

static enum shepard_status run(const struct shepard_model *model,
                               const struct shepard_targets_view *targets,
                               const struct shepard_output *output,
                               const struct shepard_control *control, struct shepard_error *error)
{
    if (output == NULL)
        return missing("output", error);
    if (targets->count == 0)
        return SHEPARD_OK;
    const struct shepard_job job = {targets, output, control};
    enum shepard_status status = model->backend->predict(model->engine, &job, error);
    if (status == SHEPARD_ERROR_CANCELLED)
        shepard_fail(error, status, "control", "the progress callback cancelled the prediction");
    return status;
}

static enum shepard_status view_of_list(const struct shepard_targets *targets,
                                        struct shepard_targets_view *view,
                                        struct shepard_error *error)
{
    if (targets == NULL)
        return missing("targets", error);
    if (targets->count > SHEPARD_POINTS_MAX)
        return shepard_fail(
            error, SHEPARD_ERROR_SIZE, "targets.count",
            "%zu targets are more than the %u that one call takes: predict in parts",
            targets->count, SHEPARD_POINTS_MAX);
    if (targets->count > 0 && targets->x == NULL)
        return missing("targets.x", error);
    if (targets->count > 0 && targets->y == NULL)
        return missing("targets.y", error);
    *view =
        (struct shepard_targets_view){.count = targets->count, .x = targets->x, .y = targets->y};
    return SHEPARD_OK;
}

static enum shepard_status check_raster(const struct shepard_raster *raster,
                                        struct shepard_error *error)
{
    bool finite = isfinite(raster->x0) && isfinite(raster->y0) && isfinite(raster->dx) &&
                  isfinite(raster->dy);
    if (!finite || raster->dx == 0 || raster->dy == 0)
        return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "raster",
                            "the raster's corner (%g, %g) and cell size %g x %g must be finite and "
                            "the size not 0",
                            raster->x0, raster->y0, raster->dx, raster->dy);
    if (raster->columns == 0 || raster->rows == 0)
        return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "raster.columns",
                            "a raster of %zu x %zu cells is empty: give at least 1 x 1",
                            raster->columns, raster->rows);
    return SHEPARD_OK;
}

static bool inside(size_t first, size_t extent, size_t whole)
{
    return first <= whole && extent <= whole - first;
}

static enum shepard_status view_of_raster(const struct shepard_raster *raster,
                                          const struct shepard_window *window,
                                          struct shepard_targets_view *view,
                                          struct shepard_error *error)
{
    if (raster == NULL)
        return missing("raster", error);
    enum shepard_status status = check_raster(raster, error);
    if (status != SHEPARD_OK)
        return status;
    const struct shepard_window whole = {0, 0, raster->columns, raster->rows};
    const struct shepard_window part = window != NULL ? *window : whole;
    if (!inside(part.column, part.columns, raster->columns) ||
        !inside(part.row, part.rows, raster->rows))
        return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "window",
                            "the window of %zu x %zu cells from column %zu, row %zu is not inside "
                            "the raster of %zu x %zu cells",
                            part.columns, part.rows, part.column, part.row, raster->columns,
                            raster->rows);
    if (part.rows != 0 && part.columns > SHEPARD_POINTS_MAX / part.rows)
        return shepard_fail(error, SHEPARD_ERROR_SIZE, "window",
                            "%zu x %zu cells are more than the %u that one call takes: predict "
                            "window by window",
                            part.columns, part.rows, SHEPARD_POINTS_MAX);
    *view = (struct shepard_targets_view){
        .count = part.columns * part.rows, .raster = raster, .window = part};
    return SHEPARD_OK;
}

enum shepard_status shepard_predict_points(const struct shepard_model *model,
                                           const struct shepard_targets *targets,
                                           const struct shepard_output *output,
                                           const struct shepard_control *control,
                                           struct shepard_error *error)
{
    if (model == NULL)
        return missing("model", error);
    struct shepard_targets_view view;
    enum shepard_status status = view_of_list(targets, &view, error);
    return status == SHEPARD_OK ? run(model, &view, output, control, error) : status;
}

enum shepard_status
shepard_predict_raster(const struct shepard_model *model, const struct shepard_raster *raster,
                       const struct shepard_window *window, const struct shepard_output *output,
                       const struct shepard_control *control, struct shepard_error *error)
{
    if (model == NULL)
        return missing("model", error);
    struct shepard_targets_view view;
    enum shepard_status status = view_of_raster(raster, window, &view, error);
    return status == SHEPARD_OK ? run(model, &view, output, control, error) : status;
}

enum shepard_status shepard_nearest_points(const struct shepard_model *model,
                                           const struct shepard_targets *targets, size_t k,
                                           uint32_t *indices, double *distances,
                                           const struct shepard_control *control,
                                           struct shepard_error *error)
{
    if (model == NULL)
        return missing("model", error);
    if (k == 0)
        return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "k", "k is 0: ask for at least 1");
    struct shepard_targets_view view;
    enum shepard_status status = view_of_list(targets, &view, error);
    if (status != SHEPARD_OK || view.count == 0)
        return status;
    if (k > SIZE_MAX / sizeof(double) / view.count)
        return shepard_fail(error, SHEPARD_ERROR_SIZE, "k",
                            "%zu neighbours of %zu targets are more than memory holds", k,
                            view.count);
    const struct shepard_nearest_job job = {&view, k, indices, distances, control};
    status = model->backend->nearest(model->engine, &job, error);
    if (status == SHEPARD_ERROR_CANCELLED)
        shepard_fail(error, status, "control", "the progress callback cancelled the search");
    return status;
}
