/* SPDX-License-Identifier: MIT */
#include "backend/cuda/targets.cuh"

#include "backend/cuda/frame.cuh"
#include "backend/cuda/order.cuh"
#include "cuda/launch.cuh"

#include <cmath>

namespace shepard
{

namespace
{

constexpr int threads = 256;

/* Where targets come from: data points, arrays or cells of a raster's window. */
struct source {
    places_view places;
    chosen_points chosen;
    bool list;
    number_view x, y; /* [m] of the chunk */
    shepard_raster raster;
    shepard_window window;
    std::uint64_t first; /* number of the chunk's first target in the call */
};

/* As shepard_targets_at: not of data points. */
__device__ void target_at(const source &from, std::uint32_t i, double *x, double *y)
{
    if (from.list) {
        *x = number_at(from.x, i);
        *y = number_at(from.y, i);
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
    if (from.places.rank != nullptr) {
        const std::uint32_t rank = from.places.rank[from.chosen[i]];
        if (rank == SHEPARD_NO_POINT)
            return false;
        *x = from.places.x[rank];
        *y = from.places.y[rank];
        return true;
    }
    target_at(from, i, x, y);
    if (!isfinite(*x) || !isfinite(*y))
        return false;
    frame_target(frame, x, y);
    return true;
}

__global__ void find_keys(source from, shepard_frame frame, hilbert_curve along, std::uint32_t m,
                          std::uint64_t *key, std::uint32_t *number)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= m)
        return;
    double x, y;
    const bool finite = place_of(from, frame, (std::uint32_t)i, &x, &y);
    key[i] = finite ? hilbert_key(hilbert_place_of(along, x, y)) : hilbert_end;
    number[i] = (std::uint32_t)i;
}

/* The distance of a target that is held nearer than it is, user units; else 0. */
__device__ double distance_if_held(const source &from, const target_frame &in, std::uint32_t i)
{
    double u, v;
    target_at(from, i, &u, &v);
    double x = u, y = v;
    return frame_target(in.frame, &x, &y) ? 0
                                          : frame_distance(in.frame, u - in.x_min, v - in.y_min);
}

struct placed {
    double *x, *y;
    std::uint32_t *rank;
    double *away; /* nullptr: not wanted */
};

__global__ void gather(source from, target_frame in, std::uint32_t m, const std::uint32_t *number,
                       const std::uint64_t *key, placed to)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= m)
        return;
    double x, y;
    const bool finite = place_of(from, in.frame, number[i], &x, &y);
    if (!finite)
        x = y = NAN;
    if (to.away != nullptr)
        to.away[number[i]] = finite ? distance_if_held(from, in, number[i]) : 0;
    to.x[i] = x;
    to.y[i] = y;
    to.rank[i] = min(hilbert_rank(in.points.key, in.points.n, key[i]), in.points.n - 1);
}

__global__ void replace_far(const double *away, std::uint32_t m, int k, double far, double nodata,
                            double *rows)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= m || away[i] == 0)
        return;
    double *const row = rows + i * k;
    int count = 0;
    while (count < k && !isnan(row[count]))
        count++;
    if (count == 0 || !(row[count - 1] >= far) || row[0] == nodata)
        return;
    for (int j = 0; j < count; j++)
        row[j] = away[i];
}

} // namespace

/* indices: may be nullptr. */
static block<std::uint32_t> upload_indices(const std::uint32_t *indices, std::size_t first,
                                           std::size_t count, cudaStream_t stream)
{
    if (indices == nullptr)
        return {};
    block<std::uint32_t> uploaded(count, stream);
    check(cudaMemcpyAsync(uploaded.get(), indices + first, uploaded.bytes(), cudaMemcpyHostToDevice,
                          stream),
          "uploading the targets");
    return uploaded;
}

targets::targets(const shepard_targets_view &of, const lent_memory &memory, std::size_t first,
                 std::size_t count, const target_frame &in, const stream &on, stage_timer &clock)
    : m_((std::uint32_t)count), far_(std::ldexp(1, 239) / in.frame.scale), x_(count, on.get()),
      y_(count, on.get()), rank_(count, on.get())
{
    const cudaStream_t stream = on.get();
    taken x, y;
    block<std::uint32_t> indices;
    source from = {};
    from.first = first;
    if (of.points) {
        clock.enter(&shepard_timing::upload, on);
        indices = upload_indices(of.indices, first, count, stream);
        from.places = in.places;
        from.chosen = {indices.get(), (std::uint32_t)first};
    } else if (of.raster != nullptr) {
        from.raster = *of.raster;
        from.window = of.window;
    } else {
        clock.enter(&shepard_timing::upload, on);
        x = taken(of.x, first, count, memory, on);
        y = taken(of.y, first, count, memory, on);
        from.list = true;
        from.x = x.view();
        from.y = y.view();
    }
    clock.enter(&shepard_timing::sort, on);
    ordered order = {block<std::uint64_t>(count, stream), block<std::uint32_t>(count, stream)};
    find_keys<<<blocks_for(count, threads), threads, 0, stream>>>(
        from, in.frame, in.along, m_, order.key.get(), order.number.get());
    check_launch("finding the targets' places");
    order = sort_by_key(std::move(order), hilbert_bits + 1, stream);
    /* No data point is held nearer than it is. */
    if (in.distances && !of.points)
        away_ = block<double>(count, stream);
    gather<<<blocks_for(count, threads), threads, 0, stream>>>(
        from, in, m_, order.number.get(), order.key.get(),
        {x_.get(), y_.get(), rank_.get(), away_.get()});
    check_launch("putting the targets in order");
    key_ = std::move(order.key);
    index_ = std::move(order.number);
    if (of.points)
        left_out_ =
            left_out_points(in.points, view(), key_.get(), from.chosen, of.keep_coincident, stream);
}

void targets::correct_far(double *rows, int k, double nodata, const stream &on) const
{
    if (away_.get() == nullptr)
        return;
    replace_far<<<blocks_for(m_, threads), threads, 0, on.get()>>>(away_.get(), m_, k, far_, nodata,
                                                                   rows);
    check_launch("correcting distances");
}

} // namespace shepard
