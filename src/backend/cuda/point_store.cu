/* SPDX-License-Identifier: MIT */
#include "backend/cuda/point_store.cuh"

#include "backend/cuda/arrays.cuh"
#include "backend/cuda/frame.cuh"
#include "backend/cuda/marked.cuh"
#include "backend/cuda/order.cuh"
#include "backend/cuda/ranges.cuh"
#include "cuda/launch.cuh"

#include <algorithm>
#include <cmath>

namespace shepard
{

/* The coordinates as the caller gave them. */
struct given {
    std::uint32_t n;
    number_view x, y;
    bool *usable; /* [n] */
};

namespace
{

constexpr int threads = 256;

/* Marks what is usable, counts it, and finds its ranges, x and y, a part for each block. */
__global__ void survey(given from, unsigned long long *count, range *parts)
{
    __shared__ unsigned in_block;
    range x = {INFINITY, -INFINITY}, y = x;
    unsigned own = 0;
    if (threadIdx.x == 0)
        in_block = 0;
    __syncthreads();
    for (std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x; i < from.n;
         i += (std::size_t)gridDim.x * threads) {
        const double a = number_at(from.x, i), b = number_at(from.y, i);
        const bool good = isfinite(a) && isfinite(b);
        from.usable[i] = good;
        if (!good)
            continue;
        own++;
        x = wider()(x, {a, a});
        y = wider()(y, {b, b});
    }
    atomicAdd(&in_block, own);
    put_part(x, 0, parts);
    put_part(y, 1, parts);
    if (threadIdx.x == 0)
        atomicAdd(count, (unsigned long long)in_block);
}

/* Ranges of the places in a frame: rows x and y. */
__global__ void survey_frame(given from, shepard_frame frame, range *parts)
{
    range own = {INFINITY, -INFINITY};
    for (std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x; i < from.n;
         i += (std::size_t)gridDim.x * threads)
        if (from.usable[i]) {
            double x = number_at(from.x, i), y = number_at(from.y, i);
            frame_place(frame, &x, &y);
            const double own_row = blockIdx.y == 0 ? x : y;
            own = wider()(own, {own_row, own_row});
        }
    put_part(own, blockIdx.y, parts);
}

__global__ void number_all(std::uint32_t n, std::uint32_t *number)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < n)
        number[i] = (std::uint32_t)i;
}

/* Usable points in the frame, and their keys. place: by their numbers. */
__global__ void place_all(given from, shepard_frame frame, hilbert_curve along, std::uint32_t n,
                          const std::uint32_t *number, double2 *place, std::uint64_t *key)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= n)
        return;
    double x = number_at(from.x, number[i]), y = number_at(from.y, number[i]);
    frame_place(frame, &x, &y);
    place[number[i]] = {x, y};
    key[i] = hilbert_key(hilbert_place_of(along, x, y));
}

/* Within: those of places within their least squares. */
template <bool Within>
__global__ void find_keys(const double2 *place, hilbert_curve along, std::uint32_t n,
                          const std::uint32_t *number, std::uint64_t *key)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= n)
        return;
    const double2 at = place[number[i]];
    key[i] = hilbert_key(Within ? hilbert_place_within(along, at.x, at.y)
                                : hilbert_place_of(along, at.x, at.y));
}

/* Whether more points than a leaf holds share a key. */
__global__ void find_crowd(const std::uint64_t *key, std::uint32_t n, int *found)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i + leaf_points < n && key[i] == key[i + leaf_points])
        *found = 1;
}

struct sorted {
    std::uint32_t n;
    double *x, *y;
};

/* Both numbers of a place are read together: half of what rows apart would take. Past n: infinity.
 */
__global__ void gather(const double2 *place, const std::uint32_t *number, sorted to,
                       std::uint32_t room)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= room)
        return;
    if (i >= to.n) {
        to.x[i] = to.y[i] = INFINITY;
        return;
    }
    const double2 at = place[number[i]];
    to.x[i] = at.x;
    to.y[i] = at.y;
}

/* The points of `all` that are kept. */
struct selection {
    const double *x, *y;
    const std::uint64_t *key;
    const std::uint32_t *index;
};

