/* SPDX-License-Identifier: MIT */
/* From sums over all points to predictions. */
#include "backend/cpu/output.h"
#include "backend/cpu/worker.h"
#include "base/arithmetic.h"
#include "core/fit.h"

#include <string.h>

/* Of points near to a tile, most are so near to its targets that float32 sums would give way to
 * double ones. */
static bool needs_double(const struct shepard_cpu_worker *worker)
{
    return !worker->engine->single || worker->tile.on ||
           shepard_cpu_output_needs_double(worker->job->output);
}

static size_t index_of(const struct shepard_cpu_worker *worker,
                       const struct shepard_cpu_batch *batch, size_t j)
{
    return worker->block.index[batch->of[j]];
}

static void sum_double(struct shepard_cpu_worker *worker, enum shepard_cpu_kind kind)
{
    shepard_cpu_worker_sum(worker, &worker->interactions, kind);
}

/* Sets worker->sum_double up for a batch. */
static void place(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch)
{
    struct shepard_sum_double *sum = &worker->sum_double;
    sum->targets = batch->count;
    memcpy(sum->x, batch->x, sizeof sum->x);
    memcpy(sum->y, batch->y, sizeof sum->y);
    sum->left_out = shepard_targets_leave_out(worker->job->targets) ? batch->left_out : NULL;
    sum->decay = batch->decay;
    sum->plane = sum->straight = sum->spread = false;
}

/* The same of a sum in float32. */
static void place_single(const struct shepard_cpu_worker *worker,
                         const struct shepard_cpu_batch *batch, bool plane,
                         struct shepard_sum_single *sum)
{
    const struct shepard_cpu_farfield *far = worker->engine->farfield;
    sum->targets = batch->count;
    memcpy(sum->x, batch->x, sizeof sum->x);
    memcpy(sum->y, batch->y, sizeof sum->y);
    sum->left_out = shepard_targets_leave_out(worker->job->targets) ? batch->left_out : NULL;
    sum->decay = batch->decay;
    sum->plane = plane;
    sum->fast_weights = !plane && far != NULL && far->kind[SHEPARD_CPU_VALUES].fast_weights;
}

/* Points in float32, nodes in double: the sums of one are added to those of the other. */
static void sum_mixed(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch)
{
    struct shepard_interactions points = worker->interactions, nodes = worker->interactions;
    const struct shepard_sum_double *far = &worker->sum_double;
    struct shepard_sum_single *total = &worker->sum_single;
    memset(points.nodes, 0, sizeof points.nodes);
    nodes.runs = 0;
    shepard_cpu_worker_sum_single(worker, &points);
    place(worker, batch);
    shepard_cpu_worker_sum(worker, &nodes, SHEPARD_CPU_VALUES);
    for (size_t j = 0; j < batch->count; j++)
        total->w[j] += far->w[j];
    for (size_t c = 0; c < worker->engine->points->columns; c++)
        for (size_t j = 0; j < batch->count; j++)
            total->z[c * SHEPARD_LANES + j] += far->z[c * SHEPARD_ROW + j];
}

static void sum_single(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch)
{
    const struct shepard_cpu_farfield *far = worker->engine->farfield;
    if (far == NULL || far->kind[SHEPARD_CPU_VALUES].single_nodes)
        shepard_cpu_worker_sum_single(worker, &worker->interactions);
    else
        sum_mixed(worker, batch);
}

static void finish_single(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_samples *points = engine->points;
    struct shepard_sum_single *sum = &worker->sum_single;
    place_single(worker, batch, false, sum);
    sum_single(worker, batch);
    for (size_t c = 0; c < points->columns; c++) {
        const struct shepard_output_array values =
            shepard_output_column(worker->job->output->values, c);
        for (size_t j = 0; j < batch->count; j++)
            shepard_output_put(values, index_of(worker, batch, j),
                               shepard_clamp(engine->middle[c] + sum->z[c * SHEPARD_LANES + j] /
                                                                     sum->w[j] / engine->scale[c],
                                             points->value_min[c], points->value_max[c]));
    }
}

/* Centred moments from sums about the origin of the lane's axes. */
static struct shepard_spread spread_of(const struct shepard_sum_double *sum, size_t j)
{
    const double w = sum->w[j], x = sum->wx[j] / w, y = sum->wy[j] / w;
    return (struct shepard_spread){x, y, sum->wxx[j] / w - x * x, sum->wxy[j] / w - x * y,
                                   sum->wyy[j] / w - y * y};
}

