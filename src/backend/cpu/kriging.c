/* SPDX-License-Identifier: MIT */
#include "backend/cpu/kriging.h"

#include "backend/cpu/kriging_all.h"
#include "backend/cpu/output.h"
#include "base/memory.h"
#include "core/space.h"

#include <string.h>

/* Points of a system in a batch. */
#define BATCH_POINTS (SHEPARD_KRIGING_INCREMENTS + 1)

/* Points and their weights at a target. */
struct kriging_weights {
    const uint32_t *rank;
    const double *w;
    size_t count;
    double mean;           /* the weight of the known mean */
    double variance;       /* over the sill */
    const double *scaling; /* [columns] of the variance; NULL: none */
};

/* A target that waits in a lane. */
struct lane_target {
    size_t index, count;
    double x, y, z;
    uint32_t rank[BATCH_POINTS]; /* the nearest first */
};

struct shepard_cpu_kriging {
    struct shepard_kriging_batch batch;
    size_t count; /* lanes taken */
    struct lane_target waiting[SHEPARD_KRIGING_LANES];
    struct shepard_kriging_system system; /* of one target alone */
    size_t room;                          /* points that there is room for in: */
    uint32_t *rank;
    double *w, *d2;
    long double *weight, *b;
    double *values, *squares; /* the batch's; NULL where sd does not follow the values */
    double *scaling;          /* [columns], then */
    /* Of the system of all points; NULL where there is none: */
    struct shepard_kriging_targets *targets;
    double *numbers; /* what they point to */
    struct shepard_cpu_found of[SHEPARD_KRIGING_TARGETS];
    size_t targets_count; /* that wait */
};

/* ---- room ------------------------------------------------------------------------------------ */

/* Whether sd is asked for, and follows the values. */
static bool scales_locally(const struct shepard_cpu_engine *engine)
{
    return engine->rules->kriging.sd_local && engine->job->output->sds != NULL;
}

/* Of targets of the system of all points. */
static bool reserve_targets(struct shepard_cpu_kriging *kriging,
                            const struct shepard_kriging_surface *surface,
                            const struct shepard_allocator *allocator)
{
    const size_t room = SHEPARD_KRIGING_TARGETS_ROOM(surface->m);
    kriging->targets = shepard_allocate(allocator, 1, sizeof *kriging->targets);
    kriging->numbers = shepard_allocate(
        allocator, room + surface->columns * SHEPARD_KRIGING_TARGETS, sizeof *kriging->numbers);
    if (kriging->targets == NULL || kriging->numbers == NULL)
        return false;
    *kriging->targets = (struct shepard_kriging_targets){.room = kriging->numbers,
                                                         .value = kriging->numbers + room};
    return true;
}

/* Of columns that sd follows. */
static bool reserve_columns(struct shepard_cpu_kriging *kriging, size_t columns,
                            const struct shepard_allocator *allocator)
{
    kriging->values =
        shepard_allocate(allocator, columns * BATCH_POINTS, sizeof(double[SHEPARD_KRIGING_LANES]));
    kriging->squares = shepard_allocate(allocator, columns, sizeof(double[SHEPARD_KRIGING_LANES]));
    kriging->scaling = shepard_allocate(allocator, columns, sizeof(double));
    kriging->batch.columns = columns;
    kriging->batch.values = kriging->values;
    kriging->batch.squares = kriging->squares;
    return kriging->values != NULL && kriging->squares != NULL && kriging->scaling != NULL;
}

struct shepard_cpu_kriging *shepard_cpu_kriging_create(const struct shepard_cpu_engine *engine)
{
    const struct shepard_allocator *allocator = engine->points->allocator;
    struct shepard_cpu_kriging *kriging = shepard_allocate(allocator, 1, sizeof *kriging);
    if (kriging == NULL)
        return NULL;
    memset(kriging, 0, sizeof *kriging);
    kriging->system = shepard_kriging_system_of(&engine->rules->kriging.variogram, allocator);
    kriging->batch.room = shepard_allocate(allocator, SHEPARD_KRIGING_ROOM, sizeof(double));
    if (kriging->batch.room != NULL &&
        (!scales_locally(engine) || reserve_columns(kriging, engine->points->columns, allocator)) &&
        (engine->kriging == NULL || reserve_targets(kriging, &engine->kriging->surface, allocator)))
        return kriging;
    shepard_cpu_kriging_free(kriging, allocator);
    return NULL;
}

