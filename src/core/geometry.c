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
    size_t *kept;              /* [blocks + 1] usable points of a block; then those before it */
    struct shepard_box *boxes; /* [blocks] of those points */
    bool framed;               /* points are put into their frame as they are copied */
};

static void run_intake(struct intake *intake, shepard_block_fn *body)
{
    const struct shepard_loop loop = {.threads = intake->points->threads,
                                      .blocks = intake->blocks,
                                      .body = body,
                                      .context = intake};
    shepard_loop_run(&loop);
}

/* Any point makes it the point's box. */
static const struct shepard_box box_of_none = {INFINITY, -INFINITY, INFINITY, -INFINITY};

static enum shepard_status count_block(void *context, size_t block, int thread)
{
    struct intake *intake = context;
    const struct shepard_coordinates *data = intake->data;
    const size_t first = block * INTAKE_BLOCK;
    const size_t end = shepard_smaller(first + INTAKE_BLOCK, data->count);
    struct shepard_box box = box_of_none;
    size_t count = 0;
    (void)thread;
    for (size_t i = first; i < end; i++) {
        if (!shepard_geometry_usable(data, i))
            continue;
        const double x = shepard_array_at(&data->x, i), y = shepard_array_at(&data->y, i);
        box.x_min = x < box.x_min ? x : box.x_min;
        box.x_max = x > box.x_max ? x : box.x_max;
        box.y_min = y < box.y_min ? y : box.y_min;
        box.y_max = y > box.y_max ? y : box.y_max;
        count++;
    }
    intake->kept[block] = count;
    intake->boxes[block] = box;
    return SHEPARD_OK;
}

