/* SPDX-License-Identifier: MIT */
#include "backend/cpu/worker.h"

#include "backend/cpu/answer.h"
#include "base/memory.h"
#include "base/number.h"
#include "core/fit.h"

#include <assert.h>

static size_t nearby_k(const struct shepard_rules *rules)
{
    const size_t for_alpha = rules->adaptive ? rules->adapt.k : 1;
    const size_t for_ridge = rules->degree == 1 && rules->search.all ? rules->ridge_neighbours : 1;
    return for_alpha > for_ridge ? for_alpha : for_ridge;
}

static enum shepard_status create_searches(struct shepard_cpu_worker *worker)
{
    const struct shepard_engine *engine = worker->engine;
    const struct shepard_rules *rules = engine->rules;
    const struct shepard_allocator *allocator = engine->points->allocator;
    const struct shepard_tree *tree = &engine->store.tree;
    enum shepard_status status = SHEPARD_OK;
    worker->nearby_search = (struct shepard_search){
        .max_points = nearby_k(rules), .max_points_per_sector = SIZE_MAX, .sectors = 1};
    if (!rules->search.all)
        status = shepard_neighbours_create(&worker->local, tree, engine->kernels->search,
                                           &rules->search, allocator);
    if (status == SHEPARD_OK)
        status = shepard_neighbours_create(&worker->nearby, tree, engine->kernels->search,
                                           &worker->nearby_search, allocator);
    return status;
}

enum shepard_status shepard_cpu_worker_create(struct shepard_cpu_worker *worker,
                                              const struct shepard_engine *engine,
                                              const struct shepard_job *job)
{
    const struct shepard_allocator *allocator = engine->points->allocator;
    const size_t row = engine->points->columns * SHEPARD_ROW;
    *worker = (struct shepard_cpu_worker){.engine = engine, .job = job};
    enum shepard_status status = create_searches(worker);
    worker->rows = shepard_allocate(allocator, 4 * row, sizeof(double));
    if (status != SHEPARD_OK || worker->rows == NULL) {
        shepard_cpu_worker_free(worker);
        return SHEPARD_ERROR_MEMORY;
    }
    worker->sum_double.centre = worker->rows;
    worker->sum_double.z = worker->sum_single.z = worker->rows + row;
    worker->sum_double.zx = worker->rows + 2 * row;
    worker->sum_double.zy = worker->rows + 3 * row;
    return SHEPARD_OK;
}

void shepard_cpu_worker_free(struct shepard_cpu_worker *worker)
{
    if (worker->engine == NULL)
        return;
    const struct shepard_allocator *allocator = worker->engine->points->allocator;
    shepard_neighbours_free(&worker->local);
    shepard_neighbours_free(&worker->nearby);
    shepard_release(allocator, worker->coincident.d2);
    shepard_release(allocator, worker->coincident.rank);
    shepard_release(allocator, worker->list);
    shepard_release(allocator, worker->rows);
    worker->engine = NULL;
}

void shepard_cpu_worker_prepare(const struct shepard_cpu_worker *worker,
                                struct shepard_neighbours *neighbours, size_t i)
{
    const struct shepard_target_block *block = &worker->block;
    if (i % SHEPARD_RUN != 0)
        return;
    const size_t rest = block->count - i;
    shepard_neighbours_prepare(neighbours, block->x + i, block->y + i,
                               rest < SHEPARD_RUN ? rest : SHEPARD_RUN);
}

void shepard_cpu_worker_answer_nearest(const struct shepard_cpu_worker *worker, size_t index,
                                       double nearest2)
{
    double *nearest = worker->job->output->nearest;
    if (nearest != NULL)
        shepard_points_distances(worker->engine->points, worker->job->targets, index, &nearest2, 1,
                                 &nearest[index]);
}

bool shepard_cpu_worker_reserve(struct shepard_cpu_worker *worker, size_t count)
{
    if (count <= worker->list_room)
        return true;
    const struct shepard_allocator *allocator = worker->engine->points->allocator;
    shepard_release(allocator, worker->list);
    worker->list_room = 0;
    worker->list = shepard_allocate(allocator, count + count / 2, sizeof(double));
    if (worker->list != NULL)
        worker->list_room = count + count / 2;
    return worker->list != NULL;
}

double shepard_cpu_worker_median2(struct shepard_cpu_worker *worker, const double *d2, size_t n)
{
    for (size_t i = 0; i < n; i++)
        worker->list[i] = sqrt(d2[i]);
    const double median = shepard_fit_median(worker->list, (long)n);
    return median * median;
}

