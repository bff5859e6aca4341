/* SPDX-License-Identifier: MIT */
#include "backend/cuda/finalize.cuh"

#include "backend/cuda/coincident.cuh"
#include "cuda/launch.cuh"

namespace shepard
{

namespace
{

constexpr int threads = 256;

__device__ double own_value(const points_view &points, int column, std::uint32_t point)
{
    return points.values[(std::size_t)column * points.n + point];
}

__device__ double scaled_value(const points_view &points, int column, std::uint32_t point)
{
    const double scale = points.scale[column];
    return own_value(points, column, point) * scale - points.middle[column] * scale;
}

/* The points at a target's place, or too near for the square of the distance. In a tiny square of
 * the plane all are looked at. */
template <class Points, class Targets> struct coincident {
    const finalize_job<Points, Targets> &job;
    std::uint32_t t;

    template <class Visit> __device__ void for_each(const Visit &visit) const
    {
        const Points &points = job.points;
        typename Targets::place_type at;
        place_at(job.targets, t, &at);
        const auto consider = [&](std::uint32_t i) {
            if (squared_to(points, i, at) == 0 && !is_left_out(points, job.targets, t, i))
                visit(i, points.weights != nullptr ? points.weights[i] : 1.0);
        };
        for (std::uint32_t i = 0; job.scan && i < points.n; i++)
            consider(i);
        if (!job.scan)
            visit_near(points, job.targets, job.key, t, consider);
    }
};

template <class Points, class Targets>
__device__ void finalize_at_points(const finalize_job<Points, Targets> &job, std::uint32_t t,
                                   std::uint32_t index)
{
    const coincident<Points, Targets> here = {job, t};
    double w = 0, ww = 0;
    std::uint32_t count = 0, last = 0;
    here.for_each([&](std::uint32_t i, double q) {
        w += q;
        ww += q * q;
        count++;
        last = i;
    });
    for (int c = 0; c < job.points.columns; c++) {
        double z = 0, spread = 0;
        here.for_each([&](std::uint32_t i, double q) { z += q * scaled_value(job.points, c, i); });
        const double mean = count == 1 ? scaled_value(job.points, c, last) : z / w;
        here.for_each([&](std::uint32_t i, double q) {
            const double d = scaled_value(job.points, c, i) - mean;
            spread += q * d * d;
        });
        const std::size_t at = (std::size_t)c * job.out.m + index;
        if (job.out.values != nullptr)
            job.out.values[at] =
                count == 1 ? own_value(job.points, c, last) : mean_value(job.points, c, mean);
        if (job.out.deviations != nullptr)
            job.out.deviations[at] = sqrt(spread / w) / job.points.scale[c];
    }
    put(job.out.effective, index, w * w / ww);
}

template <class Job> __global__ void finalize_all(const __grid_constant__ Job job)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= job.targets.m)
        return;
    const std::uint32_t t = (std::uint32_t)i, index = job.targets.index[t];
    const bool finite = !isnan(job.targets.x[t]);
    const std::uint32_t count = finite ? points_for(job.points, job.targets, t) : 0;
    put(job.out.count, index, (double)count);
    put(job.out.nearest, index,
        count > 0 ? sqrt(job.around.nearest2[t]) / job.frame_scale : job.nodata);
    if (count < job.least) {
        put_nodata(job.out, job.points.columns, index, job.nodata);
        return;
    }
    put(job.out.power, index, job.around.power[t]);
    const bool sums = job.out.values || job.out.deviations || job.out.effective;
    if (sums && is_at_points(job, t))
        finalize_at_points(job, t, index);
}

template <class Job>
__global__ void finalize_summed(const __grid_constant__ Job job, const all_points_sums sums)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= job.targets.m)
        return;
    const std::uint32_t t = (std::uint32_t)i, index = job.targets.index[t];
    if (!has_sums(job, t))
        return;
    for (int c = 0; c < job.points.columns; c++) {
        const std::size_t at = (std::size_t)c * job.out.m + index;
        const double mean = sums.mean[at];
        if (job.out.values != nullptr)
            job.out.values[at] = mean_value(job.points, c, mean);
        if (job.out.deviations != nullptr)
            job.out.deviations[at] =
                sqrt(fmax(sums.spread[at] - (sums.centred ? 0 : mean * mean), 0.0)) /
                job.points.scale[c];
    }
    if (job.out.effective != nullptr) {
        const double w = sums.weight[index];
        job.out.effective[index] = w * w / sums.squares[index];
    }
}

} // namespace

template <class Points, class Targets>
void finalize_without_sums(const finalize_job<Points, Targets> &job, cudaStream_t stream)
{
    finalize_all<<<blocks_for(job.targets.m, threads), threads, 0, stream>>>(job);
    check_launch("writing results");
}

template <class Points, class Targets>
void finalize_from_sums(const finalize_job<Points, Targets> &job, const all_points_sums &sums,
                        cudaStream_t stream)
{
    finalize_summed<<<blocks_for(job.targets.m, threads), threads, 0, stream>>>(job, sums);
    check_launch("writing results");
}

template void finalize_without_sums(const finalize_job<points_view, target_view> &, cudaStream_t);
template void finalize_without_sums(const finalize_job<space_points_view, space_target_view> &,
                                    cudaStream_t);
template void finalize_from_sums(const finalize_job<points_view, target_view> &,
                                 const all_points_sums &, cudaStream_t);
template void finalize_from_sums(const finalize_job<space_points_view, space_target_view> &,
                                 const all_points_sums &, cudaStream_t);

} // namespace shepard
