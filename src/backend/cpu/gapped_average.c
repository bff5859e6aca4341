/* SPDX-License-Identifier: MIT */
/* Weighted means and planes of all columns at once. */
#include "backend/cpu/gapped.h"

#include "base/arithmetic.h"

/* Weights that a batch holds, unless one target has more: then it is finished. */
#define WEIGHTS_MOST ((size_t)1 << 16)

/* Weights of a target, unless one unit has more points. */
#define TARGET_WEIGHTS_MOST ((size_t)1 << 20)

/* ---- the lists of targets -------------------------------------------------------------------- */

/* The place in the hits of the next point by distance, after `units` of them. */
static uint32_t next_unit(const struct shepard_hits *hits, const uint32_t *unit, size_t units,
                          bool sorted)
{
    if (sorted)
        return (uint32_t)units;
    const size_t last = units > 0 ? unit[units - 1] : 0;
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
static size_t find_units(struct shepard_cpu_gapped_worker *worker, uint32_t *unit)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_columns *table = &call->job->gapped->table;
    const struct shepard_hits *hits = &worker->wide.hits;
    const bool sorted = shepard_search_is_nearest(&call->rules->search);
    const size_t room = hits->count > 0 ? TARGET_WEIGHTS_MOST / hits->count : 0;
    const size_t most =
        shepard_smaller(shepard_smaller(hits->count, SHEPARD_CPU_UNITS_MAX), room > 0 ? room : 1);
    uint64_t any = 1;
    size_t units = 0;
    memcpy(worker->missing, call->wanted, table->words * sizeof *worker->missing);
    for (; units < most && any != 0; units++) {
        unit[units] = next_unit(hits, unit, units, sorted);
        const uint64_t *present = table->present + hits->rank[unit[units]] * table->words;
        any = 0;
        for (size_t i = 0; i < table->words; i++)
            any |= worker->missing[i] &= ~present[i];
    }
    return units;
}

/* The places of a list of them. */
static size_t places_of(const struct shepard_hits *hits)
{
    return shepard_ceil_div(hits->count, SHEPARD_COLUMNS_PLACES) * SHEPARD_COLUMNS_PLACES;
}

/* Room for a target of so many points and weights. */
static bool reserve(struct shepard_cpu_gapped_worker *worker, size_t ranks, size_t weights)
{
    const struct shepard_allocator *allocator = worker->wide.allocator;
    const size_t found = worker->wide.hits.count;
    struct shepard_cpu_gapped_batch *batch = &worker->batch;
    uint32_t *rank = shepard_reserve(allocator, batch->rank, batch->ranks, ranks, sizeof *rank,
                                     &batch->rank_room);
    double *w =
        shepard_reserve(allocator, batch->w, batch->weights, weights, sizeof *w, &batch->w_room);
    double *beside =
        shepard_reserve(allocator, worker->beside, 0, found, sizeof *beside, &worker->beside_room);
    batch->rank = rank != NULL ? rank : batch->rank;
    batch->w = w != NULL ? w : batch->w;
    worker->beside = beside != NULL ? beside : worker->beside;
    return rank != NULL && w != NULL && beside != NULL;
}

/* Below it a weight and one of a point, SHEPARD_WEIGHT_MIN at least, may vanish together. */
#define WEIGHT_SURE 1e-200
#define WEIGHT_SURE_LOG2 -600
/* The kernels take the logarithm of normal numbers only. A smaller ratio is 0 where the unit is at
 * the target. */
#define RATIO_SURE 0x1p-1000

/* Weights beside each unit; whether surely none of them vanishes. */
static bool weigh(struct shepard_cpu_gapped_worker *worker, const uint32_t *unit, size_t units,
                  double *w)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_hits *hits = &worker->wide.hits;
    double least = INFINITY;
    for (size_t u = 0; u < units; u++) {
        const struct shepard_decay decay =
            shepard_cpu_decay(call->rules, call->rules->power, hits->d2[unit[u]]);
        double *row = w + shepard_columns_beside(places_of(hits), u);
        shepard_cpu_weigh_list(call->points->kernels, hits->d2, hits->count, &decay,
                               worker->beside);
        for (size_t j = 0; j < hits->count; j++) {
            row[j * SHEPARD_COLUMNS_UNITS] = worker->beside[j];
            least = worker->beside[j] < least ? worker->beside[j] : least;
        }
    }
    return least > WEIGHT_SURE;
}

