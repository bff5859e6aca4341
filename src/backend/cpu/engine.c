/* SPDX-License-Identifier: MIT */
#include "backend/cpu/engine.h"

#include "base/fault.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/parallel.h"

#include <string.h>

static double least_weight(const struct shepard_points *points)
{
    double least = 1;
    for (size_t i = 0; points->weights != NULL && i < points->count; i++)
        least = fmin(least, points->weights[i]);
    return least;
}

static bool wants_single(const struct shepard_engine *engine)
{
    const struct shepard_rules *rules = engine->rules;
    return rules->precision == SHEPARD_SINGLE && rules->search.all && rules->degree == 0 &&
           shepard_cpu_far_demand(engine, SHEPARD_CPU_VALUES).power_max <=
               SHEPARD_ACCURACY_SINGLE_POWER &&
           engine->least_weight >= SHEPARD_ACCURACY_SINGLE_WEIGHT;
}

static bool allocate_single(struct shepard_engine *engine)
{
    const struct shepard_points *points = engine->points;
    const struct shepard_allocator *allocator = points->allocator;
    const size_t n = points->count;
    engine->groups =
        shepard_allocate(allocator, shepard_ceil_div(n, SHEPARD_GROUP), sizeof *engine->groups);
    engine->x = shepard_allocate(allocator, n, sizeof(float));
    engine->y = shepard_allocate(allocator, n, sizeof(float));
    engine->charges = shepard_allocate(allocator, points->columns, sizeof(float *));
    if (engine->charges != NULL)
        memset(engine->charges, 0, points->columns * sizeof(float *));
    if (!engine->groups || !engine->x || !engine->y || !engine->charges)
        return false;
    for (size_t c = 0; c < points->columns; c++)
        if ((engine->charges[c] = shepard_allocate(allocator, n, sizeof(float))) == NULL)
            return false;
    if (points->weights != NULL)
        engine->charge = shepard_allocate(allocator, n, sizeof(float));
    return points->weights == NULL || engine->charge != NULL;
}

static void place_group(struct shepard_engine *engine, size_t g)
{
    const struct shepard_points *points = engine->points;
    const size_t first = g * SHEPARD_GROUP;
    const size_t end = shepard_smaller(first + SHEPARD_GROUP, points->count);
    struct shepard_box box = {points->x[first], points->x[first], points->y[first],
                              points->y[first]};
    for (size_t i = first; i < end; i++) {
        box.x_min = fmin(box.x_min, points->x[i]);
        box.x_max = fmax(box.x_max, points->x[i]);
        box.y_min = fmin(box.y_min, points->y[i]);
        box.y_max = fmax(box.y_max, points->y[i]);
    }
    struct shepard_group group = {(box.x_min + box.x_max) / 2, (box.y_min + box.y_max) / 2, 0};
    for (size_t i = first; i < end; i++) {
        const double dx = points->x[i] - group.x, dy = points->y[i] - group.y;
        engine->x[i] = (float)dx;
        engine->y[i] = (float)dy;
        const double d2 = dx * dx + dy * dy;
        group.radius2 = d2 > group.radius2 ? d2 : group.radius2;
    }
    engine->groups[g] = group;
}

static void place_charges(struct shepard_engine *engine, size_t first, size_t end)
{
    const struct shepard_points *points = engine->points;
    for (size_t i = first; i < end; i++) {
        const double q = shepard_cpu_engine_weight(engine, i);
        for (size_t c = 0; c < points->columns; c++)
            engine->charges[c][i] = (float)(q * shepard_cpu_engine_value(engine, c, i));
        if (engine->charge != NULL)
            engine->charge[i] = (float)q;
    }
}

/* Groups placed per block of the loop. */
#define PLACE_BLOCK 256

static enum shepard_status place_block(void *context, size_t block, int thread)
{
    struct shepard_engine *engine = context;
    const size_t n = engine->points->count;
    const size_t first = block * PLACE_BLOCK * SHEPARD_GROUP;
    const size_t end = shepard_smaller(first + PLACE_BLOCK * SHEPARD_GROUP, n);
    (void)thread;
    for (size_t g = first / SHEPARD_GROUP; g * SHEPARD_GROUP < end; g++)
        place_group(engine, g);
    place_charges(engine, first, end);
    return SHEPARD_OK;
}

static bool measure_values(struct shepard_engine *engine)
{
    const struct shepard_points *points = engine->points;
    engine->middle = shepard_allocate(points->allocator, points->columns, sizeof(double));
    engine->scale = shepard_allocate(points->allocator, points->columns, sizeof(double));
    if (engine->middle == NULL || engine->scale == NULL)
        return false;
    for (size_t c = 0; c < points->columns; c++) {
        const struct shepard_value_unit unit =
            shepard_points_value_unit(points->value_min[c], points->value_max[c]);
        engine->middle[c] = unit.middle;
        engine->scale[c] = unit.scale;
    }
    return true;
}

