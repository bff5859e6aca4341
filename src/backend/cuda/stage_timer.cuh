/* SPDX-License-Identifier: MIT */
/* How long stages of work in a stream take, by the device's clock. */
#ifndef SHEPARD_BACKEND_CUDA_STAGE_TIMER_CUH
#define SHEPARD_BACKEND_CUDA_STAGE_TIMER_CUH

#include "cuda/stream.cuh"

extern "C" {
#include "shepard/shepard.h"
}

#include <deque>

namespace shepard
{

/* Marks in a stream; between two of them lies a stage. One that is off costs nothing. */
using stage_of = double shepard_timing::*;

class stage_timer
{
  public:
    explicit stage_timer(bool on) : on_(on) {}

    /* What follows belongs to a stage of struct shepard_timing, nullptr: to none. */
    void enter(stage_of stage, const stream &in)
    {
        if (!on_)
            return;
        marks_.emplace_back();
        marks_.back().stage = stage;
        marks_.back().at.record(in);
    }

    /* Adds all stages up; the stream has been waited for, the last stage has been left. */
    void add_to(shepard_timing *timing)
    {
        for (std::size_t i = 0; i + 1 < marks_.size(); i++)
            if (marks_[i].stage != nullptr)
                timing->*marks_[i].stage += seconds_between(marks_[i].at, marks_[i + 1].at);
        marks_.clear();
    }

  private:
    struct mark {
        stage_of stage = nullptr;
        event at;
    };
    bool on_;
    std::deque<mark> marks_;
};

} // namespace shepard

#endif