__global__ void mark_kept(const std::uint32_t *index, std::uint32_t n, const bool *keep, bool *kept)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < n)
        kept[i] = keep[index[i]];
}

__global__ void gather_kept(selection from, const std::uint32_t *number, sorted to,
                            std::uint64_t *key, std::uint32_t *index, std::uint32_t room)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= room)
        return;
    if (i >= to.n) {
        to.x[i] = to.y[i] = INFINITY;
        return;
    }
    const std::uint32_t at = number[i];
    to.x[i] = from.x[at];
    to.y[i] = from.y[at];
    key[i] = from.key[at];
    index[i] = from.index[at];
}

__global__ void survey_places(const double *x, const double *y, std::uint32_t n, range *parts)
{
    const double *const row = blockIdx.y == 0 ? x : y;
    range own = {INFINITY, -INFINITY};
    for (std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x; i < n;
         i += (std::size_t)gridDim.x * threads)
        own = wider()(own, {row[i], row[i]});
    put_part(own, blockIdx.y, parts);
}

hilbert_curve hilbert_round(const shepard_box &box)
{
    const double larger = std::fmax(box.x_max - box.x_min, box.y_max - box.y_min);
    const int exponent = larger > 0 ? std::max(std::ilogb(larger), -900) : 0;
    const double side = std::ldexp(4, exponent);
    return {box.x_min + (box.x_max - box.x_min) / 2 - side / 2,
            box.y_min + (box.y_max - box.y_min) / 2 - side / 2, side,
            std::ldexp(1, hilbert_digits) / side, false};
}

/* What shepard_frame_of_boxes asks the device for. */
struct boxer {
    given from;
    range *parts, *ranges;
    cudaStream_t stream;
};

shepard_box box_in_frame(const shepard_frame *frame, void *context)
{
    const boxer &box = *static_cast<const boxer *>(context);
    survey_frame<<<dim3(reduce_blocks, 2), threads, 0, box.stream>>>(box.from, *frame, box.parts);
    gather_parts<<<2, threads, 0, box.stream>>>(box.parts, reduce_blocks, box.ranges);
    check_launch("finding the frame");
    range ranges[2];
    check(cudaMemcpyAsync(ranges, box.ranges, sizeof ranges, cudaMemcpyDeviceToHost, box.stream),
          "finding the frame");
    check(cudaStreamSynchronize(box.stream), "finding the frame");
    return {ranges[0].low, ranges[0].high, ranges[1].low, ranges[1].high};
}

} // namespace

/* Numbers of the marked ones of n, rising. */
static block<std::uint32_t> select(const bool *marked, std::size_t n, std::size_t count,
                                   cudaStream_t stream)
{
    block<std::uint32_t> number(count, stream), found(1, stream);
    list_marked(marked, n, number.get(), found.get(), stream, "selecting the data points");
    return number;
}

/* Numbers of the usable points, rising. */
static block<std::uint32_t> list_usable(const given &from, std::uint32_t n, cudaStream_t stream)
{
    if (n == from.n) {
        block<std::uint32_t> number(n, stream);
        number_all<<<blocks_for(n, threads), threads, 0, stream>>>(n, number.get());
        check_launch("numbering the data points");
        return number;
    }
    return select(from.usable, from.n, n, stream);
}

static std::uint32_t room_for(std::uint32_t n)
{
    return (n + leaf_points * fan - 1) / (leaf_points * fan) * (leaf_points * fan);
}

/* Those of one key keep the order that they are numbered in. */
template <bool Within>
static ordered put_along(const hilbert_curve &curve, const block<double2> &place,
                         block<std::uint32_t> number, cudaStream_t stream)
{
    const std::uint32_t n = (std::uint32_t)number.size();
    ordered order = {block<std::uint64_t>(n, stream), std::move(number)};
    find_keys<Within><<<blocks_for(n, threads), threads, 0, stream>>>(
        place.get(), curve, n, order.number.get(), order.key.get());
    check_launch("finding places along the curve");
    return sort_by_key(std::move(order), hilbert_bits, stream);
}

