/* SPDX-License-Identifier: MIT */
/* Sums over all points in double. */
#include "backend/cuda/total_sum.cuh"

namespace shepard
{

template <class Stored>
static void launch_form(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    if (job.total.form2 && !job.total.squares)
        launch<true, true, double, Stored, columns_precise>(job, far, stream);
    else if (job.of.one_power)
        launch<false, true, double, Stored, columns_precise>(job, far, stream);
    else
        launch<false, false, double, Stored, columns_precise>(job, far, stream);
}

void sum_precise(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    launch_form(job, far, stream);
}

void sum_precise(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    launch_form(job, far, stream);
}

} // namespace shepard