static void release_lists(struct shepard_cpu_kriging *kriging,
                          const struct shepard_allocator *allocator)
{
    shepard_release(allocator, kriging->rank);
    shepard_release(allocator, kriging->w);
    shepard_release(allocator, kriging->d2);
    shepard_release(allocator, kriging->weight);
    shepard_release(allocator, kriging->b);
    kriging->rank = NULL;
    kriging->w = kriging->d2 = NULL;
    kriging->weight = kriging->b = NULL;
    kriging->room = 0;
}

void shepard_cpu_kriging_free(struct shepard_cpu_kriging *kriging,
                              const struct shepard_allocator *allocator)
{
    if (kriging == NULL)
        return;
    release_lists(kriging, allocator);
    shepard_kriging_free(&kriging->system);
    shepard_release(allocator, kriging->values);
    shepard_release(allocator, kriging->squares);
    shepard_release(allocator, kriging->scaling);
    shepard_release(allocator, kriging->targets);
    shepard_release(allocator, kriging->numbers);
    shepard_release(allocator, kriging->batch.room);
    shepard_release(allocator, kriging);
}

static bool reserve(struct shepard_cpu_kriging *kriging, size_t count,
                    const struct shepard_allocator *allocator)
{
    if (count <= kriging->room)
        return true;
    release_lists(kriging, allocator);
    const size_t room = count + count / 2;
    kriging->rank = shepard_allocate(allocator, room, sizeof *kriging->rank);
    kriging->w = shepard_allocate(allocator, room, sizeof *kriging->w);
    kriging->d2 = shepard_allocate(allocator, room, sizeof *kriging->d2);
    kriging->weight = shepard_allocate(allocator, room, sizeof *kriging->weight);
    kriging->b = shepard_allocate(allocator, room, sizeof *kriging->b);
    if (!kriging->rank || !kriging->w || !kriging->d2 || !kriging->weight || !kriging->b)
        return false;
    kriging->room = room;
    return true;
}

/* ---- results --------------------------------------------------------------------------------- */

/* A column's weighted sum, about the middle of its range. */
static double value_of(const struct shepard_cpu_engine *engine, size_t column,
                       const struct kriging_weights *weights)
{
    const double *values = engine->points->values[column];
    const double scale = engine->scale[column], shift = engine->middle[column] * scale;
    double sum = 0;
    for (size_t i = 0; i < weights->count; i++)
        sum += weights->w[i] * (values[weights->rank[i]] * scale - shift);
    if (engine->rules->kriging.variogram.simple)
        sum += weights->mean * (engine->rules->kriging.mean * scale - shift);
    return engine->middle[column] + sum / scale;
}

/* variance: over the sill. */
static void put_column(const struct shepard_cpu_worker *worker, size_t index, size_t column,
                       double value, double variance)
{
    const struct shepard_output *output = worker->job->output;
    const struct shepard_kriging_rules *rules = &worker->engine->rules->kriging;
    const struct shepard_output_array values = shepard_output_column(output->values, column);
    shepard_output_put(values, index, value);
    shepard_output_put(shepard_output_column(output->sds, column), index,
                       sqrt(fmax(variance, 0) * rules->sill));
    shepard_output_put(shepard_output_column(output->deviations, column), index,
                       worker->engine->rules->nodata);
    shepard_output_put(output->effective, index, worker->engine->rules->nodata);
}

static void put(const struct shepard_cpu_worker *worker, size_t index,
                const struct kriging_weights *weights)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_output *output = worker->job->output;
    for (size_t c = 0; c < engine->points->columns; c++) {
        const bool wanted = shepard_output_column(output->values, c).data != NULL;
        const double scaling = weights->scaling != NULL ? weights->scaling[c] : 1;
        put_column(worker, index, c, wanted ? value_of(engine, c, weights) : 0,
                   fmax(weights->variance, 0) * scaling);
    }
}

/* The mean of the points at the place itself. */
static enum shepard_status answer_coincident(struct shepard_cpu_worker *worker,
                                             const struct shepard_cpu_found *found)
{
    struct shepard_cpu_kriging *kriging = worker->kriging;
    if (!reserve(kriging, found->count, worker->engine->points->allocator))
        return SHEPARD_ERROR_MEMORY;
    double here = 0;
    for (size_t i = 0; i < found->count; i++)
        here += found->d2[i] == 0;
    for (size_t i = 0; i < found->count; i++)
        kriging->w[i] = found->d2[i] == 0 ? 1 / here : 0;
    const struct kriging_weights weights = {found->rank, kriging->w, found->count, 0, 0, NULL};
    put(worker, found->index, &weights);
    return SHEPARD_OK;
}

