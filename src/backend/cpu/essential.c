/* SPDX-License-Identifier: MIT */
#include "backend/cpu/essential.h"

#include "backend/cpu/cache.h"
#include "backend/cpu/engine.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/circle.h"
#include "core/essential.h"

#include <math.h>
#include <string.h>

/* A summary: the boxes of a subtree, four numbers each, then the moments of its root. */
#define BOX_NUMBERS 4
#define BOXES_NUMBERS (SHEPARD_SUBTREE_BOXES * BOX_NUMBERS)

struct essential {
    struct shepard_essential_part base;
    struct shepard_cpu_points *points;
    struct shepard_cpu_field *field;
    struct shepard_rules rules;
    struct shepard_output no_output;
    struct shepard_predict_job job;
    struct shepard_cpu_engine engine;
    struct shepard_moments_making *making; /* NULL: moments are made, or were not begun */
    struct shepard_raster raster;
    const struct shepard_window *windows;
    size_t window_count;
    size_t subtrees;
    unsigned char *present; /* [subtrees] */
};

static struct essential *of(struct shepard_essential_part *part)
{
    return (struct essential *)part;
}

static const struct shepard_cpu_kind_rules *rules_of(const struct essential *essential)
{
    return &essential->engine.farfield->kind[SHEPARD_CPU_VALUES];
}

