/* SPDX-License-Identifier: MIT */
#include "backend/cuda/cells.cuh"
#include "cuda/launch.cuh"

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace shepard
{

namespace
{

constexpr int threads = 256;

/* A name of `length` bits has more than cell_points points where two of them, so many apart, share
 * it. A point's cell takes one bit more than the longest such name that the point has too. */
__global__ void measure(const std::uint64_t *key, std::uint32_t n, std::uint8_t *length)
{
    __shared__ std::int8_t common[threads + cell_points];
    const std::int64_t start = (std::int64_t)blockIdx.x * threads - cell_points;
    for (int j = (int)threadIdx.x; j < threads + cell_points; j += threads) {
        const std::int64_t i = start + j;
        common[j] = i >= 0 && i + cell_points < (std::int64_t)n
                        ? (std::int8_t)curve_common(key[i], key[i + cell_points])
                        : (std::int8_t)-1;
    }
    __syncthreads();
    const std::size_t own = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (own >= n)
        return;
    int most = -1;
    for (int j = 0; j <= cell_points; j++)
        most = max(most, (int)common[threadIdx.x + (unsigned)j]);
    length[own] = (std::uint8_t)min(most + 1, curve_bits);
}

/* Behind the targets that are finite. */
constexpr std::uint8_t no_cell = 255;

/* The points next to a target along the curve tell its cell: the longest name with too many points
 * that the target has is one that one of them has. */
__device__ int cell_of(const cloud_view &cloud, const std::uint8_t *length, std::uint64_t key,
                       std::uint32_t rank)
{
    const std::uint32_t after = key > cloud.key[rank] ? rank + 1 : rank;
    int most = -1;
    if (after > 0)
        most = min(curve_common(key, cloud.key[after - 1]), (int)length[after - 1] - 1);
    if (after < cloud.n)
        most = max(most, min(curve_common(key, cloud.key[after]), (int)length[after] - 1));
    return most + 1;
}

__global__ void find_cells(cloud_view cloud, const std::uint8_t *length, const std::uint64_t *key,
                           const std::uint32_t *rank, std::uint32_t m, std::uint8_t *own)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i >= m)
        return;
    own[i] = key[i] == curve_end ? no_cell : (std::uint8_t)cell_of(cloud, length, key[i], rank[i]);
}

/* Whether an item begins with a target: a cell's first, and every item_targets-th from there. */
struct begins {
    const std::uint64_t *key;
    const std::uint8_t *length;

    __device__ bool are_of_one_cell(std::uint32_t i, std::uint32_t j) const
    {
        const int rest = curve_bits - length[j];
        return length[i] == length[j] && (length[j] == 0 || key[i] >> rest == key[j] >> rest);
    }
    /* The first of i's cell, at most i - item_targets. */
    __device__ std::uint32_t first_of(std::uint32_t i) const
    {
        std::uint32_t low = 0, high = i - item_targets;
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            if (are_of_one_cell(middle, i))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    __device__ bool operator()(std::uint32_t i) const
    {
        if (length[i] == no_cell)
            return false;
        if (i == 0 || !are_of_one_cell(i - 1, i))
            return true;
        if (i < item_targets || !are_of_one_cell(i - item_targets, i))
            return false;
        return (i - first_of(i)) % item_targets == 0;
    }
};

/* One after the other: DeviceSelect::If would read keys and lengths out of order. */
__global__ void mark_items(begins first, std::uint32_t m, std::uint8_t *mark)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < m)
        mark[i] = first((std::uint32_t)i);
}

} // namespace

cells::cells(const cloud_view &of, cudaStream_t stream) : length_(of.n, stream)
{
    measure<<<blocks_for(of.n, threads), threads, 0, stream>>>(of.key, of.n, length_.get());
    check_launch("dividing the data points into cells");
}

items::items(const cells &division, const cloud_view &of, const targets &cut, cudaStream_t stream)
    : length_(cut.view().m, stream), first_(cut.view().m, stream), count_(1, stream)
{
    const target_view view = cut.view();
    find_cells<<<blocks_for(view.m, threads), threads, 0, stream>>>(
        of, division.length(), cut.key(), view.rank, view.m, length_.get());
    check_launch("finding the targets' cells");
    const thrust::counting_iterator<std::uint32_t> all(0);
    const block<std::uint8_t> mark(view.m, stream);
    mark_items<<<blocks_for(view.m, threads), threads, 0, stream>>>({cut.key(), length_.get()},
                                                                    view.m, mark.get());
    std::size_t bytes = 0;
    check(cub::DeviceSelect::Flagged(nullptr, bytes, all, mark.get(), first_.get(), count_.get(),
                                     (std::int64_t)view.m, stream),
          "listing the targets' cells");
    block<unsigned char> scratch(bytes, stream);
    check(cub::DeviceSelect::Flagged(scratch.get(), bytes, all, mark.get(), first_.get(),
                                     count_.get(), (std::int64_t)view.m, stream),
          "listing the targets' cells");
}

} // namespace shepard