static bool is_crowded(const block<std::uint64_t> &key, cudaStream_t stream)
{
    const std::uint32_t n = (std::uint32_t)key.size();
    const block<int> found(1, stream);
    int crowded = 0;
    check(cudaMemsetAsync(found.get(), 0, sizeof crowded, stream), "looking for dense spots");
    find_crowd<<<blocks_for(n, threads), threads, 0, stream>>>(key.get(), n, found.get());
    check_launch("looking for dense spots");
    check(cudaMemcpyAsync(&crowded, found.get(), sizeof crowded, cudaMemcpyDeviceToHost, stream),
          "looking for dense spots");
    check(cudaStreamSynchronize(stream), "looking for dense spots");
    return crowded != 0;
}

/* Sets curve.crowded: then points are in order within the least squares, too. */
static ordered put_along_curve(hilbert_curve &curve, const block<double2> &place, ordered unsorted,
                               cudaStream_t stream)
{
    ordered order = sort_by_key(std::move(unsorted), hilbert_bits, stream);
    curve.crowded = is_crowded(order.key, stream);
    if (!curve.crowded)
        return order;
    order = put_along<true>(curve, place, std::move(order.number), stream);
    return put_along<false>(curve, place, std::move(order.number), stream);
}

void point_store::put_in_order(const given &raw, const shepard_geometry &facts, cudaStream_t stream)
{
    const std::uint32_t room = room_for(n_);
    ordered order = {block<std::uint64_t>(n_, stream), list_usable(raw, n_, stream)};
    const block<double2> place(raw.n, stream);
    place_all<<<blocks_for(n_, threads), threads, 0, stream>>>(
        raw, facts.frame, curve_, n_, order.number.get(), place.get(), order.key.get());
    check_launch("finding places along the curve");
    order = put_along_curve(curve_, place, std::move(order), stream);
    x_ = block<double>(room, stream);
    y_ = block<double>(room, stream);
    const sorted to = {n_, x_.get(), y_.get()};
    gather<<<blocks_for(room, threads), threads, 0, stream>>>(place.get(), order.number.get(), to,
                                                              room);
    check_launch("putting the data points in order");
    key_ = std::move(order.key);
    index_ = std::move(order.number);
}

/* The box of what is usable, and its number. */
static shepard_box survey_all(const given &raw, unsigned long long *count, cudaStream_t stream)
{
    block<range> parts(2 * reduce_blocks, stream), ranges(2, stream);
    block<unsigned long long> found(1, stream);
    check(cudaMemsetAsync(found.get(), 0, sizeof *count, stream), "counting the data points");
    survey<<<reduce_blocks, threads, 0, stream>>>(raw, found.get(), parts.get());
    gather_parts<<<2, threads, 0, stream>>>(parts.get(), reduce_blocks, ranges.get());
    check_launch("finding the data points' box");
    range host[2];
    check(cudaMemcpyAsync(host, ranges.get(), sizeof host, cudaMemcpyDeviceToHost, stream),
          "finding the data points' box");
    check(cudaMemcpyAsync(count, found.get(), sizeof *count, cudaMemcpyDeviceToHost, stream),
          "counting the data points");
    check(cudaStreamSynchronize(stream), "finding the data points' box");
    return {host[0].low, host[0].high, host[1].low, host[1].high};
}

point_store::point_store(const shepard_coordinates &coordinates, const shepard_stretch &stretch,
                         shepard_geometry *facts, const stream &on, stage_timer &clock)
{
    const std::size_t given_count = coordinates.count;
    clock.enter(&shepard_timing::upload, on);
    const lent_memory from(coordinates.memory, coordinates.x.data);
    from.follow(on.get());
    const settled at_end(on);
    const taken x(coordinates.x, 0, given_count, from, on);
    const taken y(coordinates.y, 0, given_count, from, on);
    block<bool> usable(given_count, on.get());
    clock.enter(&shepard_timing::sort, on);
    const given raw = {(std::uint32_t)given_count, x.view(), y.view(), usable.get()};
    unsigned long long count = 0;
    facts->box = survey_all(raw, &count, on.get());
    n_ = (std::uint32_t)count;
    facts->count = n_;
    facts->skipped = given_count - n_;
    if (n_ == 0)
        return;
    block<range> parts(2 * reduce_blocks, on.get()), two(2, on.get());
    boxer box = {raw, parts.get(), two.get(), on.get()};
    facts->frame = shepard_frame_of_boxes(&facts->box, &stretch, box_in_frame, &box);
    curve_ = hilbert_round(facts->frame.box);
    put_in_order(raw, *facts, on.get());
    clock.enter(nullptr, on);
}

