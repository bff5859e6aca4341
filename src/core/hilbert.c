/* SPDX-License-Identifier: MIT */
#include "core/hilbert.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "core/division.h"

#include <stdlib.h>
#include <string.h>

#define BITS 16       /* of each coordinate in a key */
#define DIGIT_BITS 11 /* of a radix pass; three passes cover a key */
#define DIGITS (1u << DIGIT_BITS)
#define PASSES 3
#define SMALL 1024       /* fewer items are sorted by comparison */
#define LARGE (1u << 16) /* fewer items are sorted by one thread */
/* Longer runs of one key are sorted within themselves: the tree's leaf; where aligned, one. */
#define RUN_MAX 16

/* Walks down the quadrants: each step takes one bit of x and y, and turns the rest into the frame
 * of the quadrant (a swap, after a mirror in the fourth). */
uint32_t shepard_hilbert_key(uint32_t x, uint32_t y)
{
    uint32_t key = 0;
    for (int bit = BITS - 1; bit >= 0; bit--) {
        const uint32_t rx = (x >> bit) & 1, ry = (y >> bit) & 1;
        key = (key << 2) | ((3 * rx) ^ ry);
        const uint32_t mirror = -(rx & (ry ^ 1)), swap = ry - 1;
        x ^= mirror;
        y ^= mirror;
        const uint32_t difference = (x ^ y) & swap;
        x ^= difference;
        y ^= difference;
    }
    return key;
}

/* Items are key << 32 | index. */
struct sort {
    const struct shepard_places *places;
    uint64_t *items, *other; /* [count] */
    size_t count;
    int threads;
    size_t (*histograms)[DIGITS]; /* [threads] */
    int shift;                    /* of the pass */
    double x, y, size;            /* corner and side of the square that the keys cover */
    bool aligned;                 /* that is one of the division: x and y are unused */
    int depth;                    /* of the division's squares that keys stand for; 2^depth */
    double scale, column, row;    /* numbers of the first of them */
};

static void slice(const struct sort *sort, size_t block, size_t *first, size_t *end)
{
    const size_t blocks = (size_t)sort->threads;
    *first = sort->count * block / blocks;
    *end = sort->count * (block + 1) / blocks;
}

static uint32_t cell(double offset, double size)
{
    const uint32_t at = (uint32_t)(offset / size * (1 << BITS));
    return at < (1 << BITS) ? at : (1 << BITS) - 1;
}

/* By the division's own numbers: a place on a border is on the same side of it everywhere. */
static uint32_t aligned_key(const struct sort *sort, double x, double y)
{
    const double column =
        shepard_division_scaled(x - sort->places->x0, sort->depth, sort->scale) - sort->column;
    const double row =
        shepard_division_scaled(y - sort->places->y0, sort->depth, sort->scale) - sort->row;
    return shepard_hilbert_key((uint32_t)column, (uint32_t)row);
}

static enum shepard_status key_slice(void *context, size_t block, int thread)
{
    (void)thread;
    const struct sort *sort = context;
    const double *x = sort->places->x, *y = sort->places->y;
    size_t first, end;
    slice(sort, block, &first, &end);
    for (size_t i = first; i < end; i++) {
        const uint32_t index = (uint32_t)sort->items[i];
        const uint32_t key = sort->aligned
                                 ? aligned_key(sort, x[index], y[index])
                                 : shepard_hilbert_key(cell(x[index] - sort->x, sort->size),
                                                       cell(y[index] - sort->y, sort->size));
        sort->items[i] = (uint64_t)key << 32 | index;
    }
    return SHEPARD_OK;
}

static unsigned digit(const struct sort *sort, uint64_t item)
{
    return (unsigned)(item >> sort->shift) & (DIGITS - 1);
}

static enum shepard_status count_slice(void *context, size_t block, int thread)
{
    (void)thread;
    const struct sort *sort = context;
    size_t first, end, *histogram = sort->histograms[block];
    slice(sort, block, &first, &end);
    memset(histogram, 0, sizeof sort->histograms[0]);
    for (size_t i = first; i < end; i++)
        histogram[digit(sort, sort->items[i])]++;
    return SHEPARD_OK;
}

static enum shepard_status move_slice(void *context, size_t block, int thread)
{
    (void)thread;
    const struct sort *sort = context;
    size_t first, end, *place = sort->histograms[block];
    slice(sort, block, &first, &end);
    for (size_t i = first; i < end; i++)
        sort->other[place[digit(sort, sort->items[i])]++] = sort->items[i];
    return SHEPARD_OK;
}

/* Counts become the first places of each digit and slice. */
static void accumulate(const struct sort *sort)
{
    size_t sum = 0;
    for (unsigned d = 0; d < DIGITS; d++)
        for (int t = 0; t < sort->threads; t++) {
            const size_t count = sort->histograms[t][d];
            sort->histograms[t][d] = sum;
            sum += count;
        }
}

static void run_slices(struct sort *sort, shepard_block_fn *body)
{
    const struct shepard_loop loop = {
        .threads = sort->threads, .blocks = (size_t)sort->threads, .body = body, .context = sort};
    shepard_loop_run(&loop);
}

