/* SPDX-License-Identifier: MIT */
#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/local_expansion.cuh"
#include "backend/cuda/plane_expansion.cuh"

#include <algorithm>
#include <optional>

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
    cudaStream_t main() const { return main_.get(); }
    /* Of what the main stream was given so far, for theirs to wait for. */
    cudaEvent_t mark()
    {
        marked_.record(main_);
        return marked_.get();
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
    event ready_, marked_, done_[sides];
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

    /* Targets alone have no expansion of their own. */
    static bool expands(const group_class &of)
    {
        return of.one_power && of.width != group_width::one_warp;
    }

    /* A pass of planes is of a column at most. */
    void run_planes(const sum_job &job, cudaStream_t stream, cudaEvent_t shared) const
    {
        if (total.accuracy != nullptr && job.total.column == 0)
            list_groups(total, job.groups, parents, job.lists, job.round, stream);
        sum_plane_points(job, stream);
        if (total.accuracy == nullptr)
            return;
        if (expands(job.of))
            expand(job, stream);
        check(cudaStreamWaitEvent(stream, shared), "summing");
        sum_plane_nodes(job, *precise, stream);
    }

    /* As many columns at a time as the kernel takes. */
    void run_values(const sum_job &job, cudaStream_t stream, cudaEvent_t shared) const
    {
        if (total.accuracy != nullptr) {
            list_groups(total, job.groups, parents, job.lists, job.round, stream);
            if (expands(job.of))
                expand(job, stream);
            check(cudaStreamWaitEvent(stream, shared), "summing");
        }
        by_columns(total, job.of.precise ? columns_double : columns_single,
                   [&](const all_points_job &some) {
                       sum({some, job.groups, job.lists, parents, job.round, job.of}, stream);
                   });
    }

    /* Of some columns, a round of the groups first ... end - 1: classes side by side. */
    void run_some(const all_points_job &some, std::uint32_t first, std::uint32_t end,
                  const list_view &lists, int round, side_streams &sides) const
    {
        const group_list all = groups.all();
        sides.fork();
        if (round == 0 && (first == 0 || (of_planes() && total.columns > 1)))
            expand_parents(some, sides.main());
        const cudaEvent_t shared = sides.mark();
        for (int number = 0; number < group_classes; number++) {
            const std::uint32_t from = std::max(first, groups.first_of(number));
            const std::uint32_t to = std::min(end, groups.first_of(number + 1));
            if (from >= to)
                continue;
            const sum_job job = {some,
                                 {all.records + from, to - from, all.member},
                                 total.accuracy != nullptr ? lists.from(from - first) : list_view{},
                                 parents,
                                 round,
                                 class_of_number(number)};
            if (of_planes())
                run_planes(job, sides.next(), shared);
            else
                run_values(job, sides.next(), shared);
        }
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

/* Makes room for some groups, and for parents: for some more of these than there are now, as their
 * number changes from chunk to chunk. */
void reserve(list_room &room, std::size_t groups, std::size_t parents, cudaStream_t stream)
{
    if (room.size() >= groups + parents)
        return;
    room = list_room();
    room = list_room(groups + parents + parents / 8, stream);
}

/* As many groups at a time as there are lists for. A wave begins before it is known that the one
 * before needs no further round: where it does, nothing has been done. */
class wave_runner
{
  public:
    wave_runner(const class_launcher &sums, lists &listed, side_streams &sides, const stream &in)
        : sums_(sums), listed_(listed), sides_(sides), in_(in)
    {
    }

    void run()
    {
        const std::uint32_t all = sums_.groups.all().count;
        int turn = 0;
        begin(0, turn, false);
        for (std::uint32_t first = wave_groups; first < all; first += wave_groups) {
            turn ^= 1;
            begin(first, turn, true);
            if (!leaves(turn ^ 1))
                continue;
            finish(first - wave_groups, turn ^ 1);
            begin(first, turn, false);
        }
        if (listed_.go_on(turn, in_))
            finish((all - 1) / wave_groups * wave_groups, turn);
    }

  private:
    void run_round(std::uint32_t first, int turn, bool ahead, int round)
    {
        const std::uint32_t all = sums_.groups.all().count;
        listed_.begin_round(turn, in_.get());
        sums_.run_round(first, first + std::min(wave_groups, all - first),
                        listed_.view(turn, ahead), round, sides_);
    }
    void begin(std::uint32_t first, int turn, bool ahead)
    {
        run_round(first, turn, ahead, 0);
        begun_[turn].record(in_);
    }
    /* Whether a wave needs a further round; others may have begun. */
    bool leaves(int turn)
    {
        if (!beside_)
            beside_.emplace();
        check(cudaStreamWaitEvent(beside_->get(), begun_[turn].get()), "summing");
        return listed_.go_on(turn, *beside_);
    }
    /* The further rounds. */
    void finish(std::uint32_t first, int turn)
    {
        int round = 1;
        do
            run_round(first, turn, false, round++);
        while (listed_.go_on(turn, in_));
    }

    const class_launcher &sums_;
    lists &listed_;
    side_streams &sides_;
    const stream &in_;
    std::optional<stream> beside_; /* made where there are several waves */
    event begun_[2];
};

} // namespace

void sum_all_points(const all_points_job &total, const far_view<float> *single,
                    const far_view<double> *precise, list_room &room, const stream &in)
{
    /* First, while the device has other work: making streams takes as long as planning. */
    side_streams sides(in);
    const target_groups groups(total, in);
    const group_list all = groups.all();
    if (all.count == 0)
        return;
    parent_view parents = {};
    if (total.accuracy == nullptr) {
        const class_launcher sums = {total, single, precise, groups, parents};
        const side_wait finish(sides);
        sums.run_round(0, all.count, {}, 0, sides);
        return;
    }
    const int charges = total.local != nullptr && single != nullptr ? single->charges : 0;
    const bool planes = total.local != nullptr && total.plane.phase != nullptr;
    const std::uint32_t most = std::min(wave_groups, all.count);
    const list_shape of_parents = {0, 0, parent_room, charges, planes};
    const list_shape of_groups = {point_room, total.tree.orders, waiting_most(total.tree.depth),
                                  charges, planes};
    parents.list = groups.parents();
    const std::size_t parent_entries = (std::size_t)parents.list.count * of_parents.entries();
    reserve(room, (std::size_t)most * of_groups.entries(), parent_entries, in.get());
    const block<parent_place> places(parents.list.count, in.get());
    const lists shared(of_parents, parents.list.count, room.get(), in.get());
    lists listed(of_groups, most, room.get() + parent_entries, in.get());
    parents.place = places.get();
    parents.lists = shared.view(0, false);
    const side_wait finish(sides);
    list_parents(total, parents, in.get());
    const class_launcher sums = {total, single, precise, groups, parents};
    wave_runner(sums, listed, sides, in).run();
}

} // namespace shepard
