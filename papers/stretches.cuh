/* SPDX-License-Identifier: MIT */
/* Work on the processor's threads for what goes to the GPU and comes back. */
#ifndef SHEPARD_PAPERS_STRETCHES_CUH
#define SHEPARD_PAPERS_STRETCHES_CUH

#include <algorithm>
#include <cstddef>

extern "C" {
#include "base/parallel.h"
}

namespace shepard
{

constexpr std::size_t stretch_length = 32768;

/* Calls work(first, end) for stretches of count numbers, on all threads. work throws nothing. */
template <class Work> inline void for_stretches(std::size_t count, const Work &work)
{
    struct stretch_call {
        std::size_t count;
        const Work *work;
    } all = {count, &work};
    shepard_loop loop = {};
    loop.threads = shepard_threads(0);
    loop.blocks = (count + stretch_length - 1) / stretch_length;
    loop.context = &all;
    loop.body = [](void *context, std::size_t block, int) {
        const stretch_call &of = *static_cast<const stretch_call *>(context);
        const std::size_t first = block * stretch_length;
        (*of.work)(first, std::min(first + stretch_length, of.count));
        return SHEPARD_OK;
    };
    shepard_loop_run(&loop);
}

} // namespace shepard

#endif