static const struct shepard_allocator *allocator_of(const struct essential *essential)
{
    return essential->points->base.geometry.allocator;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void free_part(struct shepard_essential_part *part)
{
    struct essential *essential = of(part);
    const struct shepard_allocator *allocator = allocator_of(essential);
    if (essential->making != NULL)
        shepard_cpu_farfield_end(&essential->engine, essential->making, SHEPARD_ERROR_CANCELLED);
    if (essential->field != NULL) {
        shepard_cpu_engine_close(&essential->engine);
        shepard_cpu_field_free(&essential->field->base);
    }
    shepard_release(allocator, essential->present);
    shepard_cpu_points_free(&essential->points->base);
    shepard_release(allocator, essential);
}

static enum shepard_status begin_sums(struct essential *essential, struct shepard_error *error)
{
    essential->job = (struct shepard_predict_job){.rules = &essential->rules,
                                                  .places = &essential->points->base,
                                                  .output = &essential->no_output};
    enum shepard_status status =
        shepard_cpu_engine_begin(essential->field, &essential->job, &essential->engine);
    if (status == SHEPARD_OK)
        status = shepard_cpu_farfield_begin(&essential->engine, &essential->making);
    return status == SHEPARD_OK ? status : shepard_error_set_memory(error, "the moments");
}

static enum shepard_status begin(struct essential *essential,
                                 const struct shepard_essential_plan *plan,
                                 struct shepard_error *error)
{
    const struct shepard_cpu_field_room room = {plan->columns, plan->weighted, plan->least_weight,
                                                plan->memory_limit};
    essential->present =
        shepard_allocate(allocator_of(essential), essential->subtrees, sizeof *essential->present);
    if (essential->present == NULL)
        return shepard_error_set_memory(error, "the points");
    memset(essential->present, 0, essential->subtrees);
    enum shepard_status status =
        shepard_cpu_field_begin(essential->points, &room, &essential->field, error);
    if (status != SHEPARD_OK)
        return status;
    essential->rules = shepard_rules_of(plan->parameters, &essential->points->base.geometry);
    essential->base =
        (struct shepard_essential_part){&essential->points->base, &essential->field->base};
    return begin_sums(essential, error);
}

static enum shepard_status create(const struct shepard_essential_plan *plan,
                                  struct shepard_essential_part **part, struct shepard_error *error)
{
    struct shepard_cpu_points *points = NULL;
    enum shepard_status status = shepard_cpu_points_begin(plan->points, &points, error);
    if (status != SHEPARD_OK)
        return status;
    const struct shepard_allocator *allocator = points->base.geometry.allocator;
    struct essential *made = shepard_allocate(allocator, 1, sizeof *made);
    if (made == NULL) {
        shepard_cpu_points_free(&points->base);
        return shepard_error_set_memory(error, "the points");
    }
    *made = (struct essential){.points = points,
                               .no_output = {.size = sizeof made->no_output},
                               .raster = plan->raster,
                               .windows = plan->windows,
                               .window_count = plan->window_count,
                               .subtrees =
                                   shepard_ceil_div(points->base.geometry.count, SHEPARD_SUBTREE)};
    status = begin(made, plan, error);
    if (status == SHEPARD_OK)
        *part = &made->base;
    else
        free_part(&made->base);
    return status;
}

static size_t numbers(const struct shepard_essential_part *part)
{
    return BOXES_NUMBERS + shepard_moments_numbers(((const struct essential *)part)->making);
}

/* ---- subtrees that are there ----------------------------------------------------------------- */

struct addition {
    struct essential *essential;
    const struct shepard_essential_batch *batch;
};

/* Nodes of a level that a subtree has. */
static size_t nodes_at(int level)
{
    size_t nodes = SHEPARD_SUBTREE / SHEPARD_LEAF;
    for (int i = 0; i < level; i++)
        nodes /= SHEPARD_FANOUT;
    return nodes;
}

static void fill_boxes(struct shepard_tree_store *store, size_t subtree)
{
    for (int level = 0; level <= SHEPARD_SUBTREE_BOX_LEVEL; level++) {
        const size_t each = nodes_at(level);
        const size_t slots =
            shepard_ceil_div(shepard_tree_nodes(&store->tree, level), SHEPARD_FANOUT) *
            SHEPARD_FANOUT;
        shepard_tree_fill(store, level, subtree * each,
                          shepard_smaller((subtree + 1) * each, slots));
    }
}

/* SHEPARD_ERROR_ARGUMENT: a value or weight is unusable. */
static enum shepard_status put_subtree(void *context, size_t i, int thread)
{
    const struct addition *addition = context;
    struct essential *essential = addition->essential;
    struct shepard_geometry *geometry = &essential->points->base.geometry;
    const size_t subtree = addition->batch->subtrees[i], first = subtree * SHEPARD_SUBTREE;
    const size_t end = shepard_smaller(first + SHEPARD_SUBTREE, geometry->count);
    const size_t from = i * SHEPARD_SUBTREE;
    (void)thread;
    shepard_geometry_put(geometry, addition->batch->coordinates, from, first, end - first);
    if (!shepard_samples_put(&essential->field->base.samples, addition->batch->values, from, first,
                             end - first))
        return SHEPARD_ERROR_ARGUMENT;
    fill_boxes(&essential->points->store, subtree);
    shepard_cpu_points_place(essential->points, first / SHEPARD_GROUP,
                             shepard_ceil_div(end, SHEPARD_GROUP));
    shepard_cpu_field_charge(essential->field, first, end);
    essential->present[subtree] = 1;
    return SHEPARD_OK;
}

static void summarize(const struct essential *essential, size_t subtree, const double *root,
                      size_t root_numbers, double *summary)
{
    for (size_t b = 0; b < SHEPARD_SUBTREE_BOXES; b++) {
        const struct shepard_box box =
            shepard_tree_box(&essential->points->store.tree, SHEPARD_SUBTREE_BOX_LEVEL,
                             subtree * SHEPARD_SUBTREE_BOXES + b);
        const double sides[BOX_NUMBERS] = {box.x_min, box.x_max, box.y_min, box.y_max};
        memcpy(summary + b * BOX_NUMBERS, sides, sizeof sides);
    }
    memcpy(summary + BOXES_NUMBERS, root, root_numbers * sizeof *root);
}

static enum shepard_status add(struct shepard_essential_part *part,
                               const struct shepard_essential_batch *batch, double *summaries,
                               struct shepard_error *error)
{
    struct essential *essential = of(part);
    struct addition addition = {essential, batch};
    const size_t each = shepard_moments_numbers(essential->making);
    const struct shepard_loop loop = {.threads = essential->rules.threads,
                                      .blocks = batch->count,
                                      .body = put_subtree,
                                      .context = &addition};
    double *roots = shepard_allocate(allocator_of(essential), batch->count * each, sizeof *roots);
    if (roots == NULL)
        return shepard_error_set_memory(error, "the moments");
    const enum shepard_status status = shepard_loop_run(&loop);
    if (status == SHEPARD_OK)
        shepard_moments_add(essential->making, batch->subtrees, batch->count, roots);
    for (size_t i = 0; status == SHEPARD_OK && summaries != NULL && i < batch->count; i++)
        summarize(essential, batch->subtrees[i], roots + i * each, each,
                  summaries + i * (BOXES_NUMBERS + each));
    shepard_release(allocator_of(essential), roots);
    return status;
}

/* ---- the top --------------------------------------------------------------------------------- */

static struct shepard_box box_of(const double *summary, size_t b)
{
    const double *sides = summary + b * BOX_NUMBERS;
    return (struct shepard_box){sides[0], sides[1], sides[2], sides[3]};
}

/* Boxes of all subtrees, and above them. */
static void fill_top(struct essential *essential, const double *summaries, size_t each)
{
    struct shepard_tree_store *store = &essential->points->store;
    const struct shepard_tree *tree = &store->tree;
    for (size_t s = 0; s < essential->subtrees; s++)
        for (size_t b = 0; b < SHEPARD_SUBTREE_BOXES; b++) {
            const struct shepard_box box = box_of(summaries + s * each, b);
            shepard_tree_set_box(store, SHEPARD_SUBTREE_BOX_LEVEL, s * SHEPARD_SUBTREE_BOXES + b,
                                 &box);
        }
    for (int level = SHEPARD_SUBTREE_BOX_LEVEL; level < tree->levels; level++) {
        const size_t nodes = shepard_tree_nodes(tree, level);
        const size_t first = level == SHEPARD_SUBTREE_BOX_LEVEL ? nodes : 0;
        shepard_tree_fill(store, level, first,
                          shepard_ceil_div(nodes, SHEPARD_FANOUT) * SHEPARD_FANOUT);
    }
}

static enum shepard_status make_top(struct essential *essential, const double *summaries,
                                    struct shepard_error *error)
{
    const size_t numbers = shepard_moments_numbers(essential->making);
    const size_t each = BOXES_NUMBERS + numbers;
    double *roots =
        shepard_allocate(allocator_of(essential), essential->subtrees * numbers, sizeof *roots);
    if (roots == NULL)
        return shepard_error_set_memory(error, "the moments");
    for (size_t s = 0; s < essential->subtrees; s++)
        memcpy(roots + s * numbers, summaries + s * each + BOXES_NUMBERS, numbers * sizeof *roots);
    fill_top(essential, summaries, each);
    shepard_moments_finish(essential->making, roots);
    shepard_release(allocator_of(essential), roots);
    return SHEPARD_OK;
}

/* ---- needs ----------------------------------------------------------------------------------- */

static double open_of(const struct essential *essential, size_t node)
{
    const struct shepard_cpu_kind_rules *rules = rules_of(essential);
    const struct shepard_moments *moments = &rules->held->of;
    const float *radii = moments->mean_radius_log2 + node * moments->mean_radius_stride + 1;
    const int orders = moments->orders[SHEPARD_SUBTREE_LEVEL];
    double open = 0;
    for (int level = 0; level < rules->levels; level++)
        for (int p = 0; p < SHEPARD_CPU_POWERS; p++)
            open = fmax(open, shepard_essential_open(&rules->accuracy[level][p], radii, orders));
    for (int p = 0; p < SHEPARD_CPU_POWERS_ANY; p++)
        for (int i = 0; i < SHEPARD_CPU_DENSE_SIZES; i++)
            if (rules->tile[p][i].ratio < INFINITY)
                open =
                    fmax(open, shepard_essential_open(&rules->tile[p][i].accuracy, radii, orders));
    return open;
}

static struct shepard_essential_root root_of(const struct essential *essential, size_t subtree,
                                             const double *summary)
{
    const struct shepard_moments *moments = &rules_of(essential)->held->of;
    const size_t node = moments->first[SHEPARD_SUBTREE_LEVEL] + subtree;
    const struct shepard_box a = box_of(summary, 0), b = box_of(summary, 1);
    return (struct shepard_essential_root){.box = {fmin(a.x_min, b.x_min), fmax(a.x_max, b.x_max),
                                                   fmin(a.y_min, b.y_min), fmax(a.y_max, b.y_max)},
                                           .x = moments->nodes[node].x,
                                           .y = moments->nodes[node].y,
                                           .open = open_of(essential, node)};
}

static enum shepard_status need(struct shepard_essential_part *part, const double *summaries,
                                unsigned char *needed, struct shepard_error *error)
{
    struct essential *essential = of(part);
    const struct shepard_geometry *geometry = &essential->points->base.geometry;
    const size_t each = numbers(part), subtrees = essential->subtrees;
    struct shepard_essential_root *roots =
        shepard_allocate(allocator_of(essential), subtrees, sizeof *roots);
    enum shepard_status status = roots != NULL ? make_top(essential, summaries, error)
                                               : shepard_error_set_memory(error, "the moments");
    const struct shepard_essential_query query = {
        &geometry->frame,
        &essential->raster,
        geometry->count,
        subtrees,
        roots,
        essential->rules.adaptive ? essential->rules.adapt.k : 1};
    for (size_t s = 0; status == SHEPARD_OK && s < subtrees; s++)
        roots[s] = root_of(essential, s, summaries + s * each);
    memset(needed, 0, subtrees);
    if (status == SHEPARD_OK &&
        !shepard_essential_mark(&query, essential->windows, essential->window_count,
                                allocator_of(essential), needed))
        status = shepard_error_set_memory(error, "the moments");
    shepard_release(allocator_of(essential), roots);
    return status;
}

/* ---- what is not there ----------------------------------------------------------------------- */

static void hide(struct essential *essential)
{
    static const struct shepard_box empty = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    struct shepard_tree_store *store = &essential->points->store;
    size_t first = essential->subtrees;
    for (size_t s = essential->subtrees; s-- > 0;) {
        if (essential->present[s])
            first = s;
        for (size_t b = 0; !essential->present[s] && b < SHEPARD_SUBTREE_BOXES; b++)
            shepard_tree_set_box(store, SHEPARD_SUBTREE_BOX_LEVEL, s * SHEPARD_SUBTREE_BOXES + b,
                                 &empty);
    }
    if (first < essential->subtrees)
        store->tree.start = essential->field->tree.start = first * nodes_at(0);
}

static void finish(struct shepard_essential_part *part)
{
    struct essential *essential = of(part);
    hide(essential);
    shepard_cpu_farfield_end(&essential->engine, essential->making, SHEPARD_OK);
    essential->making = NULL;
}

const struct shepard_essential_steps shepard_cpu_essential = {create, numbers, add,
                                                              need,   finish,  free_part};
