/* SPDX-License-Identifier: MIT */
/* The targets of a chunk of a call, put into the frame and in order along the curve. */
#ifndef SHEPARD_BACKEND_CUDA_TARGETS_CUH
#define SHEPARD_BACKEND_CUDA_TARGETS_CUH

#include "backend/cuda/cloud.cuh"
#include "backend/cuda/curve.cuh"
#include "backend/cuda/watch.cuh"
#include "cuda/pool.cuh"

extern "C" {
#include "core/frame.h"
#include "core/targets.h"
}

namespace shepard
{

/* What the targets are put in order by. */
struct target_frame {
    shepard_frame frame;
    curve along;
    cloud_view cloud;
};

class targets
{
  public:
    /* Targets first ... first + count - 1 of a call; count < 2^32. */
    targets(const shepard_targets_view &of, std::size_t first, std::size_t count,
            const target_frame &in, const stream &on, stage_clock &clock);

    target_view view() const { return {m_, x_.get(), y_.get(), index_.get(), rank_.get()}; }
    /* [m] keys, in the targets' order; curve_end where a target is not finite. */
    const std::uint64_t *key() const { return key_.get(); }

  private:
    std::uint32_t m_;
    block<double> x_, y_;
    block<std::uint32_t> index_, rank_;
    block<std::uint64_t> key_;
};

} // namespace shepard

#endif
