/* SPDX-License-Identifier: MIT */
#include "backend/cpu/worker.h"

#include "backend/cpu/output.h"
#include "backend/cpu/plane.h"
#include "base/arithmetic.h"
#include "base/memory.h"
#include "core/space.h"

static size_t nearby_k(const struct shepard_rules *rules)
{
    const size_t for_power = rules->adaptive ? rules->adapt.k : 1;
    const size_t for_ridge = rules->degree == 1 && rules->search.all ? rules->ridge_neighbours : 1;
    return for_power > for_ridge ? for_power : for_ridge;
}

static bool has_light_pairs(const struct shepard_cpu_engine *engine)
{
    return engine->single && engine->rules->degree == 0 &&
           shepard_cpu_engine_form(engine, engine->rules->power) != SHEPARD_FORM_GENERAL;
}

static enum shepard_status create_searches(struct shepard_cpu_worker *worker)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_rules *rules = engine->rules;
    const struct shepard_allocator *allocator = engine->points->allocator;
    const struct shepard_tree *tree = engine->tree;
    enum shepard_status status = SHEPARD_OK;
    worker->nearby_search = (struct shepard_search){.max_points = nearby_k(rules),
                                                    .max_points_per_sector = SIZE_MAX,
                                                    .sectors = 1,
                                                    .barriers = rules->search.barriers,
                                                    .frame_3d = rules->search.frame_3d};
    if (!rules->search.all)
        status = shepard_neighbours_create(&worker->local, tree, engine->kernels->search,
                                           &rules->search, allocator);
    if (status == SHEPARD_OK)
        status = shepard_neighbours_create(&worker->nearby, tree, engine->kernels->search,
                                           &worker->nearby_search, allocator);
    return status;
}

/* Room for sums of planes in float32, if any are. */
static enum shepard_status create_planes(struct shepard_cpu_worker *worker)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const size_t row = engine->points->columns * SHEPARD_LANES;
    struct shepard_cpu_plane_sums *planes;
    if (engine->rules->degree == 0 || !engine->single || engine->farfield == NULL)
        return SHEPARD_OK;
    worker->planes = planes =
        shepard_allocate(engine->points->allocator, 1,
                         sizeof *planes + SHEPARD_CPU_PLANE_BATCHES * 3 * row * sizeof(double));
    if (planes == NULL)
        return SHEPARD_ERROR_MEMORY;
    for (size_t b = 0; b < SHEPARD_CPU_PLANE_BATCHES; b++) {
        planes->of[b].z = planes->rows + 3 * b * row;
        planes->of[b].zx = planes->of[b].z + row;
        planes->of[b].zy = planes->of[b].zx + row;
        planes->of[b].room = worker->sum_double.room;
    }
    return SHEPARD_OK;
}

enum shepard_status shepard_cpu_worker_create(struct shepard_cpu_worker *worker,
                                              const struct shepard_cpu_engine *engine,
                                              const struct shepard_predict_job *job)
{
    const struct shepard_allocator *allocator = engine->points->allocator;
    const size_t row = engine->points->columns * SHEPARD_ROW;
    *worker = (struct shepard_cpu_worker){
        .engine = engine,
        .job = job,
        .interactions = {.allocator = allocator},
        .cells = {.tree = engine->tree,
                  .kernels = engine->kernels->search,
                  .targets = job->targets,
                  .frame = &engine->points->geometry->frame,
                  .smoothing2 = engine->rules->smoothing2,
                  .nearest = nearby_k(engine->rules),
                  .light_pairs = has_light_pairs(engine)},
    };
    shepard_target_cells_init(&worker->cells);
    enum shepard_status status = create_searches(worker);
    if (status == SHEPARD_OK)
        status = shepard_cpu_tile_create(worker);
    worker->rows = shepard_allocate(allocator, 6 * row + SHEPARD_SUM_ROOM, sizeof(double));
    if (status != SHEPARD_OK || worker->rows == NULL) {
        shepard_cpu_worker_free(worker);
        return SHEPARD_ERROR_MEMORY;
    }
    worker->sum_double.centre = worker->rows;
    worker->sum_double.z = worker->rows + row;
    worker->sum_double.zx = worker->rows + 2 * row;
    worker->sum_double.zy = worker->rows + 3 * row;
    worker->means = worker->rows + 4 * row;
    worker->sum_single.z = worker->rows + 5 * row;
    worker->sum_double.room = worker->rows + 6 * row;
    status = create_planes(worker);
    if (status != SHEPARD_OK)
        shepard_cpu_worker_free(worker);
    return status;
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
    shepard_release(allocator, worker->planes);
    shepard_release(allocator, worker->rows);
    shepard_interactions_free(&worker->interactions);
    shepard_cpu_tile_free(worker);
    worker->engine = NULL;
}

void shepard_cpu_worker_put_nearest(const struct shepard_cpu_worker *worker, size_t index,
                                    double nearest2)
{
    const struct shepard_output_array nearest = worker->job->output->nearest;
    double distance;
    if (nearest.data == NULL)
        return;
    shepard_geometry_distances(worker->engine->points->geometry, worker->job->targets, index,
                               &nearest2, 1, &distance);
    shepard_output_put(nearest, index, distance);
}

