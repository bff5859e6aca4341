/* SPDX-License-Identifier: MIT */
/* Nodes are worked on in batches. Up to CHUNK_HEIGHT levels a batch holds nodes of as many subtrees
 * of one chunk, so that both children of a lane's parent come one after the other in that lane;
 * above, it holds consecutive nodes, whose parents are the sums of two lanes. */
#include "core/moments.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/circle.h"
#include "core/complex_table.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CHUNK_HEIGHT 4
/* log2 of SHEPARD_BATCH: levels from a batch of consecutive nodes to one node. */
#define BATCH_HEIGHT 3
#define CHUNK_LEVEL (CHUNK_HEIGHT + BATCH_HEIGHT)

/* Nodes placed per block of the loop. */
#define PLACE_BLOCK 1024

struct moment_worker {
    struct shepard_batch levels[CHUNK_HEIGHT + 1], spare;
    struct shepard_batch_points points;
    double *leaf; /* [charges, SHEPARD_LEAF] as the caller gives them */
};

struct build {
    const struct shepard_tree *tree;
    const struct shepard_moment_kernels *kernels;
    const struct shepard_charges *charges;
    struct shepard_moments_form form;
    struct shepard_moments *moments;
    int degree;     /* of all moments in the making */
    size_t numbers; /* of one node in the making, all charges */
    size_t chunks;
    int threads;
    struct moment_worker *workers; /* [threads] */
    double *memory;                /* of all arrays */
    double *roots;                 /* [chunks, numbers] */
    double *table;                 /* of complex_table.h */
};

/* ---- shape ----------------------------------------------------------------------------------- */

/* Numbers of orders of a level's nodes: at most four numbers a point. */
static int count_orders(int level, int order)
{
    const double room = ldexp(4 * SHEPARD_LEAF, level);
    int orders = 1;
    while (SHEPARD_ORDER(orders) <= order && SHEPARD_TERMS(SHEPARD_ORDER(orders)) <= room)
        orders++;
    return orders;
}

static int stored_degree(const struct shepard_moments *moments, int level, int extra)
{
    return SHEPARD_ORDER(moments->orders[level] - 1) + extra;
}

static size_t stored_terms(const struct shepard_moments *moments, int level, int extra)
{
    return SHEPARD_DEGREE_FIRST(stored_degree(moments, level, extra) + 1);
}

/* Levels, orders and counts; returns the count of all nodes. */
static size_t shape_levels(struct shepard_moments *moments, size_t n, int order)
{
    size_t all = 0, count = shepard_ceil_div(n, SHEPARD_LEAF);
    for (int level = 0;; level++) {
        moments->first[level] = all;
        moments->count[level] = count;
        moments->orders[level] = count_orders(level, order);
        moments->levels = level + 1;
        all += count;
        if (count == 1)
            return all;
        count = shepard_ceil_div(count, 2);
    }
}

static size_t stored_numbers(const struct shepard_moments *moments, size_t charges, int extra)
{
    size_t numbers = 0;
    for (int level = 0; level < moments->levels; level++)
        numbers += moments->count[level] * charges * stored_terms(moments, level, extra);
    return numbers;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Makes *low to *high hold also what set's slots first ... first + span - 1 hold. */
static void stretch(double *low, double *high, const double *lows, const double *highs, size_t span)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < span; i++) {
        *low = lows[i] < *low ? lows[i] : *low;
        *high = highs[i] > *high ? highs[i] : *high;
    }
}

/* Centre and radius of a node: its box is that of at most SHEPARD_FANOUT siblings of the tree. */
static void place_node(const struct shepard_tree *tree, int level, size_t i,
                       struct shepard_node *node)
{
    const int at = level / BATCH_HEIGHT < tree->levels ? level / BATCH_HEIGHT : tree->levels - 1;
    const size_t span = (size_t)1 << (level - at * BATCH_HEIGHT), first = i * span;
    const struct shepard_boxes *set = &tree->boxes[at][first / SHEPARD_FANOUT];
    const size_t slot = first % SHEPARD_FANOUT;
    double x_min, x_max, y_min, y_max;
    stretch(&x_min, &x_max, set->x_min + slot, set->x_max + slot, span);
    stretch(&y_min, &y_max, set->y_min + slot, set->y_max + slot, span);
    const struct shepard_circle circle = shepard_circle_round(x_min, x_max, y_min, y_max);
    node->x = circle.x;
    node->y = circle.y;
    node->scale = circle.scale;
}

