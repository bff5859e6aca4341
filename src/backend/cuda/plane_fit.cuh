/* SPDX-License-Identifier: MIT */
/* Planes over all points at the targets of a chunk, pass by pass: each sums for the targets at its
 * phase, whose planes are then answered, or left to a later one. Mirrors backend/cpu/finalize.c. */
#ifndef SHEPARD_BACKEND_CUDA_PLANE_FIT_CUH
#define SHEPARD_BACKEND_CUDA_PLANE_FIT_CUH

#include "backend/cuda/all_points.cuh"
#include "backend/cuda/finalize.cuh"

extern "C" {
#include "core/plane_levels.h"
#include "core/rules.h"
}

namespace shepard
{

/* Two of each level, and of exact sums: about the target, then in the axes of its points, where
 * the first does not determine the plane well (Eq. 12c). A target's phase never falls. */
constexpr int plane_phases = 2 * (SHEPARD_PLANE_LEVELS + 1);
constexpr int plane_phase_exact = 2 * SHEPARD_PLANE_LEVELS;
constexpr int plane_phase_done = plane_phases;

__host__ __device__ constexpr int level_of_phase(int phase)
{
    return phase / 2;
}

using plane_answers = finalize_job<points_view, target_view>;

/* What a plane is fitted with, and where its parts go. */
struct plane_rules {
    double ridge, damping, eps;
    shepard_box box; /* of all points, frame units */
    double *mean;    /* [columns, m] at the targets' places: of z', as all_points_sums has it */
    double *weight;  /* [m] there: sum of weights */
    all_points_work *work; /* added to by exact sums; nullptr: not wanted */
};

class plane_fit
{
  public:
    /* exact: every pair is summed. */
    plane_fit(const plane_answers &answers, const plane_rules &rules, bool exact, const stream &in);

    /* How many targets are at a phase; known after the phases before it. */
    std::uint32_t count_at(int phase) const { return count_[phase]; }
    /* What sums for these take, of exact weights. */
    plane_pass pass(int phase) const;
    /* Answers those whose planes are good, moves the others on: waits for the stream. */
    void finish(int phase);

  private:
    void count();

    const plane_answers &answers_;
    const plane_rules rules_;
    const stream &in_;
    block<std::uint8_t> phase_;
    block<shepard_axes> axes_;
    block<double> sums_;
    block<std::uint32_t> counts_; /* [plane_phases + 1] */
    std::uint32_t count_[plane_phases + 1] = {};
};

/* Device memory for each target, bytes. */
std::size_t plane_fit_bytes(std::size_t columns);

} // namespace shepard

#endif