/* ---- expansions ------------------------------------------------------------------------------ */

/* Planes magnify errors: below this, their sums are exact. */
#define PLANE_EPS_MIN 1e-9
/* Moments of a node are off by a part of its charge and squared radius, and those of its points
 * about their mean may be as much smaller as the least weight is: below this part of it, too. */
#define PLANE_EPS_WEIGHT 1e-13

static bool bears_planes(const struct shepard_engine *engine)
{
    const double eps = engine->rules->eps;
    return eps >= PLANE_EPS_MIN && eps * engine->least_weight >= PLANE_EPS_WEIGHT;
}

static bool wants_expansions(const struct shepard_engine *engine)
{
    const struct shepard_rules *rules = engine->rules;
    return rules->search.all && rules->eps > 0 && (rules->degree == 0 || bears_planes(engine));
}

static bool create_single(struct shepard_engine *engine)
{
    if (!allocate_single(engine))
        return false;
    const struct shepard_loop loop = {
        .threads = engine->rules->threads,
        .blocks = shepard_ceil_div(engine->points->count, PLACE_BLOCK * SHEPARD_GROUP),
        .body = place_block,
        .context = engine};
    return shepard_loop_run(&loop) == SHEPARD_OK;
}

static void gather_sums(struct shepard_engine *engine)
{
    engine->sums = (struct shepard_sum_data){
        .tree = &engine->store.tree,
        .columns = engine->points->columns,
        .values = (const double *const *)engine->points->values,
        .weights = engine->points->weights,
        .middle = engine->middle,
        .scale = engine->scale,
        .groups = engine->groups,
        .x = engine->x,
        .y = engine->y,
        .charges = (const float *const *)engine->charges,
        .charge = engine->charge,
    };
}

static enum shepard_status create_far(struct shepard_engine *engine)
{
    engine->far =
        shepard_allocate(engine->points->allocator, SHEPARD_CPU_KINDS, sizeof *engine->far);
    if (engine->far == NULL)
        return SHEPARD_ERROR_MEMORY;
    memset(engine->far, 0, SHEPARD_CPU_KINDS * sizeof *engine->far);
    return shepard_cpu_far_provide(engine, SHEPARD_CPU_VALUES);
}

static enum shepard_status prepare(struct shepard_engine *engine, struct shepard_error *error)
{
    engine->least_weight = least_weight(engine->points);
    engine->single = wants_single(engine);
    const bool expands = wants_expansions(engine);
    if (!measure_values(engine) || (engine->single && !create_single(engine)))
        return shepard_fail_memory(error, "the model");
    gather_sums(engine);
    if (expands && create_far(engine) != SHEPARD_OK)
        return shepard_fail_memory(error, "the model");
    return SHEPARD_OK;
}

enum shepard_status shepard_cpu_engine_create(struct shepard_points *points,
                                              const struct shepard_rules *rules,
                                              struct shepard_engine **engine,
                                              struct shepard_error *error)
{
    struct shepard_engine *made = shepard_allocate(points->allocator, 1, sizeof *made);
    if (made == NULL)
        return shepard_fail_memory(error, "the model");
    *made = (struct shepard_engine){
        .points = points, .rules = rules, .kernels = shepard_kernels_choose()};
    made->store.allocator = points->allocator;
    enum shepard_status status = shepard_tree_create(points, rules->threads, &made->store, error);
    if (status == SHEPARD_OK)
        status = prepare(made, error);
    if (status == SHEPARD_OK)
        *engine = made;
    else
        shepard_cpu_engine_free(made);
    return status;
}

void shepard_cpu_engine_free(struct shepard_engine *engine)
{
    const struct shepard_allocator *allocator = engine->points->allocator;
    for (size_t c = 0; engine->charges != NULL && c < engine->points->columns; c++)
        shepard_release(allocator, engine->charges[c]);
    shepard_release(allocator, engine->charges);
    shepard_release(allocator, engine->charge);
    shepard_release(allocator, engine->y);
    shepard_release(allocator, engine->x);
    shepard_release(allocator, engine->groups);
    shepard_release(allocator, engine->scale);
    shepard_release(allocator, engine->middle);
    shepard_cpu_far_free(engine);
    shepard_release(allocator, engine->far);
    shepard_tree_free(&engine->store);
    shepard_release(allocator, engine);
}

size_t shepard_cpu_engine_bytes(const struct shepard_engine *engine)
{
    const struct shepard_points *points = engine->points;
    size_t bytes = sizeof *engine + engine->store.box_count * sizeof(struct shepard_boxes) +
                   points->columns * 2 * sizeof(double) + shepard_cpu_far_bytes(engine);
    if (engine->single)
        bytes += shepard_ceil_div(points->count, SHEPARD_GROUP) * sizeof(struct shepard_group) +
                 points->count * sizeof(float) * (2 + points->columns + (engine->charge != NULL)) +
                 points->columns * sizeof(float *);
    return bytes;
}
