/* SPDX-License-Identifier: MIT */
/* Work on the CPU's threads for what goes to the GPU and comes back. */
#ifndef SHEPARD_PAPERS_HOST_PARALLEL_CUH
#define SHEPARD_PAPERS_HOST_PARALLEL_CUH

#include <algorithm>
#include <cstddef>

extern "C" {
#include "base/parallel.h"
}

namespace shepard
{

constexpr std::size_t range_length = 32768;

/* Calls work(first, end) for ranges of count numbers, on all threads; within another such call, on
 * one. work throws nothing. */
template <class Work>
inline void parallel_for_ranges(std::size_t count, const Work &work,
                                std::size_t length = range_length)
{
    struct range_call {
        std::size_t count, length;
        const Work *work;
    } all = {count, length, &work};
    shepard_loop loop = {};
    loop.threads = shepard_threads(0);
    loop.blocks = (count + length - 1) / length;
    loop.context = &all;
    loop.body = [](void *context, std::size_t block, int) {
        const range_call &of = *static_cast<const range_call *>(context);
        const std::size_t first = block * of.length;
        (*of.work)(first, std::min(first + of.length, of.count));
        return SHEPARD_OK;
    };
    shepard_loop_run(&loop);
}

} // namespace shepard

#endif
