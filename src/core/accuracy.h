/* SPDX-License-Identifier: MIT */
/* From a tolerance to rules that tell which order of which expansion is good enough where
 * (docs/math.md, section 10). Radii, distances and weights are handled as logarithms to base 2. */
#ifndef SHEPARD_CORE_ACCURACY_H
#define SHEPARD_CORE_ACCURACY_H

#include "kernel/node.h"

#include <stdbool.h>
#include <stdint.h>

/* Parts of a range of powers; a rule holds for every power where it holds for each part. */
#define SHEPARD_ACCURACY_PARTS 8

/* Nodes that may take an even share of the absolute part of the tolerance, each. */
#define SHEPARD_ACCURACY_SHARES 256

/* The largest ratio of a node's radius to any of its mean radii that the bounds allow for; where it
 * is larger, the mean radius counts as the radius over this. */
#define SHEPARD_ACCURACY_RATIO 1.6

/* What is asked for. */
struct shepard_accuracy_demand {
    double eps;              /* part of the value range, > 0 */
    double power, power_max; /* all powers in between */
    double points;           /* n */
    double charges;          /* the sum of all q over the least */
    bool smooth;             /* smoothing > 0 */
    bool single;             /* sums over points in float32 */
    bool single_nodes;       /* expansions in float32 */
    bool single_moments;     /* moments kept in float32 */
    bool relative;           /* each weight to within eps of itself, for planes; rounding apart */
    /* Above 1: sums are taken at nodes of a grid, where an error counts this many times, and
     * interpolated (docs/math.md, Eq. 46). 0 is as 1. */
    double magnified;
    bool single_grid; /* sums at the nodes of a grid in float32 */
};

struct shepard_accuracy {
    int orders; /* order numbers 0 to orders - 1 are of use */
    int parts;  /* of the range of powers */
    double power[SHEPARD_ACCURACY_PARTS + 1];
    /* For each part and order number: the largest log2 of t = mean radius / distance for which the
     * error is small beside the node's own weight (Eq. 31); for which rounding is, and no order may
     * be used above it (Eq. 33); and log2 of the factor before t^(P + 1) (Eq. 32). */
    double relative[SHEPARD_ACCURACY_PARTS][SHEPARD_ORDERS_MAX];
    double limit[SHEPARD_ACCURACY_PARTS][SHEPARD_ORDERS_MAX];
    double factor[SHEPARD_ACCURACY_PARTS][SHEPARD_ORDERS_MAX];
    double absolute; /* log2 of what errors may come to beside the sum of all weights, half of it in
                        even shares, half by charge */
};

/* The least tolerances that leave room for rounding, whatever n and, for float32, powers up to 8
 * (docs/math.md, Eq. 25 and 33). */
#define SHEPARD_ACCURACY_SINGLE 8e-6
#define SHEPARD_ACCURACY_DOUBLE 1e-12

/* Rules for a demand: eps is at least the above. */
void shepard_accuracy_set(const struct shepard_accuracy_demand *demand,
                          struct shepard_accuracy *accuracy);

/* What interpolation may take of the tolerance, for a demand that is magnified: a part of the value
 * range. */
double shepard_accuracy_interpolation(const struct shepard_accuracy_demand *demand);

/* Whether a demand that is magnified leaves room for rounding at the nodes of the grid. */
bool shepard_accuracy_bears(const struct shepard_accuracy_demand *demand);

/* Whether rounding, not the dropped degrees, limits the largest order. */
bool shepard_accuracy_rounds(const struct shepard_accuracy *accuracy);

/* log2 a for a normal a > 0, off by less than SHEPARD_LOG2_ERROR. */
#define SHEPARD_LOG2_ERROR 4e-4
static inline double shepard_accuracy_log2(double a)
{
    union {
        double value;
        uint64_t bits;
    } split = {a};
    const double exponent = (double)(int64_t)(split.bits >> 52) - 1023;
    split.bits = (split.bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    const double s = (split.value - 1) / (split.value + 1), q = s * s;
    return exponent + s * (2.8853900817779268 + q * (0.9617966939259757 + q * 0.5970));
}

/* A node as it looks from a region. */
struct shepard_sight {
    double charge;      /* log2 of its charge */
    double d2;          /* the least squared distance of the centre from the region */
    double smoothing2;  /* R^2 = d2 + smoothing2 */
    double scale;       /* the node's radius */
    double distance;    /* log2 of R, rounded down */
    const float *reach; /* [orders] log2 of mean radii */
    int orders;
};

/* What a region's targets are sure to have: the sum of weights is at least 2^(charge - power *
 * distance). */
struct shepard_standard {
    double charge, distance;
    double all; /* log2 of the charge of all points */
};

/* No order is good enough; the node's whole weight is too small to matter. */
#define SHEPARD_ORDER_NONE (-1)
#define SHEPARD_ORDER_SKIP (-2)

/* The least order number that is good enough for all targets of a region, or one of the two above.
 * *shares: even shares left; one is taken where one is needed. */
int shepard_accuracy_order(const struct shepard_accuracy *accuracy,
                           const struct shepard_sight *sight,
                           const struct shepard_standard *standard, int *shares);

#endif
