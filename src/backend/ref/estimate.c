/* SPDX-License-Identifier: MIT */
#include "backend/ref/estimate.h"

#include "backend/ref/neumaier.h"

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

struct shepard_centred shepard_centred_of(const struct shepard_samples *points, size_t column)
{
    const double low = points->value_min[column], high = points->value_max[column];
    int exponent = 0;
    frexp(high / 2 - low / 2, &exponent);
    return (struct shepard_centred){points->values[column], low / 2 + high / 2,
                                    ldexp(1, exponent > -1000 ? -exponent : 1000)};
}

static double centred_at(const struct shepard_centred *values,
                         const struct shepard_candidate *candidate)
{
    return (values->values[candidate->point] - values->middle) * values->scale;
}

static double centred_mean(const struct shepard_estimate *estimate,
                           const struct shepard_centred *values)
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
    const struct shepard_samples *points = estimate->points;
    const struct shepard_candidate *one = only_one(estimate);
    if (one != NULL)
        return points->values[column][one->point];
    const struct shepard_centred values = shepard_centred_of(points, column);
    const double mean = values.middle + centred_mean(estimate, &values) / values.scale;
    return fmin(fmax(mean, points->value_min[column]), points->value_max[column]);
}

double shepard_estimate_deviation(const struct shepard_estimate *estimate, size_t column)
{
    const struct shepard_centred values = shepard_centred_of(estimate->points, column);
    const double mean = centred_mean(estimate, &values);
    struct shepard_neumaier sum = {0};
    for (size_t i = 0; i < estimate->count; i++) {
        const double u = centred_at(&values, &estimate->used[i]) - mean;
        shepard_neumaier_add(&sum, estimate->weights[i] * (u * u));
    }
    return sqrt(shepard_neumaier_total(&sum)) / values.scale;
}
