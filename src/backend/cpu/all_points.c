/* SPDX-License-Identifier: MIT */
/* Predictions from all points: what each target needs first, then sums for those of one cell
 * together. */
#include "backend/cpu/output.h"
#include "backend/cpu/worker.h"

#include <assert.h>

/* The group of a target that has its sums. */
#define DONE (-1)

/* A target at the place of data points: their mean. */
static enum shepard_status predict_coincident(struct shepard_cpu_worker *worker, size_t i,
                                              const struct shepard_left_out *left_out)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_ellipse here = shepard_ellipse_of(0, 0, 1, 0);
    struct shepard_hits *hits = &worker->coincident;
    const struct shepard_target_block *block = &worker->block;
    hits->left_out = *left_out;
    size_t count =
        engine->kernels->search->inside(engine->tree, block->x[i], block->y[i], &here, hits);
    if (count > hits->capacity) {
        if (!shepard_hits_reserve(hits, count, count, engine->points->allocator))
            return SHEPARD_ERROR_MEMORY;
        engine->kernels->search->inside(engine->tree, block->x[i], block->y[i], &here, hits);
    }
    if (!shepard_cpu_worker_reserve(worker, count))
        return SHEPARD_ERROR_MEMORY;
    for (size_t j = 0; j < count; j++)
        worker->list[j] = 1;
    const struct shepard_cpu_weighted list = {
        hits->rank, worker->list, count, block->x[i], block->y[i], 0, 0};
    shepard_cpu_worker_combine(worker, &list, block->index[i]);
    return SHEPARD_OK;
}

static enum shepard_status predict(struct shepard_cpu_worker *worker, size_t i,
                                   struct shepard_cpu_pending *pending)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_rules *rules = engine->rules;
    const struct shepard_output *output = worker->job->output;
    const size_t index = worker->block.index[i];
    const struct shepard_left_out left_out = shepard_cpu_worker_leave_out(worker, i);
    const size_t n = engine->points->count - left_out.count;
    struct shepard_cpu_knn_stats knn_stats;
    if (n == 0) {
        shepard_cpu_output_put_unmet(output, engine->points->columns, index, rules->nodata);
        return SHEPARD_OK;
    }
    enum shepard_status status = shepard_cpu_worker_query_knn_stats(worker, i, &knn_stats);
    if (status != SHEPARD_OK)
        return status;
    const bool enough = n >= rules->search.min_points;
    if (!enough)
        shepard_cpu_output_put_unmet(output, engine->points->columns, index, rules->nodata);
    shepard_output_put(output->count, index, (double)n);
    shepard_cpu_worker_put_nearest(worker, index, knn_stats.nearest2);
    if (!enough)
        return SHEPARD_OK;
    shepard_output_put(output->power, index, knn_stats.power);
    if (!shepard_cpu_output_needs_sums(output, engine->points->columns))
        return SHEPARD_OK;
    if (knn_stats.nearest2 + rules->smoothing2 == 0)
        return predict_coincident(worker, i, &left_out);
    pending->left_out[pending->count] = left_out;
    pending->of[pending->count] = i;
    pending->knn_stats[pending->count++] = knn_stats;
    return SHEPARD_OK;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static double unit2_of(const struct shepard_cpu_worker *worker,
                       const struct shepard_cpu_pending *pending, size_t p)
{
    return pending->knn_stats[p].nearest2 + worker->engine->rules->smoothing2;
}

static double power_of_target(const struct shepard_cpu_pending *pending, size_t p,
                              enum shepard_cpu_kind kind)
{
    const double power = pending->knn_stats[p].power;
    return kind == SHEPARD_CPU_SQUARES ? 2 * power : power;
}

/* A run of pending targets, first to end - 1, and the sums they wait for. */
struct pending_span {
    struct shepard_cpu_pending *pending;
    size_t first, end;
    enum shepard_cpu_kind kind;
    int level;                          /* of tolerance, with planes */
    enum shepard_cpu_division division; /* by powers */
};

