/* SPDX-License-Identifier: MIT */
/* What sums by expansions need of one kind: tolerances turned into rules, moments, and the data in
 * the form that kernels read. */
#ifndef SHEPARD_BACKEND_CPU_FAR_H
#define SHEPARD_BACKEND_CPU_FAR_H

#include "base/lock.h"
#include "core/accuracy.h"
#include "core/moments.h"
#include "kernel/kernels.h"

struct shepard_engine;

/* Kinds of sums: of q w and q w z; of q^2 w^2; of q w z^2. */
enum shepard_cpu_kind {
    SHEPARD_CPU_VALUES,
    SHEPARD_CPU_SQUARES,
    SHEPARD_CPU_SPREAD,
    SHEPARD_CPU_KINDS
};

/* Powers of adaptive predictions are often the smallest or the largest; these have lists of their
 * own, shorter than lists that are good for every power. */
enum shepard_cpu_powers {
    SHEPARD_CPU_POWERS_LEAST,
    SHEPARD_CPU_POWERS_MOST,
    SHEPARD_CPU_POWERS_ANY,
    SHEPARD_CPU_POWERS
};

/* Planes magnify errors by a factor known only afterwards: two tolerances are tried before exact
 * sums. */
#define SHEPARD_CPU_LEVELS 2

/* Rules for sums that are interpolated over a tile from size x size nodes, at one power. */
struct shepard_cpu_dense_rules {
    int size;
    double power;
    bool single;  /* sums at the nodes may be in float32 */
    double ratio; /* from which R on, over the tile's longer half-side; INFINITY: no rules */
    struct shepard_accuracy accuracy;
};

/* Sizes to choose from: the more nodes, the less is near. */
#define SHEPARD_CPU_DENSE_SIZES 4

struct shepard_cpu_far {
    struct shepard_lock lock; /* of the making */
    atomic_bool ready;        /* set last: until then nobody else reads the rest */
    struct shepard_accuracy accuracy[SHEPARD_CPU_LEVELS][SHEPARD_CPU_POWERS];
    double tolerance[SHEPARD_CPU_LEVELS]; /* of planes: relative error of each weight */
    int levels;                           /* 1; SHEPARD_CPU_LEVELS for planes */
    bool single_nodes;                    /* expansions in float32 */
    struct shepard_moments own;           /* empty where another kind's are the same */
    const struct shepard_moments *moments;
    struct shepard_sum_data data;
    double *weights; /* [n] q^2, of squares */
    /* Of values without planes, for the least and the most power. */
    struct shepard_cpu_dense_rules dense[SHEPARD_CPU_POWERS_ANY][SHEPARD_CPU_DENSE_SIZES];
};

/* Makes what a kind of sums needs, where it has not been made: threads may ask at once.
 * engine->sums is there. */
enum shepard_status shepard_cpu_far_provide(const struct shepard_engine *engine,
                                            enum shepard_cpu_kind kind);

/* Frees all kinds. */
void shepard_cpu_far_free(const struct shepard_engine *engine);

size_t shepard_cpu_far_bytes(const struct shepard_engine *engine);

/* The range of powers that a target's belongs to. */
enum shepard_cpu_powers shepard_cpu_far_powers(const struct shepard_engine *engine, double alpha);

/* What is asked of sums of a kind at any power. */
struct shepard_accuracy_demand shepard_cpu_far_demand(const struct shepard_engine *engine,
                                                      enum shepard_cpu_kind kind);

#endif
