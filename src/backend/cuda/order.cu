/* SPDX-License-Identifier: MIT */
#include "backend/cuda/order.cuh"

#include "cuda/launch.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

namespace shepard
{

namespace
{

constexpr int threads = 256;
constexpr char doing[] = "sorting";

/* Bits of a pass of the radix sort. */
constexpr int digit_bits = 8;

/* Runs of keys that share their first bits are put in order by a thread each, up to this length,
 * longer ones by a block each, up to the second. */
constexpr std::size_t run_most = 24;
constexpr int long_run_most = 512;

constexpr int long_run_threads = 128;
constexpr unsigned long_run_blocks = 2048;

/* 12 to 19 bits more than n numbers need, as whole passes: few of n keys share them. A pass costs
 * less than the sort by all bits that clustered keys take where runs of them get too long. */
int first_bits_of(std::size_t n, int bits)
{
    int needed = digit_bits;
    while (n >> needed > 0)
        needed++;
    return std::min((needed + 2 * digit_bits + 3) / digit_bits * digit_bits, bits);
}

/* By bits [begin, end), keeping the order of those that share them. */
ordered radix_sort(ordered unsorted, int begin, int end, cudaStream_t stream)
{
    const std::size_t n = unsorted.key.size();
    ordered spare = {block<std::uint64_t>(n, stream), block<std::uint32_t>(n, stream)};
    cub::DoubleBuffer<std::uint64_t> keys(unsorted.key.get(), spare.key.get());
    cub::DoubleBuffer<std::uint32_t> numbers(unsorted.number.get(), spare.number.get());
    std::size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, numbers, n, begin, end, stream),
          doing);
    block<unsigned char> scratch(bytes, stream);
    check(
        cub::DeviceRadixSort::SortPairs(scratch.get(), bytes, keys, numbers, n, begin, end, stream),
        doing);
    return {keys.Current() == unsorted.key.get() ? std::move(unsorted.key) : std::move(spare.key),
            numbers.Current() == unsorted.number.get() ? std::move(unsorted.number)
                                                       : std::move(spare.number)};
}

struct runs {
    std::uint64_t *key;
    std::uint32_t *number;
    std::size_t n;
    int begin;                /* keys are in order from this bit on */
    std::uint32_t *long_runs; /* where longer runs begin, in any order */
    unsigned *long_run_count; /* 0 before */

    __device__ bool share(std::size_t i, std::size_t j) const
    {
        return key[i] >> begin == key[j] >> begin;
    }
};

/* The thread at the start of a short run sorts it by insertion. What others read of it meanwhile,
 * the first bits, is the same at all its places. */
__global__ void sort_runs(runs in)
{
    const std::size_t first = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (first >= in.n || (first > 0 && in.share(first - 1, first)))
        return;
    std::size_t end = first + 1;
    while (end < in.n && end <= first + run_most && in.share(first, end))
        end++;
    if (end > first + run_most) {
        in.long_runs[atomicAdd(in.long_run_count, 1u)] = (std::uint32_t)first;
        return;
    }
    for (std::size_t i = first + 1; i < end; i++) {
        const std::uint64_t key = in.key[i];
        const std::uint32_t number = in.number[i];
        std::size_t to = i;
        for (; to > first && in.key[to - 1] > key; to--) {
            in.key[to] = in.key[to - 1];
            in.number[to] = in.number[to - 1];
        }
        in.key[to] = key;
        in.number[to] = number;
    }
}

/* The length of a run, found by all threads of a block; above long_run_most: at least that. */
__device__ int length_of(const runs &in, std::size_t first)
{
    int length = 0, shared = long_run_threads;
    for (; shared == long_run_threads && length <= long_run_most; length += shared) {
        const std::size_t i = first + (unsigned)length + threadIdx.x;
        shared = __syncthreads_count(i < in.n && in.share(first, i));
    }
    return length;
}

/* A block takes longer runs in turn: the place of a key is the number of those before it. */
__global__ void __launch_bounds__(long_run_threads) sort_long_runs(runs in)
{
    __shared__ std::uint64_t key[long_run_most];
    __shared__ std::uint32_t number[long_run_most];
    for (unsigned run = blockIdx.x; run < *in.long_run_count; run += gridDim.x) {
        const std::size_t first = in.long_runs[run];
        const int length = length_of(in, first);
        if (length > long_run_most)
            continue;
        for (int i = (int)threadIdx.x; i < length; i += long_run_threads) {
            key[i] = in.key[first + (unsigned)i];
            number[i] = in.number[first + (unsigned)i];
        }
        __syncthreads();
        for (int i = (int)threadIdx.x; i < length; i += long_run_threads) {
            unsigned before = 0;
            for (int j = 0; j < length; j++)
                before += key[j] < key[i] || (key[j] == key[i] && j < i);
            in.key[first + before] = key[i];
            in.number[first + before] = number[i];
        }
        __syncthreads();
    }
}

__global__ void find_fall(const std::uint64_t *key, std::size_t n, int *found)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i + 1 < n && key[i] > key[i + 1])
        *found = 1;
}

bool is_sorted(const block<std::uint64_t> &key, cudaStream_t stream)
{
    const block<int> found(1, stream);
    int fall = 0;
    check(cudaMemsetAsync(found.get(), 0, sizeof fall, stream), doing);
    find_fall<<<blocks_for(key.size(), threads), threads, 0, stream>>>(key.get(), key.size(),
                                                                       found.get());
    check_launch(doing);
    check(cudaMemcpyAsync(&fall, found.get(), sizeof fall, cudaMemcpyDeviceToHost, stream), doing);
    check(cudaStreamSynchronize(stream), doing);
    return fall == 0;
}

} // namespace

static void sort_within_runs(const ordered &sorted, int begin, cudaStream_t stream)
{
    const std::size_t n = sorted.key.size();
    const block<std::uint32_t> long_runs(n / (run_most + 1) + 1, stream);
    const block<unsigned> count(1, stream);
    check(cudaMemsetAsync(count.get(), 0, sizeof(unsigned), stream), doing);
    const runs in = {sorted.key.get(), sorted.number.get(), n, begin, long_runs.get(), count.get()};
    sort_runs<<<blocks_for(n, threads), threads, 0, stream>>>(in);
    check_launch(doing);
    sort_long_runs<<<long_run_blocks, long_run_threads, 0, stream>>>(in);
    check_launch(doing);
}

/* By the first bits, then within the runs that share them; by all bits only where a run is very
 * long and not in order. */
ordered sort_by_key(ordered unsorted, int bits, cudaStream_t stream)
{
    const int begin = bits - first_bits_of(unsorted.key.size(), bits);
    ordered sorted = radix_sort(std::move(unsorted), begin, bits, stream);
    if (begin == 0)
        return sorted;
    sort_within_runs(sorted, begin, stream);
    if (is_sorted(sorted.key, stream))
        return sorted;
    return radix_sort(std::move(sorted), 0, bits, stream);
}

} // namespace shepard