static enum shepard_cpu_powers powers_of(const struct shepard_cpu_worker *worker,
                                         const struct pending_span *span, size_t p)
{
    const struct shepard_cpu_demand *demand = &worker->engine->farfield->demand;
    return shepard_cpu_powers_of(span->division,
                                 (struct shepard_cpu_range){demand->power, demand->power_max},
                                 span->pending->knn_stats[p].power);
}

/* Whether a target's power is that of all targets it may be in a group with. */
static bool shares_power(const struct shepard_cpu_worker *worker, const struct pending_span *span,
                         size_t p)
{
    return span->division == SHEPARD_CPU_DIVISION_SINGLE &&
           powers_of(worker, span, p) < SHEPARD_CPU_SINGLE_POWERS;
}

static void add_to_batch(const struct shepard_cpu_worker *worker, const struct pending_span *span,
                         size_t p, struct shepard_cpu_batch *batch)
{
    const struct shepard_cpu_pending *pending = span->pending;
    const size_t i = pending->of[p], j = batch->count++;
    const struct shepard_rules *rules = worker->engine->rules;
    const double power = power_of_target(pending, p, batch->kind);
    batch->of[j] = i;
    batch->x[j] = worker->block.x[i];
    batch->y[j] = worker->block.y[i];
    batch->h2[j] = pending->knn_stats[p].h2;
    batch->left_out[j] = pending->left_out[p];
    batch->decay.form = shepard_cpu_engine_form(worker->engine, power);
    batch->decay.one_power = !rules->adaptive || shares_power(worker, span, p);
    batch->decay.smoothing2 = rules->smoothing2;
    batch->decay.unit2[j] = unit2_of(worker, pending, p);
    batch->decay.half_power[j] = power / 2;
}

static bool is_in_data(const struct shepard_cpu_worker *worker, size_t i)
{
    const struct shepard_box *box = &worker->engine->points->geometry->frame.box;
    const double x = worker->block.x[i], y = worker->block.y[i];
    return x >= box->x_min && x <= box->x_max && y >= box->y_min && y <= box->y_max;
}

/* Whether a plane's sums may be in float32. From the second level on it is known what float32 loses
 * at the target: about as much as by the level before. */
static bool is_plane_single(const struct shepard_cpu_worker *worker, size_t i, double unit2,
                            int level)
{
    return unit2 >= SHEPARD_PLANE_SINGLE_NEAR2 && is_in_data(worker, i) &&
           (level == 0 || shepard_plane_is_good(worker->engine->rules->eps, level,
                                                worker->magnification[i], worker->rounding[i]));
}

/* Whether float32 can see a target. */
static bool is_single(const struct shepard_cpu_worker *worker, const struct pending_span *span,
                      size_t p, const struct shepard_plane_single *plane_single)
{
    const double unit2 = unit2_of(worker, span->pending, p);
    if (worker->engine->rules->degree == 0)
        return unit2 >= SHEPARD_SINGLE_NEAR2 && unit2 <= SHEPARD_SINGLE_FAR2;
    return plane_single != NULL &&
           is_plane_single(worker, span->pending->of[p], unit2, span->level);
}

/* Batches that targets of a group are collected in: those for double, one of them, and those for
 * float32, several of planes. */
struct collected {
    const struct shepard_plane_single
        *plane_single; /* of planes that may be in float32, else NULL */
    struct shepard_cpu_batch precise, single[SHEPARD_CPU_PLANE_BATCHES];
    size_t singles; /* begun */
};

static void finalize_singles(struct shepard_cpu_worker *worker, struct collected *collected)
{
    if (collected->singles == 0)
        return;
    if (collected->plane_single != NULL)
        shepard_cpu_worker_finalize_planes(worker, collected->single, collected->singles,
                                           collected->plane_single);
    else
        shepard_cpu_worker_finalize(worker, collected->single);
    collected->singles = 0;
}

/* The batch in float32 that the next target goes into. */
static struct shepard_cpu_batch *open_single(struct shepard_cpu_worker *worker,
                                             enum shepard_cpu_kind kind,
                                             struct collected *collected)
{
    const size_t most = collected->plane_single != NULL ? SHEPARD_CPU_PLANE_BATCHES : 1;
    const size_t singles = collected->singles;
    if (singles > 0 && collected->single[singles - 1].count < SHEPARD_LANES)
        return &collected->single[singles - 1];
    if (singles == most)
        finalize_singles(worker, collected);
    struct shepard_cpu_batch *batch = &collected->single[collected->singles++];
    batch->kind = kind;
    batch->single = true;
    batch->count = 0;
    return batch;
}

