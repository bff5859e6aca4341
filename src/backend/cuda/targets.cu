/* SPDX-License-Identifier: MIT */
#include "backend/cuda/targets.cuh"

#include "backend/cuda/frame.cuh"
#include "backend/cuda/order.cuh"
#include "cuda/launch.cuh"

namespace shepard
{

namespace
{

constexpr int threads = 256;

/* Where targets come from: arrays or, where x is nullptr, cells of a raster's window. */
struct source {
    const double *x, *y; /* [m] of the chunk */
    shepard_raster raster;
    shepard_window window;
    std::uint64_t first; /* number of the chunk's first target in the call */
};

/* As shepard_targets_at. */
__device__ void target_at(const source &from, std::uint32_t i, double *x, double *y)
{
    if (from.x != nullptr) {
        *x = from.x[i];
        *y = from.y[i];
        return;
    }
    const std::uint64_t number = from.first + i, across = from.window.columns;
    const std::uint64_t column = from.window.column + number % across;
    const std::uint64_t row = from.window.row + number / across;
    *x = __dadd_rn(from.raster.x0, __dmul_rn((double)column + 0.5, from.raster.dx));
    *y = __dadd_rn(from.raster.y0, __dmul_rn((double)row + 0.5, from.raster.dy));
}

/* False where the target is not finite. */
__device__ bool place_of(const source &from, const shepard_frame &frame, std::uint32_t i, double *x,
                         double *y)
{
    target_at(from, i, x, y);
    if (!isfinite(*x) || !isfinite(*y))
        return false;
    frame_target(frame, x, y);
    return true;
}

__global__ void find_keys(source from, shepard_frame frame, curve along, std::uint32_t m,
                          std::uint64_t *key, std::uint32_t *number)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= m)
        return;
    double x, y;
    const bool finite = place_of(from, frame, (std::uint32_t)i, &x, &y);
    key[i] = finite ? curve_key(curve_place_of(along, x, y)) : curve_end;
    number[i] = (std::uint32_t)i;
}

struct placed {
    double *x, *y;
    std::uint32_t *rank;
};

__global__ void gather(source from, target_frame in, std::uint32_t m, const std::uint32_t *number,
                       const std::uint64_t *key, placed to)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= m)
        return;
    double x, y;
    if (!place_of(from, in.frame, number[i], &x, &y))
        x = y = NAN;
    to.x[i] = x;
    to.y[i] = y;
    to.rank[i] = min(curve_rank(in.cloud.key, in.cloud.n, key[i]), in.cloud.n - 1);
}

} // namespace

targets::targets(const shepard_targets_view &of, std::size_t first, std::size_t count,
                 const target_frame &in, const stream &on, stage_clock &clock)
    : m_((std::uint32_t)count), x_(count, on.get()), y_(count, on.get()), rank_(count, on.get())
{
    const cudaStream_t stream = on.get();
    block<double> x, y;
    source from = {};
    from.first = first;
    if (of.raster != nullptr) {
        from.raster = *of.raster;
        from.window = of.window;
    } else {
        clock.enter(&shepard_timing::upload, on);
        x = block<double>(count, stream);
        y = block<double>(count, stream);
        check(cudaMemcpyAsync(x.get(), of.x + first, x.bytes(), cudaMemcpyHostToDevice, stream),
              "uploading the targets");
        check(cudaMemcpyAsync(y.get(), of.y + first, y.bytes(), cudaMemcpyHostToDevice, stream),
              "uploading the targets");
        from.x = x.get();
        from.y = y.get();
    }
    clock.enter(&shepard_timing::sort, on);
    ordered order = {block<std::uint64_t>(count, stream), block<std::uint32_t>(count, stream)};
    find_keys<<<blocks_for(count, threads), threads, 0, stream>>>(
        from, in.frame, in.along, m_, order.key.get(), order.number.get());
    check_launch("finding the targets' places");
    order = sort_by_key(std::move(order), curve_bits + 1, stream);
    gather<<<blocks_for(count, threads), threads, 0, stream>>>(
        from, in, m_, order.number.get(), order.key.get(), {x_.get(), y_.get(), rank_.get()});
    check_launch("putting the targets in order");
    key_ = std::move(order.key);
    index_ = std::move(order.number);
}

} // namespace shepard
