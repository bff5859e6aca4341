/* SPDX-License-Identifier: MIT */
/* The scratch of one thread of one prediction, and the two ways to predict with it. */
#ifndef SHEPARD_BACKEND_CPU_WORKER_H
#define SHEPARD_BACKEND_CPU_WORKER_H

#include "backend/cpu/engine.h"
#include "backend/cpu/tile_interpolation.h"
#include "core/interactions.h"
#include "core/leave_out.h"
#include "core/neighbours.h"
#include "core/schedule.h"
#include "core/target_cells.h"

/* Statistics of a target's k nearest points. */
struct shepard_cpu_knn_stats {
    double nearest2; /* squared distance of the nearest */
    double power;
    double h2;              /* squared median distance; only with degree 1 */
    double weight, weight2; /* with expansions: sums of q w and its square over the nearest points,
                             * w relative to that of the nearest place */
};

/* Targets of a block that wait for their sums. */
struct shepard_cpu_pending {
    size_t count;
    size_t of[SHEPARD_BLOCK_MAX]; /* their numbers in the block */
    struct shepard_cpu_knn_stats knn_stats[SHEPARD_BLOCK_MAX];
    struct shepard_left_out left_out[SHEPARD_BLOCK_MAX];
    int group[SHEPARD_BLOCK_MAX]; /* within a cell, which of them share interactions */
};

struct shepard_cpu_kriging; /* kriging.h */

/* Batches of planes whose sums in float32 share what is made of a node. */
#define SHEPARD_CPU_PLANE_BATCHES 4

struct shepard_cpu_plane_sums {
    struct shepard_sum_single of[SHEPARD_CPU_PLANE_BATCHES];
    /* Where their weights are: sums, not yet over the sum of all weights. */
    struct shepard_plane_shares shares[SHEPARD_CPU_PLANE_BATCHES][SHEPARD_LANES];
    double rows[]; /* behind the sums' pointers */
};

struct shepard_cpu_worker {
    const struct shepard_cpu_engine *engine;
    const struct shepard_predict_job *job;
    struct shepard_target_block block;
    struct shepard_neighbours local;  /* the neighbourhood; unused with all points */
    struct shepard_neighbours nearby; /* k nearest of all points, for power, ridge and scale */
    struct shepard_search nearby_search;
    struct shepard_hits coincident; /* data points at the place of a target */
    double *list; /* [list_room] weights or distances of a neighbourhood; with degree 1 twice as
                     much more for a plane's offsets */
    size_t list_room;
    struct shepard_sum_double sum_double;
    struct shepard_sum_single sum_single;
    double *rows; /* [6, columns, SHEPARD_ROW], then [SHEPARD_SUM_ROOM], behind the sums' pointers
                     and means */
    struct shepard_cpu_plane_sums *planes; /* NULL where none are in float32 */
    double *means; /* [columns, SHEPARD_ROW] of degree 0: scale (mean - middle) */
    struct shepard_target_cells cells;
    struct shepard_interactions interactions; /* what the next sums are of */
    struct shepard_cpu_tile tile;             /* and what is added to them */
    /* For each target of the block, from its sums of values: */
    double weight[SHEPARD_BLOCK_MAX];        /* sum of q w */
    double magnification[SHEPARD_BLOCK_MAX]; /* with planes: how they magnify errors of weights, */
    double rounding[SHEPARD_BLOCK_MAX];      /* and what rounding comes to before */
    struct shepard_cpu_pending pending;
    struct shepard_work work;
    struct shepard_cpu_kriging *kriging; /* of a method that solves systems */
};

/* On failure nothing is held. */
enum shepard_status shepard_cpu_worker_create(struct shepard_cpu_worker *worker,
                                              const struct shepard_cpu_engine *engine,
                                              const struct shepard_predict_job *job);

void shepard_cpu_worker_free(struct shepard_cpu_worker *worker);

/* Predicts worker->block from a neighbourhood. */
enum shepard_status shepard_cpu_worker_predict_neighbourhood(struct shepard_cpu_worker *worker);

/* Predicts worker->block from all points. */
enum shepard_status shepard_cpu_worker_predict_all_points(struct shepard_cpu_worker *worker);

