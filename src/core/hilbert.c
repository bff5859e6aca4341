/* SPDX-License-Identifier: MIT */
#include "core/hilbert.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/division.h"
#include "core/frame.h"
#include "core/range.h"

#include <stdlib.h>
#include <string.h>

#define BITS 16       /* of each coordinate in a key */
#define DIGIT_BITS 11 /* of a radix pass; three passes cover a key */
#define DIGITS (1u << DIGIT_BITS)
#define PASSES 3
#define SMALL 1024       /* fewer items are sorted by comparison */
#define LARGE (1u << 16) /* fewer items are sorted by one thread */

/* Keys computed at once; the compiler vectorizes the loop. */
#define LANES 16

struct lanes {
    uint32_t x[LANES], y[LANES], key[LANES];
};

/* Walks down the quadrants: each step takes one bit of x and y, and turns the rest into the frame
 * of the quadrant (a swap, after a mirror in the fourth). */
static inline void descend(uint32_t *x, uint32_t *y, uint32_t *key, int bit)
{
    const uint32_t rx = (*x >> bit) & 1, ry = (*y >> bit) & 1;
    const uint32_t mirror = -(rx & (ry ^ 1)), swap = ry - 1;
    const uint32_t across = *x ^ mirror, up = *y ^ mirror;
    const uint32_t difference = (across ^ up) & swap;
    *key = (*key << 2) | ((rx << 1) ^ rx ^ ry);
    *x = across ^ difference;
    *y = up ^ difference;
}

uint32_t shepard_hilbert_key(uint32_t x, uint32_t y)
{
    uint32_t key = 0;
    for (int bit = BITS - 1; bit >= 0; bit--)
        descend(&x, &y, &key, bit);
    return key;
}

static void find_keys(struct lanes *lanes)
{
    memset(lanes->key, 0, sizeof lanes->key);
    for (int bit = BITS - 1; bit >= 0; bit--)
        for (int i = 0; i < LANES; i++)
            descend(&lanes->x[i], &lanes->y[i], &lanes->key[i], bit);
}

/* Items are key << 32 | index. */
struct sort {
    const struct shepard_places *places;
    uint64_t *items, *other; /* [count] */
    size_t count;
    uint32_t *order; /* [count], of the whole sort */
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

static enum shepard_status number_slice(void *context, size_t block, int thread)
{
    const struct sort *sort = context;
    size_t first, end;
    (void)thread;
    slice(sort, block, &first, &end);
    for (size_t i = first; i < end; i++)
        sort->items[i] = i;
    return SHEPARD_OK;
}

static enum shepard_status order_slice(void *context, size_t block, int thread)
{
    const struct sort *sort = context;
    size_t first, end;
    (void)thread;
    slice(sort, block, &first, &end);
    for (size_t i = first; i < end; i++)
        sort->order[i] = (uint32_t)sort->items[i];
    return SHEPARD_OK;
}

static uint32_t cell(double offset, double size)
{
    const uint32_t at = (uint32_t)(offset / size * (1 << BITS));
    return at < (1 << BITS) ? at : (1 << BITS) - 1;
}

/* The numbers of a place's cell; where aligned the division's own, so that a place on a border is
 * on the same side of it everywhere. */
static void find_cell(const struct sort *sort, double x, double y, uint32_t *column, uint32_t *row)
{
    if (!sort->aligned) {
        *column = cell(x - sort->x, sort->size);
        *row = cell(y - sort->y, sort->size);
        return;
    }
    const double scale = sort->scale;
    const int depth = sort->depth;
    *column =
        (uint32_t)(shepard_division_scaled(x - sort->places->x0, depth, scale) - sort->column);
    *row = (uint32_t)(shepard_division_scaled(y - sort->places->y0, depth, scale) - sort->row);
}

/* Keys of count <= LANES items. */
static void key_items(const struct sort *sort, uint64_t *items, size_t count)
{
    struct lanes lanes = {.x = {0}};
    for (size_t i = 0; i < count; i++) {
        const uint32_t index = (uint32_t)items[i];
        find_cell(sort, sort->places->x[index], sort->places->y[index], &lanes.x[i], &lanes.y[i]);
    }
    find_keys(&lanes);
    for (size_t i = 0; i < count; i++)
        items[i] = (uint64_t)lanes.key[i] << 32 | (uint32_t)items[i];
}

static enum shepard_status key_slice(void *context, size_t block, int thread)
{
    (void)thread;
    const struct sort *sort = context;
    size_t first, end;
    slice(sort, block, &first, &end);
    for (size_t i = first; i < end; i += LANES)
        key_items(sort, sort->items + i, shepard_smaller(end - i, LANES));
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

/* Depths of the largest and the smallest square that is searched for. */
#define DEPTH_LEAST (-20)
#define DEPTH_MOST 240

/* The number at a depth of the first square within square number of BITS depths less. */
static double first_number(double number, int depth)
{
    const int above = depth - BITS;
    return depth >= 0 ? ldexp(shepard_division_start(number, above), depth) : ldexp(number, BITS);
}

/* Sets the square round the places, up to (x_max, y_max), to the smallest one of the division that
 * holds them, if any. No quarter of it holds them all, so each sort separates some places. */
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
        sort->aligned = depth < first; /* else offsets are too coarse to separate them */
        sort->depth = depth + BITS;
        sort->scale = ldexp(1, sort->depth);
        sort->column = first_number(column, sort->depth);
        sort->row = first_number(row, sort->depth);
        return;
    }
}

/* The box of the items' places; all places' are read in their order. */
static struct shepard_box box_of(const struct sort *sort)
{
    const double *x = sort->places->x, *y = sort->places->y;
    if (sort->count == sort->places->count) {
        const struct shepard_range of_x = shepard_range_of(x, sort->count, sort->threads);
        const struct shepard_range of_y = shepard_range_of(y, sort->count, sort->threads);
        return (struct shepard_box){of_x.low, of_x.high, of_y.low, of_y.high};
    }
    const uint32_t start = (uint32_t)sort->items[0];
    struct shepard_box box = {x[start], x[start], y[start], y[start]};
    for (size_t i = 1; i < sort->count; i++) {
        const uint32_t index = (uint32_t)sort->items[i];
        box.x_min = x[index] < box.x_min ? x[index] : box.x_min;
        box.x_max = x[index] > box.x_max ? x[index] : box.x_max;
        box.y_min = y[index] < box.y_min ? y[index] : box.y_min;
        box.y_max = y[index] > box.y_max ? y[index] : box.y_max;
    }
    return box;
}

/* The square round the items' places; size 0 where they are all one. */
static void measure(struct sort *sort)
{
    const struct shepard_box box = box_of(sort);
    const double width = box.x_max - box.x_min, height = box.y_max - box.y_min;
    sort->x = box.x_min;
    sort->y = box.y_min;
    sort->size = width > height ? width : height;
    sort->aligned = false;
    if (sort->places->aligned && sort->size > 0)
        align(sort, box.x_max, box.y_max);
}

static void sort_items(struct sort *sort);

/* Sorts each long run of one key within itself, where aligned each of more than one: its places get
 * keys of their own square. */
static void sort_runs(struct sort *sort)
{
    const size_t most = sort->places->aligned ? 1 : SHEPARD_HILBERT_RUN;
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
        run_slices(&sort, number_slice);
        sort_items(&sort);
        sort.order = order;
        run_slices(&sort, order_slice);
    }
    shepard_release(allocator, sort.histograms);
    shepard_release(allocator, other);
    shepard_release(allocator, items);
    return complete ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}
