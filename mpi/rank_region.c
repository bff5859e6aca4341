/* SPDX-License-Identifier: MIT */
#include "rank_region.h"

#include "curve_key.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A block, by the place of its centre along the curve. */
struct curve_block {
    uint64_t key;
    size_t number; /* row by row */
};

/* The whole, while a region is made. */
struct region_job {
    const struct shepard_block_raster *blocks;
    size_t across;             /* blocks in a row */
    size_t count;              /* blocks that are not finished */
    struct curve_block *order; /* [count] */
};

static size_t divided_up(size_t number, size_t by)
{
    return number / by + (number % by > 0);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t shepard_block_raster_count(const struct shepard_block_raster *blocks)
{
    return divided_up(blocks->raster.columns, blocks->columns) *
           divided_up(blocks->raster.rows, blocks->rows);
}

/* Cells of blocks in a row, from one on. */
static struct shepard_window window_of(const struct region_job *job, size_t first, size_t count)
{
    const struct shepard_block_raster *const blocks = job->blocks;
    const size_t column = first % job->across * blocks->columns;
    const size_t row = first / job->across * blocks->rows;
    return (struct shepard_window){
        .column = column,
        .row = row,
        .columns = smaller(count * blocks->columns, blocks->raster.columns - column),
        .rows = smaller(blocks->rows, blocks->raster.rows - row)};
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* Through the square round the raster, as the points' curve goes through that round all points:
 * where points fill the raster evenly, cells and points of a rank lie at the same place. */
static void make_curve(struct shepard_curve *curve, const struct shepard_raster *raster)
{
    const double x = raster->x0 + (double)raster->columns * raster->dx;
    const double y = raster->y0 + (double)raster->rows * raster->dy;
    shepard_curve_make(curve, (const double[]){fmin(raster->x0, x), fmax(raster->x0, x)},
                       (const double[]){fmin(raster->y0, y), fmax(raster->y0, y)}, 1);
}

static uint64_t key_of(const struct shepard_curve *curve, const struct shepard_raster *raster,
                       const struct shepard_window *block)
{
    const double column = (double)block->column + (double)block->columns / 2;
    const double row = (double)block->row + (double)block->rows / 2;
    const double x = raster->x0 + column * raster->dx, y = raster->y0 + row * raster->dy;
    uint64_t key;
    shepard_curve_keys(curve, &x, &y, sizeof x, 1, &key);
    return key;
}

static int compare_keys(const void *a, const void *b)
{
    const struct curve_block *const of_a = a, *const of_b = b;
    return of_a->key != of_b->key ? (of_a->key > of_b->key) - (of_a->key < of_b->key)
                                  : (of_a->number > of_b->number) - (of_a->number < of_b->number);
}

static int compare_numbers(const void *a, const void *b)
{
    const struct curve_block *const of_a = a, *const of_b = b;
    return (of_a->number > of_b->number) - (of_a->number < of_b->number);
}

static bool make_order(struct region_job *job)
{
    const bool *const finished = job->blocks->finished;
    const size_t all = shepard_block_raster_count(job->blocks);
    struct shepard_curve curve;
    make_curve(&curve, &job->blocks->raster);
    job->order = malloc(all * sizeof *job->order);
    for (size_t i = 0; job->order && i < all; i++) {
        const struct shepard_window block = window_of(job, i, 1);
        if (!finished || !finished[i]) {
            job->order[job->count++] =
                (struct curve_block){key_of(&curve, &job->blocks->raster, &block), i};
        }
    }
    if (job->order) {
        qsort(job->order, job->count, sizeof *job->order, compare_keys);
    }
    return job->order != NULL;
}

/* ---- Stretch --------------------------------------------------------------------------------- */

static double cells_of(const struct region_job *job, size_t i)
{
    const struct shepard_window block = window_of(job, job->order[i].number, 1);
    return (double)block.columns * (double)block.rows;
}

/* The blocks of the curve whose middle cell is in the rank's share of all their cells: *first up
 * to, not with, *end. */
static void find_stretch(const struct region_job *job, size_t rank, size_t ranks, size_t *first,
                         size_t *end)
{
    double all = 0;
    for (size_t i = 0; i < job->count; i++) {
        all += cells_of(job, i);
    }
    const double share = all / (double)ranks;
    const double low = share * (double)rank;
    const double high = rank + 1 < ranks ? share * (double)(rank + 1) : INFINITY;
    double before = 0;
    *first = *end = 0;
    for (size_t i = 0; i < job->count; i++) {
        const double cells = cells_of(job, i);
        const double middle = before + cells / 2;
        *first += middle < low;
        *end += middle < high;
        before += cells;
    }
}

/* ---- Windows --------------------------------------------------------------------------------- */

/* Blocks of the same row, one after the other, from block i of the sorted ones on. */
static size_t run_of(const struct region_job *job, const struct curve_block *sorted, size_t count)
{
    size_t run = 1;
    while (run < count && sorted[run].number == sorted[0].number + run &&
           sorted[run].number % job->across > 0) {
        run++;
    }
    return run;
}

/* Below a window that is there, if it has the same columns. */
static void add_window(struct shepard_rank_region *region, const struct shepard_window *window)
{
    for (size_t i = region->count; i > 0; i--) {
        struct shepard_window *const above = &region->windows[i - 1];
        if (above->column == window->column && above->columns == window->columns &&
            above->row + above->rows == window->row) {
            above->rows += window->rows;
            return;
        }
    }
    region->windows[region->count++] = *window;
}

bool shepard_rank_region_make(struct shepard_rank_region *region,
                              const struct shepard_block_raster *blocks, size_t rank, size_t ranks,
                              bool in_order)
{
    struct region_job job = {.blocks = blocks,
                             .across = divided_up(blocks->raster.columns, blocks->columns)};
    size_t first = 0, end = 0;
    *region = (struct shepard_rank_region){0};
    if (make_order(&job)) {
        find_stretch(&job, rank, ranks, &first, &end);
        region->windows = malloc((end - first + 1) * sizeof *region->windows);
    }
    if (region->windows) {
        struct curve_block *const own = job.order + first;
        qsort(own, end - first, sizeof *own, compare_numbers);
        for (size_t i = 0, run; i < end - first; i += run) {
            run = run_of(&job, own + i, end - first - i);
            const struct shepard_window window = window_of(&job, own[i].number, run);
            if (in_order) {
                region->windows[region->count++] = window;
            } else {
                add_window(region, &window);
            }
        }
    }
    free(job.order);
    return region->windows != NULL;
}

void shepard_rank_region_free(struct shepard_rank_region *region)
{
    free(region->windows);
    *region = (struct shepard_rank_region){0};
}
