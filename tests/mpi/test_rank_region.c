/* SPDX-License-Identifier: MIT */
/* Random rasters, blocks, of which some may be finished, and numbers of ranks: each of the others
 * belongs to one rank, shares of their cells are even, and regions are not much longer round than
 * squares. The seed: SHEPARD_TEST_SEED, or the time. */
#include "base/random.h"
#include "rank_region.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIALS = 300 };

static struct shepard_random random_stream;

/* From low to high, both included. */
static size_t random_from(size_t low, size_t high)
{
    return low + (size_t)(shepard_random_bits(&random_stream) % (high - low + 1));
}

static void fail(const char *text, const struct shepard_block_raster *blocks, size_t ranks)
{
    printf("%zu x %zu cells in blocks of %zu x %zu, %zu ranks: %s\n", blocks->raster.columns,
           blocks->raster.rows, blocks->columns, blocks->rows, ranks, text);
    exit(1);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Whole blocks: begins at one, and ends at one or at the raster's end. */
static bool is_whole(size_t first, size_t count, size_t block, size_t all)
{
    return count > 0 && first % block == 0 && first + count <= all &&
           ((first + count) % block == 0 || first + count == all);
}

/* Adds one to the cells of a rank. */
static double paint(const struct shepard_block_raster *blocks,
                    const struct shepard_rank_region *region, size_t ranks, unsigned char *cells)
{
    const struct shepard_raster *const raster = &blocks->raster;
    double sum = 0;
    for (size_t i = 0; i < region->count; i++) {
        const struct shepard_window *const window = &region->windows[i];
        if (!is_whole(window->column, window->columns, blocks->columns, raster->columns) ||
            !is_whole(window->row, window->rows, blocks->rows, raster->rows)) {
            fail("a window is not of whole blocks", blocks, ranks);
        }
        for (size_t k = 0; k < window->columns * window->rows; k++) {
            cells[(window->row + k / window->columns) * raster->columns + window->column +
                  k % window->columns]++;
        }
        sum += (double)window->columns * (double)window->rows;
    }
    return sum;
}

static struct shepard_rank_region region_of(const struct shepard_block_raster *blocks, size_t rank,
                                            size_t ranks, bool in_order)
{
    struct shepard_rank_region region = {0};
    if (!shepard_rank_region_make(&region, blocks, rank, ranks, in_order)) {
        fail("out of memory", blocks, ranks);
    }
    return region;
}

static size_t number_of(const struct shepard_block_raster *blocks, size_t column, size_t row)
{
    const size_t across = (blocks->raster.columns + blocks->columns - 1) / blocks->columns;
    return row / blocks->rows * across + column / blocks->columns;
}

/* Windows row by row are the same region: the cells of the other windows are 1. */
static void check_order(const struct shepard_block_raster *blocks, size_t rank, size_t ranks,
                        double share)
{
    unsigned char *const cells = calloc(blocks->raster.columns * blocks->raster.rows, 1);
    struct shepard_rank_region region = region_of(blocks, rank, ranks, false);
    paint(blocks, &region, ranks, cells);
    shepard_rank_region_free(&region);
    region = region_of(blocks, rank, ranks, true);
    size_t next = 0;
    for (size_t i = 0; i < region.count; i++) {
        const struct shepard_window *const window = &region.windows[i];
        const size_t first = number_of(blocks, window->column, window->row);
        if (first < next || window->rows > blocks->rows) {
            fail("windows are not in the order of their blocks", blocks, ranks);
        }
        next = number_of(blocks, window->column + window->columns - 1, window->row) + 1;
    }
    bool same = paint(blocks, &region, ranks, cells) == share;
    for (size_t i = 0; i < blocks->raster.columns * blocks->raster.rows; i++) {
        same = same && cells[i] != 1;
    }
    if (!same) {
        fail("windows in order are not the same blocks", blocks, ranks);
    }
    shepard_rank_region_free(&region);
    free(cells);
}

static bool is_finished(const struct shepard_block_raster *blocks, size_t cell)
{
    const size_t columns = blocks->raster.columns;
    return blocks->finished && blocks->finished[number_of(blocks, cell % columns, cell / columns)];
}

static void check_blocks(const struct shepard_block_raster *blocks, size_t ranks)
{
    const size_t count = blocks->raster.columns * blocks->raster.rows;
    const double block = (double)blocks->columns * (double)blocks->rows;
    unsigned char *const cells = calloc(count, 1);
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        left += !is_finished(blocks, i);
    }
    for (size_t r = 0; r < ranks; r++) {
        struct shepard_rank_region region = region_of(blocks, r, ranks, false);
        const double share = paint(blocks, &region, ranks, cells);
        if (fabs(share - (double)left / (double)ranks) > block) {
            fail("a share is off by more than a block", blocks, ranks);
        }
        shepard_rank_region_free(&region);
        check_order(blocks, r, ranks, share);
    }
    for (size_t i = 0; i < count; i++) {
        if (cells[i] != !is_finished(blocks, i)) {
            fail("a cell is not of one rank, or was finished", blocks, ranks);
        }
    }
    free(cells);
}