/* The plane of one lane: the same for every column. */
struct lane_plane {
    struct shepard_spread spread; /* about the target */
    double x, y;                  /* the mean place, from the axes' origin */
    struct shepard_slopes slopes;
};

static struct shepard_axes axes_of(const struct shepard_sum_double *sum, size_t j)
{
    return (struct shepard_axes){sum->origin_x[j], sum->origin_y[j], sum->main_x[j],
                                 sum->main_y[j]};
}

static struct lane_plane plane_of(const struct shepard_cpu_worker *worker,
                                  const struct shepard_cpu_batch *batch, size_t j)
{
    const struct shepard_sum_double *sum = &worker->sum_double;
    const struct shepard_axes axes = axes_of(sum, j);
    const double ridge_h2 = worker->engine->rules->ridge * batch->h2[j];
    struct lane_plane plane = {.spread = spread_of(sum, j)};
    plane.x = plane.spread.x;
    plane.y = plane.spread.y;
    plane.slopes = shepard_fit_slopes(&plane.spread, ridge_h2 * shepard_axes_length2(&axes));
    double along = batch->x[j], across = batch->y[j];
    shepard_axes_turn(&axes, &along, &across);
    plane.spread.x -= along;
    plane.spread.y -= across;
    shepard_fit_damp(&plane.spread, worker->engine->rules->damping, &plane.slopes);
    return plane;
}

/* The plane's value for column c of lane j; mean is that of degree 0. */
static double plane_value(const struct shepard_cpu_worker *worker, const struct lane_plane *plane,
                          size_t c, size_t j, double mean)
{
    const struct shepard_sum_double *sum = &worker->sum_double;
    const size_t at = c * SHEPARD_ROW + j;
    const double z = sum->z[at] / sum->w[j];
    const double xz = sum->zx[at] / sum->w[j] - z * plane->x;
    const double yz = sum->zy[at] / sum->w[j] - z * plane->y;
    return mean +
           shepard_fit_rise(&plane->spread, &plane->slopes, xz, yz) / worker->engine->scale[c];
}

/* Lanes of a batch whose sums are there, and their planes with degree 1. */
struct summed {
    bool lanes[SHEPARD_LANES];
    struct lane_plane planes[SHEPARD_LANES];
};

/* Writes column c's values and keeps the means of degree 0 as centres of a second pass. */
static void answer_column(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch,
                          const struct summed *summed, size_t c)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_samples *points = engine->points;
    const struct shepard_sum_double *sum = &worker->sum_double;
    const struct shepard_output_array values =
        shepard_output_column(worker->job->output->values, c);
    for (size_t j = 0; j < batch->count; j++) {
        const size_t at = c * SHEPARD_ROW + j;
        if (!summed->lanes[j])
            continue;
        const double mean =
            shepard_clamp(engine->middle[c] + sum->z[at] / sum->w[j] / engine->scale[c],
                          points->value_min[c], points->value_max[c]);
        shepard_output_put(values, index_of(worker, batch, j),
                           sum->plane ? plane_value(worker, &summed->planes[j], c, j, mean) : mean);
        worker->means[at] = sum->z[at] / sum->w[j];
    }
}

/* What sums give at the lanes that have them. */
static void answer(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch,
                   struct summed *summed)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_output *output = worker->job->output;
    const struct shepard_sum_double *sum = &worker->sum_double;
    for (size_t j = 0; j < batch->count; j++) {
        if (!summed->lanes[j])
            continue;
        worker->weight[batch->of[j]] = sum->w[j];
        if (engine->farfield == NULL)
            shepard_output_put(output->effective, index_of(worker, batch, j),
                               sum->w[j] * sum->w[j] / sum->ww[j]);
        if (!sum->plane)
            continue;
        struct lane_plane *plane = &summed->planes[j];
        *plane = plane_of(worker, batch, j);
        worker->magnification[batch->of[j]] =
            shepard_fit_magnification(&plane->spread, &plane->slopes, engine->rules->damping);
        worker->rounding[batch->of[j]] =
            shepard_plane_rounding(&engine->points->geometry->frame.box, &plane->slopes);
    }
    for (size_t c = 0; c < engine->points->columns; c++)
        answer_column(worker, batch, summed, c);
}

/* The second pass: sums of w (z - c)^2, c the mean where sums are exact; by expansions c is the
 * middle of the range, and the mean's part is taken off (Eq. 34). */