/* ---- local scaling of sd --------------------------------------------------------------------- */

static double known_mean(const struct shepard_cpu_engine *engine)
{
    const struct shepard_kriging_rules *rules = &engine->rules->kriging;
    return rules->variogram.simple ? rules->mean : 0;
}

/* Of one system alone; its weights have been taken, and give room. NULL: sd is the model's. */
static const double *scale_alone(struct shepard_cpu_worker *worker,
                                 const struct shepard_kriging_system *system, const uint32_t *rank)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    struct shepard_cpu_kriging *kriging = worker->kriging;
    const long double mean = known_mean(engine), root = sqrtl(engine->rules->kriging.sill);
    if (kriging->scaling == NULL)
        return NULL;
    for (size_t c = 0; c < engine->points->columns; c++) {
        for (size_t i = 0; i < system->count; i++)
            kriging->weight[i] = (engine->points->values[c][rank[i]] - mean) / root;
        kriging->scaling[c] = shepard_kriging_local_scaling(system, kriging->weight, kriging->b);
    }
    return kriging->scaling;
}

/* The values of a lane: differences of nearly equal ones lose nothing. */
static void put_values(struct shepard_cpu_worker *worker, size_t lane)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    struct shepard_cpu_kriging *kriging = worker->kriging;
    const struct lane_target *waiting = &kriging->waiting[lane];
    const double mean = known_mean(engine), scale = 1 / sqrt(engine->rules->kriging.sill);
    for (size_t c = 0; c < engine->points->columns; c++) {
        const double *values = engine->points->values[c], base = values[waiting->rank[0]];
        double *to = kriging->values + c * BATCH_POINTS * SHEPARD_KRIGING_LANES + lane;
        to[0] = (base - mean) * scale;
        for (size_t i = 1; i < waiting->count; i++)
            to[i * SHEPARD_KRIGING_LANES] = (values[waiting->rank[i]] - base) * scale;
    }
}

static const double *scale_lane(struct shepard_cpu_worker *worker, size_t lane)
{
    struct shepard_cpu_kriging *kriging = worker->kriging;
    const struct shepard_kriging_batch *batch = &kriging->batch;
    for (size_t c = 0; c < batch->columns; c++)
        kriging->scaling[c] = shepard_kriging_scaling(
            batch->squares[c * SHEPARD_KRIGING_LANES + lane], batch->freedom[lane]);
    return kriging->scaling;
}

/* ---- one system alone ------------------------------------------------------------------------ */

static enum shepard_status answer_by(struct shepard_cpu_worker *worker,
                                     const struct shepard_kriging_system *system,
                                     const uint32_t *rank, const struct shepard_cpu_found *target)
{
    struct shepard_cpu_kriging *kriging = worker->kriging;
    struct shepard_kriging_answer answer = {.weight = kriging->weight};
    const double at[3] = {target->x, target->y, target->z};
    shepard_kriging_answer(system, at, kriging->b, &answer);
    for (size_t i = 0; i < system->count; i++)
        kriging->w[i] = (double)answer.weight[i];
    const double *scaling = scale_alone(worker, system, rank);
    const struct kriging_weights weights = {
        rank,   kriging->w, system->count, (double)answer.mean_weight, (double)answer.variance,
        scaling};
    put(worker, target->index, &weights);
    return SHEPARD_OK;
}

