/* SPDX-License-Identifier: MIT */
/* The order of places: the same as a plain sort of their keys, run by run, gives, with any number
 * of threads. */
#include "core/hilbert.h"
#include "core/hilbert_key.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>

/* Keys by the table are those of the walk, bit by bit. */
static void check_keys(struct tally *tally, unsigned long *seed)
{
    static struct shepard_hilbert_turns turns;
    const size_t side = (size_t)1 << SHEPARD_HILBERT_BITS;
    bool same = true;
    shepard_hilbert_turns_fill(&turns);
    for (int i = 0; i < 100000; i++) {
        const uint32_t x = (uint32_t)pick(seed, side), y = (uint32_t)pick(seed, side);
        same = same && shepard_hilbert_key_by(&turns, x, y) == shepard_hilbert_key(x, y);
    }
    tally_check(tally, same, "keys by the table of turns are those of the walk");
}

/* ---- a plain sort ---------------------------------------------------------------------------- */

static int compare_items(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint32_t cell(double offset, double size)
{
    return (uint32_t)fmin(offset / size * 0x1p16, 0x1p16 - 1);
}

/* By x, y and number. */
static bool comes_before(const struct shepard_places *places, uint32_t a, uint32_t b)
{
    const double x = places->x[a] - places->x[b], y = places->y[a] - places->y[b];
    return x != 0 ? x < 0 : y != 0 ? y < 0 : a < b;
}

static void sort_by_place(const struct shepard_places *places, uint64_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (comes_before(places, (uint32_t)items[j], (uint32_t)items[i])) {
                const uint64_t other = items[i];
                items[i] = items[j];
                items[j] = other;
            }
}

/* Items (their lower halves are places) by keys of their own square, then each run of one key: a
 * short one by its places. */
static void sort_plainly(const struct shepard_places *places, uint64_t *items, size_t count)
{
    double x_min = INFINITY, y_min = INFINITY, x_max = -INFINITY, y_max = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = (uint32_t)items[i];
        x_min = fmin(x_min, places->x[at]);
        x_max = fmax(x_max, places->x[at]);
        y_min = fmin(y_min, places->y[at]);
        y_max = fmax(y_max, places->y[at]);
    }
    const double size = fmax(x_max - x_min, y_max - y_min);
    if (size == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = (uint32_t)items[i];
        const uint64_t key = shepard_hilbert_key(cell(places->x[at] - x_min, size),
                                                 cell(places->y[at] - y_min, size));
        items[i] = key << 32 | at;
    }
    qsort(items, count, sizeof *items, compare_items);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && items[end] >> 32 == items[first] >> 32;)
            end++;
        if (end - first > SHEPARD_HILBERT_RUN)
            sort_plainly(places, items + first, end - first);
        else
            sort_by_place(places, items + first, end - first);
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Even; half of them in a spot; dense towards a corner at every scale; on a lattice, many at each
 * place; most at one place. */
enum place_kind { EVEN, SPOT, CORNER, LATTICE, ONE_PLACE, PLACE_KINDS };

static double coordinate(enum place_kind kind, bool apart, unsigned long *seed)
{
    const double a = chance(seed);
    switch (kind) {
    case SPOT:
        return apart ? a : 0.3 + a * 1e-7;
    case CORNER:
        return exp2(-100 * a);
    case LATTICE:
        return floor(a * 50) / 50;
    case ONE_PLACE:
        return apart ? a : 0.7;
    default:
        return a;
    }
}

static void draw(struct shepard_places *places, enum place_kind kind, double *x, double *y,
                 unsigned long *seed)
{
    for (size_t i = 0; i < places->count; i++) {
        const bool apart = pick(seed, kind == SPOT ? 2 : 20) == 0;
        x[i] = coordinate(kind, apart, seed);
        y[i] = coordinate(kind, apart, seed);
    }
}

/* Whether an order is that of the items. */
static bool order_is(const uint32_t *order, const uint64_t *items, size_t count)
{
    bool same = true;
    for (size_t i = 0; i < count; i++)
        same = same && order[i] == (uint32_t)items[i];
    return same;
}

static void check_kind(struct tally *tally, enum place_kind kind, size_t count, unsigned long *seed)
{
    static const int threads[] = {1, 2, 3, 7};
    double *const x = malloc(count * sizeof *x), *const y = malloc(count * sizeof *y);
    uint64_t *const items = malloc(count * sizeof *items);
    uint32_t *const order = malloc(count * sizeof *order);
    struct shepard_places places = {.count = count, .x = x, .y = y};
    if (x == NULL || y == NULL || items == NULL || order == NULL)
        exit(2);
    draw(&places, kind, x, y, seed);
    for (size_t i = 0; i < count; i++)
        items[i] = i;
    sort_plainly(&places, items, count);
    for (int aligned = 0; aligned < 2; aligned++) {
        places.aligned = aligned;
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            if (shepard_hilbert_order(&places, threads[t], NULL, order) != SHEPARD_OK)
                exit(2);
            for (size_t i = 0; aligned && t == 0 && i < count; i++)
                items[i] = order[i];
            tally_check(tally, order_is(order, items, count),
                        "places of kind %d, n = %zu, threads %d, aligned %d: another order", kind,
                        count, threads[t], aligned);
        }
    }
    free(order);
    free(items);
    free(y);
    free(x);
}

/* The places in another order come out in the same one. */
static void check_shuffled(struct tally *tally, enum place_kind kind, unsigned long *seed)
{
    enum { COUNT = 100000 };
    static double x[COUNT], y[COUNT], other_x[COUNT], other_y[COUNT];
    static uint32_t order[COUNT], other_order[COUNT];
    struct shepard_places places = {.count = COUNT, .x = x, .y = y};
    const struct shepard_places other = {.count = COUNT, .x = other_x, .y = other_y};
    bool same = true;
    draw(&places, kind, x, y, seed);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t j = pick(seed, i + 1);
        other_x[i] = other_x[j];
        other_y[i] = other_y[j];
        other_x[j] = x[i];
        other_y[j] = y[i];
    }
    if (shepard_hilbert_order(&places, 2, NULL, order) != SHEPARD_OK ||
        shepard_hilbert_order(&other, 3, NULL, other_order) != SHEPARD_OK)
        exit(2);
    for (size_t i = 0; i < COUNT; i++)
        same = same && x[order[i]] == other_x[other_order[i]] &&
               y[order[i]] == other_y[other_order[i]];
    tally_check(tally, same, "places of kind %d, shuffled: another order", kind);
}

void check_hilbert(struct tally *tally, unsigned long seed)
{
    /* Round the sizes where ways of sorting change, and where large parts are split again. */
    static const size_t counts[] = {1, 2, 31, 32, 1023, 1024, 65535, 65536, 200000};
    check_keys(tally, &seed);
    for (enum place_kind kind = 0; kind < PLACE_KINDS; kind++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            check_kind(tally, kind, counts[i], &seed);
    for (enum place_kind kind = 0; kind < PLACE_KINDS; kind++)
        check_shuffled(tally, kind, &seed);
}
