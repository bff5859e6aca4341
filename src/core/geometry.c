/* SPDX-License-Identifier: MIT */
#include "core/geometry.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/range.h"
#include "core/space.h"

#include <math.h>
#include <string.h>

#define ROOM_UNIT 64

size_t shepard_geometry_room(size_t n)
{
    return shepard_ceil_div(n, ROOM_UNIT) * ROOM_UNIT;
}

bool shepard_geometry_usable(const struct shepard_coordinates *coordinates, size_t i)
{
    return isfinite(shepard_array_at(&coordinates->x, i)) &&
           isfinite(shepard_array_at(&coordinates->y, i)) &&
           (coordinates->z.data == NULL || isfinite(shepard_array_at(&coordinates->z, i)));
}

/* Points taken in per block of the loop. */
#define INTAKE_BLOCK 16384

/* The caller's points on their way into a geometry, in blocks. */
struct intake {
    const struct shepard_coordinates *data;
    struct shepard_geometry *points;
    size_t blocks;
    size_t *kept; /* [blocks + 1] usable points of a block; then those before it */
};

static void run_intake(struct intake *intake, shepard_block_fn *body)
{
    const struct shepard_loop loop = {.threads = intake->points->threads,
                                      .blocks = intake->blocks,
                                      .body = body,
                                      .context = intake};
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
        count += shepard_geometry_usable(intake->data, i);
    intake->kept[block] = count;
    return SHEPARD_OK;
}

/* Sets kept; returns the count of all usable points. */
static size_t count_usable(struct intake *intake)
{
    size_t sum = 0;
    run_intake(intake, count_block);
    for (size_t block = 0; block < intake->blocks; block++) {
        const size_t count = intake->kept[block];
        intake->kept[block] = sum;
        sum += count;
    }
    return intake->kept[intake->blocks] = sum;
}

static enum shepard_status allocate(struct shepard_geometry *points, struct shepard_error *error)
{
    const size_t n = points->count, room = shepard_geometry_room(n);
    points->x = shepard_allocate(points->allocator, room, sizeof(double));
    points->y = shepard_allocate(points->allocator, room, sizeof(double));
    points->index = shepard_allocate(points->allocator, n, sizeof(uint32_t));
    const bool is_3d = shepard_frame_is_3d(&points->frame);
    points->z = is_3d ? shepard_allocate(points->allocator, room, sizeof(double)) : NULL;
    if (points->x != NULL && points->y != NULL && points->index != NULL && (points->z || !is_3d))
        return SHEPARD_OK;
    shepard_geometry_free(points);
    return shepard_error_set_memory(error, "the data points");
}

static enum shepard_status copy_block(void *context, size_t block, int thread)
{
    const struct intake *intake = context;
    const struct shepard_coordinates *data = intake->data;
    struct shepard_geometry *points = intake->points;
    size_t kept = intake->kept[block];
    (void)thread;
    for (size_t i = block * INTAKE_BLOCK; kept < intake->kept[block + 1]; i++) {
        if (!shepard_geometry_usable(data, i))
            continue;
        points->x[kept] = shepard_array_at(&data->x, i);
        points->y[kept] = shepard_array_at(&data->y, i);
        if (data->z.data != NULL)
            points->z[kept] = shepard_array_at(&data->z, i);
        points->index[kept] = (uint32_t)i;
        kept++;
    }
    return SHEPARD_OK;
}

static enum shepard_status place_block_3d(void *context, size_t block, int thread)
{
    const struct intake *intake = context;
    struct shepard_geometry *points = intake->points;
    (void)thread;
    for (size_t i = intake->kept[block]; i < intake->kept[block + 1]; i++)
        shepard_space_place(&points->frame, &points->x[i], &points->y[i], &points->z[i]);
    return SHEPARD_OK;
}

static enum shepard_status place_block(void *context, size_t block, int thread)
{
    const struct intake *intake = context;
    struct shepard_geometry *points = intake->points;
    (void)thread;
    for (size_t i = intake->kept[block]; i < intake->kept[block + 1]; i++)
        shepard_frame_place(&points->frame, &points->x[i], &points->y[i]);
    return SHEPARD_OK;
}

