/* SPDX-License-Identifier: MIT */
/* The multipole acceptance criterion: which order of a node's expansion is accurate enough for the
 * targets of a target cell (docs/math.md, Eq. 31 to 33), by the rules of core/accuracy.h. C and
 * CUDA share the code. Fused products and sums may change a decision if a bound is met to the last
 * bits; the rules' margins allow for that and for float32 on a GPU. Radii, distances and weights
 * are logarithms to base 2. */
#ifndef SHEPARD_CORE_MAC_H
#define SHEPARD_CORE_MAC_H

#include "base/host_device.h"
#include "kernel/node.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Numbers of a judgement. */
#ifdef __CUDA_ARCH__
typedef float shepard_coarse;
#else
typedef double shepard_coarse;
#endif

/* Parts of a range of powers; a rule holds for every power where it holds for each part. With more,
 * the test of nodes costs more than shorter lists gain. */
#define SHEPARD_ACCURACY_PARTS 4

/* What the logarithms of a rule, or of weights, may be off by together. */
#define SHEPARD_ACCURACY_MARGIN 4e-3

/* A node that is accepted by the error budget alone costs at most this fraction of the initial
 * budget. */
#define SHEPARD_BUDGET_PART_LOG2 6
/* A node of few terms is skipped for at most this fraction. */
#define SHEPARD_BUDGET_SKIP_LOG2 9

struct shepard_accuracy {
    int orders; /* order numbers 0 to orders - 1 are of use */
    int parts;  /* of the range of powers */
    float power[SHEPARD_ACCURACY_PARTS + 1];
    /* For each part and order number: the largest log2 of t = mean radius / distance for which the
     * error is small relative to the node's own weight (Eq. 31), not rising from part to part; for
     * which rounding is, so that no order may be used above it (Eq. 33); and log2 of the factor
     * before t^(P + 1) (Eq. 32). */
    float relative[SHEPARD_ACCURACY_PARTS][SHEPARD_ORDERS_MAX];
    float limit[SHEPARD_ACCURACY_PARTS][SHEPARD_ORDERS_MAX];
    float factor[SHEPARD_ACCURACY_PARTS][SHEPARD_ORDERS_MAX];
    /* For each order number, whatever the power: the least (distance / mean radius)^2 for which the
     * error is small relative to the node's own weight; and, less a little, that below which
     * rounding is not. */
    float relative_ratio2[SHEPARD_ORDERS_MAX];
    float limit_ratio2[SHEPARD_ORDERS_MAX];
    float light;    /* log2 of the largest weight of a node relative to the weight floor, by the
                     * least power of the last part, that the error budget can pay for where the
                     * node's own weight is too small */
    float own;      /* bound of each node's error relative to its own weight, for tests */
    float absolute; /* log2 of the bound of further errors, relative to the sum of all weights */
    float budget;   /* the same as a number */
};

/* A node as seen from a target cell, lengths in any unit. */
struct shepard_node_geometry {
    shepard_coarse charge;         /* log2 of its charge */
    shepard_coarse d2;             /* the least squared distance of the centre from the target cell;
                                    * infinite if it overflows float32 */
    shepard_coarse smoothing2;     /* R^2 = d2 + smoothing2 */
    shepard_coarse scale;          /* the node's radius */
    shepard_coarse distance;       /* log2 of R, rounded down */
    const float *mean_radius_log2; /* [orders] log2 of mean radii */
    int orders;
};

/* A lower bound of the sum of weights at the targets of a target cell: 2^(charge - power *
 * distance). */
struct shepard_weight_floor {
    shepard_coarse charge, distance;
};

/* No order is good enough; the node's whole weight is too small to matter. */
#define SHEPARD_ORDER_NONE (-1)
#define SHEPARD_ORDER_SKIP (-2)

/* The larger of two numbers; a if b is NaN. On the CPU a comparison: fmax is a function call, and
 * GCC 12 for aarch64 fails with an internal error on loops that reduce with it. */
