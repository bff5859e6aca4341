/* SPDX-License-Identifier: MIT */
/* Moments by their definition: sums over a node's points of powers of complex numbers. */
#include "core/accuracy.h"
#include "core/moments.h"

#include "base/arithmetic.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>

struct check {
    const struct shepard_moments *moments;
    const struct shepard_tree *tree;
    const struct shepard_charges *charges;
    const struct shepard_moments_form *form;
    double *leaf;      /* [charges, SHEPARD_LEAF] */
    int degree;        /* of the sums */
    long double *sums; /* [charges, terms of degree] */
};

/* One node with its points. */
struct group {
    int level;
    size_t index, first, end;
    const struct shepard_node *node;
};

static struct group group_of(const struct check *check, int level, size_t i)
{
    const size_t points = (size_t)SHEPARD_LEAF << level;
    return (struct group){level, i, i * points,
                          shepard_smaller((i + 1) * points, check->tree->count),
                          &check->moments->nodes[check->moments->first[level] + i]};
}

/* Adds charge times the powers of (x, y): z^m |z|^2k. */
static void add_powers(int degree, long double x, long double y, long double charge,
                       long double *sums)
{
    for (int l = 0; l <= degree; l++)
        for (int k = 0; 2 * k <= l; k++) {
            const int m = l - 2 * k;
            long double re = charge, im = 0;
            for (int i = 0; i < k; i++)
                re *= x * x + y * y;
            for (int i = 0; i < m; i++) {
                const long double turned = re * x - im * y;
                im = re * y + im * x;
                re = turned;
            }
            *sums++ += m > 0 ? 2 * re : re;
            if (m > 0)
                *sums++ += 2 * im;
        }
}

static void sum_group(const struct check *check, const struct group *group)
{
    const struct shepard_node *node = group->node;
    const size_t terms = SHEPARD_TERMS((size_t)check->degree), charges = check->charges->count;
    const long double unit = node->scale > 0 ? 1 / (long double)node->scale : 0;
    for (size_t i = 0; i < charges * terms; i++)
        check->sums[i] = 0;
    for (size_t first = group->first; first < group->end; first += SHEPARD_LEAF) {
        const size_t n = shepard_smaller(group->end - first, SHEPARD_LEAF);
        check->charges->of(check->charges->context, first, n, check->leaf);
        for (size_t c = 0; c < charges; c++)
            for (size_t i = 0; i < n; i++)
                add_powers(check->degree, ((long double)check->tree->x[first + i] - node->x) * unit,
                           ((long double)check->tree->y[first + i] - node->y) * unit,
                           check->leaf[c * SHEPARD_LEAF + i], check->sums + c * terms);
    }
}

/* The circle must hold the points and be little larger than that round their box. */
static bool is_round(const struct check *check, const struct group *group)
{
    const struct shepard_node *node = group->node;
    double x_min = INFINITY, x_max = -INFINITY, y_min = INFINITY, y_max = -INFINITY, farthest = 0;
    for (size_t i = group->first; i < group->end; i++) {
        const double x = check->tree->x[i], y = check->tree->y[i];
        x_min = fmin(x_min, x);
        x_max = fmax(x_max, x);
        y_min = fmin(y_min, y);
        y_max = fmax(y_max, y);
        farthest = fmax(farthest, hypot(x - node->x, y - node->y));
    }
    const double half = hypot(x_max - x_min, y_max - y_min) / 2;
    const double middle = DBL_EPSILON * (fabs(node->x) + fabs(node->y));
    return (farthest <= node->scale || (node->scale == 0 && farthest < 0x1p-999)) &&
           node->scale <= half * (1 + 0x1p-49) + middle;
}

/* A moment of degree l, index m, may be off by 2^(m / 2) times the charges' sum times 2^-53 for
 * each of a few operations a level and a degree; 2 for the doubled ones. */
static long double allowed(const struct check *check, const struct group *group, int l, int m)
{
    const long double steps = 2.0L * (l + 4) * (group->level + 4);
    return check->sums[0] * steps * 0x1p-53L * powl(2, m / 2.0L);
}

static bool moments_fit(const struct check *check, const struct group *group, size_t charge)
{
    const struct shepard_node_data *data = &check->moments->data;
    const int order = SHEPARD_ORDER(check->moments->orders[group->level] - 1);
    const long double *sum = check->sums + charge * SHEPARD_TERMS((size_t)check->degree);
    size_t at = group->node->moments + charge * group->node->stride;
    for (int l = 0; l <= order + check->form->extra; l++)
        for (int row = 0; row <= l; row++, at++, sum++) {
            const double found =
                data->single != NULL ? (double)data->single[at] : data->precise[at];
            const long double rounding =
                data->single != NULL ? 0x1p-24L * fabsl(*sum) + FLT_TRUE_MIN : 0;
            if (!(fabsl(found - *sum) <= allowed(check, group, l, l - row / 2 * 2) + rounding))
                return false;
        }
    return true;
}