static void measure(struct shepard_geometry *points)
{
    points->area =
        shepard_space_extent(&points->frame, points->x, points->y, points->z, points->count);
}

static struct shepard_frame frame_of_3d(const struct shepard_geometry *points,
                                        const struct shepard_stretch *stretch)
{
    const struct shepard_space space = points->frame.space;
    if (space.metric == SHEPARD_METRIC_SPHERE)
        return shepard_frame_of_sphere(&space);
    const struct shepard_range z = shepard_range_of(points->z, points->count, points->threads);
    const struct shepard_frame flat =
        shepard_frame_of(&points->box, stretch, points->x, points->y, points->count);
    return shepard_frame_with_z(&flat, &space, z.low * space.vertical, z.high * space.vertical);
}

static struct shepard_box box_of_whole(const struct shepard_whole *whole)
{
    return (struct shepard_box){whole->x_min, whole->x_max, whole->y_min, whole->y_max};
}

static void put_into_frame(struct intake *intake, const struct shepard_stretch *stretch)
{
    struct shepard_geometry *points = intake->points;
    const struct shepard_range x = shepard_range_of(points->x, points->count, points->threads);
    const struct shepard_range y = shepard_range_of(points->y, points->count, points->threads);
    points->box = (struct shepard_box){x.low, x.high, y.low, y.high};
    if (shepard_frame_is_3d(&points->frame)) {
        points->frame = frame_of_3d(points, stretch);
        run_intake(intake, place_block_3d);
        measure(points);
        return;
    }
    if (points->whole.points > 0)
        points->box = box_of_whole(&points->whole);
    points->frame = shepard_frame_of(&points->box, stretch, points->x, points->y, points->count);
    run_intake(intake, place_block);
}

enum shepard_status shepard_geometry_fail_empty(size_t count, struct shepard_error *error)
{
    return shepard_error_set(
        error, SHEPARD_ERROR_NO_POINTS, "coordinates",
        "no data point of %zu has finite coordinates: give at least one usable point", count);
}

enum shepard_status shepard_geometry_create(const struct shepard_coordinates *coordinates,
                                            const struct shepard_stretch *stretch,
                                            struct shepard_geometry *geometry,
                                            struct shepard_error *error)
{
    struct intake intake = {.data = coordinates,
                            .points = geometry,
                            .blocks = shepard_ceil_div(coordinates->count, INTAKE_BLOCK)};
    intake.kept = shepard_allocate(geometry->allocator, intake.blocks + 1, sizeof *intake.kept);
    if (intake.kept == NULL)
        return shepard_error_set_memory(error, "the data points");
    geometry->count = count_usable(&intake);
    geometry->skipped = coordinates->count - geometry->count;
    enum shepard_status status = geometry->count > 0
                                     ? allocate(geometry, error)
                                     : shepard_geometry_fail_empty(coordinates->count, error);
    if (status == SHEPARD_OK) {
        run_intake(&intake, copy_block);
        put_into_frame(&intake, stretch);
    }
    shepard_release(geometry->allocator, intake.kept);
    return status;
}

static void copy_kept(const struct shepard_geometry *all, const bool *keep,
                      struct shepard_geometry *geometry)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (!keep[all->index[i]])
            continue;
        geometry->x[kept] = all->x[i];
        geometry->y[kept] = all->y[i];
        if (all->z != NULL)
            geometry->z[kept] = all->z[i];
        geometry->index[kept++] = all->index[i];
    }
}

enum shepard_status shepard_geometry_subset(const struct shepard_geometry *all, const bool *keep,
                                            struct shepard_geometry *geometry,
                                            struct shepard_error *error)
{
    *geometry = *all;
    geometry->x = geometry->y = geometry->z = NULL;
    geometry->index = NULL;
    geometry->count = 0;
    for (size_t i = 0; i < all->count; i++)
        geometry->count += keep[all->index[i]];
    enum shepard_status status = allocate(geometry, error);
    if (status != SHEPARD_OK)
        return status;
    copy_kept(all, keep, geometry);
    if (geometry->z != NULL) {
        measure(geometry);
        return SHEPARD_OK;
    }
    const struct shepard_range x = shepard_range_of(geometry->x, geometry->count, all->threads);
    const struct shepard_range y = shepard_range_of(geometry->y, geometry->count, all->threads);
    geometry->frame.box = (struct shepard_box){x.low, x.high, y.low, y.high};
    return SHEPARD_OK;
}

