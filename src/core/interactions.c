/* SPDX-License-Identifier: MIT */
#include "core/interactions.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

#define ROOM_FIRST 64

void shepard_interactions_free(struct shepard_interactions *interactions)
{
    shepard_release(interactions->allocator, interactions->run);
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        shepard_release(interactions->allocator, interactions->node[o]);
    *interactions = (struct shepard_interactions){.allocator = interactions->allocator};
}

/* Room for one more element; NULL where memory is out, and the old block stays. */
static void *grow(const struct shepard_allocator *allocator, void *block, size_t count, size_t size,
                  size_t *room)
{
    if (count < *room)
        return block;
    const size_t wanted = *room > 0 ? 2 * *room : ROOM_FIRST;
    void *larger = shepard_allocate(allocator, wanted, size);
    if (larger == NULL)
        return NULL;
    if (count > 0)
        memcpy(larger, block, count * size);
    shepard_release(allocator, block);
    *room = wanted;
    return larger;
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
    struct shepard_run *run = grow(interactions->allocator, interactions->run, interactions->runs,
                                   sizeof *run, &interactions->run_room);
    if (run == NULL)
        return false;
    interactions->run = run;
    run[interactions->runs++] = (struct shepard_run){first, count};
    return true;
}

static bool add_node(struct shepard_interactions *interactions, int o, size_t node)
{
    uint32_t *nodes = grow(interactions->allocator, interactions->node[o], interactions->nodes[o],
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

/* The least distance between the region and the node's centre, lengths rounded down. */
static struct shepard_sight look_at(const struct shepard_view *view, int level, size_t node)
{
    const struct shepard_moments *moments = view->moments;
    const struct shepard_node *n = &moments->nodes[node];
    const float *reach = moments->reach + node * moments->reach_stride;
    const double dx = gap(view->region.x_min, view->region.x_max, n->x);
    const double dy = gap(view->region.y_min, view->region.y_max, n->y);
    const double d2 = dx * dx + dy * dy;
    const double r2 = d2 + view->smoothing2;
    return (struct shepard_sight){.charge = (double)reach[0],
                                  .d2 = d2,
                                  .smoothing2 = view->smoothing2,
                                  .scale = n->scale,
                                  .distance = r2 >= 0x1p-1000 ? shepard_accuracy_log2(r2) / 2 -
                                                                    SHEPARD_LOG2_ERROR
                                                              : -INFINITY,
                                  .reach = reach + 1,
                                  .orders = moments->orders[level]};
}

/* Whether the node may hold a place of the region: no point is farther from its centre than its
 * scale, rounding aside. */
static bool may_hold(const struct shepard_sight *sight)
{
    return sight->d2 <= sight->scale * sight->scale * (1 + 1e-9);
}

struct walk {
    const struct shepard_view *view;
    struct shepard_interactions *to;
    double extent; /* of the region */
    double left;   /* of the account of core/acceptance.h */
};

static bool visit(struct walk *walk, int level, size_t i)
{
    const struct shepard_view *view = walk->view;
    const struct shepard_moments *moments = view->moments;
    const size_t node = moments->first[level] + i;
    float radii[SHEPARD_ORDERS_MAX];
    if (level > 0) {
        /* The children, should they be looked at: they come while this node is judged. */
        const size_t child = moments->first[level - 1] + 2 * i;
        __builtin_prefetch(&moments->nodes[child]);
        __builtin_prefetch(&moments->nodes[child + 1]);
        __builtin_prefetch(moments->reach + child * moments->reach_stride);
    }
    struct shepard_sight sight = look_at(view, level, node);
    sight.extent = walk->extent;
    if (view->plane) {
        const double scale = moments->nodes[node].scale;
        for (int o = 0; o < sight.orders; o++)
            radii[o] = scale > 0 ? (float)(log2(scale) + 1e-6) : -2000.0f;
        sight.reach = radii;
    }
    const int order =
        sight.distance > -INFINITY && !(view->apart && may_hold(&sight))
            ? shepard_accuracy_order(view->accuracy, &sight, &view->standard, &walk->left)
            : SHEPARD_ORDER_NONE;
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
                               const struct shepard_view *view)
{
    const struct shepard_box *of = &view->region;
    struct walk walk = {view, interactions, hypot(of->x_max - of->x_min, of->y_max - of->y_min),
                        shepard_accuracy_account(view->accuracy)};
    clear(interactions);
    return visit(&walk, view->moments->levels - 1, 0);
}

/* ---- parting --------------------------------------------------------------------------------- */

/* No less than R^2 of any of a node's points, rounding aside; 0 where one may be at the place. */
static double clear2_of(const struct shepard_parting *parting, size_t node)
{
    const struct shepard_node *n = &parting->moments->nodes[node];
    const double dx = n->x - parting->x, dy = n->y - parting->y;
    const double clear = sqrt(dx * dx + dy * dy) - n->scale;
    return (clear > 0 ? clear * clear : 0) + parting->smoothing2;
}

static double point2_of(const struct shepard_parting *parting, size_t i)
{
    const double dx = parting->tree->x[i] - parting->x, dy = parting->tree->y[i] - parting->y;
    return dx * dx + dy * dy + parting->smoothing2;
}

/* Adds points, all of them far. */
static bool add_far(struct shepard_parting *parting, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        parting->least2 = fmin(parting->least2, point2_of(parting, i));
    return count == 0 || add_run(parting->far, first, count);
}

/* A leaf's near points are mostly next to each other in the tree's order: all from the first of
 * them to the last are taken as near. */
static bool part_leaf(struct shepard_parting *parting, size_t first, size_t count)
{
    size_t start = 0, end = count;
    if (clear2_of(parting, parting->moments->first[0] + first / SHEPARD_LEAF) >= parting->reach2)
        return add_far(parting, first, count);
    while (start < end && point2_of(parting, first + start) >= parting->reach2)
        start++;
    while (end > start && point2_of(parting, first + end - 1) >= parting->reach2)
        end--;
    return add_far(parting, first, start) &&
           (start == end || add_run(parting->near, first + start, end - start)) &&
           add_far(parting, first + end, count - end);
}

static bool part_run(struct shepard_parting *parting, const struct shepard_run *run)
{
    const size_t end = run->first + run->count;
    bool good = true;
    for (size_t first = run->first; good && first < end; first += SHEPARD_LEAF)
        good = part_leaf(parting, first, shepard_smaller(SHEPARD_LEAF, end - first));
    return good;
}

static bool part_node(struct shepard_parting *parting, int o, size_t node)
{
    const double clear2 = clear2_of(parting, node);
    if (clear2 < parting->reach2)
        return add_node(parting->near, o, node);
    parting->least2 = fmin(parting->least2, clear2);
    return add_node(parting->far, o, node);
}

bool shepard_interactions_part(const struct shepard_interactions *all,
                               struct shepard_parting *parting)
{
    bool good = true;
    clear(parting->near);
    clear(parting->far);
    parting->least2 = INFINITY;
    for (size_t i = 0; good && i < all->runs; i++)
        good = part_run(parting, &all->run[i]);
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        for (size_t i = 0; good && i < all->nodes[o]; i++)
            good = part_node(parting, o, all->node[o][i]);
    return good;
}
