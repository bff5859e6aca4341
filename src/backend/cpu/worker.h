/* SPDX-License-Identifier: MIT */
/* The scratch of one thread of one prediction, and the two ways to predict with it. */
#ifndef SHEPARD_BACKEND_CPU_WORKER_H
#define SHEPARD_BACKEND_CPU_WORKER_H

#include "backend/cpu/engine.h"
#include "core/neighbours.h"
#include "core/schedule.h"

struct shepard_cpu_worker {
    const struct shepard_engine *engine;
    const struct shepard_job *job;
    struct shepard_target_block block;
    struct shepard_neighbours local;  /* the neighbourhood; unused with all points */
    struct shepard_neighbours nearby; /* k nearest of all points, for alpha, ridge and scale */
    struct shepard_search nearby_search;
    struct shepard_hits coincident; /* data points at the place of a target */
    double *list;                   /* [list_room] weights or distances of a neighbourhood */
    size_t list_room;
    struct shepard_sum_double sum_double;
    struct shepard_sum_single sum_single;
    double *rows; /* [4, columns, SHEPARD_ROW] behind the sums' pointers */
};

/* On failure nothing is held. */
enum shepard_status shepard_cpu_worker_create(struct shepard_cpu_worker *worker,
                                              const struct shepard_engine *engine,
                                              const struct shepard_job *job);

void shepard_cpu_worker_free(struct shepard_cpu_worker *worker);

/* Predicts worker->block from a neighbourhood. */
enum shepard_status shepard_cpu_worker_predict_local(struct shepard_cpu_worker *worker);

/* Predicts worker->block from all points. */
enum shepard_status shepard_cpu_worker_predict_global(struct shepard_cpu_worker *worker);

/* What the k nearest of all points tell of a target. */
struct shepard_cpu_vicinity {
    double nearest2; /* squared distance of the nearest */
    double alpha;
    double h2; /* squared median distance; only with degree 1 */
};

enum shepard_status shepard_cpu_worker_look_around(struct shepard_cpu_worker *worker, double x,
                                                   double y, struct shepard_cpu_vicinity *vicinity);

/* A list of points with weights, as the neighbourhood of a target. */
struct shepard_cpu_weighted {
    const uint32_t *rank;
    double *w; /* overwritten with w times q */
    size_t count;
    double x, y; /* target */
    double h2;   /* of the ridge */
};

/* Values, deviations and effective size of target `index` from a weighted list. */
void shepard_cpu_worker_combine(const struct shepard_cpu_worker *worker,
                                const struct shepard_cpu_weighted *list, size_t index);

/* Prepares a search for the run of targets that begins with target i of the block, where one does.
 */
void shepard_cpu_worker_prepare(const struct shepard_cpu_worker *worker,
                                struct shepard_neighbours *neighbours, size_t i);

/* Writes the distance of the nearest point, at squared distance nearest2, where it is wanted. */
void shepard_cpu_worker_answer_nearest(const struct shepard_cpu_worker *worker, size_t index,
                                       double nearest2);

/* The squared median of the distances whose squares are d2 [n]; worker->list, which has room for
 * them, is overwritten. */
double shepard_cpu_worker_median2(struct shepard_cpu_worker *worker, const double *d2, size_t n);

/* Makes room for count numbers in worker->list. */
bool shepard_cpu_worker_reserve(struct shepard_cpu_worker *worker, size_t count);

#endif
