/* SPDX-License-Identifier: MIT */
/* Sums over all points in double. */
#include "backend/cuda/all_points_sum.cuh"

namespace shepard
{

template <int Threads, class Stored>
static void launch_form(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    if (job.total.form2 && !job.total.squares)
        launch<true, true, true, false, Threads, double, Stored, columns_double>(job, far, stream);
    else if (job.of.one_power)
        launch<false, true, true, false, Threads, double, Stored, columns_double>(job, far, stream);
    else
        launch<false, false, true, false, Threads, double, Stored, columns_double>(job, far,
                                                                                   stream);
}

template <class Stored>
static void launch_any(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    if (job.of.width == group_width::one_warp)
        launch_form<threads_of(group_width::one_warp)>(job, far, stream);
    else if (job.of.width == group_width::three_warps)
        launch_form<threads_of(group_width::three_warps)>(job, far, stream);
    else
        launch_form<threads_of(group_width::four_warps)>(job, far, stream);
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
