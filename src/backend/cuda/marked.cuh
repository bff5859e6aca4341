/* SPDX-License-Identifier: MIT */
/* Numbers of marked elements. */
#ifndef SHEPARD_BACKEND_CUDA_MARKED_CUH
#define SHEPARD_BACKEND_CUDA_MARKED_CUH

#include "cuda/pool.cuh"

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace shepard
{

/* Writes the numbers of those of `count` marks that are not 0, rising, and how many there are:
 * asynchronous. */
template <class Mark>
void list_marked(const Mark *mark, std::size_t count, std::uint32_t *number, std::uint32_t *found,
                 cudaStream_t stream, const char *doing)
{
    const thrust::counting_iterator<std::uint32_t> all(0);
    std::size_t bytes = 0;
    check(cub::DeviceSelect::Flagged(nullptr, bytes, all, mark, number, found, (std::int64_t)count,
                                     stream),
          doing);
    block<unsigned char> scratch(bytes, stream);
    check(cub::DeviceSelect::Flagged(scratch.get(), bytes, all, mark, number, found,
                                     (std::int64_t)count, stream),
          doing);
}

} // namespace shepard

#endif
