/* SPDX-License-Identifier: MIT */
#include "strip.h"

#include "message.h"

#include <stdlib.h>

/* Numbers that all bands of a strip may hold together: 64 MiB of them. */
enum { STRIP_NUMBERS = 8 * 1024 * 1024 };
/* Strips begin at multiples of this, which suits the library's blocks of cells and file tiles. */
enum { ROWS_MULTIPLE = 64 };

/* What sampling a raster takes for a place. */
enum { SAMPLING_NUMBERS = 4 };

/* The numbers of one strip, a part of one block each. */
struct strip_buffers {
    size_t results, rasters; /* how many */
    double **of;             /* [results], then x and y of the cells, then [rasters] covariates */
    const double **at;       /* [rasters] the covariates again, for what only reads them */
};

static size_t numbers_of_cell(const struct shepard_strip_job *strips)
{
    const size_t rasters = strips->surfaces->covariates->count;
    return strips->results->count + (rasters > 0 ? 2 + rasters + SAMPLING_NUMBERS : 0);
}

static size_t rows_at_once(const struct shepard_strip_job *strips)
{
    size_t rows = STRIP_NUMBERS / numbers_of_cell(strips) / strips->raster.columns;
    if (rows >= ROWS_MULTIPLE) {
        rows -= rows % ROWS_MULTIPLE;
    }
    rows = rows > 0 ? rows : 1;
    return rows < strips->raster.rows ? rows : strips->raster.rows;
}

static void find_centres(const struct shepard_raster *raster, const struct shepard_window *window,
                         double *x, double *y)
{
    for (size_t i = 0; i < window->rows; i++) {
        for (size_t j = 0; j < window->columns; j++) {
            const size_t cell = i * window->columns + j;
            x[cell] = raster->x0 + ((double)(window->column + j) + 0.5) * raster->dx;
            y[cell] = raster->y0 + ((double)(window->row + i) + 0.5) * raster->dy;
        }
    }
}

static bool add_trends(const struct shepard_strip_job *strips, const struct shepard_window *window,
                       const struct strip_buffers *buffers)
{
    const size_t cells = window->columns * window->rows;
    double *const x = buffers->of[buffers->results], *const y = buffers->of[buffers->results + 1];
    const struct shepard_targets centres = {
        .size = sizeof centres, .count = cells, .x = shepard_doubles(x), .y = shepard_doubles(y)};
    find_centres(&strips->raster, window, x, y);
    if (!shepard_covariates_at(strips->surfaces->covariates, &centres, NULL,
                               buffers->of + buffers->results + 2, buffers->at, strips->job)) {
        return false;
    }
    const size_t lacking = shepard_column_groups_add_trends(strips->surfaces, strips->results,
                                                            buffers->at, cells, buffers->of);
    for (size_t b = 0; b < buffers->results; b++) {
        strips->fits[b].lacking +=
            shepard_result_is_of_column(strips->results->items[b].kind) ? lacking : 0;
    }
    return true;
}

static bool predict(const struct shepard_strip_job *strips, const struct shepard_window *window,
                    const struct strip_buffers *buffers)
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
        shepard_results_output(strips->results, s, buffers->of, &output);
        shepard_progress_part(watch, from, from + part);
        if (!shepard_column_group_predict(&strips->surfaces->items[s], &targets, &output,
                                          strips->job)) {
            return false;
        }
    }
    if (buffers->rasters > 0 && !add_trends(strips, window, buffers)) {
        return false;
    }
    for (size_t b = 0; b < strips->results->count; b++) {
        shepard_cells_fit(&strips->fits[b], buffers->of[b], window->columns * window->rows);
        if (b < strips->overview_count) {
            shepard_overview_add(&strips->overviews[b], window, buffers->of[b],
                                 strips->fits[b].nodata);
        }
    }
    shepard_progress_part(watch, 0, 0);
    return true;
}

static bool write(const struct shepard_strip_job *strips, const struct shepard_window *window,
                  const struct strip_buffers *buffers)
{
    const struct shepard_io_control control = shepard_job_io_control(strips->job);
    shepard_progress_stage(&strips->job->watch, SHEPARD_STAGE_WRITE);
    for (size_t b = 0; b < strips->results->count; b++) {
        struct shepard_io_error error;
        if (shepard_raster_file_write(strips->file, b, window, buffers->of[b], &control, &error)) {
            return shepard_progress_error(error.message);
        }
    }
    return true;
}

static void free_buffers(struct strip_buffers *buffers)
{
    if (buffers->of) {
        free(buffers->of[0]);
    }
    free(buffers->of);
    free(buffers->at);
}

static bool make_buffers(struct strip_buffers *buffers, size_t cells)
{
    const size_t count = buffers->results + (buffers->rasters > 0 ? 2 + buffers->rasters : 0);
    buffers->of = calloc(count, sizeof *buffers->of);
    buffers->at = calloc(buffers->rasters + 1, sizeof *buffers->at);
    double *const numbers =
        buffers->of && buffers->at ? malloc(count * cells * sizeof *numbers) : NULL;
    for (size_t i = 0; numbers && i < count; i++) {
        buffers->of[i] = numbers + i * cells;
    }
    return numbers || shepard_say_error("out of memory for a strip of the raster");
}

bool shepard_strips_run(const struct shepard_strip_job *strips)
{
    const struct shepard_raster *const raster = &strips->raster;
    const size_t rows = rows_at_once(strips);
    struct strip_buffers buffers = {.results = strips->results->count,
                                    .rasters = strips->surfaces->covariates->count};
    bool good = make_buffers(&buffers, rows * raster->columns);
    for (size_t row = 0; good && row < raster->rows; row += rows) {
        const size_t left = raster->rows - row;
        const struct shepard_window window = {
            .row = row, .columns = raster->columns, .rows = left < rows ? left : rows};
        good = predict(strips, &window, &buffers) && write(strips, &window, &buffers);
    }
    free_buffers(&buffers);
    if (good) {
        shepard_progress_part(&strips->job->watch, 0, 1);
        good = shepard_progress_report(1, &strips->job->watch) || shepard_progress_error(NULL);
    }
    shepard_progress_part(&strips->job->watch, 0, 0);
    return good;
}
