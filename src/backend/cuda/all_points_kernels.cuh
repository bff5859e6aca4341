/* SPDX-License-Identifier: MIT */
/* Launches of the kernel of all_points_sum.cuh, by what it sums in. */
#ifndef SHEPARD_BACKEND_CUDA_ALL_POINTS_KERNELS_CUH
#define SHEPARD_BACKEND_CUDA_ALL_POINTS_KERNELS_CUH

#include "backend/cuda/interactions.cuh"

namespace shepard
{

/* A round of the groups of one class in a wave. */
struct sum_job {
    all_points_job total;
    group_list groups;
    list_view lists; /* not used where every pair is summed */
    parent_view parents;
    int round;
    group_class of;

    /* The parent group whose expansion a block's group adds in this round, or no_parent. */
    __device__ int parent_to_add() const
    {
        const int parent = lists.head[blockIdx.x].parent;
        if (parent == no_parent || round > 0 || parents.lists.head[parent].local == 0)
            return no_parent;
        return parent;
    }
};

/* Columns that a kernel takes, one that sums planes as in double. */
constexpr int columns_single = 4, columns_double = 1;

/* Asynchronous. */
void sum_single(const sum_job &job, const far_view<float> &far, cudaStream_t stream);
void sum_double(const sum_job &job, const far_view<float> &far, cudaStream_t stream);
void sum_double(const sum_job &job, const far_view<double> &far, cudaStream_t stream);
/* The same with smoothing, of lists; no point is left out. */
void sum_smoothed_single(const sum_job &job, const far_view<float> &far, cudaStream_t stream);
void sum_smoothed_double(const sum_job &job, const far_view<float> &far, cudaStream_t stream);
void sum_smoothed_double(const sum_job &job, const far_view<double> &far, cudaStream_t stream);
/* Of a pass of planes, with or without smoothing: points one by one; then nodes, to what these
 * gave. */
void sum_plane_points(const sum_job &job, cudaStream_t stream);
void sum_plane_nodes(const sum_job &job, const far_view<double> &far, cudaStream_t stream);

} // namespace shepard

#endif
