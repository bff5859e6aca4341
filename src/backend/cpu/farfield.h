/* SPDX-License-Identifier: MIT */
/* The far field: what sums by expansions need, kind by kind: tolerances turned into rules, moments,
 * and the data in the form that kernels read. */
#ifndef SHEPARD_BACKEND_CPU_FARFIELD_H
#define SHEPARD_BACKEND_CPU_FARFIELD_H

#include "backend/cpu/power_ranges.h"
#include "base/once.h"
#include "core/accuracy.h"
#include "core/moments.h"
#include "core/plane_levels.h"
#include "core/plane_single.h"
#include "kernel/kernels.h"

struct shepard_cpu_engine;

/* Kinds of sums: of q w and q w z; of q^2 w^2; of q w z^2. */
enum shepard_cpu_kind {
    SHEPARD_CPU_VALUES,
    SHEPARD_CPU_SQUARES,
    SHEPARD_CPU_SPREAD,
    SHEPARD_CPU_KINDS
};

/* Rules for sums that are interpolated over a tile from size x size nodes, at one power. */
struct shepard_cpu_tile_rules {
    int size;
    double power;
    bool single;  /* sums at the nodes may be in float32 */
    double ratio; /* from which R on, over the tile's longer half-side; INFINITY: no rules */
    struct shepard_accuracy accuracy;
};

/* Sizes to choose from: the more nodes, the less is near. */
#define SHEPARD_CPU_DENSE_SIZES 4

/* Moments that far fields share. */
struct shepard_cpu_moments {
    struct shepard_cpu_moments *next;
    size_t users;
    enum shepard_cpu_kind kind;
    struct shepard_moments_form form;
    struct shepard_once once; /* of the rest */
    struct shepard_moments of;
};

/* One kind of sums. */
struct shepard_cpu_kind_rules {
    struct shepard_once once; /* of the rest */
    struct shepard_accuracy accuracy[SHEPARD_PLANE_LEVELS][SHEPARD_CPU_POWERS];
    int levels; /* 1; SHEPARD_PLANE_LEVELS for planes */
    /* With planes: whether sums by the first levels are in float32, and how exact they are. */
    struct shepard_plane_single plane_single[SHEPARD_CPU_POWERS];
    bool single_nodes;                /* expansions in float32 */
    bool fast_weights;                /* of points in float32, without planes */
    struct shepard_cpu_moments *held; /* NULL where another kind's are the same */
    const struct shepard_moments *moments;
    struct shepard_sum_data data;
    /* Of values without planes, for the least and the most power. */
    struct shepard_cpu_tile_rules tile[SHEPARD_CPU_SINGLE_POWERS][SHEPARD_CPU_DENSE_SIZES];
};

/* What decides a far field on given data. */
struct shepard_cpu_demand {
    double eps, power, power_max;
    bool single; /* sums may be in float32 */
    bool smooth; /* smoothing > 0 */
    int degree;
};

struct shepard_cpu_farfield {
    struct shepard_cpu_farfield *next;
    size_t users;
    struct shepard_cpu_demand demand;
    struct shepard_cpu_kind_rules kind[SHEPARD_CPU_KINDS];
};

/* Makes what a kind of sums needs in the engine's far field, where it has not been made: threads
 * may ask at once. engine->sums is there. */
enum shepard_status shepard_cpu_farfield_provide(const struct shepard_cpu_engine *engine,
                                                 enum shepard_cpu_kind kind);

/* The same for sums of values at points of a whole, of which not all are there: moments have to be
 * made subtree by subtree. On failure there is nothing to end. */
enum shepard_status shepard_cpu_farfield_begin(const struct shepard_cpu_engine *engine,
                                               struct shepard_moments_making **making);

/* Ends this: moments are there, or, with another status, will not be. */
void shepard_cpu_farfield_end(const struct shepard_cpu_engine *engine,
                              struct shepard_moments_making *making, enum shepard_status status);

#endif
