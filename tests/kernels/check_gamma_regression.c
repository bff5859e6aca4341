/* SPDX-License-Identifier: MIT */
/* Gamma regression against R's glm(), and against a plain search of its objective's minimum. */
#include "core/gamma_regression.h"
#include "suite.h"

#include <math.h>

#define MOST 300 /* points */
#define TRIALS 25

struct observed {
    size_t n, features;
    double y[MOST], x[SHEPARD_GAMMA_FEATURES_MAX][MOST];
};

static struct shepard_gamma_regression plain_regression(const struct observed *data)
{
    return (struct shepard_gamma_regression){.count = data->n,
                                             .features = data->features,
                                             .y = data->y,
                                             .x = {data->x[0], data->x[1]},
                                             .pull_most = INFINITY,
                                             .weight_most = INFINITY,
                                             .steps = 100};
}

/* gamma_glm.R makes the same numbers, and these coefficients, whose iteration ends at 1e-15 of the
 * deviance: about 1e-8 of them. */
static void check_glm(struct tally *tally)
{
    static const double want[][3] = {{1.61295724365998},
                                     {0.598662102872312, 0.867998432890489},
                                     {0.533678743926241, 0.961186936778099, -0.473511453604877}};
    struct observed data = {.n = 60};
    for (int i = 1; i <= 60; i++) {
        data.x[0][i - 1] = 37 * i % 101 / 50.0;
        data.x[1][i - 1] = 53 * i % 97 / 40.0 - 1;
        data.y[i - 1] = exp(data.x[0][i - 1] - data.x[1][i - 1] / 2) * (29 * i % 31 + 1) / 10.0;
    }
    for (; data.features <= 2; data.features++) {
        const struct shepard_gamma_regression regression = plain_regression(&data);
        double b[3];
        shepard_gamma_regression_run(&regression, b);
        for (size_t j = 0; j <= data.features; j++)
            tally_check(tally, fabs(b[j] - want[data.features][j]) <= 1e-7,
                        "%zu features: coefficient %zu is %.15g, R's %.15g", data.features, j, b[j],
                        want[data.features][j]);
    }
}

/* Twice the log-likelihood's negative, with a straight line beyond the largest ratio. */
static long double objective(const struct shepard_gamma_regression *regression,
                             const long double *b)
{
    const long double most = regression->pull_most;
    long double sum = 0;
    for (size_t i = 0; i < regression->count; i++) {
        long double log_mean = b[0];
        for (size_t j = 0; j < regression->features; j++)
            log_mean += b[1 + j] * regression->x[j][i];
        const long double ratio = regression->y[i] * expl(-log_mean);
        sum += log_mean + (ratio <= most ? ratio : most * (1 + logl(ratio / most)));
    }
    for (size_t j = 1; j <= regression->features; j++)
        sum += regression->ridge / 2 * b[j] * b[j];
    return sum;
}

/* One coordinate after the other, each in a range that is cut by thirds. */
static void search(const struct shepard_gamma_regression *regression, long double *b)
{
    for (int round = 0; round < 60; round++)
        for (size_t j = 0; j <= regression->features; j++) {
            long double low = b[j] - 4 / (1.0L + round), high = b[j] + 4 / (1.0L + round);
            while (high - low > 1e-9L) {
                const long double third = (high - low) / 3;
                b[j] = low + third;
                const long double left = objective(regression, b);
                b[j] = high - third;
                if (left < objective(regression, b))
                    high = b[j];
                else
                    low += third;
            }
            b[j] = (low + high) / 2;
        }
}

/* Squares of normal numbers whose variance depends on the features, some of them far too large or
 * 0. */
static void make_random(struct observed *data, unsigned long *seed)
{
    data->n = 20 + (size_t)(chance(seed) * (MOST - 20));
    data->features = (size_t)(3 * chance(seed));
    const double slopes[] = {2 * chance(seed) - 1, 2 * chance(seed) - 1};
    const double scale = exp(4 * chance(seed) - 2);
    for (size_t i = 0; i < data->n; i++) {
        double log_mean = 0;
        for (size_t j = 0; j < data->features; j++) {
            data->x[j][i] = 4 * chance(seed) - 2;
            log_mean += slopes[j] * data->x[j][i];
        }
        const double normal =
            sqrt(-2 * log(1 - chance(seed))) * cos(6.283185307179586 * chance(seed));
        data->y[i] = scale * exp(log_mean) * normal * normal;
        if (chance(seed) < 0.05)
            data->y[i] = chance(seed) < 0.5 ? 0 : 1e3 * scale;
    }
}

static void check_search_of_minimum(struct tally *tally, unsigned long *seed)
{
    static struct observed data;
    for (int trial = 0; trial < TRIALS; trial++) {
        make_random(&data, seed);
        struct shepard_gamma_regression regression = plain_regression(&data);
        regression.pull_most = trial % 2 == 0 ? 50 : 3 + 5 * chance(seed);
        regression.weight_most = 5;
        regression.ridge = trial % 3 == 0 ? 10 * chance(seed) : 0.01;
        double b[3];
        long double want[3] = {0};
        shepard_gamma_regression_run(&regression, b);
        search(&regression, want);
        for (size_t j = 0; j <= data.features; j++)
            tally_check(tally, fabs(b[j] - (double)want[j]) <= 1e-5,
                        "trial %d, n %zu, features %zu: coefficient %zu is %.12g, not %.12g", trial,
                        data.n, data.features, j, b[j], (double)want[j]);
    }
}

void check_gamma_regression(struct tally *tally, unsigned long seed)
{
    check_glm(tally);
    check_search_of_minimum(tally, &seed);
}
