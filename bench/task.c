/* SPDX-License-Identifier: MIT */
#include "task.h"

#include <stdio.h>

bool shepard_task_draw(struct shepard_dataset *dataset, enum shepard_dataset_kind kind, size_t n,
                       size_t m, size_t columns)
{
    *dataset = (struct shepard_dataset){.kind = kind, .n = n, .m = m, .columns = columns};
    if (shepard_dataset_draw(dataset, 0))
        return true;
    fputs("bench: no memory for the data\n", stderr);
    return false;
}

struct shepard_task shepard_task_of(const struct shepard_dataset *dataset, size_t threads,
                                    const struct shepard_variant *variant)
{
    struct shepard_task task = {.dataset = dataset, .columns = 1};
    shepard_points_options_init(&task.options);
    shepard_parameters_init(&task.parameters);
    task.options.backend = SHEPARD_BACKEND_CPU;
    task.options.threads = (int)threads;
    task.parameters.precision = SHEPARD_PRECISION_SINGLE;
    task.parameters.eps = 1e-4;
    task.parameters.method = variant->method;
    task.parameters.degree = variant->degree;
    task.parameters.neighbourhood.max_points = variant->neighbours;
    if (variant->power > 0)
        task.parameters.power = variant->power;
    return task;
}

struct shepard_part shepard_task_all(const struct shepard_task *task)
{
    return (struct shepard_part){0, task->side ? task->side * task->side : task->dataset->m};
}

/* Over the dataset's square, north-up. */
static struct shepard_raster raster_of(const struct shepard_task *task)
{
    const double cell = SHEPARD_DATASET_SIDE / (double)task->side;
    return (struct shepard_raster){.x0 = SHEPARD_DATASET_X0,
                                   .y0 = SHEPARD_DATASET_Y0 + SHEPARD_DATASET_SIDE,
                                   .dx = cell,
                                   .dy = -cell,
                                   .columns = task->side,
                                   .rows = task->side};
}

void shepard_task_place(const struct shepard_task *task, size_t i, double *x, double *y)
{
    if (!task->side) {
        *x = task->dataset->target_x[i];
        *y = task->dataset->target_y[i];
        return;
    }
    const struct shepard_raster raster = raster_of(task);
    *x = raster.x0 + ((double)(i % task->side) + 0.5) * raster.dx;
    *y = raster.y0 + ((double)(i / task->side) + 0.5) * raster.dy;
}

static struct shepard_targets targets_of(const struct shepard_task *task, struct shepard_part part)
{
    struct shepard_targets targets = shepard_dataset_targets(task->dataset, part.count);
    if (task->side) {
        targets.kind = SHEPARD_TARGETS_WINDOW;
        targets.raster = raster_of(task);
        targets.window = (struct shepard_window){
            .row = part.first / task->side, .columns = task->side, .rows = part.count / task->side};
    } else {
        targets.x = shepard_doubles(task->dataset->target_x + part.first);
        targets.y = shepard_doubles(task->dataset->target_y + part.first);
    }
    if (task->leave_one_out)
        targets.kind = SHEPARD_TARGETS_LEAVE_ONE_OUT;
    targets.memory = task->memory;
    return targets;
}

static enum shepard_status say(enum shepard_status status, const struct shepard_error *error)
{
    if (status)
        fprintf(stderr, "bench: %s\n", error->message);
    return status;
}

enum shepard_status shepard_task_put_points(const struct shepard_task *task,
                                            struct shepard_preparation *made)
{
    struct shepard_coordinates coordinates =
        shepard_dataset_coordinates(task->dataset, task->dataset->n);
    struct shepard_error error;
    coordinates.memory = task->memory;
    return say(shepard_points_create(&coordinates, &task->options, &made->points, &error), &error);
}

enum shepard_status shepard_task_make(const struct shepard_task *task,
                                      struct shepard_preparation *made)
{
    struct shepard_values values = shepard_dataset_values(task->dataset);
    struct shepard_error error;
    values.column_count = task->columns;
    values.columns += task->column;
    values.memory = task->memory;
    *made = (struct shepard_preparation){NULL, NULL};
    const enum shepard_status status = shepard_task_put_points(task, made);
    return status ? status
                  : say(shepard_field_create(made->points, &values, &made->field, &error), &error);
}

enum shepard_status shepard_task_prepare(const struct shepard_task *task,
                                         struct shepard_preparation *made)
{
    struct shepard_error error;
    const enum shepard_status status = shepard_task_make(task, made);
    return status
               ? status
               : say(shepard_prepare(made->field, &task->parameters, NULL, NULL, &error), &error);
}

enum shepard_status shepard_task_predict(const struct shepard_task *task,
                                         const struct shepard_preparation *made,
                                         struct shepard_part part, double *const *values,
                                         const struct shepard_control *control)
{
    const struct shepard_targets targets = targets_of(task, part);
    struct shepard_output_array columns[SHEPARD_PAPER_COLUMNS_MAX];
    for (size_t c = 0; c < task->columns; c++)
        columns[c] = shepard_output_doubles(values[c]);
    const struct shepard_output_array sds = shepard_output_doubles(task->sds);
    const struct shepard_output output = {.size = sizeof output,
                                          .values = columns,
                                          .sds = task->sds ? &sds : NULL,
                                          .memory = task->memory};
    struct shepard_error error;
    return say(shepard_predict(made->field, &task->parameters, &targets, &output, control, &error),
               &error);
}

void shepard_preparation_free(struct shepard_preparation *made)
{
    shepard_field_free(made->field);
    shepard_points_free(made->points);
    *made = (struct shepard_preparation){NULL, NULL};
}

struct shepard_points_info shepard_preparation_info(const struct shepard_preparation *made)
{
    struct shepard_points_info info = {.size = sizeof info};
    struct shepard_field_info field = {.size = sizeof field};
    shepard_points_get_info(made->points, &info);
    shepard_field_get_info(made->field, &field);
    info.bytes += field.bytes;
    info.device_bytes += field.device_bytes;
    info.notice = info.notice[0] ? info.notice : field.notice;
    union shepard_task_stages both = {info.timing}, more = {field.timing};
    for (int s = 0; s < SHEPARD_TASK_STAGES; s++)
        both.seconds[s] += more.seconds[s];
    info.timing = both.timing;
    return info;
}
