/* SPDX-License-Identifier: MIT */
#include "kernel/horizon.h"

#include <math.h>

/* Wedges are taken a little wider, and reaches a little longer, so that rounding (below 1e-9 of the
 * lengths, for what is divided is above this share of them) makes no place hidden. */
#define MARGIN 1e-6

/* An offset whose x is its part towards a side: 0 east, 1 north, 2 west, 3 south. */
struct side_offset {
    double x, y;
};

static struct side_offset turned(int side, double x, double y)
{
    switch (side) {
    case 0:
        return (struct side_offset){x, y};
    case 1:
        return (struct side_offset){y, -x};
    case 2:
        return (struct side_offset){-x, -y};
    default:
        return (struct side_offset){-y, x};
    }
}

static double clamped(double a)
{
    return a < -1 ? -1 : a > 1 ? 1 : a;
}

/* The wedge of a side that a slope of -1 to 1 lies in. */
static int wedge_of(double slope)
{
    const int wedge = (int)((slope + 1) * (SHEPARD_SIDE_WEDGES / 2));
    return wedge < SHEPARD_SIDE_WEDGES ? wedge : SHEPARD_SIDE_WEDGES - 1;
}

void shepard_horizon_clear(struct shepard_horizon *horizon)
{
    for (int i = 0; i < SHEPARD_WEDGES; i++)
        horizon->reach[i] = INFINITY;
    horizon->most = INFINITY;
}

/* How far out the segment crosses the ray of a slope; infinite: it may not. size: of its offsets.
 */
static double crossing(struct side_offset a, struct side_offset b, double slope, double size)
{
    const double of_a = a.y - slope * a.x, of_b = b.y - slope * b.x;
    const bool apart = (of_a > MARGIN * size && of_b < -MARGIN * size) ||
                       (of_a < -MARGIN * size && of_b > MARGIN * size);
    if (!apart)
        return INFINITY;
    const double x = a.x + of_a / (of_a - of_b) * (b.x - a.x);
    return x > MARGIN * size ? x + MARGIN * size : INFINITY;
}

/* A segment that crosses both rays of a wedge crosses all between them, nowhere farther out than
 * on one of the two. */
static void add_to_side(double *reach, struct side_offset a, struct side_offset b)
{
    const double size = fabs(a.x) + fabs(a.y) + fabs(b.x) + fabs(b.y);
    int first = 0, last = SHEPARD_SIDE_WEDGES - 1;
    if (a.x > 0 && b.x > 0) {
        const double p = a.y / a.x, q = b.y / b.x;
        const double low = p < q ? p : q, high = p < q ? q : p;
        if (!(low <= 1 && high >= -1))
            return;
        first = wedge_of(clamped(low));
        last = wedge_of(clamped(high));
    }
    for (int i = first; i <= last; i++) {
        const double slope = (double)i / (SHEPARD_SIDE_WEDGES / 2) - 1;
        const double low = crossing(a, b, slope - MARGIN, size);
        if (low >= reach[i])
            continue;
        const double high = crossing(a, b, slope + 1.0 / (SHEPARD_SIDE_WEDGES / 2) + MARGIN, size);
        const double far = low > high ? low : high;
        reach[i] = far < reach[i] ? far : reach[i];
    }
}

void shepard_horizon_add(struct shepard_horizon *horizon, double ax, double ay, double bx,
                         double by)
{
    for (int side = 0; side < 4; side++) {
        const struct side_offset a = turned(side, ax, ay), b = turned(side, bx, by);
        if (a.x > 0 || b.x > 0)
            add_to_side(horizon->reach + side * SHEPARD_SIDE_WEDGES, a, b);
    }
}

void shepard_horizon_sum_up(struct shepard_horizon *horizon)
{
    horizon->most = 0;
    for (int i = 0; i < SHEPARD_WEDGES; i++)
        horizon->most = horizon->reach[i] > horizon->most ? horizon->reach[i] : horizon->most;
}

bool shepard_horizon_hides(const struct shepard_horizon *horizon, double dx, double dy)
{
    const int side = fabs(dx) >= fabs(dy) ? (dx >= 0 ? 0 : 2) : (dy >= 0 ? 1 : 3);
    const struct side_offset at = turned(side, dx, dy);
    return at.x > 0 &&
           at.x > horizon->reach[side * SHEPARD_SIDE_WEDGES + wedge_of(clamped(at.y / at.x))];
}

/* Whether the part of a box that lies to a side is hidden. low, high: its corners. */
static bool hides_part(const double *reach, struct side_offset low, struct side_offset high)
{
    const double near = fmax(low.x, fmax(low.y, -high.y));
    if (!(high.x > 0 && near > 0 && high.x >= near))
        return high.x <= 0 || near > 0;
    const double first = low.x > 0 ? low.y / (low.y < 0 ? low.x : high.x) : -1;
    const double last = low.x > 0 ? high.y / (high.y > 0 ? low.x : high.x) : 1;
    for (int i = wedge_of(clamped(first - MARGIN)); i <= wedge_of(clamped(last + MARGIN)); i++)
        if (!(near > reach[i]))
            return false;
    return true;
}

bool shepard_horizon_hides_box(const struct shepard_horizon *horizon,
                               const struct shepard_offsets *box)
{
    for (int side = 0; side < 4; side++) {
        const struct side_offset a = turned(side, box->x_min, box->y_min);
        const struct side_offset b = turned(side, box->x_max, box->y_max);
        const struct side_offset low = {fmin(a.x, b.x), fmin(a.y, b.y)};
        const struct side_offset high = {fmax(a.x, b.x), fmax(a.y, b.y)};
        if (!hides_part(horizon->reach + side * SHEPARD_SIDE_WEDGES, low, high))
            return false;
    }
    return true;
}
