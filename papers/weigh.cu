/* SPDX-License-Identifier: MIT */
#include "mend.cuh"
#include "task.cuh"
#include "weigh.cuh"

namespace shepard
{

/* Four targets a thread read a point of a tile once; with fewer blocks of them than this on each
 * multiprocessor one target a thread balances the load better. */
constexpr int wide_targets = 4;
constexpr std::size_t wide_blocks = 8;

template <form F, bool Tiled, bool Packed, int T, class Real, int C>
static void launch_one(const sum_task<Real, C> &task)
{
    const unsigned blocks = blocks_for(task.data.m, block_threads * T);
    weigh<F, Tiled, Packed, Real, C, T>
        <<<blocks, block_threads, 0, task.on->get()>>>(task.data, task.by, task.list);
    check_launch("starting the sums");
}

template <form F, bool Tiled, bool Packed, class Real, int C>
static void launch_width(const sum_task<Real, C> &task)
{
    if constexpr (Tiled && C == 1 && std::is_same_v<Real, float>) {
        const std::size_t enough =
            wide_blocks * (std::size_t)(task.multiprocessors * block_threads * wide_targets);
        if (task.targets_of_job >= enough) {
            launch_one<F, Tiled, Packed, wide_targets>(task);
            return;
        }
    }
    launch_one<F, Tiled, Packed, 1>(task);
}

template <form F, class Real, int C> static void launch_form(const sum_task<Real, C> &task)
{
    choose(task.engine->scheme == SHEPARD_PAPER_TILED, [&](auto tiled) {
        choose(task.engine->layout == SHEPARD_PAPER_AOAS, [&](auto packed) {
            launch_width<F, decltype(tiled)::value, decltype(packed)::value>(task);
        });
    });
}

template <class Real, int C> void launch_weigh(const sum_task<Real, C> &task)
{
    if (task.engine->system != SHEPARD_PAPER_IDW)
        launch_form<form::adaptive>(task);
    else if (task.engine->square)
        launch_form<form::square>(task);
    else
        launch_form<form::uniform>(task);
}

template <class Real, int C> void launch_mend(const sum_task<Real, C> &task)
{
    const unsigned blocks = (unsigned)task.multiprocessors * 16;
    choose(task.engine->layout == SHEPARD_PAPER_AOAS, [&](auto packed) {
        mend<decltype(packed)::value>
            <<<blocks, block_threads, 0, task.on->get()>>>(task.data, task.by, task.list);
    });
    check_launch("starting the careful sums");
}

#define INSTANTIATE(Real, C)                                                                       \
    template void launch_weigh<Real, C>(const sum_task<Real, C> &);                                \
    template void launch_mend<Real, C>(const sum_task<Real, C> &);
SHEPARD_FOR_EACH_TASK(INSTANTIATE)

} // namespace shepard
