/* SPDX-License-Identifier: MIT */
#include "backend/cuda/value_store.cuh"

#include "backend/cuda/arrays.cuh"
#include "backend/cuda/ranges.cuh"
#include "cuda/launch.cuh"

#include <algorithm>
#include <vector>

namespace shepard
{

namespace
{

constexpr int threads = range_threads;

/* Rows of the caller's numbers, put in the order of the points: the columns, then the weights. */
struct value_gathering {
    std::uint32_t n;
    int columns;
    const std::uint32_t *index;
    const number_view *given; /* [rows] */
    double *sorted, *sorted_weights;
    range *parts;
    unsigned *unusable; /* set where one is */
};

__global__ void gather(value_gathering g)
{
    const int row = (int)blockIdx.y;
    const bool weights = row == g.columns;
    const number_view from = g.given[row];
    double *const to = weights ? g.sorted_weights : g.sorted + (std::size_t)row * g.n;
    range own = {INFINITY, -INFINITY};
    bool good = true;
    for (std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x; i < g.n;
         i += (std::size_t)gridDim.x * threads) {
        const double a = number_at(from, g.index[i]);
        good = good && isfinite(a) && (!weights || a > 0);
        to[i] = a;
        own = wider()(own, {a, a});
    }
    if (!good)
        *g.unusable = 1;
    put_part(own, blockIdx.y, g.parts);
}

__global__ void divide_weights(double *weights, std::uint32_t n, double most)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < n)
        weights[i] = fmax(weights[i] / most, SHEPARD_WEIGHT_MIN);
}

/* The ranges of all rows; *gaps: a number is unusable. */
std::vector<range> gather_all(value_gathering g, int rows, bool *gaps, const stream &on)
{
    const cudaStream_t in = on.get();
    block<range> parts((std::size_t)rows * reduce_blocks, in), ranges(rows, in);
    block<unsigned> unusable(1, in);
    check(cudaMemsetAsync(unusable.get(), 0, unusable.bytes(), in), "gathering the values");
    g.parts = parts.get();
    g.unusable = unusable.get();
    gather<<<dim3(reduce_blocks, rows), threads, 0, in>>>(g);
    gather_parts<<<rows, threads, 0, in>>>(parts.get(), reduce_blocks, ranges.get());
    check_launch("gathering the values");
    std::vector<range> host(rows);
    unsigned found = 0;
    check(cudaMemcpyAsync(host.data(), ranges.get(), ranges.bytes(), cudaMemcpyDeviceToHost, in),
          "gathering the values");
    check(cudaMemcpyAsync(&found, unusable.get(), sizeof found, cudaMemcpyDeviceToHost, in),
          "gathering the values");
    on.wait("gathering the values");
    *gaps = found != 0;
    return host;
}

} // namespace

void value_store::keep_ranges(const shepard_samples &facts, cudaStream_t stream)
{
    const std::size_t columns = facts.columns;
    std::vector<double> rows(4 * columns);
    for (std::size_t c = 0; c < columns; c++) {
        const shepard_value_unit unit =
            shepard_value_unit_of(facts.value_min[c], facts.value_max[c]);
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

value_store::value_store(const points_view &points, const shepard_values &values,
                         std::size_t given_count, shepard_samples *facts, bool *gaps,
                         const stream &on, stage_timer &clock)
    : columns_((int)values.column_count)
{
    const cudaStream_t in = on.get();
    const std::size_t columns = values.column_count;
    const int rows = columns_ + (values.weights.data != nullptr);
    clock.enter(&shepard_timing::upload, on);
    const lent_memory from(values.memory, values.columns[0].data);
    from.follow(in);
    std::vector<taken> arrays(rows);
    const settled at_end(on);
    std::vector<number_view> views(rows);
    for (int row = 0; row < rows; row++) {
        const shepard_array &array = row < columns_ ? values.columns[row] : values.weights;
        arrays[row] = taken(array, 0, given_count, from, on);
        views[row] = arrays[row].view();
    }
    block<number_view> given(rows, in);
    check(cudaMemcpyAsync(given.get(), views.data(), given.bytes(), cudaMemcpyHostToDevice, in),
          "uploading the values");
    if (values.weights.data != nullptr)
        weights_ = block<double>(points.n, in);
    clock.enter(&shepard_timing::sort, on);
    values_ = block<double>(points.n * columns, in);
    value_gathering g = {};
    g.n = points.n;
    g.columns = columns_;
    g.index = points.index;
    g.given = given.get();
    g.sorted = values_.get();
    g.sorted_weights = weights_.get();
    const std::vector<range> ranges = gather_all(g, rows, gaps, on);
    if (*gaps)
        return;
    for (std::size_t c = 0; c < columns; c++) {
        facts->value_min[c] = ranges[c].low;
        facts->value_max[c] = ranges[c].high;
    }
    if (values.weights.data != nullptr) {
        const double most = ranges[columns].high;
        least_weight_ = std::max(ranges[columns].low / most, SHEPARD_WEIGHT_MIN);
        divide_weights<<<blocks_for(points.n, threads), threads, 0, in>>>(weights_.get(), points.n,
                                                                          most);
        check_launch("gathering the values");
    }
    keep_ranges(*facts, in);
    clock.enter(nullptr, on);
}

void value_store::show(points_view *view) const
{
    view->columns = columns_;
    view->values = values_.get();
    view->weights = weights_.get();
    view->middle = ranges_.get();
    view->scale = ranges_.get() + columns_;
    view->value_min = ranges_.get() + 2 * columns_;
    view->value_max = ranges_.get() + 3 * columns_;
}

} // namespace shepard
