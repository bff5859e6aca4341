/* SPDX-License-Identifier: MIT */
#include "core/sd_regression.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SIZE (1 + SHEPARD_SD_REGRESSION_FEATURES_MAX)
/* A step is halved so often before the search ends. */
#define HALVINGS 30
/* The search ends where a step promises no more than this for an error, in units. */
#define PROMISE_LEAST 1e-10
/* Standardized errors count as no more: the density of a normal number is 0 there in double. */
#define RATIO_MOST 40
/* Second derivatives count as no less, over sd / 4: far from the middle they are negative, and a
 * step of Newton's method has to go down. 0.185 belongs to an error of 0. */
#define CURVATURE_LEAST 0.1

#define ROOT_HALF 0.70710678118654752440 /* sqrt(1/2) */
#define DENSITY 0.39894228040143267794   /* 1 / sqrt(2 pi) */
#define MEAN_TERM 1.4104739588693907174  /* 5 / (2 sqrt(pi)) */

static double ratio_of(double error, double sd)
{
    return error > 0 ? fmin(error / sd, RATIO_MOST) : 0;
}

double shepard_sd_score(double error, double sd)
{
    const double t = ratio_of(error, sd);
    return sd * (4 * DENSITY * exp(-t * t / 2) - MEAN_TERM) - error * erfc(t * ROOT_HALF);
}

/* The objective (Eq. 86) at some coefficients, and its derivatives by them. */
struct slope {
    double objective, gradient[SIZE], hessian[SIZE][SIZE];
};

static void add_error(const struct shepard_sd_regression *regression, const double *b, size_t i,
                      struct slope *at)
{
    const size_t size = 1 + regression->features;
    double x[SIZE] = {1}, log_square = b[0];
    for (size_t j = 1; j < size; j++) {
        x[j] = regression->x[j - 1][i];
        log_square += b[j] * x[j];
    }
    const double error = regression->errors[i] / regression->unit, sd = exp(log_square / 2);
    const double t = ratio_of(error, sd), density = DENSITY * exp(-t * t / 2), t2 = t * t;
    const double first = sd / 2 * (2 * (t2 + 2) * density - MEAN_TERM);
    const double curvature = 2 * (t2 * t2 + t2 + 2) * density - MEAN_TERM;
    const double second = sd / 4 * fmax(curvature, CURVATURE_LEAST);
    at->objective += shepard_sd_score(error, sd);
    for (size_t j = 0; j < size; j++) {
        at->gradient[j] += first * x[j];
        for (size_t k = 0; k <= j; k++)
            at->hessian[j][k] += second * x[j] * x[k];
    }
}

static struct slope slope_at(const struct shepard_sd_regression *regression, const double *b)
{
    struct slope at = {0};
    for (size_t i = 0; i < regression->count; i++)
        add_error(regression, b, i, &at);
    for (size_t j = 1; j <= regression->features; j++) {
        at.objective += regression->ridge / 2 * b[j] * b[j];
        at.gradient[j] += regression->ridge * b[j];
        at.hessian[j][j] += regression->ridge;
    }
    return at;
}

/* step: minus the Hessian's inverse times the gradient, by its Cholesky factor L, which replaces
 * it. */
static void find_step(struct slope *at, size_t size, double *step)
{
    double(*const l)[SIZE] = at->hessian;
    for (size_t j = 0; j < size; j++) {
        for (size_t k = 0; k <= j; k++) {
            for (size_t i = 0; i < k; i++)
                l[j][k] -= l[j][i] * l[k][i];
            l[j][k] = k < j ? l[j][k] / l[k][k] : sqrt(l[j][j]);
        }
        step[j] = -at->gradient[j];
        for (size_t k = 0; k < j; k++)
            step[j] -= l[j][k] * step[k];
        step[j] /= l[j][j];
    }
    for (size_t j = size; j-- > 0;) {
        for (size_t k = j + 1; k < size; k++)
            step[j] -= l[k][j] * step[k];
        step[j] /= l[j][j];
    }
}

/* Whether a step promises enough. */
static bool is_worth(const struct shepard_sd_regression *regression, const struct slope *at,
                     const double *step)
{
    double promise = 0;
    for (size_t j = 0; j <= regression->features; j++)
        promise -= at->gradient[j] * step[j];
    return promise > PROMISE_LEAST * (double)regression->count;
}

/* Moves b by a step, or a part of it that makes the objective fall; whether there is one. */
static bool move(const struct shepard_sd_regression *regression, const double *step,
                 struct slope *at, double *b)
{
    const size_t size = 1 + regression->features;
    double part = 1;
    for (int i = 0; i < HALVINGS; i++, part /= 2) {
        double next[SIZE];
        for (size_t j = 0; j < size; j++)
            next[j] = b[j] + part * step[j];
        const struct slope there = slope_at(regression, next);
        if (there.objective < at->objective) {
            memcpy(b, next, size * sizeof *b);
            *at = there;
            return true;
        }
    }
    return false;
}

void shepard_sd_regression_run(const struct shepard_sd_regression *regression, double *b)
{
    const size_t size = 1 + regression->features;
    memset(b, 0, size * sizeof *b);
    struct slope at = slope_at(regression, b);
    bool moved = true;
    for (int i = 0; moved && i < regression->steps; i++) {
        double step[SIZE];
        struct slope factored = at;
        find_step(&factored, size, step);
        moved = is_worth(regression, &at, step) && move(regression, step, &at, b);
    }
}
