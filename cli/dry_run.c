/* SPDX-License-Identifier: MIT */
#include "dry_run.h"

#include "message.h"
#include "target_raster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Windows are doubled while one takes less than SHORT seconds; as many as take ENOUGH are timed. */
enum { SIDE_LEAST = 16, SIDE_MOST = 256, WINDOWS_MOST = 12 };
static const double SHORT = 0.05, ENOUGH = 0.4;

struct dry_run_sample {
    const struct shepard_strip_job *strips;
    struct shepard_strip_job job; /* the same without a mask, with counts of its own */
    struct shepard_window window; /* the last one */
    double *values;               /* its results */
    double prepare, cell;         /* seconds */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* Places that fill a square evenly, however many there are: multiples of the powers of 1/1.3247,
 * the root of x^3 = x + 1, modulo 1. */
static struct shepard_window window_at(const struct shepard_raster *raster, size_t side, size_t i)
{
    struct shepard_window window = {.columns = smaller(side, raster->columns),
                                    .rows = smaller(side, raster->rows)};
    const double u = fmod(0.5 + 0.7548776662466927 * (double)i, 1);
    const double v = fmod(0.5 + 0.5698402909980532 * (double)i, 1);
    window.column = (size_t)(u * (double)(raster->columns - window.columns));
    window.row = (size_t)(v * (double)(raster->rows - window.rows));
    return window;
}

static bool time_window(struct dry_run_sample *sampling, double *seconds)
{
    const double begin = shepard_progress_clock();
    free(sampling->values);
    sampling->values = shepard_strip_values(&sampling->job, &sampling->window);
    *seconds = shepard_progress_clock() - begin;
    return sampling->values;
}

/* The better of two times: a run touches fresh memory once, and every window would. */
static bool time_twice(struct dry_run_sample *sampling, size_t side, size_t i, double *seconds)
{
    double again = 0;
    sampling->window = window_at(&sampling->job.raster, side, i);
    const bool good = time_window(sampling, seconds) && time_window(sampling, &again);
    *seconds = fmin(*seconds, again);
    return good;
}

static bool covers(const struct shepard_raster *raster, size_t side)
{
    return side >= raster->columns && side >= raster->rows;
}

/* The first window prepares what all of them share. */
static bool time_cells(struct dry_run_sample *sampling)
{
    const struct shepard_raster *const raster = &sampling->job.raster;
    size_t side = SIDE_LEAST, count = 0;
    double sum = 0, seconds = 0;
    sampling->window = window_at(raster, SIDE_LEAST, 0);
    if (!time_window(sampling, &sampling->prepare)) {
        return false;
    }
    while (count < WINDOWS_MOST && sum < ENOUGH && !(count > 0 && covers(raster, side))) {
        if (!time_twice(sampling, side, count, &seconds)) {
            return false;
        }
        if (seconds < SHORT && side < SIDE_MOST && !covers(raster, side)) {
            side *= 2;
            sum = 0;
            count = 0;
        } else {
            sum += seconds;
            count++;
        }
    }
    const double cells = (double)sampling->window.columns * (double)sampling->window.rows;
    sampling->cell = sum / (double)count / cells;
    sampling->prepare = fmax(0, sampling->prepare - sampling->cell * SIDE_LEAST * SIDE_LEAST);
    return true;
}

/* Cells inside the mask. */
static bool count_cells(const struct shepard_strip_job *strips, double *cells)
{
    enum { ROWS = 64 };
    const struct shepard_raster *const raster = &strips->raster;
    *cells = (double)raster->columns * (double)raster->rows;
    if (!strips->mask->polygons) {
        return true;
    }
    unsigned char *const inside = malloc(raster->columns * ROWS);
    bool good = inside || shepard_say_error("out of memory");
    *cells = 0;
    for (size_t row = 0; good && row < raster->rows; row += ROWS) {
        const struct shepard_window window = {
            .row = row, .columns = raster->columns, .rows = smaller(ROWS, raster->rows - row)};
        good = shepard_mask_cells(strips->mask, raster, &window, inside);
        for (size_t i = 0; good && i < window.columns * window.rows; i++) {
            *cells += inside[i];
        }
    }
    free(inside);
    return good;
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Where a cell of the trial is in the window: there and back again. */
static size_t mirrored(size_t i, size_t size)
{
    const size_t k = i % (2 * size);
    return k < size ? k : 2 * size - 1 - k;
}

/* A file of one block, of the values of the last window. */
static bool try_file(const struct dry_run_sample *sampling, const struct shepard_raster_spec *spec,
                     struct shepard_raster_trial *trial)
{
    const struct shepard_window *const window = &sampling->window;
    const size_t columns = smaller(SIDE_MOST, spec->raster.columns);
    const size_t rows = smaller(SIDE_MOST, spec->raster.rows);
    double *const values = malloc(columns * rows * spec->bands * sizeof *values);
    if (!values) {
        return shepard_say_error("out of memory");
    }
    for (size_t b = 0; b < spec->bands; b++) {
        const double *const from = sampling->values + b * window->columns * window->rows;
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < columns; j++) {
                values[(b * rows + i) * columns + j] =
                    from[mirrored(i, window->rows) * window->columns +
                         mirrored(j, window->columns)];
            }
        }
    }
    struct shepard_io_error error;
    const bool good = !shepard_raster_file_try(spec, columns, rows, values, trial, &error) ||
                      shepard_progress_error(error.message);
    free(values);
    return good;
}

