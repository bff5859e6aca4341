/* SPDX-License-Identifier: MIT */
#include "core/interactions.h"

#include "base/arithmetic.h"
#include "base/fetch.h"
#include "base/memory.h"

#include <float.h>
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

/* Nodes are looked at in two steps. Squares of distances say which orders are good enough by the
 * node's own weight (Eq. 31), and that the error budget can pay nothing for most nodes, which are
 * too heavy or too near (Eq. 32a). The costs of orders are worked out for the others. */
struct walk {
    const struct shepard_interaction_query *view;
    struct shepard_interactions *to;
    double left; /* of the error budget of core/mac.h */
    /* The least R^2 from which on the budget may pay for an order of a node of a level, and for
     * leaving it out. */
    float paid2[SHEPARD_MOMENT_LEVELS_MAX], skipped2[SHEPARD_MOMENT_LEVELS_MAX];
};

/* For each level a little less than the R^2 at which its lightest nodes, the last one aside, weigh
 * 2^weight times the weight floor; 0 where that is hardly more. */
static void set_radii2(const struct shepard_interaction_query *view, double weight, double power,
                       float *radii2)
{
    const struct shepard_weight_floor *weight_floor = &view->weight_floor;
    const double heavier = view->least_charge + log2(SHEPARD_LEAF) - SHEPARD_ACCURACY_MARGIN -
                           weight_floor->charge - weight;
    for (int level = 0; level < view->moments->levels; level++) {
        const double radius2 = 2 * (weight_floor->distance + (heavier + level) / power);
        radii2[level] = radius2 > -100 ? (float)(shepard_accuracy_exp2(radius2) * (1 / 1.07)) : 0;
    }
}

static struct walk begin_walk(const struct shepard_interaction_query *view,
                              struct shepard_interactions *to)
{
    const struct shepard_accuracy *accuracy = view->accuracy;
    const double skipped = (double)accuracy->absolute - SHEPARD_BUDGET_SKIP_LOG2;
    struct walk walk;
    walk.view = view;
    walk.to = to;
    walk.left = shepard_mac_budget(accuracy);
    set_radii2(view, (double)accuracy->light, (double)accuracy->power[accuracy->parts - 1],
               walk.paid2);
    set_radii2(view, skipped, (double)accuracy->power[0], walk.skipped2);
    return walk;
}

static double gap(double low, double high, double a)
{
    const double below = low - a, above = a - high, most = below > above ? below : above;
    return most > 0 ? most : 0;
}

/* The least squared distance between the target cell and a place. */
static double distance2_of(const struct shepard_box *region, const struct shepard_node *node)
{
    const double dx = gap(region->x_min, region->x_max, node->x);
    const double dy = gap(region->y_min, region->y_max, node->y);
    return dx * dx + dy * dy;
}

/* As core/mac.h sees a node, lengths rounded down. R^2 is no less than 2^-1000. */
static struct shepard_node_geometry look_at(const struct shepard_interaction_query *view, int level,
                                            size_t node, double d2)
{
    const struct shepard_moments *moments = view->moments;
    const float *mean_radius_log2 = moments->mean_radius_log2 + node * moments->mean_radius_stride;
    const double r2 = d2 + view->smoothing2;
    return (struct shepard_node_geometry){.charge = (double)mean_radius_log2[0],
                                          .d2 = d2,
                                          .smoothing2 = view->smoothing2,
                                          .scale = moments->nodes[node].scale,
                                          .distance =
                                              shepard_accuracy_log2(r2) / 2 - SHEPARD_LOG2_ERROR,
                                          .mean_radius_log2 = mean_radius_log2 + 1,
                                          .orders = moments->orders[level]};
}

/* Numbers of orders that are of use for a level's nodes. */
static int orders_of(const struct shepard_interaction_query *view, int level)
{
    const int orders = view->moments->orders[level], useful = view->accuracy->orders;
    return orders < useful ? orders : useful;
}

/* Of SHEPARD_MEAN_RADIUS_LANES orders those for which r2 is less than squares times ratios, as
 * bits. Written so that compilers make vectors of it. */
static unsigned below(float r2, const float *squares, const float *ratios)
{
    static const unsigned bit[SHEPARD_MEAN_RADIUS_LANES] = {1, 2, 4, 8, 16, 32, 64, 128};
    unsigned bits = 0;
    for (int l = 0; l < SHEPARD_MEAN_RADIUS_LANES; l++)
        bits |= r2 < squares[l] * ratios[l] ? bit[l] : 0;
    return bits;
}

/* Rows of mean radii for planes, whose errors are bounded by the node's radius. */
static void fill(float *row, float radius)
{
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        row[o] = radius;
}

/* The least order number that is good enough by Eq. 31, as those above it are; SHEPARD_ORDER_NONE
 * where the largest is not. */
