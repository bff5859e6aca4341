/* SPDX-License-Identifier: MIT */
/* Lists of interactions: every point once, and what is left out small relative to the sum of
 * weights. */
#include "core/interactions.h"

#include "base/arithmetic.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 1500

/* Who sums a point. */
enum { BY_NONE, BY_ITSELF, BY_NODE };

struct scene {
    const struct sample *sample;
    struct shepard_accuracy_demand demand;
    struct shepard_accuracy accuracy;
    struct shepard_interaction_query view;
    struct shepard_interactions interactions;
    unsigned char by[POINTS_MAX];
};

/* ---- scenes ---------------------------------------------------------------------------------- */

static void draw_region(struct scene *scene, unsigned long *seed)
{
    double x, y;
    const double size = chance(seed) < 0.2 ? 0 : scaled_chance(seed, -20, 0);
    cloud_target(&scene->sample->cloud, seed, &x, &y);
    scene->view.region =
        (struct shepard_box){x, x + size * chance(seed), y, y + size * chance(seed)};
    scene->view.smoothing2 = chance(seed) < 0.5 && size > 0 ? 0 : scaled_chance(seed, -40, 4);
}

static double farthest2(const struct shepard_box *box, double x, double y)
{
    const double dx = fmax(fabs(box->x_min - x), fabs(box->x_max - x));
    const double dy = fmax(fabs(box->y_min - y), fabs(box->y_max - y));
    return dx * dx + dy * dy;
}

/* The weight floor is one point: its weight at the farthest place of the region. */
static void set_weight_floor(struct scene *scene)
{
    const struct shepard_tree *tree = scene->sample->data.tree;
    size_t nearest = 0;
    for (size_t i = 1; i < tree->count; i++)
        if (farthest2(&scene->view.region, tree->x[i], tree->y[i]) <
            farthest2(&scene->view.region, tree->x[nearest], tree->y[nearest]))
            nearest = i;
    const double r2 =
        farthest2(&scene->view.region, tree->x[nearest], tree->y[nearest]) + scene->view.smoothing2;
    scene->view.weight_floor =
        (struct shepard_weight_floor){log2(sample_charge(scene->sample, 0, nearest)), log2(r2) / 2};
}

static double least_charge(const struct sample *sample)
{
    double least = INFINITY;
    for (size_t i = 0; i < sample->data.tree->count; i++)
        least = fmin(least, sample_charge(sample, 0, i));
    return log2(least) - 1e-6;
}

static void draw_scene(struct scene *scene, const struct sample *sample, unsigned long *seed)
{
    *scene = (struct scene){.sample = sample, .demand = draw_demand(seed)};
    scene->demand.points = (double)sample->data.tree->count;
    shepard_accuracy_set(&scene->demand, &scene->accuracy);
    scene->view.moments = &sample->moments;
    scene->view.accuracy = &scene->accuracy;
    scene->view.points = sample->data.tree->count;
    scene->view.least_charge = least_charge(sample);
    scene->view.plane = scene->demand.relative;
    scene->view.apart = chance(seed) < 0.2;
    do {
        draw_region(scene, seed);
        set_weight_floor(scene);
    } while (!isfinite(scene->view.weight_floor.distance));
}

/* ---- marks ----------------------------------------------------------------------------------- */

static bool mark(struct scene *scene, size_t first, size_t end, unsigned char by)
{
    bool free = first < end && end <= scene->view.points;
    for (size_t i = first; free && i < end; i++) {
        free = scene->by[i] == BY_NONE;
        scene->by[i] = by;
    }
    return free;
}

static int level_of(const struct shepard_moments *moments, size_t node)
{
    int level = moments->levels - 1;
    while (node < moments->first[level])
        level--;
    return level;
}

static void points_of(const struct scene *scene, size_t node, size_t *first, size_t *end)
{
    const int level = level_of(scene->view.moments, node);
    sample_node_points(scene->sample, level, node - scene->view.moments->first[level], first, end);
}

