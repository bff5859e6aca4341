/* SPDX-License-Identifier: MIT */
#include "backend/cuda/cell_tree.cuh"

#include "backend/cuda/marked.cuh"
#include "cuda/launch.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace shepard
{

namespace
{

constexpr int threads = 256;
constexpr char doing[] = "building the tree";

/* How many first bits the names of two points share, i != j. */
__device__ __forceinline__ int common_bits(std::uint64_t a, std::uint32_t i, std::uint64_t b,
                                           std::uint32_t j)
{
    return a == b ? hilbert_bits + __clz((int)(i ^ j)) : hilbert_common(a, b);
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* A leaf begins where the least cell that a point shares with the one before has too many points:
 * two of them, leaf_points apart, share its name. count: of leaves by how many bits they share with
 * the one before. */
__global__ void find_leaves(const std::uint64_t *key, std::uint32_t n, std::uint8_t *begins,
                            std::uint32_t *count)
{
    __shared__ std::int8_t apart[threads + leaf_points];
    __shared__ std::uint32_t found[cell_bits];
    const std::int64_t start = (std::int64_t)blockIdx.x * threads - leaf_points;
    for (int j = (int)threadIdx.x; j < threads + leaf_points; j += threads) {
        const std::int64_t i = start + j, far = i + leaf_points;
        apart[j] =
            i >= 0 && far < (std::int64_t)n
                ? (std::int8_t)common_bits(key[i], (std::uint32_t)i, key[far], (std::uint32_t)far)
                : (std::int8_t)-1;
    }
    for (int j = (int)threadIdx.x; j < cell_bits; j += threads)
        found[j] = 0;
    __syncthreads();
    const std::size_t own = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (own < n) {
        const auto i = (std::uint32_t)own;
        const int bits = i > 0 ? common_bits(key[i - 1], i - 1, key[i], i) : 0;
        bool crowded = i == 0;
        for (int j = 0; j < leaf_points; j++)
            crowded = crowded || apart[threadIdx.x + (unsigned)j] >= bits;
        begins[i] = crowded;
        if (crowded && i > 0)
            atomicAdd(&found[bits], 1u);
    }
    __syncthreads();
    for (int j = (int)threadIdx.x; j < cell_bits; j += threads)
        if (found[j] > 0)
            atomicAdd(&count[j], found[j]);
}

/* Where each leaf begins, n behind them. */
block<std::uint32_t> list_leaves(const std::uint8_t *begins, std::uint32_t n, std::uint32_t leaves,
                                 cudaStream_t stream)
{
    block<std::uint32_t> first((std::size_t)leaves + 1, stream);
    const block<std::uint32_t> found(1, stream);
    list_marked(begins, n, first.get(), found.get(), stream, doing);
    check(cudaMemcpyAsync(first.get() + leaves, &n, sizeof n, cudaMemcpyHostToDevice, stream),
          doing);
    return first;
}

/* ---- nodes above ----------------------------------------------------------------------------- */

/* Leaves and the bits that each shares with the one before; -1 at both ends. A node stands where
 * its two children meet: before leaf k, for k = 1 ... leaves - 1. */
struct borders {
    const std::uint64_t *key;
    const std::uint32_t *first;
    std::uint32_t leaves;
    std::int8_t *bits; /* [leaves + 1] */

    __device__ int between(std::uint32_t leaf, std::uint32_t other) const
    {
        const std::uint32_t i = first[leaf], j = first[other];
        return common_bits(key[i], i, key[j], j);
    }
};

__global__ void measure(borders of, std::uint8_t *falling, std::uint32_t *number)
{
    const std::uint32_t k = blockIdx.x * threads + threadIdx.x;
    if (k > of.leaves)
        return;
    int bits = -1;
    if (k > 0 && k < of.leaves) {
        const std::uint32_t i = of.first[k];
        bits = common_bits(of.key[i - 1], i - 1, of.key[i], i);
        falling[k - 1] = (std::uint8_t)(cell_bits - bits);
        number[k - 1] = k;
    }
    of.bits[k] = (std::int8_t)bits;
}

/* The nodes' places, those of smaller cells first: [leaves - 1]. */
block<std::uint32_t> sort_nodes(block<std::uint8_t> &falling, block<std::uint32_t> &place,
                                cudaStream_t stream)
{
    const std::size_t count = place.size();
    const block<std::uint8_t> sorted(count, stream);
    block<std::uint32_t> to(count, stream);
    std::size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, falling.get(), sorted.get(), place.get(),
                                          to.get(), count, 0, 7, stream),
          doing);
    const block<unsigned char> scratch(bytes, stream);
    check(cub::DeviceRadixSort::SortPairs(scratch.get(), bytes, falling.get(), sorted.get(),
                                          place.get(), to.get(), count, 0, 7, stream),
          doing);
    return to;
}

__global__ void number_nodes(std::uint32_t leaves, const std::uint32_t *place,
                             std::uint32_t *number)
{
    const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
    if (i < leaves - 1)
        number[place[i]] = leaves + i;
}

/* The leaf farthest from k to one side that shares so many bits with it: by doubling, then halving
 * steps. */
template <int Side> __device__ std::uint32_t farthest(const borders &of, std::uint32_t k, int bits)
{
    const std::uint32_t room = Side < 0 ? k : of.leaves - 1 - k;
    const auto shares = [&](std::uint32_t step) {
        return step <= room && of.between(k, Side < 0 ? k - step : k + step) >= bits;
    };
    std::uint32_t reach = 1;
    while (shares(reach))
        reach *= 2;
    std::uint32_t least = reach / 2;
    for (std::uint32_t step = reach / 4; step > 0; step /= 2)
        least += shares(least + step) ? step : 0;
    return Side < 0 ? k - least : k + least;
}

/* Tells the parent of leaves [from, to]: of the two nodes that stand at its ends the one of the
 * smaller cell. */
__device__ void tell_parent(const borders &of, std::uint32_t node, std::uint32_t from,
                            std::uint32_t to, const std::uint32_t *number, uint2 *below)
{
    const int before = of.bits[from], after = of.bits[to + 1];
    if (before > after)
        below[number[from] - of.leaves].y = node;
    else if (after > before)
        below[number[to + 1] - of.leaves].x = node;
}

__global__ void link(borders of, const std::uint32_t *number, uint2 *below)
{
    const std::uint32_t k = blockIdx.x * threads + threadIdx.x;
    if (k >= of.leaves)
        return;
    tell_parent(of, k, k, k, number, below);
    if (k == 0)
        return;
    const int bits = of.bits[k];
    tell_parent(of, number[k], farthest<-1>(of, k, bits), farthest<1>(of, k, bits), number, below);
}

/* Level by level down from the root while a warp holds all. */
__global__ void find_top(std::uint32_t leaves, const uint2 *below, tree_top *top)
{
    __shared__ std::uint32_t node[32];
    int count = 1;
    if (threadIdx.x == 0)
        node[0] = 2 * leaves - 2;
    for (;;) {
        __syncwarp();
        const bool mine = (int)threadIdx.x < count;
        const std::uint32_t own = mine ? node[threadIdx.x] : 0;
        const bool opens = mine && own >= leaves;
        const unsigned opened = __ballot_sync(whole_warp, opens);
        if (opened == 0 || count + __popc(opened) > 32)
            break;
        __syncwarp();
        const unsigned before = (1u << threadIdx.x) - 1;
        const int at = (int)threadIdx.x + __popc(opened & before);
        if (mine)
            node[at] = opens ? below[own - leaves].x : own;
        if (opens)
            node[at + 1] = below[own - leaves].y;
        count += __popc(opened);
    }
    top->node[threadIdx.x] = (int)threadIdx.x < count ? node[threadIdx.x] : 0;
    if (threadIdx.x == 0)
        top->count = count;
}

} // namespace

