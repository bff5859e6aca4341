/* SPDX-License-Identifier: MIT */
/* Walks over the tree: k nearest points, points inside an ellipse. Included by the file of one
 * instruction set. Distances are computed as dx * dx + dy * dy without fused operations, so they
 * have the same bits everywhere, and a box's distance never exceeds that of a point in it. */
#ifndef SHEPARD_KERNEL_SEARCH_IMPL_H
#define SHEPARD_KERNEL_SEARCH_IMPL_H

#include "kernel/kernels.h"
#include "kernel/simd.h"

/* A node still to be visited, with the squared distance of its box. */
struct visit {
    double d2;
    uint32_t node;
    int32_t level;
};

/* Children of one node on each level may wait at a time. */
#define VISITS_MAX (SHEPARD_LEVELS_MAX * SHEPARD_FANOUT)

/* Squared distances of (x, y) from sibling boxes; bits of those within bound. */
static inline unsigned boxes_within(const struct shepard_boxes *boxes, vd x, vd y, double bound,
                                    double *d2)
{
    const vd zero = vd_all(0), limit = vd_all(bound);
    unsigned bits = 0;
    for (int i = 0; i < SHEPARD_FANOUT; i += LANES_D) {
        const vd dx =
            vd_max(vd_max(vd_load(boxes->x_min + i) - x, x - vd_load(boxes->x_max + i)), zero);
        const vd dy =
            vd_max(vd_max(vd_load(boxes->y_min + i) - y, y - vd_load(boxes->y_max + i)), zero);
        const vd square = dx * dx + dy * dy;
        vd_store(d2 + i, square);
        bits |= vl_bits(square <= limit) << i;
    }
    return bits;
}

/* Squared distances of (x, y) from the points of a leaf; bits of those within bound. */
static inline unsigned points_within(const struct shepard_tree *tree, size_t leaf, vd x, vd y,
                                     double bound, double *d2)
{
    const double *px = tree->x + leaf * SHEPARD_LEAF, *py = tree->y + leaf * SHEPARD_LEAF;
    const vd limit = vd_all(bound);
    unsigned bits = 0;
    for (int i = 0; i < SHEPARD_LEAF; i += LANES_D) {
        const vd dx = vd_load(px + i) - x, dy = vd_load(py + i) - y;
        const vd square = dx * dx + dy * dy;
        vd_store(d2 + i, square);
        bits |= vl_bits(square <= limit) << i;
    }
    return bits;
}

static inline void scan_leaf(const struct shepard_tree *tree, size_t leaf, vd x, vd y,
                             struct shepard_hits *hits)
{
    double d2[SHEPARD_LEAF];
    unsigned bits = points_within(tree, leaf, x, y, hits->bound, d2);
    for (; bits != 0; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctz(bits);
        if (d2[i] <= hits->bound)
            shepard_hits_offer(hits, tree, d2[i], (uint32_t)(leaf * SHEPARD_LEAF + i));
    }
}

/* Puts the children in bits on the stack, the nearest on top. */
static inline int push_children(struct visit *stack, int top, unsigned bits, const double *d2,
                                size_t first, int level)
{
    const int base = top;
    for (; bits != 0; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctz(bits);
        struct visit visit = {d2[i], (uint32_t)(first + i), level};
        int at = top++;
        for (; at > base && stack[at - 1].d2 < visit.d2; at--)
            stack[at] = stack[at - 1];
        stack[at] = visit;
    }
    return top;
}

static void search_nearest(const struct shepard_tree *tree, double x, double y, size_t start,
                           struct shepard_hits *hits)
{
    const vd vx = vd_all(x), vy = vd_all(y);
    struct visit stack[VISITS_MAX];
    double d2[SHEPARD_FANOUT];
    scan_leaf(tree, start, vx, vy, hits);
    int level = tree->levels - 1;
    unsigned bits = boxes_within(tree->boxes[level], vx, vy, hits->bound, d2);
    int top = push_children(stack, 0, bits, d2, 0, level);
    while (top > 0) {
        const struct visit visit = stack[--top];
        if (visit.d2 > hits->bound)
            continue;
        if (visit.level == 0) {
            if (visit.node != start)
                scan_leaf(tree, visit.node, vx, vy, hits);
            continue;
        }
        bits = boxes_within(tree->boxes[visit.level - 1] + visit.node, vx, vy, hits->bound, d2);
        top = push_children(stack, top, bits, d2, (size_t)visit.node * SHEPARD_FANOUT,
                            visit.level - 1);
    }
    shepard_hits_finish(hits, tree);
}

