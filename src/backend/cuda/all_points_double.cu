/* SPDX-License-Identifier: MIT */
/* Sums over all points in double. */
#include "backend/cuda/all_points_sum.cuh"

namespace shepard
{

template <class Stored>
static void launch_any(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    if (job.of.width == group_width::one_warp)
        launch_double<true, false, threads_of(group_width::one_warp)>(job, far, stream);
    else if (job.of.width == group_width::three_warps)
        launch_double<true, false, threads_of(group_width::three_warps)>(job, far, stream);
    else
        launch_double<true, false, threads_of(group_width::four_warps)>(job, far, stream);
}

void sum_double(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    launch_any(job, far, stream);
}

void sum_double(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    launch_any(job, far, stream);
}

} // namespace shepard
