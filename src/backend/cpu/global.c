/* SPDX-License-Identifier: MIT */
/* Predictions from all points: sums for SHEPARD_LANES targets at a time. */
#include "backend/cpu/answer.h"
#include "backend/cpu/worker.h"
#include "base/number.h"
#include "core/fit.h"

/* Targets that wait for their sums; lane j stands for output index[j]. */
struct batch {
    size_t count;
    size_t index[SHEPARD_LANES];
    double x[SHEPARD_LANES], y[SHEPARD_LANES];
    double h2[SHEPARD_LANES];
    struct shepard_decay decay[SHEPARD_LANES];
};

/* Deviations, effective sizes and planes take moments that are summed in double only. */
static bool needs_double(const struct shepard_cpu_worker *worker)
{
    const struct shepard_output *output = worker->job->output;
    return !worker->engine->single || output->deviations != NULL || output->effective != NULL;
}

static void copy_batch(const struct batch *batch, double *x, double *y, struct shepard_decay *decay)
{
    for (size_t j = 0; j < batch->count; j++) {
        x[j] = batch->x[j];
        y[j] = batch->y[j];
        decay[j] = batch->decay[j];
    }
}

static void finish_single(struct shepard_cpu_worker *worker, const struct batch *batch)
{
    const struct shepard_engine *engine = worker->engine;
    const struct shepard_points *points = engine->points;
    struct shepard_sum_single *sum = &worker->sum_single;
    sum->targets = batch->count;
    copy_batch(batch, sum->x, sum->y, sum->decay);
    engine->kernels->sum->sum_single(&engine->sums, sum);
    for (size_t c = 0; c < points->columns; c++) {
        double *values = shepard_cpu_answer_column(worker->job->output->values, c);
        for (size_t j = 0; j < batch->count; j++)
            shepard_cpu_answer_put(
                values, batch->index[j],
                shepard_clamp(engine->middle[c] + engine->half_range[c] *
                                                      (sum->z[c * SHEPARD_LANES + j] / sum->w[j]),
                              points->value_min[c], points->value_max[c]));
    }
}

/* Centred moments from sums about the lane's origin. */
static struct shepard_spread spread_of(const struct shepard_sum_double *sum, size_t j)
{
    const double w = sum->w[j], x = sum->wx[j] / w, y = sum->wy[j] / w;
    return (struct shepard_spread){x, y, sum->wxx[j] / w - x * x, sum->wxy[j] / w - x * y,
                                   sum->wyy[j] / w - y * y};
}

/* The plane of one lane: the same for every column. */
struct lane_plane {
    struct shepard_spread spread; /* about the target */
    double x, y;                  /* the mean place, from the lane's origin */
    struct shepard_slopes slopes;
};

static struct lane_plane plane_of(const struct shepard_cpu_worker *worker,
                                  const struct batch *batch, size_t j)
{
    const struct shepard_sum_double *sum = &worker->sum_double;
    struct lane_plane plane = {.spread = spread_of(sum, j)};
    plane.x = plane.spread.x;
    plane.y = plane.spread.y;
    plane.slopes = shepard_fit_slopes(&plane.spread, worker->engine->rules->ridge * batch->h2[j]);
    plane.spread.x += sum->origin_x[j] - batch->x[j];
    plane.spread.y += sum->origin_y[j] - batch->y[j];
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
           shepard_fit_value(&plane->spread, &plane->slopes, 0, xz, yz) / worker->engine->scale[c];
}

/* Writes column c's values and keeps the means of degree 0 as centres of a second pass. */
static void answer_column(struct shepard_cpu_worker *worker, const struct batch *batch,
                          const struct lane_plane *planes, size_t c)
{
    const struct shepard_engine *engine = worker->engine;
    const struct shepard_points *points = engine->points;
    const struct shepard_sum_double *sum = &worker->sum_double;
    double *values = shepard_cpu_answer_column(worker->job->output->values, c);
    for (size_t j = 0; j < batch->count; j++) {
        const size_t at = c * SHEPARD_ROW + j;
        const double mean =
            shepard_clamp(engine->middle[c] + sum->z[at] / sum->w[j] / engine->scale[c],
                          points->value_min[c], points->value_max[c]);
        shepard_cpu_answer_put(values, batch->index[j],
                               sum->plane ? plane_value(worker, &planes[j], c, j, mean) : mean);
        worker->rows[at] = mean;
    }
}

