/* SPDX-License-Identifier: MIT */
/* Groups, wave by wave, until all of their lists are summed. */
#ifndef SHEPARD_BACKEND_CUDA_WAVE_RUNNER_CUH
#define SHEPARD_BACKEND_CUDA_WAVE_RUNNER_CUH

#include "backend/cuda/class_launcher.cuh"

#include <algorithm>
#include <optional>

namespace shepard
{

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

} // namespace shepard

#endif
