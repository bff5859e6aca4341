/* SPDX-License-Identifier: MIT */
/* Sums over all points in double. */
#include "backend/cuda/items.cuh"

namespace shepard
{

template <class Stored>
static void launch_form(const total_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    if (job.form2 && !job.squares)
        launch<true, double, Stored, 1>(job, far, stream);
    else
        launch<false, double, Stored, 1>(job, far, stream);
}

void sum_precise(const total_job &job, const far_view<float> &far, cudaStream_t stream)
{
    launch_form(job, far, stream);
}

void sum_precise(const total_job &job, const far_view<double> &far, cudaStream_t stream)
{
    launch_form(job, far, stream);
}

} // namespace shepard
