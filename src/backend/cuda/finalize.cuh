/* SPDX-License-Identifier: MIT */
/* From sums over all points to results. Mirrors backend/cpu/finalize.c. */
#ifndef SHEPARD_BACKEND_CUDA_FINALIZE_CUH
#define SHEPARD_BACKEND_CUDA_FINALIZE_CUH

#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/output.cuh"
#include "backend/cuda/targets.cuh"

namespace shepard
{

template <class Points, class Targets> struct finalize_job {
    Points points;
    Targets targets;
    const std::uint64_t *key; /* [m] of the plane's targets */
    knn_stats around;
    double smoothing2, frame_scale, nodata;
    bool scan;         /* squares of distances may vanish between different keys of the plane */
    std::size_t least; /* points that make a prediction, >= 1 */
    outputs out;
};

/* What needs no sums: counts, distances, powers; targets that are not finite or at the place of
 * data points: asynchronous. */
template <class Points, class Targets>
void finalize_without_sums(const finalize_job<Points, Targets> &job, cudaStream_t stream);

/* Sums of all targets, at their places: the means of z' and z'^2 (nullptr: not there), sums of q w
 * and of its square. */
struct all_points_sums {
    const double *mean, *spread;    /* [columns, m] */
    bool centred;                   /* spread is of z' - mean */
    const double *weight, *squares; /* [m] */
};

/* Values, deviations and effective sizes of the other targets: asynchronous. */
template <class Points, class Targets>
void finalize_from_sums(const finalize_job<Points, Targets> &job, const all_points_sums &sums,
                        cudaStream_t stream);

} // namespace shepard

#endif
