/* SPDX-License-Identifier: MIT */
#include "core/gamma_regression.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SIZE (1 + SHEPARD_GAMMA_FEATURES_MAX)
/* A step is halved so often before the search ends. */
#define HALVINGS 30

/* The objective (Eq. 85) at some coefficients, and its derivatives. */
struct slope {
    double objective, gradient[SIZE], hessian[SIZE][SIZE];
};

static void add_point(const struct shepard_gamma_regression *regression, const double *b, size_t i,
                      struct slope *at)
{
    const size_t size = 1 + regression->features;
    double x[SIZE] = {1}, log_mean = b[0];
    for (size_t j = 1; j < size; j++) {
        x[j] = regression->x[j - 1][i];
        log_mean += b[j] * x[j];
    }
    const double most = regression->pull_most;
    const double log_ratio = log(regression->y[i]) - log_mean;
    const double ratio = exp(log_ratio);
    const double pull = ratio < most ? ratio : most;
    const double weight = ratio < regression->weight_most ? ratio : regression->weight_most;
    at->objective += log_mean + (ratio < most ? ratio : most * (1 + log_ratio - log(most)));
    for (size_t j = 0; j < size; j++) {
        at->gradient[j] += (1 - pull) * x[j];
        for (size_t k = 0; k <= j; k++)
            at->hessian[j][k] += weight * x[j] * x[k];
    }
}

static struct slope slope_at(const struct shepard_gamma_regression *regression, const double *b)
{
    struct slope at = {0};
    for (size_t i = 0; i < regression->count; i++)
        add_point(regression, b, i, &at);
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

/* Moves b by a step, or a part of it that makes the objective fall; whether there is one. */
static bool move(const struct shepard_gamma_regression *regression, const double *step,
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

static double log_mean_of(const double *y, size_t count)
{
    double mean = 0;
    for (size_t i = 0; i < count; i++)
        mean += y[i] / (double)count;
    return log(mean);
}

void shepard_gamma_regression_run(const struct shepard_gamma_regression *regression, double *b)
{
    const size_t size = 1 + regression->features;
    memset(b, 0, size * sizeof *b);
    b[0] = log_mean_of(regression->y, regression->count);
    struct slope at = slope_at(regression, b);
    bool moved = true;
    for (int i = 0; moved && i < regression->steps; i++) {
        double step[SIZE];
        struct slope factored = at;
        find_step(&factored, size, step);
        moved = move(regression, step, &at, b);
    }
}
