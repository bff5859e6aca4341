/* SPDX-License-Identifier: MIT */
/* Sums over all points in float32. */
#include "backend/cuda/all_points_sum.cuh"

namespace shepard
{

void sum_single(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    if (job.total.targets.left_out != nullptr)
        launch_single<true, false, threads_of(group_width::four_warps)>(job, far, stream);
    else if (job.of.width == group_width::one_warp)
        launch_single<false, false, threads_of(group_width::one_warp)>(job, far, stream);
    else if (job.of.width == group_width::two_warps)
        launch_single<false, false, threads_of(group_width::two_warps)>(job, far, stream);
    else if (job.of.width == group_width::three_warps)
        launch_single<false, false, threads_of(group_width::three_warps)>(job, far, stream);
    else
        launch_single<false, false, threads_of(group_width::four_warps)>(job, far, stream);
}

} // namespace shepard