static void answer_deviations(struct shepard_cpu_worker *worker,
                              const struct shepard_cpu_batch *batch)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    struct shepard_sum_double *sum = &worker->sum_double;
    const size_t columns = engine->points->columns;
    sum->spread = true;
    sum->plane = false;
    for (size_t i = 0; engine->farfield == NULL && i < columns * SHEPARD_ROW; i++)
        worker->rows[i] += worker->means[i] / engine->scale[i / SHEPARD_ROW];
    sum_double(worker, SHEPARD_CPU_SPREAD);
    for (size_t c = 0; c < columns; c++) {
        const struct shepard_output_array deviations =
            shepard_output_column(worker->job->output->deviations, c);
        for (size_t j = 0; j < batch->count; j++) {
            const size_t at = c * SHEPARD_ROW + j;
            const double off = engine->farfield == NULL ? 0 : worker->means[at];
            const double variance = fmax(sum->z[at] / sum->w[j] - off * off, 0);
            shepard_output_put(deviations, index_of(worker, batch, j),
                               sqrt(variance) / engine->scale[c]);
        }
    }
}

/* ---- planes ---------------------------------------------------------------------------------- */

static void set_axes(struct shepard_sum_double *sum, size_t j, const struct shepard_axes *axes)
{
    sum->origin_x[j] = axes->x;
    sum->origin_y[j] = axes->y;
    sum->main_x[j] = axes->main_x;
    sum->main_y[j] = axes->main_y;
}

/* Sums about the target, or the data's nearest place to it. */
static void sum_about(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch)
{
    const struct shepard_box *box = &worker->engine->points->geometry->frame.box;
    struct shepard_sum_double *sum = &worker->sum_double;
    for (size_t j = 0; j < batch->count; j++) {
        const double x = shepard_clamp(batch->x[j], box->x_min, box->x_max);
        const double y = shepard_clamp(batch->y[j], box->y_min, box->y_max);
        set_axes(sum, j, &(struct shepard_axes){x, y, 1, 0});
    }
    sum->straight = true;
    sum_double(worker, SHEPARD_CPU_VALUES);
    sum->straight = false;
}

/* Lanes whose plane these moments determine well (Eq. 12c); whether all do. The others get the axes
 * of the weighted points. */
static bool determine(const struct shepard_cpu_worker *worker,
                      const struct shepard_cpu_batch *batch, bool *determined,
                      struct shepard_axes *axes)
{
    const struct shepard_rules *rules = worker->engine->rules;
    const struct shepard_sum_double *sum = &worker->sum_double;
    bool all = true;
    for (size_t j = 0; j < batch->count; j++) {
        const struct shepard_spread about = spread_of(sum, j);
        determined[j] =
            shepard_fit_direct(&about, rules->ridge * batch->h2[j], rules->damping).good;
        axes[j] = determined[j] ? axes_of(sum, j)
                                : shepard_fit_axes(sum->origin_x[j], sum->origin_y[j], &about);
        all = all && determined[j];
    }
    return all;
}

/* Where moments about the target do not determine the plane well, they are taken a second time in
 * the axes of the weighted points, which the first pass finds. */
static void finish_planes(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch,
                          struct summed *summed)
{
    struct shepard_sum_double *sum = &worker->sum_double;
    struct shepard_axes axes[SHEPARD_LANES];
    sum_about(worker, batch);
    const bool all = determine(worker, batch, summed->lanes, axes);
    answer(worker, batch, summed);
    if (all)
        return;
    for (size_t j = 0; j < batch->count; j++)
        set_axes(sum, j, &axes[j]);
    sum_double(worker, SHEPARD_CPU_VALUES);
    for (size_t j = 0; j < batch->count; j++)
        summed->lanes[j] = !summed->lanes[j];
    answer(worker, batch, summed);
}

/* Takes a batch's sums in float32, which are about the targets. */
static void take_single(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch,
                        const struct shepard_sum_single *from)
{
    struct shepard_sum_double *sum = &worker->sum_double;
    place(worker, batch);
    sum->plane = true;
    for (size_t j = 0; j < batch->count; j++) {
        sum->w[j] = from->w[j];
        sum->wx[j] = from->wx[j];
        sum->wy[j] = from->wy[j];
        sum->wxx[j] = from->wxx[j];
        sum->wxy[j] = from->wxy[j];
        sum->wyy[j] = from->wyy[j];
        set_axes(sum, j, &(struct shepard_axes){batch->x[j], batch->y[j], 1, 0});
    }
    for (size_t c = 0; c < worker->engine->points->columns; c++)
        for (size_t j = 0; j < batch->count; j++) {
            sum->z[c * SHEPARD_ROW + j] = from->z[c * SHEPARD_LANES + j];
            sum->zx[c * SHEPARD_ROW + j] = from->zx[c * SHEPARD_LANES + j];
            sum->zy[c * SHEPARD_ROW + j] = from->zy[c * SHEPARD_LANES + j];
        }
}

