/* SPDX-License-Identifier: MIT */
#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/local_expansion.cuh"
#include "backend/cuda/plane_expansion.cuh"

#include <algorithm>

namespace shepard
{

namespace
{

/* Kernels of different classes run side by side: some have little to do. */
constexpr int sides = 4;

class side_streams
{
  public:
    explicit side_streams(const stream &main) : main_(main) {}

    void wait() const
    {
        for (const stream &side : side_)
            (void)cudaStreamSynchronize(side.get());
    }
    /* What they do from now on comes after what the main stream was given. */
    void fork()
    {
        ready_.record(main_);
        for (const stream &side : side_)
            check(cudaStreamWaitEvent(side.get(), ready_.get()), "summing");
    }
    /* What the main stream is given from now on comes after what they did. */
    void join()
    {
        for (int i = 0; i < sides; i++) {
            done_[i].record(side_[i]);
            check(cudaStreamWaitEvent(main_.get(), done_[i].get()), "summing");
        }
    }
    cudaStream_t next() { return side_[turn_++ % sides].get(); }

  private:
    const stream &main_;
    stream side_[sides];
    event ready_, done_[sides];
    unsigned turn_ = 0;
};

/* Nothing that streams use, made before this, is given back before they are done. */
class side_wait
{
  public:
    explicit side_wait(const side_streams &sides) : sides_(sides) {}
    side_wait(const side_wait &) = delete;
    side_wait &operator=(const side_wait &) = delete;
    ~side_wait() { sides_.wait(); }

  private:
    const side_streams &sides_;
};

/* Groups of one class and their lists. */
struct class_part {
    int number;
    group_list groups;
    list_view lists;
};

/* What sums of a call are made of. */
struct class_launcher {
    const all_points_job &total;
    const far_view<float> *single;
    const far_view<double> *precise;
    const target_groups &groups;

    void run_kernel(const sum_job &job, cudaStream_t stream) const
    {
        if (total.plane.phase != nullptr) {
            sum_plane_points(job, stream);
            if (total.accuracy == nullptr)
                return;
            if (total.local != nullptr && job.of.one_power)
                expand_planes(job, *precise, stream);
            sum_plane_nodes(job, *precise, stream);
            return;
        }
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

    /* As many columns at a time as the kernel takes. */
    void run_columns(const class_part &part, int round, cudaStream_t stream) const
    {
        const group_class of = class_of_number(part.number);
        by_columns(total, of.precise ? columns_double : columns_single,
                   [&](const all_points_job &some) {
                       run_kernel({some, part.groups, part.lists, round, of}, stream);
                   });
    }

    void run_class(const class_part &part, int round, cudaStream_t stream) const
    {
        if (total.accuracy != nullptr) {
            list_groups(total, part.groups, part.lists, round, stream);
            if (total.local != nullptr && single != nullptr &&
                class_of_number(part.number).one_power)
                expand_locally(total, part.groups, part.lists, *single, stream);
        }
        run_columns(part, round, stream);
    }

    /* A round of the groups first ... end - 1: classes side by side. */
    void run_round(std::uint32_t first, std::uint32_t end, const list_view &lists, int round,
                   side_streams &sides) const
    {
        sides.fork();
        const group_list all = groups.all();
        for (int number = 0; number < group_classes; number++) {
            const std::uint32_t from = std::max(first, groups.first_of(number));
            const std::uint32_t to = std::min(end, groups.first_of(number + 1));
            if (from < to)
                run_class({number,
                           {all.records + from, to - from, all.member},
                           total.accuracy != nullptr ? lists.from(from - first) : list_view{}},
                          round, sides.next());
        }
        sides.join();
    }
};

} // namespace

void sum_all_points(const all_points_job &total, const far_view<float> *single,
                    const far_view<double> *precise, list_room &room, const stream &in)
{
    /* First, while the device has other work: making streams takes as long as planning. */
    side_streams sides(in);
    const target_groups groups(total, in);
    const group_list all = groups.all();
    const class_launcher sums = {total, single, precise, groups};
    if (all.count == 0)
        return;
    if (total.accuracy == nullptr) {
        const side_wait finish(sides);
        sums.run_round(0, all.count, {}, 0, sides);
        return;
    }
    lists listed(total.tree, std::min(wave_groups, all.count),
                 total.local != nullptr && single != nullptr ? single->charges : 0,
                 total.local != nullptr && total.plane.phase != nullptr, room, in.get());
    const side_wait finish(sides);
    for (std::uint32_t first = 0; first < all.count; first += wave_groups) {
        const std::uint32_t end = first + std::min(wave_groups, all.count - first);
        int round = 0;
        do {
            listed.begin_round(in.get());
            sums.run_round(first, end, listed.view(), round++, sides);
        } while (listed.go_on(in));
    }
}

} // namespace shepard
