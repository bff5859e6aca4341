/* SPDX-License-Identifier: MIT */
/* Sums over points at the targets of a chunk, of one kind of charges, as kernels see them: the same
 * in the plane and with three coordinates. */
#ifndef SHEPARD_BACKEND_CUDA_PAIRS_JOB_CUH
#define SHEPARD_BACKEND_CUDA_PAIRS_JOB_CUH

#include "backend/cuda/knn_stats.cuh"
#include "cuda/stream.cuh"

#include <algorithm>

namespace shepard
{

template <class Points, class Targets> struct pairs_job {
    Points points;
    Targets targets;
    knn_stats around;
    double smoothing2;
    bool form2;           /* every power is 2 */
    bool spread;          /* charges are q z'^2 in place of q z' */
    bool squares;         /* sums of q^2 w^2: powers count twice, weight2 is what is sure */
    const double *centre; /* [columns, m] as sums: every pair is summed, the charges are q (z' -
                             centre)^2; nullptr: they are the same for all targets */
    int column, columns;  /* first and number of those to sum */
    double *weight;       /* [m] at the targets' places: sum of weights */
    double *sums;         /* [all columns, m]: sum of w z' over that of w */
};

using space_pairs_job = pairs_job<space_points_view, space_target_view>;

/* Calls run with a job of at most so many columns at a time. */
template <class Job, class Run> void by_columns(const Job &all, int most, const Run &run)
{
    Job some = all;
    do {
        some.columns = std::min(all.columns - some.column, most);
        run(some);
        some.column += most;
    } while (some.column < all.columns);
}

/* Every pair of all points and the targets, with three coordinates, in double: asynchronous. What
 * targets get that are not finite, or at the place of a point, has no meaning. */
void sum_all_pairs(const space_pairs_job &job, const stream &in);

} // namespace shepard

#endif
