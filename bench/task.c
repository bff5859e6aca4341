/* SPDX-License-Identifier: MIT */
#include "task.h"

#include "case.h"

/* Cells of a window at most, 40 MB of results a column, and its rows: whole tiles of the library's
 * own, as the command's windows have. */
#define WINDOW_CELLS 5120000
#define WINDOW_ROWS 16

size_t shepard_task_targets(const struct shepard_task *task)
{
    return task->side ? task->side * task->side : task->cloud->m;
}

struct shepard_raster shepard_task_raster(const struct shepard_task *task)
{
    const double cell = SHEPARD_CLOUD_SIDE / (double)task->side;
    return (struct shepard_raster){.x0 = SHEPARD_CLOUD_X0,
                                   .y0 = SHEPARD_CLOUD_Y0 + SHEPARD_CLOUD_SIDE,
                                   .dx = cell,
                                   .dy = -cell,
                                   .columns = task->side,
                                   .rows = task->side};
}

void shepard_task_place(const struct shepard_task *task, size_t i, double *x, double *y)
{
    if (!task->side) {
        *x = task->cloud->target_x[i];
        *y = task->cloud->target_y[i];
        return;
    }
    const struct shepard_raster raster = shepard_task_raster(task);
    *x = raster.x0 + ((double)(i % task->side) + 0.5) * raster.dx;
    *y = raster.y0 + ((double)(i / task->side) + 0.5) * raster.dy;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The least multiple of unit that is a or more. */
static size_t round_up(size_t a, size_t unit)
{
    return (a + unit - 1) / unit * unit;
}

size_t shepard_task_step(const struct shepard_task *task)
{
    if (!task->side)
        return task->cloud->m;
    const size_t rows = WINDOW_CELLS / task->side / WINDOW_ROWS * WINDOW_ROWS;
    return task->side * smaller(rows ? rows : WINDOW_ROWS, task->side);
}

struct shepard_part shepard_task_piece(const struct shepard_task *task, size_t least)
{
    if (!task->side)
        return (struct shepard_part){0, smaller(least, task->cloud->m)};
    const size_t wanted = round_up(round_up(least, task->side) / task->side, WINDOW_ROWS);
    const size_t rows = smaller(wanted, shepard_task_step(task) / task->side);
    const size_t top = (task->side - rows) / 2 / WINDOW_ROWS * WINDOW_ROWS;
    return (struct shepard_part){top * task->side, rows * task->side};
}

struct shepard_model *shepard_task_model(const struct shepard_task *task)
{
    return shepard_case_model(task->cloud, task->columns, &task->options);
}

bool shepard_task_predict(const struct shepard_task *task, const struct shepard_model *model,
                          struct shepard_part part, double *const *values,
                          struct shepard_work *work)
{
    const struct shepard_output output = {.values = values};
    const struct shepard_control control = {.work = work};
    struct shepard_error error;
    enum shepard_status status;
    if (task->side) {
        const struct shepard_raster raster = shepard_task_raster(task);
        const struct shepard_window window = {
            .row = part.first / task->side, .columns = task->side, .rows = part.count / task->side};
        status = shepard_predict_raster(model, &raster, &window, &output, &control, &error);
    } else {
        const struct shepard_targets targets = {.count = part.count,
                                                .x = task->cloud->target_x + part.first,
                                                .y = task->cloud->target_y + part.first};
        status = shepard_predict_points(model, &targets, &output, &control, &error);
    }
    if (status)
        fprintf(stderr, "bench_core: %s\n", error.message);
    return !status;
}
