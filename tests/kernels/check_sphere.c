/* SPDX-License-Identifier: MIT */
/* Directions and arcs on the sphere against long double, and what is exact of them. */
#include "core/sphere_arc.h"
#include "core/sphere_point.h"
#include "suite.h"

#define DIRECTIONS 200000
#define UNIT (3.14159265358979323846264338327950288L / 180)

/* The sine of degrees within two turns, from its quarter: long double knows pi to 64 bits only. */
static long double sine_of(double degrees)
{
    const long double rest = (long double)remainder(degrees, 90) * UNIT;
    switch ((int)rint((degrees - remainder(degrees, 90)) / 90) & 3) {
    case 0:
        return sinl(rest);
    case 1:
        return cosl(rest);
    case 2:
        return -sinl(rest);
    default:
        return -cosl(rest);
    }
}

/* A little more than half a unit in the last place of the result, and what pi / 180 and the product
 * with it round. */
static bool is_close(double got, long double want, double degrees)
{
    const double rest = fabs(remainder(degrees, 90)) * (double)UNIT;
    return fabsl(got - want) <= 0x1p-53 * (1.2L * fabsl(want) + 2 * rest);
}

static bool is_right(double degrees)
{
    double sine, cosine, mirrored, same;
    shepard_sphere_direction(degrees, &sine, &cosine);
    shepard_sphere_direction(-degrees, &mirrored, &same);
    const double to_pole = 90 - fabs(degrees);
    const bool exact = 90 - to_pole == fabs(degrees);
    return is_close(sine, sine_of(degrees), degrees) &&
           (!exact || is_close(cosine, sine_of(to_pole), degrees)) && mirrored == -sine &&
           same == cosine;
}

static bool are_quarters_exact(void)
{
    static const double sines[] = {0, 1, 0, -1};
    bool exact = true;
    for (int quarter = -2; quarter <= 2; quarter++) {
        double sine, cosine;
        shepard_sphere_direction(90 * quarter, &sine, &cosine);
        exact = exact && sine == sines[(quarter + 4) % 4] && cosine == sines[(quarter + 5) % 4];
    }
    return exact;
}

/* How far off the quotient of Eq. 98a is for a chord whose squared sine is u, and that of the
 * chord to the opposite point v = 1 - u, both relative to the arc's square. */
static double arc_error(double u, double v, double diameter)
{
    const double curvature = 1 / (diameter * diameter);
    const struct shepard_arc_quotient got =
        u <= SHEPARD_SPHERE_NEAR_MAX ? shepard_sphere_near_arc2(u * diameter * diameter, curvature)
                                     : shepard_sphere_far_arc2(v * diameter * diameter, curvature);
    const long double angle = u <= SHEPARD_SPHERE_NEAR_MAX ? asinl(sqrtl(u)) : acosl(sqrtl(v));
    const long double want = angle * angle * diameter * diameter;
    return (double)fabsl((long double)got.over / got.under / want - 1);
}

/* Near the target, near the opposite point, and where the two formulas meet. */
static double largest_arc_error(unsigned long *seed)
{
    double largest = arc_error(1, 0, 2);
    for (size_t i = 0; i < DIRECTIONS; i++) {
        const double part = scaled_chance(seed, -40, 0) / 2, diameter = scaled_chance(seed, -9, 9);
        const double middle = 0.5 + (chance(seed) - 0.5) / 1024;
        largest = fmax(largest, arc_error(part, 1 - part, diameter));
        largest = fmax(largest, arc_error(1 - part, part, diameter));
        largest = fmax(largest, arc_error(middle, 1 - middle, diameter));
    }
    return largest;
}

void check_sphere(struct tally *tally, unsigned long seed)
{
    size_t wrong = 0;
    for (size_t i = 0; i < DIRECTIONS; i++)
        wrong += !is_right(i % 3 == 0 ? scaled_chance(&seed, -30, 2) : chance(&seed) * 360 - 180);
    tally_check(tally, wrong == 0, "directions on the sphere are off");
    tally_check(tally, largest_arc_error(&seed) <= 5e-15, "arcs by quotients are off");
    tally_check(tally, are_quarters_exact(), "quarters of a turn are rounded");
}
