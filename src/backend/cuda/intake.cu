/* SPDX-License-Identifier: MIT */
#include "backend/cuda/intake.cuh"

#include "backend/cuda/frame.cuh"
#include "backend/cuda/order.cuh"
#include "cuda/launch.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace shepard
{

/* The arrays as the caller gave them, on the device. */
struct given {
    std::uint32_t n;
    int columns;
    const double *x, *y, *values, *weights;
    bool *usable; /* [n] */
};

namespace
{

constexpr int threads = 256;
constexpr unsigned reduce_blocks = 528;

__device__ bool is_usable(const given &from, std::uint32_t i)
{
    bool good = isfinite(from.x[i]) && isfinite(from.y[i]);
    if (from.weights != nullptr)
        good = good && isfinite(from.weights[i]) && from.weights[i] > 0;
    for (int c = 0; c < from.columns; c++)
        good = good && isfinite(from.values[(std::size_t)c * from.n + i]);
    return good;
}

__global__ void mark_usable(given from, unsigned long long *count)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    const bool good = i < from.n && is_usable(from, (std::uint32_t)i);
    if (i < from.n)
        from.usable[i] = good;
    const unsigned found = __popc(__ballot_sync(~0u, good));
    if (threadIdx.x % 32 == 0)
        atomicAdd(count, (unsigned long long)found);
}

struct range {
    double low, high;
};

struct wider {
    __device__ range operator()(const range &a, const range &b) const
    {
        return {fmin(a.low, b.low), fmax(a.high, b.high)};
    }
};

/* Row r of the ranges: x, y, weights, then the columns. */
constexpr int range_rows = 3;

__device__ const double *row_of(const given &from, int row)
{
    return row == 0   ? from.x
           : row == 1 ? from.y
           : row == 2 ? from.weights
                      : from.values + (std::size_t)(row - range_rows) * from.n;
}

/* The ranges of what is usable, a part for each block. */
__global__ void survey(given from, range *parts)
{
    using reduce = cub::BlockReduce<range, threads>;
    __shared__ typename reduce::TempStorage scratch;
    const double *row = row_of(from, (int)blockIdx.y);
    range own = {INFINITY, -INFINITY};
    for (std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x; i < from.n;
         i += (std::size_t)gridDim.x * threads)
        if (row != nullptr && from.usable[i])
            own = wider()(own, {row[i], row[i]});
    const range all = reduce(scratch).Reduce(own, wider());
    if (threadIdx.x == 0)
        parts[blockIdx.y * gridDim.x + blockIdx.x] = all;
}

__global__ void gather_parts(const range *parts, unsigned count, range *ranges)
{
    using reduce = cub::BlockReduce<range, threads>;
    __shared__ typename reduce::TempStorage scratch;
    range own = {INFINITY, -INFINITY};
    for (unsigned i = threadIdx.x; i < count; i += threads)
        own = wider()(own, parts[blockIdx.x * count + i]);
    const range all = reduce(scratch).Reduce(own, wider());
    if (threadIdx.x == 0)
        ranges[blockIdx.x] = all;
}

/* Ranges of the places in a frame: rows x and y. */
__global__ void survey_frame(given from, shepard_frame frame, range *parts)
{
    using reduce = cub::BlockReduce<range, threads>;
    __shared__ typename reduce::TempStorage scratch;
    range own = {INFINITY, -INFINITY};
    for (std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x; i < from.n;
         i += (std::size_t)gridDim.x * threads)
        if (from.usable[i]) {
            double x = from.x[i], y = from.y[i];
            frame_place(frame, &x, &y);
            const double own_row = blockIdx.y == 0 ? x : y;
            own = wider()(own, {own_row, own_row});
        }
    const range all = reduce(scratch).Reduce(own, wider());
    if (threadIdx.x == 0)
        parts[blockIdx.y * gridDim.x + blockIdx.x] = all;
}

__global__ void number_all(std::uint32_t n, std::uint32_t *number)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < n)
        number[i] = (std::uint32_t)i;
}

__global__ void find_keys(given from, shepard_frame frame, curve along, std::uint32_t n,
                          const std::uint32_t *number, std::uint64_t *key)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= n)
        return;
    double x = from.x[number[i]], y = from.y[number[i]];
    frame_place(frame, &x, &y);
    key[i] = curve_key(curve_place_of(along, x, y));
}

struct sorted {
    std::uint32_t n;
    double *x, *y, *values, *weights;
    double weight_most;
};

