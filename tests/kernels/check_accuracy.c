/* SPDX-License-Identifier: MIT */
/* The rules of core/accuracy against what expansions leave out. */
#include "suite.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static void check_log2(struct tally *tally, unsigned long *seed)
{
    enum { STEPS = 20000 };
    double worst = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double mantissa = 1 + (double)i / STEPS, part = exp2(2000 * chance(seed) - 1000);
        const double even = nextafter(mantissa, chance(seed) < 0.5 ? 1 : 2);
        worst = fmax(worst, fabs(shepard_accuracy_log2(even) - log2(even)));
        worst = fmax(worst, fabs(shepard_accuracy_log2(part) - log2(part)));
    }
    worst = fmax(worst, fabs(shepard_accuracy_log2(DBL_MIN) + 1022));
    worst = fmax(worst, fabs(shepard_accuracy_log2(DBL_MAX) - 1024));
    tally_check(tally, worst < SHEPARD_LOG2_ERROR, "logarithms are off by %g", worst);
}

static void check_exp2(struct tally *tally, unsigned long *seed)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i <= 20000; i++) {
        const double any = 1900 * chance(seed) - 950, whole = floor(any);
        const double tried[] = {any, whole, nextafter(whole, 2000), nextafter(whole, -2000),
                                whole + 1e-14};
        for (size_t t = 0; t < sizeof tried / sizeof *tried; t++) {
            const double ratio = shepard_accuracy_exp2(tried[t]) / exp2(tried[t]);
            least = fmin(least, ratio);
            most = fmax(most, ratio);
        }
    }
    tally_check(tally, least >= 1 - 2e-13 && most <= 1.0615,
                "powers of two are %.17g to %.17g times what they are", least, most);
    const double dear[] = {2000, INFINITY, NAN}, cheap[] = {-2000, -INFINITY};
    bool ends = true;
    for (size_t i = 0; i < sizeof dear / sizeof *dear; i++)
        ends = ends && shepard_accuracy_exp2(dear[i]) > 1e30 && shepard_mac_price(dear[i]) > 1e30;
    for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
        ends = ends && shepard_accuracy_exp2(cheap[i]) < 1e-30;
    tally_check(tally, ends && shepard_mac_price(-INFINITY) == 0,
                "powers of two beyond 1000 or of NaN, or the price of nothing");
}

/* There is room for truncation, and expansions are of use, at the least tolerances. */
static void check_room(struct tally *tally, const struct shepard_accuracy_demand *demand)
{
    struct shepard_accuracy accuracy;
    shepard_accuracy_set(demand, &accuracy);
    const double absolute = exp2(accuracy.absolute);
    bool useful = accuracy.orders > 0;
    for (int part = 0; part < accuracy.parts; part++)
        for (int o = 0; o < accuracy.orders; o++)
            useful = useful && accuracy.limit[part][o] > -10 && accuracy.relative[part][o] > -60 &&
                     accuracy.relative[part][o] <= accuracy.limit[part][o] &&
                     (part == 0 || accuracy.relative[part][o] <= accuracy.relative[part - 1][o]);
    tally_check(tally, absolute > 0 && absolute < demand->eps && useful,
                "no room for truncation at %g, power %g to %g, %g points: %g, order 1 up to t = %g",
                demand->eps, demand->power, demand->power_max, demand->points, absolute,
                exp2(accuracy.limit[0][0]));
}

static void check_rooms(struct tally *tally, unsigned long *seed)
{
    const struct shepard_accuracy_demand least[] = {
        {.eps = SHEPARD_ACCURACY_SINGLE,
         .power = 8,
         .power_max = 8,
         .single = true,
         .single_nodes = true,
         .single_moments = true},
        {.eps = SHEPARD_ACCURACY_SINGLE,
         .power = 0.1,
         .power_max = 8,
         .single = true,
         .single_moments = true,
         .smooth = true,
         .logarithm = 16},
        {.eps = SHEPARD_ACCURACY_DOUBLE, .power = 100, .power_max = 100},
        {.eps = SHEPARD_ACCURACY_DOUBLE, .power = 0.1, .power_max = 100, .smooth = true}};
    for (size_t i = 0; i < sizeof least / sizeof least[0]; i++) {
        struct shepard_accuracy_demand demand = least[i];
        demand.points = 4e9;
        demand.charges = demand.single ? 4e29 : 4e109;
        check_room(tally, &demand);
    }
    for (int i = 0; i < 40; i++) {
        const struct shepard_accuracy_demand demand = draw_demand(seed);
        if (!demand.relative)
            check_room(tally, &demand);
    }
}

