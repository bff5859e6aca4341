/* SPDX-License-Identifier: MIT */
#include "backend/cuda/answers.cuh"
#include "cuda/launch.cuh"

extern "C" {
#include "base/number.h"
}

namespace shepard
{

namespace
{

constexpr int threads = 256;

__device__ bool is_at_points(const answer_job &job, std::uint32_t t)
{
    return job.around.nearest2[t] + job.smoothing2 == 0;
}

__device__ double own_value(const cloud_view &cloud, int column, std::uint32_t point)
{
    return cloud.values[(std::size_t)column * cloud.n + point];
}

__device__ double scaled_value(const cloud_view &cloud, int column, std::uint32_t point)
{
    const double scale = cloud.scale[column];
    return own_value(cloud, column, point) * scale - cloud.middle[column] * scale;
}

__device__ double value_of(const cloud_view &cloud, int column, double mean)
{
    return shepard_clamp(cloud.middle[column] + mean / cloud.scale[column], cloud.value_min[column],
                         cloud.value_max[column]);
}

/* The points at a target's place, or too near for the square of the distance, have its key: they
 * stand next to each other. In a tiny square all are looked at. */
struct coincident {
    const answer_job &job;
    std::uint32_t t;

    template <class Visit> __device__ void for_each(const Visit &visit) const
    {
        const cloud_view &cloud = job.cloud;
        const double x = job.targets.x[t], y = job.targets.y[t];
        std::uint32_t i = job.scan ? 0 : job.targets.rank[t];
        for (; i < cloud.n && (job.scan || cloud.key[i] == job.key[t]); i++)
            if (squared(cloud.x[i] - x, cloud.y[i] - y) == 0)
                visit(i, cloud.weights != nullptr ? cloud.weights[i] : 1.0);
    }
};

__device__ void answer_at_points(const answer_job &job, std::uint32_t t, std::uint32_t index)
{
    const coincident here = {job, t};
    double w = 0, ww = 0;
    std::uint32_t count = 0, last = 0;
    here.for_each([&](std::uint32_t i, double q) {
        w += q;
        ww += q * q;
        count++;
        last = i;
    });
    for (int c = 0; c < job.cloud.columns; c++) {
        double z = 0, spread = 0;
        here.for_each([&](std::uint32_t i, double q) { z += q * scaled_value(job.cloud, c, i); });
        const double mean = count == 1 ? scaled_value(job.cloud, c, last) : z / w;
        here.for_each([&](std::uint32_t i, double q) {
            const double d = scaled_value(job.cloud, c, i) - mean;
            spread += q * d * d;
        });
        const std::size_t at = (std::size_t)c * job.out.m + index;
        if (job.out.values != nullptr)
            job.out.values[at] =
                count == 1 ? own_value(job.cloud, c, last) : value_of(job.cloud, c, mean);
        if (job.out.deviations != nullptr)
            job.out.deviations[at] = sqrt(spread / w) / job.cloud.scale[c];
    }
    put(job.out.effective, index, w * w / ww);
}

__global__ void answer_plainly(answer_job job)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= job.targets.m)
        return;
    const std::uint32_t t = (std::uint32_t)i, index = job.targets.index[t];
    const bool finite = !isnan(job.targets.x[t]);
    put(job.out.count, index, finite ? (double)job.cloud.n : 0);
    put(job.out.nearest, index,
        finite ? sqrt(job.around.nearest2[t]) / job.frame_scale : job.nodata);
    if (!finite || !job.enough) {
        put_nodata(job.out, job.cloud.columns, index, job.nodata);
        return;
    }
    put(job.out.power, index, job.around.alpha[t]);
    const bool sums = job.out.values || job.out.deviations || job.out.effective;
    if (sums && is_at_points(job, t))
        answer_at_points(job, t, index);
}

__global__ void answer_summed(answer_job job, total_sums sums)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= job.targets.m)
        return;
    const std::uint32_t t = (std::uint32_t)i, index = job.targets.index[t];
    if (isnan(job.targets.x[t]) || is_at_points(job, t))
        return;
    for (int c = 0; c < job.cloud.columns; c++) {
        const std::size_t at = (std::size_t)c * job.out.m + index;
        const double mean = sums.mean[at];
        if (job.out.values != nullptr)
            job.out.values[at] = value_of(job.cloud, c, mean);
        if (job.out.deviations != nullptr)
            job.out.deviations[at] =
                sqrt(fmax(sums.spread[at] - (sums.centred ? 0 : mean * mean), 0.0)) /
                job.cloud.scale[c];
    }
    if (job.out.effective != nullptr) {
        const double w = sums.weight[index];
        job.out.effective[index] = w * w / sums.squares[index];
    }
}

} // namespace

void answer_without_sums(const answer_job &job, cudaStream_t stream)
{
    answer_plainly<<<blocks_for(job.targets.m, threads), threads, 0, stream>>>(job);
    check_launch("writing results");
}

void answer_from_sums(const answer_job &job, const total_sums &sums, cudaStream_t stream)
{
    answer_summed<<<blocks_for(job.targets.m, threads), threads, 0, stream>>>(job, sums);
    check_launch("writing results");
}

} // namespace shepard
