/* SPDX-License-Identifier: MIT */
#include "core/tree.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/halving.h"
#include "core/hilbert.h"

#include <math.h>

static struct shepard_box empty_box(void)
{
    return (struct shepard_box){INFINITY, -INFINITY, INFINITY, -INFINITY};
}

static void stretch(struct shepard_box *box, const struct shepard_box *by)
{
    box->x_min = fmin(box->x_min, by->x_min);
    box->x_max = fmax(box->x_max, by->x_max);
    box->y_min = fmin(box->y_min, by->y_min);
    box->y_max = fmax(box->y_max, by->y_max);
}

static struct shepard_box read_box(const struct shepard_boxes *boxes, size_t node)
{
    const struct shepard_boxes *set = &boxes[node / SHEPARD_FANOUT];
    const size_t i = node % SHEPARD_FANOUT;
    return (struct shepard_box){set->x_min[i], set->x_max[i], set->y_min[i], set->y_max[i]};
}

static void write_box(struct shepard_boxes *boxes, size_t node, const struct shepard_box *box)
{
    struct shepard_boxes *set = &boxes[node / SHEPARD_FANOUT];
    const size_t i = node % SHEPARD_FANOUT;
    set->x_min[i] = box->x_min;
    set->x_max[i] = box->x_max;
    set->y_min[i] = box->y_min;
    set->y_max[i] = box->y_max;
}

static struct shepard_box leaf_box(const struct shepard_tree *tree, size_t leaf)
{
    struct shepard_box box = empty_box();
    const size_t first = leaf * SHEPARD_LEAF;
    for (size_t i = first; i < first + SHEPARD_LEAF && i < tree->count; i++) {
        box.x_min = tree->x[i] < box.x_min ? tree->x[i] : box.x_min;
        box.x_max = tree->x[i] > box.x_max ? tree->x[i] : box.x_max;
        box.y_min = tree->y[i] < box.y_min ? tree->y[i] : box.y_min;
        box.y_max = tree->y[i] > box.y_max ? tree->y[i] : box.y_max;
    }
    return box;
}

/* The box of node `node` of a level, empty past the last one. */
static struct shepard_box node_box(const struct shepard_tree *tree, int level, size_t node,
                                   size_t nodes_below)
{
    if (level == 0)
        return leaf_box(tree, node);
    struct shepard_box box = empty_box();
    const size_t first = node * SHEPARD_FANOUT;
    for (size_t i = first; i < first + SHEPARD_FANOUT && i < nodes_below; i++) {
        const struct shepard_box child = read_box(tree->boxes[level - 1], i);
        stretch(&box, &child);
    }
    return box;
}

/* Levels of a tree over n points and the sets of boxes they take together. */
static int count_levels(size_t n, size_t *sets)
{
    int levels = 0;
    *sets = 0;
    for (size_t nodes = shepard_ceil_div(n, SHEPARD_LEAF);;
         nodes = shepard_ceil_div(nodes, SHEPARD_FANOUT)) {
        levels++;
        *sets += shepard_ceil_div(nodes, SHEPARD_FANOUT);
        if (nodes <= SHEPARD_FANOUT)
            return levels;
    }
}

/* Sets of boxes filled per block of the loop. */
#define FILL_BLOCK 512

struct level {
    const struct shepard_tree *tree;
    int number;
    size_t sets;  /* of this level */
    size_t below; /* nodes of the level below */
    struct shepard_boxes *boxes;
    struct shepard_sides *sides; /* with z */
};

static enum shepard_status fill_block(void *context, size_t block, int thread)
{
    const struct level *level = context;
    const size_t end = shepard_smaller((block + 1) * FILL_BLOCK, level->sets) * SHEPARD_FANOUT;
    (void)thread;
    for (size_t node = block * FILL_BLOCK * SHEPARD_FANOUT; node < end; node++) {
        const struct shepard_box box = node_box(level->tree, level->number, node, level->below);
        write_box(level->boxes, node, &box);
    }
    return SHEPARD_OK;
}

/* ---- a third coordinate ---------------------------------------------------------------------- */

