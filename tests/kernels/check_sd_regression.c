/* SPDX-License-Identifier: MIT */
/* The regression of a standard deviation: its score against the integral over all quantiles, its
 * coefficients against a plain search of the objective's minimum, and against the standard
 * deviations of normal numbers. */
#include "core/sd_regression.h"
#include "suite.h"

#include <math.h>

#define MOST 300 /* errors */
#define MANY 20000
#define TRIALS 25
#define QUANTILES 200000

struct observed {
    size_t n, features;
    double errors[MANY], x[SHEPARD_SD_REGRESSION_FEATURES_MAX][MANY];
};

static struct shepard_sd_regression regression_of(const struct observed *data)
{
    return (struct shepard_sd_regression){.count = data->n,
                                          .features = data->features,
                                          .errors = data->errors,
                                          .x = {data->x[0], data->x[1]},
                                          .unit = 1,
                                          .ridge = 0.01,
                                          .steps = 100};
}

/* Twice the quantile losses of a normal distribution about 0, times the squares of the standard
 * normal one's quantiles, summed over all quantiles. */
static double integral(double error, double sd)
{
    const double width = 20.0 / QUANTILES;
    double sum = 0;
    for (int i = 0; i < QUANTILES; i++) {
        const double u = -10 + (i + 0.5) * width, probability = 0.5 * erfc(-u * sqrt(0.5));
        const double density = exp(-u * u / 2) / sqrt(2 * acos(-1.0));
        const double loss = ((error <= sd * u ? 1 : 0) - probability) * (sd * u - error);
        sum += 2 * loss * u * u * density * width;
    }
    return sum;
}

static void check_score(struct tally *tally, unsigned long *seed)
{
    for (int trial = 0; trial < 10; trial++) {
        const double sd = scaled_chance(seed, 0.01, 100), error = 4 * chance(seed) * sd;
        const double want = integral(error, sd), found = error + shepard_sd_score(error, sd);
        tally_check(tally, fabs(found - want) <= 1e-6 * (error + sd),
                    "score of %g by %g is %.12g, the integral %.12g", error, sd, found, want);
    }
    tally_check(tally, shepard_sd_score(3, 0) == 0 && shepard_sd_score(0, 0) == 0,
                "without an sd the score is not the error");
}

static long double objective(const struct shepard_sd_regression *regression, const long double *b)
{
    long double sum = 0;
    for (size_t i = 0; i < regression->count; i++) {
        long double log_square = b[0];
        for (size_t j = 0; j < regression->features; j++)
            log_square += b[j + 1] * regression->x[j][i];
        sum += shepard_sd_score(regression->errors[i], (double)expl(log_square / 2));
    }
    for (size_t j = 1; j <= regression->features; j++)
        sum += regression->ridge / 2 * b[j] * b[j];
    return sum;
}

/* One coordinate after the other, each in a range that is cut by thirds. */
static void search(const struct shepard_sd_regression *regression, long double *b)
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

static double normal(unsigned long *seed)
{
    return sqrt(-2 * log(1 - chance(seed))) * cos(6.283185307179586 * chance(seed));
}

/* Normal numbers whose standard deviation depends on the features; a part of them is far too large
 * or 0. */
static void make_random(struct observed *data, size_t n, double wrong, const double slopes[2],
                        unsigned long *seed)
{
    const double scale = exp(2 * chance(seed) - 1);
    data->n = n;
    for (size_t i = 0; i < n; i++) {
        double log_square = 0;
        for (size_t j = 0; j < data->features; j++) {
            data->x[j][i] = 4 * chance(seed) - 2;
            log_square += slopes[j] * data->x[j][i];
        }
        data->errors[i] = scale * exp(log_square / 2) * fabs(normal(seed));
        if (chance(seed) < wrong)
            data->errors[i] = chance(seed) < 0.5 ? 0 : 30 * scale;
    }
}

/* The minimum is flat: coefficients may differ by a thousandth, what they reach not. */
static void check_search_of_minimum(struct tally *tally, unsigned long *seed)
{
    static struct observed data;
    for (int trial = 0; trial < TRIALS; trial++) {
        const double slopes[] = {2 * chance(seed) - 1, 2 * chance(seed) - 1};
        data.features = (size_t)(3 * chance(seed));
        make_random(&data, 20 + (size_t)(chance(seed) * (MOST - 20)), 0.05, slopes, seed);
        struct shepard_sd_regression regression = regression_of(&data);
        regression.ridge = trial % 3 == 0 ? 10 * chance(seed) : 0.01;
        double b[3];
        long double want[3] = {0}, found[3];
        shepard_sd_regression_run(&regression, b);
        search(&regression, want);
        for (size_t j = 0; j <= data.features; j++) {
            found[j] = b[j];
            tally_check(tally, fabs(b[j] - (double)want[j]) <= 1e-3,
                        "trial %d, n %zu, features %zu: coefficient %zu is %.12g, not %.12g", trial,
                        data.n, data.features, j, b[j], (double)want[j]);
        }
        const long double least = objective(&regression, want);
        tally_check(tally, objective(&regression, found) <= least + 1e-7L * fabsl(least),
                    "trial %d: %.15Lg is not the least, %.15Lg", trial,
                    objective(&regression, found), least);
    }
}

/* The score is least by the distribution that the errors have. */
static void check_truth(struct tally *tally, unsigned long *seed)
{
    static struct observed data;
    const double slopes[] = {1, -0.5};
    data.features = 2;
    make_random(&data, MANY, 0, slopes, seed);
    const struct shepard_sd_regression regression = regression_of(&data);
    double b[3], squares = 0;
    shepard_sd_regression_run(&regression, b);
    for (size_t i = 0; i < data.n; i++)
        squares += data.errors[i] * data.errors[i] /
                   exp(b[0] + b[1] * data.x[0][i] + b[2] * data.x[1][i]) / (double)data.n;
    for (size_t j = 0; j < 2; j++)
        tally_check(tally, fabs(b[j + 1] - slopes[j]) <= 0.07, "slope %g, not %g", b[j + 1],
                    slopes[j]);
    tally_check(tally, fabs(squares - 1) <= 0.07, "squares of standardized errors: %g, not 1",
                squares);
}

/* The unit is where the search begins, and what the ridge is measured by. */
static void check_begin(struct tally *tally, unsigned long *seed)
{
    static struct observed data;
    const double slopes[] = {1, -0.5};
    data.features = 2;
    make_random(&data, MOST, 0.05, slopes, seed);
    data.errors[7] = 1e12;
    double b[3], far[3];
    struct shepard_sd_regression regression = regression_of(&data);
    shepard_sd_regression_run(&regression, b);
    regression.unit = 1e-3;
    regression.ridge /= regression.unit;
    shepard_sd_regression_run(&regression, far);
    far[0] += 2 * log(regression.unit);
    for (size_t j = 0; j < 3; j++)
        tally_check(tally, fabs(b[j] - far[j]) <= 1e-3, "begun far off: coefficient %g, not %g",
                    far[j], b[j]);
}

void check_sd_regression(struct tally *tally, unsigned long seed)
{
    check_score(tally, &seed);
    check_search_of_minimum(tally, &seed);
    check_truth(tally, &seed);
    check_begin(tally, &seed);
}
