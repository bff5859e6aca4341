/* SPDX-License-Identifier: MIT */
/* Sums over all points with smoothing, nodes among them. */
#include "backend/cuda/all_points_sum.cuh"

namespace shepard
{

static constexpr int threads = threads_of(group_width::four_warps);

void sum_smoothed_single(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    if (job.of.width == group_width::three_warps)
        launch_single<false, true, threads_of(group_width::three_warps)>(job, far, stream);
    else
        launch_single<false, true, threads>(job, far, stream);
}

void sum_smoothed_double(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    launch_double<false, true, threads>(job, far, stream);
}

void sum_smoothed_double(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    launch_double<false, true, threads>(job, far, stream);
}

} // namespace shepard
