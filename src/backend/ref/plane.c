/* SPDX-License-Identifier: MIT */
#include "backend/ref/plane.h"

#include "backend/ref/estimate.h"
#include "backend/ref/power.h"

#include <float.h>
#include <stdlib.h>

/* Points count as on a line where the determinant is this part of the squared trace: the smaller
 * eigenvalue may then be nothing but the rounding of the coordinates. */
#define SINGULAR 1e-14

/* A data point's offset from the target. */
struct offset {
    struct shepard_pair x, y;
};

static struct shepard_pair times_power_of_two(struct shepard_pair a, double power)
{
    return (struct shepard_pair){a.high * power, a.low * power};
}

/* On the plane that touches the sphere at the target: the arc by its bearing. */
static struct offset offset_on_sphere(const struct shepard_ref_place *place, uint32_t point,
                                      double scale)
{
    double east, north;
    const double arc = shepard_ref_sphere_arc(place->sphere, place->x, place->y, point) * scale;
    shepard_ref_sphere_bearing(place->sphere, place->x, place->y, point, &east, &north);
    const double length = hypot(east, north);
    return (struct offset){{length > 0 ? east / length * arc : 0, 0},
                           {length > 0 ? north / length * arc : arc, 0}};
}

static struct offset offset_of(const struct shepard_plane *plane,
                               const struct shepard_candidate *candidate, double scale)
{
    const struct shepard_samples *points = plane->points;
    const uint32_t p = candidate->point;
    if (plane->place.sphere != NULL)
        return offset_on_sphere(&plane->place, p, scale);
    return (struct offset){
        times_power_of_two(shepard_pair_of_sum(points->x[p], -plane->place.x), scale),
        times_power_of_two(shepard_pair_of_sum(points->y[p], -plane->place.y), scale)};
}

static void add(struct shepard_pair *sum, struct shepard_pair a, struct shepard_pair b)
{
    *sum = shepard_pair_plus(*sum, shepard_pair_times(a, b));
}

static struct shepard_pair squared_length(struct offset offset)
{
    struct shepard_pair sum = {0, 0};
    add(&sum, offset.x, offset.x);
    add(&sum, offset.y, offset.y);
    return sum;
}

/* The power of two that brings a length near 1; 1 for 0. */
static double unit_scale(double length)
{
    int exponent;
    frexp(length, &exponent);
    return ldexp(1, -exponent);
}

/* ---- penalty --------------------------------------------------------------------------------- */

static int ascending(const void *first, const void *second)
{
    const struct shepard_pair *a = first, *b = second;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->low > b->low) - (a->low < b->low);
}

static double farthest2(const struct shepard_candidate *sample, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, sample[i].d2);
    return most;
}

/* Of the squares of distances, sorted; of an even number the mean of the middle two. */
static struct shepard_pair median_distance(const struct shepard_pair *squares, size_t count)
{
    const struct shepard_pair low = shepard_pair_root(squares[(count - 1) / 2]);
    const struct shepard_pair high = shepard_pair_root(squares[count / 2]);
    return times_power_of_two(shepard_pair_plus(low, high), 0.5);
}

void shepard_plane_penalise(struct shepard_plane *plane, double ridge,
                            const struct shepard_candidate *sample, size_t count,
                            struct shepard_pair *room)
{
    const double scale = unit_scale(sqrt(farthest2(sample, count)));
    for (size_t i = 0; i < count; i++)
        room[i] = squared_length(offset_of(plane, &sample[i], scale));
    qsort(room, count, sizeof *room, ascending);
    const struct shepard_pair h = median_distance(room, count);
    const double to_unit = unit_scale(h.high);
    const struct shepard_pair unit_h = times_power_of_two(h, to_unit);
    plane->scale = scale * to_unit;
    plane->penalty =
        shepard_pair_times((struct shepard_pair){ridge, 0}, shepard_pair_times(unit_h, unit_h));
}

/* ---- weights --------------------------------------------------------------------------------- */

void shepard_plane_weigh(struct shepard_plane *plane, double power, double smoothing, double unit2)
{
    const double scale = unit_scale(sqrt(unit2));
    const double *given = plane->points->weights;
    const struct shepard_pair sigma = {smoothing * scale, 0};
    const struct shepard_pair sigma2 = shepard_pair_times(sigma, sigma);
    struct shepard_pair total = {0, 0};
    for (size_t i = 0; i < plane->count; i++) {
        const struct shepard_candidate *candidate = &plane->used[i];
        const struct shepard_pair d2 = squared_length(offset_of(plane, candidate, scale));
        const struct shepard_pair q = {given != NULL ? given[candidate->point] : 1, 0};
        plane->weights[i] =
            shepard_pair_times(q, shepard_pair_power(shepard_pair_plus(d2, sigma2), -power / 2));
        total = shepard_pair_plus(total, plane->weights[i]);
    }
    for (size_t i = 0; i < plane->count; i++)
        plane->weights[i] = shepard_pair_over(plane->weights[i], total);
}

/* ---- moments --------------------------------------------------------------------------------- */

/* Weighted means of offsets and value, and moments about the means. */
struct moments {
    struct shepard_pair x, y, z;
    struct shepard_pair xx, xy, yy, xz, yz;
};

/* The value of a point used, centred. */
static struct shepard_pair value_of(const struct shepard_plane *plane,
                                    const struct shepard_centred *values, size_t i)
{
    const double z = values->values[plane->used[i].point];
    return times_power_of_two(shepard_pair_of_sum(z, -values->middle), values->scale);
}