/* Sums at the targets of a group, over the present interactions; those that float32 can see apart
 * from the others. */
static void sum_group(struct shepard_cpu_worker *worker, const struct pending_span *span, int group,
                      const struct shepard_plane_single *plane_single)
{
    struct collected collected;
    struct shepard_cpu_batch *const precise = &collected.precise;
    collected.plane_single = plane_single;
    collected.singles = 0;
    precise->kind = span->kind;
    precise->single = false;
    precise->count = 0;
    for (size_t p = span->first; p < span->end; p++) {
        if (span->pending->group[p] != group)
            continue;
        if (is_single(worker, span, p, plane_single)) {
            add_to_batch(worker, span, p, open_single(worker, span->kind, &collected));
            continue;
        }
        add_to_batch(worker, span, p, precise);
        if (precise->count == SHEPARD_LANES) {
            shepard_cpu_worker_finalize(worker, precise);
            precise->count = 0;
        }
    }
    finalize_singles(worker, &collected);
    if (precise->count > 0)
        shepard_cpu_worker_finalize(worker, precise);
}

static bool sum_exactly(struct shepard_cpu_worker *worker, const struct pending_span *span,
                        int group)
{
    if (!shepard_interactions_list_all(&worker->interactions, worker->engine->points->count))
        return false;
    sum_group(worker, span, group, NULL);
    return true;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* A target's group: its range of powers, and how far the least its weights can come to is below the
 * cell's weight floor, in steps of 2^TIER_STEP. */
#define TIER_STEP 4
#define TIER_MAX 1000000

/* What rounding may have added to the nearest points' weights: log2 of a part. */
#define WEIGHT_MARGIN 1e-6

static double charge_of(const struct shepard_cpu_pending *pending, size_t p,
                        enum shepard_cpu_kind kind)
{
    const struct shepard_cpu_knn_stats *knn_stats = &pending->knn_stats[p];
    return log2(kind == SHEPARD_CPU_SQUARES ? knn_stats->weight2 : knn_stats->weight) -
           WEIGHT_MARGIN;
}

static int group_of(const struct shepard_cpu_worker *worker, const struct pending_span *span,
                    size_t p, const struct shepard_weight_floor *weight_floor)
{
    const double kind_power = power_of_target(span->pending, p, span->kind);
    const double own = charge_of(span->pending, p, span->kind) -
                       kind_power * log2(unit2_of(worker, span->pending, p)) / 2;
    const double missing = weight_floor->charge - kind_power * weight_floor->distance - own;
    const int tier = missing <= 0 ? 0 : (int)fmin(ceil(missing / TIER_STEP), TIER_MAX);
    return tier * SHEPARD_CPU_POWERS + (int)powers_of(worker, span, p);
}

/* The least group above one, or -1. */
static int next_group(const struct pending_span *span, int group)
{
    int next = -1;
    for (size_t p = span->first; p < span->end; p++) {
        const int own = span->pending->group[p];
        if (own > group && (next < 0 || own < next))
            next = own;
    }
    return next;
}

/* What a single target's nearest point weighs. */
static struct shepard_weight_floor own_weight_floor(const struct shepard_cpu_worker *worker,
                                                    const struct pending_span *span)
{
    return (struct shepard_weight_floor){charge_of(span->pending, span->first, span->kind),
                                         log2(unit2_of(worker, span->pending, span->first)) / 2};
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* What planes lose in float32; NULL where they are summed in double, and without planes. */
static const struct shepard_plane_single *plane_single_of(const struct shepard_cpu_kind_rules *far,
                                                          int level, enum shepard_cpu_powers powers)
{
    const struct shepard_plane_single *single = &far->plane_single[powers];
    return single->used && level < SHEPARD_PLANE_SINGLE_LEVELS ? single : NULL;
}

static double least_charge_of(const struct shepard_cpu_worker *worker, enum shepard_cpu_kind kind)
{
    const double least = worker->engine->field->least_weight;
    return log2(least) * (kind == SHEPARD_CPU_SQUARES ? 2 : 1);
}

/* Targets of cells of at most so many raster cells, log2 of their side, share lists where no other
 * division suits them. Measured: in larger cells and those of listed targets shorter lists for
 * single powers are faster. Lists of planes are hardly shorter for them. */
#define SHARING_DEPTH_MAX 3

/* Whether single powers gain more than shorter lists: sums in double have a faster form for them,
 * and they can be interpolated over a tile. */
static bool prefers_single_powers(const struct shepard_cpu_worker *worker,
                                  const struct shepard_target_cell *cell,
                                  const struct shepard_cpu_kind_rules *far,
                                  const struct shepard_weight_floor *weight_floor)
{
    bool prefers = cell->single || shepard_cpu_output_needs_double(worker->job->output) ||
                   !(far->single_nodes || far->plane_single[SHEPARD_CPU_POWERS_ANY].used);
    for (int i = 0; i < SHEPARD_CPU_SINGLE_POWERS; i++)
        prefers = prefers || shepard_cpu_tile_rules_for(worker, cell, weight_floor, i) != NULL;
    return prefers;
}

/* How a cell's targets are divided by their powers: it depends on the cell, the data and the call,
 * not on targets. Without leaves round the cell nothing is known of the density. */
static enum shepard_cpu_division division_of(const struct shepard_cpu_worker *worker,
                                             enum shepard_cpu_kind kind,
                                             const struct shepard_target_cell *cell,
                                             const struct shepard_weight_floor *weight_floor)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_cpu_kind_rules *far = &engine->farfield->kind[kind];
    const bool planes = far->levels > 1, raster = worker->job->targets->raster != NULL;
    const bool shared = planes || (raster && cell->depth <= SHARING_DEPTH_MAX);
    if (!engine->rules->adaptive || kind != SHEPARD_CPU_VALUES || worker->cells.leaves == 0 ||
        prefers_single_powers(worker, cell, far, weight_floor))
        return SHEPARD_CPU_DIVISION_SINGLE;
    return shepard_cpu_powers_divide(
        engine->rules, shepard_target_cells_spacing(&worker->cells, cell, far->moments),
        shared ? SHEPARD_CPU_DIVISION_NONE : SHEPARD_CPU_DIVISION_SINGLE);
}

/* Sums at a span of targets that share a cell, by lists of the span's level. */
static bool sum_level(struct shepard_cpu_worker *worker, struct pending_span *span,
                      const struct shepard_target_cell *cell)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_cpu_kind_rules *far = &engine->farfield->kind[span->kind];
    const struct shepard_weight_floor weight_floor =
        cell->single ? own_weight_floor(worker, span)
                     : shepard_target_cells_weight_floor(&worker->cells, cell, far->moments);
    struct shepard_interaction_query view = {.moments = far->moments,
                                             .points = engine->points->count,
                                             .least_charge = least_charge_of(worker, span->kind),
                                             .smoothing2 = engine->rules->smoothing2,
                                             .apart = worker->job->targets->points,
                                             .plane = far->levels > 1,
                                             .star = span->pending->left_out[span->first].star,
                                             .region = cell->region,
                                             .weight_floor = weight_floor};
    span->division = division_of(worker, span->kind, cell, &weight_floor);
    for (size_t p = span->first; p < span->end; p++)
        if (span->pending->group[p] != DONE)
            span->pending->group[p] = group_of(worker, span, p, &weight_floor);
    for (int group = next_group(span, DONE); group >= 0; group = next_group(span, group)) {
        const enum shepard_cpu_powers powers = group % SHEPARD_CPU_POWERS;
        const struct shepard_cpu_tile_rules *rules =
            span->kind == SHEPARD_CPU_VALUES
                ? shepard_cpu_tile_rules_for(worker, cell, &weight_floor, powers)
                : NULL;
        view.accuracy = rules != NULL ? &rules->accuracy : &far->accuracy[span->level][powers];
        view.weight_floor.charge = weight_floor.charge - TIER_STEP * (group / SHEPARD_CPU_POWERS);
        for (size_t p = span->first; p < span->end; p++)
            assert(span->pending->group[p] != group ||
                   shepard_accuracy_holds_for(view.accuracy,
                                              power_of_target(span->pending, p, span->kind)));
        if (!(rules != NULL ? shepard_cpu_tile_list(worker, cell, &view, rules)
                            : shepard_interactions_list(&worker->interactions, &view)))
            return false;
        sum_group(worker, span, group, plane_single_of(far, span->level, powers));
        worker->tile.on = false;
    }
    return true;
}

