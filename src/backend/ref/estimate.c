/* SPDX-License-Identifier: MIT */
#include "backend/ref/estimate.h"

#include "backend/ref/neumaier.h"

#include <float.h>

/* A 2 x 2 matrix counts as singular where its determinant is this part of its squared trace: the
 * smaller eigenvalue is then lost in the rounding of the larger. */
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

double shepard_estimate_mean(const struct shepard_estimate *estimate, size_t column)
{
    const struct shepard_points *points = estimate->points;
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

/* Weighted means of the offsets, and the moments of offsets and values about the means. */
struct moments {
    double x, y;
    double xx, xy, yy, xz, yz;
};

static void mean_offset(const struct shepard_estimate *estimate, struct moments *moments)
{
    const struct shepard_points *points = estimate->points;
    struct shepard_neumaier x = {0}, y = {0};
    for (size_t i = 0; i < estimate->count; i++) {
        const uint32_t p = estimate->used[i].point;
        shepard_neumaier_add(&x, estimate->weights[i] * (points->x[p] - estimate->place.x));
        shepard_neumaier_add(&y, estimate->weights[i] * (points->y[p] - estimate->place.y));
    }
    moments->x = shepard_neumaier_total(&x);
    moments->y = shepard_neumaier_total(&y);
}

static struct moments moments_of(const struct shepard_estimate *estimate,
                                 const struct centred *values, double mean)
{
    const struct shepard_points *points = estimate->points;
    struct shepard_neumaier xx = {0}, xy = {0}, yy = {0}, xz = {0}, yz = {0};
    struct moments moments;
    mean_offset(estimate, &moments);
    for (size_t i = 0; i < estimate->count; i++) {
        const uint32_t p = estimate->used[i].point;
        const double w = estimate->weights[i];
        const double dx = points->x[p] - estimate->place.x - moments.x;
        const double dy = points->y[p] - estimate->place.y - moments.y;
        const double u = centred_at(values, &estimate->used[i]) - mean;
        shepard_neumaier_add(&xx, w * (dx * dx));
        shepard_neumaier_add(&xy, w * (dx * dy));
        shepard_neumaier_add(&yy, w * (dy * dy));
        shepard_neumaier_add(&xz, w * (dx * u));
        shepard_neumaier_add(&yz, w * (dy * u));
    }
    moments.xx = shepard_neumaier_total(&xx);
    moments.xy = shepard_neumaier_total(&xy);
    moments.yy = shepard_neumaier_total(&yy);
    moments.xz = shepard_neumaier_total(&xz);
    moments.yz = shepard_neumaier_total(&yz);
    return moments;
}

/* Slopes along the direction in which the points spread, none across it: the pseudo-inverse of
 * [xx xy; xy yy], of trace 1, taken as of rank 1. Its columns are multiples of the eigenvector, so
 * the longer one gives the direction; the eigenvalue is the trace. */
static void slopes_of_line(const struct moments *m, double *b, double *c)
{
    const double x = m->xx >= m->yy ? m->xx : m->xy, y = m->xx >= m->yy ? m->xy : m->yy;
    const double along = (x * m->xz + y * m->yz) / (x * x + y * y);
    *b = x * along;
    *c = y * along;
}

/* Divides by the trace: products of the moments neither vanish nor overflow then. */
static struct moments relative_to(const struct moments *m, double trace)
{
    return (struct moments){m->x,          m->y,          m->xx / trace, m->xy / trace,
                            m->yy / trace, m->xz / trace, m->yz / trace};
}

/* Solves [xx xy; xy yy] (b, c) = (xz, yz), by elimination from the larger diagonal element. */
static void slopes_of(const struct moments *moments, double *b, double *c)
{
    const double trace = moments->xx + moments->yy;
    *b = *c = 0;
    if (!(trace >= DBL_MIN && trace <= DBL_MAX))
        return;
    const struct moments m = relative_to(moments, trace);
    if (m.xx * m.yy - m.xy * m.xy <= SINGULAR) {
        slopes_of_line(&m, b, c);
    } else if (m.xx >= m.yy) {
        const double factor = m.xy / m.xx;
        *c = (m.yz - factor * m.xz) / (m.yy - factor * m.xy);
        *b = (m.xz - m.xy * *c) / m.xx;
    } else {
        const double factor = m.xy / m.yy;
        *b = (m.xz - factor * m.yz) / (m.xx - factor * m.xy);
        *c = (m.yz - m.xy * *b) / m.yy;
    }
}

double shepard_estimate_plane(const struct shepard_estimate *estimate, size_t column,
                              double penalty)
{
    const struct centred values = centred_of(estimate->points, column);
    const double mean = centred_mean(estimate, &values);
    struct moments moments = moments_of(estimate, &values, mean);
    moments.xx += penalty;
    moments.yy += penalty;
    double b, c;
    slopes_of(&moments, &b, &c);
    const double at_target = mean - b * moments.x - c * moments.y;
    return values.middle + at_target / values.scale;
}
