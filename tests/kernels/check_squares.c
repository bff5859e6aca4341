/* SPDX-License-Identifier: MIT */
/* The aligned order: places of one square of the division follow on each other. */
#include "core/division.h"
#include "core/hilbert.h"
#include "suite.h"

#include <stdlib.h>

#define PLACES 3000

struct square {
    double column, row;
};

struct places {
    struct shepard_places view;
    double x[PLACES], y[PLACES];
    uint32_t order[PLACES];
};

static int compare_squares(const void *a, const void *b)
{
    const struct square *left = a, *right = b;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->row > right->row) - (left->row < right->row);
}

static struct square square_of(const struct places *places, size_t i, int depth)
{
    return (struct square){shepard_division_number(places->x[i] - places->view.x0, depth),
                           shepard_division_number(places->y[i] - places->view.y0, depth)};
}

static size_t count_changes(const struct square *squares, size_t count)
{
    size_t changes = 0;
    for (size_t i = 1; i < count; i++)
        changes += compare_squares(&squares[i - 1], &squares[i]) != 0;
    return changes;
}

/* As many changes of square along the order as there are squares but one: none is left and met
 * again. */
static bool is_contiguous(const struct places *places, int depth)
{
    static struct square squares[PLACES];
    for (size_t i = 0; i < PLACES; i++)
        squares[i] = square_of(places, places->order[i], depth);
    const size_t along = count_changes(squares, PLACES);
    qsort(squares, PLACES, sizeof *squares, compare_squares);
    return along == count_changes(squares, PLACES);
}

/* Even, in dense spots, on the division's own borders, some far away on every side; one may be
 * farther than the division reaches. */
static void draw_places(struct places *places, double origin, unsigned long *seed)
{
    const double spot = scaled_chance(seed, -40, 0), far = scaled_chance(seed, 0, 17);
    places->view = (struct shepard_places){.count = PLACES,
                                           .x = places->x,
                                           .y = places->y,
                                           .aligned = true,
                                           .x0 = origin,
                                           .y0 = -origin};
    for (size_t i = 0; i < PLACES; i++) {
        const double kind = chance(seed);
        double x = 2 * chance(seed), y = 2 * chance(seed);
        if (kind < 0.3) {
            x = 0.7 + spot * x;
            y = 0.3 + spot * y;
        } else if (kind < 0.4) {
            x = floor(x * 64) / 64;
            y = floor(y * 64) / 64;
        } else if (kind < 0.45) {
            x = far * (x - 1);
            y = far * (y - 1);
        }
        if (kind > 0.9 && origin == 0) {
            x = spot * spot * chance(seed);
            y = spot * spot * chance(seed);
        }
        places->x[i] = origin + x;
        places->y[i] = -origin + y;
    }
    if (chance(seed) < 0.4)
        places->x[PLACES / 2] = (chance(seed) < 0.5 ? 1 : -1) * scaled_chance(seed, 60, 240);
}

static void check_places(struct tally *tally, double origin, unsigned long *seed)
{
    static struct places places;
    bool seen[PLACES] = {false}, once = true;
    draw_places(&places, origin, seed);
    if (shepard_hilbert_order(&places.view, 2, NULL, places.order) != SHEPARD_OK)
        exit(2);
    for (size_t i = 0; i < PLACES; i++) {
        once = once && places.order[i] < PLACES && !seen[places.order[i]];
        seen[places.order[i] % PLACES] = true;
    }
    tally_check(tally, once, "the aligned order about %g is no permutation", origin);
    for (int depth = -18; once && depth <= 90; depth++)
        tally_check(tally, is_contiguous(&places, depth),
                    "squares of depth %d about %g are torn by the order", depth, origin);
}

void check_squares(struct tally *tally, unsigned long seed)
{
    for (int i = 0; i < 20; i++) {
        const double size = i % 4 == 0 ? 0 : scaled_chance(&seed, 0, i % 4 == 1 ? 4 : 12);
        check_places(tally, (chance(&seed) - 0.5) * size, &seed);
    }
}
