/* SPDX-License-Identifier: MIT */
#include "core/interactions.h"

#include "base/arithmetic.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

void shepard_interactions_free(struct shepard_interactions *interactions)
{
    shepard_release(interactions->allocator, interactions->run);
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        shepard_release(interactions->allocator, interactions->node[o]);
    *interactions = (struct shepard_interactions){.allocator = interactions->allocator};
}

/* Adds points behind the last run, or to it where they follow on it. */
static bool add_run(struct shepard_interactions *interactions, size_t first, size_t count)
{
    struct shepard_run *last =
        interactions->runs > 0 ? &interactions->run[interactions->runs - 1] : NULL;
    if (last != NULL && last->first + last->count == first) {
        last->count += count;
        return true;
    }
    struct shepard_run *run =
        shepard_reserve(interactions->allocator, interactions->run, interactions->runs, 1,
                        sizeof *run, &interactions->run_room);
    if (run == NULL)
        return false;
    interactions->run = run;
    run[interactions->runs++] = (struct shepard_run){first, count};
    return true;
}

static bool add_node(struct shepard_interactions *interactions, int o, size_t node)
{
    uint32_t *nodes =
        shepard_reserve(interactions->allocator, interactions->node[o], interactions->nodes[o], 1,
                        sizeof *nodes, &interactions->node_room[o]);
    if (nodes == NULL)
        return false;
    interactions->node[o] = nodes;
    nodes[interactions->nodes[o]++] = (uint32_t)node;
    return true;
}

static void clear(struct shepard_interactions *interactions)
{
    interactions->runs = 0;
    memset(interactions->nodes, 0, sizeof interactions->nodes);
}

