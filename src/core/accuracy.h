/* SPDX-License-Identifier: MIT */
/* Derives from a tolerance which order of an expansion is accurate enough at which distance
 * (docs/math/far-field.md). Radii, distances and weights are handled as logarithms to base 2. */
#ifndef SHEPARD_CORE_ACCURACY_H
#define SHEPARD_CORE_ACCURACY_H

#include "core/mac.h"

#include <stdbool.h>

/* The largest ratio of a node's radius to any of its mean radii that the bounds allow for; where it
 * is larger, the mean radius counts as the radius over this. */
#define SHEPARD_ACCURACY_RATIO 1.6

/* What is asked for. */
struct shepard_accuracy_demand {
    double eps;              /* part of the value range, > 0 */
    double power, power_max; /* all powers in between */
    double points;           /* n */
    double levels;           /* of nodes over one another; 0: those of runs of 16 points */
    double charges;          /* the sum of all q over the least */
    bool smooth;             /* smoothing > 0 */
    bool summed;             /* smoothed factors in double are sums, too (Eq. 28a) */
    bool single;             /* sums over points in float32 */
    bool single_nodes;       /* expansions in float32 */
    bool single_moments;     /* moments kept in float32 */
    bool relative;           /* for planes: the relative error of each weight is at most eps,
                              * rounding apart */
    /* Above 1: sums are taken at nodes of a grid, where an error counts this many times, and
     * interpolated (docs/math.md, Eq. 46). 0 means 1. */
    double magnified;
    bool single_grid; /* sums at the nodes of a grid in float32 */
    /* A GPU's float32 (docs/math/gpu.md): logarithms and powers less exact than those of the CPU's
     * kernels cost each weight this much beyond Eq. 24, units of u for each unit of half the power.
     * Above 0, the rest of that section applies too. */
    double logarithm;
    bool local;     /* the node is converted to a local expansion about a target cell's centre */
    int orders_max; /* 0: as many orders as eps makes use of */
};

/* The least tolerances that leave room for rounding, whatever n and, for float32, powers up to 8
 * (docs/math.md, Eq. 25 and 33). */
#define SHEPARD_ACCURACY_SINGLE 8e-6
#define SHEPARD_ACCURACY_DOUBLE 1e-12

/* Above this power the relative error of float32 weights, power / 2 times that of a squared
 * distance, exceeds the accuracy stated for single precision (docs/math.md, Eq. 24). */
#define SHEPARD_ACCURACY_SINGLE_POWER 8.0

/* Below this part of the largest weight, products with float32 weights of distances may vanish. */
#define SHEPARD_ACCURACY_SINGLE_WEIGHT 1e-20

/* Rules for a demand: eps is at least the above. */
void shepard_accuracy_set(const struct shepard_accuracy_demand *demand,
                          struct shepard_accuracy *accuracy);

/* Whether rules hold for a power, what rounding to float32 adds aside: the least powers vanish. */
bool shepard_accuracy_holds_for(const struct shepard_accuracy *accuracy, double power);

/* Whether rounding of points leaves more than half of the tolerance to the dropped degrees. */
bool shepard_mac_affords(const struct shepard_accuracy_demand *demand);

/* Rounding of sums over points by fast weights (docs/math.md, Eq. 25b), a part of the value range.
 */
double shepard_accuracy_fast_rounding(const struct shepard_accuracy_demand *demand);

/* Whether the part of the tolerance for rounding leaves room for fast weights. */
bool shepard_accuracy_bears_fast(const struct shepard_accuracy_demand *demand);

/* The share of the tolerance for interpolation, a part of the value range, if errors are
 * magnified. */
double shepard_accuracy_interpolation(const struct shepard_accuracy_demand *demand);

/* Whether the tolerance leaves room for rounding at the nodes of the grid, if errors are
 * magnified. */
bool shepard_accuracy_bears(const struct shepard_accuracy_demand *demand);

/* What the sizes of the summands of factors of degree l with smoothing come to, over C_l(1), at
 * most (docs/math/far-field.md, Eq. 33b). */
double shepard_accuracy_summands(double power, int l);

/* Rounding of a weight in float32, relative to it, without smoothing (docs/math.md, Eq. 24), and of
 * its product with q. */
double shepard_accuracy_weight_rounding(double power);

/* Rounding of the sums of planes over a node in float32, about its centre and in units of its
 * radius, over its weight (docs/math.md, Eq. 36c), where nodes are accepted by these rules, which
 * do without smoothing. */
double shepard_accuracy_plane_rounding(const struct shepard_accuracy *accuracy);

/* Whether rounding, not the dropped degrees, limits the largest order. */
bool shepard_accuracy_rounds(const struct shepard_accuracy *accuracy);

#endif
