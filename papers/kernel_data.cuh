/* SPDX-License-Identifier: MIT */
/* What the kernels of all engines read and write. Shapes: x, y [n]; rows [n, C]; means [C, m]. */
#ifndef SHEPARD_PAPERS_KERNEL_DATA_CUH
#define SHEPARD_PAPERS_KERNEL_DATA_CUH

#include <cstddef>
#include <cstdint>

namespace shepard
{

/* Threads of a block, and points of a tile: sums within one are plain, their totals compensated. */
constexpr int block_threads = 128;
constexpr int tile_points = 256;

/* Blocks that a multiprocessor should hold: leaves registers enough that none are spilled, but with
 * 16 columns the totals, which are touched once a tile. 0 leaves it to the compiler. */
template <class Real, int C> constexpr int blocks_held = sizeof(Real) == 8 && C < 16 ? 4 : 0;

/* A data point or a target in an array of aligned structures, or a data point in a tile. z, the
 * value or the prediction, with one column only. */
template <class Real> struct alignas(16) packed_point {
    Real x, y, z, spare;
};

/* Values of a point, C columns, padded with zeros. */
template <class Real, int C> struct alignas(16) value_row {
    Real z[C];
};
template <> struct value_row<float, 1> {
    float z[1];
};
template <> struct value_row<double, 1> {
    double z[1];
};

/* Either arrays (x, y, target_x, target_y), or aligned structures (packed, packed_targets), which
 * have z of one column; z of more lie in rows and means with both. */
template <class Real, int C> struct kernel_data {
    const Real *x, *y;
    const packed_point<Real> *packed;
    const value_row<Real, C> *rows;
    std::uint32_t n;
    const Real *target_x, *target_y;
    packed_point<Real> *packed_targets;
    std::uint32_t m;
    Real *means;
};

/* Targets whose sums left the range of the precision, or that lie on data points: computed again,
 * with care, by fixup. */
struct fixup_list {
    std::uint32_t *targets; /* [m] */
    unsigned *count;
};

__device__ inline void fixup_later(const fixup_list &list, std::uint32_t target)
{
    list.targets[atomicAdd(list.count, 1u)] = target;
}

/* One of several sets of n points and m targets, structures of arrays with one column, of which
 * the arguments are the first. */
template <class Real>
__device__ inline kernel_data<Real, 1> data_of_set(kernel_data<Real, 1> data, std::uint32_t set)
{
    const std::size_t point = (std::size_t)set * data.n, target = (std::size_t)set * data.m;
    data.x += point;
    data.y += point;
    data.rows += point;
    data.target_x += target;
    data.target_y += target;
    data.means += target;
    return data;
}

__device__ inline fixup_list list_of_set(const fixup_list &list, std::uint32_t m, std::uint32_t set)
{
    return {list.targets + (std::size_t)set * m, list.count + set};
}

template <bool Packed, class Real, int C>
__device__ inline packed_point<Real> read_point(const kernel_data<Real, C> &data, std::uint32_t i)
{
    if (Packed)
        return data.packed[i];
    packed_point<Real> point;
    point.x = data.x[i];
    point.y = data.y[i];
    point.z = C == 1 ? data.rows[i].z[0] : Real(0);
    point.spare = 0;
    return point;
}

/* The place of a target; z means nothing. */
template <bool Packed, class Real, int C>
__device__ inline packed_point<Real> read_target(const kernel_data<Real, C> &data, std::uint32_t i)
{
    if (Packed)
        return data.packed_targets[i];
    packed_point<Real> target = {};
    target.x = data.target_x[i];
    target.y = data.target_y[i];
    return target;
}

template <bool Packed, class Real, int C>
__device__ inline void write_mean(const kernel_data<Real, C> &data, int c, std::uint32_t i,
                                  Real mean)
{
    if (Packed && C == 1)
        data.packed_targets[i].z = mean;
    else
        data.means[(std::size_t)c * data.m + i] = mean;
}

/* The data from a point on, in global memory. */
template <bool Packed, class Real, int C> struct global_view {
    const kernel_data<Real, C> &data;
    std::uint32_t first;

    __device__ packed_point<Real> point(std::uint32_t j) const
    {
        return read_point<Packed>(data, first + j);
    }
    __device__ value_row<Real, C> row(std::uint32_t j) const { return data.rows[first + j]; }
};

/* A tile of the data in shared memory. */
template <class Real, int C> struct tile_view {
    packed_point<Real> *points; /* [tile_points] */
    value_row<Real, C> *rows;   /* [tile_points], with several columns */

    __device__ packed_point<Real> point(std::uint32_t j) const { return points[j]; }
    __device__ value_row<Real, C> row(std::uint32_t j) const { return rows[j]; }

    /* All threads of the block, which are done with what was there when they come back. */
    template <bool Packed>
    __device__ void load(const kernel_data<Real, C> &data, std::uint32_t first,
                         std::uint32_t count) const
    {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < tile_points / block_threads; k++) {
            const std::uint32_t j = threadIdx.x + k * block_threads;
            if (j < count) {
                points[j] = read_point<Packed>(data, first + j);
                if (C > 1)
                    rows[j] = data.rows[first + j];
            }
        }
        __syncthreads();
    }
};

__device__ inline std::uint32_t smaller(std::uint32_t a, std::uint32_t b)
{
    return a < b ? a : b;
}

/* Points first to end - 1 of the data. */
struct data_span {
    std::uint32_t first, end;
};

/* Calls work(view, count) for each run of at most tile_points of a span of the data, from shared
 * memory or from global. All threads of the block take part. */
template <bool Tiled, bool Packed, class Real, int C, class Work>
__device__ inline void for_each_run(const kernel_data<Real, C> &data, const data_span &of,
                                    const tile_view<Real, C> &tile, const Work &work)
{
    for (std::uint32_t first = of.first; first < of.end; first += tile_points) {
        const std::uint32_t count = smaller(tile_points, of.end - first);
        if constexpr (Tiled) {
            tile.template load<Packed>(data, first, count);
            work(tile, count);
        } else {
            work(global_view<Packed, Real, C>{data, first}, count);
        }
    }
}

} // namespace shepard

#endif