enum shepard_status shepard_cpu_worker_look_around(struct shepard_cpu_worker *worker, double x,
                                                   double y, struct shepard_cpu_vicinity *vicinity)
{
    const struct shepard_rules *rules = worker->engine->rules;
    const struct shepard_hits *hits = &worker->nearby.hits;
    bool enough;
    enum shepard_status status = shepard_neighbours_find(&worker->nearby, x, y, &enough);
    if (status != SHEPARD_OK)
        return status;
    assert(hits->count == worker->nearby_search.max_points);
    vicinity->nearest2 = worker->nearby.nearest2;
    vicinity->alpha = rules->power;
    vicinity->h2 = 0;
    if (rules->adaptive) {
        double sum = 0;
        for (size_t i = 0; i < rules->adapt.k; i++)
            sum += sqrt(hits->d2[i]);
        vicinity->alpha = shepard_adapt_alpha(&rules->adapt, sum / (double)rules->adapt.k);
    }
    if (rules->degree == 1 && rules->search.all) {
        if (!shepard_cpu_worker_reserve(worker, hits->count))
            return SHEPARD_ERROR_MEMORY;
        vicinity->h2 = shepard_cpu_worker_median2(worker, hits->d2, rules->ridge_neighbours);
    }
    return SHEPARD_OK;
}

/* ---- a weighted list ------------------------------------------------------------------------- */

struct totals {
    double w, ww;
};

static struct totals weigh(const struct shepard_points *points,
                           const struct shepard_cpu_weighted *list)
{
    struct totals totals = {0, 0};
    for (size_t i = 0; i < list->count; i++) {
        if (points->weights != NULL)
            list->w[i] *= points->weights[list->rank[i]];
        totals.w += list->w[i];
        totals.ww += list->w[i] * list->w[i];
    }
    return totals;
}

/* The weighted mean of a column, about the middle of its range. */
static double mean_of(const struct shepard_engine *engine, size_t column,
                      const struct shepard_cpu_weighted *list, double w)
{
    const double *values = engine->points->values[column];
    const double middle = engine->middle[column], scale = engine->scale[column];
    double sum = 0;
    for (size_t i = 0; i < list->count; i++)
        sum += list->w[i] * (values[list->rank[i]] * scale - middle * scale);
    return middle + sum / w / scale;
}

static double deviation_of(const struct shepard_engine *engine, size_t column, double mean,
                           const struct shepard_cpu_weighted *list, double w)
{
    const double *values = engine->points->values[column], scale = engine->scale[column];
    double sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        const double d = values[list->rank[i]] * scale - mean * scale;
        sum += list->w[i] * d * d;
    }
    return sqrt(sum / w) / scale;
}

static struct shepard_spread spread_of(const struct shepard_points *points,
                                       const struct shepard_cpu_weighted *list, double w)
{
    struct shepard_spread spread = {0};
    for (size_t i = 0; i < list->count; i++) {
        spread.x += list->w[i] * (points->x[list->rank[i]] - list->x);
        spread.y += list->w[i] * (points->y[list->rank[i]] - list->y);
    }
    spread.x /= w;
    spread.y /= w;
    for (size_t i = 0; i < list->count; i++) {
        const double dx = points->x[list->rank[i]] - list->x - spread.x;
        const double dy = points->y[list->rank[i]] - list->y - spread.y;
        spread.xx += list->w[i] * dx * dx;
        spread.xy += list->w[i] * dx * dy;
        spread.yy += list->w[i] * dy * dy;
    }
    spread.xx /= w;
    spread.xy /= w;
    spread.yy /= w;
    return spread;
}

static double plane_value(const struct shepard_engine *engine, size_t column, double mean,
                          const struct shepard_cpu_weighted *list,
                          const struct shepard_spread *spread, const struct shepard_slopes *slopes,
                          double w)
{
    const struct shepard_points *points = engine->points;
    const double *values = points->values[column], scale = engine->scale[column];
    double xz = 0, yz = 0;
    for (size_t i = 0; i < list->count; i++) {
        const uint32_t at = list->rank[i];
        const double wz = list->w[i] * (values[at] * scale - mean * scale);
        xz += wz * (points->x[at] - list->x - spread->x);
        yz += wz * (points->y[at] - list->y - spread->y);
    }
    return mean + shepard_fit_value(spread, slopes, 0, xz / w, yz / w) / scale;
}

void shepard_cpu_worker_combine(const struct shepard_cpu_worker *worker,
                                const struct shepard_cpu_weighted *list, size_t index)
{
    const struct shepard_engine *engine = worker->engine;
    const struct shepard_points *points = engine->points;
    const struct shepard_output *output = worker->job->output;
    const bool plane = engine->rules->degree == 1;
    const struct totals totals = weigh(points, list);
    struct shepard_spread spread = {0};
    struct shepard_slopes slopes = {0};
    if (plane) {
        spread = spread_of(points, list, totals.w);
        slopes = shepard_fit_slopes(&spread, engine->rules->ridge * list->h2);
    }
    for (size_t c = 0; c < points->columns; c++) {
        double *values = shepard_cpu_answer_column(output->values, c);
        double *deviations = shepard_cpu_answer_column(output->deviations, c);
        if (values == NULL && deviations == NULL)
            continue;
        const double mean = shepard_clamp(mean_of(engine, c, list, totals.w), points->value_min[c],
                                          points->value_max[c]);
        shepard_cpu_answer_put(
            values, index,
            plane ? plane_value(engine, c, mean, list, &spread, &slopes, totals.w) : mean);
        if (deviations != NULL)
            deviations[index] = deviation_of(engine, c, mean, list, totals.w);
    }
    shepard_cpu_answer_put(output->effective, index, totals.w * totals.w / totals.ww);
}
