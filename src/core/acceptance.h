/* SPDX-License-Identifier: MIT */
/* Which order of a node's expansion is good enough for the targets of a region (docs/math.md,
 * Eq. 31 to 33), by rules that core/accuracy.h makes. One text serves C and CUDA. A processor that
 * fuses products and sums may decide otherwise where a bound is met to the last bits: the rules'
 * margins allow for that. Radii, distances and weights are logarithms to base 2. */
#ifndef SHEPARD_CORE_ACCEPTANCE_H
#define SHEPARD_CORE_ACCEPTANCE_H

#include "base/both.h"
#include "kernel/node.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Parts of a range of powers; a rule holds for every power where it holds for each part. */
#define SHEPARD_ACCURACY_PARTS 8

/* Nodes that may take an even share of the absolute part of the tolerance, each. */
#define SHEPARD_ACCURACY_SHARES 256
#define SHEPARD_ACCURACY_SHARES_LOG2 8

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

/* Where an absolute error is good enough: nowhere, in an even share, beside the node's charge. */
enum shepard_verdict { SHEPARD_TOO_LARGE, SHEPARD_IN_A_SHARE, SHEPARD_BY_CHARGE };

/* No order is good enough; the node's whole weight is too small to matter. */
#define SHEPARD_ORDER_NONE (-1)
#define SHEPARD_ORDER_SKIP (-2)

/* log2 a for a normal a > 0, off by less than SHEPARD_LOG2_ERROR. */
#define SHEPARD_LOG2_ERROR 4e-4
SHEPARD_BOTH double shepard_accuracy_log2(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    const double exponent = (double)(int64_t)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    memcpy(&a, &bits, sizeof a);
#ifdef __CUDA_ARCH__
    return exponent + (double)__log2f((float)a); /* off by 2^-21 */
#else
    const double s = (a - 1) / (a + 1), q = s * s;
    return exponent + s * (2.8853900817779268 + q * (0.9617966939259757 + q * 0.5970));
#endif
}

/* log2 of the largest weight a node's charge can have beside the standard, for a part of the
 * powers: 2^distance away. */
SHEPARD_BOTH double shepard_accuracy_weight(const struct shepard_accuracy *accuracy, int part,
                                            const struct shepard_sight *sight, double distance,
                                            const struct shepard_standard *standard)
{
    const double fall = standard->distance - distance;
    return sight->charge - standard->charge + accuracy->power[part + (fall > 0)] * fall;
}

/* Of an error beside the standard. */
SHEPARD_BOTH enum shepard_verdict
shepard_accuracy_judge_error(const struct shepard_accuracy *accuracy,
                             const struct shepard_sight *sight,
                             const struct shepard_standard *standard, double error)
{
    if (error <= accuracy->absolute + sight->charge - standard->all)
        return SHEPARD_BY_CHARGE;
    return error <= accuracy->absolute - SHEPARD_ACCURACY_SHARES_LOG2 ? SHEPARD_IN_A_SHARE
                                                                      : SHEPARD_TOO_LARGE;
}

SHEPARD_BOTH enum shepard_verdict shepard_accuracy_least(enum shepard_verdict a,
                                                         enum shepard_verdict b)
{
    return a < b ? a : b;
}

/* Whether the whole weight of a node whose points are at least 2^distance away is small enough. */
SHEPARD_BOTH enum shepard_verdict
shepard_accuracy_judge_weight(const struct shepard_accuracy *accuracy,
                              const struct shepard_sight *sight, double distance,
                              const struct shepard_standard *standard)
{
    enum shepard_verdict verdict = SHEPARD_BY_CHARGE;
    for (int i = 0; i < accuracy->parts && verdict != SHEPARD_TOO_LARGE; i++) {
        const double error = shepard_accuracy_weight(accuracy, i, sight, distance, standard);
        verdict = shepard_accuracy_least(
            verdict, shepard_accuracy_judge_error(accuracy, sight, standard, error));
    }
    return verdict;
}

