/* SPDX-License-Identifier: MIT */
/* Sums over all points in float32. */
#include "backend/cuda/items.cuh"

namespace shepard
{

template <bool Form2>
static void launch_columns(const total_job &job, const far_view<float> &far, cudaStream_t stream)
{
    if (job.columns <= 1)
        launch<Form2, float, float, 1>(job, far, stream);
    else
        launch<Form2, float, float, total_columns(target_class::plain)>(job, far, stream);
}

void sum_plain(const total_job &job, const far_view<float> &far, cudaStream_t stream)
{
    if (job.form2)
        launch_columns<true>(job, far, stream);
    else
        launch_columns<false>(job, far, stream);
}

} // namespace shepard
