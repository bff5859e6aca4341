/* SPDX-License-Identifier: MIT */
#include "backend/cpu/farfield.h"

#include "backend/cpu/cache.h"
#include "backend/cpu/engine.h"
#include "base/call_part.h"
#include "core/chebyshev.h"

#include <string.h>

/* ---- rules ----------------------------------------------------------------------------------- */

/* Whether moments are kept in float32: squares of weights may be too small for it, and planes are
 * summed in double where float32 does not do. */
static bool keeps_single(const struct shepard_cpu_engine *engine, enum shepard_cpu_kind kind)
{
    return engine->single && engine->rules->degree == 0 &&
           (kind != SHEPARD_CPU_SQUARES || engine->points->weights == NULL);
}

static struct shepard_accuracy_demand demand_of(const struct shepard_cpu_engine *engine,
                                                enum shepard_cpu_kind kind)
{
    const struct shepard_rules *rules = engine->rules;
    const bool single = engine->single && kind == SHEPARD_CPU_VALUES && rules->degree == 0;
    const double points = (double)engine->points->count;
    struct shepard_accuracy_demand demand = {.eps = rules->eps,
                                             .points = points,
                                             .single = single,
                                             .single_nodes = single,
                                             .single_moments = keeps_single(engine, kind),
                                             .charges = points / engine->field->least_weight,
                                             .smooth = rules->smoothing2 > 0,
                                             .relative = rules->degree == 1};
    shepard_rules_powers(rules, &demand.power, &demand.power_max);
    if (kind == SHEPARD_CPU_SQUARES) {
        demand.power *= 2;
        demand.power_max *= 2;
        demand.relative = false;
    }
    return demand;
}

/* Ranges that are not used have the rules for all powers: of one power there is one range, and
 * sums in double do not use LOW and HIGH. */
static void set_level(const struct shepard_accuracy_demand *all, double eps,
                      struct shepard_accuracy *accuracy)
{
    const struct shepard_cpu_range powers = {all->power, all->power_max};
    const int used =
        all->single_nodes || all->relative ? SHEPARD_CPU_POWERS_ANY : SHEPARD_CPU_SINGLE_POWERS;
    struct shepard_accuracy_demand demand = *all;
    demand.eps = eps;
    shepard_accuracy_set(&demand, &accuracy[SHEPARD_CPU_POWERS_ANY]);
    for (int i = 0; i < SHEPARD_CPU_POWERS_ANY; i++) {
        const struct shepard_cpu_range range = shepard_cpu_powers_range(i, powers);
        demand.power = range.least;
        demand.power_max = range.most;
        if (i < used && powers.least < powers.most)
            shepard_accuracy_set(&demand, &accuracy[i]);
        else
            accuracy[i] = accuracy[SHEPARD_CPU_POWERS_ANY];
    }
}

/* Float32 is used where typical planes then lose less than a quarter of eps. Each level counts with
 * the errors of the worst. */
static void set_plane_single(const struct shepard_accuracy_demand *demand,
                             struct shepard_cpu_kind_rules *far, enum shepard_cpu_powers powers)
{
    struct shepard_plane_single single = {.weights =
                                              shepard_accuracy_weight_rounding(demand->power_max),
                                          .points = SHEPARD_PLANE_SINGLE_POINTS * 0x1p-24,
                                          .used = demand->charges <= SHEPARD_PLANE_SINGLE_CHARGES};
    for (int level = 0; level < SHEPARD_PLANE_SINGLE_LEVELS; level++) {
        const struct shepard_accuracy *accuracy = &far->accuracy[level][powers];
        single.nodes = fmax(single.nodes, shepard_accuracy_plane_rounding(accuracy));
        single.used = single.used && SHEPARD_ORDER(accuracy->orders - 1) <= SHEPARD_ORDER_SINGLE;
    }
    single.used = single.used && single.nodes <= fmin(demand->eps / 4, SHEPARD_PLANE_SINGLE_NODES);
    far->plane_single[powers] = single;
}