/* What a plane from sums in float32 loses, before its magnification. w: the sum of all weights, by
 * which the shares are to be divided. */
static double rounding_single(const struct shepard_cpu_worker *worker,
                              const struct shepard_plane_single *single,
                              const struct shepard_plane_shares *sums, double w,
                              const struct lane_plane *plane, double magnification)
{
    const struct shepard_plane_shares shares = {sums->points / w, sums->points_moment / w,
                                                sums->nodes_radius2 / w};
    const double damping = worker->engine->rules->damping;
    return single->weights / 2 +
           shepard_plane_single_error(single, &shares, &plane->spread, &plane->slopes, damping) /
               magnification;
}

/* Planes that these sums do not determine well are left to a level in double. */
static void finish_planes_single(struct shepard_cpu_worker *worker,
                                 const struct shepard_cpu_batch *batch,
                                 const struct shepard_sum_single *sum,
                                 const struct shepard_plane_shares *shares,
                                 const struct shepard_plane_single *single)
{
    struct shepard_axes axes[SHEPARD_LANES];
    struct summed summed;
    take_single(worker, batch, sum);
    determine(worker, batch, summed.lanes, axes);
    answer(worker, batch, &summed);
    for (size_t j = 0; j < batch->count; j++) {
        const size_t of = batch->of[j];
        if (summed.lanes[j])
            worker->rounding[of] = rounding_single(worker, single, &shares[j], sum->w[j],
                                                   &summed.planes[j], worker->magnification[of]);
        else
            worker->magnification[of] = INFINITY;
    }
}

static void finish_means(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch,
                         struct summed *summed)
{
    sum_double(worker, SHEPARD_CPU_VALUES);
    if (worker->tile.on)
        shepard_cpu_tile_add(worker, batch, &worker->sum_double);
    for (size_t j = 0; j < batch->count; j++)
        summed->lanes[j] = true;
    answer(worker, batch, summed);
}

static void finish_double(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    struct shepard_sum_double *sum = &worker->sum_double;
    struct summed summed;
    place(worker, batch);
    sum->plane = engine->rules->degree == 1;
    for (size_t i = 0; i < engine->points->columns * SHEPARD_ROW; i++)
        worker->rows[i] = engine->middle[i / SHEPARD_ROW];
    (sum->plane ? finish_planes : finish_means)(worker, batch, &summed);
    if (worker->job->output->deviations != NULL)
        answer_deviations(worker, batch);
}

/* Sums of squares are for weights of twice the power, in the same unit. */
static void finish_squares(struct shepard_cpu_worker *worker, const struct shepard_cpu_batch *batch)
{
    struct shepard_sum_double *sum = &worker->sum_double;
    place(worker, batch);
    sum_double(worker, SHEPARD_CPU_SQUARES);
    for (size_t j = 0; j < batch->count; j++) {
        const double w = worker->weight[batch->of[j]];
        shepard_output_put(worker->job->output->effective, index_of(worker, batch, j),
                           w * w / sum->w[j]);
    }
}

void shepard_cpu_worker_finalize(struct shepard_cpu_worker *worker,
                                 const struct shepard_cpu_batch *batch)
{
    shepard_cpu_worker_count(worker, &worker->interactions, batch->count);
    if (batch->kind == SHEPARD_CPU_SQUARES)
        finish_squares(worker, batch);
    else if (!batch->single || needs_double(worker))
        finish_double(worker, batch);
    else
        finish_single(worker, batch);
}

void shepard_cpu_worker_finalize_planes(struct shepard_cpu_worker *worker,
                                        const struct shepard_cpu_batch *batches, size_t count,
                                        const struct shepard_plane_single *single)
{
    struct shepard_cpu_plane_sums *planes = worker->planes;
    if (needs_double(worker)) {
        for (size_t b = 0; b < count; b++)
            shepard_cpu_worker_finalize(worker, &batches[b]);
        return;
    }
    for (size_t b = 0; b < count; b++) {
        shepard_cpu_worker_count(worker, &worker->interactions, batches[b].count);
        place_single(worker, &batches[b], true, &planes->of[b]);
    }
    shepard_cpu_worker_sum_planes(worker, &worker->interactions, count);
    for (size_t b = 0; b < count; b++)
        finish_planes_single(worker, &batches[b], &planes->of[b], planes->shares[b], single);
}
