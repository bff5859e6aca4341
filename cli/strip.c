/* SPDX-License-Identifier: MIT */
#include "strip.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Strips have a multiple of these rows where they can, which suits the library's blocks of cells.
 */
enum { ROWS_MULTIPLE = 64 };

/* What sampling a raster takes for a place. */
enum { SAMPLING_NUMBERS = 4 };

/* The numbers of one strip, a part of one block each. */
struct strip_buffers {
    size_t results, rasters; /* how many */
    double **of;             /* [results], then x and y of the cells, then [rasters] covariates */
    const double **at;       /* [rasters] the covariates again, for what only reads them */
    double **part;           /* [results] of a part of the strip; NULL: no mask */
    double **tile;           /* [results] of a tile; NULL: all points are in memory */
    unsigned char *inside;   /* the cells of the strip inside the mask; NULL: no mask */
};

struct strip_run {
    const struct shepard_strip_job *job;
    struct strip_buffers buffers;
    struct shepard_window window; /* the strip */
    double cells;                 /* of all windows */
    double done;                  /* share of all predictions */
};

/* ---- Size ------------------------------------------------------------------------------------ */

static size_t numbers_of_cell(const struct shepard_strip_job *job)
{
    const size_t rasters = job->surfaces->covariates->count;
    const size_t masked = job->mask->polygons ? job->results->count + 1 : 0;
    return job->results->count + masked + (rasters > 0 ? 2 + rasters + SAMPLING_NUMBERS : 0);
}