bool shepard_interactions_list_all(struct shepard_interactions *interactions, size_t n)
{
    clear(interactions);
    return add_run(interactions, 0, n);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static double gap(double low, double high, double a)
{
    return a < low ? low - a : a > high ? a - high : 0;
}

/* The least distance between the target cell and the node's centre, lengths rounded down. */
static struct shepard_node_geometry look_at(const struct shepard_interaction_query *view, int level,
                                            size_t node)
{
    const struct shepard_moments *moments = view->moments;
    const struct shepard_node *n = &moments->nodes[node];
    const float *mean_radius_log2 = moments->mean_radius_log2 + node * moments->mean_radius_stride;
    const double dx = gap(view->region.x_min, view->region.x_max, n->x);
    const double dy = gap(view->region.y_min, view->region.y_max, n->y);
    const double d2 = dx * dx + dy * dy;
    const double r2 = d2 + view->smoothing2;
    return (struct shepard_node_geometry){
        .charge = (double)mean_radius_log2[0],
        .d2 = d2,
        .smoothing2 = view->smoothing2,
        .scale = n->scale,
        .distance =
            r2 >= 0x1p-1000 ? shepard_accuracy_log2(r2) / 2 - SHEPARD_LOG2_ERROR : -INFINITY,
        .mean_radius_log2 = mean_radius_log2 + 1,
        .orders = moments->orders[level]};
}

/* Whether the node may contain a place of the target cell: no point is farther from its centre than
 * its scale, rounding aside. */
static bool may_hold(const struct shepard_node_geometry *geometry)
{
    return geometry->d2 <= geometry->scale * geometry->scale * (1 + 1e-9);
}

/* What a star covers of a node's points, none of which is farther from its centre than its scale,
 * rounding aside. */
static enum shepard_star_cover cover_of(const struct shepard_interaction_query *view, size_t node)
{
    const struct shepard_node *n = &view->moments->nodes[node];
    const double x = n->x - view->region.x_min, y = n->y - view->region.y_min;
    const double radius = n->scale * (1 + 1e-9);
    if (view->star == NULL)
        return SHEPARD_STAR_NONE;
    const struct shepard_star_box box = {x - radius, x + radius, y - radius, y + radius};
    return shepard_star_cover(view->star, box);
}

struct walk {
    const struct shepard_interaction_query *view;
    struct shepard_interactions *to;
    double left; /* of the error budget of core/mac.h */
};

static bool visit(struct walk *walk, int level, size_t i)
{
    const struct shepard_interaction_query *view = walk->view;
    const struct shepard_moments *moments = view->moments;
    const size_t node = moments->first[level] + i;
    float radii[SHEPARD_ORDERS_MAX];
    if (level > 0) {
        /* Prefetches the children while this node is tested. */
        const size_t child = moments->first[level - 1] + 2 * i;
        __builtin_prefetch(&moments->nodes[child]);
        __builtin_prefetch(&moments->nodes[child + 1]);
        __builtin_prefetch(moments->mean_radius_log2 + child * moments->mean_radius_stride);
    }
    const enum shepard_star_cover cover = cover_of(view, node);
    if (cover == SHEPARD_STAR_ALL)
        return true;
    struct shepard_node_geometry geometry = look_at(view, level, node);
    if (view->plane) {
        const float radius = geometry.scale > 0 ? (float)(log2(geometry.scale) + 1e-6) : -2000.0f;
        for (int o = 0; o < geometry.orders; o++)
            radii[o] = radius;
        geometry.mean_radius_log2 = radii;
    }
    const bool apart = (view->apart && may_hold(&geometry)) || cover == SHEPARD_STAR_SOME;
    double spent = 0;
    const int order =
        geometry.distance > -INFINITY && !apart
            ? shepard_mac_test(view->accuracy, &geometry, &view->weight_floor, walk->left, &spent)
            : SHEPARD_ORDER_NONE;
    walk->left -= spent;
    if (order == SHEPARD_ORDER_SKIP)
        return true;
    if (order != SHEPARD_ORDER_NONE)
        return add_node(walk->to, order, node);
    if (level == 0)
        return add_run(walk->to, i * SHEPARD_LEAF,
                       shepard_smaller(SHEPARD_LEAF, view->points - i * SHEPARD_LEAF));
    if (!visit(walk, level - 1, 2 * i))
        return false;
    return 2 * i + 1 >= moments->count[level - 1] || visit(walk, level - 1, 2 * i + 1);
}

bool shepard_interactions_list(struct shepard_interactions *interactions,
                               const struct shepard_interaction_query *view)
{
    struct walk walk = {view, interactions, shepard_mac_budget(view->accuracy)};
    clear(interactions);
    return visit(&walk, view->moments->levels - 1, 0);
}

/* ---- near-far split -------------------------------------------------------------------------- */

/* No less than R^2 of any of a node's points, rounding aside; 0 where one may be at the place. */
static double clear2_of(const struct shepard_near_far_split *near_far_split, size_t node)
{
    const struct shepard_node *n = &near_far_split->moments->nodes[node];
    const double dx = n->x - near_far_split->x, dy = n->y - near_far_split->y;
    const double clear = sqrt(dx * dx + dy * dy) - n->scale;
    return (clear > 0 ? clear * clear : 0) + near_far_split->smoothing2;
}

static double point2_of(const struct shepard_near_far_split *near_far_split, size_t i)
{
    const double dx = near_far_split->tree->x[i] - near_far_split->x,
                 dy = near_far_split->tree->y[i] - near_far_split->y;
    return dx * dx + dy * dy + near_far_split->smoothing2;
}

/* Adds points, all of them far. */
static bool add_far(struct shepard_near_far_split *near_far_split, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        near_far_split->least2 = fmin(near_far_split->least2, point2_of(near_far_split, i));
    return count == 0 || add_run(near_far_split->far, first, count);
}

/* A leaf's near points are mostly next to each other in the tree's order: all from the first of
 * them to the last are taken as near. */
static bool part_leaf(struct shepard_near_far_split *near_far_split, size_t first, size_t count)
{
    size_t start = 0, end = count;
    if (clear2_of(near_far_split, near_far_split->moments->first[0] + first / SHEPARD_LEAF) >=
        near_far_split->reach2)
        return add_far(near_far_split, first, count);
    while (start < end && point2_of(near_far_split, first + start) >= near_far_split->reach2)
        start++;
    while (end > start && point2_of(near_far_split, first + end - 1) >= near_far_split->reach2)
        end--;
    return add_far(near_far_split, first, start) &&
           (start == end || add_run(near_far_split->near, first + start, end - start)) &&
           add_far(near_far_split, first + end, count - end);
}

static bool part_run(struct shepard_near_far_split *near_far_split, const struct shepard_run *run)
{
    const size_t end = run->first + run->count;
    bool good = true;
    for (size_t first = run->first; good && first < end; first += SHEPARD_LEAF)
        good = part_leaf(near_far_split, first, shepard_smaller(SHEPARD_LEAF, end - first));
    return good;
}

static bool part_node(struct shepard_near_far_split *near_far_split, int o, size_t node)
{
    const double clear2 = clear2_of(near_far_split, node);
    if (clear2 < near_far_split->reach2)
        return add_node(near_far_split->near, o, node);
    near_far_split->least2 = fmin(near_far_split->least2, clear2);
    return add_node(near_far_split->far, o, node);
}

bool shepard_interactions_part(const struct shepard_interactions *all,
                               struct shepard_near_far_split *near_far_split)
{
    bool good = true;
    clear(near_far_split->near);
    clear(near_far_split->far);
    near_far_split->least2 = INFINITY;
    for (size_t i = 0; good && i < all->runs; i++)
        good = part_run(near_far_split, &all->run[i]);
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        for (size_t i = 0; good && i < all->nodes[o]; i++)
            good = part_node(near_far_split, o, all->node[o][i]);
    return good;
}