/* Marks targets whose planes are good enough; whether all are. */
static bool planes_done(const struct shepard_cpu_worker *worker, const struct pending_span *span)
{
    bool all = true;
    for (size_t p = span->first; p < span->end; p++) {
        const size_t of = span->pending->of[p];
        if (shepard_plane_is_good(worker->engine->rules->eps, span->level,
                                  worker->magnification[of], worker->rounding[of]))
            span->pending->group[p] = DONE;
        all = all && span->pending->group[p] == DONE;
    }
    return all;
}

static bool sum_cell(struct shepard_cpu_worker *worker, struct pending_span *span,
                     const struct shepard_target_cell *cell)
{
    const struct shepard_cpu_kind_rules *far = &worker->engine->farfield->kind[span->kind];
    for (size_t p = span->first; p < span->end; p++)
        span->pending->group[p] = 0;
    for (span->level = 0; span->level < far->levels; span->level++) {
        if (!sum_level(worker, span, cell))
            return false;
        if (far->levels == 1 || planes_done(worker, span))
            return true;
    }
    for (size_t p = span->first; p < span->end; p++)
        span->pending->group[p] = span->pending->group[p] == DONE ? DONE : 0;
    span->division = SHEPARD_CPU_DIVISION_NONE;
    return sum_exactly(worker, span, 0);
}

