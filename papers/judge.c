/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/* One target from each of as many equal stretches, the first and the last among them, so that
 * every part of a grid of threads is looked at, its ends too. The seed is fixed: it is to be the
 * same sample for every engine and run. */
static void draw_sample(struct shepard_judge *judge, size_t m)
{
    struct shepard_random random = {7};
    const double stretch = (double)m / (double)judge->count;
    for (size_t i = 0; i < judge->count; i++) {
        const double at = ((double)i + shepard_random_uniform(&random)) * stretch;
        judge->index[i] = at < (double)m ? (size_t)at : m - 1;
    }
    judge->index[0] = 0;
    judge->index[judge->count - 1] = m - 1;
}

static enum shepard_status predict(struct shepard_judge *judge, const struct shepard_workload *job,
                                   const struct shepard_recipe *recipe,
                                   const struct shepard_options *options,
                                   struct shepard_error *error)
{
    double *const places = malloc(2 * judge->count * sizeof *places);
    double *columns[SHEPARD_PAPER_COLUMNS_MAX];
    struct shepard_model *model = NULL;
    if (!places)
        return SHEPARD_ERROR_MEMORY;
    double *const x = places, *const y = places + judge->count;
    for (size_t i = 0; i < judge->count; i++) {
        x[i] = recipe->target_x[judge->index[i]];
        y[i] = recipe->target_y[judge->index[i]];
    }
    for (size_t c = 0; c < judge->columns; c++)
        columns[c] = judge->exact + c * judge->count;
    const struct shepard_data data = shepard_recipe_data(recipe, job->n);
    const struct shepard_targets targets = {.count = judge->count, .x = x, .y = y};
    const struct shepard_output output = {.values = columns};
    enum shepard_status status = shepard_model_create(&data, options, &model, error);
    if (!status)
        status = shepard_predict_points(model, &targets, &output, NULL, error);
    shepard_model_free(model);
    free(places);
    return status;
}

enum shepard_status shepard_judge_prepare(struct shepard_judge *judge,
                                          const struct shepard_workload *job,
                                          const struct shepard_recipe *recipe, int threads,
                                          struct shepard_error *error)
{
    const size_t count = job->m < SHEPARD_JUDGE_SAMPLE ? job->m : SHEPARD_JUDGE_SAMPLE;
    *judge = (struct shepard_judge){.columns = job->columns, .m = job->m, .count = count};
    judge->index = malloc(count * sizeof *judge->index);
    judge->exact = malloc(job->columns * count * sizeof *judge->exact);
    if (!judge->index || !judge->exact)
        return SHEPARD_ERROR_MEMORY;
    draw_sample(judge, job->m);
    for (size_t c = 0; c < job->columns; c++)
        judge->range[c] = shepard_recipe_range(recipe, c, job->n);
    struct shepard_options options = shepard_workload_options(job);
    options.precision = SHEPARD_DOUBLE;
    options.eps = 0;
    options.backend = SHEPARD_BACKEND_CPU;
    options.threads = threads;
    return predict(judge, job, recipe, &options, error);
}

void shepard_judge_free(struct shepard_judge *judge)
{
    free(judge->exact);
    free(judge->index);
    *judge = (struct shepard_judge){0};
}

static bool has_nan(const double *values, size_t m)
{
    size_t i = 0;
    while (i < m && !isnan(values[i]))
        i++;
    return i < m;
}

double shepard_judge_error(const struct shepard_judge *judge, double *const *values)
{
    double largest = 0;
    for (size_t c = 0; c < judge->columns; c++) {
        /* A column of one value: what differs from it is wrong at any scale. */
        const double range = judge->range[c] > 0 ? judge->range[c] : 1.0;
        if (has_nan(values[c], judge->m))
            return NAN;
        for (size_t i = 0; i < judge->count; i++) {
            const double found = values[c][judge->index[i]];
            largest = fmax(largest, fabs(found - judge->exact[c * judge->count + i]) / range);
        }
    }
    return largest;
}
