/* SPDX-License-Identifier: MIT */
/* Interpolation at Chebyshev nodes: what its bounds promise, measured. */
#include "core/chebyshev.h"
#include "suite.h"

#include <math.h>

#define TRIALS 400
#define PLACES 60

/* What rounding may add. */
#define ROUNDING 1e-12

/* A rectangle round (0, 0) whose longer half-side is 1, and one point's weights over it. */
struct scene {
    int size;
    double half_x, half_y;
    double power, ratio;
    double x, y, smoothing2; /* of the point */
    double node_x[SHEPARD_CHEBYSHEV_MAX], node_y[SHEPARD_CHEBYSHEV_MAX];
};

static double weight_at(const struct scene *scene, double x, double y)
{
    const double dx = x - scene->x, dy = y - scene->y;
    return pow((dx * dx + dy * dy + scene->smoothing2) / (scene->ratio * scene->ratio),
               -scene->power / 2);
}

static struct scene scene_make_random(unsigned long *seed)
{
    struct scene s = {.size = 2 + (int)(7 * chance(seed)), .half_x = 1, .half_y = chance(seed)};
    const double angle = 6.283185307179586 * chance(seed);
    const double part = chance(seed) < 0.5 ? 0 : chance(seed); /* of R^2 by smoothing */
    if (chance(seed) < 0.3)
        s.half_y = 1;
    s.power = 0.1 * pow(200, chance(seed));
    s.ratio = 2.5 * pow(20, chance(seed));
    s.x = s.ratio * sqrt(1 - part) * cos(angle);
    s.y = s.ratio * sqrt(1 - part) * sin(angle);
    s.smoothing2 = s.ratio * s.ratio * part;
    if (chance(seed) < 0.5) {
        const double half = s.half_x;
        s.half_x = s.half_y;
        s.half_y = half;
    }
    shepard_chebyshev_nodes(s.size, -s.half_x, s.half_x, s.node_x);
    shepard_chebyshev_nodes(s.size, -s.half_y, s.half_y, s.node_y);
    return s;
}

/* The interpolant at a place of the weights times signs; their absolute values where sign is 0. */
static double interpolate(const struct scene *s, double x, double y, bool absolute)
{
    double at_x[SHEPARD_CHEBYSHEV_MAX], at_y[SHEPARD_CHEBYSHEV_MAX], sum = 0;
    shepard_chebyshev_weights(s->size, s->node_x, x, at_x);
    shepard_chebyshev_weights(s->size, s->node_y, y, at_y);
    for (int i = 0; i < s->size; i++)
        for (int j = 0; j < s->size; j++) {
            const double term = at_x[i] * at_y[j] * weight_at(s, s->node_x[i], s->node_y[j]);
            sum += absolute ? fabs(term) : term;
        }
    return sum;
}

/* In the rectangle, often on its edge or at its corner. */
static double place(double half, unsigned long *seed)
{
    const double at = 1.5 * (2 * chance(seed) - 1);
    return half * (at < -1 ? -1 : at > 1 ? 1 : at);
}

static void check_bound(struct tally *tally, unsigned long *seed)
{
    double closest = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        const struct scene s = scene_make_random(seed);
        const double bound = shepard_chebyshev_error(s.size, s.power, s.ratio);
        const double most = shepard_chebyshev_magnification(s.size, s.power, s.ratio);
        double error = 0, largest = 0;
        for (int i = 0; i < PLACES; i++) {
            const double x = place(s.half_x, seed), y = place(s.half_y, seed);
            const double w = weight_at(&s, x, y);
            error = fmax(error, fabs(interpolate(&s, x, y, false) / w - 1));
            largest = fmax(largest, interpolate(&s, x, y, true) / w);
        }
        tally_check(tally, error <= bound + ROUNDING,
                    "size %d power %g ratio %g: error %g above its bound %g", s.size, s.power,
                    s.ratio, error, bound);
        tally_check(tally, largest <= most, "size %d power %g ratio %g: magnified %g, not %g",
                    s.size, s.power, s.ratio, largest, most);
        if (bound < INFINITY && error > 1e3 * ROUNDING)
            closest = fmax(closest, error / bound);
    }
    tally_check(tally, closest > 1e-3, "no error comes nearer to its bound than %g of it", closest);
}

/* Polynomials below the number of nodes are kept; the Lebesgue constant is reached at the ends. */
static void check_polynomials(struct tally *tally, unsigned long *seed)
{
    for (int size = 1; size <= SHEPARD_CHEBYSHEV_MAX; size++) {
        double node[SHEPARD_CHEBYSHEV_MAX], weight[SHEPARD_CHEBYSHEV_MAX];
        double worst = 0, largest = 0;
        shepard_chebyshev_nodes(size, 1, 3, node);
        for (int i = 0; i <= PLACES; i++) {
            const double x = i == 0 ? 3 : 1 + 2 * chance(seed);
            double sum = 0, absolute = 0;
            shepard_chebyshev_weights(size, node, x, weight);
            for (int k = 0; k < size; k++) {
                sum += weight[k] * pow(node[k], size - 1);
                absolute += fabs(weight[k]);
            }
            worst = fmax(worst, fabs(sum / pow(x, size - 1) - 1));
            largest = fmax(largest, absolute);
        }
        tally_check(tally, worst <= ROUNDING, "size %d: a polynomial is off by %g", size, worst);
        tally_check(tally, fabs(largest / shepard_chebyshev_lebesgue(size) - 1) <= ROUNDING,
                    "size %d: Lebesgue constant %g, not %g", size, largest,
                    shepard_chebyshev_lebesgue(size));
    }
}

static void check_ratio(struct tally *tally)
{
    for (int size = 2; size <= SHEPARD_CHEBYSHEV_MAX; size++)
        for (double error = 1e-2; error > 1e-13; error /= 10) {
            const double ratio = shepard_chebyshev_ratio(size, 2, error);
            if (ratio == INFINITY)
                continue;
            tally_check(
                tally,
                shepard_chebyshev_error(size, 2, ratio) <= error &&
                    (ratio < 2.51 || shepard_chebyshev_error(size, 2, 0.999 * ratio) > error),
                "size %d: ratio %g is not the least for %g", size, ratio, error);
        }
}

void check_chebyshev(struct tally *tally, unsigned long seed)
{
    check_polynomials(tally, &seed);
    check_bound(tally, &seed);
    check_ratio(tally);
}
