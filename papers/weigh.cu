/* SPDX-License-Identifier: MIT */
#include "device_task.cuh"
#include "fixup.cuh"
#include "weigh.cuh"

#include <algorithm>

namespace shepard
{

/* Four targets a thread read a point of a tile once; a job of fewer than so many targets has too
 * few blocks of them. */
constexpr int wide_targets = 4;
constexpr std::size_t wide_job = 65536;

/* Blocks that keep each multiprocessor busy up to the end, and points of a part at least. */
constexpr std::size_t busy_blocks = 128;
constexpr std::size_t part_least = 4 * tile_points;

template <class Real, int C>
static division<Real> divide(const sum_task<Real, C> &task, unsigned blocks)
{
    const std::size_t n = task.data.n;
    const std::size_t wanted = busy_blocks * (std::size_t)task.multiprocessors / blocks / task.sets;
    const std::size_t parts = std::max<std::size_t>(1, std::min(wanted, n / part_least));
    const std::size_t tiles = (n + tile_points - 1) / tile_points;
    const std::size_t length = (tiles + parts - 1) / parts * tile_points;
    division<Real> made = {nullptr, (std::uint32_t)length,
                           (std::uint32_t)((n + length - 1) / length)};
    if (made.parts > 1) {
        const std::size_t numbers = task.sets * made.parts * (std::size_t)(C + 1) * task.data.m;
        if (task.parts->size() < numbers)
            *task.parts = buffer<Real>(numbers);
        made.sums = task.parts->get();
    }
    return made;
}

template <form F, bool Tiled, bool Packed, int T, class Real, int C>
static void launch_one(const sum_task<Real, C> &task)
{
    const unsigned blocks = blocks_for(task.data.m, block_threads * T);
    const division<Real> division =
        Tiled ? divide(task, blocks) : shepard::division<Real>{nullptr, task.data.n, 1};
    const dim3 grid(blocks, division.parts);
    weigh<F, Tiled, Packed, Real, C, T>
        <<<grid, block_threads, 0, task.on->get()>>>(task.data, task.by, division, task.list);
    check_launch("starting the sums");
    if (division.parts > 1) {
        join<Packed><<<blocks_for(task.data.m, block_threads), block_threads, 0, task.on->get()>>>(
            task.data, division, task.list);
        check_launch("adding the parts of the sums");
    }
}

template <bool Tiled, int T, class Real> static void launch_sets_one(const sum_task<Real, 1> &task)
{
    const unsigned blocks = blocks_for(task.data.m, block_threads * T);
    const division<Real> division =
        Tiled ? divide(task, blocks) : shepard::division<Real>{nullptr, task.data.n, 1};
    const dim3 grid(blocks, division.parts, task.sets);
    weigh_sets<Tiled, Real, T>
        <<<grid, block_threads, 0, task.on->get()>>>(task.data, task.by, division, task.list);
    check_launch("starting the sums of several sets");
    if (division.parts > 1) {
        const dim3 targets(blocks_for(task.data.m, block_threads), task.sets);
        join_sets<<<targets, block_threads, 0, task.on->get()>>>(task.data, division, task.list);
        check_launch("adding the parts of the sums of several sets");
    }
}

static void launch_sets(const sum_task<float, 1> &task)
{
    if (task.engine->scheme == SHEPARD_PAPER_NAIVE)
        launch_sets_one<false, 1>(task);
    else if (task.targets_of_job >= wide_job)
        launch_sets_one<true, wide_targets>(task);
    else
        launch_sets_one<true, 1>(task);
}

template <form F, bool Tiled, bool Packed, class Real, int C>
static void launch_width(const sum_task<Real, C> &task)
{
    if constexpr (Tiled && C == 1 && std::is_same_v<Real, float>) {
        if (task.targets_of_job >= wide_job) {
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
    if constexpr (C == 1 && std::is_same_v<Real, float>) {
        if (task.sets > 1) {
            launch_sets(task);
            return;
        }
    }
    if (task.engine->system != SHEPARD_PAPER_IDW)
        launch_form<form::adaptive>(task);
    else if (task.engine->square)
        launch_form<form::square>(task);
    else
        launch_form<form::uniform>(task);
}

template <class Real, int C> void launch_fixup(const sum_task<Real, C> &task)
{
    const unsigned blocks = (unsigned)task.multiprocessors * 16;
    if constexpr (C == 1 && std::is_same_v<Real, float>) {
        if (task.sets > 1) {
            const dim3 grid(std::max(1u, blocks / task.sets), task.sets);
            fixup_sets<<<grid, block_threads, 0, task.on->get()>>>(task.data, task.by, task.list);
            check_launch("starting the careful sums of several sets");
            return;
        }
    }
    choose(task.engine->layout == SHEPARD_PAPER_AOAS, [&](auto packed) {
        fixup<decltype(packed)::value>
            <<<blocks, block_threads, 0, task.on->get()>>>(task.data, task.by, task.list);
    });
    check_launch("starting the careful sums");
}

#define INSTANTIATE(Real, C)                                                                       \
    template void launch_weigh<Real, C>(const sum_task<Real, C> &);                                \
    template void launch_fixup<Real, C>(const sum_task<Real, C> &);
SHEPARD_FOR_EACH_TASK(INSTANTIATE)

} // namespace shepard