bool shepard_cpu_worker_reserve(struct shepard_cpu_worker *worker, size_t count)
{
    if (count <= worker->list_room)
        return true;
    const struct shepard_allocator *allocator = worker->engine->points->allocator;
    shepard_release(allocator, worker->list);
    worker->list_room = 0;
    const size_t room = count + count / 2, lists = worker->engine->rules->degree == 1 ? 3 : 1;
    worker->list = shepard_allocate(allocator, lists * room, sizeof(double));
    if (worker->list != NULL)
        worker->list_room = room;
    return worker->list != NULL;
}

/* How many points the block's target i leaves out, places having three coordinates. */
static uint32_t count_left_out_3d(const struct shepard_cpu_worker *worker,
                                  const struct shepard_left_out *left_out, size_t i)
{
    const struct shepard_target_block *block = &worker->block;
    struct shepard_place place = {.x = block->x[i], .y = block->y[i], .z = block->z[i]};
    shepard_space_orient(&worker->engine->points->geometry->frame, &place);
    return shepard_leave_out_count_at(left_out, worker->engine->tree, &place);
}

struct shepard_left_out shepard_cpu_worker_leave_out(struct shepard_cpu_worker *worker, size_t i)
{
    const struct shepard_leave_out *leave_out = worker->job->targets->leave_out;
    if (leave_out == NULL)
        return (struct shepard_left_out){0};
    struct shepard_left_out left_out = shepard_leave_out_of(leave_out, worker->block.index[i]);
    const struct shepard_target_block *block = &worker->block;
    const struct shepard_tree *tree = worker->engine->tree;
    left_out.count = tree->z != NULL
                         ? count_left_out_3d(worker, &left_out, i)
                         : shepard_leave_out_count(&left_out, tree, block->x[i], block->y[i]);
    worker->local.left_out = worker->nearby.left_out = left_out;
    return left_out;
}

/* ---- a weighted list ------------------------------------------------------------------------- */

static struct shepard_cpu_column column_of(const struct shepard_cpu_engine *engine, size_t column)
{
    return (struct shepard_cpu_column){engine->points->values[column], engine->scale[column],
                                       engine->middle[column]};
}

/* Sums of weights, of their squares, and of the first column's terms. */
struct totals {
    double w, ww, first;
};

static struct totals weigh(const struct shepard_cpu_engine *engine,
                           const struct shepard_cpu_weighted *list)
{
    const struct shepard_cpu_column of = column_of(engine, 0);
    const double *const q = engine->points->weights;
    const size_t count = list->count;
    double *const w = list->w;
    struct totals totals = {0, 0, 0};
    for (size_t i = 0; q != NULL && i < count; i++)
        w[i] *= q[list->rank[i]];
    for (size_t i = 0; i < count; i++) {
        totals.w += w[i];
        totals.ww += w[i] * w[i];
        totals.first += shepard_cpu_column_term(&of, w[i], list->rank[i]);
    }
    return totals;
}

/* The number of the only point with a weight above 0; list->count where there are more. Of one
 * alone the totals fit each other exactly. */
static size_t only_one(const struct shepard_cpu_weighted *list, const struct totals *totals)
{
    size_t found = list->count;
    for (size_t i = 0; totals->w * totals->w == totals->ww && i < list->count; i++) {
        if (list->w[i] > 0 && found < list->count)
            return list->count;
        if (list->w[i] > 0)
            found = i;
    }
    return found;
}

/* Of a column's terms. */
static double sum_of(const struct shepard_cpu_column *of, const struct shepard_cpu_weighted *list)
{
    double sum = 0;
    for (size_t i = 0; i < list->count; i++)
        sum += shepard_cpu_column_term(of, list->w[i], list->rank[i]);
    return sum;
}

static double deviation_of(const struct shepard_cpu_engine *engine, size_t column, double mean,
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

void shepard_cpu_worker_combine(const struct shepard_cpu_worker *worker,
                                const struct shepard_cpu_weighted *list, size_t index)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    const struct shepard_samples *points = engine->points;
    const struct shepard_output *output = worker->job->output;
    const int degree = engine->rules->degree;
    const struct totals totals = weigh(engine, list);
    const size_t one = only_one(list, &totals);
    const bool rises = degree == 1 && one == list->count;
    struct shepard_cpu_plane plane; /* filled if it rises: an initializer would clear all of it */
    if (rises) {
        plane.list = list;
        plane.w = totals.w;
        plane.along = worker->list + worker->list_room;
        plane.across = plane.along + worker->list_room;
        shepard_cpu_plane_fit(&plane, points, engine->rules);
    }
    for (size_t c = 0; c < points->columns; c++) {
        const struct shepard_output_array values = shepard_output_column(output->values, c);
        const struct shepard_output_array deviations = shepard_output_column(output->deviations, c);
        if (values.data == NULL && deviations.data == NULL)
            continue;
        const struct shepard_cpu_column of = column_of(engine, c);
        const double sum = c == 0 ? totals.first : sum_of(&of, list);
        /* One point's value to the last bit. */
        const double mean = one < list->count
                                ? of.values[list->rank[one]]
                                : shepard_clamp(of.middle + sum / totals.w / of.scale,
                                                points->value_min[c], points->value_max[c]);
        const double value =
            rises ? mean + shepard_cpu_plane_rise(&plane, &of, sum, mean) / of.scale : mean;
        if (values.data != NULL)
            shepard_output_put(values, index, value);
        if (deviations.data != NULL)
            shepard_output_put(deviations, index, deviation_of(engine, c, mean, list, totals.w));
    }
    shepard_output_put(output->effective, index, totals.w * totals.w / totals.ww);
}
