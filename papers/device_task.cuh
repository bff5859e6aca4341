/* SPDX-License-Identifier: MIT */
/* One launch of sums, and who launches what. C is 1, 4 or 16: more columns than 16 go in chunks of
 * 16, whose weights are made again for each chunk. */
#ifndef SHEPARD_PAPERS_DEVICE_TASK_CUH
#define SHEPARD_PAPERS_DEVICE_TASK_CUH

#include "grid_search.cuh"
#include "kernel_data.cuh"
#include "papers_engine.h"
#include "powers.cuh"

#include "cuda/buffer.cuh"
#include "cuda/launch.cuh"
#include "cuda/stream.cuh"

#include <type_traits>

namespace shepard
{

template <class Real, int C> struct sum_task {
    kernel_data<Real, C> data;
    target_powers<Real> by;
    adapt_table<Real> adapt; /* of the original system */
    fixup_list list;
    buffer<Real> *parts; /* grows to hold the sums of parts of the data */
    const shepard_paper_engine *engine;
    const stream *on;
    int multiprocessors;
    std::uint32_t sets; /* whose arrays follow one another; several: IDW of power 2, SoA, C = 1 */
    std::size_t
        targets_of_job; /* of all sets, but of a run that only loads kernels: of what follows
                         */
};

/* All are defined for float and double, C = 1, 4, 16, and queue their work on the task's stream. */
template <class Real, int C> void launch_weigh(const sum_task<Real, C> &task);
template <class Real, int C> void launch_original(const sum_task<Real, C> &task);
template <class Real, int C> void launch_fixup(const sum_task<Real, C> &task);

/* The plain engines. */
template <class Real> void launch_plain(const sum_task<Real, 1> &task);

/* SoA only. Comes back when the sums are made: it must read whether a launch on the device failed.
 */
template <class Real, int C> void launch_nested(const sum_task<Real, C> &task);

/* Makes a choice of a running program one of the compiler: work takes a std::bool_constant. */
template <class Work> inline void choose(bool value, const Work &work)
{
    if (value)
        work(std::true_type{});
    else
        work(std::false_type{});
}

} // namespace shepard

#define SHEPARD_FOR_EACH_TASK(X)                                                                   \
    X(float, 1) X(float, 4) X(float, 16) X(double, 1) X(double, 4) X(double, 16)

#endif
