/* SPDX-License-Identifier: MIT */
/* Predictions from a neighbourhood: a list of points for each target. */
#include "backend/cpu/kriging.h"
#include "backend/cpu/output.h"
#include "backend/cpu/worker.h"
#include "core/fit.h"

struct shepard_decay shepard_cpu_decay(const struct shepard_rules *rules, double power,
                                       double nearest2)
{
    return (struct shepard_decay){shepard_form_of(power), power, rules->smoothing2,
                                  nearest2 + rules->smoothing2};
}

void shepard_cpu_weigh_list(const struct shepard_kernels *kernels, const double *d2, size_t count,
                            const struct shepard_decay *decay, double *w)
{
    if (decay->unit2 > 0)
        kernels->sum->weights(d2, count, decay, w);
    else
        for (size_t i = 0; i < count; i++)
            w[i] = d2[i] == 0;
}

/* Weights of the points found into worker->list. At the place of data points only these count. */
static void set_weights(struct shepard_cpu_worker *worker, const struct shepard_cpu_found *found)
{
    const struct shepard_decay decay =
        shepard_cpu_decay(worker->engine->rules, found->power, found->nearest2);
    shepard_cpu_weigh_list(worker->engine->kernels, found->d2, found->count, &decay, worker->list);
}

static enum shepard_status answer_by_power(struct shepard_cpu_worker *worker,
                                           const struct shepard_cpu_found *found)
{
    const double h2 = worker->engine->rules->degree == 1
                          ? shepard_fit_median2(found->d2, (long)found->count, worker->list)
                          : 0;
    set_weights(worker, found);
    const struct shepard_cpu_weighted list = {found->rank, worker->list, found->count, found->x,
                                              found->y,    h2,           found->z};
    shepard_cpu_worker_combine(worker, &list, found->index);
    return SHEPARD_OK;
}

/* From the points of a neighbourhood to a prediction, for each method. */
static enum shepard_status (*const answers[])(struct shepard_cpu_worker *,
                                              const struct shepard_cpu_found *) = {
    [SHEPARD_METHOD_IDW] = answer_by_power,
    [SHEPARD_METHOD_AIDW] = answer_by_power,
    [SHEPARD_METHOD_KRIGE] = shepard_cpu_kriging_answer,
};

enum shepard_status shepard_cpu_worker_answer(struct shepard_cpu_worker *worker,
                                              const struct shepard_cpu_found *found)
{
    return answers[worker->engine->rules->method](worker, found);
}

/* The power for target i of the block, whose neighbourhood is found. AIDW's goes by the nearest
 * points: those of the neighbourhood if it begins with as many, else they are searched for. */
static enum shepard_status find_power(struct shepard_cpu_worker *worker, size_t i, double *power)
{
    const struct shepard_rules *rules = worker->engine->rules;
    struct shepard_cpu_knn_stats knn_stats;
    *power = rules->power;
    if (!rules->adaptive)
        return SHEPARD_OK;
    if (shepard_search_is_nearest(&rules->search) && worker->local.hits.count >= rules->adapt.k) {
        *power = shepard_cpu_worker_power(worker, &worker->local.hits);
        return SHEPARD_OK;
    }
    const enum shepard_status status = shepard_cpu_worker_query_knn_stats(worker, i, &knn_stats);
    if (status == SHEPARD_OK)
        *power = knn_stats.power;
    return status;
}

static enum shepard_status predict(struct shepard_cpu_worker *worker, size_t i)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_output *output = worker->job->output;
    const double x = worker->block.x[i], y = worker->block.y[i];
    const size_t index = worker->block.index[i];
    bool enough;
    shepard_cpu_worker_leave_out(worker, i);
    worker->local.z = worker->block.z[i];
    enum shepard_status status = shepard_neighbours_find(&worker->local, x, y, &enough);
    if (status != SHEPARD_OK || !shepard_cpu_worker_reserve(worker, worker->local.hits.count))
        return SHEPARD_ERROR_MEMORY;
    if (!enough)
        shepard_cpu_output_put_unmet(output, engine->points->columns, index, engine->rules->nodata);
    shepard_output_put(output->count, index, (double)worker->local.hits.count);
    if (worker->local.hits.count > 0)
        shepard_cpu_worker_put_nearest(worker, index, worker->local.nearest2);
    if (!enough)
        return SHEPARD_OK;
    double power;
    status = find_power(worker, i, &power);
    if (status != SHEPARD_OK)
        return status;
    shepard_output_put(output->power, index, power);
    const struct shepard_hits *hits = &worker->local.hits;
    const struct shepard_cpu_found found = {
        hits->d2, hits->rank,         hits->count, worker->local.nearest2, power, x,
        y,        worker->block.z[i], index};
    return shepard_cpu_worker_answer(worker, &found);
}

enum shepard_status shepard_cpu_worker_predict_neighbourhood(struct shepard_cpu_worker *worker)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_rules *rules = engine->rules;
    /* A search that finds fewer, as most are left out or hidden, is followed by one that nothing
     * was prepared for. */
    const bool looks_near =
        rules->adaptive && !shepard_search_begins_near(&rules->search, rules->adapt.k);
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < worker->block.count && status == SHEPARD_OK; i++) {
        shepard_neighbours_prepare_block(&worker->local, &worker->block, i);
        if (looks_near)
            shepard_neighbours_prepare_block(&worker->nearby, &worker->block, i);
        if (isnan(worker->block.x[i]))
            shepard_cpu_output_put_unmet(worker->job->output, engine->points->columns,
                                         worker->block.index[i], rules->nodata);
        else
            status = predict(worker, i);
    }
    if (status == SHEPARD_OK && worker->kriging != NULL)
        status = shepard_cpu_kriging_flush(worker);
    return status;
}