/* The points that target i of the block does not use; sets the searches up so. */
struct shepard_left_out shepard_cpu_worker_leave_out(struct shepard_cpu_worker *worker, size_t i);

/* AIDW's power from the nearest points, nearest first. */
double shepard_cpu_worker_power(const struct shepard_cpu_worker *worker,
                                const struct shepard_hits *nearest);

/* Looks at the nearest of all points that target i of the block may use; there is one. */
enum shepard_status shepard_cpu_worker_query_knn_stats(struct shepard_cpu_worker *worker, size_t i,
                                                       struct shepard_cpu_knn_stats *knn_stats);

/* Targets that wait for their sums, all over the same interactions. */
struct shepard_cpu_batch {
    enum shepard_cpu_kind kind; /* values or squares */
    bool single;                /* each target is one for sums in float32 */
    size_t count;
    size_t of[SHEPARD_LANES]; /* numbers of the targets in the block */
    double x[SHEPARD_LANES], y[SHEPARD_LANES];
    double h2[SHEPARD_LANES];
    struct shepard_left_out left_out[SHEPARD_LANES];
    struct shepard_decay_lanes decay;
};

/* Sums for a batch over worker->interactions, and writes the answers. */
void shepard_cpu_worker_finalize(struct shepard_cpu_worker *worker,
                                 const struct shepard_cpu_batch *batch);

/* The same for planes whose sums may be in float32: up to SHEPARD_CPU_PLANE_BATCHES of one power's
 * range. */
void shepard_cpu_worker_finalize_planes(struct shepard_cpu_worker *worker,
                                        const struct shepard_cpu_batch *batches, size_t count,
                                        const struct shepard_plane_single *single);

/* Sums over interactions at the targets that worker->sum_single is set up for; where expansions may
 * be in float32. */
void shepard_cpu_worker_sum_single(struct shepard_cpu_worker *worker,
                                   const struct shepard_interactions *interactions);

/* The same of the first of worker->planes. */
void shepard_cpu_worker_sum_planes(struct shepard_cpu_worker *worker,
                                   const struct shepard_interactions *interactions, size_t count);

/* Double sums over interactions at the targets that worker->sum_double is set up for. */
void shepard_cpu_worker_sum(struct shepard_cpu_worker *worker,
                            const struct shepard_interactions *interactions,
                            enum shepard_cpu_kind kind);

/* Counts sums over interactions as work. */
void shepard_cpu_worker_count(struct shepard_cpu_worker *worker,
                              const struct shepard_interactions *interactions, size_t targets);

/* A list of points with weights, as the neighbourhood of a target. */
struct shepard_cpu_weighted {
    const uint32_t *rank;
    double *w; /* overwritten with w times q */
    size_t count;
    double x, y; /* target */
    double h2;   /* of the ridge */
    double z;    /* of the target, where places have three coordinates */
};

/* Values, deviations and effective size of target `index` from a weighted list. */
void shepard_cpu_worker_combine(const struct shepard_cpu_worker *worker,
                                const struct shepard_cpu_weighted *list, size_t index);

/* A target and the points that its prediction uses. */
struct shepard_cpu_found {
    const double *d2;
    const uint32_t *rank;
    size_t count;
    double nearest2; /* the least of d2 */
    double power;
    double x, y;
    double z; /* where places have three coordinates */
    size_t index;
};

/* From the points found to a prediction, as the method does it. Of a worker only engine, job and
 * list are used; the list has room for the points. */
enum shepard_status shepard_cpu_worker_answer(struct shepard_cpu_worker *worker,
                                              const struct shepard_cpu_found *found);

/* The decay of weights relative to that of the nearest of some points. */
struct shepard_decay shepard_cpu_decay(const struct shepard_rules *rules, double power,
                                       double nearest2);

/* Weights by this decay; at the place of data points only these count. */
void shepard_cpu_weigh_list(const struct shepard_kernels *kernels, const double *d2, size_t count,
                            const struct shepard_decay *decay, double *w);

/* Writes the distance of the nearest point, at squared distance nearest2, where it is wanted. */
void shepard_cpu_worker_put_nearest(const struct shepard_cpu_worker *worker, size_t index,
                                    double nearest2);

/* Makes room for count numbers in worker->list. */
bool shepard_cpu_worker_reserve(struct shepard_cpu_worker *worker, size_t count);

#endif