static void set_planes(const struct shepard_cpu_engine *engine,
                       const struct shepard_accuracy_demand *demand,
                       struct shepard_cpu_kind_rules *far)
{
    far->levels = SHEPARD_PLANE_LEVELS;
    for (int level = 0; level < far->levels; level++)
        set_level(demand, shepard_plane_tolerance(demand->eps, level), far->accuracy[level]);
    for (int powers = 0; engine->single && powers < SHEPARD_CPU_POWERS; powers++)
        set_plane_single(demand, far, powers);
}

static void set_rules(const struct shepard_cpu_engine *engine, enum shepard_cpu_kind kind,
                      struct shepard_cpu_kind_rules *far)
{
    struct shepard_accuracy_demand demand = demand_of(engine, kind);
    if (demand.relative) {
        set_planes(engine, &demand, far);
        return;
    }
    far->levels = 1;
    far->fast_weights = shepard_accuracy_bears_fast(&demand);
    set_level(&demand, demand.eps, far->accuracy[0]);
    far->single_nodes = demand.single_nodes;
    if (!demand.single_nodes || !shepard_accuracy_rounds(&far->accuracy[0][SHEPARD_CPU_POWERS_ANY]))
        return;
    /* Few float32 expansions would be good enough: double ones are cheaper. */
    far->single_nodes = demand.single_nodes = false;
    set_level(&demand, demand.eps, far->accuracy[0]);
}

static const int dense_sizes[SHEPARD_CPU_DENSE_SIZES] = {4, 5, 6, 8};

/* What is near is summed in double (backend/cpu/finalize.c); the grid in float32 where that will
 * do.
 */
static struct shepard_cpu_tile_rules tile_rules(const struct shepard_accuracy_demand *all,
                                                double power, int size)
{
    struct shepard_accuracy_demand demand = *all;
    demand.power = demand.power_max = power;
    const double error = 2 * shepard_accuracy_interpolation(&demand);
    struct shepard_cpu_tile_rules rules = {.size = size, .power = power, .ratio = INFINITY};
    const double ratio = shepard_chebyshev_ratio(size, power, error);
    if (!(ratio < INFINITY))
        return rules;
    demand.magnified = shepard_chebyshev_magnification(size, power, ratio);
    for (int single = all->single_grid; single >= 0 && rules.ratio == INFINITY; single--) {
        rules.single = demand.single_grid = single;
        if (!shepard_accuracy_bears(&demand))
            continue;
        shepard_accuracy_set(&demand, &rules.accuracy);
        if (!single || !shepard_accuracy_rounds(&rules.accuracy))
            rules.ratio = ratio;
    }
    return rules;
}

static void set_dense(const struct shepard_cpu_engine *engine, struct shepard_cpu_kind_rules *far)
{
    struct shepard_accuracy_demand demand = demand_of(engine, SHEPARD_CPU_VALUES);
    demand.single = demand.single_nodes = false;
    demand.single_grid = far->single_nodes;
    for (int i = 0; i < SHEPARD_CPU_DENSE_SIZES; i++) {
        far->tile[SHEPARD_CPU_POWERS_LEAST][i] = tile_rules(&demand, demand.power, dense_sizes[i]);
        far->tile[SHEPARD_CPU_POWERS_MOST][i] =
            demand.power_max > demand.power ? tile_rules(&demand, demand.power_max, dense_sizes[i])
                                            : far->tile[SHEPARD_CPU_POWERS_LEAST][i];
    }
}

/* ---- charges --------------------------------------------------------------------------------- */

/* q, then q z for each column. */
static void charges_of_values(const void *context, size_t first, size_t n, double *out)
{
    const struct shepard_cpu_field *field = context;
    for (size_t i = 0; i < n; i++)
        out[i] = shepard_cpu_field_weight(field, first + i);
    for (size_t c = 0; c < field->base.samples.columns; c++)
        for (size_t i = 0; i < n; i++)
            out[(c + 1) * SHEPARD_LEAF + i] = out[i] * shepard_cpu_field_value(field, c, first + i);
}

