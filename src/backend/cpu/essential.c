/* SPDX-License-Identifier: MIT */
#include "backend/cpu/essential.h"

#include "backend/cpu/cache.h"
#include "backend/cpu/engine.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/essential.h"
#include "core/hilbert.h"
#include "core/hilbert_key.h"

#include <math.h>
#include <string.h>

/* A summary: the boxes of a subtree or branch, four numbers each, then the moments of its root. */
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
    size_t subtrees, branches;
    unsigned char *present; /* [subtrees] */
    unsigned char *needed;  /* [subtrees] */
    unsigned char *opened;  /* [branches] */
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
    shepard_release(allocator, essential->opened);
    shepard_release(allocator, essential->needed);
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
    const struct shepard_allocator *allocator = allocator_of(essential);
    essential->present = shepard_allocate(allocator, essential->subtrees, 1);
    essential->needed = shepard_allocate(allocator, essential->subtrees, 1);
    essential->opened = shepard_allocate(allocator, essential->branches, 1);
    if (!essential->present || !essential->needed || !essential->opened)
        return shepard_error_set_memory(error, "the points");
    memset(essential->present, 0, essential->subtrees);
    memset(essential->needed, 0, essential->subtrees);
    enum shepard_status status =
        shepard_cpu_field_begin(essential->points, &room, &essential->field, error);
    if (status != SHEPARD_OK)
        return status;
    essential->rules = shepard_rules_of(plan->parameters, &essential->points->base.geometry);
    essential->base =
        (struct shepard_essential_part){&essential->points->base, &essential->field->base};
    return begin_sums(essential, error);
}

/* Past the last node of each level boxes are empty, whatever of it is there. */
static void end_levels(struct shepard_tree_store *store)
{
    for (int level = 0; level < store->tree.levels; level++) {
        const size_t nodes = shepard_tree_nodes(&store->tree, level);
        shepard_tree_fill(store, level, nodes,
                          shepard_ceil_div(nodes, SHEPARD_FANOUT) * SHEPARD_FANOUT);
    }
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
    *made = (struct essential){
        .points = points,
        .no_output = {.size = sizeof made->no_output},
        .raster = plan->raster,
        .windows = plan->windows,
        .window_count = plan->window_count,
        .subtrees = shepard_ceil_div(points->base.geometry.count, SHEPARD_SUBTREE),
        .branches = shepard_ceil_div(points->base.geometry.count, SHEPARD_BRANCH)};
    status = begin(made, plan, error);
    end_levels(&points->store);
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
    struct shepard_hilbert_turns turns;
};

/* Fills the boxes of a level below node `top` of a higher one. */
static void fill_below(struct shepard_tree_store *store, int top_level, size_t top, int level)
{
    const size_t nodes = shepard_tree_nodes(&store->tree, level);
    size_t each = 1;
    for (int i = level; i < top_level; i++)
        each *= SHEPARD_FANOUT;
    shepard_tree_fill(store, level, top * each, shepard_smaller((top + 1) * each, nodes));
}

/* Those of a subtree, whose points are there. */
static void fill_subtree(struct shepard_tree_store *store, size_t subtree)
{
    for (int level = 0; level <= SHEPARD_SUBTREE_BOX_LEVEL; level++)
        for (size_t b = 0; b < SHEPARD_SUBTREE_BOXES; b++)
            fill_below(store, SHEPARD_SUBTREE_BOX_LEVEL, subtree * SHEPARD_SUBTREE_BOXES + b,
                       level);
}

/* Whether points stand along the curve: the order of points of one key is not looked at. */
static bool is_sorted(const struct shepard_geometry *geometry,
                      const struct shepard_hilbert_turns *turns, size_t first, size_t count)
{
    uint32_t keys[SHEPARD_SUBTREE];
    const struct shepard_box whole = shepard_box_scaled(&geometry->box, geometry->frame.scale);
    const struct shepard_places places = {
        .count = count, .x = geometry->x + first, .y = geometry->y + first, .whole = &whole};
    shepard_hilbert_keys(&places, turns, keys);
    for (size_t i = 1; i < count; i++)
        if (keys[i] < keys[i - 1])
            return false;
    return true;
}

