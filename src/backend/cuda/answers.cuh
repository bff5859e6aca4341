/* SPDX-License-Identifier: MIT */
/* From sums over all points to results. */
#ifndef SHEPARD_BACKEND_CUDA_ANSWERS_CUH
#define SHEPARD_BACKEND_CUDA_ANSWERS_CUH

#include "backend/cuda/outputs.cuh"
#include "backend/cuda/targets.cuh"
#include "backend/cuda/vicinity.cuh"

namespace shepard
{

struct answer_job {
    cloud_view cloud;
    target_view targets;
    const std::uint64_t *key; /* [m] of the targets */
    vicinity around;
    double smoothing2, frame_scale, nodata;
    bool scan;   /* squares of distances may vanish between different keys */
    bool enough; /* there are as many points as a prediction needs */
    outputs out;
};

/* What needs no sums: counts, distances, powers; targets that are not finite or at the place of
 * data points: asynchronous. */
void answer_without_sums(const answer_job &job, cudaStream_t stream);

/* Sums of all targets, at their places: the means of z' and z'^2 (nullptr: not there), sums of q w
 * and of its square. */
struct total_sums {
    const double *mean, *spread;    /* [columns, m] */
    bool centred;                   /* spread is of z' - mean */
    const double *weight, *squares; /* [m] */
};

/* Values, deviations and effective sizes of the other targets: asynchronous. */
void answer_from_sums(const answer_job &job, const total_sums &sums, cudaStream_t stream);

} // namespace shepard

#endif
