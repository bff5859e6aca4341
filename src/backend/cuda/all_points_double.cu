/* SPDX-License-Identifier: MIT */
/* Sums over all points in double. */
#include "backend/cuda/all_points_sum.cuh"

namespace shepard
{

template <int Threads, class Stored>
static void launch_form(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    if (job.total.form2 && !job.total.squares)
        launch<true, true, true, Threads, double, Stored, columns_double>(job, far, stream);
    else if (job.of.one_power)
        launch<false, true, true, Threads, double, Stored, columns_double>(job, far, stream);
    else
        launch<false, false, true, Threads, double, Stored, columns_double>(job, far, stream);
}

template <class Stored>
static void launch_any(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    if (job.of.three_warps)
        launch_form<sum_threads(true)>(job, far, stream);
    else
        launch_form<sum_threads(false)>(job, far, stream);
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
