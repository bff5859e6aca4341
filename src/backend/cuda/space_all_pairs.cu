/* SPDX-License-Identifier: MIT */
/* Sums over all points with three coordinates, pair by pair, in double. */
#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/pair_sums.cuh"

namespace shepard
{

namespace
{

constexpr int threads = 128;
/* Blocks of so many targets each keep a large GPU busy; with fewer targets lanes share them. */
constexpr std::size_t blocks_least = 1024;

/* A block takes the next threads / sharing targets. */
template <bool Form2, class Spot>
__global__ void __launch_bounds__(threads, 4)
    sum_pairs(const __grid_constant__ space_pairs_job job, int sharing)
{
    using pairs = pair_summing<Form2, true, threads, space_pairs_job, double, columns_double, Spot>;
    __shared__ point_stage<double, columns_double, Spot> points;
    pairs work = {job, points, {0, 0, 1}, sharing};
    typename pairs::lane_type own;
    const std::uint32_t first = blockIdx.x * (unsigned)(threads / sharing);
    const std::uint32_t lane = threadIdx.x, target = first + lane / (unsigned)sharing;
    work.open_lane(min(target, job.targets.m - 1), own);
    own.idle = first + lane / 32 * 32 / (unsigned)sharing >= job.targets.m;
    work.add_points(own, nullptr, job.points.n);
    if (target < job.targets.m && lane % (unsigned)sharing == 0)
        work.answer(own, false, true);
}

template <bool Form2> void launch(const space_pairs_job &job, cudaStream_t stream)
{
    const int sharing =
        job.centre != nullptr
            ? 1
            : sharing_of((job.targets.m + blocks_least - 1) / blocks_least, threads);
    const unsigned blocks = blocks_for(job.targets.m, (std::size_t)(threads / sharing));
    if (job.points.diameter > 0)
        sum_pairs<Form2, sphere_spot><<<blocks, threads, 0, stream>>>(job, sharing);
    else
        sum_pairs<Form2, space_spot><<<blocks, threads, 0, stream>>>(job, sharing);
    check_launch("summing");
}

} // namespace

void sum_all_pairs(const space_pairs_job &job, const stream &in)
{
    by_columns(job, columns_double, [&](const space_pairs_job &some) {
        if (some.form2 && !some.squares)
            launch<true>(some, in.get());
        else
            launch<false>(some, in.get());
    });
}

} // namespace shepard
