/* SPDX-License-Identifier: MIT */
#include "backend/ref/estimate.h"

#include "backend/ref/neumaier.h"
#include "backend/ref/pair.h"

#include <float.h>

/* A 2 x 2 matrix counts as singular where its determinant is this part of its squared trace: the
 * smaller eigenvalue may then be nothing but the rounding of the coordinates. */
#define SINGULAR 1e-14

/* Weights of the data alone where the target is at the place of points, without smoothing. */
static double raw_weight(const struct shepard_estimate *estimate, size_t i, double power,
                         double smoothing2)
{
    const double nearest2 = estimate->nearest2 + smoothing2;
    const double distance2 = estimate->used[i].d2 + smoothing2;
    const double *given = estimate->points->weights;
    const double q = given != NULL ? given[estimate->used[i].point] : 1;
    if (nearest2 == 0)
        return distance2 == 0 ? q : 0;
    return q * pow(nearest2 / distance2, power / 2);
}

/* Divides by a number that is not 0. */
static void divide(double *a, size_t n, double divisor)
{
    for (size_t i = 0; i < n; i++)
        a[i] /= divisor;
}

void shepard_estimate_weigh(struct shepard_estimate *estimate, double power, double smoothing2)
{
    double *w = estimate->weights;
    estimate->nearest2 = estimate->used[0].d2;
    for (size_t i = 1; i < estimate->count; i++)
        estimate->nearest2 = fmin(estimate->nearest2, estimate->used[i].d2);
    double largest = 0;
    for (size_t i = 0; i < estimate->count; i++) {
        w[i] = raw_weight(estimate, i, power, smoothing2);
        largest = fmax(largest, w[i]);
    }
    /* By the largest first: weights of the data may be so small that their squares vanish. */
    divide(w, estimate->count, largest);
    struct shepard_neumaier sum = {0}, squares = {0};
    for (size_t i = 0; i < estimate->count; i++) {
        shepard_neumaier_add(&sum, w[i]);
        shepard_neumaier_add(&squares, w[i] * w[i]);
    }
    const double total = shepard_neumaier_total(&sum);
    estimate->effective = total * total / shepard_neumaier_total(&squares);
    divide(w, estimate->count, total);
}

/* Values are centred and scaled by a power of two: large offsets cost no digits, and no square
 * overflows or vanishes. */
struct centred {
    const double *values;
    double middle, scale; /* u = (z - middle) * scale, |u| <= 1 */
};

static struct centred centred_of(const struct shepard_points *points, size_t column)
{
    const double low = points->value_min[column], high = points->value_max[column];
    int exponent = 0;
    frexp(high / 2 - low / 2, &exponent);
    return (struct centred){points->values[column], low / 2 + high / 2,
                            ldexp(1, exponent > -1000 ? -exponent : 1000)};
}

static double centred_at(const struct centred *values, const struct shepard_candidate *candidate)
{
    return (values->values[candidate->point] - values->middle) * values->scale;
}

static double centred_mean(const struct shepard_estimate *estimate, const struct centred *values)
{
    struct shepard_neumaier sum = {0};
    for (size_t i = 0; i < estimate->count; i++)
        shepard_neumaier_add(&sum, estimate->weights[i] * centred_at(values, &estimate->used[i]));
    return shepard_neumaier_total(&sum);
}

/* The only point with a weight above 0; NULL: there are more. */
static const struct shepard_candidate *only_one(const struct shepard_estimate *estimate)
{
    const struct shepard_candidate *found = NULL;
    for (size_t i = 0; i < estimate->count; i++) {
        if (estimate->weights[i] > 0 && found != NULL)
            return NULL;
        if (estimate->weights[i] > 0)
            found = &estimate->used[i];
    }
    return found;
}

double shepard_estimate_mean(const struct shepard_estimate *estimate, size_t column)
{
    const struct shepard_points *points = estimate->points;
    const struct shepard_candidate *one = only_one(estimate);
    if (one != NULL)
        return points->values[column][one->point];
    const struct centred values = centred_of(points, column);
    const double mean = values.middle + centred_mean(estimate, &values) / values.scale;
    return fmin(fmax(mean, points->value_min[column]), points->value_max[column]);
}

double shepard_estimate_deviation(const struct shepard_estimate *estimate, size_t column)
{
    const struct centred values = centred_of(estimate->points, column);
    const double mean = centred_mean(estimate, &values);
    struct shepard_neumaier sum = {0};
    for (size_t i = 0; i < estimate->count; i++) {
        const double u = centred_at(&values, &estimate->used[i]) - mean;
        shepard_neumaier_add(&sum, estimate->weights[i] * (u * u));
    }
    return sqrt(shepard_neumaier_total(&sum)) / values.scale;
}

