/* SPDX-License-Identifier: MIT */
#include "strip.h"

#include "message.h"

#include <stdlib.h>

/* Numbers that all bands of a strip may hold together: 64 MiB of them. */
enum { STRIP_NUMBERS = 8 * 1024 * 1024 };
/* Strips begin at multiples of this, which suits the library's blocks of cells and file tiles. */
enum { ROWS_MULTIPLE = 64 };

static size_t rows_at_once(const struct shepard_strip_job *strips)
{
    size_t rows = STRIP_NUMBERS / strips->results->count / strips->raster.columns;
    if (rows >= ROWS_MULTIPLE) {
        rows -= rows % ROWS_MULTIPLE;
    }
    rows = rows > 0 ? rows : 1;
    return rows < strips->raster.rows ? rows : strips->raster.rows;
}

static bool predict(const struct shepard_strip_job *strips, const struct shepard_window *window,
                    double *const *buffers)
{
    struct shepard_progress *const watch = &strips->job->watch;
    const double rows = (double)strips->raster.rows;
    const double part = (double)window->rows / rows / (double)strips->surfaces->count;
    double from = (double)window->row / rows;
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_WINDOW,
                                            .raster = strips->raster,
                                            .window = *window};
    shepard_progress_stage(watch, SHEPARD_STAGE_PREDICT);
    for (size_t s = 0; s < strips->surfaces->count; s++, from += part) {
        struct shepard_output output;
        shepard_results_output(strips->results, s, buffers, &output);
        shepard_progress_part(watch, from, from + part);
        if (!shepard_column_group_predict(&strips->surfaces->items[s], &targets, &output,
                                          strips->job)) {
            return false;
        }
    }
    for (size_t b = 0; b < strips->results->count; b++) {
        shepard_cells_fit(&strips->fits[b], buffers[b], window->columns * window->rows);
    }
    shepard_progress_part(watch, 0, 0);
    return true;
}

static bool write(const struct shepard_strip_job *strips, const struct shepard_window *window,
                  double *const *buffers)
{
    const struct shepard_io_control control = shepard_job_io_control(strips->job);
    shepard_progress_stage(&strips->job->watch, SHEPARD_STAGE_WRITE);
    for (size_t b = 0; b < strips->results->count; b++) {
        struct shepard_io_error error;
        if (shepard_raster_file_write(strips->file, b, window, buffers[b], &control, &error)) {
            return shepard_progress_error(error.message);
        }
    }
    return true;
}

/* One block of numbers, cut into a buffer for each result. */
static double **make_buffers(size_t count, size_t cells)
{
    double **const buffers = calloc(count, sizeof *buffers);
    double *const numbers = buffers ? malloc(count * cells * sizeof *numbers) : NULL;
    if (!numbers) {
        free(buffers);
        shepard_say_error("out of memory for a strip of the raster");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        buffers[i] = numbers + i * cells;
    }
    return buffers;
}

bool shepard_strips_run(const struct shepard_strip_job *strips)
{
    const struct shepard_raster *const raster = &strips->raster;
    const size_t rows = rows_at_once(strips);
    double **const buffers = make_buffers(strips->results->count, rows * raster->columns);
    bool good = buffers != NULL;
    for (size_t row = 0; good && row < raster->rows; row += rows) {
        const size_t left = raster->rows - row;
        const struct shepard_window window = {
            .row = row, .columns = raster->columns, .rows = left < rows ? left : rows};
        good = predict(strips, &window, buffers) && write(strips, &window, buffers);
    }
    if (buffers) {
        free(buffers[0]);
        free(buffers);
    }
    if (good) {
        shepard_progress_part(&strips->job->watch, 0, 1);
        good = shepard_progress_report(1, &strips->job->watch) || shepard_progress_error(NULL);
    }
    shepard_progress_part(&strips->job->watch, 0, 0);
    return good;
}