/* A status of the loop below alone: points do not stand along the curve. */
#define UNSORTED SHEPARD_ERROR_SIZE

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
    if (!is_sorted(geometry, &addition->turns, first, end - first))
        return UNSORTED;
    fill_subtree(&essential->points->store, subtree);
    shepard_cpu_points_place(essential->points, first / SHEPARD_GROUP,
                             shepard_ceil_div(end, SHEPARD_GROUP));
    shepard_cpu_field_charge(essential->field, first, end);
    essential->present[subtree] = 1;
    return SHEPARD_OK;
}

/* From the root's moments, and boxes from number `first` of a level on. */
static void summarize(const struct essential *essential, int level, size_t first,
                      const double *root, double *summary)
{
    for (size_t b = 0; b < SHEPARD_SUBTREE_BOXES; b++) {
        const struct shepard_box box =
            shepard_tree_box(&essential->points->store.tree, level, first + b);
        const double sides[BOX_NUMBERS] = {box.x_min, box.x_max, box.y_min, box.y_max};
        memcpy(summary + b * BOX_NUMBERS, sides, sizeof sides);
    }
    memcpy(summary + BOXES_NUMBERS, root,
           shepard_moments_numbers(essential->making) * sizeof *root);
}

static enum shepard_status check_added(enum shepard_status status, struct shepard_error *error)
{
    if (status == UNSORTED)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "subtrees.coordinates",
                                 "points do not stand along the curve: put them in the order of "
                                 "shepard_essential_order");
    return status == SHEPARD_OK
               ? status
               : shepard_error_set(error, status, "subtrees.values",
                                   "a point has no finite value, or no weight above 0: leave it "
                                   "out of the whole");
}

static enum shepard_status add(struct shepard_essential_part *part,
                               const struct shepard_essential_batch *batch, double *summaries,
                               struct shepard_error *error)
{
    struct essential *essential = of(part);
    struct addition addition = {.essential = essential, .batch = batch};
    const size_t each = shepard_moments_numbers(essential->making);
    const struct shepard_loop loop = {.threads = essential->rules.threads,
                                      .blocks = batch->count,
                                      .body = put_subtree,
                                      .context = &addition};
    double *roots = shepard_allocate(allocator_of(essential), batch->count * each, sizeof *roots);
    if (roots == NULL)
        return shepard_error_set_memory(error, "the moments");
    shepard_hilbert_turns_fill(&addition.turns);
    const enum shepard_status status = check_added(shepard_loop_run(&loop), error);
    if (status == SHEPARD_OK)
        shepard_moments_add(essential->making, batch->subtrees, batch->count, roots);
    for (size_t i = 0; status == SHEPARD_OK && summaries != NULL && i < batch->count; i++)
        summarize(essential, SHEPARD_SUBTREE_BOX_LEVEL, batch->subtrees[i] * SHEPARD_SUBTREE_BOXES,
                  roots + i * each, summaries + i * (BOXES_NUMBERS + each));
    shepard_release(allocator_of(essential), roots);
    return status;
}

/* ---- branches -------------------------------------------------------------------------------- */

static struct shepard_box box_of(const double *summary, size_t b)
{
    const double *sides = summary + b * BOX_NUMBERS;
    return (struct shepard_box){sides[0], sides[1], sides[2], sides[3]};
}

/* Sets boxes of a level from number `first` on. */
static void set_boxes(struct essential *essential, int level, size_t first, const double *summary)
{
    for (size_t b = 0; b < SHEPARD_SUBTREE_BOXES; b++) {
        const struct shepard_box box = box_of(summary, b);
        shepard_tree_set_box(&essential->points->store, level, first + b, &box);
    }
}

static size_t subtrees_of(const struct essential *essential, size_t branch)
{
    const size_t first = branch * SHEPARD_BRANCH_SUBTREES;
    return shepard_smaller(SHEPARD_BRANCH_SUBTREES, essential->subtrees - first);
}

/* Whether each is a summary: of finite boxes, with a charge above 0. */
static enum shepard_status check_summaries(const struct essential *essential,
                                           const double *summaries, size_t count,
                                           const char *argument, struct shepard_error *error)
{
    const size_t each = BOXES_NUMBERS + shepard_moments_numbers(essential->making);
    for (size_t i = 0; i < count; i++) {
        const double *own = summaries + i * each;
        bool good = own[BOXES_NUMBERS] > 0;
        for (size_t t = 0; t < each; t++)
            good = good && (isfinite(own[t]) || (t >= BOX_NUMBERS && t < BOXES_NUMBERS));
        if (!good)
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                                     "number %zu of %s is no summary: it has no points, or numbers "
                                     "that are not finite; was it brought from its process?",
                                     i, argument);
    }
    return SHEPARD_OK;
}