void shepard_geometry_free(struct shepard_geometry *geometry)
{
    shepard_release(geometry->allocator, geometry->index);
    shepard_release(geometry->allocator, geometry->z);
    shepard_release(geometry->allocator, geometry->y);
    shepard_release(geometry->allocator, geometry->x);
    geometry->x = geometry->y = geometry->z = NULL;
    geometry->index = NULL;
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

enum shepard_status shepard_geometry_permute(struct shepard_geometry *geometry,
                                             const uint32_t *order, struct shepard_error *error)
{
    const size_t n = geometry->count, room = shepard_geometry_room(n);
    const struct shepard_allocator *allocator = geometry->allocator;
    double *spare = shepard_allocate(allocator, room, sizeof(double));
    uint32_t *index = shepard_allocate(allocator, n, sizeof(uint32_t));
    if (spare == NULL || index == NULL) {
        shepard_release(allocator, spare);
        shepard_release(allocator, index);
        return shepard_error_set_memory(error, "sorting the data points");
    }
    permute_array(&geometry->x, &spare, order, n, geometry->threads);
    permute_array(&geometry->y, &spare, order, n, geometry->threads);
    if (geometry->z != NULL)
        permute_array(&geometry->z, &spare, order, n, geometry->threads);
    struct permutation indices = {
        .order = order, .n = n, .index_from = geometry->index, .index_to = index};
    permute(&indices, geometry->threads);
    shepard_release(allocator, geometry->index);
    geometry->index = index;
    shepard_release(allocator, spare);
    return SHEPARD_OK;
}

int shepard_geometry_compare(const struct shepard_geometry *geometry, size_t a, size_t b)
{
    int order = shepard_compare(geometry->x[a], geometry->x[b]);
    if (order == 0)
        order = shepard_compare(geometry->y[a], geometry->y[b]);
    if (order == 0 && geometry->z != NULL)
        order = shepard_compare(geometry->z[a], geometry->z[b]);
    return order;
}

bool shepard_geometry_before(const struct shepard_geometry *geometry, size_t a, size_t b)
{
    const int order = shepard_geometry_compare(geometry, a, b);
    return order < 0 || (order == 0 && geometry->index[a] < geometry->index[b]);
}

void shepard_geometry_distances(const struct shepard_geometry *geometry,
                                const struct shepard_targets_view *targets, size_t i,
                                const double *d2, size_t count, double *distances)
{
    if (count == 0 || d2[count - 1] < SHEPARD_FRAME_FAR2) {
        for (size_t j = 0; j < count; j++)
            distances[j] = sqrt(d2[j]) / geometry->frame.scale;
        return;
    }
    const struct shepard_frame *frame = &geometry->frame;
    double x, y;
    shepard_targets_at(targets, i, &x, &y);
    const double rise =
        shepard_frame_is_3d(frame)
            ? shepard_targets_z(targets, i) * frame->space.vertical - frame->z_min / frame->scale
            : 0;
    for (size_t j = 0; j < count; j++)
        distances[j] = hypot(shepard_frame_distance(&geometry->frame, x - geometry->box.x_min,
                                                    y - geometry->box.y_min),
                             rise);
}

double shepard_geometry_area(const struct shepard_geometry *geometry)
{
    const struct shepard_frame *frame = &geometry->frame;
    if (shepard_frame_is_3d(frame))
        return geometry->area;
    const double width = (frame->box.x_max - frame->box.x_min) / frame->scale;
    const double height = (frame->box.y_max - frame->box.y_min) / frame->scale;
    return width * height * frame->stretch.ratio;
}

size_t shepard_geometry_bytes(const struct shepard_geometry *geometry)
{
    const size_t coordinates = geometry->z != NULL ? 3 : 2;
    return geometry->x == NULL
               ? 0
               : geometry->count * (coordinates * sizeof(double) + sizeof(uint32_t));
}