static bool sum_by_cells(struct shepard_cpu_worker *worker, struct shepard_cpu_pending *pending)
{
    const bool squares = worker->job->output->effective.data != NULL;
    for (size_t first = 0, end; first < pending->count; first = end) {
        struct shepard_target_cell cell;
        shepard_target_cells_find(&worker->cells, &worker->block, pending->of[first], &cell);
        for (end = first + 1; end < pending->count; end++)
            if (!shepard_target_cells_hold(&worker->cells, &cell, &worker->block, pending->of[end]))
                break;
        struct pending_span span = {
            pending, first, end, SHEPARD_CPU_VALUES, 0, SHEPARD_CPU_DIVISION_NONE};
        if (!sum_cell(worker, &span, &cell))
            return false;
        span.kind = SHEPARD_CPU_SQUARES;
        if (squares && !sum_cell(worker, &span, &cell))
            return false;
    }
    return true;
}

static bool sum_all(struct shepard_cpu_worker *worker, struct shepard_cpu_pending *pending)
{
    if (worker->engine->farfield != NULL)
        return sum_by_cells(worker, pending);
    const struct pending_span span = {
        pending, 0, pending->count, SHEPARD_CPU_VALUES, 0, SHEPARD_CPU_DIVISION_NONE};
    for (size_t p = 0; p < pending->count; p++)
        pending->group[p] = 0;
    return sum_exactly(worker, &span, 0);
}

enum shepard_status shepard_cpu_worker_predict_all_points(struct shepard_cpu_worker *worker)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    struct shepard_cpu_pending *pending = &worker->pending;
    enum shepard_status status = SHEPARD_OK;
    pending->count = 0;
    for (size_t i = 0; i < worker->block.count && status == SHEPARD_OK; i++) {
        shepard_neighbours_prepare_block(&worker->nearby, &worker->block, i);
        if (isnan(worker->block.x[i]))
            shepard_cpu_output_put_unmet(worker->job->output, engine->points->columns,
                                         worker->block.index[i], engine->rules->nodata);
        else
            status = predict(worker, i, pending);
    }
    if (status != SHEPARD_OK)
        return status;
    return sum_all(worker, pending) ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}
