/* SPDX-License-Identifier: MIT */
/* The order of places: the same as a plain comparison of two of them gives, with any number of
 * threads, and whatever other places there are. */
#include "core/hilbert.h"
#include "core/hilbert_key.h"
#include "core/range.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Of the sort at work. */
static const struct shepard_places *plain;
static double plain_x, plain_y, plain_size;

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* The 16 binary digits of u behind the first `depth` ones. */
static uint32_t digits(double u, int depth)
{
    u = ldexp(u, depth);
    return (uint32_t)ldexp(u - floor(u), 16);
}

/* Which cell of the curve's 2^32 a place is in, within its square of 2^-depth of the whole's. */
static uint32_t key_at(double u, double v, int depth)
{
    return shepard_hilbert_key(digits(u, depth), digits(v, depth));
}

static int compare_places(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const double u[] = {(plain->x[i] - plain_x) / plain_size, (plain->x[j] - plain_x) / plain_size};
    const double v[] = {(plain->y[i] - plain_y) / plain_size, (plain->y[j] - plain_y) / plain_size};
    const bool apart = u[0] != u[1] || v[0] != v[1];
    for (int depth = 0; apart && depth < 240; depth += 16) {
        const uint32_t left = key_at(u[0], v[0], depth), right = key_at(u[1], v[1], depth);
        if (left != right)
            return left < right ? -1 : 1;
    }
    int order = compare_numbers(plain->x[i], plain->x[j]);
    if (order == 0)
        order = compare_numbers(plain->y[i], plain->y[j]);
    return order != 0 ? order : (i > j) - (i < j);
}

static struct shepard_box box_of(const struct shepard_places *places)
{
    const struct shepard_range x = shepard_range_of(places->x, places->count, 1);
    const struct shepard_range y = shepard_range_of(places->y, places->count, 1);
    return (struct shepard_box){x.low, x.high, y.low, y.high};
}

/* Sets order to the numbers of places, sorted within the square round them. */
static void sort_plainly(const struct shepard_places *places, uint32_t *order)
{
    const struct shepard_box box = box_of(places);
    const double size = fmax(box.x_max - box.x_min, box.y_max - box.y_min);
    plain = places;
    plain_x = box.x_min;
    plain_y = box.y_min;
    plain_size = size > 0 ? nextafter(size, INFINITY) : 1;
    for (size_t i = 0; i < places->count; i++)
        order[i] = (uint32_t)i;
    qsort(order, places->count, sizeof *order, compare_places);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Even; half of them in a spot; dense towards a corner at every scale; on a lattice, many at each
 * place; most at one place; most so near 0 that offsets from the corner are equal. */
enum place_kind { EVEN, SPOT, CORNER, LATTICE, ONE_PLACE, TINY, PLACE_KINDS };

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
    case TINY:
        return apart ? a - 0.5 : (pick(seed, 2) - 0.5) * exp2(-60 - 900 * floor(a * 40) / 40);
    default:
        return a;
    }
}

static void draw(const struct shepard_places *places, enum place_kind kind, double *x, double *y,
                 unsigned long *seed)
{
    for (size_t i = 0; i < places->count; i++) {
        const bool apart = pick(seed, kind == SPOT ? 2 : 20) == 0;
        x[i] = coordinate(kind, apart, seed);
        y[i] = coordinate(kind, apart, seed);
    }
}

static void check_kind(struct tally *tally, enum place_kind kind, size_t count, unsigned long *seed)
{
    static const int threads[] = {1, 2, 3, 7};
    double *const x = malloc(count * sizeof *x), *const y = malloc(count * sizeof *y);
    uint32_t *const order = malloc(count * sizeof *order);
    uint32_t *const expected = malloc(count * sizeof *expected);
    struct shepard_places places = {.count = count, .x = x, .y = y};
    if (x == NULL || y == NULL || order == NULL || expected == NULL)
        exit(2);
    draw(&places, kind, x, y, seed);
    sort_plainly(&places, expected);
    for (int aligned = 0; aligned < 2; aligned++) {
        places.aligned = aligned;
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            if (shepard_hilbert_order(&places, threads[t], NULL, order) != SHEPARD_OK)
                exit(2);
            if (aligned && t == 0)
                memcpy(expected, order, count * sizeof *order);
            tally_check(tally, memcmp(order, expected, count * sizeof *order) == 0,
                        "places of kind %d, n = %zu, threads %d, aligned %d: another order", kind,
                        count, threads[t], aligned);
        }
    }
    free(expected);
    free(order);
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

/* Some of the places, within the square of all, have the order that they have among all. */
static void check_some(struct tally *tally, enum place_kind kind, unsigned long *seed)
{
    enum { COUNT = 70000 };
    static double x[COUNT], y[COUNT], some_x[COUNT], some_y[COUNT];
    static uint32_t order[COUNT], some_order[COUNT], number[COUNT];
    /* A few, some, or most. */
    const double part = chance(seed) < 0.3 ? scaled_chance(seed, -14, -10) : chance(seed);
    struct shepard_places places = {.count = COUNT, .x = x, .y = y};
    struct shepard_box box;
    struct shepard_places some = {.x = some_x, .y = some_y, .whole = &box};
    bool same = true;
    draw(&places, kind, x, y, seed);
    box = box_of(&places);
    for (size_t i = 0; i < COUNT; i++) {
        number[i] = UINT32_MAX;
        if (i > 0 && chance(seed) > part)
            continue;
        number[i] = (uint32_t)some.count;
        some_x[some.count] = x[i];
        some_y[some.count++] = y[i];
    }
    if (shepard_hilbert_order(&places, 2, NULL, order) != SHEPARD_OK ||
        shepard_hilbert_order(&some, 2, NULL, some_order) != SHEPARD_OK)
        exit(2);
    for (size_t i = 0, next = 0; i < COUNT; i++)
        if (number[order[i]] != UINT32_MAX)
            same = same && some_order[next++] == number[order[i]];
    tally_check(tally, same, "%zu of %d places of kind %d: another order", some.count, COUNT, kind);
}

/* Places of a lower key come first; the box of a whole may have a border that places see as 0. */
static void check_whole(struct tally *tally, size_t count, unsigned long *seed)
{
    static struct shepard_hilbert_turns turns;
    const struct shepard_box box = {1e-200, 1.5, -1e-300, 1};
    double *const x = malloc(count * sizeof *x), *const y = malloc(count * sizeof *y);
    uint32_t *const order = malloc(count * sizeof *order), *const key = malloc(count * sizeof *key);
    const struct shepard_places places = {.count = count, .x = x, .y = y, .whole = &box};
    bool rising = true;
    if (x == NULL || y == NULL || order == NULL || key == NULL)
        exit(2);
    draw(&places, (enum place_kind)pick(seed, LATTICE), x, y, seed);
    x[count / 2] = y[count / 2] = 0;
    if (shepard_hilbert_order(&places, 2, NULL, order) != SHEPARD_OK)
        exit(2);
    shepard_hilbert_turns_fill(&turns);
    shepard_hilbert_keys(&places, &turns, key);
    for (size_t i = 1; i < count; i++)
        rising = rising && key[order[i - 1]] <= key[order[i]];
    tally_check(tally, rising, "%zu places of a whole: the order is not that of keys", count);
    free(key);
    free(order);
    free(y);
    free(x);
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
    for (int i = 0; i < 4; i++)
        for (enum place_kind kind = 0; kind < PLACE_KINDS; kind++)
            check_some(tally, kind, &seed);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        check_whole(tally, counts[i], &seed);
}
