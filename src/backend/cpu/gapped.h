/* SPDX-License-Identifier: MIT */
/* Predictions from neighbourhoods at columns that miss values: one search for all of them. Where
 * they differ in nothing but the points they have values at, all columns are answered at once; else
 * each group has a list of its own points, picked from those found. */
#ifndef SHEPARD_BACKEND_CPU_GAPPED_H
#define SHEPARD_BACKEND_CPU_GAPPED_H

#include "backend/cpu/worker.h"
#include "base/memory.h"
#include "core/gapped.h"

#include <stdatomic.h>

/* Of so many nearest points a column has to have a value at one, to be weighted beside it. */
#define SHEPARD_CPU_UNITS_MAX 32

/* Targets whose lists wait together, and of which a step of columns is averaged at once: what they
 * read and write then stays in the caches. */
#define SHEPARD_CPU_GAPPED_BATCH 256
#define SHEPARD_CPU_GAPPED_RUN 64

/* A column that is asked for. */
struct shepard_cpu_gapped_column {
    size_t column; /* of the gapped values */
    size_t group;
    bool leads; /* the first of its group */
    struct shepard_output_array values;
};

/* What the threads of one call share. */
struct shepard_cpu_gapped_call {
    struct shepard_gapped_job *job;
    const struct shepard_cpu_points *points;
    const struct shepard_rules *rules;  /* of any group: what follows is the same for all */
    struct shepard_search wide, nearby; /* for the neighbourhood, and for AIDW: */
    bool looks_near;                    /* AIDW has a search of its own, else wide finds enough */
    /* [columns] in the order of the gapped values, or NULL */
    struct shepard_output_array *values, *deviations;
    struct shepard_output_array *outputs; /* [2, columns] behind both */
    uint64_t *wanted;                     /* [words] a bit for each column */
    struct shepard_cpu_gapped_column *columns;
    size_t column_count;
    bool at_once;        /* columns are averaged at once */
    bool as_given;       /* targets are in order within their blocks only */
    atomic_size_t *left; /* [groups] targets left */
    size_t left_most;    /* of a group; with more it is given up */
    struct shepard_schedule schedule;
    struct shepard_cpu_gapped_worker *workers; /* [threads] */
    int threads;
};

/* A list of points that all columns of a target take theirs from. */
struct shepard_cpu_gapped_target {
    size_t index;    /* into the outputs */
    bool complete;   /* it has all points that may count, */
    bool all_units;  /* each of them a unit, */
    bool sure;       /* and none without weight */
    size_t rank, w;  /* where its numbers begin in those of the batch, */
    size_t distance; /* of planes, */
    size_t logarithm, near_rank, near_distance, near_count; /* of AIDW */
};

/* Targets that wait for their means. */
struct shepard_cpu_gapped_batch {
    size_t count;
    struct shepard_cpu_gapped_target target[SHEPARD_CPU_GAPPED_BATCH];
    struct shepard_columns_list list[SHEPARD_CPU_GAPPED_BATCH];
    uint32_t unit[SHEPARD_CPU_GAPPED_BATCH][SHEPARD_CPU_UNITS_MAX];
    /* Of a step of columns: their values at all targets; points of a run. */
    _Alignas(SHEPARD_ALIGNMENT) double mean[SHEPARD_CPU_GAPPED_BATCH * SHEPARD_COLUMNS_STEP];
    _Alignas(SHEPARD_ALIGNMENT) double points[SHEPARD_CPU_GAPPED_RUN * SHEPARD_COLUMNS_STEP];
    /* [count] in the order of the indices: these, and where the values of a target are */
    size_t index[SHEPARD_CPU_GAPPED_BATCH];
    const double *row[SHEPARD_CPU_GAPPED_BATCH];
    uint32_t *rank; /* [rank_room] */
    double *w;      /* [w_room] */
    size_t ranks, rank_room, weights, w_room;
};

/* The scratch of one thread. */
struct shepard_cpu_gapped_worker {
    struct shepard_cpu_gapped_call *call;
    struct shepard_target_block block;
    struct shepard_neighbours wide, nearby;
    struct shepard_left *left; /* [left_room] */
    size_t left_count, left_room;
    /* Of columns at once: */
    uint64_t *missing; /* [words] */
    double *beside;    /* [beside_room] weights beside one unit */
    size_t beside_room;
    struct shepard_cpu_gapped_batch batch;
    /* Of lists: */
    struct shepard_neighbours own;
    struct shepard_cpu_worker answerer; /* of a field that holds the points of the list only: */
    struct shepard_cpu_engine engine;
    struct shepard_samples samples;
    struct shepard_output output;
    struct shepard_predict_job job;
    double *list; /* [columns + 3, list_room] */
    uint32_t *rank;
    double **columns; /* [columns] */
    size_t list_room;
};

/* The nearest points of the last target, for AIDW. */
static inline const struct shepard_hits *
shepard_cpu_gapped_near(const struct shepard_cpu_gapped_worker *worker)
{
    return worker->call->looks_near ? &worker->nearby.hits : &worker->wide.hits;
}

/* As the slot of the backend table. */
enum shepard_status shepard_cpu_gapped_predict(const struct shepard_prepared_points *points,
                                               struct shepard_gapped_job *job,
                                               struct shepard_error *error);

/* Leaves a group's prediction at a target to another search. */
enum shepard_status shepard_cpu_gapped_leave(struct shepard_cpu_gapped_worker *worker, size_t group,
                                             size_t target);

/* Puts the targets of a batch in the order of their indices, which mostly follow each other. */
void shepard_cpu_gapped_order(struct shepard_cpu_gapped_batch *batch);

/* Writes the values that `count` columns of a step have at the targets of the batch. */
void shepard_cpu_gapped_write(const struct shepard_cpu_gapped_worker *worker,
                              const struct shepard_cpu_gapped_column *columns, size_t count);

/* The two ways to predict at target i of worker->block, which is finite. Averages are there after
 * the batch is finished, too. */
enum shepard_status shepard_cpu_gapped_average(struct shepard_cpu_gapped_worker *worker, size_t i);
enum shepard_status shepard_cpu_gapped_finish(struct shepard_cpu_gapped_worker *worker);
enum shepard_status shepard_cpu_gapped_list(struct shepard_cpu_gapped_worker *worker, size_t i);

#endif
