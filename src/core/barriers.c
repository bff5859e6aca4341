/* SPDX-License-Identifier: MIT */
#include "core/barriers.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/array.h"
#include "core/hilbert.h"

#include <math.h>

/* ---- lines ----------------------------------------------------------------------------------- */

static struct shepard_plane_point vertex(const struct shepard_barriers *lines, size_t i)
{
    return (struct shepard_plane_point){shepard_array_at(&lines->x, i),
                                        shepard_array_at(&lines->y, i)};
}

/* Whether vertex i ends a line instead of being part of one. */
static bool is_gap(const struct shepard_barriers *lines, size_t i)
{
    return i == lines->count || isnan(shepard_array_at(&lines->x, i));
}

static enum shepard_status check_vertex(const struct shepard_barriers *lines, size_t i,
                                        struct shepard_error *error)
{
    const struct shepard_plane_point at = vertex(lines, i);
    if ((isfinite(at.x) && isfinite(at.y)) || (isnan(at.x) && isnan(at.y)))
        return SHEPARD_OK;
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, "barriers",
        "vertex %zu of the barriers is (%g, %g): coordinates must be finite, or "
        "both NaN between two lines",
        i, at.x, at.y);
}

enum shepard_status shepard_barriers_count(const struct shepard_barriers *lines, size_t *segments,
                                           struct shepard_error *error)
{
    *segments = 0;
    for (size_t i = 0; i < lines->count; i++) {
        const enum shepard_status status = check_vertex(lines, i, error);
        if (status != SHEPARD_OK)
            return status;
        const bool first = i == 0 || is_gap(lines, i - 1), last = is_gap(lines, i + 1);
        *segments += !is_gap(lines, i) && (!last || first);
    }
    return SHEPARD_OK;
}

/* In frame units. */
static enum shepard_status put_vertex(const struct shepard_barriers *lines, size_t i,
                                      const struct shepard_frame *frame,
                                      struct shepard_plane_point *to, struct shepard_error *error)
{
    *to = vertex(lines, i);
    if (shepard_frame_target(frame, &to->x, &to->y))
        return SHEPARD_OK;
    const struct shepard_plane_point at = vertex(lines, i);
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "barriers",
                             "vertex %zu of the barriers, (%g, %g), is more than 1e72 times as far "
                             "from the points as they are from each other: cut the line",
                             i, at.x, at.y);
}

/* A line of one vertex is a segment from it to itself. */
static enum shepard_status copy_segments(const struct shepard_barriers *lines,
                                         const struct shepard_frame *frame,
                                         struct shepard_segment *segments,
                                         struct shepard_error *error)
{
    enum shepard_status status = SHEPARD_OK;
    size_t made = 0;
    for (size_t i = 0; i < lines->count && status == SHEPARD_OK; i++) {
        const bool first = i == 0 || is_gap(lines, i - 1), last = is_gap(lines, i + 1);
        if (is_gap(lines, i) || (last && !first))
            continue;
        struct shepard_segment *segment = &segments[made++];
        status = put_vertex(lines, i, frame, &segment->a, error);
        segment->b = segment->a;
        if (status == SHEPARD_OK && !last)
            status = put_vertex(lines, i + 1, frame, &segment->b, error);
    }
    return status;
}

/* ---- order ----------------------------------------------------------------------------------- */

static void permute(struct shepard_segment *segments, const struct shepard_segment *from,
                    const uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        segments[i] = from[order[i]];
}

/* Puts segments along the Hilbert curve by their middles. from: room for a copy; middles: for
 * [2 count]. */
static enum shepard_status sort_with(struct shepard_barrier_store *store, int threads,
                                     struct shepard_segment *from, double *middles, uint32_t *order)
{
    const size_t count = store->tree.count;
    double *x = middles, *y = middles + count;
    for (size_t i = 0; i < count; i++) {
        from[i] = store->segments[i];
        x[i] = (from[i].a.x + from[i].b.x) / 2;
        y[i] = (from[i].a.y + from[i].b.y) / 2;
    }
    const struct shepard_places places = {.count = count, .x = x, .y = y};
    const enum shepard_status status =
        shepard_hilbert_order(&places, threads, store->allocator, order);
    if (status == SHEPARD_OK)
        permute(store->segments, from, order, count);
    return status;
}

