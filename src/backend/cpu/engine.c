/* SPDX-License-Identifier: MIT */
#include "backend/cpu/engine.h"

#include "backend/cpu/cache.h"
#include "core/methods.h"

static struct shepard_cpu_demand demand_of(const struct shepard_cpu_engine *engine)
{
    const struct shepard_rules *rules = engine->rules;
    struct shepard_cpu_demand demand = {
        .eps = rules->eps, .smooth = rules->smoothing2 > 0, .degree = rules->degree};
    shepard_rules_powers(rules, &demand.power, &demand.power_max);
    const bool plane = rules->degree == 1;
    demand.single = rules->precision == SHEPARD_PRECISION_SINGLE &&
                    (!plane || (rules->eps >= SHEPARD_PLANE_SINGLE_EPS && !demand.smooth &&
                                shepard_plane_bears(rules->eps, engine->field->least_weight))) &&
                    demand.power_max <= SHEPARD_ACCURACY_SINGLE_POWER &&
                    engine->field->least_weight >= SHEPARD_ACCURACY_SINGLE_WEIGHT;
    return demand;
}

static enum shepard_status provide_single(const struct shepard_cpu_field *field)
{
    enum shepard_status status = shepard_cpu_points_provide_offsets(field->points);
    return status == SHEPARD_OK ? shepard_cpu_field_provide_charges(field) : status;
}

static struct shepard_sum_data sums_of(const struct shepard_cpu_engine *engine)
{
    const struct shepard_cpu_field *field = engine->field;
    const struct shepard_cpu_offsets *offsets = field->points->offsets;
    struct shepard_sum_data sums = {
        .tree = engine->tree,
        .columns = engine->points->columns,
        .values = (const double *const *)engine->points->values,
        .weights = engine->points->weights,
        .middle = field->middle,
        .scale = field->scale,
    };
    if (engine->single) {
        sums.groups = offsets->groups;
        sums.x = offsets->x;
        sums.y = offsets->y;
        sums.charges = (const float *const *)field->charges->values;
        sums.charge = field->charges->weight;
    }
    return sums;
}

/* Sets the far field, of which nothing is made yet, where there is one. */
static enum shepard_status begin_sums(struct shepard_cpu_engine *engine)
{
    const struct shepard_rules *rules = engine->rules;
    const struct shepard_cpu_demand demand = demand_of(engine);
    engine->single = demand.single;
    if (engine->single && provide_single(engine->field) != SHEPARD_OK)
        return SHEPARD_ERROR_MEMORY;
    engine->sums = sums_of(engine);
    if (rules->eps == 0 ||
        (rules->degree == 1 && !shepard_plane_bears(rules->eps, engine->field->least_weight)))
        return SHEPARD_OK;
    engine->farfield = shepard_cpu_cache_take(engine->field->cache, &demand);
    return engine->farfield == NULL ? SHEPARD_ERROR_MEMORY : SHEPARD_OK;
}

static enum shepard_status prepare_sums(struct shepard_cpu_engine *engine)
{
    const enum shepard_status status = begin_sums(engine);
    return status == SHEPARD_OK && engine->farfield != NULL
               ? shepard_cpu_farfield_provide(engine, SHEPARD_CPU_VALUES)
               : status;
}

/* The system of all points, for targets that leave none out. */
static enum shepard_status prepare_kriging(struct shepard_cpu_engine *engine)
{
    const struct shepard_targets_view *targets = engine->job->targets;
    if (!engine->rules->search.all || (targets != NULL && shepard_targets_leave_out(targets)))
        return SHEPARD_OK;
    const struct shepard_cpu_kriging_of of = {engine->points, &engine->rules->kriging,
                                              engine->scale, engine->middle};
    return shepard_cpu_kriging_take_all(engine->field->kriging, &of, &engine->kriging);
}

static struct shepard_cpu_engine engine_of(const struct shepard_cpu_field *field,
                                           const struct shepard_predict_job *job)
{
    return (struct shepard_cpu_engine){.field = field,
                                       .points = &field->base.samples,
                                       .rules = job->rules,
                                       .job = job,
                                       .kernels = field->points->kernels,
                                       .tree = &field->tree,
                                       .scale = field->scale,
                                       .middle = field->middle};
}

enum shepard_status shepard_cpu_engine_begin(const struct shepard_cpu_field *field,
                                             const struct shepard_predict_job *job,
                                             struct shepard_cpu_engine *engine)
{
    *engine = engine_of(field, job);
    return begin_sums(engine);
}

enum shepard_status shepard_cpu_engine_open(const struct shepard_cpu_field *field,
                                            const struct shepard_predict_job *job,
                                            struct shepard_cpu_engine *engine)
{
    *engine = engine_of(field, job);
    if (shepard_method_facts(job->rules->method)->kriging)
        return prepare_kriging(engine);
    if (job->rules->search.all)
        return prepare_sums(engine);
    engine->sums = sums_of(engine);
    return SHEPARD_OK;
}

enum shepard_status shepard_cpu_engine_provide(const struct shepard_cpu_engine *engine)
{
    const struct shepard_output *output = engine->job->output;
    enum shepard_status status = SHEPARD_OK;
    if (engine->farfield != NULL && output->effective.data != NULL)
        status = shepard_cpu_farfield_provide(engine, SHEPARD_CPU_SQUARES);
    if (status == SHEPARD_OK && engine->farfield != NULL && output->deviations != NULL)
        status = shepard_cpu_farfield_provide(engine, SHEPARD_CPU_SPREAD);
    return status;
}

void shepard_cpu_engine_close(struct shepard_cpu_engine *engine)
{
    shepard_cpu_cache_give_back(engine->field->cache, engine->farfield);
    engine->farfield = NULL;
    shepard_cpu_kriging_give_back(engine->field->kriging, engine->kriging,
                                  engine->field->memory_limit);
    engine->kriging = NULL;
}