/* The roots alone: room [count, numbers of a root]. */
static void copy_roots(const struct essential *essential, const double *summaries, size_t count,
                       double *room)
{
    const size_t each = shepard_moments_numbers(essential->making);
    for (size_t i = 0; i < count; i++)
        memcpy(room + i * each, summaries + i * (BOXES_NUMBERS + each) + BOXES_NUMBERS,
               each * sizeof *room);
}

/* Makes a branch from summaries of its subtrees, and room [1 + its subtrees, numbers of a root], at
 * whose start its own root goes. */
static void make_branch(struct essential *essential, size_t branch, const double *of_subtrees,
                        double *room)
{
    struct shepard_tree_store *store = &essential->points->store;
    const size_t root = shepard_moments_numbers(essential->making);
    const size_t first = branch * SHEPARD_BRANCH_SUBTREES, count = subtrees_of(essential, branch);
    for (size_t i = 0; i < count; i++)
        set_boxes(essential, SHEPARD_SUBTREE_BOX_LEVEL, (first + i) * SHEPARD_SUBTREE_BOXES,
                  of_subtrees + i * (BOXES_NUMBERS + root));
    for (size_t b = 0; b < SHEPARD_SUBTREE_BOXES; b++)
        fill_below(store, SHEPARD_BRANCH_BOX_LEVEL, branch * SHEPARD_SUBTREE_BOXES + b,
                   SHEPARD_BRANCH_BOX_LEVEL);
    copy_roots(essential, of_subtrees, count, room + root);
    shepard_moments_join(essential->making, branch, room + root, room);
}

static enum shepard_status join(struct shepard_essential_part *part,
                                const struct shepard_essential_branches *branches,
                                const double *of_subtrees, double *summaries,
                                struct shepard_error *error)
{
    struct essential *essential = of(part);
    const size_t root = shepard_moments_numbers(essential->making), each = BOXES_NUMBERS + root;
    double *room =
        shepard_allocate(allocator_of(essential), 1 + SHEPARD_BRANCH_SUBTREES, root * sizeof *room);
    if (room == NULL)
        return shepard_error_set_memory(error, "the moments");
    for (size_t i = 0; i < branches->count; i++) {
        const size_t branch = branches->branches[i];
        make_branch(essential, branch, of_subtrees, room);
        summarize(essential, SHEPARD_BRANCH_BOX_LEVEL, branch * SHEPARD_SUBTREE_BOXES, room,
                  summaries + i * each);
        of_subtrees += subtrees_of(essential, branch) * each;
    }
    shepard_release(allocator_of(essential), room);
    return SHEPARD_OK;
}

/* ---- the top --------------------------------------------------------------------------------- */

/* Boxes of all branches, and above them. */
static void fill_top(struct essential *essential, const double *summaries, size_t each)
{
    struct shepard_tree_store *store = &essential->points->store;
    const struct shepard_tree *tree = &store->tree;
    for (size_t i = 0; i < essential->branches; i++)
        set_boxes(essential, SHEPARD_BRANCH_BOX_LEVEL, i * SHEPARD_SUBTREE_BOXES,
                  summaries + i * each);
    for (int level = SHEPARD_BRANCH_BOX_LEVEL + 1; level < tree->levels; level++)
        shepard_tree_fill(store, level, 0, shepard_tree_nodes(tree, level));
}

static enum shepard_status make_top(struct essential *essential, const double *summaries,
                                    struct shepard_error *error)
{
    const size_t root = shepard_moments_numbers(essential->making);
    double *roots =
        shepard_allocate(allocator_of(essential), essential->branches * root, sizeof *roots);
    if (roots == NULL)
        return shepard_error_set_memory(error, "the moments");
    copy_roots(essential, summaries, essential->branches, roots);
    fill_top(essential, summaries, BOXES_NUMBERS + root);
    shepard_moments_finish(essential->making, roots);
    shepard_release(allocator_of(essential), roots);
    return SHEPARD_OK;
}

/* ---- needs ----------------------------------------------------------------------------------- */