/* The second pass: sums of w (z - mean)^2. */
static void answer_deviations(struct shepard_cpu_worker *worker, const struct batch *batch)
{
    const struct shepard_engine *engine = worker->engine;
    struct shepard_sum_double *sum = &worker->sum_double;
    sum->spread = true;
    sum->plane = false;
    engine->kernels->sum->sum_double(&engine->sums, sum);
    for (size_t c = 0; c < engine->points->columns; c++) {
        double *deviations = shepard_cpu_answer_column(worker->job->output->deviations, c);
        for (size_t j = 0; j < batch->count; j++)
            shepard_cpu_answer_put(deviations, batch->index[j],
                                   sqrt(sum->z[c * SHEPARD_ROW + j] / sum->w[j]) /
                                       engine->scale[c]);
    }
}

/* Moments of the plane are taken about the weighted mean of the places, for about any other origin
 * their spread is a difference of large numbers. A first pass, about the target or the data's
 * nearest place to it, finds the mean. */
static void sum_plane(struct shepard_cpu_worker *worker, const struct batch *batch)
{
    const struct shepard_engine *engine = worker->engine;
    const struct shepard_box *box = &engine->points->frame.box;
    struct shepard_sum_double *sum = &worker->sum_double;
    for (size_t j = 0; j < batch->count; j++) {
        sum->origin_x[j] = shepard_clamp(batch->x[j], box->x_min, box->x_max);
        sum->origin_y[j] = shepard_clamp(batch->y[j], box->y_min, box->y_max);
    }
    engine->kernels->sum->sum_double(&engine->sums, sum);
    for (size_t j = 0; j < batch->count; j++) {
        sum->origin_x[j] += sum->wx[j] / sum->w[j];
        sum->origin_y[j] += sum->wy[j] / sum->w[j];
    }
    engine->kernels->sum->sum_double(&engine->sums, sum);
}

static void finish_double(struct shepard_cpu_worker *worker, const struct batch *batch)
{
    const struct shepard_engine *engine = worker->engine;
    const struct shepard_output *output = worker->job->output;
    struct shepard_sum_double *sum = &worker->sum_double;
    const size_t columns = engine->points->columns;
    sum->targets = batch->count;
    sum->plane = engine->rules->degree == 1;
    sum->spread = false;
    copy_batch(batch, sum->x, sum->y, sum->decay);
    for (size_t i = 0; i < columns * SHEPARD_ROW; i++)
        worker->rows[i] = engine->middle[i / SHEPARD_ROW];
    if (sum->plane)
        sum_plane(worker, batch);
    else
        engine->kernels->sum->sum_double(&engine->sums, sum);
    for (size_t j = 0; j < batch->count; j++)
        shepard_cpu_answer_put(output->effective, batch->index[j],
                               sum->w[j] * sum->w[j] / sum->ww[j]);
    struct lane_plane planes[SHEPARD_LANES];
    for (size_t j = 0; sum->plane && j < batch->count; j++)
        planes[j] = plane_of(worker, batch, j);
    for (size_t c = 0; c < columns; c++)
        answer_column(worker, batch, planes, c);
    if (output->deviations != NULL)
        answer_deviations(worker, batch);
}

static void flush(struct shepard_cpu_worker *worker, struct batch *batch)
{
    if (batch->count == 0)
        return;
    if (needs_double(worker))
        finish_double(worker, batch);
    else
        finish_single(worker, batch);
    batch->count = 0;
}