SHEPARD_HOST_DEVICE shepard_coarse shepard_accuracy_larger(shepard_coarse a, shepard_coarse b)
{
#ifdef __CUDA_ARCH__
    return fmaxf(a, b);
#else
    return b > a ? b : a;
#endif
}

/* log2 a for a normal a > 0, off by less than SHEPARD_LOG2_ERROR. */
#define SHEPARD_LOG2_ERROR 4e-4f
SHEPARD_HOST_DEVICE shepard_coarse shepard_accuracy_log2(shepard_coarse a)
{
#ifdef __CUDA_ARCH__
    return __log2f(a); /* off by 2^-21; -inf at 0 */
#else
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    const double exponent = (double)(int64_t)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    memcpy(&a, &bits, sizeof a);
    const double t = a - 1, t2 = t * t;
    return (exponent + 8.7591845680797982e-5 + 1.4377043882157699 * t) +
           t2 * ((-0.67494289989920971 + 0.31867914243549771 * t) - 0.081615814443419537 * t2);
#endif
}

/* 2^a (less at most 1e-13 of it) or up to 1.0615 times that; below 2^-100 it may be 0 or 2^-1000,
 * above 2^100 and of NaN 2^100 to 2^1000. */
SHEPARD_HOST_DEVICE shepard_coarse shepard_accuracy_exp2(shepard_coarse a)
{
#ifdef __CUDA_ARCH__
    return exp2f(fminf(a, 100)) * 1.0001f;
#else
    const double raised = (a < 1000 ? a > -1000 ? a : -1000 : 1000) + 1023;
    const int64_t whole = (int64_t)raised;
    const uint64_t bits = (uint64_t)whole << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power * (1 + (raised - (double)whole));
#endif
}

/* What a walk may still add to errors beyond the bounds by nodes' own weights, relative to the
 * weight floor. */
SHEPARD_HOST_DEVICE shepard_coarse shepard_mac_budget(const struct shepard_accuracy *accuracy)
{
    return (shepard_coarse)accuracy->budget;
}

/* What a cost, that of an order or of leaving a node out below, takes of the error budget: 0 for
 * -INFINITY, more than any budget for INFINITY and NaN. */
SHEPARD_HOST_DEVICE shepard_coarse shepard_mac_price(shepard_coarse cost)
{
    return cost == -INFINITY ? 0 : shepard_accuracy_exp2(cost);
}

/* log2 of the largest weight of a node's charge at 2^distance relative to the weight floor, for
 * powers from power[least] to power[most]: it is largest at one of the two. */
SHEPARD_HOST_DEVICE shepard_coarse
shepard_accuracy_weight(const struct shepard_accuracy *accuracy, int least, int most,
                        const struct shepard_node_geometry *geometry, shepard_coarse distance,
                        const struct shepard_weight_floor *weight_floor)
{
    const shepard_coarse fall = weight_floor->distance - distance;
    /* A choice between numbers: by an index a GPU would keep the rules on its stack. */
    return geometry->charge - weight_floor->charge +
           (fall > 0 ? accuracy->power[most] : accuracy->power[least]) * fall;
}

/* The cost of summing a node by an order: log2 of its error relative to the weight floor; -INFINITY
 * where it is small relative to the node's own weight, INFINITY where it is too large. Here and
 * below `parts` is accuracy->parts, a constant if the caller knows it at compile time. */