/* rank [count]: the nearest first. */
static enum shepard_status answer_alone(struct shepard_cpu_worker *worker, const uint32_t *rank,
                                        const struct shepard_cpu_found *target)
{
    struct shepard_cpu_kriging *kriging = worker->kriging;
    const struct shepard_samples *points = worker->engine->points;
    const struct shepard_kriging_points used = {points->x, points->y, points->geometry->z, rank,
                                                target->count};
    if (!reserve(kriging, target->count, points->allocator))
        return SHEPARD_ERROR_MEMORY;
    const enum shepard_status status = shepard_kriging_factor(&kriging->system, &used);
    return status == SHEPARD_OK ? answer_by(worker, &kriging->system, rank, target) : status;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* rank may be that of found. */
static void list_nearest_first(const struct shepard_cpu_found *found, uint32_t *rank)
{
    size_t nearest = 0;
    for (size_t i = 0; i < found->count; i++) {
        nearest = found->d2[i] < found->d2[nearest] ? i : nearest;
        rank[i] = found->rank[i];
    }
    const uint32_t first = rank[0];
    rank[0] = rank[nearest];
    rank[nearest] = first;
}

/* The third coordinates of a lane. */
static void put_heights(struct shepard_kriging_batch *batch, const double *z,
                        const struct lane_target *waiting, size_t lane)
{
    const double base = z[waiting->rank[0]];
    for (size_t i = 0; i + 1 < waiting->count; i++)
        batch->z[i][lane] = z[waiting->rank[i + 1]] - base;
    batch->target_z[lane] = waiting->z - base;
    batch->is_3d = true;
}

static void queue(struct shepard_cpu_worker *worker, const struct shepard_cpu_found *found)
{
    struct shepard_cpu_kriging *kriging = worker->kriging;
    struct shepard_kriging_batch *batch = &kriging->batch;
    const double *x = worker->engine->points->x, *y = worker->engine->points->y;
    const size_t lane = kriging->count++;
    struct lane_target *waiting = &kriging->waiting[lane];
    waiting->index = found->index;
    waiting->count = found->count;
    waiting->x = found->x;
    waiting->y = found->y;
    waiting->z = found->z;
    list_nearest_first(found, waiting->rank);
    const double base_x = x[waiting->rank[0]], base_y = y[waiting->rank[0]];
    for (size_t i = 0; i + 1 < found->count; i++) {
        batch->x[i][lane] = x[waiting->rank[i + 1]] - base_x;
        batch->y[i][lane] = y[waiting->rank[i + 1]] - base_y;
    }
    batch->target_x[lane] = found->x - base_x;
    batch->target_y[lane] = found->y - base_y;
    if (worker->engine->points->geometry->z != NULL)
        put_heights(batch, worker->engine->points->geometry->z, waiting, lane);
    if (kriging->values != NULL)
        put_values(worker, lane);
}

/* Lanes and rows without a point: any finite place. */
static void fill_up(struct shepard_cpu_kriging *kriging)
{
    struct shepard_kriging_batch *batch = &kriging->batch;
    batch->most = 0;
    for (size_t lane = 0; lane < SHEPARD_KRIGING_LANES; lane++) {
        const bool taken = lane < kriging->count;
        const size_t increments = taken ? kriging->waiting[lane].count - 1 : 0;
        batch->increments[lane] = (double)increments;
        batch->most = increments > batch->most ? increments : batch->most;
        if (!taken)
            batch->target_x[lane] = batch->target_y[lane] = batch->target_z[lane] = 1;
    }
    for (size_t lane = 0; lane < SHEPARD_KRIGING_LANES; lane++)
        for (size_t i = (size_t)batch->increments[lane]; i < batch->most; i++)
            batch->x[i][lane] = batch->y[i][lane] = batch->z[i][lane] = 0;
    for (size_t c = 0; c < batch->columns; c++)
        for (size_t lane = 0; lane < SHEPARD_KRIGING_LANES; lane++) {
            double *to = kriging->values + c * BATCH_POINTS * SHEPARD_KRIGING_LANES + lane;
            to[0] = lane < kriging->count ? to[0] : 0;
            for (size_t i = (size_t)batch->increments[lane]; i < batch->most; i++)
                to[(i + 1) * SHEPARD_KRIGING_LANES] = 0;
        }
}

static bool is_solved(const struct shepard_kriging_batch *batch, size_t lane)
{
    const double pivot = batch->pivot[lane], largest = batch->largest[lane];
    return pivot >= SHEPARD_KRIGING_WELL_CONDITIONED * largest && isfinite(batch->variance[lane]);
}

static enum shepard_status answer_lane(struct shepard_cpu_worker *worker, size_t lane)
{
    const struct shepard_kriging_batch *batch = &worker->kriging->batch;
    const struct lane_target *waiting = &worker->kriging->waiting[lane];
    if (!is_solved(batch, lane)) {
        const struct shepard_cpu_found target = {
            .count = waiting->count,
            .x = waiting->x,
            .y = waiting->y,
            .z = waiting->z,
            .index = waiting->index,
        };
        return answer_alone(worker, waiting->rank, &target);
    }
    double w[BATCH_POINTS];
    w[0] = batch->base_weight[lane];
    for (size_t i = 1; i < waiting->count; i++)
        w[i] = batch->weight[i - 1][lane];
    const struct kriging_weights weights = {waiting->rank,         w,
                                            waiting->count,        batch->mean_weight[lane],
                                            batch->variance[lane], scale_lane(worker, lane)};
    put(worker, waiting->index, &weights);
    return SHEPARD_OK;
}

enum shepard_status shepard_cpu_kriging_flush(struct shepard_cpu_worker *worker)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    struct shepard_cpu_kriging *kriging = worker->kriging;
    enum shepard_status status = SHEPARD_OK;
    if (kriging->count == 0)
        return SHEPARD_OK;
    fill_up(kriging);
    engine->kernels->kriging->solve(&engine->rules->kriging.variogram, &kriging->batch);
    for (size_t lane = 0; lane < kriging->count && status == SHEPARD_OK; lane++)
        status = answer_lane(worker, lane);
    kriging->count = 0;
    return status;
}