cell_tree::cell_tree(const std::uint64_t *key, std::uint32_t n, const stream &in)
    : top_(1, in.get())
{
    const cudaStream_t stream = in.get();
    const block<std::uint8_t> begins(n, stream);
    const block<std::uint32_t> count(cell_bits, stream);
    check(cudaMemsetAsync(count.get(), 0, count.bytes(), stream), doing);
    find_leaves<<<blocks_for(n, threads), threads, 0, stream>>>(key, n, begins.get(), count.get());
    check_launch(doing);
    std::uint32_t counted[cell_bits];
    check(cudaMemcpyAsync(counted, count.get(), sizeof counted, cudaMemcpyDeviceToHost, stream),
          doing);
    in.wait(doing);

    std::uint32_t leaves = 1;
    for (const std::uint32_t found : counted)
        leaves += found;
    end_[levels_++] = leaves;
    for (int bits = cell_bits - 1; bits >= 0; bits--)
        if (counted[bits] > 0) {
            end_[levels_] = end_[levels_ - 1] + counted[bits];
            levels_++;
        }

    first_ = list_leaves(begins.get(), n, leaves, stream);
    below_ = block<uint2>(leaves - 1, stream);
    if (leaves > 1) {
        const block<std::int8_t> bits((std::size_t)leaves + 1, stream);
        block<std::uint8_t> falling(leaves - 1, stream);
        block<std::uint32_t> place(leaves - 1, stream);
        const block<std::uint32_t> number(leaves, stream);
        const borders of = {key, first_.get(), leaves, bits.get()};
        const unsigned blocks = blocks_for((std::size_t)leaves + 1, threads);
        measure<<<blocks, threads, 0, stream>>>(of, falling.get(), place.get());
        const block<std::uint32_t> sorted = sort_nodes(falling, place, stream);
        number_nodes<<<blocks, threads, 0, stream>>>(leaves, sorted.get(), number.get());
        link<<<blocks, threads, 0, stream>>>(of, number.get(), below_.get());
    }
    find_top<<<1, 32, 0, stream>>>(leaves, below_.get(), top_.get());
    check_launch(doing);
    view_ = {leaves, first_.get(), below_.get(), top_.get()};
}

} // namespace shepard
