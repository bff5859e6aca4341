/* SPDX-License-Identifier: MIT */
/* Weighted means of all columns at once. */
#include "backend/cpu/gapped.h"

#include "base/arithmetic.h"
#include "base/memory.h"

/* Weights of a target that a thread holds at most, unless one unit has more points. */
#define WEIGHTS_MOST ((size_t)1 << 20)

/* The place in the hits of the next point by distance, after `units` of them. */
static uint32_t next_unit(const struct shepard_cpu_gapped_worker *worker, size_t units, bool sorted)
{
    const struct shepard_hits *hits = &worker->wide.hits;
    if (sorted)
        return (uint32_t)units;
    const size_t last = units > 0 ? worker->unit[units - 1] : 0;
    size_t best = hits->count;
    for (size_t i = 0; i < hits->count; i++) {
        const bool after = units == 0 || hits->d2[i] > hits->d2[last] ||
                           (hits->d2[i] == hits->d2[last] && i > last);
        if (after && (best == hits->count || hits->d2[i] < hits->d2[best]))
            best = i;
    }
    return (uint32_t)best;
}

/* The nearest points, until each column that is wanted has a value at one of them; how many. */
static size_t find_units(struct shepard_cpu_gapped_worker *worker, bool sorted)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_columns *table = &call->job->gapped->table;
    const struct shepard_hits *hits = &worker->wide.hits;
    const size_t room = hits->count > 0 ? WEIGHTS_MOST / hits->count : 0;
    const size_t most =
        shepard_smaller(shepard_smaller(hits->count, SHEPARD_CPU_UNITS_MAX), room > 0 ? room : 1);
    uint64_t any = 1;
    size_t units = 0;
    memcpy(worker->missing, call->wanted, table->words * sizeof *worker->missing);
    for (; units < most && any != 0; units++) {
        worker->unit[units] = next_unit(worker, units, sorted);
        const uint64_t *present = table->present + hits->rank[worker->unit[units]] * table->words;
        any = 0;
        for (size_t i = 0; i < table->words; i++)
            any |= worker->missing[i] &= ~present[i];
    }
    return units;
}

static bool reserve_weights(struct shepard_cpu_gapped_worker *worker, size_t count)
{
    const struct shepard_allocator *allocator = worker->wide.allocator;
    if (count <= worker->weights_room)
        return true;
    shepard_release(allocator, worker->weights);
    worker->weights_room = 0;
    worker->weights = shepard_allocate(allocator, count + count / 2, sizeof(double));
    if (worker->weights != NULL)
        worker->weights_room = count + count / 2;
    return worker->weights != NULL;
}

/* Below it a weight and one of a point, SHEPARD_WEIGHT_MIN at least, may vanish together. */
#define WEIGHT_SURE 1e-200

/* Weights beside each unit; whether surely none of them vanishes. */
static bool weigh(struct shepard_cpu_gapped_worker *worker, size_t units, bool sorted)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_hits *hits = &worker->wide.hits;
    double least = INFINITY;
    for (size_t u = 0; u < units; u++) {
        const size_t from = sorted ? u : 0;
        double *w = worker->weights + u * hits->count;
        const struct shepard_decay decay =
            shepard_cpu_decay(call->rules, call->rules->power, hits->d2[worker->unit[u]]);
        shepard_cpu_weigh_list(call->points->kernels, hits->d2 + from, hits->count - from, &decay,
                               w + from);
        for (size_t j = from; j < hits->count; j++)
            least = w[j] < least ? w[j] : least;
    }
    return least > WEIGHT_SURE;
}

/* The value of the only point with a weight above 0; mean where there are more. */
static double only_value(const struct shepard_columns *table,
                         const struct shepard_columns_list *list, size_t column, double mean)
{
    size_t u = 0, taken = 0, found = list->count;
    while (!shepard_columns_present(table, list->rank[list->unit[u]], column))
        u++;
    for (size_t j = 0; j < list->count && taken < list->most; j++) {
        const size_t rank = list->rank[j];
        if (!shepard_columns_present(table, rank, column))
            continue;
        taken++;
        double w = list->w[u * list->count + j];
        if (table->weights != NULL)
            w *= fmax(table->weights[rank] / table->highest[column], table->least_weight);
        if (w > 0 && found < list->count)
            return mean;
        if (w > 0)
            found = j;
    }
    return table->rows[list->rank[found] * table->stride + column];
}

/* What a list says of all columns of a target. */
struct result {
    size_t index;
    double most, least; /* points that a column takes, and has to have */
    bool complete;      /* it has all points that may count, */
    bool all_units;     /* each of them a unit, */
    bool sure;          /* and none without weight */
};

static struct result verdict_of(const struct shepard_cpu_gapped_worker *worker,
                                const struct shepard_columns_list *list, size_t index, bool sure)
{
    const struct shepard_search *search = &worker->call->rules->search;
    const double least = (double)(search->min_points > search->min_points_per_sector
                                      ? search->min_points
                                      : search->min_points_per_sector);
    return (struct result){.index = index,
                           .most = (double)list->most,
                           .least = fmax(1, least),
                           .complete = list->most == SIZE_MAX ||
                                       shepard_hits_complete(&worker->wide.hits, worker->wide.tree),
                           .all_units = list->units == list->count,
                           .sure = sure};
}

static enum shepard_status answer(struct shepard_cpu_gapped_worker *worker,
                                  const struct shepard_columns_list *list,
                                  const struct result *result)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_columns_means *means = &worker->means;
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < call->column_count && status == SHEPARD_OK; i++) {
        const struct shepard_cpu_gapped_column *of = &call->columns[i];
        const size_t c = of->column;
        const double count = means->count[c], mean = means->mean[c];
        if ((count < result->most && !result->complete) || (count == 0 && !result->all_units)) {
            if (of->leads)
                status = shepard_cpu_gapped_leave(worker, of->group, result->index);
        } else if (count < result->least) {
            shepard_output_put(of->values, result->index, call->rules->nodata);
        } else if (count == 1 || !result->sure) {
            shepard_output_put(of->values, result->index,
                               only_value(&call->job->gapped->table, list, c, mean));
        } else {
            shepard_output_put(of->values, result->index, mean);
        }
    }
    return status;
}

enum shepard_status shepard_cpu_gapped_average(struct shepard_cpu_gapped_worker *worker, size_t i)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_search *search = &call->rules->search;
    const struct shepard_gapped *gapped = call->job->gapped;
    const struct shepard_hits *hits = &worker->wide.hits;
    const bool sorted = shepard_search_is_nearest(search);
    bool enough;
    if (shepard_neighbours_find(&worker->wide, worker->block.x[i], worker->block.y[i], &enough) !=
        SHEPARD_OK)
        return SHEPARD_ERROR_MEMORY;
    const size_t units = find_units(worker, sorted);
    if (!reserve_weights(worker, units * hits->count))
        return SHEPARD_ERROR_MEMORY;
    const bool sure = weigh(worker, units, sorted);
    const struct shepard_columns_list list = {
        .rank = hits->rank,
        .count = hits->count,
        .most = shepard_smaller(search->max_points, search->max_points_per_sector),
        .sorted = sorted,
        .units = units,
        .unit = worker->unit,
        .w = worker->weights,
        .wanted = call->wanted};
    call->points->kernels->columns->average(&gapped->table, &list, &worker->means);
    const struct result result = verdict_of(worker, &list, worker->block.index[i], sure);
    return answer(worker, &list, &result);
}
