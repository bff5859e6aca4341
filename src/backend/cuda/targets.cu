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
/* Numbers of leaves are below 2^leaf_bits. */
constexpr int leaf_bits = 29;

/* As shepard_targets_at: not of data points. */
__device__ void target_at(const target_source &from, std::uint32_t i, double *x, double *y)
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

__device__ double z_of_target(const target_source &from, std::uint32_t i)
{
    return from.z.first != nullptr ? number_at(from.z, i) : from.raster_z;
}

/* False where the target is not finite. */
__device__ bool place_of(const target_source &from, const shepard_frame &frame, std::uint32_t i,
                         double *x, double *y)
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

/* Of targets in an order, or (nullptr) in their own. Within: of places within their least squares.
 * number: may be nullptr. */
template <bool Within>
__global__ void find_keys(target_source from, shepard_frame frame, hilbert_curve along,
                          std::uint32_t m, const std::uint32_t *order, std::uint64_t *key,
                          std::uint32_t *number)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= m)
        return;
    const std::uint32_t own = order != nullptr ? order[i] : (std::uint32_t)i;
    double x, y;
    const bool finite = place_of(from, frame, own, &x, &y);
    if (!finite)
        key[i] = hilbert_end;
    else
        key[i] =
            hilbert_key(Within ? hilbert_place_within(along, x, y) : hilbert_place_of(along, x, y));
    if (number != nullptr)
        number[i] = own;
}

/* The distance of a target that is held nearer than it is, user units; else 0. */
__device__ double distance_if_held(const target_source &from, const target_frame &in,
                                   std::uint32_t i)
{
    double u, v;
    target_at(from, i, &u, &v);
    double x = u, y = v;
    return frame_target(in.frame, &x, &y) ? 0
                                          : frame_distance(in.frame, u - in.x_min, v - in.y_min);
}

struct placed {
    double *x, *y, *z; /* z: nullptr in the plane */
    std::uint32_t *rank;
    double *away; /* nullptr: not wanted */
};

__global__ void gather(target_source from, target_frame in, std::uint32_t m,
                       const std::uint32_t *number, const std::uint64_t *key, placed to)
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

/* ---- strips of cells ------------------------------------------------------------------------- */

/* The number in the chunk of the i-th of rows of cells taken in strips. */
__device__ std::uint32_t cell_in_strips(std::uint32_t i, std::uint32_t columns, std::uint32_t m)
{
    const std::uint32_t strip = i / (strip_rows * columns), first = strip * strip_rows * columns;
    const std::uint32_t rows = min(strip_rows, (m - first) / columns), within = i - first;
    return first + within % rows * columns + within / rows;
}

__global__ void place_cells(target_source from, target_frame in, std::uint32_t m,
                            std::uint32_t *number, placed to)
{
    const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
    if (i >= m)
        return;
    const std::uint32_t own = cell_in_strips(i, (std::uint32_t)from.window.columns, m);
    double x, y;
    const bool finite = place_of(from, in.frame, own, &x, &y);
    if (!finite)
        x = y = NAN;
    if (to.away != nullptr)
        to.away[own] = finite ? distance_if_held(from, in, own) : 0;
    number[i] = own;
    to.x[i] = x;
    to.y[i] = y;
    to.rank[i] = 0;
    if (!finite)
        return;
    const std::uint64_t key = hilbert_key(hilbert_place_of(in.along, x, y));
    to.rank[i] = min(hilbert_rank(in.points.key, in.points.n, key), in.points.n - 1);
}

/* ---- three coordinates ----------------------------------------------------------------------- */

/* False where the target is no place. */
__device__ bool place_of(const target_source &from, const shepard_frame &frame, std::uint32_t i,
                         space_place *at)
{
    if (from.places.rank != nullptr) {
        const std::uint32_t rank = from.places.rank[from.chosen[i]];
        if (rank == SHEPARD_NO_POINT)
            return false;
        *at = {{from.places.x[rank], from.places.y[rank]}, from.places.z[rank]};
        return true;
    }
    target_at(from, i, &at->x, &at->y);
    at->z = z_of_target(from, i);
    return space_target(frame, &at->x, &at->y, &at->z);
}

