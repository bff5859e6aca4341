/* SPDX-License-Identifier: MIT */
#include "bucket_tree.h"

#include "bucket_box.h"
#include "message.h"

#include <math.h>
#include <stdlib.h>

enum { FANOUT = 16 };

static size_t groups_of(size_t count)
{
    return (count + FANOUT - 1) / FANOUT;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

bool shepard_bucket_tree_make(struct shepard_bucket_tree *tree,
                              const struct shepard_spill_bucket *buckets, size_t count)
{
    size_t above = 0;
    *tree = (struct shepard_bucket_tree){.levels = 1, .nodes = {buckets}, .count = {count}};
    for (size_t nodes = count; nodes > 1; above += nodes) {
        nodes = groups_of(nodes);
    }
    tree->own = malloc((above + 1) * sizeof *tree->own);
    if (!tree->own) {
        return shepard_say_error("out of memory");
    }
    struct shepard_spill_bucket *next = tree->own;
    for (; tree->count[tree->levels - 1] > 1; tree->levels++) {
        const int level = tree->levels;
        const struct shepard_spill_bucket *const below = tree->nodes[level - 1];
        tree->count[level] = groups_of(tree->count[level - 1]);
        tree->nodes[level] = next;
        for (size_t i = 0; i < tree->count[level]; i++) {
            *next++ = shepard_bucket_join(below + i * FANOUT,
                                          smaller(FANOUT, tree->count[level - 1] - i * FANOUT));
        }
    }
    return true;
}

void shepard_bucket_tree_free(struct shepard_bucket_tree *tree)
{
    free(tree->own);
    *tree = (struct shepard_bucket_tree){0};
}

/* ---- Distances ------------------------------------------------------------------------------- */

static double square_of(double a, double b)
{
    return a * a + b * b;
}

/* The least squared distance between places of the two. */
static double nearest2(const struct shepard_bounds *box, const struct shepard_spill_bucket *node)
{
    return square_of(fmax(0, fmax(node->x_min - box->x_max, box->x_min - node->x_max)),
                     fmax(0, fmax(node->y_min - box->y_max, box->y_min - node->y_max)));
}

/* The largest. */
static double farthest2(const struct shepard_bounds *box, const struct shepard_spill_bucket *node)
{
    return square_of(fmax(node->x_max - box->x_min, box->x_max - node->x_min),
                     fmax(node->y_max - box->y_min, box->y_max - node->y_min));
}

struct bucket_reach {
    const struct shepard_bucket_tree *tree;
    const struct shepard_bounds *box;
    size_t k;
    double best2;
};

/* Nodes of a level from first on that are siblings: each with k points is within reach. */
static void find_reach(struct bucket_reach *reach, int level, size_t first)
{
    const struct shepard_bucket_tree *const tree = reach->tree;
    const struct shepard_spill_bucket *const nodes = tree->nodes[level];
    const size_t end = smaller(first + FANOUT, tree->count[level]);
    for (size_t i = first; i < end; i++) {
        if (nodes[i].count >= reach->k) {
            reach->best2 = fmin(reach->best2, farthest2(reach->box, &nodes[i]));
        }
    }
    for (size_t i = first; i < end && level > 0; i++) {
        if (nodes[i].count >= reach->k && nearest2(reach->box, &nodes[i]) < reach->best2) {
            find_reach(reach, level - 1, i * FANOUT);
        }
    }
}

double shepard_bucket_tree_reach2(const struct shepard_bucket_tree *tree,
                                  const struct shepard_bounds *box, size_t k, double most2)
{
    struct bucket_reach reach = {tree, box, k, most2};
    find_reach(&reach, tree->levels - 1, 0);
    return reach.best2;
}

static void mark(const struct shepard_bucket_tree *tree, const struct shepard_bounds *box,
                 double reach2, int level, size_t first, unsigned char *marks)
{
    const size_t end = smaller(first + FANOUT, tree->count[level]);
    for (size_t i = first; i < end; i++) {
        if (nearest2(box, &tree->nodes[level][i]) > reach2) {
            continue;
        }
        if (level > 0) {
            mark(tree, box, reach2, level - 1, i * FANOUT, marks);
        } else {
            marks[i] = 1;
        }
    }
}

void shepard_bucket_tree_mark(const struct shepard_bucket_tree *tree,
                              const struct shepard_bounds *box, double reach2, unsigned char *marks)
{
    mark(tree, box, reach2, tree->levels - 1, 0, marks);
}
