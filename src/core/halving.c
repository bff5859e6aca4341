/* SPDX-License-Identifier: MIT */
#include "core/halving.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>

struct item {
    double at[3];
    uint32_t index;
};

/* Items first to end - 1. */
struct halving_span {
    size_t first, end;
};

/* By one coordinate, then the others, then the index: no two are equal. */
static inline bool comes_before(const struct item *a, const struct item *b, int axis)
{
    for (int i = 0; i < 3; i++) {
        const int k = (axis + i) % 3;
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k];
    }
    return a->index < b->index;
}

static inline void swap(struct item *items, size_t i, size_t j)
{
    const struct item kept = items[i];
    items[i] = items[j];
    items[j] = kept;
}

/* The item of the middle of three. */
static struct item median(const struct item *items, struct halving_span span, int axis)
{
    const struct item *a = items + span.first, *b = items + span.end - 1;
    const struct item *c = items + span.first + (span.end - span.first) / 2;
    if (comes_before(b, a, axis)) {
        const struct item *kept = a;
        a = b;
        b = kept;
    }
    if (comes_before(c, a, axis))
        return *a;
    return comes_before(b, c, axis) ? *b : *c;
}

/* Puts the items that come first before place `middle`, the others from there on (Hoare). */
static void select_first(struct item *items, struct halving_span span, size_t middle, int axis)
{
    while (middle > span.first && middle < span.end) {
        const struct item pivot = median(items, span, axis);
        size_t i = span.first, j = span.end - 1;
        for (;; i++, j--) {
            while (comes_before(&items[i], &pivot, axis))
                i++;
            while (comes_before(&pivot, &items[j], axis))
                j--;
            if (i >= j)
                break;
            swap(items, i, j);
        }
        /* Items before i come before the others; where i and j met, the pivot is in its place. */
        if (middle <= i)
            span.end = i;
        else
            span.first = i == j ? i + 1 : i;
    }
}

/* The longest side of the items' box; -1: they are all at one place. */
static int longest_side(const struct item *items, struct halving_span span)
{
    int longest = -1;
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = span.first; i < span.end; i++) {
            low = items[i].at[k] < low ? items[i].at[k] : low;
            high = items[i].at[k] > high ? items[i].at[k] : high;
        }
        if (high - low > most) {
            most = high - low;
            longest = k;
        }
    }
    return longest;
}

/* Where a span is cut: its first part fills nodes of the tree. */
static size_t middle_of(struct halving_span span)
{
    size_t size = SHEPARD_LEAF;
    while (2 * size < span.end - span.first)
        size *= 2;
    return shepard_smaller(span.first + size, span.end);
}

static void halve(struct item *items, struct halving_span span)
{
    const int axis = longest_side(items, span);
    if (axis >= 0)
        select_first(items, span, middle_of(span), axis);
}

static void halve_down(struct item *items, struct halving_span span)
{
    while (span.end - span.first > SHEPARD_LEAF) {
        const size_t middle = middle_of(span);
        halve(items, span);
        halve_down(items, (struct halving_span){span.first, middle});
        span.first = middle;
    }
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Spans that are halved one by one by a thread, once there are so many. */
#define SPANS 64
/* Items copied per block of the loop. */
#define COPY_BLOCK 65536

struct halving {
    const struct shepard_geometry *points;
    struct item *items;
    uint32_t *order;
    struct halving_span spans[SPANS];
};

static enum shepard_status copy_block(void *context, size_t block, int thread)
{
    const struct halving *halving = context;
    const struct shepard_geometry *points = halving->points;
    const size_t end = shepard_smaller((block + 1) * COPY_BLOCK, points->count);
    (void)thread;
    for (size_t i = block * COPY_BLOCK; i < end; i++)
        halving->items[i] = (struct item){{points->x[i], points->y[i], points->z[i]}, (uint32_t)i};
    return SHEPARD_OK;
}

static enum shepard_status order_block(void *context, size_t block, int thread)
{
    const struct halving *halving = context;
    const size_t end = shepard_smaller((block + 1) * COPY_BLOCK, halving->points->count);
    (void)thread;
    for (size_t i = block * COPY_BLOCK; i < end; i++)
        halving->order[i] = halving->items[i].index;
    return SHEPARD_OK;
}

static enum shepard_status halve_block(void *context, size_t block, int thread)
{
    const struct halving *halving = context;
    const struct halving_span span = halving->spans[block];
    (void)thread;
    if (span.end - span.first > SHEPARD_LEAF)
        halve(halving->items, span);
    return SHEPARD_OK;
}

static enum shepard_status halve_down_block(void *context, size_t block, int thread)
{
    const struct halving *halving = context;
    (void)thread;
    halve_down(halving->items, halving->spans[block]);
    return SHEPARD_OK;
}

static void run(struct halving *halving, size_t blocks, shepard_block_fn *body)
{
    const struct shepard_loop loop = {
        .threads = halving->points->threads, .blocks = blocks, .body = body, .context = halving};
    shepard_loop_run(&loop);
}

/* Halves all spans, as many as `count`: then they are twice as many. */
static void halve_spans(struct halving *halving, size_t count)
{
    run(halving, count, halve_block);
    for (size_t i = count; i-- > 0;) {
        const struct halving_span span = halving->spans[i];
        const size_t middle = middle_of(span);
        halving->spans[2 * i] = (struct halving_span){span.first, middle};
        halving->spans[2 * i + 1] = (struct halving_span){middle, span.end};
    }
}

enum shepard_status shepard_halving_order(const struct shepard_geometry *points, uint32_t *order)
{
    const size_t n = points->count, blocks = shepard_ceil_div(n, COPY_BLOCK);
    struct halving halving = {.points = points, .order = order};
    halving.items = shepard_allocate(points->allocator, n, sizeof *halving.items);
    if (halving.items == NULL)
        return SHEPARD_ERROR_MEMORY;
    run(&halving, blocks, copy_block);
    halving.spans[0] = (struct halving_span){0, n};
    for (size_t count = 1; count < SPANS; count *= 2)
        halve_spans(&halving, count);
    run(&halving, SPANS, halve_down_block);
    run(&halving, blocks, order_block);
    shepard_release(points->allocator, halving.items);
    return SHEPARD_OK;
}