/* Sets kept, and the count and box of all usable points. */
static void count_usable(struct intake *intake)
{
    struct shepard_box *box = &intake->points->box;
    size_t sum = 0;
    run_intake(intake, count_block);
    *box = box_of_none;
    for (size_t block = 0; block < intake->blocks; block++) {
        const struct shepard_box *of = &intake->boxes[block];
        const size_t count = intake->kept[block];
        box->x_min = of->x_min < box->x_min ? of->x_min : box->x_min;
        box->x_max = of->x_max > box->x_max ? of->x_max : box->x_max;
        box->y_min = of->y_min < box->y_min ? of->y_min : box->y_min;
        box->y_max = of->y_max > box->y_max ? of->y_max : box->y_max;
        intake->kept[block] = sum;
        sum += count;
    }
    intake->points->count = intake->kept[intake->blocks] = sum;
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
        if (intake->framed)
            shepard_frame_place(&points->frame, &points->x[kept], &points->y[kept]);
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

struct shepard_box shepard_geometry_places(const struct shepard_whole *whole)
{
    if (whole->place_x_min == 0 && whole->place_x_max == 0 && whole->place_y_min == 0 &&
        whole->place_y_max == 0)
        return (struct shepard_box){whole->x_min, whole->x_max, whole->y_min, whole->y_max};
    return (struct shepard_box){whole->place_x_min, whole->place_x_max, whole->place_y_min,
                                whole->place_y_max};
}

/* That of the places of a whole. Its box is the points', as that of a subset is. */
static struct shepard_frame frame_of_whole(const struct shepard_whole *whole)
{
    const struct shepard_stretch none = shepard_stretch_of(1, 0);
    const struct shepard_box places = shepard_geometry_places(whole);
    const struct shepard_box points = {whole->x_min, whole->x_max, whole->y_min, whole->y_max};
    struct shepard_frame frame = shepard_frame_of(&places, &none, NULL, NULL, 0);
    frame.box = shepard_box_scaled(&points, frame.scale);
    return frame;
}

/* A frame that is not stretched follows from the box. */
static void copy_into_frame(struct intake *intake, const struct shepard_stretch *stretch)
{
    struct shepard_geometry *points = intake->points;
    const bool is_3d = shepard_frame_is_3d(&points->frame);
    if (!is_3d && points->whole.points > 0)
        points->box = shepard_geometry_places(&points->whole);
    intake->framed = stretch->ratio == 1 && !is_3d;
    if (intake->framed)
        points->frame = points->whole.points > 0
                            ? frame_of_whole(&points->whole)
                            : shepard_frame_of(&points->box, stretch, NULL, NULL, 0);
    run_intake(intake, copy_block);
    if (intake->framed)
        return;
    if (is_3d) {
        points->frame = frame_of_3d(points, stretch);
        run_intake(intake, place_block_3d);
        measure(points);
        return;
    }
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
    const size_t blocks = shepard_ceil_div(coordinates->count, INTAKE_BLOCK);
    struct intake intake = {.data = coordinates, .points = geometry, .blocks = blocks};
    intake.kept = shepard_allocate(geometry->allocator, blocks + 1, sizeof *intake.kept);
    intake.boxes = shepard_allocate(geometry->allocator, blocks + 1, sizeof *intake.boxes);
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    if (intake.kept == NULL || intake.boxes == NULL) {
        shepard_error_set_memory(error, "the data points");
    } else {
        count_usable(&intake);
        geometry->skipped = coordinates->count - geometry->count;
        geometry->as_given = geometry->skipped == 0;
        status = geometry->count > 0 ? allocate(geometry, error)
                                     : shepard_geometry_fail_empty(coordinates->count, error);
    }
    if (status == SHEPARD_OK)
        copy_into_frame(&intake, stretch);
    shepard_release(geometry->allocator, intake.boxes);
    shepard_release(geometry->allocator, intake.kept);
    return status;
}

enum shepard_status shepard_geometry_begin(struct shepard_geometry *geometry,
                                           struct shepard_error *error)
{
    geometry->count = geometry->whole.points;
    geometry->box = shepard_geometry_places(&geometry->whole);
    geometry->frame = frame_of_whole(&geometry->whole);
    return allocate(geometry, error);
}

void shepard_geometry_put(struct shepard_geometry *geometry,
                          const struct shepard_coordinates *coordinates, size_t from, size_t first,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double x = shepard_array_at(&coordinates->x, from + i);
        double y = shepard_array_at(&coordinates->y, from + i);
        shepard_frame_place(&geometry->frame, &x, &y);
        geometry->x[first + i] = x;
        geometry->y[first + i] = y;
        geometry->index[first + i] = (uint32_t)(first + i);
    }
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
    geometry->as_given = false;
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

/* Points put into another order. */
struct permutation {
    const struct shepard_geometry *from;
    struct shepard_geometry to; /* its arrays; index holds the order at first */
};

/* Points moved per block of the loop. */
#define PERMUTE_BLOCK 16384

static void gather(const double *from, const uint32_t *order, size_t n, double *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[order[i]];
}

static enum shepard_status permute_block(void *context, size_t block, int thread)
{
    const struct permutation *p = context;
    const struct shepard_geometry *from = p->from;
    const size_t first = block * PERMUTE_BLOCK;
    const size_t n = shepard_smaller(PERMUTE_BLOCK, from->count - first);
    uint32_t *const order = p->to.index + first;
    (void)thread;
    gather(from->x, order, n, p->to.x + first);
    gather(from->y, order, n, p->to.y + first);
    if (from->z != NULL)
        gather(from->z, order, n, p->to.z + first);
    for (size_t i = 0; !from->as_given && i < n; i++)
        order[i] = from->index[order[i]];
    return SHEPARD_OK;
}

enum shepard_status shepard_geometry_permute(struct shepard_geometry *geometry, uint32_t *order,
                                             struct shepard_error *error)
{
    const size_t room = shepard_geometry_room(geometry->count);
    const struct shepard_allocator *allocator = geometry->allocator;
    struct permutation permutation = {.from = geometry, .to = *geometry};
    struct shepard_geometry *to = &permutation.to;
    to->as_given = false;
    to->index = order;
    to->x = shepard_allocate(allocator, room, sizeof(double));
    to->y = shepard_allocate(allocator, room, sizeof(double));
    to->z = geometry->z != NULL ? shepard_allocate(allocator, room, sizeof(double)) : NULL;
    if (to->x == NULL || to->y == NULL || (geometry->z != NULL && to->z == NULL)) {
        shepard_geometry_free(to);
        return shepard_error_set_memory(error, "sorting the data points");
    }
    shepard_loop_run(
        &(struct shepard_loop){.threads = geometry->threads,
                               .blocks = shepard_ceil_div(geometry->count, PERMUTE_BLOCK),
                               .body = permute_block,
                               .context = &permutation});
    shepard_geometry_free(geometry);
    *geometry = *to;
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