/* At the centre's distance first: what is too large there is too large at the nearest point's. */
SHEPARD_BOTH enum shepard_verdict
shepard_accuracy_judge_skip(const struct shepard_accuracy *accuracy,
                            const struct shepard_sight *sight,
                            const struct shepard_standard *standard)
{
    if (sight->d2 <= 4 * sight->scale * sight->scale ||
        shepard_accuracy_judge_weight(accuracy, sight, sight->distance, standard) ==
            SHEPARD_TOO_LARGE)
        return SHEPARD_TOO_LARGE;
    const double clear = sqrt(sight->d2) - sight->scale;
    const double distance =
        shepard_accuracy_log2(clear * clear + sight->smoothing2) / 2 - SHEPARD_LOG2_ERROR;
    return shepard_accuracy_judge_weight(accuracy, sight, distance, standard);
}

SHEPARD_BOTH enum shepard_verdict
shepard_accuracy_judge_order(const struct shepard_accuracy *accuracy,
                             const struct shepard_sight *sight,
                             const struct shepard_standard *standard, int o)
{
    const double t = (double)sight->reach[o] - sight->distance;
    enum shepard_verdict verdict = SHEPARD_BY_CHARGE;
    for (int i = 0; i < accuracy->parts && verdict != SHEPARD_TOO_LARGE; i++) {
        if (t <= accuracy->relative[i][o])
            continue;
        if (t > accuracy->limit[i][o])
            return SHEPARD_TOO_LARGE;
        const double error =
            shepard_accuracy_weight(accuracy, i, sight, sight->distance, standard) +
            accuracy->factor[i][o] + (SHEPARD_ORDER(o) + 1) * t;
        verdict = shepard_accuracy_least(
            verdict, shepard_accuracy_judge_error(accuracy, sight, standard, error));
    }
    return verdict;
}

SHEPARD_BOTH bool shepard_accuracy_is_good(enum shepard_verdict verdict, bool shares_left)
{
    return verdict == SHEPARD_BY_CHARGE || (verdict == SHEPARD_IN_A_SHARE && shares_left);
}

/* The answer where `order` is the least order number that is good enough, or SHEPARD_ORDER_NONE,
 * and `verdict` that on it: a node of few terms may as well be skipped. *takes_share: whether the
 * answer is good enough by an even share only, which the caller then counts. */
SHEPARD_BOTH int shepard_accuracy_judge_rest(const struct shepard_accuracy *accuracy,
                                             const struct shepard_sight *sight,
                                             const struct shepard_standard *standard,
                                             bool shares_left, int order,
                                             enum shepard_verdict verdict, bool *takes_share)
{
    if (order <= 0) {
        const enum shepard_verdict skip = shepard_accuracy_judge_skip(accuracy, sight, standard);
        if (shepard_accuracy_is_good(skip, shares_left)) {
            verdict = skip;
            order = SHEPARD_ORDER_SKIP;
        }
    }
    *takes_share = verdict == SHEPARD_IN_A_SHARE;
    return order;
}

/* The least order number that is good enough for all targets of a region, or one of the two above;
 * shares_left: by an even share, too. From the largest order down: most nodes that are looked at
 * need it, or more. */
SHEPARD_BOTH int shepard_accuracy_judge(const struct shepard_accuracy *accuracy,
                                        const struct shepard_sight *sight,
                                        const struct shepard_standard *standard, bool shares_left,
                                        bool *takes_share)
{
    const int orders = sight->orders < accuracy->orders ? sight->orders : accuracy->orders;
    enum shepard_verdict verdict = SHEPARD_TOO_LARGE;
    int order = SHEPARD_ORDER_NONE;
    for (int o = orders - 1; o >= 0; o--) {
        const enum shepard_verdict next =
            shepard_accuracy_judge_order(accuracy, sight, standard, o);
        if (!shepard_accuracy_is_good(next, shares_left))
            break;
        verdict = next;
        order = o;
    }
    return shepard_accuracy_judge_rest(accuracy, sight, standard, shares_left, order, verdict,
                                       takes_share);
}

#endif
