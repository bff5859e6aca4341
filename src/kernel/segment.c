/* SPDX-License-Identifier: MIT */
#include "kernel/segment.h"

#include <math.h>
#include <stddef.h>

/* ---- exact sums ------------------------------------------------------------------------------ */

/* A sum of doubles that do not overlap, by rising size (Shewchuk 1997, "Adaptive precision
 * floating-point arithmetic and fast robust geometric predicates"). */
struct expansion {
    size_t count;
    double part[12];
};

/* a + b = *high + *low, exactly. */
static void two_sum(double a, double b, double *high, double *low)
{
    const double sum = a + b, b_taken = sum - a, a_taken = sum - b_taken;
    *high = sum;
    *low = (a - a_taken) + (b - b_taken);
}

/* a = *high + *low of 26 bits each. */
static void split(double a, double *high, double *low)
{
    const double c = 0x1.0000002p27 * a;
    *high = c - (c - a);
    *low = a - *high;
}

/* a b = *high + *low, exactly. */
static void two_product(double a, double b, double *high, double *low)
{
    double a_high, a_low, b_high, b_low;
    split(a, &a_high, &a_low);
    split(b, &b_high, &b_low);
    *high = a * b;
    *low = a_low * b_low - (((*high - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

static void add(struct expansion *sum, double b)
{
    size_t kept = 0;
    for (size_t i = 0; i < sum->count; i++) {
        double low;
        two_sum(b, sum->part[i], &b, &low);
        if (low != 0)
            sum->part[kept++] = low;
    }
    if (b != 0)
        sum->part[kept++] = b;
    sum->count = kept;
}

static void add_product(struct expansion *sum, double a, double b)
{
    double high, low;
    two_product(a, b, &high, &low);
    add(sum, low);
    add(sum, high);
}

/* ---- the predicate --------------------------------------------------------------------------- */

static int sign(double a)
{
    return (a > 0) - (a < 0);
}

static int exact_turn(struct shepard_plane_point a, struct shepard_plane_point b,
                      struct shepard_plane_point c)
{
    struct expansion sum = {.count = 0};
    add_product(&sum, a.x, b.y);
    add_product(&sum, -a.y, b.x);
    add_product(&sum, b.x, c.y);
    add_product(&sum, -b.y, c.x);
    add_product(&sum, c.x, a.y);
    add_product(&sum, -c.y, a.x);
    return sum.count > 0 ? sign(sum.part[sum.count - 1]) : 0;
}

/* What rounding can change, relative to the sum of the two products (Shewchuk 1997, A of orient2d):
 * (3 + 16 u) u, u = 2^-53. */
#define TURN_ERROR 3.3306690738754716e-16

int shepard_turn_of(struct shepard_plane_point a, struct shepard_plane_point b,
                    struct shepard_plane_point c)
{
    const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x);
    const double area = left - right;
    if (fabs(area) > TURN_ERROR * (fabs(left) + fabs(right)))
        return sign(area);
    return exact_turn(a, b, c);
}

/* Whether [a, b] has a place in common with the open interval (s, t), both in any order. That from
 * s to s has none. */
static bool intervals_meet(double a, double b, double s, double t)
{
    return s != t && fmin(a, b) < fmax(s, t) && fmax(a, b) > fmin(s, t);
}

bool shepard_segment_hides(const struct shepard_segment *segment, struct shepard_plane_point s,
                           struct shepard_plane_point t)
{
    const struct shepard_plane_point a = segment->a, b = segment->b;
    const int of_a = shepard_turn_of(s, t, a), of_b = shepard_turn_of(s, t, b);
    if (of_a * of_b > 0)
        return false;
    if (of_a != 0 || of_b != 0)
        return shepard_turn_of(a, b, s) * shepard_turn_of(a, b, t) < 0;
    return s.x != t.x ? intervals_meet(a.x, b.x, s.x, t.x) : intervals_meet(a.y, b.y, s.y, t.y);
}
