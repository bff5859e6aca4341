/* SPDX-License-Identifier: MIT */
#include "backend/cpu/points.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

/* ---- offsets --------------------------------------------------------------------------------- */

static void place_group(const struct shepard_cpu_points *points, size_t g)
{
    const struct shepard_geometry *geometry = &points->base.geometry;
    const struct shepard_cpu_offsets *offsets = points->offsets;
    const double *const x = geometry->x, *const y = geometry->y;
    const size_t first = g * SHEPARD_GROUP;
    const size_t end = shepard_smaller(first + SHEPARD_GROUP, geometry->count);
    struct shepard_box box = {x[first], x[first], y[first], y[first]};
    for (size_t i = first; i < end; i++) {
        box.x_min = fmin(box.x_min, x[i]);
        box.x_max = fmax(box.x_max, x[i]);
        box.y_min = fmin(box.y_min, y[i]);
        box.y_max = fmax(box.y_max, y[i]);
    }
    struct shepard_group group = {(box.x_min + box.x_max) / 2, (box.y_min + box.y_max) / 2, 0};
    for (size_t i = first; i < end; i++) {
        const double dx = x[i] - group.x, dy = y[i] - group.y;
        offsets->x[i] = (float)dx;
        offsets->y[i] = (float)dy;
        const double d2 = dx * dx + dy * dy;
        group.radius2 = d2 > group.radius2 ? d2 : group.radius2;
    }
    offsets->groups[g] = group;
}

void shepard_cpu_points_place(const struct shepard_cpu_points *points, size_t first, size_t end)
{
    for (size_t g = first; g < end; g++)
        place_group(points, g);
}

/* Groups placed per block of the loop. */
#define PLACE_BLOCK 256

static enum shepard_status place_block(void *context, size_t block, int thread)
{
    const struct shepard_cpu_points *points = context;
    const size_t groups = shepard_ceil_div(points->base.geometry.count, SHEPARD_GROUP);
    (void)thread;
    shepard_cpu_points_place(points, block * PLACE_BLOCK,
                             shepard_smaller((block + 1) * PLACE_BLOCK, groups));
    return SHEPARD_OK;
}

static void release_offsets(const struct shepard_cpu_points *points)
{
    const struct shepard_allocator *allocator = points->base.geometry.allocator;
    struct shepard_cpu_offsets *offsets = points->offsets;
    shepard_release(allocator, offsets->y);
    shepard_release(allocator, offsets->x);
    shepard_release(allocator, offsets->groups);
    offsets->x = offsets->y = NULL;
    offsets->groups = NULL;
}

static enum shepard_status allocate_offsets(const struct shepard_cpu_points *points)
{
    const struct shepard_geometry *geometry = &points->base.geometry;
    struct shepard_cpu_offsets *offsets = points->offsets;
    const size_t n = geometry->count, groups = shepard_ceil_div(n, SHEPARD_GROUP);
    offsets->groups = shepard_allocate(geometry->allocator, groups, sizeof *offsets->groups);
    offsets->x = shepard_allocate(geometry->allocator, n, sizeof(float));
    offsets->y = shepard_allocate(geometry->allocator, n, sizeof(float));
    if (offsets->groups && offsets->x && offsets->y)
        return SHEPARD_OK;
    release_offsets(points);
    return SHEPARD_ERROR_MEMORY;
}

static enum shepard_status make_offsets(const struct shepard_cpu_points *points)
{
    const struct shepard_geometry *geometry = &points->base.geometry;
    const size_t groups = shepard_ceil_div(geometry->count, SHEPARD_GROUP);
    if (allocate_offsets(points) != SHEPARD_OK)
        return SHEPARD_ERROR_MEMORY;
    const struct shepard_loop loop = {.threads = geometry->threads,
                                      .blocks = shepard_ceil_div(groups, PLACE_BLOCK),
                                      .body = place_block,
                                      .context = (void *)(uintptr_t)points};
    return shepard_loop_run(&loop);
}

enum shepard_status shepard_cpu_points_provide_offsets(const struct shepard_cpu_points *points)
{
    struct shepard_once *once = &points->offsets->once;
    return shepard_once_begin(once) ? shepard_once_end(once, make_offsets(points)) : SHEPARD_OK;
}

/* ---- points ---------------------------------------------------------------------------------- */

static struct shepard_cpu_points *new_points(const struct shepard_allocator *allocator, int threads)
{
    struct shepard_cpu_points *made = shepard_allocate(allocator, 1, sizeof *made);
    struct shepard_cpu_offsets *offsets = shepard_allocate(allocator, 1, sizeof *offsets);
    if (made == NULL || offsets == NULL) {
        shepard_release(allocator, offsets);
        shepard_release(allocator, made);
        return NULL;
    }
    *offsets = (struct shepard_cpu_offsets){0};
    *made = (struct shepard_cpu_points){.kernels = shepard_kernels_choose(), .offsets = offsets};
    made->base.geometry.allocator = allocator;
    made->base.geometry.threads = threads;
    made->store.allocator = allocator;
    return made;
}