static int level_of(const struct shepard_moments *moments, size_t node)
{
    int level = moments->levels - 1;
    while (node < moments->first[level])
        level--;
    return level;
}

static size_t first_number(const struct build *build, int level)
{
    size_t first = 0;
    for (int l = 0; l < level; l++)
        first += build->moments->count[l] * build->charges->count *
                 stored_terms(build->moments, l, build->form.extra);
    return first;
}

/* Nodes first to end - 1 of a level. */
static void place_nodes(const struct build *build, int level, size_t first, size_t end)
{
    struct shepard_moments *moments = build->moments;
    const size_t base = first_number(build, level);
    const size_t stride = stored_terms(moments, level, build->form.extra);
    for (size_t i = first; i < end; i++) {
        struct shepard_node *node = &moments->nodes[moments->first[level] + i];
        place_node(build->tree, level, i, node);
        node->moments = base + i * stride * build->charges->count;
        node->stride = (uint32_t)stride;
    }
}

static enum shepard_status place_block(void *context, size_t block, int thread)
{
    const struct build *build = context;
    const struct shepard_moments *moments = build->moments;
    const int top = moments->levels - 1;
    const size_t all = moments->first[top] + moments->count[top];
    const size_t end = shepard_smaller((block + 1) * PLACE_BLOCK, all);
    (void)thread;
    for (size_t i = block * PLACE_BLOCK, next; i < end; i = next) {
        const int level = level_of(moments, i);
        const size_t first = moments->first[level];
        next = shepard_smaller(end, first + moments->count[level]);
        place_nodes(build, level, i - first, next - first);
    }
    return SHEPARD_OK;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Lane i < count of a batch is node first + i * step of a level. */
struct moment_lanes {
    int level;
    size_t first, step, count;
};

/* The node of a lane, NULL where there is none. */
static struct shepard_node *lane_node(const struct build *build, const struct moment_lanes *lanes,
                                      size_t lane)
{
    const struct shepard_moments *moments = build->moments;
    const size_t i = lanes->first + lane * lanes->step;
    if (lane >= lanes->count || i >= moments->count[lanes->level])
        return NULL;
    return &moments->nodes[moments->first[lanes->level] + i];
}

static bool is_empty(const struct build *build, const struct moment_lanes *lanes)
{
    return lane_node(build, lanes, 0) == NULL;
}

static void clear(const struct build *build, struct shepard_batch *batch)
{
    memset(batch->numbers, 0, build->numbers * SHEPARD_BATCH * sizeof *batch->numbers);
}

/* Raises a node's mean radii to the least that bounds allow for, and stores their squares. */
static void store_mean_radii(const struct shepard_moments *moments, const struct shepard_node *node,
                             int orders)
{
    const size_t i = (size_t)(node - moments->nodes);
    float *log2s = moments->mean_radius_log2 + i * moments->mean_radius_stride + 1;
    float *squares = moments->mean_radius2 + i * moments->mean_radius2_stride;
    const float least = node->scale > 0 ? shepard_circle_least_mean_radius(node->scale) : -INFINITY;
    for (int o = 0; o < orders; o++) {
        log2s[o] = log2s[o] > least ? log2s[o] : least;
        squares[o] = fmaxf(exp2f(2 * log2s[o]) * (1 + 0x1p-20f), FLT_MIN);
    }
    for (size_t o = (size_t)orders; o < moments->mean_radius2_stride; o++)
        squares[o] = 0;
}

static void store(const struct build *build, const struct moment_lanes *lanes,
                  const struct shepard_batch *batch)
{
    const struct shepard_moments *moments = build->moments;
    const int orders = moments->orders[lanes->level];
    struct shepard_batch_out out = {.table = build->table};
    struct shepard_batch_mean_radius mean_radius_log2 = {.orders = orders};
    out.degree = stored_degree(moments, lanes->level, build->form.extra);
    out.stride = stored_terms(moments, lanes->level, build->form.extra);
    for (size_t i = 0; i < SHEPARD_BATCH; i++) {
        const struct shepard_node *node = lane_node(build, lanes, i);
        if (node == NULL)
            continue;
        if (moments->single != NULL)
            out.single[i] = moments->single + node->moments;
        else
            out.precise[i] = moments->precise + node->moments;
        mean_radius_log2.scale[i] = node->scale;
        mean_radius_log2.mean_radius_log2[i] =
            moments->mean_radius_log2 +
            (size_t)(node - moments->nodes) * moments->mean_radius_stride;
    }
    build->kernels->express(batch, &out);
    build->kernels->measure(batch, &mean_radius_log2);
    for (size_t i = 0; i < SHEPARD_BATCH; i++) {
        const struct shepard_node *node = lane_node(build, lanes, i);
        if (node != NULL)
            store_mean_radii(moments, node, orders);
    }
}

/* Adds the moments of a batch's nodes to those of their parents, each in its child's lane. */
static void lift(const struct build *build, const struct moment_lanes *lanes,
                 struct shepard_batch *from, struct shepard_batch *to)
{
    const struct shepard_moments *moments = build->moments;
    struct shepard_batch_step step = {.scale = {0}};
    for (size_t i = 0; i < SHEPARD_BATCH; i++) {
        const struct shepard_node *node = lane_node(build, lanes, i);
        if (node == NULL)
            continue;
        const size_t parent = (lanes->first + i * lanes->step) / 2;
        const struct shepard_node *above =
            &moments->nodes[moments->first[lanes->level + 1] + parent];
        const double inverse = above->scale > 0 ? 1 / above->scale : 0;
        step.x[i] = (node->x - above->x) * inverse;
        step.y[i] = (node->y - above->y) * inverse;
        step.scale[i] = node->scale * inverse;
    }
    build->kernels->translate(from, &step, to);
}

/* ---- up to CHUNK_HEIGHT ---------------------------------------------------------------------- */

static void read_leaf(const struct build *build, struct moment_worker *worker,
                      const struct shepard_node *node, size_t leaf, size_t lane)
{
    const size_t first = leaf * SHEPARD_LEAF;
    const size_t n = shepard_smaller(build->tree->count - first, SHEPARD_LEAF);
    const double inverse = node->scale > 0 ? 1 / node->scale : 0;
    struct shepard_batch_points *points = &worker->points;
    build->charges->of(build->charges->context, first, n, worker->leaf);
    for (size_t i = 0; i < n; i++) {
        points->x[i][lane] = (build->tree->x[first + i] - node->x) * inverse;
        points->y[i][lane] = (build->tree->y[first + i] - node->y) * inverse;
    }
    for (size_t c = 0; c < build->charges->count; c++)
        for (size_t i = 0; i < n; i++)
            points->charges[(c * SHEPARD_LEAF + i) * SHEPARD_BATCH + lane] =
                worker->leaf[c * SHEPARD_LEAF + i];
}

static void clear_points(const struct build *build, struct moment_worker *worker)
{
    struct shepard_batch_points *points = &worker->points;
    memset(points->x, 0, sizeof points->x);
    memset(points->y, 0, sizeof points->y);
    memset(points->charges, 0,
           build->charges->count * SHEPARD_LEAF * SHEPARD_BATCH * sizeof *points->charges);
}

static void collect_leaves(const struct build *build, struct moment_worker *worker,
                           const struct moment_lanes *lanes)
{
    const size_t last = lanes->first + (SHEPARD_BATCH - 1) * lanes->step;
    if ((last + 1) * SHEPARD_LEAF > build->tree->count)
        clear_points(build, worker);
    for (size_t i = 0; i < SHEPARD_BATCH; i++) {
        const struct shepard_node *node = lane_node(build, lanes, i);
        if (node != NULL)
            read_leaf(build, worker, node, lanes->first + i * lanes->step, i);
    }
    build->kernels->collect(&worker->points, &worker->levels[0]);
}

/* Leaves the moments of a batch's nodes in worker->levels[level], having stored them and those of
 * all nodes below. */
static void collect_subtrees(const struct build *build, struct moment_worker *worker,
                             const struct moment_lanes *lanes)
{
    struct shepard_batch *batch = &worker->levels[lanes->level];
    if (lanes->level == 0) {
        collect_leaves(build, worker, lanes);
    } else {
        clear(build, batch);
        for (size_t child = 0; child < 2; child++) {
            const struct moment_lanes below = {lanes->level - 1, 2 * lanes->first + child,
                                               2 * lanes->step, SHEPARD_BATCH};
            if (is_empty(build, &below))
                continue;
            collect_subtrees(build, worker, &below);
            lift(build, &below, &worker->levels[lanes->level - 1], batch);
        }
    }
    store(build, lanes, batch);
}

/* ---- above ----------------------------------------------------------------------------------- */

/* Lanes 2 i and 2 i + 1 of from become lane i of to; the upper half of to is cleared. */
static void add_pairs(const struct build *build, const struct shepard_batch *from,
                      struct shepard_batch *to)
{
    for (size_t t = 0; t < build->numbers; t++) {
        const double *pairs = from->numbers + t * SHEPARD_BATCH;
        double *sums = to->numbers + t * SHEPARD_BATCH;
        for (size_t i = 0; i < SHEPARD_BATCH / 2; i++) {
            sums[i] = pairs[2 * i] + pairs[2 * i + 1];
            sums[SHEPARD_BATCH / 2 + i] = 0;
        }
    }
}

/* From a batch of consecutive nodes, stored, to the one node that holds them, or the top. */
static void fold(const struct build *build, struct moment_worker *worker, struct moment_lanes lanes,
                 struct shepard_batch *batch)
{
    for (int i = 0; i < BATCH_HEIGHT && lanes.level + 1 < build->moments->levels; i++) {
        clear(build, &worker->spare);
        lift(build, &lanes, batch, &worker->spare);
        add_pairs(build, &worker->spare, batch);
        lanes = (struct moment_lanes){lanes.level + 1, lanes.first / 2, 1, lanes.count / 2};
        store(build, &lanes, batch);
    }
}

/* The moments of a chunk's root go to root [numbers]. */
static void collect_chunk(const struct build *build, struct moment_worker *worker, size_t chunk,
                          double *root)
{
    const int top = build->moments->levels - 1;
    const int level = top < CHUNK_HEIGHT ? top : CHUNK_HEIGHT;
    struct shepard_batch *batch = &worker->levels[level];
    const struct moment_lanes lanes = {level, chunk * SHEPARD_BATCH, 1, SHEPARD_BATCH};
    collect_subtrees(build, worker, &lanes);
    fold(build, worker, lanes, batch);
    for (size_t t = 0; t < build->numbers; t++)
        root[t] = batch->numbers[t * SHEPARD_BATCH];
}

static enum shepard_status build_chunk(void *context, size_t chunk, int thread)
{
    const struct build *build = context;
    collect_chunk(build, &build->workers[thread], chunk, build->roots + chunk * build->numbers);
    return SHEPARD_OK;
}

/* Roots of nodes that follow on each other, at most SHEPARD_BATCH, in the lanes of a batch. */
static struct moment_lanes load_roots(const struct build *build, int level, size_t first,
                                      const double *roots, size_t count,
                                      struct shepard_batch *batch)
{
    clear(build, batch);
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < build->numbers; t++)
            batch->numbers[t * SHEPARD_BATCH + i] = roots[i * build->numbers + t];
    return (struct moment_lanes){level, first, 1, SHEPARD_BATCH};
}