static void widen(struct shepard_sides *sides, size_t i, double low, double high)
{
    sides->min[i] = low < sides->min[i] ? low : sides->min[i];
    sides->max[i] = high > sides->max[i] ? high : sides->max[i];
}

/* Sides of node `node` of a level: number of its set. */
static void fill_sides_of(const struct level *level, struct shepard_sides *sides, size_t node)
{
    const struct shepard_tree *tree = level->tree;
    const size_t i = node % SHEPARD_FANOUT;
    const size_t each = level->number == 0 ? SHEPARD_LEAF : SHEPARD_FANOUT;
    const size_t below = level->number == 0 ? tree->count : level->below;
    sides->min[i] = INFINITY;
    sides->max[i] = -INFINITY;
    for (size_t j = node * each; j < (node + 1) * each && j < below; j++) {
        if (level->number == 0) {
            widen(sides, i, tree->z[j], tree->z[j]);
            continue;
        }
        const struct shepard_sides *from = tree->z_sides[level->number - 1] + j / SHEPARD_FANOUT;
        widen(sides, i, from->min[j % SHEPARD_FANOUT], from->max[j % SHEPARD_FANOUT]);
    }
}

static enum shepard_status fill_sides_block(void *context, size_t block, int thread)
{
    const struct level *level = context;
    const size_t end = shepard_smaller((block + 1) * FILL_BLOCK, level->sets);
    (void)thread;
    for (size_t set = block * FILL_BLOCK; set < end; set++)
        for (size_t i = 0; i < SHEPARD_FANOUT; i++)
            fill_sides_of(level, level->sides + set, set * SHEPARD_FANOUT + i);
    return SHEPARD_OK;
}

/* ---- all levels ------------------------------------------------------------------------------ */

size_t shepard_tree_nodes(const struct shepard_tree *tree, int level)
{
    size_t nodes = shepard_ceil_div(tree->count, SHEPARD_LEAF);
    for (int i = 0; i < level; i++)
        nodes = shepard_ceil_div(nodes, SHEPARD_FANOUT);
    return nodes;
}

static void place_levels(struct shepard_tree_store *store)
{
    struct shepard_tree *tree = &store->tree;
    size_t before = 0;
    for (int number = 0; number < tree->levels; number++) {
        tree->boxes[number] = store->boxes + before;
        tree->z_sides[number] = store->sides != NULL ? store->sides + before : NULL;
        before += shepard_ceil_div(shepard_tree_nodes(tree, number), SHEPARD_FANOUT);
    }
}

static struct shepard_boxes *boxes_of(const struct shepard_tree_store *store, int level)
{
    return store->boxes + (store->tree.boxes[level] - store->boxes);
}

static struct level level_of(const struct shepard_tree_store *store, int number)
{
    const struct shepard_tree *tree = &store->tree;
    return (struct level){
        tree,
        number,
        shepard_ceil_div(shepard_tree_nodes(tree, number), SHEPARD_FANOUT),
        number > 0 ? shepard_tree_nodes(tree, number - 1) : 0,
        boxes_of(store, number),
        store->sides != NULL ? store->sides + (tree->z_sides[number] - store->sides) : NULL};
}

static void fill_boxes(struct shepard_tree_store *store, int threads)
{
    for (int number = 0; number < store->tree.levels; number++) {
        struct level level = level_of(store, number);
        struct shepard_loop loop = {.threads = threads,
                                    .blocks = shepard_ceil_div(level.sets, FILL_BLOCK),
                                    .body = fill_block,
                                    .context = &level};
        shepard_loop_run(&loop);
        loop.body = fill_sides_block;
        if (level.sides != NULL)
            shepard_loop_run(&loop);
    }
}

void shepard_tree_fill(struct shepard_tree_store *store, int level, size_t first, size_t end)
{
    const struct level of = level_of(store, level);
    for (size_t node = first; node < end; node++) {
        const struct shepard_box box = node_box(of.tree, level, node, of.below);
        write_box(of.boxes, node, &box);
    }
}

struct shepard_box shepard_tree_box(const struct shepard_tree *tree, int level, size_t node)
{
    return read_box(tree->boxes[level], node);
}