enum shepard_status shepard_cpu_kriging_answer(struct shepard_cpu_worker *worker,
                                               const struct shepard_cpu_found *found)
{
    struct shepard_cpu_kriging *kriging = worker->kriging;
    if (found->nearest2 == 0)
        return answer_coincident(worker, found);
    if (worker->engine->kernels->kriging->solve != NULL && found->count <= BATCH_POINTS) {
        queue(worker, found);
        return kriging->count < SHEPARD_KRIGING_LANES ? SHEPARD_OK
                                                      : shepard_cpu_kriging_flush(worker);
    }
    if (!reserve(kriging, found->count, worker->engine->points->allocator))
        return SHEPARD_ERROR_MEMORY;
    list_nearest_first(found, kriging->rank);
    return answer_alone(worker, kriging->rank, found);
}

/* ---- targets of the system of all points ----------------------------------------------------- */

/* Whether double is accurate enough at a target (Eq. 61). */
static bool bears_double(const struct shepard_cpu_kriging_all *all, double from_base)
{
    const bool linear = all->rules.variogram.covariance == SHEPARD_COVARIANCE_LINEAR;
    const double largest = linear ? all->largest : fmax(all->largest, from_base);
    return all->least >= SHEPARD_KRIGING_WELL_CONDITIONED * largest &&
           all->plane_spread >= SHEPARD_KRIGING_PLANE_SPREAD;
}

static void put_target(const struct shepard_cpu_worker *worker, size_t lane)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_kriging_targets *targets = worker->kriging->targets;
    const struct shepard_cpu_kriging_of of = {engine->points, &engine->rules->kriging,
                                              engine->scale, engine->middle};
    for (size_t c = 0; c < engine->points->columns; c++) {
        const double scaling = scales_locally(engine) ? engine->kriging->scaling[c] : 1;
        put_column(worker, worker->kriging->of[lane].index, c,
                   shepard_cpu_kriging_shift(&of, c) +
                       targets->value[c * SHEPARD_KRIGING_TARGETS + lane] / engine->scale[c],
                   targets->variance[lane] * scaling);
    }
}

static enum shepard_status flush_targets(struct shepard_cpu_worker *worker)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    struct shepard_cpu_kriging *kriging = worker->kriging;
    struct shepard_kriging_targets *targets = kriging->targets;
    enum shepard_status status = SHEPARD_OK;
    for (size_t lane = kriging->targets_count; lane < SHEPARD_KRIGING_TARGETS; lane++)
        targets->x[lane] = targets->y[lane] = targets->z[lane] = 1;
    if (kriging->targets_count > 0)
        engine->kernels->kriging->predict(&engine->kriging->rules.variogram,
                                          &engine->kriging->surface, targets,
                                          engine->job->output->sds != NULL);
    for (size_t lane = 0; lane < kriging->targets_count && status == SHEPARD_OK; lane++)
        if (bears_double(engine->kriging, targets->from_base[lane]))
            put_target(worker, lane);
        else
            status = answer_by(worker, &engine->kriging->system, engine->kriging->rank,
                               &kriging->of[lane]);
    kriging->targets_count = 0;
    return status;
}

