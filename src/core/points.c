/* SPDX-License-Identifier: MIT */
#include "core/points.h"

#include "base/fault.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/parallel.h"
#include "core/range.h"

#include <math.h>
#include <string.h>

#define ROOM_UNIT 64

size_t shepard_points_room(size_t n)
{
    return shepard_ceil_div(n, ROOM_UNIT) * ROOM_UNIT;
}

bool shepard_points_usable(const struct shepard_data *data, size_t i)
{
    if (!isfinite(data->x[i]) || !isfinite(data->y[i]))
        return false;
    if (data->weights != NULL && !(isfinite(data->weights[i]) && data->weights[i] > 0))
        return false;
    for (size_t c = 0; c < data->columns; c++)
        if (!isfinite(data->values[c][i]))
            return false;
    return true;
}

/* Points taken in per block of the loop. */
#define INTAKE_BLOCK 16384

/* The caller's points on their way into a model, in blocks. */
struct intake {
    const struct shepard_data *data;
    struct shepard_points *points;
    size_t blocks;
    size_t *kept; /* [blocks + 1] usable points of a block; then those before it */
};

static void run_intake(struct intake *intake, shepard_block_fn *body, int threads)
{
    const struct shepard_loop loop = {
        .threads = threads, .blocks = intake->blocks, .body = body, .context = intake};
    shepard_loop_run(&loop);
}

static enum shepard_status count_block(void *context, size_t block, int thread)
{
    struct intake *intake = context;
    const size_t first = block * INTAKE_BLOCK;
    const size_t end = shepard_smaller(first + INTAKE_BLOCK, intake->data->count);
    size_t count = 0;
    (void)thread;
    for (size_t i = first; i < end; i++)
        count += shepard_points_usable(intake->data, i);
    intake->kept[block] = count;
    return SHEPARD_OK;
}

/* Sets kept; returns the count of all usable points. */
static size_t count_usable(struct intake *intake, int threads)
{
    size_t sum = 0;
    run_intake(intake, count_block, threads);
    for (size_t block = 0; block < intake->blocks; block++) {
        const size_t count = intake->kept[block];
        intake->kept[block] = sum;
        sum += count;
    }
    return intake->kept[intake->blocks] = sum;
}

static enum shepard_status allocate(struct shepard_points *points, bool weighted,
                                    struct shepard_error *error)
{
    const struct shepard_allocator *allocator = points->allocator;
    const size_t n = points->count, columns = points->columns;
    points->x = shepard_allocate(allocator, shepard_points_room(n), sizeof(double));
    points->y = shepard_allocate(allocator, shepard_points_room(n), sizeof(double));
    points->index = shepard_allocate(allocator, n, sizeof(uint32_t));
    points->value_min = shepard_allocate(allocator, columns, sizeof(double));
    points->value_max = shepard_allocate(allocator, columns, sizeof(double));
    points->values = shepard_allocate(allocator, columns, sizeof(double *));
    bool complete = points->x && points->y && points->index && points->value_min &&
                    points->value_max && points->values;
    if (points->values != NULL)
        memset(points->values, 0, columns * sizeof(double *));
    for (size_t c = 0; complete && c < columns; c++) {
        points->values[c] = shepard_allocate(allocator, n, sizeof(double));
        complete = points->values[c] != NULL;
    }
    if (complete && weighted) {
        points->weights = shepard_allocate(allocator, n, sizeof(double));
        complete = points->weights != NULL;
    }
    return complete ? SHEPARD_OK : shepard_fail_memory(error, "the data points");
}

static enum shepard_status copy_block(void *context, size_t block, int thread)
{
    const struct intake *intake = context;
    const struct shepard_data *data = intake->data;
    struct shepard_points *points = intake->points;
    size_t kept = intake->kept[block];
    (void)thread;
    for (size_t i = block * INTAKE_BLOCK; kept < intake->kept[block + 1]; i++) {
        if (!shepard_points_usable(data, i))
            continue;
        points->x[kept] = data->x[i];
        points->y[kept] = data->y[i];
        points->index[kept] = (uint32_t)i;
        for (size_t c = 0; c < data->columns; c++)
            points->values[c][kept] = data->values[c][i];
        if (points->weights != NULL)
            points->weights[kept] = data->weights[i];
        kept++;
    }
    return SHEPARD_OK;
}