static void charges_of_squares(const void *context, size_t first, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        const double q = shepard_cpu_field_weight(context, first + i);
        out[i] = q * q;
    }
}

/* q, then q z^2 for each column. */
static void charges_of_spread(const void *context, size_t first, size_t n, double *out)
{
    const struct shepard_cpu_field *field = context;
    charges_of_values(context, first, n, out);
    for (size_t c = 0; c < field->base.samples.columns; c++)
        for (size_t i = 0; i < n; i++)
            out[(c + 1) * SHEPARD_LEAF + i] *= shepard_cpu_field_value(field, c, first + i);
}

/* ---- making ---------------------------------------------------------------------------------- */

static struct shepard_moments_form form_of(const struct shepard_cpu_engine *engine,
                                           enum shepard_cpu_kind kind,
                                           const struct shepard_cpu_kind_rules *far)
{
    int orders = 0;
    for (int level = 0; level < far->levels; level++)
        orders = far->accuracy[level][0].orders > orders ? far->accuracy[level][0].orders : orders;
    const bool plane = kind == SHEPARD_CPU_VALUES && engine->rules->degree == 1;
    return (struct shepard_moments_form){.order = SHEPARD_ORDER(orders - 1),
                                         .extra = plane ? 2 : 0,
                                         .single = keeps_single(engine, kind)};
}

/* Moments as a part of the progress: each kind that the outputs need is as much of a preparation,
 * and a prediction does not move on before it predicts. */
static const struct shepard_control *begin_part(const struct shepard_cpu_engine *engine,
                                                enum shepard_cpu_kind kind,
                                                struct shepard_call_part *part)
{
    const struct shepard_predict_job *job = engine->job;
    const int squares = job->output->effective.data != NULL;
    const int spread = job->output->deviations != NULL;
    const int before = (kind > SHEPARD_CPU_VALUES) + (kind > SHEPARD_CPU_SQUARES ? squares : 0);
    const double each = job->targets == NULL ? 1. / (1 + squares + spread) : 0;
    return shepard_call_part_begin(part, job->control, before * each, (before + 1) * each);
}

static struct shepard_charges charges_of(const struct shepard_cpu_engine *engine,
                                         enum shepard_cpu_kind kind)
{
    static void (*const of[SHEPARD_CPU_KINDS])(const void *, size_t, size_t, double *) = {
        charges_of_values, charges_of_squares, charges_of_spread};
    const size_t count = kind == SHEPARD_CPU_SQUARES ? 1 : engine->points->columns + 1;
    return (struct shepard_charges){count, of[kind], engine->field};
}

static enum shepard_status create_moments(const struct shepard_cpu_engine *engine,
                                          struct shepard_cpu_moments *moments)
{
    const enum shepard_cpu_kind kind = moments->kind;
    const struct shepard_charges charges = charges_of(engine, kind);
    struct shepard_call_part part;
    const struct shepard_moments_work work = {engine->rules->threads, engine->points->allocator,
                                              begin_part(engine, kind, &part)};
    return shepard_moments_create(engine->tree, engine->kernels, &charges, &moments->form, &work,
                                  &moments->of);
}

/* Takes the moments of a kind from the cache, and makes them where nobody has. */
static enum shepard_status take_moments(const struct shepard_cpu_engine *engine,
                                        enum shepard_cpu_kind kind,
                                        struct shepard_cpu_kind_rules *far)
{
    struct shepard_cpu_cache *cache = engine->field->cache;
    const struct shepard_moments_form form = form_of(engine, kind, far);
    struct shepard_cpu_moments *moments = shepard_cpu_cache_take_moments(cache, kind, &form);
    enum shepard_status status = SHEPARD_OK;
    if (moments == NULL)
        return SHEPARD_ERROR_MEMORY;
    if (shepard_once_begin(&moments->once))
        status = shepard_once_end(&moments->once, create_moments(engine, moments));
    if (status != SHEPARD_OK) {
        shepard_cpu_cache_give_back_moments(cache, moments);
        return status;
    }
    far->held = moments;
    far->moments = &moments->of;
    return SHEPARD_OK;
}

