/* SPDX-License-Identifier: MIT */
#include "device_task.cuh"
#include "original.cuh"

namespace shepard
{

template <bool Tiled, bool Packed, int K, class Real, int C>
static void launch_one(const sum_task<Real, C> &task)
{
    const unsigned blocks = blocks_for(task.data.m, block_threads);
    original<Tiled, Packed, Real, C, K>
        <<<blocks, block_threads, 0, task.on->get()>>>(task.data, task.adapt, task.by, task.list);
    check_launch("starting neighbours and sums");
}

template <class Real, int C> void launch_original(const sum_task<Real, C> &task)
{
    choose(task.engine->scheme == SHEPARD_PAPER_TILED, [&](auto tiled) {
        choose(task.engine->layout == SHEPARD_PAPER_AOAS, [&](auto packed) {
            constexpr bool t = decltype(tiled)::value, p = decltype(packed)::value;
            if (task.adapt.k <= short_list)
                launch_one<t, p, short_list>(task);
            else
                launch_one<t, p, SHEPARD_PAPER_NEIGHBOURS_MAX>(task);
        });
    });
}

#define INSTANTIATE(Real, C) template void launch_original<Real, C>(const sum_task<Real, C> &);
SHEPARD_FOR_EACH_TASK(INSTANTIATE)

} // namespace shepard