static int sure_order(const struct shepard_interaction_query *view, int level, size_t node,
                      float r2)
{
    const struct shepard_moments *moments = view->moments;
    const int orders = orders_of(view, level);
    const float *squares = moments->mean_radius2 + node * moments->mean_radius2_stride;
    const float *ratios = view->accuracy->relative_ratio2;
    float row[SHEPARD_ORDERS_MAX];
    if (view->plane) {
        const double scale = moments->nodes[node].scale;
        fill(row, (float)(scale * scale) * (1 + 0x1p-20f) + FLT_MIN);
        squares = row;
    }
    unsigned bad = below(r2, squares, ratios);
    if (orders > SHEPARD_MEAN_RADIUS_LANES)
        bad |= below(r2, squares + SHEPARD_MEAN_RADIUS_LANES, ratios + SHEPARD_MEAN_RADIUS_LANES)
               << SHEPARD_MEAN_RADIUS_LANES;
    bad &= (1u << orders) - 1;
    const int order = bad == 0 ? 0 : 32 - __builtin_clz(bad);
    return order < orders ? order : SHEPARD_ORDER_NONE;
}

/* Whether the error budget may pay for a lower order than a sure one, or for leaving a node out.
 * The last node of a level may be lighter than others. Planes have no budget. */
static bool may_pay(const struct walk *walk, int level, size_t i, int sure, float r2)
{
    const struct shepard_moments *moments = walk->view->moments;
    const struct shepard_accuracy *accuracy = walk->view->accuracy;
    const int top = orders_of(walk->view, level) - 1;
    const float *squares =
        moments->mean_radius2 + (moments->first[level] + i) * moments->mean_radius2_stride;
    if (walk->view->plane)
        return false;
    if (i + 1 == moments->count[level])
        return true;
    return (sure <= 0 && r2 >= walk->skipped2[level]) ||
           (sure != 0 && r2 >= walk->paid2[level] &&
            r2 >= squares[top] * accuracy->limit_ratio2[top]);
}

/* Whether the node may contain a place of the target cell: no point is farther from its centre than
 * its scale, rounding aside. */
static bool may_hold(const struct shepard_node *node, double d2)
{
    return d2 <= node->scale * node->scale * (1 + 1e-9);
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

/* By logarithms, and what the error budget pays for. sure: an order that is good enough. */
static int look_in_full(struct walk *walk, int level, size_t node, double d2, int sure)
{
    const struct shepard_interaction_query *view = walk->view;
    struct shepard_node_geometry geometry = look_at(view, level, node, d2);
    float row[SHEPARD_ORDERS_MAX];
    double spent;
    if (view->plane) {
        fill(row, geometry.scale > 0 ? (float)(log2(geometry.scale) + 1e-6)
                                     : (float)SHEPARD_MEAN_RADIUS_NONE);
        geometry.mean_radius_log2 = row;
    }
    const int order =
        shepard_mac_test(view->accuracy, &geometry, &view->weight_floor, walk->left, sure, &spent);
    walk->left -= spent;
    return order;
}

/* Squares of less than this in float32 may have lost what they are compared by. */
#define QUICK_MIN2 0x1p-80f

/* The order to sum a node by, or what else is to be done with it. */
static int order_for(struct walk *walk, int level, size_t i, bool apart)
{
    const struct shepard_interaction_query *view = walk->view;
    const size_t node = view->moments->first[level] + i;
    const double d2 = distance2_of(&view->region, &view->moments->nodes[node]);
    const float r2 = (float)((d2 + view->smoothing2) * (1 - 0x1p-23));
    if (apart || (view->apart && may_hold(&view->moments->nodes[node], d2)))
        return SHEPARD_ORDER_NONE;
    if (r2 < QUICK_MIN2)
        return d2 + view->smoothing2 >= 0x1p-1000
                   ? look_in_full(walk, level, node, d2, SHEPARD_ORDER_NONE)
                   : SHEPARD_ORDER_NONE;
    const int sure = sure_order(view, level, node, r2);
    return may_pay(walk, level, i, sure, r2) ? look_in_full(walk, level, node, d2, sure) : sure;
}

/* Prefetches the children of a node. */
SHEPARD_FETCH void fetch_children(const struct shepard_moments *moments, int level, size_t i)
{
    const size_t child = moments->first[level - 1] + 2 * i;
    __builtin_prefetch(&moments->nodes[child]);
    __builtin_prefetch(&moments->nodes[child + 1]);
    __builtin_prefetch(moments->mean_radius2 + child * moments->mean_radius2_stride);
}

static bool visit(struct walk *walk, int level, size_t i)
{
    const struct shepard_interaction_query *view = walk->view;
    const struct shepard_moments *moments = view->moments;
    const size_t node = moments->first[level] + i;
    if (level > 0)
        fetch_children(moments, level, i);
    const enum shepard_star_cover cover = cover_of(view, node);
    if (cover == SHEPARD_STAR_ALL)
        return true;
    const int order = order_for(walk, level, i, cover == SHEPARD_STAR_SOME);
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
    struct walk walk = begin_walk(view, interactions);
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
