/* SPDX-License-Identifier: MIT */
/* Each group by a list of its own, picked from the points that one search has found. */
#include "backend/cpu/gapped.h"
#include "backend/cpu/output.h"

#include "base/memory.h"

static bool reserve(struct shepard_cpu_gapped_worker *worker, size_t count)
{
    const struct shepard_gapped *gapped = worker->call->job->gapped;
    const struct shepard_allocator *allocator = worker->wide.allocator;
    if (count <= worker->list_room)
        return true;
    const size_t room = count + count / 2;
    shepard_release(allocator, worker->list);
    shepard_release(allocator, worker->rank);
    worker->list_room = 0;
    worker->list = shepard_allocate(allocator, gapped->columns + 3, room * sizeof(double));
    worker->rank = shepard_allocate(allocator, room, sizeof *worker->rank);
    if (worker->list == NULL || worker->rank == NULL)
        return false;
    for (size_t i = 0; i < room; i++)
        worker->rank[i] = (uint32_t)i;
    for (size_t c = 0; c < gapped->columns; c++)
        worker->columns[c] = worker->list + (c + 3) * room;
    worker->list_room = room;
    return true;
}

/* A field of the points of a list and the columns of a group. */
static void gather(struct shepard_cpu_gapped_worker *worker, size_t g)
{
    const struct shepard_gapped *gapped = worker->call->job->gapped;
    const struct shepard_gapped_group *group = &gapped->group[g];
    const struct shepard_columns *table = &gapped->table;
    const struct shepard_hits *hits = &worker->own.hits;
    double *x = worker->list, *y = x + worker->list_room, *weights = y + worker->list_room;
    for (size_t i = 0; i < hits->count; i++) {
        const size_t rank = hits->rank[i];
        x[i] = gapped->geometry->x[rank];
        y[i] = gapped->geometry->y[rank];
        for (size_t c = 0; c < group->count; c++)
            worker->columns[c][i] = shepard_columns_value(table, rank, group->first + c);
        if (table->weights != NULL)
            weights[i] = shepard_columns_weight(table, rank, group->first);
    }
    worker->samples = (struct shepard_samples){.geometry = gapped->geometry,
                                               .count = hits->count,
                                               .columns = group->count,
                                               .x = x,
                                               .y = y,
                                               .values = worker->columns,
                                               .weights = table->weights != NULL ? weights : NULL,
                                               .value_min = gapped->value_min + group->first,
                                               .value_max = gapped->value_max + group->first,
                                               .allocator = gapped->geometry->allocator};
}

static void set_up(struct shepard_cpu_gapped_worker *worker, size_t g)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_gapped *gapped = call->job->gapped;
    const size_t first = gapped->group[g].first;
    worker->samples.columns = gapped->group[g].count;
    worker->samples.allocator = gapped->geometry->allocator;
    worker->engine = (struct shepard_cpu_engine){.points = &worker->samples,
                                                 .rules = &call->job->rules[g],
                                                 .kernels = call->points->kernels,
                                                 .tree = &call->points->store.tree,
                                                 .scale = gapped->scale + first,
                                                 .middle = gapped->middle + first};
    worker->output = (struct shepard_output){
        .size = sizeof worker->output,
        .values = call->values != NULL ? call->values + first : NULL,
        .deviations = call->deviations != NULL ? call->deviations + first : NULL};
    worker->job =
        (struct shepard_predict_job){.rules = &call->job->rules[g], .output = &worker->output};
    worker->answerer.engine = &worker->engine;
    worker->answerer.job = &worker->job;
}

/* The power of AIDW for a group; false where what was found does not reach far enough. */
static bool find_power(const struct shepard_cpu_gapped_worker *worker, size_t g, double *power)
{
    const struct shepard_gapped *gapped = worker->call->job->gapped;
    const struct shepard_rules *rules = &worker->call->job->rules[g];
    const struct shepard_hits *hits = shepard_cpu_gapped_near(worker);
    double sum = 0;
    size_t taken = 0;
    *power = rules->power;
    if (!rules->adaptive)
        return true;
    for (size_t i = 0; i < hits->count && taken < rules->adapt.k; i++)
        if (shepard_columns_present(&gapped->table, hits->rank[i], gapped->group[g].first)) {
            sum += sqrt(hits->d2[i]);
            taken++;
        }
    *power = shepard_adapt_power(&rules->adapt, sum / (double)rules->adapt.k);
    return taken == rules->adapt.k;
}

static enum shepard_status predict_group(struct shepard_cpu_gapped_worker *worker, size_t g,
                                         size_t i)
{
    const struct shepard_gapped *gapped = worker->call->job->gapped;
    const double x = worker->block.x[i], y = worker->block.y[i];
    const size_t index = worker->block.index[i], column = gapped->group[g].first;
    bool enough;
    double power;
    enum shepard_status status;
    set_up(worker, g);
    const bool whole = shepard_neighbours_pick(&worker->own, &worker->wide, &gapped->table, column,
                                               x, y, &enough, &status);
    if (status != SHEPARD_OK)
        return status;
    if (!whole || !find_power(worker, g, &power))
        return shepard_cpu_gapped_leave(worker, g, index);
    const size_t count = worker->own.hits.count;
    if (!enough) {
        shepard_cpu_output_put_unmet(&worker->output, gapped->group[g].count, index,
                                     worker->engine.rules->nodata);
        return SHEPARD_OK;
    }
    if (!reserve(worker, count) || !shepard_cpu_worker_reserve(&worker->answerer, count))
        return SHEPARD_ERROR_MEMORY;
    gather(worker, g);
    return shepard_cpu_worker_answer(&worker->answerer,
                                     &(struct shepard_cpu_found){worker->own.hits.d2, worker->rank,
                                                                 count, worker->own.nearest2, power,
                                                                 x, y, 0, index});
}

enum shepard_status shepard_cpu_gapped_list(struct shepard_cpu_gapped_worker *worker, size_t i)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const double x = worker->block.x[i], y = worker->block.y[i];
    bool enough;
    enum shepard_status status = shepard_neighbours_find(&worker->wide, x, y, &enough);
    if (status == SHEPARD_OK && call->looks_near)
        status = shepard_neighbours_find(&worker->nearby, x, y, &enough);
    for (size_t g = 0; g < call->job->gapped->groups && status == SHEPARD_OK; g++)
        if (call->job->wanted[g])
            status = predict_group(worker, g, i);
    return status;
}
