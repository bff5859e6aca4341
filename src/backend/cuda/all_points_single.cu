/* SPDX-License-Identifier: MIT */
/* Sums over all points in float32. */
#include "backend/cuda/all_points_sum.cuh"

namespace shepard
{

template <bool Form2, bool OnePower, bool Leaving, int Threads>
static void launch_columns(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    if (job.total.columns <= 1)
        launch<Form2, OnePower, Leaving, false, Threads, float, float, 1>(job, far, stream);
    else
        launch<Form2, OnePower, Leaving, false, Threads, float, float, columns_single>(job, far,
                                                                                       stream);
}

template <bool Leaving, int Threads>
static void launch_form(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    if (job.total.form2)
        launch_columns<true, true, Leaving, Threads>(job, far, stream);
    else if (job.of.one_power)
        launch_columns<false, true, Leaving, Threads>(job, far, stream);
    else
        launch_columns<false, false, Leaving, Threads>(job, far, stream);
}

void sum_single(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    if (job.total.targets.left_out != nullptr)
        launch_form<true, threads_of(group_width::four_warps)>(job, far, stream);
    else if (job.of.width == group_width::one_warp)
        launch_form<false, threads_of(group_width::one_warp)>(job, far, stream);
    else if (job.of.width == group_width::three_warps)
        launch_form<false, threads_of(group_width::three_warps)>(job, far, stream);
    else
        launch_form<false, threads_of(group_width::four_warps)>(job, far, stream);
}

} // namespace shepard