static void radix(struct sort *sort)
{
    for (int pass = 0; pass < PASSES; pass++) {
        sort->shift = 32 + pass * DIGIT_BITS;
        run_slices(sort, count_slice);
        accumulate(sort);
        run_slices(sort, move_slice);
        uint64_t *moved = sort->other;
        sort->other = sort->items;
        sort->items = moved;
    }
}

static int compare_items(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Squares larger than this side or smaller than that are not looked for. */
#define DEPTH_LEAST (-20)
#define DEPTH_MOST 240

/* The number at a depth of the first square within square number of BITS depths less. */
static double first_number(double number, int depth)
{
    const int above = depth - BITS;
    return depth >= 0 ? ldexp(shepard_division_start(number, above), depth) : ldexp(number, BITS);
}

/* Makes the square round the places, up to (x_max, y_max), the smallest one of the division that
 * holds them, where there is one. Its quarters do not: each sort tells some places apart. */
static void align(struct sort *sort, double x_max, double y_max)
{
    const double x = sort->x - sort->places->x0, y = sort->y - sort->places->y0;
    const double right = x_max - sort->places->x0, top = y_max - sort->places->y0;
    const int first = 1 - ilogb(sort->size);
    for (int depth = first; depth <= DEPTH_MOST && depth >= DEPTH_LEAST; depth--) {
        const double column = shepard_division_number(x, depth);
        const double row = shepard_division_number(y, depth);
        if (column != shepard_division_number(right, depth) ||
            row != shepard_division_number(top, depth))
            continue;
        sort->aligned = depth < first; /* else offsets are too coarse to tell them apart */
        sort->depth = depth + BITS;
        sort->scale = ldexp(1, sort->depth);
        sort->column = first_number(column, sort->depth);
        sort->row = first_number(row, sort->depth);
        return;
    }
}

/* The square round the items' places; size 0 where they are all one. */
static void measure(struct sort *sort)
{
    const double *x = sort->places->x, *y = sort->places->y;
    const uint32_t start = (uint32_t)sort->items[0];
    double x_max = x[start], y_max = y[start];
    sort->x = x_max;
    sort->y = y_max;
    for (size_t i = 1; i < sort->count; i++) {
        const uint32_t index = (uint32_t)sort->items[i];
        sort->x = x[index] < sort->x ? x[index] : sort->x;
        sort->y = y[index] < sort->y ? y[index] : sort->y;
        x_max = x[index] > x_max ? x[index] : x_max;
        y_max = y[index] > y_max ? y[index] : y_max;
    }
    const double width = x_max - sort->x, height = y_max - sort->y;
    sort->size = width > height ? width : height;
    sort->aligned = false;
    if (sort->places->aligned && sort->size > 0)
        align(sort, x_max, y_max);
}

static void sort_items(struct sort *sort);

/* Sorts each long run of one key within itself: its places get keys of their own square. */
static void sort_runs(struct sort *sort)
{
    const size_t most = sort->places->aligned ? 1 : RUN_MAX;
    for (size_t first = 0, end; first < sort->count; first = end) {
        for (end = first + 1; end < sort->count; end++)
            if (sort->items[end] >> 32 != sort->items[first] >> 32)
                break;
        if (end - first <= most)
            continue;
        struct sort run = *sort;
        run.items += first;
        run.other += first;
        run.count = end - first;
        uint64_t *const items = run.items;
        sort_items(&run);
        if (run.items != items)
            memcpy(items, run.items, run.count * sizeof *items);
    }
}

/* On return sort->items is the sorted one of the two arrays. */
static void sort_items(struct sort *sort)
{
    measure(sort);
    if (sort->size == 0)
        return;
    if (sort->count < LARGE)
        sort->threads = 1;
    run_slices(sort, key_slice);
    if (sort->count < SMALL)
        qsort(sort->items, sort->count, sizeof *sort->items, compare_items);
    else
        radix(sort);
    sort_runs(sort);
}

enum shepard_status shepard_hilbert_order(const struct shepard_places *places, int threads,
                                          const struct shepard_allocator *allocator,
                                          uint32_t *order)
{
    const size_t n = places->count;
    uint64_t *items = shepard_allocate(allocator, n, sizeof *items);
    uint64_t *other = shepard_allocate(allocator, n, sizeof *other);
    struct sort sort = {.places = places, .items = items, .other = other, .count = n};
    sort.threads = n < LARGE ? 1 : threads;
    sort.histograms = shepard_allocate(allocator, n < SMALL ? 0 : (size_t)sort.threads,
                                       sizeof sort.histograms[0]);
    const bool complete = items != NULL && other != NULL && sort.histograms != NULL;
    if (complete && n > 0) {
        for (size_t i = 0; i < n; i++)
            items[i] = i;
        sort_items(&sort);
        for (size_t i = 0; i < n; i++)
            order[i] = (uint32_t)sort.items[i];
    }
    shepard_release(allocator, sort.histograms);
    shepard_release(allocator, other);
    shepard_release(allocator, items);
    return complete ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}