static bool mean_radii_fit(const struct check *check, const struct group *group)
{
    const struct shepard_moments *moments = check->moments;
    const float *mean_radius_log2 =
        moments->mean_radius_log2 +
        (size_t)(group->node - moments->nodes) * moments->mean_radius_stride;
    const float *squares = moments->mean_radius2 +
                           (size_t)(group->node - moments->nodes) * moments->mean_radius2_stride;
    const double total = (double)check->sums[0];
    if (!(fabs((double)mean_radius_log2[0] - log2(total)) <= 1e-6 * (1 + fabs(log2(total)))))
        return false;
    for (int k = 1; k <= moments->orders[group->level]; k++) {
        /* Degree 2 k begins at k (2 k + 1); that with m = 0 is the last of its 2 k + 1. */
        const double part = (double)(check->sums[(k + 1) * (2 * k + 1) - 1] / check->sums[0]);
        const double scale = log2(group->node->scale);
        const double least = scale - log2(SHEPARD_ACCURACY_RATIO);
        const double low = part > 0 ? fmax(scale + log2(part) / (2 * k), least) : least;
        const double high = fmax(scale + log2(part + 0x1p-42) / (2 * k), least) + 0x1p-12;
        const double square = exp2(2 * (double)mean_radius_log2[k]);
        if (squares[k - 1] < square || !(squares[k - 1] <= fmax(square * (1 + 0x1p-18), FLT_MIN)))
            return false;
        if (group->node->scale > 0 ? mean_radius_log2[k] < low || !(mean_radius_log2[k] <= high)
                                   : mean_radius_log2[k] != (float)SHEPARD_MEAN_RADIUS_NONE)
            return false;
    }
    return true;
}

static const char *check_group(const struct check *check, const struct group *group)
{
    const size_t stride = SHEPARD_TERMS(
        (size_t)(SHEPARD_ORDER(check->moments->orders[group->level] - 1) + check->form->extra));
    if (group->node->stride != stride)
        return "a node's stride is not its count of numbers";
    if (!is_round(check, group))
        return "a node's circle does not fit its points";
    sum_group(check, group);
    for (size_t c = 0; c < check->charges->count; c++)
        if (!moments_fit(check, group, c))
            return "a moment is not the sum over the node's points";
    return mean_radii_fit(check, group) ? NULL : "a reach is not the moment's";
}

/* A level's order is the largest that is allowed and has at most four numbers a point. */
static bool order_fits(const struct check *check, int level)
{
    const int order = SHEPARD_ORDER(check->moments->orders[level] - 1), next = order + 2;
    const double room = 4 * SHEPARD_LEAF * exp2(level);
    return order <= check->form->order && (order == 1 || SHEPARD_TERMS(order) <= room) &&
           (next > check->form->order || SHEPARD_TERMS(next) > room);
}

static const char *check_levels(const struct check *check)
{
    const struct shepard_moments *moments = check->moments;
    size_t nodes = 0, count = shepard_ceil_div(check->tree->count, SHEPARD_LEAF);
    for (int level = 0; level < moments->levels; level++) {
        if (moments->first[level] != nodes || moments->count[level] != count)
            return "levels do not halve";
        if (!order_fits(check, level))
            return "a level's order is not the largest it may have";
        for (size_t i = 0; i < count; i++) {
            const struct group group = group_of(check, level, i);
            const char *fault = check_group(check, &group);
            if (fault != NULL)
                return fault;
        }
        nodes += count;
        count = shepard_ceil_div(count, 2);
    }
    return moments->count[moments->levels - 1] == 1 ? NULL : "the top level is not one node";
}

const char *shepard_moments_check(const struct shepard_moments *moments,
                                  const struct shepard_tree *tree,
                                  const struct shepard_charges *charges,
                                  const struct shepard_moments_form *form)
{
    struct check check = {.moments = moments, .tree = tree, .charges = charges, .form = form};
    check.degree = form->order + (form->extra > 1 ? form->extra : 1);
    check.leaf =
        shepard_allocate(moments->allocator, charges->count * SHEPARD_LEAF, sizeof *check.leaf);
    check.sums =
        shepard_allocate(moments->allocator, charges->count * SHEPARD_TERMS((size_t)check.degree),
                         sizeof *check.sums);
    const char *fault = "no memory to check in";
    if (check.leaf != NULL && check.sums != NULL)
        fault = check_levels(&check);
    shepard_release(moments->allocator, check.sums);
    shepard_release(moments->allocator, check.leaf);
    return fault;
}
