/* SPDX-License-Identifier: MIT */
#include "truth.h"

#include "core/adapt.h"

#include <math.h>
#include <stdlib.h>

struct place {
    double x, y;
};

/* The k nearest points, nearest first. */
struct nearest {
    size_t k;
    double d2[SHEPARD_TRUTH_K_MAX];
    size_t index[SHEPARD_TRUTH_K_MAX];
};

/* Sums of weights, and of weights times values. */
struct sums {
    double weight, value;
};

static double distance2(const struct shepard_cloud *cloud, size_t i, struct place at)
{
    const double dx = cloud->x[i] - at.x, dy = cloud->y[i] - at.y;
    return dx * dx + dy * dy;
}

static void insert(struct nearest *nearest, double d2, size_t index)
{
    size_t j = nearest->k - 1;
    for (; j > 0 && nearest->d2[j - 1] > d2; j--) {
        nearest->d2[j] = nearest->d2[j - 1];
        nearest->index[j] = nearest->index[j - 1];
    }
    nearest->d2[j] = d2;
    nearest->index[j] = index;
}

static void find_nearest(const struct shepard_cloud *cloud, struct place at,
                         struct nearest *nearest)
{
    for (size_t j = 0; j < nearest->k; j++)
        nearest->d2[j] = INFINITY;
    for (size_t i = 0; i < cloud->n; i++) {
        const double d2 = distance2(cloud, i, at);
        if (d2 < nearest->d2[nearest->k - 1])
            insert(nearest, d2, i);
    }
}

/* Adds point i: weights are relative to that of the nearest point; where a point is at the target,
 * only such points count. */
static void add(struct sums *sums, double d2, double z, double nearest2, double power)
{
    const double w = nearest2 > 0 ? pow(nearest2 / d2, 0.5 * power) : (d2 == 0 ? 1 : 0);
    sums->weight += w;
    sums->value += w * z;
}

static double power_at(const struct shepard_task *task, const struct nearest *nearest, double area)
{
    const struct shepard_options *options = &task->options;
    struct shepard_adapt adapt = {.k = nearest->k,
                                  .r_expected =
                                      shepard_adapt_expect_nearest((double)task->cloud->n, area),
                                  .r_min = options->adaptive.r_min,
                                  .r_max = options->adaptive.r_max};
    double sum = 0;
    if (options->method != SHEPARD_AIDW)
        return options->power;
    for (size_t i = 0; i < 5; i++)
        adapt.alphas[i] = options->adaptive.alphas[i];
    for (size_t j = 0; j < nearest->k; j++)
        sum += sqrt(nearest->d2[j]);
    return shepard_adapt_alpha(&adapt, sum / (double)nearest->k);
}

static double predict(const struct shepard_task *task, struct place at, double area)
{
    const struct shepard_cloud *cloud = task->cloud;
    const size_t k = task->options.neighbourhood.max_points;
    struct nearest nearest = {.k = k ? k : task->options.adaptive.k};
    nearest.k = nearest.k < cloud->n ? nearest.k : cloud->n;
    find_nearest(cloud, at, &nearest);
    const double power = power_at(task, &nearest, area);
    struct sums sums = {0, 0};
    for (size_t j = 0; k && j < nearest.k; j++)
        add(&sums, nearest.d2[j], cloud->z[0][nearest.index[j]], nearest.d2[0], power);
    for (size_t i = 0; !k && i < cloud->n; i++)
        add(&sums, distance2(cloud, i, at), cloud->z[0][i], nearest.d2[0], power);
    return sums.value / sums.weight;
}

static double largest(const struct shepard_sample *sample, const double *truth)
{
    const double range = shepard_cloud_range(sample->task->cloud, 0);
    double most = 0;
    for (size_t i = 0; i < sample->count; i++) {
        const double error = fabs(sample->found[i] - truth[i]) / range;
        most = isnan(most) || error <= most ? most : error; /* a NaN stays */
    }
    return most;
}

bool shepard_truth_error(const struct shepard_sample *sample, double area, double *error)
{
    double *truth = malloc(sample->count * sizeof *truth);
    if (!truth)
        return false;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < sample->count; i++) {
        struct place at;
        shepard_task_place(sample->task, sample->index[i], &at.x, &at.y);
        truth[i] = predict(sample->task, at, area);
    }
    *error = largest(sample, truth);
    free(truth);
    return true;
}
