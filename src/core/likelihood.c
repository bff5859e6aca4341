/* SPDX-License-Identifier: MIT */
#include "core/likelihood.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <float.h>
#include <math.h>

#define LANES SHEPARD_CONDITION_LANES

enum shepard_status shepard_likelihood_create(const struct shepard_vecchia *sets,
                                              const struct shepard_kernels *kernels, int threads,
                                              struct shepard_likelihood *likelihood,
                                              struct shepard_error *error)
{
    *likelihood = (struct shepard_likelihood){.sets = sets, .kernels = kernels, .threads = threads};
    likelihood->conditionals =
        shepard_allocate(sets->allocator, sets->groups, sizeof *likelihood->conditionals);
    if (likelihood->conditionals == NULL)
        return shepard_error_set_memory(error, "the fit of the covariance");
    return sets->covariates > 0 ? shepard_gls_create(sets, &likelihood->gls, error) : SHEPARD_OK;
}

void shepard_likelihood_free(struct shepard_likelihood *likelihood)
{
    shepard_gls_free(&likelihood->gls);
    if (likelihood->sets != NULL)
        shepard_release(likelihood->sets->allocator, likelihood->conditionals);
    *likelihood = (struct shepard_likelihood){0};
}

/* Groups of a block of the loop. */
#define CONDITION_BLOCK 4

struct evaluation {
    const struct shepard_likelihood *likelihood;
    const struct shepard_covariance_shape *shape;
};

static enum shepard_status condition_block(void *context, size_t block, int thread)
{
    const struct evaluation *evaluation = context;
    const struct shepard_likelihood *likelihood = evaluation->likelihood;
    const size_t end = shepard_smaller((block + 1) * CONDITION_BLOCK, likelihood->sets->groups);
    (void)thread;
    for (size_t group = block * CONDITION_BLOCK; group < end; group++) {
        const struct shepard_conditioning points = shepard_vecchia_group(likelihood->sets, group);
        struct shepard_condition_covariates covariates = {.count = 0};
        if (likelihood->sets->covariates > 0)
            covariates = shepard_gls_group(&likelihood->gls, group);
        likelihood->kernels->likelihood->condition(evaluation->shape, &points, &covariates,
                                                   &likelihood->conditionals[group]);
    }
    return SHEPARD_OK;
}

/* Sums over the points, of weight w each; products are divided by the variance. */
struct conditional_sums {
    double w, log_variance;
    double one_value, one_one;
};

static struct conditional_sums sum_conditionals(const struct shepard_likelihood *likelihood)
{
    struct conditional_sums sums = {0};
    for (size_t i = 0; i < likelihood->sets->groups * LANES; i++) {
        const struct shepard_conditionals *of = &likelihood->conditionals[i / LANES];
        const size_t lane = i % LANES;
        const double w = likelihood->sets->weight[i], one = w * of->one[lane] / of->variance[lane];
        sums.w += w;
        sums.log_variance += w * of->log_variance[lane];
        sums.one_value += one * of->value[lane];
        sums.one_one += one * of->one[lane];
    }
    return sums;
}

static double sum_squares(const struct shepard_likelihood *likelihood, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < likelihood->sets->groups * LANES; i++) {
        const struct shepard_conditionals *of = &likelihood->conditionals[i / LANES];
        const size_t lane = i % LANES;
        const double rest = of->value[lane] - mean * of->one[lane];
        sum += likelihood->sets->weight[i] * rest * rest / of->variance[lane];
    }
    return sum;
}

/* The mean where it is not known, coefficients, and the least sum of squares. */
static struct shepard_gls_value find_mean(const struct shepard_likelihood *likelihood,
                                          const struct conditional_sums *sums, double known)
{
    struct shepard_gls_value value = {.mean = known};
    if (likelihood->sets->covariates > 0)
        return shepard_gls_solve(&likelihood->gls, likelihood->conditionals, known);
    if (isnan(known))
        value.mean = sums->one_one > 0 ? sums->one_value / sums->one_one : 0;
    value.squares = sum_squares(likelihood, value.mean);
    return value;
}

struct shepard_likelihood_value
shepard_likelihood_evaluate(const struct shepard_likelihood *likelihood,
                            const struct shepard_covariance_shape *shape,
                            const struct shepard_likelihood_known *known)
{
    struct evaluation evaluation = {likelihood, shape};
    const struct shepard_loop loop = {
        .threads = likelihood->threads,
        .blocks = shepard_ceil_div(likelihood->sets->groups, CONDITION_BLOCK),
        .body = condition_block,
        .context = &evaluation};
    shepard_loop_run(&loop);
    const struct conditional_sums sums = sum_conditionals(likelihood);
    const struct shepard_gls_value found = find_mean(likelihood, &sums, known->mean);
    struct shepard_likelihood_value value = {
        .mean = found.mean, .sill = known->sill, .told = found.told};
    const double best = fmax(found.squares / sums.w, DBL_MIN);
    if (isnan(value.sill))
        value.sill = best;
    value.deviance = sums.log_variance / sums.w + log(value.sill) + (best / value.sill - 1);
    return value;
}