static struct moments means_of(const struct shepard_plane *plane,
                               const struct shepard_centred *values)
{
    struct moments m = {0};
    for (size_t i = 0; i < plane->count; i++) {
        const struct offset offset = offset_of(plane, &plane->used[i], plane->scale);
        add(&m.x, plane->weights[i], offset.x);
        add(&m.y, plane->weights[i], offset.y);
        add(&m.z, plane->weights[i], value_of(plane, values, i));
    }
    return m;
}

static struct moments moments_of(const struct shepard_plane *plane,
                                 const struct shepard_centred *values)
{
    struct moments m = means_of(plane, values);
    for (size_t i = 0; i < plane->count; i++) {
        const struct offset offset = offset_of(plane, &plane->used[i], plane->scale);
        const struct shepard_pair dx = shepard_pair_minus(offset.x, m.x);
        const struct shepard_pair dy = shepard_pair_minus(offset.y, m.y);
        const struct shepard_pair u = shepard_pair_minus(value_of(plane, values, i), m.z);
        const struct shepard_pair wx = shepard_pair_times(plane->weights[i], dx);
        const struct shepard_pair wy = shepard_pair_times(plane->weights[i], dy);
        add(&m.xx, wx, dx);
        add(&m.xy, wx, dy);
        add(&m.yy, wy, dy);
        add(&m.xz, wx, u);
        add(&m.yz, wy, u);
    }
    m.xx = shepard_pair_plus(m.xx, plane->penalty);
    m.yy = shepard_pair_plus(m.yy, plane->penalty);
    return m;
}

/* ---- the plane ------------------------------------------------------------------------------- */

/* Divides by the trace: products of the moments neither vanish nor overflow then. */
static void divide_by_trace(struct moments *m, struct shepard_pair trace)
{
    m->xx = shepard_pair_over(m->xx, trace);
    m->xy = shepard_pair_over(m->xy, trace);
    m->yy = shepard_pair_over(m->yy, trace);
    m->xz = shepard_pair_over(m->xz, trace);
    m->yz = shepard_pair_over(m->yz, trace);
}

/* a b - c d */
static struct shepard_pair cross(struct shepard_pair a, struct shepard_pair b,
                                 struct shepard_pair c, struct shepard_pair d)
{
    return shepard_pair_minus(shepard_pair_times(a, b), shepard_pair_times(c, d));
}

/* a b + c d */
static struct shepard_pair dot(struct shepard_pair a, struct shepard_pair b, struct shepard_pair c,
                               struct shepard_pair d)
{
    return shepard_pair_plus(shepard_pair_times(a, b), shepard_pair_times(c, d));
}

/* (b x + c y), where (b, c) solves [xx xy; xy yy] (b, c) = (xz, yz), by Cramer's rule. */
static struct shepard_pair rise_of(const struct moments *m, struct shepard_pair determinant)
{
    const struct shepard_pair b = cross(m->yy, m->xz, m->xy, m->yz);
    const struct shepard_pair c = cross(m->xx, m->yz, m->xy, m->xz);
    return shepard_pair_over(dot(b, m->x, c, m->y), determinant);
}

/* The same with slopes along the direction in which the points spread, none across it: the
 * pseudo-inverse of [xx xy; xy yy], of trace 1, taken as of rank 1. Its columns are multiples of
 * the eigenvector, so the longer one gives the direction; the eigenvalue is the trace. */
static struct shepard_pair rise_of_line(const struct moments *m)
{
    const bool first = m->xx.high >= m->yy.high;
    const struct shepard_pair x = first ? m->xx : m->xy, y = first ? m->xy : m->yy;
    const struct shepard_pair along = shepard_pair_over(dot(x, m->xz, y, m->yz), dot(x, x, y, y));
    return shepard_pair_times(along, dot(x, m->x, y, m->y));
}

/* What the plane rises from the target to the mean of the places. */
static struct shepard_pair rise_to_mean(struct moments *m)
{
    const struct shepard_pair trace = shepard_pair_plus(m->xx, m->yy);
    if (!(trace.high >= DBL_MIN && trace.high <= DBL_MAX))
        return (struct shepard_pair){0, 0};
    divide_by_trace(m, trace);
    const struct shepard_pair determinant = cross(m->xx, m->yy, m->xy, m->xy);
    return determinant.high > SINGULAR ? rise_of(m, determinant) : rise_of_line(m);
}

/* The squared distance from the target to the mean of the places in units of their spread: what a
 * plane rises whose moments with the places are that distance. */
static struct shepard_pair leverage_of(const struct moments *m)
{
    struct moments own = *m;
    own.xz = m->x;
    own.yz = m->y;
    return rise_to_mean(&own);
}

/* Over 1 + damping L (Eq. 12b); nothing is left where L is beyond all numbers. */
static struct shepard_pair damped(struct shepard_pair rise, double damping,
                                  struct shepard_pair leverage)
{
    const struct shepard_pair share = {damping, 0}, one = {1, 0};
    if (damping == 0)
        return rise;
    const struct shepard_pair over = shepard_pair_plus(one, shepard_pair_times(share, leverage));
    return isfinite(over.high) ? shepard_pair_over(rise, over) : (struct shepard_pair){0, 0};
}

double shepard_plane_value(const struct shepard_plane *plane, size_t column)
{
    const struct shepard_centred values = shepard_centred_of(plane->points, column);
    struct moments moments = moments_of(plane, &values);
    const struct shepard_pair leverage = leverage_of(&moments);
    const struct shepard_pair rise = damped(rise_to_mean(&moments), plane->damping, leverage);
    const struct shepard_pair at_target = shepard_pair_minus(moments.z, rise);
    return values.middle + at_target.high / values.scale;
}