/* (a)_n / n! */
static double rising_over(double a, int n)
{
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= (a + i) / (i + 1);
    return product;
}

/* What the summands of the factors of degree l with smoothing come to, over C_l(1): Eq. 28a with
 * all signs positive, t = T. */
static double summands(double power, double t, int l)
{
    const double a = power / 2, s = 1 - t;
    double sum = 0;
    for (int k = 0; 2 * k <= l; k++) {
        const int m = l - 2 * k;
        for (int j = 0; j <= k; j++)
            sum += (m > 0 ? 2 : 1) * pow(s, m / 2. + k - j) * pow(t, j) * rising_over(a, j) *
                   rising_over(a + j, m + k - j) * rising_over(a + j, k - j);
    }
    return sum / rising_over(power, l);
}

/* The bound holds, is reached where half of a squared length is smoothing and the power is small,
 * and is low for other powers. */
static void check_summands(struct tally *tally, unsigned long *seed)
{
    double most = 0, least = INFINITY, slack = 0;
    bool finite = true;
    for (int i = 0; i < 4000; i++) {
        const double power = scaled_chance(seed, -3, 4.5);
        const double t = chance(seed) < 0.5 ? chance(seed) : scaled_chance(seed, -20, 0);
        const int l = 2 + (int)pick(seed, SHEPARD_ORDER(SHEPARD_ORDERS_MAX - 1) - 1);
        const double found = summands(power, t, l) / shepard_accuracy_summands(power, l);
        finite = finite && isfinite(found);
        most = fmax(most, found);
        least = fmin(least, summands(1e-6, 0.5, l) / shepard_accuracy_summands(1e-6, l));
    }
    for (int l = 0; l <= 7; l++)
        slack = fmax(slack, shepard_accuracy_summands(3.5, l));
    tally_check(tally, finite && most <= 1 + 1e-12 && least > 0.999 && slack < 2.3,
                "summands of factors with smoothing are %g of their bound, %g where they reach it; "
                "that is %g for power 3.5",
                most, least, slack);
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

/* A less exact logarithm is as so much less tolerance: of sums, and of what rounding lets a node's
 * order do, next to one that is exact but a GPU's; and only so many orders are used as are wanted.
 */
static void check_logarithm(struct tally *tally, unsigned long *seed)
{
    for (int i = 0; i < 40; i++) {
        struct shepard_accuracy with, less;
        const double power = 4 + 4 * chance(seed), logarithm = 16 * chance(seed);
        const double lost = logarithm * power / 4 * 0x1p-24;
        struct shepard_accuracy_demand demand = {.eps = scaled_chance(seed, -16.7, -16.5),
                                                 .power = power,
                                                 .power_max = power,
                                                 .points = 1e6,
                                                 .charges = 1e6,
                                                 .smooth = chance(seed) < 0.5,
                                                 .single = true,
                                                 .single_nodes = true,
                                                 .single_moments = true,
                                                 .logarithm = logarithm,
                                                 .orders_max = 1 + (int)pick(seed, 4)};
        for (int relative = 0; relative < 2; relative++) {
            struct shepard_accuracy_demand other = demand;
            demand.relative = other.relative = relative == 1;
            other.logarithm = DBL_MIN;
            other.eps -= demand.relative ? lost : lost / 0.975;
            shepard_accuracy_set(&demand, &with);
            shepard_accuracy_set(&other, &less);
            const bool same = demand.relative ? is_near(with.limit[0][0], less.limit[0][0])
                                              : is_near(with.absolute, less.absolute);
            tally_check(tally, same && with.orders == demand.orders_max,
                        "a logarithm off by %g is not as %g less of %g", logarithm, lost,
                        demand.eps);
        }
    }
}

/* ---- the error budget
 * ------------------------------------------------------------------------------
 */

static struct shepard_node_geometry draw_node_geometry(float *mean_radius_log2, unsigned long *seed)
{
    struct shepard_node_geometry geometry = {.charge = 20 * chance(seed),
                                             .d2 = scaled_chance(seed, 0, 20),
                                             .mean_radius_log2 = mean_radius_log2,
                                             .orders = 1 + (int)pick(seed, SHEPARD_ORDERS_MAX)};
    geometry.smoothing2 = chance(seed) < 0.5 ? 0 : chance(seed) * geometry.d2;
    geometry.scale = sqrt(geometry.d2) * chance(seed);
    geometry.distance = log2(geometry.d2 + geometry.smoothing2) / 2;
    for (int o = 0; o < geometry.orders; o++)
        mean_radius_log2[o] = (float)(geometry.distance - 6 * chance(seed));
    return geometry;
}

/* log2 of what an order's error may come to relative to the weight floor, for one power. */
static double error_of(const struct shepard_accuracy *accuracy,
                       const struct shepard_node_geometry *geometry,
                       const struct shepard_weight_floor *weight_floor, int part, double power,
                       int o)
{
    const double t = (double)geometry->mean_radius_log2[o] - geometry->distance;
    return geometry->charge - weight_floor->charge +
           power * (weight_floor->distance - geometry->distance) + accuracy->factor[part][o] +
           (SHEPARD_ORDER(o) + 1) * t;
}

/* Whether an answer takes at least the largest error of any power from the error budget, and its
 * order rounds well enough. */
static bool is_fair(const struct shepard_accuracy *accuracy,
                    const struct shepard_node_geometry *geometry,
                    const struct shepard_weight_floor *weight_floor, int order, double spent)
{
    bool good = true;
    for (int part = 0; order >= 0 && part < accuracy->parts; part++)
        for (int end = 0; end < 2; end++) {
            const double power = accuracy->power[part + end];
            const double t = (double)geometry->mean_radius_log2[order] - geometry->distance;
            if (t > accuracy->relative[part][order])
                good = good && t <= accuracy->limit[part][order] &&
                       spent * 1.001 >=
                           exp2(error_of(accuracy, geometry, weight_floor, part, power, order));
        }
    const double clear = sqrt(geometry->d2) - geometry->scale;
    const double nearest = log2(clear * clear + geometry->smoothing2) / 2;
    for (int i = 0; order == SHEPARD_ORDER_SKIP && i <= accuracy->parts; i++)
        good = good && spent * 1.001 >=
                           exp2(geometry->charge - weight_floor->charge +
                                (double)accuracy->power[i] * (weight_floor->distance - nearest));
    return good;
}

/* No answer takes more from the error budget than is left, and only those that need it cost
 * something. */
static void check_budget(struct tally *tally, unsigned long *seed)
{
    int costs = 0, several = 0, skips = 0, refused = 0;
    bool good = true, fair = true;
    for (int i = 0; i < 100; i++) {
        const struct shepard_accuracy_demand demand = draw_demand(seed);
        struct shepard_accuracy accuracy;
        shepard_accuracy_set(&demand, &accuracy);
        for (int j = 0; j < 2000; j++) {
            float mean_radius_log2[SHEPARD_ORDERS_MAX];
            const struct shepard_node_geometry geometry =
                draw_node_geometry(mean_radius_log2, seed);
            const struct shepard_weight_floor weight_floor = {20 * chance(seed),
                                                              10 * chance(seed) - 5};
            const double whole = shepard_mac_budget(&accuracy);
            const double left = whole * exp2(-20 * chance(seed));
            double spent, nothing, most;
            const int order = shepard_mac_test(&accuracy, &geometry, &weight_floor, left,
                                               SHEPARD_ORDER_NONE, &spent);
            const int strict = shepard_mac_test(&accuracy, &geometry, &weight_floor, 0,
                                                SHEPARD_ORDER_NONE, &nothing);
            const int free = shepard_mac_test(&accuracy, &geometry, &weight_floor, whole,
                                              SHEPARD_ORDER_NONE, &most);
            good = good && spent >= 0 && spent <= left && nothing == 0;
            good = good && strict != SHEPARD_ORDER_SKIP && (spent == 0 || order != strict);
            fair = fair && is_fair(&accuracy, &geometry, &weight_floor, order, spent);
            struct shepard_node_geometry unknown = geometry;
            unknown.charge = NAN;
            const int blind = shepard_mac_test(&accuracy, &unknown, &weight_floor, whole,
                                               SHEPARD_ORDER_NONE, &most);
            good = good && blind == strict && most == 0;
            costs += spent > 0;
            several += spent > 0 && accuracy.parts > 1;
            skips += order == SHEPARD_ORDER_SKIP;
            refused += order != free;
        }
    }
    tally_check(tally, good && several > 0 && costs > several && skips > 0 && refused > 0,
                "the error budget is not kept: %d costs, %d for ranges of powers, %d skipped, %d "
                "refused",
                costs, several, skips, refused);
    tally_check(tally, fair, "less is taken from the error budget than an error may be");
}

/* ---- the relative rule ----------------------------------------------------------------------- */

/* A node, a region that sees it, and what is asked for. */
struct scene {
    const struct sample *sample;
    const struct shepard_node *node;
    const float *mean_radius_log2;
    struct shepard_accuracy_demand demand;
    struct shepard_accuracy accuracy;
    double smoothing2;
    struct shepard_box region;
    int order;
};

static double gap(double low, double high, double a)
{
    return a < low ? low - a : a > high ? a - high : 0;
}

static size_t farthest(const struct scene *scene)
{
    const struct shepard_tree *tree = scene->sample->data.tree;
    size_t most = 0;
    for (size_t i = 1; i < tree->count; i++)
        if (hypot(tree->x[i] - scene->node->x, tree->y[i] - scene->node->y) >
            hypot(tree->x[most] - scene->node->x, tree->y[most] - scene->node->y))
            most = i;
    return most;
}

/* Round the node, often where its farthest point is, so that its mean radius over R is from 0.01 to
 * 0.8. */
static void draw_region(struct scene *scene, unsigned long *seed)
{
    const double mean = exp2((double)scene->mean_radius_log2[1 + pick(seed, 3)]);
    const size_t far = farthest(scene);
    const double r = mean / scaled_chance(seed, -7, -0.3);
    const double angle = chance(seed) < 0.5
                             ? 7 * chance(seed)
                             : atan2(scene->sample->data.tree->y[far] - scene->node->y,
                                     scene->sample->data.tree->x[far] - scene->node->x);
    const double part = chance(seed) < 0.5 ? 0 : chance(seed);
    const double x = scene->node->x + r * sqrt(1 - part) * cos(angle);
    const double y = scene->node->y + r * sqrt(1 - part) * sin(angle);
    const double width = r * chance(seed) * chance(seed), height = r * chance(seed) * chance(seed);
    scene->smoothing2 = r * r * part;
    scene->region = (struct shepard_box){x - width * chance(seed), x, y - height * chance(seed), y};
    scene->region.x_max = scene->region.x_min + width;
    scene->region.y_max = scene->region.y_min + height;
}

/* The order that the rule gives where no error is small relative to the whole. */
static int order_by_itself(const struct scene *scene)
{
    float radii[SHEPARD_ORDERS_MAX];
    const int level = scene->sample->moments.levels - 1;
    const double dx = gap(scene->region.x_min, scene->region.x_max, scene->node->x);
    const double dy = gap(scene->region.y_min, scene->region.y_max, scene->node->y);
    const double r2 = dx * dx + dy * dy + scene->smoothing2;
    const struct shepard_weight_floor weight_floor = {-1e6, 0};
    struct shepard_node_geometry geometry = {.charge = (double)scene->mean_radius_log2[0],
                                             .d2 = dx * dx + dy * dy,
                                             .smoothing2 = scene->smoothing2,
                                             .scale = scene->node->scale,
                                             .distance = log2(r2) / 2,
                                             .mean_radius_log2 = scene->mean_radius_log2 + 1,
                                             .orders = scene->sample->moments.orders[level]};
    double spent;
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        radii[o] = (float)(log2(scene->node->scale) + 1e-6);
    if (scene->demand.relative)
        geometry.mean_radius_log2 = radii;
    return shepard_mac_test(&scene->accuracy, &geometry, &weight_floor, 0, SHEPARD_ORDER_NONE,
                            &spent);
}

/* What may be left out: of each weight, or of all weights together. */
static double promise(const struct scene *scene)
{
    return scene->demand.relative ? scene->demand.eps : scene->accuracy.own;
}

static double judge_target(const struct scene *scene, double x, double y, double power)
{
    const struct shepard_tree *tree = scene->sample->data.tree;
    const struct shepard_node *node = scene->node;
    const struct outlook outlook = {(long double)x - node->x, (long double)y - node->y,
                                    scene->smoothing2, power, SHEPARD_ORDER(scene->order)};
    struct left_out left_out = {0};
    for (size_t i = 0; i < tree->count; i++)
        left_out_add(&left_out, sample_charge(scene->sample, 0, i),
                     expand_weight(&outlook, (long double)tree->x[i] - node->x,
                                   (long double)tree->y[i] - node->y));
    if (!isfinite((double)left_out.weight))
        return 0; /* on a point */
    const double off = scene->demand.relative ? left_out.largest : left_out_effect(&left_out);
    return off / promise(scene);
}

/* The places nearest to the node and to its farthest point, corners, and others. */
static double judge_region(const struct scene *scene, unsigned long *seed)
{
    const struct shepard_box *box = &scene->region;
    const struct shepard_tree *tree = scene->sample->data.tree;
    const size_t far = farthest(scene);
    double worst = 0;
    for (int i = 0; i < 10; i++) {
        double x = box->x_min + (box->x_max - box->x_min) * chance(seed);
        double y = box->y_min + (box->y_max - box->y_min) * chance(seed);
        if (i < 4) {
            x = i % 2 == 0 ? box->x_min : box->x_max;
            y = i / 2 == 0 ? box->y_min : box->y_max;
        } else if (i < 6) {
            x = fmin(fmax(i == 4 ? scene->node->x : tree->x[far], box->x_min), box->x_max);
            y = fmin(fmax(i == 4 ? scene->node->y : tree->y[far], box->y_min), box->y_max);
        }
        worst = fmax(worst, judge_target(scene, x, y, draw_power(&scene->demand, seed)));
    }
    return worst;
}

/* Returns the part of the promise that is used up; no order: 0. */
static double check_scene(struct tally *tally, const struct sample *sample, unsigned long *seed)
{
    const struct shepard_moments *moments = &sample->moments;
    const size_t top = moments->first[moments->levels - 1];
    struct scene scene = {.sample = sample,
                          .node = &moments->nodes[top],
                          .mean_radius_log2 =
                              moments->mean_radius_log2 + top * moments->mean_radius_stride,
                          .demand = draw_demand(seed)};
    shepard_accuracy_set(&scene.demand, &scene.accuracy);
    draw_region(&scene, seed);
    scene.order = order_by_itself(&scene);
    tally_check(tally, scene.order != SHEPARD_ORDER_SKIP, "a node that matters is left out");
    if (scene.order < 0)
        return 0;
    const double used = judge_region(&scene, seed);
    tally_check(tally, used <= 1,
                "%s: order %d for %g%s, powers %g to %g: an expansion leaves out %g of what it may",
                sample->cloud.name, SHEPARD_ORDER(scene.order), scene.demand.eps,
                scene.demand.relative ? " of each" : "", scene.demand.power, scene.demand.power_max,
                used);
    return used;
}

static void check_relative(struct tally *tally, unsigned long *seed)
{
    enum { TIMES = 60, CLOUDS = 6 };
    double worst = 0;
    for (int i = 0; i < CLOUDS * CLOUD_KINDS; i++) {
        struct sample sample;
        sample_make(&sample, (enum cloud_kind)(i % CLOUD_KINDS), 5 + pick(seed, 150), 1,
                    chance(seed) < 0.5, seed);
        sample_expand(&sample, &(struct shepard_moments_form){SHEPARD_ORDER_MAX, 0, false});
        for (int j = 0; j < TIMES && sample.moments.nodes[0].scale > 0; j++)
            worst = fmax(worst, check_scene(tally, &sample, seed));
        sample_free(&sample);
    }
    printf("expansions leave out %.2g of what they may, relative to their nodes, at most\n", worst);
}

void check_accuracy(struct tally *tally, unsigned long seed)
{
    check_log2(tally, &seed);
    check_exp2(tally, &seed);
    check_rooms(tally, &seed);
    check_summands(tally, &seed);
    check_logarithm(tally, &seed);
    check_budget(tally, &seed);
    check_relative(tally, &seed);
}