/* The same with a random part of the blocks finished: single ones, or a run of them. */
static void check_left(struct shepard_block_raster blocks, size_t ranks)
{
    const size_t count = shepard_block_raster_count(&blocks), first = random_from(0, count);
    bool *const finished = calloc(count, sizeof *finished);
    const size_t of_10 = random_from(0, 10);
    for (size_t i = 0; i < count; i++) {
        finished[i] = i < first && random_from(1, 10) <= of_10;
    }
    blocks.finished = finished;
    check_blocks(&blocks, ranks);
    free(finished);
}

static struct shepard_block_raster random_raster(void)
{
    return (struct shepard_block_raster){
        .raster = {.x0 = (double)random_from(0, 1000),
                   .y0 = -(double)random_from(0, 1000),
                   .dx = 0.001 * (double)random_from(1, 3000),
                   .dy = (random_from(0, 1) ? 0.001 : -0.001) * (double)random_from(1, 3000),
                   .columns = random_from(1, 300),
                   .rows = random_from(1, 300)},
        .columns = random_from(1, random_from(1, 40)),
        .rows = random_from(1, random_from(1, 40))};
}

/* ---- Compactness ----------------------------------------------------------------------------- */

/* Edges round the cells of a region. */
static double length_round(const unsigned char *cells, size_t side)
{
    double length = 0;
    for (size_t i = 0; i < side * side; i++) {
        const size_t x = i % side, y = i / side;
        length += cells[i] ? (x == 0 || !cells[i - 1]) + (x + 1 == side || !cells[i + 1]) +
                                 (y == 0 || !cells[i - side]) + (y + 1 == side || !cells[i + side])
                           : 0;
    }
    return length;
}

/* Blocks of one cell, 64 or more a rank. Strips have a mean of (ranks + 1) / (2 sqrt(ranks)): 2.1
 * for 16 ranks. */
static void check_round(void)
{
    const size_t side = random_from(60, 90), ranks = random_from(16, 56);
    const struct shepard_block_raster blocks = {
        .raster = {.dx = 1, .dy = -1, .columns = side, .rows = side}, .columns = 1, .rows = 1};
    double sum = 0;
    for (size_t r = 0; r < ranks; r++) {
        unsigned char *const cells = calloc(side * side, 1);
        struct shepard_rank_region region = region_of(&blocks, r, ranks, false);
        const double share = paint(&blocks, &region, ranks, cells);
        sum += length_round(cells, side) / (4 * sqrt(share)) / (double)ranks;
        shepard_rank_region_free(&region);
        free(cells);
    }
    if (sum > 1.6) {
        fail("regions are far from squares", &blocks, ranks);
    }
}

int main(void)
{
    const char *const given = getenv("SHEPARD_TEST_SEED");
    random_stream.state = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("SHEPARD_TEST_SEED=%llu\n", (unsigned long long)random_stream.state);
    for (int i = 0; i < TRIALS; i++) {
        const struct shepard_block_raster blocks = random_raster();
        const size_t ranks = random_from(1, random_from(1, 70));
        check_blocks(&blocks, ranks);
        check_left(blocks, ranks);
    }
    for (int i = 0; i < TRIALS / 10; i++) {
        check_round();
    }
    return 0;
}