void shepard_cpu_points_free(struct shepard_prepared_points *points)
{
    struct shepard_cpu_points *own = (struct shepard_cpu_points *)points;
    const struct shepard_allocator *allocator = points->geometry.allocator;
    release_offsets(own);
    shepard_release(allocator, own->offsets);
    shepard_tree_free(&own->store);
    shepard_geometry_free(&points->geometry);
    shepard_release(allocator, own);
}

enum shepard_status shepard_cpu_points_create(const struct shepard_points_plan *plan,
                                              struct shepard_prepared_points **points,
                                              struct shepard_error *error)
{
    struct shepard_cpu_points *made = new_points(plan->allocator, plan->threads);
    if (made == NULL)
        return shepard_error_set_memory(error, "the points");
    struct shepard_geometry *geometry = &made->base.geometry;
    geometry->frame.space = plan->space;
    geometry->whole = *plan->whole;
    enum shepard_status status =
        shepard_geometry_create(plan->coordinates, &plan->stretch, geometry, error);
    if (status == SHEPARD_OK)
        status = shepard_tree_create(geometry, &made->store, error);
    if (status == SHEPARD_OK)
        *points = &made->base;
    else
        shepard_cpu_points_free(&made->base);
    return status;
}

enum shepard_status shepard_cpu_points_begin(const struct shepard_points_plan *plan,
                                             struct shepard_cpu_points **points,
                                             struct shepard_error *error)
{
    struct shepard_cpu_points *made = new_points(plan->allocator, plan->threads);
    if (made == NULL)
        return shepard_error_set_memory(error, "the points");
    struct shepard_once *once = &made->offsets->once;
    made->base.geometry.whole = *plan->whole;
    enum shepard_status status = shepard_geometry_begin(&made->base.geometry, error);
    if (status == SHEPARD_OK)
        status = shepard_tree_begin(&made->base.geometry, &made->store, error);
    if (status == SHEPARD_OK && shepard_once_begin(once) &&
        shepard_once_end(once, allocate_offsets(made)) != SHEPARD_OK)
        status = shepard_error_set_memory(error, "the points");
    if (status == SHEPARD_OK)
        *points = made;
    else
        shepard_cpu_points_free(&made->base);
    return status;
}

enum shepard_status shepard_cpu_points_subset(const struct shepard_prepared_points *all,
                                              const bool *keep,
                                              struct shepard_prepared_points **points,
                                              struct shepard_error *error)
{
    const struct shepard_geometry *from = &all->geometry;
    struct shepard_cpu_points *made = new_points(from->allocator, from->threads);
    if (made == NULL)
        return shepard_error_set_memory(error, "the points");
    struct shepard_geometry *geometry = &made->base.geometry;
    enum shepard_status status = shepard_geometry_subset(from, keep, geometry, error);
    if (status == SHEPARD_OK)
        status = geometry->z != NULL ? shepard_tree_create(geometry, &made->store, error)
                                     : shepard_tree_create_sorted(geometry, &made->store, error);
    if (status == SHEPARD_OK)
        *points = &made->base;
    else
        shepard_cpu_points_free(&made->base);
    return status;
}

enum shepard_status shepard_cpu_points_adopt(struct shepard_geometry *geometry,
                                             struct shepard_prepared_points **points,
                                             struct shepard_error *error)
{
    struct shepard_cpu_points *made = new_points(geometry->allocator, geometry->threads);
    if (made == NULL) {
        shepard_geometry_free(geometry);
        return shepard_error_set_memory(error, "the points");
    }
    made->base.geometry = *geometry;
    enum shepard_status status = shepard_tree_create(&made->base.geometry, &made->store, error);
    if (status == SHEPARD_OK)
        *points = &made->base;
    else
        shepard_cpu_points_free(&made->base);
    return status;
}

void shepard_cpu_points_holding(const struct shepard_prepared_points *points,
                                struct shepard_holding *holding)
{
    const struct shepard_cpu_points *own = shepard_cpu_points_of(points);
    const size_t n = points->geometry.count;
    holding->bytes =
        sizeof *own + sizeof *own->offsets + shepard_geometry_bytes(&points->geometry) +
        own->store.box_count * (sizeof(struct shepard_boxes) +
                                (own->store.sides != NULL ? sizeof *own->store.sides : 0));
    if (shepard_once_is_ready(&own->offsets->once))
        holding->bytes += shepard_ceil_div(n, SHEPARD_GROUP) * sizeof(struct shepard_group) +
                          n * 2 * sizeof(float);
}
