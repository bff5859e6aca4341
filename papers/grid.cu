/* SPDX-License-Identifier: MIT */
#include "device_task.cuh"
#include "grid.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cmath>

namespace shepard
{

constexpr double cells_max = 1073741824;
constexpr double cells_of_side_max = 4194304;

/* ---- building -------------------------------------------------------------------------------- */

/* The cell of a coordinate, along one axis; outside, the outermost. Rises with a, rounding
 * included. The cast comes after the division. */
template <class Real> __device__ inline int cell_of(Real a, Real low, Real width, int count)
{
    const Real cell = (a - low) / width, last = Real(count - 1);
    return (int)(cell > 0 ? (cell < last ? cell : last) : Real(0));
}

template <class Real>
__global__ void number_cells(const grid_view<Real> grid, const Real *x, const Real *y,
                             std::uint32_t n, std::uint32_t *cells, std::uint32_t *order)
{
    const std::size_t i = (std::size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int column = cell_of(x[i], grid.x_low, grid.width, grid.columns);
    const int row = cell_of(y[i], grid.y_low, grid.width, grid.rows);
    cells[i] = (std::uint32_t)row * (std::uint32_t)grid.columns + (std::uint32_t)column;
    order[i] = (std::uint32_t)i;
}

__global__ void spread_counts(const std::uint32_t *cells, const std::uint32_t *counts,
                              const std::uint32_t *runs, std::uint32_t n, std::uint32_t *of_cells)
{
    const std::size_t i = (std::size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i < *runs)
        of_cells[cells[i]] = counts[i];
}

template <class Real>
__global__ void gather(const Real *x, const Real *y, const std::uint32_t *order, std::uint32_t n,
                       Real *x_sorted, Real *y_sorted)
{
    const std::size_t i = (std::size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    x_sorted[i] = x[order[i]];
    y_sorted[i] = y[order[i]];
}

template <class Real>
__global__ void unpack_points(const packed_point<Real> *points, std::uint32_t n, Real *x, Real *y)
{
    const std::size_t i = (std::size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const packed_point<Real> point = points[i];
    x[i] = point.x;
    y[i] = point.y;
}

/* Calls a function of CUB for its need of memory, then with it, and waits before that is freed. */
template <class Call> static void with_scratch(const char *what, const stream &on, const Call &call)
{
    std::size_t bytes = 0;
    check(call(nullptr, bytes), what);
    const buffer<unsigned char> scratch(std::max<std::size_t>(bytes, 1));
    check(call(static_cast<void *>(scratch.get()), bytes), what);
    on.wait(what);
}

/* Least and greatest x, then y. */
template <class Real> struct extent {
    Real of[4];
};

template <class Real> static extent<Real> find_extent(const place_list<Real> &of, const stream &on)
{
    const buffer<Real> found(4);
    extent<Real> extent;
    for (int i = 0; i < 4; i++) {
        const Real *a = i < 2 ? of.x : of.y;
        with_scratch("extent of the data", on, [&](void *scratch, std::size_t &bytes) {
            return i % 2 == 0 ? cub::DeviceReduce::Min(scratch, bytes, a, found.get() + i, of.count,
                                                       on.get())
                              : cub::DeviceReduce::Max(scratch, bytes, a, found.get() + i, of.count,
                                                       on.get());
        });
    }
    check(
        cudaMemcpyAsync(extent.of, found.get(), sizeof extent.of, cudaMemcpyDeviceToHost, on.get()),
        "extent of the data");
    on.wait("extent of the data");
    return extent;
}

template <class Real>
static void set_extent(const place_list<Real> &points, const place_list<Real> &within,
                       const stream &on, grid_view<Real> &grid)
{
    const extent<Real> own = find_extent(points, on);
    const extent<Real> other = within.count > 0 ? find_extent(within, on) : own;
    grid.x_low = std::min(own.of[0], other.of[0]);
    grid.x_high = std::max(own.of[1], other.of[1]);
    grid.y_low = std::min(own.of[2], other.of[2]);
    grid.y_high = std::max(own.of[3], other.of[3]);
}

/* Square cells, whatever the shape of the box: with at most t cells wanted the width is at least
 * sqrt(W H / t), W / t and H / t, so (W / w + 1) (H / w + 1) <= 3 t + 1. */
template <class Real>
static void set_cells(const cell_plan<Real> &plan, std::uint32_t n, grid_view<Real> &grid)
{
    const double width = (double)grid.x_high - (double)grid.x_low;
    const double height = (double)grid.y_high - (double)grid.y_low;
    const double wanted =
        std::min(std::max(1.0, std::floor((double)n * plan.cells_of_point)), cells_max);
    const double longer = std::max(width, height);
    const double side = std::max({plan.width, std::sqrt(width * height / wanted), longer / wanted,
                                  longer / cells_of_side_max});
    grid.width = (Real)side;
    if (!(grid.width > 0))
        grid.width = 1;
    grid.columns = 1 + (int)std::min(width / (double)grid.width, cells_of_side_max);
    grid.rows = 1 + (int)std::min(height / (double)grid.width, cells_of_side_max);
}

static int bits_of(std::size_t count)
{
    int bits = 1;
    while (bits < 32 && (count - 1) >> bits != 0)
        bits++;
    return bits;
}

/* Points of each cell: runs of equal numbers in sorted, counted; then heads by a scan. */
static void count_cells(const std::uint32_t *sorted, std::uint32_t n, std::size_t cells,
                        std::uint32_t *heads, const stream &on)
{
    const buffer<std::uint32_t> numbers(n), counts(n), runs(1), of_cells(cells + 1);
    with_scratch("counting cells", on, [&](void *scratch, std::size_t &bytes) {
        return cub::DeviceRunLengthEncode::Encode(scratch, bytes, sorted, numbers.get(),
                                                  counts.get(), runs.get(), (std::int64_t)n,
                                                  on.get());
    });
    check(cudaMemsetAsync(of_cells.get(), 0, (cells + 1) * sizeof(std::uint32_t), on.get()),
          "zeros");
    spread_counts<<<blocks_for(n, block_threads), block_threads, 0, on.get()>>>(
        numbers.get(), counts.get(), runs.get(), n, of_cells.get());
    check_launch("counting cells");
    with_scratch("heads of cells", on, [&](void *scratch, std::size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, of_cells.get(), heads,
                                             (std::int64_t)(cells + 1), on.get());
    });
}

template <class Real>
even_grid<Real>::even_grid(const place_list<Real> &points, const cell_plan<Real> &plan,
                           const stream &on)
{
    const std::uint32_t n = points.count;
    const Real *const x = points.x, *const y = points.y;
    set_extent(points, plan.within, on, view_);
    set_cells(plan, n, view_);
    const std::size_t cells = (std::size_t)view_.columns * (std::size_t)view_.rows;
    const unsigned blocks = blocks_for(n, block_threads);
    const buffer<std::uint32_t> number(n), order(n), number_sorted(n), order_sorted(n);
    number_cells<<<blocks, block_threads, 0, on.get()>>>(view_, x, y, n, number.get(), order.get());
    check_launch("numbering cells");
    with_scratch("sorting points by cell", on, [&](void *scratch, std::size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, number.get(), number_sorted.get(),
                                               order.get(), order_sorted.get(), (std::int64_t)n, 0,
                                               bits_of(cells), on.get());
    });
    heads_ = buffer<std::uint32_t>(cells + 1);
    count_cells(number_sorted.get(), n, cells, heads_.get(), on);
    x_ = buffer<Real>(n);
    y_ = buffer<Real>(n);
    gather<<<blocks, block_threads, 0, on.get()>>>(x, y, order_sorted.get(), n, x_.get(), y_.get());
    check_launch("points in the order of cells");
    on.wait("points in the order of cells");
    view_.heads = heads_.get();
    view_.x = x_.get();
    view_.y = y_.get();
}

template <class Real>
void unpack(const packed_point<Real> *points, std::uint32_t n, Real *x, Real *y, const stream &on)
{
    unpack_points<<<blocks_for(n, block_threads), block_threads, 0, on.get()>>>(points, n, x, y);
    check_launch("unpacking points");
}

/* ---- searching ------------------------------------------------------------------------------- */

template <class Real> struct epsilon;
template <> struct epsilon<float> {
    static constexpr float value = 0x1p-23f;
};
template <> struct epsilon<double> {
    static constexpr double value = 0x1p-52;
};

template <class Real, int K> struct grid_search {
    const grid_view<Real> &grid;
    Real x, y;
    int column, row;
    Real slack;                  /* more than rounding moves a border */
    Real outside2_x, outside2_y; /* squared distance to the grid's extent along each axis */
    nearest_list<Real, K> list;

    /* Cells first to last of a row, ends included. */
    __device__ void scan(int of_row, int first, int last)
    {
        const std::size_t start = (std::size_t)of_row * (std::size_t)grid.columns;
        const std::uint32_t end = grid.heads[start + (std::size_t)last + 1];
        for (std::uint32_t i = grid.heads[start + (std::size_t)first]; i < end; i++)
            list.offer(distance2(grid.x[i], grid.y[i], x, y));
    }

    /* The cells at exactly this many steps from the target's. */
    __device__ void scan_ring(int level)
    {
        const int left = column - level, right = column + level;
        const int first = max(left, 0), last = min(right, grid.columns - 1);
        for (int r = max(row - level, 0); r <= min(row + level, grid.rows - 1); r++) {
            if (r == row - level || r == row + level) {
                scan(r, first, last);
                continue;
            }
            if (left >= 0)
                scan(r, left, left);
            if (right < grid.columns)
                scan(r, right, right);
        }
    }

    /* No point beyond a border that lies gap away along one axis is nearer than this, squared. */
    __device__ Real beyond(Real gap, Real outside2) const
    {
        const Real least = gap > slack ? gap - slack : Real(0);
        return (least * least + outside2) * (1 - 8 * epsilon<Real>::value);
    }

    /* No point outside the rings up to level is nearer than this, squared; inf where there is none.
     */
    __device__ Real guaranteed2(int level) const
    {
        Real least = INFINITY;
        const Real w = grid.width;
        if (column - level > 0)
            least = min(least, beyond(x - (grid.x_low + Real(column - level) * w), outside2_y));
        if (column + level < grid.columns - 1)
            least = min(least, beyond(grid.x_low + Real(column + level + 1) * w - x, outside2_y));
        if (row - level > 0)
            least = min(least, beyond(y - (grid.y_low + Real(row - level) * w), outside2_x));
        if (row + level < grid.rows - 1)
            least = min(least, beyond(grid.y_low + Real(row + level + 1) * w - y, outside2_x));
        return least;
    }

    __device__ void run()
    {
        for (int level = 0;; level++) {
            scan_ring(level);
            if (list.last() <= guaranteed2(level))
                return;
        }
    }
};

template <class Real> __device__ inline Real outside2(Real a, Real low, Real high)
{
    const Real gap = a < low ? low - a : a > high ? a - high : Real(0);
    return gap * gap;
}

template <class Real> __device__ inline Real slack_of(Real a, Real low, Real high)
{
    const Real from = a > low ? a - low : low - a;
    const Real far = max(low < 0 ? -low : low, high < 0 ? -high : high);
    return 8 * epsilon<Real>::value * (from + (high - low) + far);
}

template <class Real, int K>
__global__ void __launch_bounds__(block_threads)
    find_weight_functions(const __grid_constant__ grid_view<Real> grid,
                          const place_list<Real> targets,
                          const __grid_constant__ adapt_table<Real> adapt,
                          const target_powers<Real> by)
{
    const std::size_t i = (std::size_t)blockIdx.x * block_threads + threadIdx.x;
    if (i >= targets.count)
        return;
    const Real x = targets.x[i], y = targets.y[i];
    grid_search<Real, K> task = {grid,
                                 x,
                                 y,
                                 cell_of(x, grid.x_low, grid.width, grid.columns),
                                 cell_of(y, grid.y_low, grid.width, grid.rows),
                                 slack_of(x, grid.x_low, grid.x_high) +
                                     slack_of(y, grid.y_low, grid.y_high),
                                 outside2(x, grid.x_low, grid.x_high),
                                 outside2(y, grid.y_low, grid.y_high),
                                 nearest_list<Real, K>(adapt.k)};
    task.run();
    const found_weight_function<Real> found = adapt_to(adapt, task.list);
    by.alphas[i] = found.alpha;
    by.shifts[i] = found.good ? found.shift : Real(NAN);
}

template <class Real>
void find_powers(const grid_view<Real> &grid, const place_list<Real> &targets,
                 const adapt_table<Real> &adapt, const target_powers<Real> &by, const stream &on)
{
    const unsigned blocks = blocks_for(targets.count, block_threads);
    if (adapt.k <= short_list)
        find_weight_functions<Real, short_list>
            <<<blocks, block_threads, 0, on.get()>>>(grid, targets, adapt, by);
    else
        find_weight_functions<Real, SHEPARD_PAPER_NEIGHBOURS_MAX>
            <<<blocks, block_threads, 0, on.get()>>>(grid, targets, adapt, by);
    check_launch("starting the search for neighbours");
}

#define INSTANTIATE(Real)                                                                          \
    template class even_grid<Real>;                                                                \
    template void unpack(const packed_point<Real> *, std::uint32_t, Real *, Real *,                \
                         const stream &);                                                          \
    template void find_powers(const grid_view<Real> &, const place_list<Real> &,                   \
                              const adapt_table<Real> &, const target_powers<Real> &,              \
                              const stream &);
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace shepard