static void begin(const struct shepard_cpu_engine *engine, enum shepard_cpu_kind kind,
                  struct shepard_cpu_kind_rules *far)
{
    far->data = engine->sums;
    set_rules(engine, kind, far);
    if (kind == SHEPARD_CPU_VALUES && engine->rules->degree == 0)
        set_dense(engine, far);
}

static enum shepard_status create(const struct shepard_cpu_engine *engine,
                                  enum shepard_cpu_kind kind)
{
    struct shepard_cpu_kind_rules *far = &engine->farfield->kind[kind];
    const bool squares = kind == SHEPARD_CPU_SQUARES, weighted = engine->points->weights != NULL;
    enum shepard_status status = SHEPARD_OK;
    begin(engine, kind, far);
    if (squares)
        far->data.columns = 0;
    if (squares && shepard_cpu_field_provide_squares(engine->field) != SHEPARD_OK)
        return SHEPARD_ERROR_MEMORY;
    if (squares && !weighted) /* charge 0 is 1 in both */
        far->moments = engine->farfield->kind[SHEPARD_CPU_VALUES].moments;
    else
        status = take_moments(engine, kind, far);
    if (status != SHEPARD_OK)
        return status;
    far->data.nodes = far->moments->data;
    if (squares && weighted)
        far->data.weights = engine->field->charges->squares;
    return SHEPARD_OK;
}

enum shepard_status shepard_cpu_farfield_provide(const struct shepard_cpu_engine *engine,
                                                 enum shepard_cpu_kind kind)
{
    struct shepard_once *once = &engine->farfield->kind[kind].once;
    return shepard_once_begin(once) ? shepard_once_end(once, create(engine, kind)) : SHEPARD_OK;
}

/* ---- of points that are not all there -------------------------------------------------------- */

enum shepard_status shepard_cpu_farfield_begin(const struct shepard_cpu_engine *engine,
                                               struct shepard_moments_making **making)
{
    struct shepard_cpu_kind_rules *far = &engine->farfield->kind[SHEPARD_CPU_VALUES];
    const struct shepard_charges charges = charges_of(engine, SHEPARD_CPU_VALUES);
    const struct shepard_moments_work work = {.threads = engine->rules->threads,
                                              .allocator = engine->points->allocator};
    shepard_once_begin(&far->once);
    begin(engine, SHEPARD_CPU_VALUES, far);
    const struct shepard_moments_form form = form_of(engine, SHEPARD_CPU_VALUES, far);
    far->held = shepard_cpu_cache_take_moments(engine->field->cache, SHEPARD_CPU_VALUES, &form);
    if (far->held == NULL)
        return shepard_once_end(&far->once, SHEPARD_ERROR_MEMORY);
    shepard_once_begin(&far->held->once);
    const enum shepard_status status = shepard_moments_begin(
        engine->tree, engine->kernels, &charges, &form, &work, &far->held->of, making);
    if (status != SHEPARD_OK)
        shepard_cpu_farfield_end(engine, NULL, status);
    return status;
}

void shepard_cpu_farfield_end(const struct shepard_cpu_engine *engine,
                              struct shepard_moments_making *making, enum shepard_status status)
{
    struct shepard_cpu_kind_rules *far = &engine->farfield->kind[SHEPARD_CPU_VALUES];
    shepard_moments_end(making);
    if (making != NULL && status != SHEPARD_OK)
        shepard_moments_free(&far->held->of);
    shepard_once_end(&far->held->once, status);
    if (status == SHEPARD_OK) {
        far->moments = &far->held->of;
        far->data.nodes = far->moments->data;
    } else {
        shepard_cpu_cache_give_back_moments(engine->field->cache, far->held);
        far->held = NULL;
    }
    shepard_once_end(&far->once, status);
}