/* A target at the place of data points: their mean. */
static enum shepard_status answer_coincident(struct shepard_cpu_worker *worker, size_t i)
{
    const struct shepard_engine *engine = worker->engine;
    const struct shepard_ellipse here = {0, 0, 1, 0};
    struct shepard_hits *hits = &worker->coincident;
    const struct shepard_target_block *block = &worker->block;
    size_t count =
        engine->kernels->search->inside(&engine->store.tree, block->x[i], block->y[i], &here, hits);
    if (count > hits->capacity) {
        if (!shepard_hits_reserve(hits, count, count, engine->points->allocator))
            return SHEPARD_ERROR_MEMORY;
        engine->kernels->search->inside(&engine->store.tree, block->x[i], block->y[i], &here, hits);
    }
    if (!shepard_cpu_worker_reserve(worker, count))
        return SHEPARD_ERROR_MEMORY;
    for (size_t j = 0; j < count; j++)
        worker->list[j] = 1;
    const struct shepard_cpu_weighted list = {hits->rank,  worker->list, count,
                                              block->x[i], block->y[i],  0};
    shepard_cpu_worker_combine(worker, &list, block->index[i]);
    return SHEPARD_OK;
}

static void add_to_batch(struct shepard_cpu_worker *worker, size_t i,
                         const struct shepard_cpu_vicinity *vicinity, struct batch *batch)
{
    const struct shepard_rules *rules = worker->engine->rules;
    const size_t j = batch->count++;
    batch->index[j] = worker->block.index[i];
    batch->x[j] = worker->block.x[i];
    batch->y[j] = worker->block.y[i];
    batch->h2[j] = vicinity->h2;
    batch->decay[j] = (struct shepard_decay){
        rules->adaptive ? SHEPARD_FORM_GENERAL : shepard_form_of(vicinity->alpha), vicinity->alpha,
        rules->smoothing2, vicinity->nearest2 + rules->smoothing2};
    if (batch->count == SHEPARD_LANES)
        flush(worker, batch);
}

static enum shepard_status predict(struct shepard_cpu_worker *worker, size_t i, struct batch *batch)
{
    const struct shepard_engine *engine = worker->engine;
    const struct shepard_rules *rules = engine->rules;
    const struct shepard_output *output = worker->job->output;
    const size_t index = worker->block.index[i], n = engine->points->count;
    struct shepard_cpu_vicinity vicinity;
    enum shepard_status status =
        shepard_cpu_worker_look_around(worker, worker->block.x[i], worker->block.y[i], &vicinity);
    if (status != SHEPARD_OK)
        return status;
    const bool enough = n >= rules->search.min_points;
    if (!enough)
        shepard_cpu_answer_unmet(output, engine->points->columns, index, rules->nodata);
    shepard_cpu_answer_put(output->count, index, (double)n);
    shepard_cpu_worker_answer_nearest(worker, index, vicinity.nearest2);
    if (!enough)
        return SHEPARD_OK;
    shepard_cpu_answer_put(output->alpha, index, vicinity.alpha);
    if (!shepard_cpu_answer_needs_sums(output, engine->points->columns))
        return SHEPARD_OK;
    if (vicinity.nearest2 + rules->smoothing2 == 0)
        return answer_coincident(worker, i);
    add_to_batch(worker, i, &vicinity, batch);
    return SHEPARD_OK;
}

enum shepard_status shepard_cpu_worker_predict_global(struct shepard_cpu_worker *worker)
{
    const struct shepard_engine *engine = worker->engine;
    struct batch batch = {.count = 0};
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < worker->block.count && status == SHEPARD_OK; i++) {
        shepard_cpu_worker_prepare(worker, &worker->nearby, i);
        if (isnan(worker->block.x[i]))
            shepard_cpu_answer_unmet(worker->job->output, engine->points->columns,
                                     worker->block.index[i], engine->rules->nodata);
        else
            status = predict(worker, i, &batch);
    }
    if (status == SHEPARD_OK)
        flush(worker, &batch);
    return status;
}