static size_t down_to_multiple(size_t number, size_t of)
{
    return number < of ? number : number - number % of;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Rows of whole blocks where that can be. */
static size_t rows_of_blocks(size_t most, size_t rows)
{
    const size_t several = rows * ((ROWS_MULTIPLE + rows - 1) / rows);
    return down_to_multiple(down_to_multiple(most, several), rows);
}

/* Whole blocks of the file, so that each is compressed once: of whole rows of the window where
 * these fit. */
static struct shepard_window strip_size(const struct shepard_strip_job *job,
                                        const struct shepard_window *window)
{
    const size_t cells = job->numbers_max / numbers_of_cell(job);
    struct shepard_window strip = {.columns = window->columns, .rows = cells / window->columns};
    size_t columns, rows;
    shepard_raster_file_block(job->file, &columns, &rows);
    if (strip.rows < rows && columns < window->columns) {
        strip.rows = rows;
        strip.columns = down_to_multiple(cells / rows, columns);
    } else {
        strip.rows = rows_of_blocks(strip.rows, rows);
    }
    if (job->blocks_max > 0) {
        strip.rows = rows;
        strip.columns = columns * smaller(job->blocks_max, 1 + cells / (columns * rows));
    }
    strip.columns =
        smaller(larger(strip.columns, job->whole_blocks ? columns : 1), window->columns);
    strip.rows = smaller(larger(strip.rows, job->whole_blocks ? rows : 1), window->rows);
    return strip;
}

/* ---- Predicting ------------------------------------------------------------------------------ */

static double cells_of(const struct shepard_window *window)
{
    return (double)window->columns * (double)window->rows;
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

/* What lies outside the mask lacks nothing. */
static void forget_outside(const struct strip_buffers *buffers, size_t cells)
{
    for (size_t r = 0; buffers->inside && r < buffers->rasters; r++) {
        double *const covariate = buffers->of[buffers->results + 2 + r];
        for (size_t i = 0; i < cells; i++) {
            covariate[i] = buffers->inside[i] ? covariate[i] : 0;
        }
    }
}

static bool add_trends(const struct strip_run *run)
{
    const struct shepard_strip_job *const job = run->job;
    const struct strip_buffers *const buffers = &run->buffers;
    const size_t cells = run->window.columns * run->window.rows;
    double *const x = buffers->of[buffers->results], *const y = buffers->of[buffers->results + 1];
    const struct shepard_targets centres = {
        .size = sizeof centres, .count = cells, .x = shepard_doubles(x), .y = shepard_doubles(y)};
    find_centres(&job->raster, &run->window, x, y);
    if (!shepard_covariates_at(job->surfaces->covariates, &centres, NULL,
                               buffers->of + buffers->results + 2, buffers->at, job->job)) {
        return false;
    }
    forget_outside(buffers, cells);
    const size_t lacking = shepard_column_groups_add_trends(job->surfaces, job->results,
                                                            buffers->at, cells, buffers->of);
    for (size_t b = 0; b < buffers->results; b++) {
        job->fits[b].lacking +=
            shepard_result_is_of_column(job->results->items[b].kind) ? lacking : 0;
    }
    return true;
}

/* All surfaces in one window of the raster. */
static bool predict_surfaces(struct strip_run *run, const struct shepard_window *window,
                             const struct shepard_column_group *surfaces, double *const *of)
{
    const struct shepard_strip_job *const job = run->job;
    const size_t levels = job->levels->count > 0 ? job->levels->count : 1;
    const size_t parts = levels * job->surfaces->count;
    const double part = cells_of(window) / run->cells / (double)parts;
    struct shepard_targets targets = {.size = sizeof targets,
                                      .kind = SHEPARD_TARGETS_WINDOW,
                                      .raster = job->raster,
                                      .window = *window};
    for (size_t i = 0; i < parts; i++, run->done += part) {
        const size_t s = i / levels, level = i % levels;
        struct shepard_output output;
        targets.raster_z = job->levels->count > 0 ? job->levels->z[level] : 0;
        shepard_results_output(job->results, s, level, of, &output);
        shepard_progress_part(&job->job->watch, run->done, run->done + part);
        if (!shepard_column_group_predict(&surfaces[s], &targets, &output, job->job)) {
            return false;
        }
    }
    return true;
}

/* Puts a tile's results where they are in a window's. */
static void put_tile(const struct strip_run *run, const struct shepard_window *tile,
                     const struct shepard_window *window, double *const *of)
{
    const struct strip_buffers *const buffers = &run->buffers;
    for (size_t b = 0; b < buffers->results; b++) {
        for (size_t i = 0; i < tile->rows; i++) {
            memcpy(of[b] + (tile->row - window->row + i) * window->columns + tile->column -
                       window->column,
                   buffers->tile[b] + i * tile->columns, tile->columns * sizeof **of);
        }
    }
}

/* Cells of a tile, at most. */
enum { TILE_CELLS = 1 << 21 };

/* Halves across the longer side, at a multiple of what suits the library's blocks of cells where
 * that can be. */
static void split_tile(const struct shepard_window *tile, struct shepard_window halves[2])
{
    const bool wide = tile->columns >= tile->rows;
    const size_t side = wide ? tile->columns : tile->rows;
    const size_t half = down_to_multiple(side / 2, ROWS_MULTIPLE);
    halves[0] = halves[1] = *tile;
    *(wide ? &halves[0].columns : &halves[0].rows) = half;
    *(wide ? &halves[1].column : &halves[1].row) += half;
    *(wide ? &halves[1].columns : &halves[1].rows) = side - half;
}

/* A part of a window from the points near it; of NULL: only whether there is room for them. */
static bool predict_tile(struct strip_run *run, const struct shepard_window *tile,
                         const struct shepard_window *window, double *const *of)
{
    const struct shepard_strip_job *const job = run->job;
    struct shepard_near_points *const near = job->near;
    const bool large = cells_of(tile) > TILE_CELLS;
    const size_t points = large ? 0 : shepard_near_mark(near, &job->raster, tile, 1);
    if ((large || points > near->points_max) && cells_of(tile) > 1) {
        struct shepard_window halves[2];
        split_tile(tile, halves);
        return predict_tile(run, &halves[0], window, of) &&
               predict_tile(run, &halves[1], window, of);
    }
    if (points > near->points_max) {
        return shepard_near_refuse(near, points);
    }
    if (!of) {
        return true;
    }
    if (!shepard_near_load(near, job->job) ||
        !predict_surfaces(run, tile, &near->loaded.surface, run->buffers.tile)) {
        return false;
    }
    put_tile(run, tile, window, of);
    return true;
}

/* Said before the first cell is computed. With a mask a window may hold what is not. */
static bool has_room(struct strip_run *run, const struct shepard_window *window)
{
    return !run->job->near || run->job->mask->polygons || predict_tile(run, window, window, NULL);
}

static bool predict_window(struct strip_run *run, const struct shepard_window *window,
                           double *const *of)
{
    const struct shepard_strip_job *const job = run->job;
    return job->near ? predict_tile(run, window, window, of)
                     : predict_surfaces(run, window, job->surfaces->items, of);
}

static bool predict_part(const struct shepard_window *part, void *user)
{
    struct strip_run *const run = user;
    const struct strip_buffers *const buffers = &run->buffers;
    if (!predict_window(run, part, buffers->part)) {
        return false;
    }
    for (size_t i = 0; i < part->rows; i++) {
        const size_t from = i * part->columns;
        const size_t to = (part->row + i - run->window.row) * run->window.columns + part->column -
                          run->window.column;
        for (size_t j = 0; j < part->columns; j++) {
            for (size_t b = 0; b < buffers->results && buffers->inside[to + j]; b++) {
                buffers->of[b][to + j] = buffers->part[b][from + j];
            }
        }
    }
    return true;
}

static bool predict_inside(struct strip_run *run)
{
    const struct strip_buffers *const buffers = &run->buffers;
    const size_t cells = run->window.columns * run->window.rows;
    size_t outside = 0;
    if (!shepard_mask_cells(run->job->mask, &run->job->raster, &run->window, buffers->inside)) {
        return false;
    }
    for (size_t i = 0; i < cells; i++) {
        outside += !buffers->inside[i];
    }
    for (size_t b = 0; b < buffers->results; b++) {
        run->job->fits[b].outside += outside;
        for (size_t i = 0; i < cells; i++) {
            buffers->of[b][i] = NAN;
        }
    }
    const struct shepard_mask_cover cover = {
        .inside = buffers->inside, .window = run->window, .visit = predict_part, .user = run};
    return shepard_mask_cover(&cover);
}

static bool predict(struct strip_run *run)
{
    const struct shepard_strip_job *const job = run->job;
    const struct strip_buffers *const buffers = &run->buffers;
    shepard_progress_stage(&job->job->watch, SHEPARD_STAGE_PREDICT);
    const bool good =
        buffers->inside ? predict_inside(run) : predict_window(run, &run->window, buffers->of);
    if (!good || (buffers->rasters > 0 && !add_trends(run))) {
        return false;
    }
    for (size_t b = 0; b < job->results->count; b++) {
        shepard_cells_fit(&job->fits[b], buffers->of[b], run->window.columns * run->window.rows);
        if (b < job->overview_count) {
            shepard_overview_add(&job->overviews[b], &run->window, buffers->of[b],
                                 job->fits[b].nodata);
        }
    }
    shepard_progress_part(&job->job->watch, 0, 0);
    return true;
}

static bool write(const struct strip_run *run)
{
    const struct shepard_strip_job *const job = run->job;
    const struct shepard_io_control control = shepard_job_io_control(job->job);
    shepard_progress_stage(&job->job->watch, SHEPARD_STAGE_WRITE);
    for (size_t b = 0; b < job->results->count; b++) {
        struct shepard_io_error error;
        if (shepard_raster_file_write(job->file, b, &run->window, run->buffers.of[b], &control,
                                      &error)) {
            return shepard_progress_error(error.message);
        }
    }
    struct shepard_io_error error;
    return !shepard_raster_file_keep(job->file, job->fits, job->results->count * sizeof *job->fits,
                                     &control, &error) ||
           shepard_progress_error(error.message);
}

/* ---- The run --------------------------------------------------------------------------------- */

static void free_buffers(struct strip_buffers *buffers)
{
    if (buffers->of) {
        free(buffers->of[0]);
    }
    if (buffers->tile) {
        free(buffers->tile[0]);
    }
    free(buffers->tile);
    free(buffers->of);
    free(buffers->at);
    free(buffers->inside);
}

static bool make_tile(struct strip_buffers *buffers, size_t cells)
{
    const size_t most = smaller(cells, TILE_CELLS);
    buffers->tile = calloc(buffers->results, sizeof *buffers->tile);
    double *const numbers =
        buffers->tile ? malloc(buffers->results * most * sizeof *numbers) : NULL;
    for (size_t i = 0; numbers && i < buffers->results; i++) {
        buffers->tile[i] = numbers + i * most;
    }
    return numbers || shepard_say_error("out of memory for a tile of the raster");
}

static bool make_buffers(struct strip_buffers *buffers, size_t cells,
                         const struct shepard_strip_job *job)
{
    const bool masked = job->mask->polygons;
    const size_t strip = buffers->results + (buffers->rasters > 0 ? 2 + buffers->rasters : 0);
    const size_t count = strip + (masked ? buffers->results : 0);
    buffers->of = calloc(count, sizeof *buffers->of);
    buffers->at = calloc(buffers->rasters + 1, sizeof *buffers->at);
    buffers->inside = masked ? malloc(cells) : NULL;
    double *const numbers = buffers->of && buffers->at && (buffers->inside || !masked)
                                ? malloc(count * cells * sizeof *numbers)
                                : NULL;
    for (size_t i = 0; numbers && i < count; i++) {
        buffers->of[i] = numbers + i * cells;
    }
    buffers->part = masked && buffers->of ? buffers->of + strip : NULL;
    if (!numbers) {
        return shepard_say_error("out of memory for a strip of the raster");
    }
    return !job->near || make_tile(buffers, cells);
}

/* All strips of one window; before: cells of earlier ones. */
static bool run_strips(struct strip_run *run, const struct shepard_window *all, double before)
{
    const struct shepard_window size = strip_size(run->job, all);
    struct shepard_window *const window = &run->window;
    for (size_t row = 0; row < all->rows; row += size.rows) {
        window->row = all->row + row;
        window->rows = smaller(size.rows, all->rows - row);
        for (size_t column = 0; column < all->columns; column += size.columns) {
            window->column = all->column + column;
            window->columns = smaller(size.columns, all->columns - column);
            run->done = before / run->cells;
            if (!predict(run) || !write(run)) {
                return false;
            }
            before += cells_of(window);
        }
    }
    return true;
}

static bool run_windows(struct strip_run *run, const struct shepard_window *windows, size_t count)
{
    size_t cells = 0;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const struct shepard_window size = strip_size(run->job, &windows[i]);
        cells = size.columns * size.rows > cells ? size.columns * size.rows : cells;
        run->cells += cells_of(&windows[i]);
        good = good && has_room(run, &windows[i]);
    }
    run->job->job->watch.cells = run->cells;
    good = good && (count == 0 || make_buffers(&run->buffers, cells, run->job));
    double before = 0;
    for (size_t i = 0; i < count && good; i++) {
        good = run_strips(run, &windows[i], before);
        before += cells_of(&windows[i]);
    }
    free_buffers(&run->buffers);
    return good;
}

double *shepard_strip_values(const struct shepard_strip_job *job,
                             const struct shepard_window *window)
{
    struct strip_run run = {
        .job = job,
        .window = *window,
        .cells = (double)job->raster.columns * (double)job->raster.rows,
        .buffers = {.results = job->results->count, .rasters = job->surfaces->covariates->count}};
    double *values = NULL;
    if (make_buffers(&run.buffers, window->columns * window->rows, job) && predict(&run)) {
        values = run.buffers.of[0];
        run.buffers.of[0] = NULL;
    }
    free_buffers(&run.buffers);
    return values;
}

bool shepard_strips_run(const struct shepard_strip_job *job)
{
    struct strip_run run = {
        .job = job,
        .buffers = {.results = job->results->count, .rasters = job->surfaces->covariates->count}};
    struct shepard_window windows[SHEPARD_PART_WINDOWS];
    bool good = job->region
                    ? run_windows(&run, job->region->windows, job->region->count)
                    : run_windows(&run, windows, shepard_raster_file_windows(job->file, windows));
    job->job->watch.cells = 0;
    if (good) {
        shepard_progress_part(&job->job->watch, 0, 1);
        good = shepard_progress_report(1, &job->job->watch) || shepard_progress_error(NULL);
    }
    shepard_progress_part(&job->job->watch, 0, 0);
    return good;
}