static enum shepard_status sort(struct shepard_barrier_store *store, int threads)
{
    const struct shepard_allocator *allocator = store->allocator;
    const size_t count = store->tree.count;
    struct shepard_segment *from = shepard_allocate(allocator, count, sizeof *from);
    double *middles = shepard_allocate(allocator, count, 2 * sizeof *middles);
    uint32_t *order = shepard_allocate(allocator, count, sizeof *order);
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    if (from != NULL && middles != NULL && order != NULL)
        status = sort_with(store, threads, from, middles, order);
    shepard_release(allocator, order);
    shepard_release(allocator, middles);
    shepard_release(allocator, from);
    return status;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static void set_box(struct shepard_boxes *boxes, size_t node, const struct shepard_box *box)
{
    struct shepard_boxes *set = &boxes[node / SHEPARD_FANOUT];
    const size_t i = node % SHEPARD_FANOUT;
    set->x_min[i] = box->x_min;
    set->x_max[i] = box->x_max;
    set->y_min[i] = box->y_min;
    set->y_max[i] = box->y_max;
}

static struct shepard_box box_of_segment(const struct shepard_segment *segment)
{
    const struct shepard_plane_point a = segment->a, b = segment->b;
    return (struct shepard_box){fmin(a.x, b.x), fmax(a.x, b.x), fmin(a.y, b.y), fmax(a.y, b.y)};
}

/* The box round a set of siblings. */
static struct shepard_box box_of_set(const struct shepard_boxes *set)
{
    struct shepard_box box = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = 0; i < SHEPARD_FANOUT; i++)
        box = (struct shepard_box){fmin(box.x_min, set->x_min[i]), fmax(box.x_max, set->x_max[i]),
                                   fmin(box.y_min, set->y_min[i]), fmax(box.y_max, set->y_max[i])};
    return box;
}

/* Levels of a tree over n segments, and the sets of boxes they take together. */
static int count_levels(size_t n, size_t *sets)
{
    int levels = 1;
    *sets = shepard_ceil_div(n, SHEPARD_FANOUT);
    for (size_t nodes = *sets; nodes > 1; nodes = shepard_ceil_div(nodes, SHEPARD_FANOUT)) {
        levels++;
        *sets += shepard_ceil_div(nodes, SHEPARD_FANOUT);
    }
    return levels;
}

static void fill_boxes(struct shepard_barrier_store *store)
{
    static const struct shepard_box nothing = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    struct shepard_barrier_tree *tree = &store->tree;
    struct shepard_boxes *boxes = store->boxes, *below = NULL;
    size_t nodes = tree->count;
    for (int level = 0; level < tree->levels; level++) {
        const size_t sets = shepard_ceil_div(nodes, SHEPARD_FANOUT);
        for (size_t node = 0; node < sets * SHEPARD_FANOUT; node++) {
            const struct shepard_box box = node >= nodes ? nothing
                                           : level == 0  ? box_of_segment(&store->segments[node])
                                                         : box_of_set(&below[node]);
            set_box(boxes, node, &box);
        }
        tree->boxes[level] = below = boxes;
        boxes += sets;
        nodes = sets;
    }
}

/* ---- the index ------------------------------------------------------------------------------- */

static enum shepard_status fill(const struct shepard_barriers *lines,
                                const struct shepard_frame *frame, int threads,
                                struct shepard_barrier_store *store, struct shepard_error *error)
{
    enum shepard_status status = copy_segments(lines, frame, store->segments, error);
    if (status != SHEPARD_OK)
        return status;
    status = sort(store, threads);
    if (status != SHEPARD_OK)
        return shepard_error_set_memory(error, "sorting the barriers");
    fill_boxes(store);
    return SHEPARD_OK;
}

enum shepard_status shepard_barriers_create(const struct shepard_barriers *lines, size_t segments,
                                            const struct shepard_frame *frame, int threads,
                                            struct shepard_barrier_store *store,
                                            struct shepard_error *error)
{
    const struct shepard_allocator *allocator = store->allocator;
    store->tree = (struct shepard_barrier_tree){.count = segments};
    store->tree.levels = count_levels(segments, &store->box_count);
    store->segments = shepard_allocate(allocator, segments, sizeof *store->segments);
    store->boxes = shepard_allocate(allocator, store->box_count, sizeof *store->boxes);
    store->tree.segments = store->segments;
    enum shepard_status status = store->segments != NULL && store->boxes != NULL
                                     ? fill(lines, frame, threads, store, error)
                                     : shepard_error_set_memory(error, "the barriers");
    if (status != SHEPARD_OK)
        shepard_barriers_free(store);
    return status;
}

void shepard_barriers_free(struct shepard_barrier_store *store)
{
    shepard_release(store->allocator, store->boxes);
    shepard_release(store->allocator, store->segments);
    *store = (struct shepard_barrier_store){.allocator = store->allocator};
}

size_t shepard_barriers_bytes(const struct shepard_barrier_store *store)
{
    return store->tree.count * sizeof *store->segments + store->box_count * sizeof *store->boxes;
}