/* Weighted means of offsets and value, and moments about the means. In pairs: the normal equations
 * of a line of points square its thinness. */
struct moments {
    struct shepard_pair x, y, z;
    struct shepard_pair xx, xy, yy, xz, yz;
};

/* A data point's offset from the target, value and weight. */
struct sample {
    struct shepard_pair x, y, z;
    struct shepard_pair w;
};

static struct sample sample_of(const struct shepard_estimate *estimate,
                               const struct centred *values, size_t i)
{
    const struct shepard_points *points = estimate->points;
    const uint32_t p = estimate->used[i].point;
    const struct shepard_pair scale = {values->scale, 0}, weight = {estimate->weights[i], 0};
    const struct shepard_pair above = shepard_pair_of_sum(values->values[p], -values->middle);
    return (struct sample){shepard_pair_of_sum(points->x[p], -estimate->place.x),
                           shepard_pair_of_sum(points->y[p], -estimate->place.y),
                           shepard_pair_times(above, scale), weight};
}

static void add(struct shepard_pair *sum, struct shepard_pair a, struct shepard_pair b)
{
    *sum = shepard_pair_plus(*sum, shepard_pair_times(a, b));
}

static struct moments means_of(const struct shepard_estimate *estimate,
                               const struct centred *values)
{
    struct moments m = {0};
    for (size_t i = 0; i < estimate->count; i++) {
        const struct sample s = sample_of(estimate, values, i);
        add(&m.x, s.w, s.x);
        add(&m.y, s.w, s.y);
        add(&m.z, s.w, s.z);
    }
    return m;
}

static struct moments moments_of(const struct shepard_estimate *estimate,
                                 const struct centred *values)
{
    struct moments m = means_of(estimate, values);
    for (size_t i = 0; i < estimate->count; i++) {
        const struct sample s = sample_of(estimate, values, i);
        const struct shepard_pair dx = shepard_pair_minus(s.x, m.x);
        const struct shepard_pair dy = shepard_pair_minus(s.y, m.y);
        const struct shepard_pair u = shepard_pair_minus(s.z, m.z);
        const struct shepard_pair wx = shepard_pair_times(s.w, dx);
        const struct shepard_pair wy = shepard_pair_times(s.w, dy);
        add(&m.xx, wx, dx);
        add(&m.xy, wx, dy);
        add(&m.yy, wy, dy);
        add(&m.xz, wx, u);
        add(&m.yz, wy, u);
    }
    return m;
}

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

/* (b x + c y), where (b, c) solves [xx xy; xy yy] (b, c) = (xz, yz), by Cramer's rule. */
static struct shepard_pair rise_of(const struct moments *m, struct shepard_pair determinant)
{
    const struct shepard_pair b = cross(m->yy, m->xz, m->xy, m->yz);
    const struct shepard_pair c = cross(m->xx, m->yz, m->xy, m->xz);
    const struct shepard_pair rise =
        shepard_pair_plus(shepard_pair_times(b, m->x), shepard_pair_times(c, m->y));
    return shepard_pair_over(rise, determinant);
}

/* The same with slopes along the direction in which the points spread, none across it: the
 * pseudo-inverse of [xx xy; xy yy], of trace 1, taken as of rank 1. Its columns are multiples of
 * the eigenvector, so the longer one gives the direction; the eigenvalue is the trace. */
static double rise_of_line(const struct moments *m)
{
    const bool first = m->xx.high >= m->yy.high;
    const double x = first ? m->xx.high : m->xy.high, y = first ? m->xy.high : m->yy.high;
    const double along = (x * m->xz.high + y * m->yz.high) / (x * x + y * y);
    return along * (x * m->x.high + y * m->y.high);
}

/* What the plane rises from the target to the mean of the places. */
static double rise_to_mean(struct moments *m)
{
    const struct shepard_pair trace = shepard_pair_plus(m->xx, m->yy);
    if (!(trace.high >= DBL_MIN && trace.high <= DBL_MAX))
        return 0;
    divide_by_trace(m, trace);
    const struct shepard_pair determinant = cross(m->xx, m->yy, m->xy, m->xy);
    return determinant.high > SINGULAR ? rise_of(m, determinant).high : rise_of_line(m);
}

double shepard_estimate_plane(const struct shepard_estimate *estimate, size_t column,
                              double penalty)
{
    const struct centred values = centred_of(estimate->points, column);
    struct moments moments = moments_of(estimate, &values);
    moments.xx = shepard_pair_plus(moments.xx, (struct shepard_pair){penalty, 0});
    moments.yy = shepard_pair_plus(moments.yy, (struct shepard_pair){penalty, 0});
    const double at_target = moments.z.high - rise_to_mean(&moments);
    return values.middle + at_target / values.scale;
}