static double open_of(const struct essential *essential, int level, size_t node)
{
    const struct shepard_cpu_kind_rules *rules = rules_of(essential);
    const struct shepard_moments *moments = &rules->held->of;
    const float *radii = moments->mean_radius_log2 + node * moments->mean_radius_stride + 1;
    const int orders = moments->orders[level];
    double open = 0;
    for (int l = 0; l < rules->levels; l++)
        for (int p = 0; p < SHEPARD_CPU_POWERS; p++)
            open = fmax(open, shepard_essential_reach(&rules->accuracy[l][p], radii, orders));
    for (int p = 0; p < SHEPARD_CPU_SINGLE_POWERS; p++)
        for (int i = 0; i < SHEPARD_CPU_DENSE_SIZES; i++)
            if (rules->tile[p][i].ratio < INFINITY)
                open =
                    fmax(open, shepard_essential_reach(&rules->tile[p][i].accuracy, radii, orders));
    return open;
}

/* Root i of a level, as its summary describes it; span: points of a full one. */
static struct shepard_essential_root root_of(const struct essential *essential, int level, size_t i,
                                             size_t span, const double *summary)
{
    const struct shepard_moments *moments = &rules_of(essential)->held->of;
    const size_t node = moments->first[level] + i, n = essential->points->base.geometry.count;
    const struct shepard_box a = box_of(summary, 0), b = box_of(summary, 1);
    return (struct shepard_essential_root){.box = {fmin(a.x_min, b.x_min), fmax(a.x_max, b.x_max),
                                                   fmin(a.y_min, b.y_min), fmax(a.y_max, b.y_max)},
                                           .x = moments->nodes[node].x,
                                           .y = moments->nodes[node].y,
                                           .open = open_of(essential, level, node),
                                           .points = shepard_smaller(span, n - i * span)};
}

static enum shepard_status mark(struct essential *essential,
                                const struct shepard_essential_root *roots, size_t count,
                                unsigned char *marks, struct shepard_error *error)
{
    const struct shepard_essential_query query = {
        .frame = &essential->points->base.geometry.frame,
        .raster = &essential->raster,
        .count = count,
        .roots = roots,
        .nearest = essential->rules.adaptive ? essential->rules.adapt.k : 1};
    memset(marks, 0, count);
    return shepard_essential_mark(&query, essential->windows, essential->window_count,
                                  allocator_of(essential), marks)
               ? SHEPARD_OK
               : shepard_error_set_memory(error, "the moments");
}

static enum shepard_status open_branches(struct shepard_essential_part *part,
                                         const double *summaries, unsigned char *opened,
                                         struct shepard_error *error)
{
    struct essential *essential = of(part);
    const size_t each = numbers(part), count = essential->branches;
    enum shepard_status status = check_summaries(essential, summaries, count, "summaries", error);
    if (status != SHEPARD_OK)
        return status;
    struct shepard_essential_root *roots =
        shepard_allocate(allocator_of(essential), count, sizeof *roots);
    status = roots != NULL ? make_top(essential, summaries, error)
                           : shepard_error_set_memory(error, "the moments");
    for (size_t i = 0; status == SHEPARD_OK && i < count; i++)
        roots[i] =
            root_of(essential, SHEPARD_BRANCH_LEVEL, i, SHEPARD_BRANCH, summaries + i * each);
    if (status == SHEPARD_OK)
        status = mark(essential, roots, count, essential->opened, error);
    if (status == SHEPARD_OK)
        memcpy(opened, essential->opened, count);
    shepard_release(allocator_of(essential), roots);
    return status;
}

/* Whether these are all that were opened; *subtrees: how many they have. */
static enum shepard_status check_opened(const struct essential *essential,
                                        const struct shepard_essential_branches *opened,
                                        size_t *subtrees, struct shepard_error *error)
{
    size_t next = 0;
    *subtrees = 0;
    for (size_t branch = 0; branch < essential->branches; branch++) {
        const bool is_next = next < opened->count && opened->branches[next] == branch;
        if (is_next != (essential->opened[branch] != 0))
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "opened",
                                     "branch %zu %s: give all branches that "
                                     "shepard_essential_open says, and no others",
                                     branch, is_next ? "is not to be opened" : "is missing");
        *subtrees += is_next ? subtrees_of(essential, branch) : 0;
        next += is_next;
    }
    return SHEPARD_OK;
}

