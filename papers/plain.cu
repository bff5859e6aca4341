/* SPDX-License-Identifier: MIT */
#include "device_task.cuh"
#include "plain.cuh"

namespace shepard
{

template <form F, bool Tiled, bool Packed, class Real>
static void launch_sums(const sum_task<Real, 1> &task)
{
    plain_weigh<F, Tiled, Packed>
        <<<blocks_for(task.data.m, block_threads), block_threads, 0, task.on->get()>>>(
            task.data, task.by, task.list);
    check_launch("starting the plain sums");
}

template <bool Tiled, bool Packed, int K, class Real>
static void launch_neighbours(const sum_task<Real, 1> &task)
{
    plain_original<Tiled, Packed, Real, K>
        <<<blocks_for(task.data.m, block_threads), block_threads, 0, task.on->get()>>>(
            task.data, task.adapt, task.by, task.list);
    check_launch("starting plain neighbours and sums");
}

template <bool Tiled, bool Packed, class Real>
static void launch_original(const sum_task<Real, 1> &task)
{
    if (task.adapt.k <= short_list)
        launch_neighbours<Tiled, Packed, short_list>(task);
    else
        launch_neighbours<Tiled, Packed, SHEPARD_PAPER_NEIGHBOURS_MAX>(task);
}

/* The systems that are plain in double too come first. */
template <bool Tiled, bool Packed, class Real>
static void launch_system(const sum_task<Real, 1> &task)
{
    if (task.engine->system == SHEPARD_PAPER_ORIGINAL)
        launch_original<Tiled, Packed>(task);
    if constexpr (std::is_same_v<Real, float>) {
        if (task.engine->system == SHEPARD_PAPER_IMPROVED)
            launch_sums<form::adaptive, Tiled, Packed>(task);
    }
    if constexpr (std::is_same_v<Real, float> && !Packed) {
        if (task.engine->system == SHEPARD_PAPER_IDW && task.engine->square)
            launch_sums<form::square, Tiled, Packed>(task);
        else if (task.engine->system == SHEPARD_PAPER_IDW)
            launch_sums<form::uniform, Tiled, Packed>(task);
    }
}

template <class Real> void launch_plain(const sum_task<Real, 1> &task)
{
    choose(task.engine->scheme == SHEPARD_PAPER_TILED, [&](auto tiled) {
        choose(task.engine->layout == SHEPARD_PAPER_AOAS, [&](auto packed) {
            launch_system<decltype(tiled)::value, decltype(packed)::value>(task);
        });
    });
}

template void launch_plain<float>(const sum_task<float, 1> &);
template void launch_plain<double>(const sum_task<double, 1> &);

} // namespace shepard