/* As weigh, of half a power of 1, whatever powers the columns have; with logarithms. */
static bool weigh_adaptive(const struct shepard_cpu_gapped_worker *worker, const uint32_t *unit,
                           size_t units, double *ratio, double *logarithm)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_hits *hits = &worker->wide.hits;
    double least, most;
    bool sure = true;
    shepard_rules_powers(call->rules, &least, &most);
    for (size_t first = 0; first < units; first += SHEPARD_COLUMNS_UNITS) {
        const size_t count = shepard_smaller(units - first, SHEPARD_COLUMNS_UNITS);
        const size_t at = shepard_columns_beside(places_of(hits), first);
        double unit2[SHEPARD_COLUMNS_UNITS];
        for (size_t u = 0; u < SHEPARD_COLUMNS_UNITS; u++)
            unit2[u] = hits->d2[unit[first + (u < count ? u : 0)]] + call->rules->smoothing2;
        call->points->kernels->columns->ratios(hits->d2, hits->count, call->rules->smoothing2,
                                               unit2, ratio + at, logarithm + at);
        for (size_t i = 0; i < hits->count * SHEPARD_COLUMNS_UNITS; i++)
            sure &= ratio[at + i] >= RATIO_SURE && logarithm[at + i] * most / 2 > WEIGHT_SURE_LOG2;
    }
    return sure;
}

/* The nearest points, for the powers of the columns. */
static void add_near(struct shepard_cpu_gapped_worker *worker,
                     struct shepard_cpu_gapped_target *target)
{
    const struct shepard_hits *near = shepard_cpu_gapped_near(worker);
    struct shepard_cpu_gapped_batch *batch = &worker->batch;
    memcpy(batch->rank + target->near_rank, near->rank, near->count * sizeof *batch->rank);
    for (size_t i = 0; i < near->count; i++)
        batch->w[target->near_distance + i] = sqrt(near->d2[i]);
}

/* Distances of the points found from target i of the block, and their offsets, for planes. */
static void add_offsets(const struct shepard_cpu_gapped_worker *worker, size_t i, double *distance)
{
    const struct shepard_columns *table = &worker->call->job->gapped->table;
    const struct shepard_hits *hits = &worker->wide.hits;
    double *const dx = distance + places_of(hits), *const dy = dx + places_of(hits);
    for (size_t j = 0; j < hits->count; j++) {
        distance[j] = sqrt(hits->d2[j]);
        dx[j] = table->x[hits->rank[j]] - worker->block.x[i];
        dy[j] = table->y[hits->rank[j]] - worker->block.y[i];
    }
}

