/* SPDX-License-Identifier: MIT */
/* Whether a segment hides a place from another, against arithmetic in 128 bits, where rounding in
 * double would say something else. */
#include "suite.h"

#include "kernel/segment.h"

__extension__ typedef __int128 wide;

struct whole {
    int64_t x, y;
};

/* A place within 2^50, often on or next to the line through two others. */
static struct whole draw_near(struct whole a, struct whole b, unsigned long *seed)
{
    const int64_t times = (int64_t)pick(seed, 5) - 2, size = pick(seed, 3) == 0 ? 1 : 0;
    return (struct whole){a.x + times * (b.x - a.x) + size * ((int64_t)pick(seed, 3) - 1),
                          a.y + times * (b.y - a.y) + size * ((int64_t)pick(seed, 3) - 1)};
}

static struct whole draw(unsigned bits, unsigned long *seed)
{
    const double size = ldexp(1, (int)bits);
    return (struct whole){(int64_t)(size * (chance(seed) - 0.5)),
                          (int64_t)(size * (chance(seed) - 0.5))};
}

static int turn_of(struct whole a, struct whole b, struct whole c)
{
    const wide area = (wide)(a.x - c.x) * (b.y - c.y) - (wide)(a.y - c.y) * (b.x - c.x);
    return (area > 0) - (area < 0);
}

static bool strictly_between(int64_t a, int64_t s, int64_t t)
{
    return (s < a && a < t) || (t < a && a < s);
}

/* Whether place a is on the line of sight, the ends not counted. */
static bool is_on(struct whole a, struct whole s, struct whole t)
{
    return turn_of(s, t, a) == 0 &&
           (s.x != t.x ? strictly_between(a.x, s.x, t.x) : strictly_between(a.y, s.y, t.y));
}

/* The two cross, one end of the segment is on the line of sight, or all of that is on the segment.
 */
static bool hides(struct whole a, struct whole b, struct whole s, struct whole t)
{
    const bool crosses =
        turn_of(s, t, a) * turn_of(s, t, b) < 0 && turn_of(a, b, s) * turn_of(a, b, t) < 0;
    const bool along =
        (s.x != t.x || s.y != t.y) && turn_of(a, b, s) == 0 && turn_of(a, b, t) == 0 &&
        (a.x != b.x || a.y != b.y) &&
        (a.x != b.x ? fmin((double)a.x, (double)b.x) <= fmin((double)s.x, (double)t.x) &&
                          fmax((double)a.x, (double)b.x) >= fmax((double)s.x, (double)t.x)
                    : fmin((double)a.y, (double)b.y) <= fmin((double)s.y, (double)t.y) &&
                          fmax((double)a.y, (double)b.y) >= fmax((double)s.y, (double)t.y));
    return crosses || is_on(a, s, t) || is_on(b, s, t) || along;
}

static struct shepard_plane_point place(struct whole a, double scale)
{
    return (struct shepard_plane_point){(double)a.x * scale, (double)a.y * scale};
}

/* u and v with p v - q u = their greatest common divisor: the area of the narrowest triangles. */
static struct whole narrowest(int64_t p, int64_t q)
{
    int64_t r = p, next_r = q, a = 1, next_a = 0, b = 0, next_b = 1;
    while (next_r != 0) {
        const int64_t times = r / next_r, rest = r - times * next_r;
        const int64_t later_a = a - times * next_a, later_b = b - times * next_b;
        r = next_r;
        a = next_a;
        b = next_b;
        next_r = rest;
        next_a = later_a;
        next_b = later_b;
    }
    return (struct whole){-b, a};
}

/* Four places on a line, or as near to it as whole numbers can be. */
static void draw_narrow(struct whole to[4], unsigned long *seed)
{
    const struct whole from = draw(47, seed);
    const int64_t p = 1 + (int64_t)pick(seed, 1u << 23), q = 1 + (int64_t)pick(seed, 1u << 23);
    const struct whole beside = narrowest(p, q);
    for (int i = 0; i < 4; i++) {
        const int64_t steps = (int64_t)pick(seed, 1u << 23), aside = (int64_t)pick(seed, 3) - 1;
        to[i] = (struct whole){from.x + steps * p + aside * beside.x,
                               from.y + steps * q + aside * beside.y};
    }
}

static void draw_places(struct whole to[4], int trial, unsigned long *seed)
{
    static const unsigned sizes[] = {2, 3, 10, 48};
    const unsigned bits = sizes[trial / 2 % 4];
    if (trial % 2 == 0) {
        draw_narrow(to, seed);
        return;
    }
    to[0] = draw(bits, seed);
    to[2] = draw(bits, seed);
    to[1] = trial % 3 == 0 ? draw_near(to[0], to[2], seed) : draw(bits, seed);
    to[3] = trial % 5 < 2 ? draw_near(to[0], to[1], seed) : draw_near(to[2], to[0], seed);
}

void check_segment(struct tally *tally, unsigned long seed)
{
    long hidden = 0;
    for (int i = 0; i < 100000; i++) {
        struct whole at[4];
        draw_places(at, i, &seed);
        const double scale = i % 7 == 0 ? 0x1p-400 : i % 7 == 1 ? 0x1p180 : 1;
        const struct shepard_segment ab = {place(at[0], scale), place(at[1], scale)};
        const struct shepard_segment ba = {ab.b, ab.a};
        const struct shepard_plane_point s = place(at[2], scale), t = place(at[3], scale);
        const bool want = hides(at[0], at[1], at[2], at[3]);
        hidden += want;
        tally_check(tally,
                    shepard_turn_of(ab.a, ab.b, s) == turn_of(at[0], at[1], at[2]) &&
                        shepard_turn_of(s, t, ab.b) == turn_of(at[2], at[3], at[1]),
                    "turn, trial %d", i);
        tally_check(tally,
                    shepard_segment_hides(&ab, s, t) == want &&
                        shepard_segment_hides(&ba, s, t) == want &&
                        shepard_segment_hides(&ab, t, s) == want,
                    "segment that hides, trial %d", i);
    }
    tally_check(tally, hidden > 10000 && hidden < 90000, "%ld of 100000 hide", hidden);
}