/* These become one node, whose moments go to root. */
static void fold_roots(const struct build *build, struct moment_worker *worker, int level,
                       size_t first, const double *roots, size_t count, double *root)
{
    struct shepard_batch *batch = &worker->levels[0];
    fold(build, worker, load_roots(build, level, first, roots, count, batch), batch);
    for (size_t t = 0; t < build->numbers; t++)
        root[t] = batch->numbers[t * SHEPARD_BATCH];
}

/* From the roots of all nodes of a level up, each SHEPARD_BATCH of them becoming one in place. */
static void build_top(const struct build *build, int level, double *roots, size_t count)
{
    for (; count > 1; count = shepard_ceil_div(count, SHEPARD_BATCH), level += BATCH_HEIGHT)
        for (size_t first = 0; first < count; first += SHEPARD_BATCH)
            fold_roots(build, &build->workers[0], level, first, roots + first * build->numbers,
                       shepard_smaller(SHEPARD_BATCH, count - first),
                       roots + first / SHEPARD_BATCH * build->numbers);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static double *open_worker(const struct build *build, struct moment_worker *worker, double *memory)
{
    const size_t batch = build->numbers * SHEPARD_BATCH;
    const struct shepard_batch empty = {
        .degree = build->degree, .charges = build->charges->count, .room = memory};
    memory += SHEPARD_BATCH_ROOM(build->degree);
    for (int i = 0; i <= CHUNK_HEIGHT; i++, memory += batch) {
        worker->levels[i] = empty;
        worker->levels[i].numbers = memory;
    }
    worker->spare = empty;
    worker->spare.numbers = memory;
    memory += batch;
    worker->points.charges = memory;
    memory += build->charges->count * SHEPARD_LEAF * SHEPARD_BATCH;
    worker->leaf = memory;
    return memory + build->charges->count * SHEPARD_LEAF;
}

/* roots: whose moments are kept while they are made. */
static enum shepard_status open_build(struct build *build, size_t roots)
{
    const struct shepard_allocator *allocator = build->moments->allocator;
    const size_t worker = SHEPARD_BATCH_ROOM(build->degree) +
                          build->numbers * SHEPARD_BATCH * (CHUNK_HEIGHT + 2) +
                          build->charges->count * SHEPARD_LEAF * (SHEPARD_BATCH + 1);
    const size_t workers = (size_t)build->threads;
    const size_t table = SHEPARD_TERMS((size_t)build->degree) * ((size_t)build->degree / 2 + 1);
    build->workers = shepard_allocate(allocator, workers, sizeof *build->workers);
    build->memory = shepard_allocate(allocator, workers * worker + roots * build->numbers + table,
                                     sizeof *build->memory);
    if (build->workers == NULL || build->memory == NULL)
        return SHEPARD_ERROR_MEMORY;
    double *memory = build->memory;
    for (size_t i = 0; i < workers; i++)
        memory = open_worker(build, &build->workers[i], memory);
    build->roots = memory;
    build->table = memory + roots * build->numbers;
    shepard_complex_table(build->degree, build->table);
    return SHEPARD_OK;
}

static void close_build(const struct build *build)
{
    shepard_release(build->moments->allocator, build->memory);
    shepard_release(build->moments->allocator, build->workers);
}

static enum shepard_status run_build(struct build *build, const struct shepard_control *control)
{
    const int top = build->moments->levels - 1;
    const size_t nodes = build->moments->first[top] + 1;
    struct shepard_loop loop = {.threads = build->threads,
                                .blocks = shepard_ceil_div(nodes, PLACE_BLOCK),
                                .body = place_block,
                                .context = build};
    shepard_loop_run(&loop);
    enum shepard_status status = open_build(build, build->chunks);
    if (status == SHEPARD_OK) {
        loop.blocks = build->chunks;
        loop.body = build_chunk;
        loop.control = control;
        status = shepard_loop_run(&loop);
    }
    if (status == SHEPARD_OK)
        build_top(build, CHUNK_LEVEL, build->roots, build->chunks);
    close_build(build);
    return status;
}

/* Room for what stays. */
static enum shepard_status open_moments(struct shepard_moments *moments, size_t nodes,
                                        size_t charges, const struct shepard_moments_form *form)
{
    const struct shepard_allocator *allocator = moments->allocator;
    const size_t numbers = stored_numbers(moments, charges, form->extra);
    const size_t lanes = SHEPARD_MEAN_RADIUS_LANES;
    moments->mean_radius2_stride =
        shepard_ceil_div((size_t)moments->orders[moments->levels - 1], lanes) * lanes;
    moments->mean_radius_stride = 1 + (size_t)moments->orders[moments->levels - 1];
    moments->nodes = shepard_allocate(allocator, nodes, sizeof *moments->nodes);
    moments->mean_radius_log2 = shepard_allocate(allocator, nodes * moments->mean_radius_stride,
                                                 sizeof *moments->mean_radius_log2);
    moments->mean_radius2 = shepard_allocate(allocator, nodes * moments->mean_radius2_stride,
                                             sizeof *moments->mean_radius2);
    if (form->single)
        moments->single = shepard_allocate(allocator, numbers, sizeof *moments->single);
    else
        moments->precise = shepard_allocate(allocator, numbers, sizeof *moments->precise);
    const size_t radii = moments->mean_radius_stride + moments->mean_radius2_stride;
    moments->bytes = nodes * (sizeof *moments->nodes + radii * sizeof *moments->mean_radius2) +
                     numbers * (form->single ? sizeof *moments->single : sizeof *moments->precise);
    moments->data =
        (struct shepard_node_data){moments->nodes, charges, moments->single, moments->precise};
    const bool room = moments->nodes != NULL && moments->mean_radius_log2 != NULL &&
                      moments->mean_radius2 != NULL &&
                      (moments->single != NULL || moments->precise != NULL);
    return room ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}

static enum shepard_status
begin(const struct shepard_tree *tree, const struct shepard_kernels *kernels,
      const struct shepard_charges *charges, const struct shepard_moments_form *form,
      const struct shepard_moments_work *work, struct shepard_moments *moments, struct build *build)
{
    *moments = (struct shepard_moments){.allocator = work->allocator};
    *build = (struct build){.tree = tree,
                            .kernels = kernels->moments,
                            .charges = charges,
                            .form = *form,
                            .moments = moments,
                            .threads = work->threads};
    const size_t nodes = shape_levels(moments, tree->count, form->order);
    const int order = SHEPARD_ORDER(moments->orders[moments->levels - 1] - 1);
    build->degree = order + (form->extra > 1 ? form->extra : 1);
    build->numbers = SHEPARD_DEGREE_FIRST(build->degree + 1) * charges->count;
    build->chunks = shepard_ceil_div(moments->count[0], (size_t)1 << CHUNK_LEVEL);
    return open_moments(moments, nodes, charges->count, form);
}

enum shepard_status shepard_moments_create(const struct shepard_tree *tree,
                                           const struct shepard_kernels *kernels,
                                           const struct shepard_charges *charges,
                                           const struct shepard_moments_form *form,
                                           const struct shepard_moments_work *work,
                                           struct shepard_moments *moments)
{
    struct build build;
    enum shepard_status status = begin(tree, kernels, charges, form, work, moments, &build);
    if (status == SHEPARD_OK)
        status = run_build(&build, work->control);
    if (status != SHEPARD_OK)
        shepard_moments_free(moments);
    return status;
}

void shepard_moments_free(struct shepard_moments *moments)
{
    shepard_release(moments->allocator, moments->precise);
    shepard_release(moments->allocator, moments->single);
    shepard_release(moments->allocator, moments->mean_radius2);
    shepard_release(moments->allocator, moments->mean_radius_log2);
    shepard_release(moments->allocator, moments->nodes);
    *moments = (struct shepard_moments){0};
}

/* ---- subtrees -------------------------------------------------------------------------------- */

_Static_assert(SHEPARD_SUBTREE_LEVEL == CHUNK_LEVEL, "a subtree is a chunk");
_Static_assert(SHEPARD_BRANCH_LEVEL == CHUNK_LEVEL + BATCH_HEIGHT, "a branch is a batch of them");
_Static_assert(SHEPARD_SUBTREE == SHEPARD_LEAF << SHEPARD_SUBTREE_LEVEL, "a subtree is a node");

struct shepard_moments_making {
    struct build build;
    struct shepard_charges charges;
    const size_t *subtrees; /* at work */
    double *roots;          /* [subtrees, numbers] of these */
};

enum shepard_status shepard_moments_begin(const struct shepard_tree *tree,
                                          const struct shepard_kernels *kernels,
                                          const struct shepard_charges *charges,
                                          const struct shepard_moments_form *form,
                                          const struct shepard_moments_work *work,
                                          struct shepard_moments *moments,
                                          struct shepard_moments_making **making)
{
    struct shepard_moments_making *made = shepard_allocate(work->allocator, 1, sizeof *made);
    *making = NULL;
    if (made == NULL)
        return SHEPARD_ERROR_MEMORY;
    made->charges = *charges;
    enum shepard_status status =
        begin(tree, kernels, &made->charges, form, work, moments, &made->build);
    if (status == SHEPARD_OK)
        status = open_build(&made->build, 0);
    if (status == SHEPARD_OK) {
        *making = made;
        return SHEPARD_OK;
    }
    close_build(&made->build);
    shepard_moments_free(moments);
    shepard_release(work->allocator, made);
    return status;
}

void shepard_moments_end(struct shepard_moments_making *making)
{
    if (making == NULL)
        return;
    const struct shepard_allocator *allocator = making->build.moments->allocator;
    close_build(&making->build);
    shepard_release(allocator, making);
}

size_t shepard_moments_numbers(const struct shepard_moments_making *making)
{
    return making->build.numbers;
}

/* The nodes of a level below a node of one that is higher. */
static void place_below(const struct build *build, int top, size_t node, int level)
{
    const size_t first = node << (top - level), end = (node + 1) << (top - level);
    place_nodes(build, level, first, shepard_smaller(end, build->moments->count[level]));
}

static enum shepard_status make_subtree(void *context, size_t i, int thread)
{
    const struct shepard_moments_making *making = context;
    const struct build *build = &making->build;
    for (int level = 0; level <= SHEPARD_SUBTREE_LEVEL; level++)
        place_below(build, SHEPARD_SUBTREE_LEVEL, making->subtrees[i], level);
    collect_chunk(build, &build->workers[thread], making->subtrees[i],
                  making->roots + i * build->numbers);
    return SHEPARD_OK;
}

void shepard_moments_add(struct shepard_moments_making *making, const size_t *subtrees,
                         size_t count, double *roots)
{
    making->subtrees = subtrees;
    making->roots = roots;
    shepard_loop_run(&(struct shepard_loop){.threads = making->build.threads,
                                            .blocks = count,
                                            .body = make_subtree,
                                            .context = making});
}

/* Stores roots of nodes of a level that follow on each other. */
static void store_roots(const struct build *build, int level, size_t first, const double *roots,
                        size_t count)
{
    struct shepard_batch *batch = &build->workers[0].levels[0];
    for (size_t i = 0; i < count; i += SHEPARD_BATCH) {
        const struct moment_lanes lanes =
            load_roots(build, level, first + i, roots + i * build->numbers,
                       shepard_smaller(SHEPARD_BATCH, count - i), batch);
        store(build, &lanes, batch);
    }
}

void shepard_moments_join(struct shepard_moments_making *making, size_t branch, const double *roots,
                          double *root)
{
    const struct build *build = &making->build;
    const size_t first = branch * SHEPARD_BRANCH_SUBTREES;
    const size_t count = shepard_smaller(SHEPARD_BRANCH_SUBTREES, build->chunks - first);
    for (int level = SHEPARD_SUBTREE_LEVEL; level <= SHEPARD_BRANCH_LEVEL; level++)
        place_below(build, SHEPARD_BRANCH_LEVEL, branch, level);
    store_roots(build, SHEPARD_SUBTREE_LEVEL, first, roots, count);
    fold_roots(build, &build->workers[0], SHEPARD_SUBTREE_LEVEL, first, roots, count, root);
}

void shepard_moments_finish(struct shepard_moments_making *making, double *roots)
{
    const struct build *build = &making->build;
    const struct shepard_moments *moments = build->moments;
    const size_t count = moments->count[SHEPARD_BRANCH_LEVEL];
    for (int level = SHEPARD_BRANCH_LEVEL; level < moments->levels; level++)
        place_nodes(build, level, 0, moments->count[level]);
    store_roots(build, SHEPARD_BRANCH_LEVEL, 0, roots, count);
    build_top(build, SHEPARD_BRANCH_LEVEL, roots, count);
}