/* Keys are leaves; behind all of them is that of what is no place. */
__global__ void find_leaves(target_source from, target_frame in, std::uint32_t m,
                            std::uint64_t *key, std::uint32_t *number)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    space_place at;
    if (i >= m)
        return;
    const bool found = place_of(from, in.frame, (std::uint32_t)i, &at);
    key[i] = found ? near_leaf(in.points, at) : in.points.box_count[0];
    number[i] = (std::uint32_t)i;
}

/* As distance_if_held; no place of a sphere is held. */
__device__ double distance_if_held_in_space(const target_source &from, const target_frame &in,
                                            std::uint32_t i)
{
    const shepard_frame &frame = in.frame;
    const double height = z_of_target(from, i) * frame.space.vertical;
    const double low = frame.z_min - SHEPARD_FRAME_AWAY, high = frame.z_max + SHEPARD_FRAME_AWAY;
    double u, v;
    target_at(from, i, &u, &v);
    double x = u, y = v;
    const bool flat = frame_target(frame, &x, &y);
    if (flat && height * frame.scale >= low && height * frame.scale <= high)
        return 0;
    return hypot(frame_distance(frame, u - in.x_min, v - in.y_min),
                 height - frame.z_min / frame.scale);
}

__global__ void gather_in_space(target_source from, target_frame in, std::uint32_t m,
                                const std::uint32_t *number, const std::uint64_t *key, placed to)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    space_place at;
    if (i >= m)
        return;
    const bool found = place_of(from, in.frame, number[i], &at);
    if (!found)
        at = {{NAN, NAN}, NAN};
    if (to.away != nullptr)
        to.away[number[i]] = found ? distance_if_held_in_space(from, in, number[i]) : 0;
    to.x[i] = at.x;
    to.y[i] = at.y;
    to.z[i] = at.z;
    to.rank[i] = min((std::uint32_t)key[i] * leaf_points, in.points.n - 1);
}

/* ---- distances of targets that are held ------------------------------------------------------ */

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

incoming_targets::incoming_targets(const shepard_targets_view &of, const lent_memory &memory,
                                   std::size_t first, std::size_t count, const places_view &places,
                                   const stream &on, stage_timer &clock)
    : all_(of), count_(count)
{
    source_.first = first;
    if (of.points) {
        clock.enter(&shepard_timing::upload, on);
        indices_ = upload_indices(of.indices, first, count, on.get());
        source_.places = places;
        source_.chosen = {indices_.get(), (std::uint32_t)first};
    } else if (of.raster != nullptr) {
        source_.raster = *of.raster;
        source_.window = of.window;
        source_.raster_z = of.raster_z;
    } else {
        clock.enter(&shepard_timing::upload, on);
        x_ = taken(of.x, first, count, memory, on);
        y_ = taken(of.y, first, count, memory, on);
        source_.list = true;
        source_.x = x_.view();
        source_.y = y_.view();
        if (of.z.data != nullptr) {
            z_ = taken(of.z, first, count, memory, on);
            source_.z = z_.view();
        }
    }
}

targets::targets(const incoming_targets &given, const target_frame &in, const stream &on,
                 stage_timer &clock)
    : m_((std::uint32_t)given.count()), far_(std::ldexp(1, 239) / in.frame.scale),
      x_(given.count(), on.get()), y_(given.count(), on.get()), rank_(given.count(), on.get())
{
    const cudaStream_t stream = on.get();
    const shepard_targets_view &all = given.all();
    const target_source &from = given.source();
    const bool in_space = in.points.z != nullptr;
    clock.enter(&shepard_timing::sort, on);
    /* No data point, and no place of a sphere, is held nearer than it is. */
    if (in.distances && !all.points && in.points.diameter == 0)
        away_ = block<double>(m_, stream);
    const std::size_t across = all.window.columns;
    const bool rows =
        all.raster != nullptr && given.first() % across == 0 && given.count() % across == 0;
    if (in_space)
        put_by_leaves(from, in, stream);
    else if (rows && !in.along_curve)
        put_in_strips(from, in, stream);
    else
        put_along_curve(from, in, stream);
    if (all.points && in_space)
        left_out_ =
            left_out_points(in.points, space_view(), from.chosen, all.keep_coincident, stream);
    else if (all.points)
        left_out_ = left_out_points(in.points, view(), key_.get(), from.chosen, all.keep_coincident,
                                    stream);
}

