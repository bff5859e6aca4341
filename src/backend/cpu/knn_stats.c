/* SPDX-License-Identifier: MIT */
/* The nearest points of a target: their distances decide AIDW's power, the ridge of planes and a
 * lower bound of the target's sum of weights. */
#include "backend/cpu/worker.h"
#include "base/arithmetic.h"
#include "core/fit.h"

#include <assert.h>

/* What the nearest points weigh, the unit being the very nearest's distance. */
static bool weigh_nearest(struct shepard_cpu_worker *worker,
                          struct shepard_cpu_knn_stats *knn_stats)
{
    const struct shepard_hits *hits = &worker->nearby.hits;
    const double *q = worker->engine->points->weights;
    const double smoothing2 = worker->engine->rules->smoothing2;
    const struct shepard_decay decay = {shepard_form_of(knn_stats->power), knn_stats->power,
                                        smoothing2, knn_stats->nearest2 + smoothing2};
    knn_stats->weight = knn_stats->weight2 = 0;
    if (decay.unit2 == 0)
        return true;
    if (!shepard_cpu_worker_reserve(worker, hits->count))
        return false;
    if (hits->count == 1) {
        knn_stats->weight = q != NULL ? q[hits->rank[0]] : 1;
        knn_stats->weight2 = knn_stats->weight * knn_stats->weight;
        return true;
    }
    worker->engine->kernels->sum->weights(hits->d2, hits->count, &decay, worker->list);
    for (size_t i = 0; i < hits->count; i++) {
        const double w = worker->list[i] * (q != NULL ? q[hits->rank[i]] : 1);
        knn_stats->weight += w;
        knn_stats->weight2 += w * w;
    }
    return true;
}

double shepard_cpu_worker_power(const struct shepard_cpu_worker *worker,
                                const struct shepard_hits *nearest)
{
    const struct shepard_adapt *adapt = &worker->engine->rules->adapt;
    const size_t k = shepard_smaller(adapt->k, nearest->count);
    double sum = 0;
    for (size_t j = 0; j < k; j++)
        sum += sqrt(nearest->d2[j]);
    return shepard_adapt_power(adapt, sum / (double)k);
}

enum shepard_status shepard_cpu_worker_query_knn_stats(struct shepard_cpu_worker *worker, size_t i,
                                                       struct shepard_cpu_knn_stats *knn_stats)
{
    const struct shepard_rules *rules = worker->engine->rules;
    const struct shepard_hits *hits = &worker->nearby.hits;
    bool enough;
    worker->nearby.z = worker->block.z[i];
    enum shepard_status status =
        shepard_neighbours_find(&worker->nearby, worker->block.x[i], worker->block.y[i], &enough);
    if (status != SHEPARD_OK)
        return status;
    assert(worker->nearby_search.barriers != NULL ||
           hits->count ==
               shepard_smaller(worker->nearby_search.max_points,
                               worker->engine->points->count - worker->nearby.left_out.count));
    knn_stats->nearest2 = worker->nearby.nearest2;
    knn_stats->power = rules->adaptive ? shepard_cpu_worker_power(worker, hits) : rules->power;
    knn_stats->h2 = 0;
    if (worker->engine->farfield != NULL && !weigh_nearest(worker, knn_stats))
        return SHEPARD_ERROR_MEMORY;
    if (rules->degree == 1 && rules->search.all) {
        if (!shepard_cpu_worker_reserve(worker, hits->count))
            return SHEPARD_ERROR_MEMORY;
        knn_stats->h2 = shepard_fit_median2(
            hits->d2, (long)shepard_smaller(rules->ridge_neighbours, hits->count), worker->list);
    }
    return SHEPARD_OK;
}
