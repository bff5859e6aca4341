/* SPDX-License-Identifier: MIT */
/* Predictions from a neighbourhood: a list of points for each target. */
#include "backend/cpu/output.h"
#include "backend/cpu/worker.h"

/* Weights of the hits into worker->list. At the place of data points only these count. */
static void set_weights(struct shepard_cpu_worker *worker, double alpha)
{
    const struct shepard_hits *hits = &worker->local.hits;
    const double smoothing2 = worker->engine->rules->smoothing2;
    const struct shepard_decay decay = {shepard_form_of(alpha), alpha, smoothing2,
                                        worker->local.nearest2 + smoothing2};
    if (decay.unit2 > 0)
        worker->engine->kernels->sum->weights(hits->d2, hits->count, &decay, worker->list);
    else
        for (size_t i = 0; i < hits->count; i++)
            worker->list[i] = hits->d2[i] == 0;
}

static void answer(struct shepard_cpu_worker *worker, size_t i, double alpha)
{
    const struct shepard_hits *hits = &worker->local.hits;
    const double h2 = worker->engine->rules->degree == 1
                          ? shepard_cpu_worker_median2(worker, hits->d2, hits->count)
                          : 0;
    set_weights(worker, alpha);
    const struct shepard_cpu_weighted list = {hits->rank,         worker->list,       hits->count,
                                              worker->block.x[i], worker->block.y[i], h2};
    shepard_cpu_worker_combine(worker, &list, worker->block.index[i]);
}

static enum shepard_status predict(struct shepard_cpu_worker *worker, size_t i)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_output *output = worker->job->output;
    const double x = worker->block.x[i], y = worker->block.y[i];
    const size_t index = worker->block.index[i];
    bool enough;
    shepard_cpu_worker_leave_out(worker, i);
    enum shepard_status status = shepard_neighbours_find(&worker->local, x, y, &enough);
    if (status != SHEPARD_OK || !shepard_cpu_worker_reserve(worker, worker->local.hits.count))
        return SHEPARD_ERROR_MEMORY;
    if (!enough)
        shepard_cpu_answer_unmet(output, engine->points->columns, index, engine->rules->nodata);
    shepard_cpu_answer_put(output->count, index, (double)worker->local.hits.count);
    if (worker->local.hits.count > 0)
        shepard_cpu_worker_answer_nearest(worker, index, worker->local.nearest2);
    if (!enough)
        return SHEPARD_OK;
    struct shepard_cpu_vicinity vicinity = {.alpha = engine->rules->power};
    if (engine->rules->adaptive)
        status = shepard_cpu_worker_look_around(worker, i, &vicinity);
    if (status != SHEPARD_OK)
        return status;
    shepard_cpu_answer_put(output->power, index, vicinity.alpha);
    answer(worker, i, vicinity.alpha);
    return SHEPARD_OK;
}

enum shepard_status shepard_cpu_worker_predict_local(struct shepard_cpu_worker *worker)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < worker->block.count && status == SHEPARD_OK; i++) {
        shepard_neighbours_prepare_block(&worker->local, &worker->block, i);
        if (engine->rules->adaptive)
            shepard_neighbours_prepare_block(&worker->nearby, &worker->block, i);
        if (isnan(worker->block.x[i]))
            shepard_cpu_answer_unmet(worker->job->output, engine->points->columns,
                                     worker->block.index[i], engine->rules->nodata);
        else
            status = predict(worker, i);
    }
    return status;
}
