/* SPDX-License-Identifier: MIT */
/* Sums over all points at the targets of a chunk, of one kind of charges: groups of targets that
 * are treated alike are found, for each the tree is walked and what to sum how is listed, and
 * summed. Mirrors backend/cpu/all_points.c. */
#ifndef SHEPARD_BACKEND_CUDA_ALL_POINTS_CUH
#define SHEPARD_BACKEND_CUDA_ALL_POINTS_CUH

#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/moments.cuh"
#include "backend/cuda/power.cuh"
#include "backend/cuda/target_cells.cuh"
#include "cuda/stream.cuh"

extern "C" {
#include "core/accuracy.h"
}

namespace shepard
{

/* The range of powers is cut into so many, each with rules and so lists of its own, shorter than
 * lists that are good for every power: the least power, what is between, and the largest. Most
 * targets of AIDW have the least or the largest: their expansions are made for it. */
constexpr int power_ranges = 3;
constexpr int range_between = 1;

/* What sums took, counted on the device. */
struct all_points_work {
    unsigned long long pairs, nodes;
};

struct all_points_job {
    points_view points;
    hilbert_curve along;
    target_view targets;
    const std::uint64_t *key; /* [m] */
    item_view items;
    knn_stats around;
    far_tree tree;
    const shepard_accuracy *accuracy; /* [power_ranges] on the device; nullptr: every pair */
    const shepard_accuracy *local;    /* the same for local expansions; nullptr: not used */
    double power[power_ranges];       /* that of all of a range's targets, but of those between */
    power_rule rule;
    double mean_reach; /* the mean of the law's nearest distances, of points 1 apart on average */
    double smoothing2;
    double nearest;        /* points behind the vicinity's weights */
    bool form2;            /* every power is 2 */
    bool spread;           /* charges are q z'^2 in place of q z' */
    bool squares;          /* sums of q^2 w^2: powers count twice, weight2 is what is sure */
    bool all_precise;      /* every target is summed in double */
    const double *centre;  /* [columns, m] as sums: every pair is summed, the charges are q (z' -
                              centre)^2; nullptr: they are the same for all targets */
    int column, columns;   /* first and number of those to sum */
    double *weight;        /* [m] at the targets' places: sum of weights */
    double *sums;          /* [all columns, m]: sum of w z' over that of w */
    all_points_work *work; /* added to; nullptr: not wanted */
};

/* The moments' charges are q, then those of each column; one of the two, or neither where every
 * pair is summed. Waits for the stream. */
void sum_all_points(const all_points_job &job, const far_view<float> *single,
                    const far_view<double> *precise, const stream &in);

} // namespace shepard

#endif
