/* SPDX-License-Identifier: MIT */
#include "exact.h"

#include "core/adapt.h"

#include <math.h>
#include <stdlib.h>

#define K_MAX 64

static double squared_distance(const struct shepard_dataset *dataset, size_t i, double x, double y)
{
    const double dx = dataset->x[i] - x, dy = dataset->y[i] - y;
    return dx * dx + dy * dy;
}

void shepard_exact_nearest(const struct shepard_dataset *dataset, double x, double y, size_t k,
                           double *squared_distances, size_t *indices)
{
    double *const d2 = squared_distances;
    for (size_t j = 0; j < k; j++)
        d2[j] = INFINITY;
    for (size_t i = 0; i < dataset->n; i++) {
        const double own = squared_distance(dataset, i, x, y);
        if (own >= d2[k - 1])
            continue;
        size_t j = k - 1;
        for (; j > 0 && d2[j - 1] > own; j--) {
            d2[j] = d2[j - 1];
            indices[j] = indices[j - 1];
        }
        d2[j] = own;
        indices[j] = i;
    }
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* What AIDW needs, in the dataset's unit. */
static struct shepard_adapt adapt_of(const struct shepard_task *task)
{
    const struct shepard_dataset *dataset = task->dataset;
    const struct shepard_adaptive *adaptive = &task->parameters.adaptive;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < dataset->n; i++) {
        low[0] = fmin(low[0], dataset->x[i]);
        low[1] = fmin(low[1], dataset->y[i]);
        high[0] = fmax(high[0], dataset->x[i]);
        high[1] = fmax(high[1], dataset->y[i]);
    }
    const double area = (high[0] - low[0]) * (high[1] - low[1]);
    struct shepard_adapt adapt = {.k = adaptive->k < dataset->n ? adaptive->k : dataset->n,
                                  .r_expected =
                                      shepard_adapt_expect_nearest((double)dataset->n, area),
                                  .r_min = adaptive->r_min,
                                  .r_max = adaptive->r_max};
    for (size_t i = 0; i < 5; i++)
        adapt.alphas[i] = adaptive->powers[i];
    return adapt;
}

/* Sums of weights, and of weights times values. */
struct sums {
    long double weight, value[SHEPARD_TASK_COLUMNS];
};

/* Weights are relative to that of the nearest point; where a point is at the target, only such
 * points count, unless there is smoothing. */
static void add(const struct shepard_task *task, struct sums *sums, size_t i, double d2,
                double nearest2, double power)
{
    const double smoothing2 = task->parameters.smoothing * task->parameters.smoothing;
    const double unit2 = nearest2 + smoothing2, r2 = d2 + smoothing2;
    const double w = unit2 > 0 ? pow(unit2 / r2, 0.5 * power) : (r2 == 0 ? 1 : 0);
    sums->weight += w;
    for (size_t c = 0; c < task->columns; c++)
        sums->value[c] += (long double)w * task->dataset->values[task->column + c][i];
}

static struct sums sum_at(const struct shepard_task *task, const struct shepard_adapt *adapt,
                          double x, double y)
{
    const struct shepard_dataset *dataset = task->dataset;
    const size_t k = task->parameters.neighbourhood.max_points;
    const size_t wanted = k ? (k < dataset->n ? k : dataset->n) : adapt->k;
    double d2[K_MAX], power = task->parameters.power, sum = 0;
    size_t index[K_MAX];
    struct sums sums = {0};
    shepard_exact_nearest(dataset, x, y, wanted, d2, index);
    for (size_t j = 0; j < wanted; j++)
        sum += sqrt(d2[j]);
    if (task->parameters.method == SHEPARD_METHOD_AIDW)
        power = shepard_adapt_power(adapt, sum / (double)wanted);
    for (size_t j = 0; k && j < wanted; j++)
        add(task, &sums, index[j], d2[j], d2[0], power);
    for (size_t i = 0; !k && i < dataset->n; i++)
        add(task, &sums, i, squared_distance(dataset, i, x, y), d2[0], power);
    return sums;
}

/* ---- samples --------------------------------------------------------------------------------- */

bool shepard_sample_draw(struct shepard_sample *sample, const struct shepard_task *task,
                         size_t count)
{
    const size_t targets = shepard_task_all(task).count;
    *sample = (struct shepard_sample){.task = task, .count = count < targets ? count : targets};
    const size_t values = task->columns * sample->count;
    sample->index = malloc(sample->count * sizeof *sample->index);
    sample->found = malloc(values * sizeof *sample->found);
    sample->exact = malloc(values * sizeof *sample->exact);
    if (!sample->index || !sample->found || !sample->exact)
        return false;
    shepard_dataset_sample(targets, sample->count, sample->index);
    for (size_t i = 0; i < values; i++)
        sample->found[i] = NAN;
    return true;
}

void shepard_sample_free(struct shepard_sample *sample)
{
    free(sample->index);
    free(sample->found);
    free(sample->exact);
    *sample = (struct shepard_sample){0};
}

void shepard_sample_keep(struct shepard_sample *sample, struct shepard_part part, size_t columns,
                         double *const *values)
{
    for (size_t i = 0; i < sample->count; i++) {
        const size_t index = sample->index[i];
        if (index < part.first || index - part.first >= part.count)
            continue;
        for (size_t c = 0; c < columns; c++)
            sample->found[c * sample->count + i] = values[c][index - part.first];
    }
}

/* Planes at a list of targets. */
static void solve_planes(struct shepard_sample *sample)
{
    struct shepard_task task = *sample->task;
    struct shepard_preparation made;
    task.options.backend = SHEPARD_BACKEND_REF;
    task.options.threads = 1;
    task.parameters.eps = 0;
    for (size_t i = 0; i < sample->count * task.columns; i++)
        sample->exact[i] = NAN;
    const size_t count = shepard_task_prepare(&task, &made) ? 0 : sample->count;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < count; i++) {
        double *values[SHEPARD_TASK_COLUMNS];
        for (size_t c = 0; c < task.columns; c++)
            values[c] = sample->exact + c * sample->count + i;
        shepard_task_predict(&task, &made, (struct shepard_part){sample->index[i], 1}, values,
                             NULL);
    }
    shepard_preparation_free(&made);
}

static void solve_means(struct shepard_sample *sample)
{
    const struct shepard_adapt adapt = adapt_of(sample->task);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < sample->count; i++) {
        double x, y;
        shepard_task_place(sample->task, sample->index[i], &x, &y);
        const struct sums sums = sum_at(sample->task, &adapt, x, y);
        for (size_t c = 0; c < sample->task->columns; c++)
            sample->exact[c * sample->count + i] = (double)(sums.value[c] / sums.weight);
    }
}

void shepard_sample_solve(struct shepard_sample *sample)
{
    (sample->task->parameters.degree == 1 ? solve_planes : solve_means)(sample);
}

double shepard_sample_error(const struct shepard_sample *sample, size_t columns)
{
    const struct shepard_dataset *dataset = sample->task->dataset;
    double largest = 0;
    for (size_t c = 0; c < columns; c++) {
        const double range = shepard_dataset_range(dataset, sample->task->column + c, dataset->n);
        for (size_t i = c * sample->count; i < (c + 1) * sample->count; i++) {
            const double error = fabs(sample->found[i] - sample->exact[i]) / range;
            largest = isnan(largest) || error <= largest ? largest : error; /* a NaN stays */
        }
    }
    return largest;
}
