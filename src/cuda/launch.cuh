/* SPDX-License-Identifier: MIT */
/* The shape of a launch. */
#ifndef SHEPARD_CUDA_LAUNCH_CUH
#define SHEPARD_CUDA_LAUNCH_CUH

#include <cstddef>

namespace shepard
{

constexpr unsigned whole_warp = ~0u;

/* Blocks for `count` pieces of work, of_block of them each. */
inline unsigned blocks_for(std::size_t count, std::size_t of_block)
{
    return (unsigned)((count + of_block - 1) / of_block);
}

} // namespace shepard

#endif