/* ---- All together ---------------------------------------------------------------------------- */

static bool estimate_run(struct dry_run_sample *sampling, const struct shepard_raster_spec *spec,
                         struct shepard_run_estimate *estimate)
{
    struct shepard_progress *const watch = &sampling->job.job->watch;
    struct shepard_raster_trial file;
    *estimate = (struct shepard_run_estimate){.read = shepard_progress_total(watch)};
    if (!time_cells(sampling) || !try_file(sampling, spec, &file)) {
        return false;
    }
    const double begin = shepard_progress_clock();
    if (!count_cells(sampling->strips, &estimate->cells)) {
        return false;
    }
    const double mask = shepard_progress_clock() - begin;
    const double share = spec->part.number > 0 ? 1 / (double)spec->part.count : 1;
    const double cells = (double)spec->raster.columns * (double)spec->raster.rows;
    estimate->predict = sampling->prepare + share * (sampling->cell * estimate->cells + mask);
    estimate->write = file.seconds;
    estimate->file_bytes = file.file_bytes;
    memcpy(estimate->format, file.format, sizeof estimate->format);
    memcpy(estimate->options, file.options, sizeof estimate->options);
    shepard_run_estimate_add_memory(
        estimate, file.memory_bytes + fmin(cells, (double)sampling->strips->numbers_max) *
                                          (double)spec->bands * sizeof(double));
    estimate->seconds = estimate->read + estimate->predict + estimate->write;
    return true;
}

bool shepard_dry_run(const struct shepard_strip_job *strips, const struct shepard_raster_spec *spec,
                     struct shepard_run_estimate *estimate)
{
    static const struct shepard_mask none;
    struct shepard_cell_fit *const fits = calloc(spec->bands, sizeof *fits);
    struct dry_run_sample sampling = {.strips = strips, .job = *strips};
    if (!fits) {
        return shepard_say_error("out of memory");
    }
    memcpy(fits, strips->fits, spec->bands * sizeof *fits);
    sampling.job.mask = &none;
    sampling.job.fits = fits;
    sampling.job.overview_count = 0;
    const bool good = estimate_run(&sampling, spec, estimate);
    free(sampling.values);
    free(fits);
    return good;
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void print_raster(const struct shepard_run_estimate *estimate,
                         const struct shepard_strip_job *strips)
{
    const struct shepard_raster *const raster = &strips->raster;
    const struct shepard_bounds box = shepard_raster_box(raster);
    const double cells = (double)raster->columns * (double)raster->rows;
    printf("raster: %zu x %zu cells of %.12g x %.12g, x %.12g to %.12g, y %.12g to %.12g\n",
           raster->columns, raster->rows, fabs(raster->dx), fabs(raster->dy), box.x_min, box.x_max,
           box.y_min, box.y_max);
    if (estimate->cells < cells) {
        printf("mask: %.0f of %.0f cells are inside\n", estimate->cells, cells);
    }
}

void shepard_dry_run_print(const struct shepard_run_estimate *estimate,
                           const struct shepard_strip_job *strips,
                           const struct shepard_raster_spec *spec)
{
    printf("\n");
    print_raster(estimate, strips);
    printf("bands:");
    for (size_t b = 0; b < spec->bands; b++) {
        printf("%s %s", b > 0 ? "," : "", spec->band[b].description);
    }
    printf("; %s, nodata %.12g\n", spec->type ? spec->type : "Float64", spec->band[0].nodata);
    if (spec->part.number > 0) {
        printf("part %zu/%zu: time and file of 1/%zu of the cells\n", spec->part.number,
               spec->part.count, spec->part.count);
    }
    shepard_run_estimate_print(estimate, strips->job, strips->surfaces, spec->path);
}
