/* SPDX-License-Identifier: MIT */
#include "base/arithmetic.h"
#include "base/sized.h"
#include "shepard/shepard_validate.h"

#include <math.h>

#define PI 3.14159265358979323846
/* The 97.5 % quantile of the standard normal distribution, and the share of observations outside
 * the interval. */
#define QUANTILE 1.9599639845400542
#define OUTSIDE 0.05

/* Sums over pairs. */
struct score_sums {
    size_t count, missing, sd_count, covered;
    double error, absolute, crps, interval;
    double square; /* of errors over the unit */
    double unit;
};

/* A power of two near the largest error, so that no square of errors over it is too large or
 * vanishes, and all have the digits that they have without it. */
static double unit_of(const double *observed, const double *predicted, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        const double error = fabs(predicted[i] - observed[i]);
        if (isfinite(error) && error > largest)
            largest = error;
    }
    return shepard_power_of_two(largest);
}

/* Of a normal distribution with a standard deviation (Eq. 91). */
static double crps_of(double error, double sd)
{
    if (sd == 0)
        return fabs(error);
    const double t = error / sd;
    return sd * (t * erf(t / sqrt(2)) + sqrt(2 / PI) * exp(-t * t / 2) - 1 / sqrt(PI));
}

/* Adds an error whose standard deviation is known. */
static void add_sd(struct score_sums *sums, double error, double sd)
{
    const double half = QUANTILE * sd, beyond = fabs(error) - half;
    sums->sd_count++;
    sums->covered += beyond <= 0;
    sums->crps += crps_of(error, sd);
    sums->interval += 2 * half + (beyond > 0 ? 2 / OUTSIDE * beyond : 0); /* (Eq. 92) */
}

static void add(struct score_sums *sums, double error)
{
    sums->count++;
    sums->error += error;
    sums->absolute += fabs(error);
    sums->square += error / sums->unit * (error / sums->unit);
}

void shepard_scores_compute_sized(const double *observed, const double *predicted,
                                  const double *sds, size_t count, struct shepard_scores *scores,
                                  size_t size)
{
    struct score_sums sums = {.unit = unit_of(observed, predicted, count)};
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(observed[i]))
            continue;
        if (isnan(predicted[i])) {
            sums.missing++;
            continue;
        }
        add(&sums, predicted[i] - observed[i]);
        if (sds != NULL && sds[i] >= 0)
            add_sd(&sums, predicted[i] - observed[i], sds[i]);
    }
    /* 0 / 0 is the NaN that stands for no mean. */
    const double n = (double)sums.count, with_sd = (double)sums.sd_count;
    const struct shepard_scores made = {.count = sums.count,
                                        .missing = sums.missing,
                                        .me = sums.error / n,
                                        .mae = sums.absolute / n,
                                        .rmse = sums.unit * sqrt(sums.square / n),
                                        .sd_count = sums.sd_count,
                                        .crps = sums.crps / with_sd,
                                        .coverage = (double)sums.covered / with_sd,
                                        .interval = sums.interval / with_sd};
    shepard_sized_give(&made, sizeof made, scores, size);
}