void shepard_tree_set_box(struct shepard_tree_store *store, int level, size_t node,
                          const struct shepard_box *box)
{
    write_box(boxes_of(store, level), node, box);
}

static enum shepard_status sort_points(struct shepard_geometry *points, struct shepard_error *error)
{
    uint32_t *order = shepard_allocate(points->allocator, points->count, sizeof *order);
    const struct shepard_places places = {.count = points->count, .x = points->x, .y = points->y};
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    if (order != NULL && points->z != NULL)
        status = shepard_halving_order(points, order);
    else if (order != NULL)
        status = shepard_hilbert_order(&places, points->threads, points->allocator, order);
    if (status == SHEPARD_OK)
        return shepard_geometry_permute(points, order, error);
    shepard_release(points->allocator, order);
    return shepard_error_set_memory(error, "sorting the data points");
}

static bool before(const void *context, uint32_t a, uint32_t b)
{
    return shepard_geometry_before(context, a, b);
}

enum shepard_status shepard_tree_begin(const struct shepard_geometry *points,
                                       struct shepard_tree_store *store,
                                       struct shepard_error *error)
{
    *store = (struct shepard_tree_store){.allocator = points->allocator};
    for (size_t i = points->count; i < shepard_geometry_room(points->count); i++)
        points->x[i] = points->y[i] = INFINITY;
    for (size_t i = points->count; points->z && i < shepard_geometry_room(points->count); i++)
        points->z[i] = INFINITY;
    store->tree = (struct shepard_tree){.count = points->count,
                                        .x = points->x,
                                        .y = points->y,
                                        .z = points->z,
                                        .before = before,
                                        .context = points};
    store->tree.levels = count_levels(points->count, &store->box_count);
    store->boxes = shepard_allocate(points->allocator, store->box_count, sizeof *store->boxes);
    if (points->z != NULL)
        store->sides = shepard_allocate(points->allocator, store->box_count, sizeof *store->sides);
    if (store->boxes == NULL || (points->z != NULL && store->sides == NULL)) {
        shepard_tree_free(store);
        return shepard_error_set_memory(error, "the tree");
    }
    place_levels(store);
    return SHEPARD_OK;
}

enum shepard_status shepard_tree_create_sorted(const struct shepard_geometry *points,
                                               struct shepard_tree_store *store,
                                               struct shepard_error *error)
{
    const enum shepard_status status = shepard_tree_begin(points, store, error);
    if (status == SHEPARD_OK)
        fill_boxes(store, points->threads);
    return status;
}

enum shepard_status shepard_tree_create(struct shepard_geometry *points,
                                        struct shepard_tree_store *store,
                                        struct shepard_error *error)
{
    *store = (struct shepard_tree_store){.allocator = points->allocator};
    enum shepard_status status = sort_points(points, error);
    return status == SHEPARD_OK ? shepard_tree_create_sorted(points, store, error) : status;
}

void shepard_tree_free(struct shepard_tree_store *store)
{
    shepard_release(store->allocator, store->sides);
    shepard_release(store->allocator, store->boxes);
    *store = (struct shepard_tree_store){0};
}

static bool same_box(const struct shepard_box *a, const struct shepard_box *b)
{
    return a->x_min == b->x_min && a->x_max == b->x_max && a->y_min == b->y_min &&
           a->y_max == b->y_max;
}

const char *shepard_tree_check(const struct shepard_tree_store *store)
{
    const struct shepard_tree *tree = &store->tree;
    size_t nodes = shepard_ceil_div(tree->count, SHEPARD_LEAF), below = 0;
    for (int level = 0; level < tree->levels; level++) {
        const size_t slots = shepard_ceil_div(nodes, SHEPARD_FANOUT) * SHEPARD_FANOUT;
        for (size_t node = 0; node < slots; node++) {
            const struct shepard_box box = read_box(tree->boxes[level], node);
            const struct shepard_box expected = node_box(tree, level, node, below);
            if (!same_box(&box, &expected))
                return "a box is not the smallest round what it holds";
        }
        below = nodes;
        nodes = shepard_ceil_div(nodes, SHEPARD_FANOUT);
    }
    return nodes <= 1 ? NULL : "the top level has more than one set of siblings";
}
