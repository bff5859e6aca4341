/* SPDX-License-Identifier: MIT */
/* What the nearest of all points tell of each target of a chunk. Mirrors backend/cpu/knn_stats.c.
 */
#ifndef SHEPARD_BACKEND_CUDA_KNN_STATS_CUH
#define SHEPARD_BACKEND_CUDA_KNN_STATS_CUH

#include "backend/cuda/points_view.cuh"

extern "C" {
#include "backend/cuda/refusal.h"
#include "core/rules.h"
}

#include <cuda_runtime.h>

namespace shepard
{

/* Each [m], in the targets' order; not set for targets that are not finite. */
struct knn_stats {
    double *nearest2; /* squared distance of the nearest point, frame units; on a sphere of arcs */
    double *power;    /* the power */
    double *weight;  /* sum of q w over the points found, w beside that of the very nearest place; 0
                      * where nearest2 + smoothing2 is 0; nullptr: not wanted */
    double *weight2; /* sum of its square; nullptr: not wanted */
    double *h2;      /* squared median of the distances of those that scale a plane's ridge;
                      * nullptr: not wanted */
};

/* The most neighbours that the device looks for: more are left to the CPU. */
constexpr int neighbours_max = SHEPARD_CUDA_NEIGHBOURS;

/* Fills in what is wanted, from the nearest rules.adapt.k points where rules.adaptive, else 1, but
 * no fewer than h2 takes: asynchronous. */
void find_knn_stats(const points_view &points, const target_view &targets,
                    const shepard_rules &rules, const knn_stats &to, cudaStream_t stream);
void find_knn_stats(const space_points_view &points, const space_target_view &targets,
                    const shepard_rules &rules, const knn_stats &to, cudaStream_t stream);

} // namespace shepard

#endif