/* Past n: infinity. */
__global__ void gather(given from, shepard_frame frame, const std::uint32_t *number, sorted to,
                       std::uint32_t room)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= room)
        return;
    if (i >= to.n) {
        to.x[i] = to.y[i] = INFINITY;
        return;
    }
    const std::uint32_t at = number[i];
    double x = from.x[at], y = from.y[at];
    frame_place(frame, &x, &y);
    to.x[i] = x;
    to.y[i] = y;
    for (int c = 0; c < from.columns; c++)
        to.values[(std::size_t)c * to.n + i] = from.values[(std::size_t)c * from.n + at];
    if (to.weights != nullptr)
        to.weights[i] = fmax(from.weights[at] / to.weight_most, SHEPARD_POINTS_WEIGHT_MIN);
}

curve curve_round(const shepard_box &box)
{
    const double larger = std::fmax(box.x_max - box.x_min, box.y_max - box.y_min);
    const int exponent = larger > 0 ? std::max(std::ilogb(larger), -900) : 0;
    const double side = std::ldexp(4, exponent);
    return {box.x_min + (box.x_max - box.x_min) / 2 - side / 2,
            box.y_min + (box.y_max - box.y_min) / 2 - side / 2, side,
            std::ldexp(1, curve_digits) / side};
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

struct cloud::arrays {
    block<double> x, y, values, weights;
    block<bool> usable;

    given view(const shepard_data &data) const
    {
        return {(std::uint32_t)data.count,
                (int)data.columns,
                x.get(),
                y.get(),
                values.get(),
                weights.get(),
                usable.get()};
    }
};

static void upload(double *to, const double *from, std::size_t count, cudaStream_t stream)
{
    check(cudaMemcpyAsync(to, from, count * sizeof *to, cudaMemcpyHostToDevice, stream),
          "uploading the data points");
}

void cloud::take(const shepard_data &data, arrays *raw, cudaStream_t stream)
{
    const std::size_t n = data.count;
    raw->x = block<double>(n, stream);
    raw->y = block<double>(n, stream);
    raw->values = block<double>(n * data.columns, stream);
    raw->usable = block<bool>(n, stream);
    upload(raw->x.get(), data.x, n, stream);
    upload(raw->y.get(), data.y, n, stream);
    for (std::size_t c = 0; c < data.columns; c++)
        upload(raw->values.get() + c * n, data.values[c], n, stream);
    if (data.weights != nullptr) {
        raw->weights = block<double>(n, stream);
        upload(raw->weights.get(), data.weights, n, stream);
    }
}

/* Numbers of the usable points, rising. */
static block<std::uint32_t> list_usable(const given &from, std::uint32_t n, cudaStream_t stream)
{
    block<std::uint32_t> number(n, stream);
    if (n == from.n) {
        number_all<<<blocks_for(n, threads), threads, 0, stream>>>(n, number.get());
        check_launch("numbering the data points");
        return number;
    }
    const thrust::counting_iterator<std::uint32_t> all(0);
    block<unsigned long long> found(1, stream);
    std::size_t bytes = 0;
    check(cub::DeviceSelect::Flagged(nullptr, bytes, all, from.usable, number.get(), found.get(),
                                     (std::int64_t)from.n, stream),
          "selecting the data points");
    block<unsigned char> scratch(bytes, stream);
    check(cub::DeviceSelect::Flagged(scratch.get(), bytes, all, from.usable, number.get(),
                                     found.get(), (std::int64_t)from.n, stream),
          "selecting the data points");
    return number;
}

void cloud::put_in_order(const given &raw, const shepard_points &facts, cudaStream_t stream)
{
    const std::size_t columns = facts.columns;
    const std::uint32_t room =
        (n_ + leaf_points * fan - 1) / (leaf_points * fan) * (leaf_points * fan);
    ordered order = {block<std::uint64_t>(n_, stream), list_usable(raw, n_, stream)};
    find_keys<<<blocks_for(n_, threads), threads, 0, stream>>>(raw, facts.frame, curve_, n_,
                                                               order.number.get(), order.key.get());
    check_launch("finding places along the curve");
    order = sort_by_key(std::move(order), curve_bits, stream);
    x_ = block<double>(room, stream);
    y_ = block<double>(room, stream);
    values_ = block<double>(n_ * columns, stream);
    if (raw.weights != nullptr)
        weights_ = block<double>(n_, stream);
    const sorted to = {n_, x_.get(), y_.get(), values_.get(), weights_.get(), weight_most_};
    gather<<<blocks_for(room, threads), threads, 0, stream>>>(raw, facts.frame, order.number.get(),
                                                              to, room);
    check_launch("putting the data points in order");
    key_ = std::move(order.key);
    index_ = std::move(order.number);
}

void cloud::keep_ranges(const shepard_points &facts, cudaStream_t stream)
{
    const std::size_t columns = facts.columns;
    std::vector<double> rows(4 * columns);
    for (std::size_t c = 0; c < columns; c++) {
        const shepard_value_unit unit =
            shepard_points_value_unit(facts.value_min[c], facts.value_max[c]);
        rows[c] = unit.middle;
        rows[columns + c] = unit.scale;
        rows[2 * columns + c] = facts.value_min[c];
        rows[3 * columns + c] = facts.value_max[c];
    }
    ranges_ = block<double>(rows.size(), stream);
    check(cudaMemcpyAsync(ranges_.get(), rows.data(), rows.size() * sizeof(double),
                          cudaMemcpyHostToDevice, stream),
          "uploading the ranges");
    check(cudaStreamSynchronize(stream), "uploading the ranges");
}

/* The ranges of what is usable, and its number. */
static std::vector<range> survey_all(const given &raw, unsigned long long *count,
                                     cudaStream_t stream)
{
    const unsigned rows = range_rows + (unsigned)raw.columns;
    block<range> parts((std::size_t)rows * reduce_blocks, stream), ranges(rows, stream);
    block<unsigned long long> found(1, stream);
    check(cudaMemsetAsync(found.get(), 0, sizeof *count, stream), "counting the data points");
    mark_usable<<<blocks_for(raw.n, threads), threads, 0, stream>>>(raw, found.get());
    survey<<<dim3(reduce_blocks, rows), threads, 0, stream>>>(raw, parts.get());
    gather_parts<<<rows, threads, 0, stream>>>(parts.get(), reduce_blocks, ranges.get());
    check_launch("finding the data points' ranges");
    std::vector<range> host(rows);
    check(cudaMemcpyAsync(host.data(), ranges.get(), rows * sizeof(range), cudaMemcpyDeviceToHost,
                          stream),
          "finding the data points' ranges");
    check(cudaMemcpyAsync(count, found.get(), sizeof *count, cudaMemcpyDeviceToHost, stream),
          "counting the data points");
    check(cudaStreamSynchronize(stream), "finding the data points' ranges");
    return host;
}

static void set_facts(const std::vector<range> &ranges, const shepard_stretch &stretch,
                      const given &raw, shepard_points *facts, cudaStream_t stream)
{
    facts->box = {ranges[0].low, ranges[0].high, ranges[1].low, ranges[1].high};
    for (std::size_t c = 0; c < facts->columns; c++) {
        facts->value_min[c] = ranges[range_rows + c].low;
        facts->value_max[c] = ranges[range_rows + c].high;
    }
    block<range> parts(2 * reduce_blocks, stream), two(2, stream);
    boxer box = {raw, parts.get(), two.get(), stream};
    facts->frame = shepard_frame_of_boxes(&facts->box, &stretch, box_in_frame, &box);
}

cloud::cloud(const shepard_data &data, const shepard_stretch &stretch, shepard_points *facts,
             const stream &on, stage_clock &clock)
{
    arrays raw;
    clock.enter(&shepard_timing::upload, on);
    take(data, &raw, on.get());
    clock.enter(&shepard_timing::sort, on);
    const given view = raw.view(data);
    unsigned long long count = 0;
    const std::vector<range> ranges = survey_all(view, &count, on.get());
    n_ = (std::uint32_t)count;
    columns_ = (int)data.columns;
    facts->count = n_;
    facts->skipped = data.count - n_;
    if (n_ == 0)
        return;
    weight_most_ = ranges[2].high;
    if (data.weights != nullptr)
        least_weight_ = std::fmax(ranges[2].low / weight_most_, SHEPARD_POINTS_WEIGHT_MIN);
    set_facts(ranges, stretch, view, facts, on.get());
    curve_ = curve_round(facts->frame.box);
    put_in_order(view, *facts, on.get());
    keep_ranges(*facts, on.get());
    clock.enter(nullptr, on);
}

void cloud::show(cloud_view *view) const
{
    view->n = n_;
    view->columns = columns_;
    view->x = x_.get();
    view->y = y_.get();
    view->values = values_.get();
    view->weights = weights_.get();
    view->index = index_.get();
    view->key = key_.get();
    view->middle = ranges_.get();
    view->scale = ranges_.get() + columns_;
    view->value_min = ranges_.get() + 2 * columns_;
    view->value_max = ranges_.get() + 3 * columns_;
}

std::size_t cloud::bytes() const
{
    return x_.bytes() + y_.bytes() + values_.bytes() + weights_.bytes() + ranges_.bytes() +
           index_.bytes() + key_.bytes();
}

} // namespace shepard