/* NULL or what is wrong. */
static const char *mark_all(struct scene *scene)
{
    const struct shepard_interactions *interactions = &scene->interactions;
    const struct shepard_moments *moments = scene->view.moments;
    for (size_t i = 0; i < interactions->runs; i++) {
        const struct shepard_run *run = &interactions->run[i];
        if (i > 0 && run->first <= run[-1].first + run[-1].count)
            return "runs do not rise with room between them";
        if (!mark(scene, run->first, run->first + run->count, BY_ITSELF))
            return "a point is twice in runs";
    }
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        for (size_t i = 0; i < interactions->nodes[o]; i++) {
            const size_t node = interactions->node[o][i];
            size_t first, end;
            points_of(scene, node, &first, &end);
            if (o >= moments->orders[level_of(moments, node)] || o >= scene->accuracy.orders)
                return "a node is used beyond its order";
            if (!mark(scene, first, end, BY_NODE))
                return "a point is in a node and elsewhere";
        }
    return NULL;
}

/* Points that are summed nowhere make whole leaves. */
static bool skips_leaves(const struct scene *scene)
{
    for (size_t i = 0; i < scene->view.points; i++)
        if (i % SHEPARD_LEAF > 0 && (scene->by[i] == BY_NONE) != (scene->by[i - 1] == BY_NONE))
            return false;
    return true;
}

/* ---- what is left out ------------------------------------------------------------------------ */

static void add_node(const struct scene *scene, struct outlook outlook, size_t number, double x,
                     double y, struct left_out *left_out)
{
    const struct shepard_node *node = &scene->view.moments->nodes[number];
    const struct shepard_tree *tree = scene->sample->data.tree;
    size_t first, end;
    outlook.x = (long double)x - node->x;
    outlook.y = (long double)y - node->y;
    const long double r2 = outlook.x * outlook.x + outlook.y * outlook.y + outlook.smoothing2;
    const long double centre = expl(
        outlook.power * ((long double)scene->view.weight_floor.distance * logl(2) - logl(r2) / 2));
    points_of(scene, number, &first, &end);
    for (size_t i = first; i < end; i++) {
        struct weight_pair pair = expand_weight(&outlook, (long double)tree->x[i] - node->x,
                                                (long double)tree->y[i] - node->y);
        pair.whole *= centre;
        pair.part *= centre;
        left_out_add(left_out, sample_charge(scene->sample, 0, i), pair);
    }
}

static void add_others(const struct scene *scene, const struct outlook *outlook, double x, double y,
                       struct left_out *left_out)
{
    const struct shepard_tree *tree = scene->sample->data.tree;
    for (size_t i = 0; i < scene->view.points; i++) {
        if (scene->by[i] == BY_NODE)
            continue;
        const long double dx = (long double)tree->x[i] - x, dy = (long double)tree->y[i] - y;
        const long double r2 = dx * dx + dy * dy + outlook->smoothing2;
        const long double whole =
            expl(outlook->power *
                 ((long double)scene->view.weight_floor.distance * logl(2) - logl(r2) / 2));
        const struct weight_pair pair = {whole, scene->by[i] == BY_NONE ? 0 : whole};
        left_out_add(left_out, sample_charge(scene->sample, 0, i), pair);
    }
}

/* The part of the allowance that is used up at a place. */
static double judge_target(const struct scene *scene, double x, double y, double power)
{
    const struct shepard_interactions *interactions = &scene->interactions;
    struct outlook outlook = {.smoothing2 = scene->view.smoothing2, .power = power};
    struct left_out left_out = {0};
    add_others(scene, &outlook, x, y, &left_out);
    if (!isfinite((double)left_out.weight))
        return 0; /* on a data point */
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        for (size_t i = 0; i < interactions->nodes[o]; i++) {
            outlook.order = SHEPARD_ORDER(o);
            add_node(scene, outlook, interactions->node[o][i], x, y, &left_out);
        }
    return scene->demand.relative ? left_out.largest / scene->demand.eps
                                  : left_out_effect(&left_out) /
                                        (scene->accuracy.own + exp2(scene->accuracy.absolute));
}

