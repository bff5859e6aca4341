/* SPDX-License-Identifier: MIT */
#include "backend/cuda/order.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace shepard
{

ordered sort_by_key(ordered unsorted, int bits, cudaStream_t stream)
{
    const std::size_t n = unsorted.key.size();
    ordered spare = {block<std::uint64_t>(n, stream), block<std::uint32_t>(n, stream)};
    cub::DoubleBuffer<std::uint64_t> keys(unsorted.key.get(), spare.key.get());
    cub::DoubleBuffer<std::uint32_t> numbers(unsorted.number.get(), spare.number.get());
    std::size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, numbers, n, 0, bits, stream),
          "sorting");
    block<unsigned char> scratch(bytes, stream);
    check(cub::DeviceRadixSort::SortPairs(scratch.get(), bytes, keys, numbers, n, 0, bits, stream),
          "sorting");
    return {keys.Current() == unsorted.key.get() ? std::move(unsorted.key) : std::move(spare.key),
            numbers.Current() == unsorted.number.get() ? std::move(unsorted.number)
                                                       : std::move(spare.number)};
}

} // namespace shepard