static enum shepard_status place_block(void *context, size_t block, int thread)
{
    const struct intake *intake = context;
    struct shepard_points *points = intake->points;
    (void)thread;
    for (size_t i = intake->kept[block]; i < intake->kept[block + 1]; i++)
        shepard_frame_place(&points->frame, &points->x[i], &points->y[i]);
    return SHEPARD_OK;
}

static void put_into_frame(struct intake *intake, const struct shepard_stretch *stretch,
                           int threads)
{
    struct shepard_points *points = intake->points;
    const struct shepard_range x = shepard_range_of(points->x, points->count, threads);
    const struct shepard_range y = shepard_range_of(points->y, points->count, threads);
    points->box = (struct shepard_box){x.low, x.high, y.low, y.high};
    points->frame = shepard_frame_of(&points->box, stretch, points->x, points->y, points->count);
    run_intake(intake, place_block, threads);
}

/* Weights divided by the largest: no sum of them overflows, and none becomes 0. */
static void normalise_weights(struct shepard_points *points, int threads)
{
    if (points->weights == NULL)
        return;
    const double high = shepard_range_of(points->weights, points->count, threads).high;
    for (size_t i = 0; i < points->count; i++)
        points->weights[i] = fmax(points->weights[i] / high, SHEPARD_POINTS_WEIGHT_MIN);
}

static void take_in(struct intake *intake, const struct shepard_stretch *stretch, int threads)
{
    struct shepard_points *points = intake->points;
    run_intake(intake, copy_block, threads);
    put_into_frame(intake, stretch, threads);
    normalise_weights(points, threads);
    for (size_t c = 0; c < points->columns; c++) {
        const struct shepard_range of = shepard_range_of(points->values[c], points->count, threads);
        points->value_min[c] = of.low;
        points->value_max[c] = of.high;
    }
}

enum shepard_status shepard_points_fail_empty(const struct shepard_data *data,
                                              struct shepard_error *error)
{
    return shepard_fail(error, SHEPARD_ERROR_NO_POINTS, "data",
                        "all %zu data points have a coordinate, value or weight that is NaN or "
                        "infinite, or weight 0: give at least one usable point",
                        data->count);
}

enum shepard_status shepard_points_create(const struct shepard_data *data,
                                          const struct shepard_stretch *stretch, int threads,
                                          const struct shepard_allocator *allocator,
                                          struct shepard_points *points,
                                          struct shepard_error *error)
{
    *points = (struct shepard_points){.columns = data->columns, .allocator = allocator};
    struct intake intake = {
        .data = data, .points = points, .blocks = shepard_ceil_div(data->count, INTAKE_BLOCK)};
    intake.kept = shepard_allocate(allocator, intake.blocks + 1, sizeof *intake.kept);
    if (intake.kept == NULL)
        return shepard_fail_memory(error, "the data points");
    points->count = count_usable(&intake, threads);
    points->skipped = data->count - points->count;
    enum shepard_status status = points->count > 0 ? allocate(points, data->weights != NULL, error)
                                                   : shepard_points_fail_empty(data, error);
    if (status == SHEPARD_OK)
        take_in(&intake, stretch, threads);
    else
        shepard_points_free(points);
    shepard_release(allocator, intake.kept);
    return status;
}

void shepard_points_free(struct shepard_points *points)
{
    const struct shepard_allocator *allocator = points->allocator;
    if (points->elsewhere != NULL)
        points->release_elsewhere(points->elsewhere);
    for (size_t c = 0; points->values != NULL && c < points->columns; c++)
        shepard_release(allocator, points->values[c]);
    shepard_release(allocator, points->values);
    shepard_release(allocator, points->weights);
    shepard_release(allocator, points->value_max);
    shepard_release(allocator, points->value_min);
    shepard_release(allocator, points->index);
    shepard_release(allocator, points->y);
    shepard_release(allocator, points->x);
    *points = (struct shepard_points){0};
}