static double judge_region(const struct scene *scene, unsigned long *seed)
{
    const struct shepard_box *box = &scene->view.region;
    double worst = 0;
    for (int i = 0; i < 6; i++) {
        const double a = i < 4 ? i % 2 : chance(seed), b = i < 4 ? i / 2 : chance(seed);
        worst = fmax(worst, judge_target(scene, box->x_min + a * (box->x_max - box->x_min),
                                         box->y_min + b * (box->y_max - box->y_min),
                                         draw_power(&scene->demand, seed)));
    }
    return worst;
}

/* ---- quick looks ----------------------------------------------------------------------------- */

static bool same_lists(const struct shepard_interactions *a, const struct shepard_interactions *b)
{
    bool same = a->runs == b->runs &&
                (a->runs == 0 || memcmp(a->run, b->run, a->runs * sizeof *a->run) == 0);
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        same = same && a->nodes[o] == b->nodes[o] &&
               (a->nodes[o] == 0 ||
                memcmp(a->node[o], b->node[o], a->nodes[o] * sizeof *a->node[o]) == 0);
    return same;
}

/* Where points may weigh as little as they like, each node is one that the budget may pay for. */
static bool quick_looks_change_nothing(const struct scene *scene)
{
    struct shepard_interaction_query view = scene->view;
    struct shepard_interactions full = {0};
    view.least_charge = -INFINITY;
    if (!shepard_interactions_list(&full, &view))
        exit(2);
    const bool same = same_lists(&scene->interactions, &full);
    shepard_interactions_free(&full);
    return same;
}

/* A walk by core/mac.h alone. */
struct plain_walk {
    const struct scene *scene;
    double left;
    size_t nodes, runs;
};

static void plain_visit(struct plain_walk *walk, int level, size_t i)
{
    const struct shepard_interaction_query *view = &walk->scene->view;
    const struct shepard_moments *moments = view->moments;
    const size_t number = moments->first[level] + i;
    const struct shepard_node *node = &moments->nodes[number];
    const float *row = moments->mean_radius_log2 + number * moments->mean_radius_stride;
    const double x = fmin(fmax(node->x, view->region.x_min), view->region.x_max) - node->x;
    const double y = fmin(fmax(node->y, view->region.y_min), view->region.y_max) - node->y;
    const double d2 = x * x + y * y, distance = log2(d2 + view->smoothing2) / 2;
    float radii[SHEPARD_ORDERS_MAX];
    for (int o = 0; o < moments->orders[level]; o++)
        radii[o] =
            view->plane ? (float)fmax(log2(node->scale), SHEPARD_MEAN_RADIUS_NONE) : row[1 + o];
    const struct shepard_node_geometry geometry = {
        (double)row[0], d2, view->smoothing2, node->scale, distance, radii, moments->orders[level]};
    const bool apart = view->apart && d2 <= node->scale * node->scale;
    double spent = 0;
    const int order = d2 + view->smoothing2 > 0 && !apart
                          ? shepard_mac_test(view->accuracy, &geometry, &view->weight_floor,
                                             walk->left, SHEPARD_ORDER_NONE, &spent)
                          : SHEPARD_ORDER_NONE;
    walk->left -= spent;
    walk->nodes += order >= 0;
    walk->runs += order == SHEPARD_ORDER_NONE && level == 0;
    for (size_t child = 2 * i; order == SHEPARD_ORDER_NONE && level > 0 && child < 2 * i + 2;
         child++)
        if (child < moments->count[level - 1])
            plain_visit(walk, level - 1, child);
}