static enum shepard_status queue_target(struct shepard_cpu_worker *worker,
                                        const struct shepard_cpu_found *found)
{
    const struct shepard_cpu_kriging_all *all = worker->engine->kriging;
    struct shepard_cpu_kriging *kriging = worker->kriging;
    if (worker->engine->kernels->kriging->predict == NULL || !bears_double(all, 0))
        return answer_by(worker, &all->system, all->rank, found);
    const size_t lane = kriging->targets_count++;
    kriging->of[lane] = *found;
    kriging->targets->x[lane] = found->x - (double)all->system.base_x;
    kriging->targets->y[lane] = found->y - (double)all->system.base_y;
    kriging->targets->z[lane] =
        worker->engine->tree->z != NULL ? found->z - (double)all->system.base_z : 0;
    return kriging->targets_count < SHEPARD_KRIGING_TARGETS ? SHEPARD_OK : flush_targets(worker);
}

/* ---- all points ------------------------------------------------------------------------------ */

/* Whether a point is left out at the place, which has directions; *d2: its squared distance, on a
 * sphere that of the arc. */
static bool leaves_out(const struct shepard_cpu_engine *engine,
                       const struct shepard_left_out *left_out, size_t rank,
                       const struct shepard_place *place, double *d2)
{
    const struct shepard_tree *tree = engine->tree;
    const double dx = tree->x[rank] - place->x, dy = tree->y[rank] - place->y;
    *d2 = dx * dx + dy * dy;
    if (tree->z == NULL)
        return shepard_left_out_has(left_out, tree, rank, place->x, place->y);
    const double dz = tree->z[rank] - place->z;
    *d2 += dz * dz;
    *d2 = shepard_space_distance2(&engine->points->geometry->frame, *d2, place, tree->x[rank],
                                  tree->y[rank], tree->z[rank]);
    return shepard_left_out_has_3d(left_out, tree, rank, place);
}

/* The points that target i of the block may use. */
static bool list_all(struct shepard_cpu_worker *worker, size_t i, struct shepard_cpu_found *found)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    struct shepard_cpu_kriging *kriging = worker->kriging;
    const struct shepard_samples *points = engine->points;
    const struct shepard_left_out left_out = shepard_cpu_worker_leave_out(worker, i);
    const struct shepard_target_block *block = &worker->block;
    struct shepard_place place = {.x = block->x[i], .y = block->y[i], .z = block->z[i]};
    *found = (struct shepard_cpu_found){
        .nearest2 = INFINITY, .x = place.x, .y = place.y, .z = place.z, .index = block->index[i]};
    if (engine->tree->z != NULL)
        shepard_space_orient(&points->geometry->frame, &place);
    if (!reserve(kriging, points->count, points->allocator))
        return false;
    for (size_t rank = 0; rank < points->count; rank++) {
        double d2;
        if (leaves_out(engine, &left_out, rank, &place, &d2))
            continue;
        kriging->d2[found->count] = d2;
        kriging->rank[found->count++] = (uint32_t)rank;
        if (d2 < found->nearest2)
            found->nearest2 = d2;
    }
    found->d2 = kriging->d2;
    found->rank = kriging->rank;
    return true;
}

static enum shepard_status predict_from_all(struct shepard_cpu_worker *worker, size_t i)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_output *output = worker->job->output;
    struct shepard_cpu_found found;
    if (!list_all(worker, i, &found))
        return SHEPARD_ERROR_MEMORY;
    const bool enough = found.count > 0 && found.count >= engine->rules->search.min_points;
    if (!enough)
        shepard_cpu_output_put_unmet(output, engine->points->columns, found.index,
                                     engine->rules->nodata);
    shepard_output_put(output->count, found.index, (double)found.count);
    if (found.count > 0)
        shepard_cpu_worker_put_nearest(worker, found.index, found.nearest2);
    if (!enough)
        return SHEPARD_OK;
    shepard_output_put(output->power, found.index, engine->rules->power);
    if (found.nearest2 == 0)
        return answer_coincident(worker, &found);
    if (engine->kriging == NULL)
        return shepard_cpu_kriging_answer(worker, &found);
    return queue_target(worker, &found);
}

enum shepard_status shepard_cpu_kriging_predict_all_points(struct shepard_cpu_worker *worker)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < worker->block.count && status == SHEPARD_OK; i++) {
        if (isnan(worker->block.x[i]))
            shepard_cpu_output_put_unmet(worker->job->output, engine->points->columns,
                                         worker->block.index[i], engine->rules->nodata);
        else
            status = predict_from_all(worker, i);
    }
    if (status == SHEPARD_OK && worker->kriging->targets_count > 0)
        status = flush_targets(worker);
    return status == SHEPARD_OK ? shepard_cpu_kriging_flush(worker) : status;
}