/* Puts the points found into the batch; *added: columns are weighted alike there. */
static enum shepard_status add_target(struct shepard_cpu_gapped_worker *worker, size_t i,
                                      bool *added)
{
    const struct shepard_search *search = &worker->call->rules->search;
    const struct shepard_hits *hits = &worker->wide.hits;
    struct shepard_cpu_gapped_batch *batch = &worker->batch;
    const bool adaptive = worker->call->rules->adaptive;
    const bool plane = worker->call->rules->degree == 1;
    uint32_t *unit = batch->unit[batch->count];
    const size_t units = find_units(worker, unit), places = places_of(hits);
    const size_t weights =
        shepard_ceil_div(units, SHEPARD_COLUMNS_UNITS) * SHEPARD_COLUMNS_UNITS * places;
    const size_t most = shepard_smaller(search->max_points, search->max_points_per_sector);
    const size_t near = adaptive ? shepard_cpu_gapped_near(worker)->count : 0;
    const size_t distances = plane ? 3 * places : 0, ranks = places + near;
    const size_t numbers = (adaptive ? 2 : 1) * weights + distances + near;
    if (!reserve(worker, ranks, numbers))
        return SHEPARD_ERROR_MEMORY;
    memset(batch->w + batch->weights, 0, numbers * sizeof *batch->w);
    memcpy(batch->rank + batch->ranks, hits->rank, hits->count * sizeof *batch->rank);
    for (size_t j = hits->count; j < places; j++)
        batch->rank[batch->ranks + j] = (uint32_t)worker->call->job->gapped->table.count;
    struct shepard_cpu_gapped_target target = {
        .index = worker->block.index[i],
        .complete = most == SIZE_MAX || shepard_hits_complete(hits, worker->wide.tree),
        .all_units = units == hits->count,
        .rank = batch->ranks,
        .w = batch->weights,
        .distance = batch->weights + weights,
        .logarithm = batch->weights + weights + distances,
        .near_rank = batch->ranks + places,
        .near_distance = batch->weights + 2 * weights + distances,
        .near_count = near};
    target.sure = adaptive ? weigh_adaptive(worker, unit, units, batch->w + target.w,
                                            batch->w + target.logarithm)
                           : weigh(worker, unit, units, batch->w + target.w);
    *added = plane ? target.sure && hits->count <= SHEPARD_COLUMNS_PLANE_POINTS
                   : target.sure || !adaptive;
    if (!*added)
        return SHEPARD_OK;
    if (plane)
        add_offsets(worker, i, batch->w + target.distance);
    if (adaptive)
        add_near(worker, &target);
    batch->list[batch->count] = (struct shepard_columns_list){.count = hits->count,
                                                              .most = most,
                                                              .places = places,
                                                              .units = units,
                                                              .unit = unit,
                                                              .x = worker->block.x[i],
                                                              .y = worker->block.y[i]};
    batch->target[batch->count] = target;
    batch->ranks += ranks;
    batch->weights += numbers;
    batch->count++;
    return SHEPARD_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* The points that a column has to have. */
static double least_points(const struct shepard_search *search)
{
    const size_t least = search->min_points > search->min_points_per_sector
                             ? search->min_points
                             : search->min_points_per_sector;
    return fmax(1, (double)least);
}

/* The value of the only point with a weight above 0; mean where there are more. */
static double only_value(const struct shepard_columns *table,
                         const struct shepard_columns_list *list, size_t column, double mean)
{
    size_t taken = 0, found = list->count;
    const double *beside =
        list->w + shepard_columns_beside(list->places, shepard_columns_unit(table, column, list));
    for (size_t j = 0; j < list->count && taken < list->most; j++) {
        const size_t rank = list->rank[j];
        if (!shepard_columns_present(table, rank, column))
            continue;
        taken++;
        const double w =
            beside[j * SHEPARD_COLUMNS_UNITS] * shepard_columns_weight(table, rank, column);
        if (w > 0 && found < list->count)
            return mean;
        if (w > 0)
            found = j;
    }
    return shepard_columns_value(table, list->rank[found], column);
}

/* Targets [first, first + count) of a batch, whose means are at hand. */
struct run {
    size_t first, count;
};

/* One column's result at target t of the run, in place of its mean. */
static enum shepard_status answer(struct shepard_cpu_gapped_worker *worker, const struct run *run,
                                  const struct shepard_cpu_gapped_column *of, size_t t)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_cpu_gapped_target *target = &worker->batch.target[run->first + t];
    const struct shepard_columns_list *list = &worker->batch.list[run->first + t];
    const size_t lane = of->column % SHEPARD_COLUMNS_STEP;
    double *const value = worker->batch.mean + (run->first + t) * SHEPARD_COLUMNS_STEP + lane;
    const double count = worker->batch.points[t * SHEPARD_COLUMNS_STEP + lane];
    if (count < 0 || (count < (double)list->most && !target->complete) ||
        (count == 0 && !target->all_units))
        return of->leads ? shepard_cpu_gapped_leave(worker, of->group, target->index) : SHEPARD_OK;
    if (count < least_points(&call->rules->search))
        *value = call->rules->nodata;
    else if (count == 1 || !target->sure)
        *value = only_value(&call->job->gapped->table, list, of->column, *value);
    return SHEPARD_OK;
}

/* Columns that have as many points as they may at all targets of the run, none without weight:
 * their means are their values. */
