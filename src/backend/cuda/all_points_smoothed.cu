/* SPDX-License-Identifier: MIT */
/* Sums over all points with smoothing, nodes among them. */
#include "backend/cuda/all_points_sum.cuh"

namespace shepard
{

template <class Real, int Columns, class Stored>
static void launch_form(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    constexpr int threads = threads_of(group_width::four_warps);
    if (job.total.form2 && !job.total.squares)
        launch<true, true, false, true, threads, Real, Stored, Columns>(job, far, stream);
    else if (job.of.one_power)
        launch<false, true, false, true, threads, Real, Stored, Columns>(job, far, stream);
    else
        launch<false, false, false, true, threads, Real, Stored, Columns>(job, far, stream);
}

void sum_smoothed_single(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    if (job.total.columns <= 1)
        launch_form<float, 1>(job, far, stream);
    else
        launch_form<float, columns_single>(job, far, stream);
}

void sum_smoothed_double(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    launch_form<double, columns_double>(job, far, stream);
}

void sum_smoothed_double(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    launch_form<double, columns_double>(job, far, stream);
}

} // namespace shepard