/* One array of doubles put into another order, or, where it is NULL, the indices. */
struct permutation {
    const uint32_t *order;
    size_t n;
    const double *from;
    double *to;
    const uint32_t *index_from;
    uint32_t *index_to;
};

/* Elements moved per block of the loop. */
#define PERMUTE_BLOCK 65536

static enum shepard_status permute_block(void *context, size_t block, int thread)
{
    const struct permutation *p = context;
    const size_t first = block * PERMUTE_BLOCK, end = shepard_smaller(first + PERMUTE_BLOCK, p->n);
    (void)thread;
    for (size_t i = first; p->from != NULL && i < end; i++)
        p->to[i] = p->from[p->order[i]];
    for (size_t i = first; p->from == NULL && i < end; i++)
        p->index_to[i] = p->index_from[p->order[i]];
    return SHEPARD_OK;
}

static void permute(struct permutation *permutation, int threads)
{
    const struct shepard_loop loop = {.threads = threads,
                                      .blocks = shepard_ceil_div(permutation->n, PERMUTE_BLOCK),
                                      .body = permute_block,
                                      .context = permutation};
    shepard_loop_run(&loop);
}

/* *array and *spare change places. */
static void permute_array(double **array, double **spare, const uint32_t *order, size_t n,
                          int threads)
{
    struct permutation permutation = {.order = order, .n = n, .from = *array, .to = *spare};
    permute(&permutation, threads);
    *spare = *array;
    *array = permutation.to;
}

enum shepard_status shepard_points_permute(struct shepard_points *points, const uint32_t *order,
                                           int threads, struct shepard_error *error)
{
    const size_t n = points->count;
    double *spare = shepard_allocate(points->allocator, shepard_points_room(n), sizeof(double));
    uint32_t *index = shepard_allocate(points->allocator, n, sizeof(uint32_t));
    if (spare == NULL || index == NULL) {
        shepard_release(points->allocator, spare);
        shepard_release(points->allocator, index);
        return shepard_fail_memory(error, "sorting the data points");
    }
    permute_array(&points->x, &spare, order, n, threads);
    permute_array(&points->y, &spare, order, n, threads);
    for (size_t c = 0; c < points->columns; c++)
        permute_array(&points->values[c], &spare, order, n, threads);
    if (points->weights != NULL)
        permute_array(&points->weights, &spare, order, n, threads);
    struct permutation indices = {
        .order = order, .n = n, .index_from = points->index, .index_to = index};
    permute(&indices, threads);
    shepard_release(points->allocator, points->index);
    points->index = index;
    shepard_release(points->allocator, spare);
    return SHEPARD_OK;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

bool shepard_points_before(const struct shepard_points *points, size_t a, size_t b)
{
    int order = compare(points->x[a], points->x[b]);
    if (order == 0)
        order = compare(points->y[a], points->y[b]);
    for (size_t c = 0; order == 0 && c < points->columns; c++)
        order = compare(points->values[c][a], points->values[c][b]);
    if (order == 0 && points->weights != NULL)
        order = compare(points->weights[a], points->weights[b]);
    return order < 0 || (order == 0 && points->index[a] < points->index[b]);
}

void shepard_points_distances(const struct shepard_points *points,
                              const struct shepard_targets_view *targets, size_t i,
                              const double *d2, size_t count, double *distances)
{
    if (count == 0 || d2[count - 1] < SHEPARD_FRAME_FAR2) {
        for (size_t j = 0; j < count; j++)
            distances[j] = sqrt(d2[j]) / points->frame.scale;
        return;
    }
    double x, y;
    shepard_targets_at(targets, i, &x, &y);
    for (size_t j = 0; j < count; j++)
        distances[j] =
            shepard_frame_distance(&points->frame, x - points->box.x_min, y - points->box.y_min);
}

size_t shepard_points_bytes(const struct shepard_points *points)
{
    if (points->x == NULL)
        return points->columns * 2 * sizeof(double);
    size_t per_point =
        (2 + points->columns + (points->weights != NULL)) * sizeof(double) + sizeof(uint32_t);
    return points->count * per_point + points->columns * (2 * sizeof(double) + sizeof(double *));
}
