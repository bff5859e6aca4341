/* SPDX-License-Identifier: MIT */
/* Kernels of sums for groups, class by class. */
#ifndef SHEPARD_BACKEND_CUDA_CLASS_LAUNCHER_CUH
#define SHEPARD_BACKEND_CUDA_CLASS_LAUNCHER_CUH

#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/local_expansion.cuh"
#include "backend/cuda/plane_expansion.cuh"
#include "backend/cuda/side_streams.cuh"

#include <algorithm>

namespace shepard
{

/* What sums of a call are made of. */
struct class_launcher {
    const all_points_job &total;
    const far_view<float> *single;
    const far_view<double> *precise;
    const target_groups &groups;
    const parent_view &parents;

    bool of_planes() const { return total.plane.phase != nullptr; }

    void expand(const sum_job &job, cudaStream_t stream) const
    {
        if (total.local == nullptr || job.groups.count == 0)
            return;
        if (of_planes())
            expand_planes(job, *precise, stream);
        else if (single != nullptr)
            expand_locally(total, job.groups, job.lists, *single, stream);
    }

    /* What parent groups share. It runs while groups are walked for: their sums need it. */
    void expand_parents(const all_points_job &some, cudaStream_t stream) const
    {
        const group_list all = {parents.list.records, parents.list.count, nullptr};
        expand({some, all, parents.lists, parents, 0, {}}, stream);
    }

    void sum(const sum_job &job, cudaStream_t stream) const
    {
        const bool smoothed = total.smoothing2 > 0 && total.accuracy != nullptr;
        const auto in_single = smoothed ? sum_smoothed_single : sum_single;
        const auto in_double = [&](const auto &far) {
            smoothed ? sum_smoothed_double(job, far, stream) : sum_double(job, far, stream);
        };
        if (!job.of.precise)
            in_single(job, *single, stream);
        else if (single != nullptr)
            in_double(*single);
        else
            in_double(precise != nullptr ? *precise : far_view<double>{});
    }

    /* What groups have of their own: targets alone have nothing. */
    void expand_own(const sum_job &job, cudaStream_t stream) const
    {
        if (job.of.one_power && job.of.width != group_width::one_warp)
            expand(job, stream);
    }

    /* A pass of planes is of a column at most. */
    void run_planes(const sum_job &job, cudaStream_t stream, cudaEvent_t shared) const
    {
        if (total.accuracy != nullptr && job.total.column == 0)
            list_groups(total, job.groups, parents, job.lists, job.round, stream);
        sum_plane_points(job, stream);
        if (total.accuracy == nullptr)
            return;
        expand_own(job, stream);
        check(cudaStreamWaitEvent(stream, shared), "summing");
        sum_plane_nodes(job, *precise, stream);
    }

    /* As many columns at a time as the kernel takes. */
    void run_values(const sum_job &job, cudaStream_t stream, cudaEvent_t shared) const
    {
        if (total.accuracy != nullptr) {
            list_groups(total, job.groups, parents, job.lists, job.round, stream);
            expand_own(job, stream);
            check(cudaStreamWaitEvent(stream, shared), "summing");
        }
        by_columns(total, job.of.precise ? columns_double : columns_single,
                   [&](const all_points_job &some) {
                       sum({some, job.groups, job.lists, parents, job.round, job.of}, stream);
                   });
    }

    /* Which of the groups first ... end - 1 are of a class. */
    struct group_range {
        std::uint32_t first, end;

        bool empty() const { return first >= end; }
    };
    group_range of_class(int number, std::uint32_t first, std::uint32_t end) const
    {
        return {std::max(first, groups.first_of(number)),
                std::min(end, groups.first_of(number + 1))};
    }
    int classes_of(std::uint32_t first, std::uint32_t end) const
    {
        int classes = 0;
        for (int number = 0; number < group_classes; number++)
            classes += !of_class(number, first, end).empty();
        return classes;
    }

    /* Of some columns, a round of the groups first ... end - 1: classes side by side. One that has
     * nothing beside it stays in the main stream: to fork and to join takes time in each wave. */
    void run_some(const all_points_job &some, std::uint32_t first, std::uint32_t end,
                  const list_view &lists, int round, side_streams &sides) const
    {
        const group_list all = groups.all();
        const bool shares = round == 0 && (first == 0 || (of_planes() && total.columns > 1));
        const bool forks = shares || classes_of(first, end) > 1;
        if (forks)
            sides.fork();
        if (shares)
            expand_parents(some, sides.main());
        const cudaEvent_t shared = sides.mark();
        for (int number = 0; number < group_classes; number++) {
            const group_range own = of_class(number, first, end);
            if (own.empty())
                continue;
            const sum_job job = {some,
                                 {all.records + own.first, own.end - own.first, all.member},
                                 total.accuracy != nullptr ? lists.from(own.first - first)
                                                           : list_view{},
                                 parents,
                                 round,
                                 class_of_number(number)};
            const cudaStream_t stream = forks ? sides.next() : sides.main();
            if (of_planes())
                run_planes(job, stream, shared);
            else
                run_values(job, stream, shared);
        }
        if (forks)
            sides.join();
    }

    void run_round(std::uint32_t first, std::uint32_t end, const list_view &lists, int round,
                   side_streams &sides) const
    {
        if (of_planes())
            by_columns(total, columns_double, [&](const all_points_job &some) {
                run_some(some, first, end, lists, round, sides);
            });
        else
            run_some(total, first, end, lists, round, sides);
    }
};

} // namespace shepard

#endif
