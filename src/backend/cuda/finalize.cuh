/* SPDX-License-Identifier: MIT */
/* From sums over all points to results. Mirrors backend/cpu/finalize.c. */
#ifndef SHEPARD_BACKEND_CUDA_FINALIZE_CUH
#define SHEPARD_BACKEND_CUDA_FINALIZE_CUH

#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/output.cuh"
#include "backend/cuda/targets.cuh"

extern "C" {
#include "base/arithmetic.h"
}

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

template <class Job> __device__ bool is_at_points(const Job &job, std::uint32_t t)
{
    return job.around.nearest2[t] + job.smoothing2 == 0;
}

/* Whether a target's results come from sums. */
template <class Job> __device__ bool has_sums(const Job &job, std::uint32_t t)
{
    return !isnan(job.targets.x[t]) && points_for(job.points, job.targets, t) >= job.least &&
           !is_at_points(job, t);
}

/* From a column's weighted mean of z'. */
__device__ inline double mean_value(const points_view &points, int column, double mean)
{
    return shepard_clamp(points.middle[column] + mean / points.scale[column],
                         points.value_min[column], points.value_max[column]);
}

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