template <bool Within>
static void find_all_keys(const target_source &from, const shepard_frame &frame,
                          const hilbert_curve &along, const std::uint32_t *order,
                          const block<std::uint64_t> &key, std::uint32_t *number,
                          cudaStream_t stream)
{
    const std::uint32_t m = (std::uint32_t)key.size();
    find_keys<Within><<<blocks_for(m, threads), threads, 0, stream>>>(from, frame, along, m, order,
                                                                      key.get(), number);
    check_launch("finding the targets' places");
}

void targets::put_along_curve(const target_source &from, const target_frame &in,
                              cudaStream_t stream)
{
    ordered order = {block<std::uint64_t>(m_, stream), block<std::uint32_t>(m_, stream)};
    if (in.along.crowded) {
        find_all_keys<true>(from, in.frame, in.along, nullptr, order.key, order.number.get(),
                            stream);
        order = sort_by_key(std::move(order), hilbert_bits + 1, stream);
    }
    find_all_keys<false>(from, in.frame, in.along, in.along.crowded ? order.number.get() : nullptr,
                         order.key, order.number.get(), stream);
    order = sort_by_key(std::move(order), hilbert_bits + 1, stream);
    gather<<<blocks_for(m_, threads), threads, 0, stream>>>(
        from, in, m_, order.number.get(), order.key.get(),
        {x_.get(), y_.get(), nullptr, rank_.get(), away_.get()});
    check_launch("putting the targets in order");
    key_ = std::move(order.key);
    index_ = std::move(order.number);
}

void targets::put_in_strips(const target_source &from, const target_frame &in, cudaStream_t stream)
{
    index_ = block<std::uint32_t>(m_, stream);
    place_cells<<<blocks_for(m_, threads), threads, 0, stream>>>(
        from, in, m_, index_.get(), {x_.get(), y_.get(), nullptr, rank_.get(), away_.get()});
    check_launch("placing the cells");
}

void targets::put_by_leaves(const target_source &from, const target_frame &in, cudaStream_t stream)
{
    z_ = block<double>(m_, stream);
    ordered order = {block<std::uint64_t>(m_, stream), block<std::uint32_t>(m_, stream)};
    find_leaves<<<blocks_for(m_, threads), threads, 0, stream>>>(from, in, m_, order.key.get(),
                                                                 order.number.get());
    check_launch("finding the targets' places");
    order = sort_by_key(std::move(order), leaf_bits, stream);
    gather_in_space<<<blocks_for(m_, threads), threads, 0, stream>>>(
        from, in, m_, order.number.get(), order.key.get(),
        {x_.get(), y_.get(), z_.get(), rank_.get(), away_.get()});
    check_launch("putting the targets in order");
    index_ = std::move(order.number);
}

list_marks mark_list(const number_view &x, const number_view &y, std::uint32_t m,
                     const shepard_frame &frame, const hilbert_curve &along, cudaStream_t stream)
{
    target_source from = {};
    from.list = true;
    from.x = x;
    from.y = y;
    list_marks made;
    made.key = block<std::uint64_t>(m, stream);
    find_all_keys<false>(from, frame, along, nullptr, made.key, nullptr, stream);
    if (along.crowded) {
        made.within = block<std::uint64_t>(m, stream);
        find_all_keys<true>(from, frame, along, nullptr, made.within, nullptr, stream);
    }
    return made;
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