/* Nodes and leaves of lists, and how many more or less they are than a plain walk's. */
static void compare_with_plain(const struct scene *scene, double *listed, double *others)
{
    struct plain_walk walk = {scene, shepard_mac_budget(&scene->accuracy), 0, 0};
    double nodes = 0, leaves = 0;
    plain_visit(&walk, scene->view.moments->levels - 1, 0);
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        nodes += (double)scene->interactions.nodes[o];
    for (size_t i = 0; i < scene->interactions.runs; i++)
        leaves += (double)shepard_ceil_div(scene->interactions.run[i].count, SHEPARD_LEAF);
    *listed += nodes + leaves;
    *others += fabs(nodes - (double)walk.nodes) + fabs(leaves - (double)walk.runs);
}

/* ---- checks ---------------------------------------------------------------------------------- */

struct seen {
    double worst, listed, others;
    size_t skipped, nodes, single;
};

static void check_scene(struct tally *tally, const struct sample *sample, struct seen *seen,
                        unsigned long *seed)
{
    static struct scene scene;
    draw_scene(&scene, sample, seed);
    if (!shepard_interactions_list(&scene.interactions, &scene.view))
        exit(2);
    const char *fault = mark_all(&scene);
    if (fault == NULL && !skips_leaves(&scene))
        fault = "a leaf is summed in part";
    if (fault == NULL && !quick_looks_change_nothing(&scene))
        fault = "a quick look at nodes gives other lists";
    const double used = fault == NULL ? judge_region(&scene, seed) : 0;
    compare_with_plain(&scene, &seen->listed, &seen->others);
    tally_check(tally, fault == NULL, "interactions over %s, n = %zu: %s", sample->cloud.name,
                scene.view.points, fault);
    tally_check(tally, used <= 1,
                "interactions over %s, n = %zu, for %g%s, powers %g to %g, leave out %g of what "
                "they may",
                sample->cloud.name, scene.view.points, scene.demand.eps,
                scene.demand.relative ? " of each" : "", scene.demand.power, scene.demand.power_max,
                used);
    seen->worst = fmax(seen->worst, used);
    for (size_t i = 0; i < scene.view.points; i++) {
        seen->skipped += scene.by[i] == BY_NONE;
        seen->nodes += scene.by[i] == BY_NODE;
        seen->single += scene.by[i] == BY_ITSELF;
    }
    shepard_interactions_free(&scene.interactions);
}

static void check_all(struct tally *tally, unsigned long *seed)
{
    struct shepard_interactions interactions = {0};
    const size_t n = 1 + pick(seed, 1000);
    const bool listed = shepard_interactions_list_all(&interactions, n);
    tally_check(tally,
                listed && interactions.runs == 1 && interactions.run[0].first == 0 &&
                    interactions.run[0].count == n,
                "all points are not one run");
    shepard_interactions_free(&interactions);
}

void check_interactions(struct tally *tally, unsigned long seed)
{
    enum { TIMES = 25 };
    static const size_t sizes[] = {1, 16, 33, 400, POINTS_MAX};
    struct seen seen = {0};
    for (int kind = 0; kind < CLOUD_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct sample sample;
            sample_make(&sample, (enum cloud_kind)kind, sizes[i], 1, kind % 2 == 1, &seed);
            sample_expand(&sample, &(struct shepard_moments_form){SHEPARD_ORDER_MAX, 0, false});
            for (int j = 0; j < TIMES; j++)
                check_scene(tally, &sample, &seen, &seed);
            sample_free(&sample);
        }
    check_all(tally, &seed);
    tally_check(tally, seen.skipped > 0 && seen.nodes > 0 && seen.single > 0,
                "points skipped: %zu, in nodes: %zu, in runs: %zu", seen.skipped, seen.nodes,
                seen.single);
    tally_check(tally, seen.others <= 2e-3 * seen.listed,
                "of %g nodes and leaves a plain walk has %g others", seen.listed, seen.others);
    printf("interactions: of %g nodes and leaves a plain walk has %g others\n", seen.listed,
           seen.others);
    printf("interactions: %zu points in runs, %zu in nodes, %zu skipped; leave out %.2g of what "
           "they may\n",
           seen.single, seen.nodes, seen.skipped, seen.worst);
}