/* Makes opened branches; fills the roots of their subtrees. */
static enum shepard_status make_opened(struct essential *essential,
                                       const struct shepard_essential_branches *opened,
                                       const double *of_subtrees,
                                       struct shepard_essential_root *roots,
                                       struct shepard_error *error)
{
    const size_t root = shepard_moments_numbers(essential->making);
    double *room =
        shepard_allocate(allocator_of(essential), 1 + SHEPARD_BRANCH_SUBTREES, root * sizeof *room);
    if (room == NULL)
        return shepard_error_set_memory(error, "the moments");
    for (size_t i = 0; i < opened->count; i++) {
        const size_t branch = opened->branches[i], first = branch * SHEPARD_BRANCH_SUBTREES;
        make_branch(essential, branch, of_subtrees, room);
        for (size_t s = 0; s < subtrees_of(essential, branch); s++) {
            *roots++ =
                root_of(essential, SHEPARD_SUBTREE_LEVEL, first + s, SHEPARD_SUBTREE, of_subtrees);
            of_subtrees += BOXES_NUMBERS + root;
        }
    }
    shepard_release(allocator_of(essential), room);
    return SHEPARD_OK;
}

static void keep_needed(struct essential *essential,
                        const struct shepard_essential_branches *opened,
                        const unsigned char *needed)
{
    for (size_t i = 0; i < opened->count; i++) {
        const size_t count = subtrees_of(essential, opened->branches[i]);
        memcpy(essential->needed + opened->branches[i] * SHEPARD_BRANCH_SUBTREES, needed, count);
        needed += count;
    }
}

static enum shepard_status need(struct shepard_essential_part *part,
                                const struct shepard_essential_branches *opened,
                                const double *of_subtrees, unsigned char *needed,
                                struct shepard_error *error)
{
    struct essential *essential = of(part);
    size_t count;
    enum shepard_status status = check_opened(essential, opened, &count, error);
    if (status == SHEPARD_OK)
        status = check_summaries(essential, of_subtrees, count, "of_subtrees", error);
    if (status != SHEPARD_OK || count == 0)
        return status;
    struct shepard_essential_root *roots =
        shepard_allocate(allocator_of(essential), count, sizeof *roots);
    status = roots != NULL ? make_opened(essential, opened, of_subtrees, roots, error)
                           : shepard_error_set_memory(error, "the moments");
    if (status == SHEPARD_OK)
        status = mark(essential, roots, count, needed, error);
    if (status == SHEPARD_OK)
        keep_needed(essential, opened, needed);
    shepard_release(allocator_of(essential), roots);
    return status;
}

/* ---- what is not there ----------------------------------------------------------------------- */

static void empty_boxes(struct essential *essential, int level, size_t first)
{
    static const struct shepard_box empty = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t b = 0; b < SHEPARD_SUBTREE_BOXES; b++)
        shepard_tree_set_box(&essential->points->store, level, first + b, &empty);
}

/* Subtrees that are not there; whether all of a branch are not. */
static bool hide_subtrees(struct essential *essential, size_t branch)
{
    const size_t first = branch * SHEPARD_BRANCH_SUBTREES;
    bool any = false;
    for (size_t s = first; s < first + subtrees_of(essential, branch); s++)
        any = any || essential->present[s];
    for (size_t s = first; any && s < first + subtrees_of(essential, branch); s++)
        if (!essential->present[s])
            empty_boxes(essential, SHEPARD_SUBTREE_BOX_LEVEL, s * SHEPARD_SUBTREE_BOXES);
    return !any;
}

static void hide(struct essential *essential)
{
    size_t first = 0;
    for (size_t i = 0; i < essential->branches; i++)
        if (hide_subtrees(essential, i))
            empty_boxes(essential, SHEPARD_BRANCH_BOX_LEVEL, i * SHEPARD_SUBTREE_BOXES);
    while (first + 1 < essential->subtrees && !essential->present[first])
        first++;
    essential->points->store.tree.start = essential->field->tree.start =
        first * (SHEPARD_SUBTREE / SHEPARD_LEAF);
}

static enum shepard_status finish(struct shepard_essential_part *part, struct shepard_error *error)
{
    struct essential *essential = of(part);
    for (size_t s = 0; s < essential->subtrees; s++)
        if (essential->needed[s] && !essential->present[s])
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "essential",
                                     "subtree %zu is needed and was not added: add all that "
                                     "shepard_essential_need says",
                                     s);
    hide(essential);
    shepard_cpu_farfield_end(&essential->engine, essential->making, SHEPARD_OK);
    essential->making = NULL;
    return SHEPARD_OK;
}

const struct shepard_essential_steps shepard_cpu_essential = {
    .create = create,
    .numbers = numbers,
    .add = add,
    .join = join,
    .open = open_branches,
    .need = need,
    .finish = finish,
    .free = free_part,
};