static void find_full(const struct shepard_cpu_gapped_worker *worker, const struct run *run,
                      bool full[SHEPARD_COLUMNS_STEP])
{
    const struct shepard_cpu_gapped_batch *batch = &worker->batch;
    const double most = (double)batch->list[run->first].most;
    bool sure = most > 1 && most >= least_points(&worker->call->rules->search);
    double fewest[SHEPARD_COLUMNS_STEP];
    for (size_t lane = 0; lane < SHEPARD_COLUMNS_STEP; lane++)
        fewest[lane] = most;
    for (size_t t = 0; t < run->count; t++) {
        sure &= batch->target[run->first + t].sure;
        for (size_t lane = 0; lane < SHEPARD_COLUMNS_STEP; lane++) {
            const double count = batch->points[t * SHEPARD_COLUMNS_STEP + lane];
            fewest[lane] = count < fewest[lane] ? count : fewest[lane];
        }
    }
    for (size_t lane = 0; lane < SHEPARD_COLUMNS_STEP; lane++)
        full[lane] = sure && fewest[lane] == most;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* How the powers of columns [i, end) of the call go by distances; they are of the step that begins
 * with column at. */
static struct shepard_columns_adapt adapt_of(const struct shepard_cpu_gapped_call *call, size_t at,
                                             size_t i, size_t end)
{
    const struct shepard_adapt *rule = &call->rules->adapt;
    struct shepard_columns_adapt adapt = {rule->k, rule->r_min, rule->r_max, {0}, {0}};
    memcpy(adapt.alphas, rule->alphas, sizeof adapt.alphas);
    for (size_t c = i; c < end; c++)
        adapt.r_expected[call->columns[c].column - at] =
            call->job->rules[call->columns[c].group].adapt.r_expected;
    return adapt;
}

/* Columns of a step at the targets of a run. */
static enum shepard_status answer_run(struct shepard_cpu_gapped_worker *worker,
                                      const struct run *run,
                                      const struct shepard_cpu_gapped_column *columns, size_t count)
{
    bool full[SHEPARD_COLUMNS_STEP];
    enum shepard_status status = SHEPARD_OK;
    find_full(worker, run, full);
    for (size_t c = 0; c < count; c++) {
        if (full[columns[c].column % SHEPARD_COLUMNS_STEP])
            continue;
        for (size_t t = 0; t < run->count && status == SHEPARD_OK; t++)
            status = answer(worker, run, &columns[c], t);
    }
    return status;
}

/* The columns of a step, from column i of the call on; *i: the first of the next step. */
static enum shepard_status answer_step(struct shepard_cpu_gapped_worker *worker, size_t *i)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    struct shepard_cpu_gapped_batch *batch = &worker->batch;
    const size_t at = call->columns[*i].column / SHEPARD_COLUMNS_STEP * SHEPARD_COLUMNS_STEP;
    size_t end = *i;
    while (end < call->column_count && call->columns[end].column < at + SHEPARD_COLUMNS_STEP)
        end++;
    const struct shepard_rules *rules = call->rules;
    const struct shepard_columns_adapt adapt = adapt_of(call, at, *i, end);
    const struct shepard_columns_plane plane = {rules->ridge, rules->damping};
    const struct shepard_columns_model model = {rules->adaptive ? &adapt : NULL,
                                                rules->degree == 1 ? &plane : NULL};
    enum shepard_status status = SHEPARD_OK;
    for (struct run run = {0, 0}; run.first < batch->count && status == SHEPARD_OK;
         run.first += run.count) {
        run.count = shepard_smaller(batch->count - run.first, SHEPARD_CPU_GAPPED_RUN);
        const struct shepard_columns_means means = {batch->mean + run.first * SHEPARD_COLUMNS_STEP,
                                                    batch->points};
        call->points->kernels->columns->predict(&call->job->gapped->table, at,
                                                batch->list + run.first, run.count, &model, &means);
        status = answer_run(worker, &run, call->columns + *i, end - *i);
    }
    if (status == SHEPARD_OK)
        shepard_cpu_gapped_write(worker, call->columns + *i, end - *i);
    *i = end;
    return status;
}

enum shepard_status shepard_cpu_gapped_finish(struct shepard_cpu_gapped_worker *worker)
{
    struct shepard_cpu_gapped_batch *batch = &worker->batch;
    enum shepard_status status = SHEPARD_OK;
    for (size_t t = 0; t < batch->count; t++) {
        batch->list[t].rank = batch->rank + batch->target[t].rank;
        batch->list[t].w = batch->w + batch->target[t].w;
        batch->list[t].logarithm = batch->w + batch->target[t].logarithm;
        batch->list[t].distance = batch->w + batch->target[t].distance;
        batch->list[t].dx = batch->list[t].distance + batch->list[t].places;
        batch->list[t].dy = batch->list[t].dx + batch->list[t].places;
        batch->list[t].near =
            (struct shepard_columns_near){.rank = batch->rank + batch->target[t].near_rank,
                                          .distance = batch->w + batch->target[t].near_distance,
                                          .count = batch->target[t].near_count};
    }
    shepard_cpu_gapped_order(batch);
    for (size_t i = 0; i < worker->call->column_count && batch->count > 0 && status == SHEPARD_OK;)
        status = answer_step(worker, &i);
    batch->count = batch->ranks = batch->weights = 0;
    return status;
}

enum shepard_status shepard_cpu_gapped_average(struct shepard_cpu_gapped_worker *worker, size_t i)
{
    const struct shepard_cpu_gapped_batch *batch = &worker->batch;
    const double x = worker->block.x[i], y = worker->block.y[i];
    bool enough, added = false;
    enum shepard_status status = shepard_neighbours_find(&worker->wide, x, y, &enough);
    if (status == SHEPARD_OK && worker->call->looks_near)
        status = shepard_neighbours_find(&worker->nearby, x, y, &enough);
    if (status == SHEPARD_OK)
        status = add_target(worker, i, &added);
    if (status == SHEPARD_OK && !added)
        return shepard_cpu_gapped_list(worker, i);
    if (status == SHEPARD_OK &&
        (batch->count == SHEPARD_CPU_GAPPED_BATCH || batch->weights >= WEIGHTS_MOST))
        status = shepard_cpu_gapped_finish(worker);
    return status;
}