SHEPARD_HOST_DEVICE shepard_coarse
shepard_mac_order_cost(const struct shepard_accuracy *accuracy, int parts,
                       const struct shepard_node_geometry *geometry,
                       const struct shepard_weight_floor *weight_floor, int o)
{
    const shepard_coarse t = (shepard_coarse)geometry->mean_radius_log2[o] - geometry->distance;
    shepard_coarse cost = -INFINITY;
    for (int i = parts - 1; i >= 0; i--) {
        if (t <= accuracy->relative[i][o])
            break;
        const shepard_coarse error = shepard_accuracy_weight(accuracy, i, i + 1, geometry,
                                                             geometry->distance, weight_floor) +
                                     accuracy->factor[i][o] + (SHEPARD_ORDER(o) + 1) * t;
        if (!(t <= accuracy->limit[i][o]) ||
            !(error <= accuracy->absolute - SHEPARD_BUDGET_PART_LOG2))
            return INFINITY;
        cost = shepard_accuracy_larger(cost, error);
    }
    return cost;
}

/* The cost of leaving a node out: log2 of its whole weight relative to the floor, INFINITY where
 * that is too large. At the centre's distance first: what is too large there is too large at the
 * nearest point's. */
SHEPARD_HOST_DEVICE shepard_coarse shepard_mac_skip_cost(
    const struct shepard_accuracy *accuracy, int parts,
    const struct shepard_node_geometry *geometry, const struct shepard_weight_floor *weight_floor)
{
    const shepard_coarse most = accuracy->absolute - SHEPARD_BUDGET_SKIP_LOG2;
    if (!(geometry->d2 < INFINITY) || geometry->d2 <= 4 * geometry->scale * geometry->scale ||
        shepard_accuracy_weight(accuracy, 0, parts, geometry, geometry->distance, weight_floor) >
            most)
        return INFINITY;
    const shepard_coarse clear = (shepard_coarse)sqrt(geometry->d2) - geometry->scale;
    const shepard_coarse distance =
        shepard_accuracy_log2(clear * clear + geometry->smoothing2) / 2 - SHEPARD_LOG2_ERROR;
    const shepard_coarse cost =
        shepard_accuracy_weight(accuracy, 0, parts, geometry, distance, weight_floor);
    return cost > most ? INFINITY : cost;
}

/* Skips a node of no order, or of few terms, where `left` of the error budget can pay for it.
 * *spent: on entry what the order takes of the budget, 0 without an order; on return what the
 * result takes. */
SHEPARD_HOST_DEVICE int shepard_mac_test_skip(const struct shepard_accuracy *accuracy, int parts,
                                              const struct shepard_node_geometry *geometry,
                                              const struct shepard_weight_floor *weight_floor,
                                              shepard_coarse left, int order, shepard_coarse *spent)
{
    if (order > 0)
        return order;
    const shepard_coarse price =
        shepard_mac_price(shepard_mac_skip_cost(accuracy, parts, geometry, weight_floor));
    if (!(price <= left))
        return order;
    *spent = price;
    return SHEPARD_ORDER_SKIP;
}

/* The least order number that is good enough for all targets of a region, or one of the two above.
 * sure: an order number that is good enough by Eq. 31, as those above it are, or
 * SHEPARD_ORDER_NONE. left: what the error budget has left; *spent: what this takes of it. From the
 * largest order down: most nodes that are looked at need it, or more. */
SHEPARD_HOST_DEVICE int shepard_mac_test(const struct shepard_accuracy *accuracy,
                                         const struct shepard_node_geometry *geometry,
                                         const struct shepard_weight_floor *weight_floor,
                                         shepard_coarse left, int sure, shepard_coarse *spent)
{
    const int orders = geometry->orders < accuracy->orders ? geometry->orders : accuracy->orders;
    int order = sure;
    *spent = 0;
    for (int o = (sure == SHEPARD_ORDER_NONE ? orders : sure) - 1; o >= 0; o--) {
        const shepard_coarse price = shepard_mac_price(
            shepard_mac_order_cost(accuracy, accuracy->parts, geometry, weight_floor, o));
        if (price > left)
            break;
        order = o;
        *spent = price;
    }
    return shepard_mac_test_skip(accuracy, accuracy->parts, geometry, weight_floor, left, order,
                                 spent);
}

#endif