point_store::point_store(const point_store &all, const bool *keep, std::size_t given_count,
                         shepard_geometry *facts, const stream &on)
    : n_((std::uint32_t)facts->count), curve_(all.curve_)
{
    const std::uint32_t room = room_for(n_);
    const cudaStream_t in = on.get();
    block<bool> given_keep(given_count, in), kept(all.n_, in);
    check(cudaMemcpyAsync(given_keep.get(), keep, given_keep.bytes(), cudaMemcpyHostToDevice, in),
          "selecting the data points");
    mark_kept<<<blocks_for(all.n_, threads), threads, 0, in>>>(all.index_.get(), all.n_,
                                                               given_keep.get(), kept.get());
    check_launch("selecting the data points");
    const block<std::uint32_t> number = select(kept.get(), all.n_, n_, in);
    x_ = block<double>(room, in);
    y_ = block<double>(room, in);
    key_ = block<std::uint64_t>(n_, in);
    index_ = block<std::uint32_t>(n_, in);
    gather_kept<<<blocks_for(room, threads), threads, 0, in>>>(
        {all.x_.get(), all.y_.get(), all.key_.get(), all.index_.get()}, number.get(),
        {n_, x_.get(), y_.get()}, key_.get(), index_.get(), room);
    block<range> parts(2 * reduce_blocks, in), two(2, in);
    survey_places<<<dim3(reduce_blocks, 2), threads, 0, in>>>(x_.get(), y_.get(), n_, parts.get());
    gather_parts<<<2, threads, 0, in>>>(parts.get(), reduce_blocks, two.get());
    check_launch("selecting the data points");
    range host[2];
    check(cudaMemcpyAsync(host, two.get(), sizeof host, cudaMemcpyDeviceToHost, in),
          "selecting the data points");
    on.wait("selecting the data points");
    facts->frame.box = {host[0].low, host[0].high, host[1].low, host[1].high};
}

/* Past n: infinity. */
__global__ static void fill_room(double *row, std::uint32_t n, std::uint32_t room)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x + n;
    if (i < room)
        row[i] = INFINITY;
}

static block<double> upload_row(const double *row, std::uint32_t n, cudaStream_t in)
{
    const std::uint32_t room = room_for(n);
    block<double> made(room, in);
    check(cudaMemcpyAsync(made.get(), row, n * sizeof *row, cudaMemcpyHostToDevice, in),
          "uploading the data points");
    fill_room<<<blocks_for(leaf_points * fan, threads), threads, 0, in>>>(made.get(), n, room);
    check_launch("uploading the data points");
    return made;
}

point_store::point_store(const shepard_geometry &on_host, const stream &on)
    : n_((std::uint32_t)on_host.count), index_(on_host.count, on.get())
{
    const cudaStream_t in = on.get();
    x_ = upload_row(on_host.x, n_, in);
    y_ = upload_row(on_host.y, n_, in);
    z_ = upload_row(on_host.z, n_, in);
    check(cudaMemcpyAsync(index_.get(), on_host.index, index_.bytes(), cudaMemcpyHostToDevice, in),
          "uploading the data points");
    if (on_host.frame.space.metric == SHEPARD_METRIC_SPHERE)
        diameter_ = shepard_frame_diameter(&on_host.frame);
}

void point_store::show(space_points_view *view) const
{
    view->z = z_.get();
    view->diameter = diameter_;
    view->n = n_;
    view->x = x_.get();
    view->y = y_.get();
    view->index = index_.get();
    view->key = key_.get();
}

std::size_t point_store::bytes() const
{
    return x_.bytes() + y_.bytes() + z_.bytes() + index_.bytes() + key_.bytes();
}

} // namespace shepard