/* Bits of those of a leaf's points that lie inside the ellipse, boundary included (docs/math.md).
 */
static inline unsigned leaf_inside(const struct shepard_tree *tree, size_t leaf, vd x, vd y,
                                   const struct shepard_ellipse *e, double *d2)
{
    const double *px = tree->x + leaf * SHEPARD_LEAF, *py = tree->y + leaf * SHEPARD_LEAF;
    const double a2 = e->radius1 * e->radius1, b2 = e->radius2 * e->radius2;
    const vd c = vd_all(e->cosine), s = vd_all(e->sine);
    const vd va2 = vd_all(a2), vb2 = vd_all(b2), limit = vd_all(a2 * b2);
    unsigned bits = 0;
    for (int i = 0; i < SHEPARD_LEAF; i += LANES_D) {
        const vd dx = vd_load(px + i) - x, dy = vd_load(py + i) - y;
        const vd rx = dx * c + dy * s, ry = dy * c - dx * s;
        vd_store(d2 + i, dx * dx + dy * dy);
        bits |= vl_bits(vb2 * (rx * rx) + va2 * (ry * ry) <= limit) << i;
    }
    return bits;
}

struct gather {
    const struct shepard_tree *tree;
    const struct shepard_ellipse *ellipse;
    bool circle;
    double bound; /* squared distance beyond which nothing can be inside */
    vd x, y;
    struct shepard_hits *hits;
    size_t found;
};

static inline void gather_leaf(struct gather *g, size_t leaf)
{
    double d2[SHEPARD_LEAF];
    unsigned bits = g->circle ? points_within(g->tree, leaf, g->x, g->y, g->bound, d2)
                              : leaf_inside(g->tree, leaf, g->x, g->y, g->ellipse, d2);
    for (; bits != 0; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctz(bits);
        if (g->found < g->hits->capacity) {
            g->hits->d2[g->found] = d2[i];
            g->hits->rank[g->found] = (uint32_t)(leaf * SHEPARD_LEAF + i);
        }
        g->found++;
    }
}

/* Children by rising number, so that points come in the tree's order. */
static void gather_node(struct gather *g, size_t node, int level)
{
    if (level == 0) {
        gather_leaf(g, node);
        return;
    }
    double d2[SHEPARD_FANOUT];
    unsigned bits = boxes_within(g->tree->boxes[level - 1] + node, g->x, g->y, g->bound, d2);
    for (; bits != 0; bits &= bits - 1)
        gather_node(g, node * SHEPARD_FANOUT + (unsigned)__builtin_ctz(bits), level - 1);
}

static size_t search_inside(const struct shepard_tree *tree, double x, double y,
                            const struct shepard_ellipse *ellipse, struct shepard_hits *hits)
{
    const double longer = ellipse->radius1 > ellipse->radius2 ? ellipse->radius1 : ellipse->radius2;
    const bool circle = ellipse->radius1 == ellipse->radius2;
    /* An ellipse's rotation rounds: a little more than its longer axis is searched. */
    struct gather g = {.tree = tree,
                       .ellipse = ellipse,
                       .circle = circle,
                       .bound = longer * longer * (circle ? 1 : 1 + 1e-12),
                       .x = vd_all(x),
                       .y = vd_all(y),
                       .hits = hits};
    double d2[SHEPARD_FANOUT];
    const int level = tree->levels - 1;
    unsigned bits = boxes_within(tree->boxes[level], g.x, g.y, g.bound, d2);
    for (; bits != 0; bits &= bits - 1)
        gather_node(&g, (unsigned)__builtin_ctz(bits), level);
    hits->count = g.found < hits->capacity ? g.found : hits->capacity;
    return g.found;
}

#endif
