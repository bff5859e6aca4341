/* SPDX-License-Identifier: MIT */
/* Targets that are data points, each left out of its own prediction: where they are among the
 * points of a prediction. Mirrors core/leave_out.h. */
#ifndef SHEPARD_BACKEND_CUDA_LEAVE_OUT_CUH
#define SHEPARD_BACKEND_CUDA_LEAVE_OUT_CUH

#include "backend/cuda/points_view.cuh"
#include "cuda/pool.cuh"
#include "cuda/stream.cuh"

extern "C" {
#include "core/targets.h"
}

namespace shepard
{

/* The points that the targets are; rank nullptr: targets are no points. */
struct places_view {
    const double *x, *y, *z;   /* frame units; z: of three coordinates */
    const std::uint32_t *rank; /* [coordinates of the caller] in them; SHEPARD_NO_POINT: skipped */
};

/* The points that are the targets of a chunk, by their numbers among the caller's. */
struct chosen_points {
    const std::uint32_t *indices; /* [m]; nullptr: first, first + 1 ... */
    std::uint32_t first;

    __device__ std::uint32_t operator[](std::uint32_t i) const
    {
        return indices != nullptr ? indices[i] : first + i;
    }
};

/* Where the caller's points stand on one device, for one call. */
class place_ranks
{
  public:
    place_ranks() = default;
    place_ranks(const space_points_view &of, std::size_t given_count, const stream &on);

    places_view view() const { return {x_, y_, z_, rank_.get()}; }

  private:
    const double *x_ = nullptr, *y_ = nullptr, *z_ = nullptr;
    block<std::uint32_t> rank_;
};

/* What the targets of a chunk do not use of the points, in the targets' order. */
class left_out_points
{
  public:
    left_out_points() = default;
    /* key: [m] of the targets. */
    left_out_points(const points_view &points, const target_view &targets, const std::uint64_t *key,
                    const chosen_points &chosen, bool keep_coincident, cudaStream_t in);

    /* In space. */
    left_out_points(const space_points_view &points, const space_target_view &targets,
                    const chosen_points &chosen, bool keep_coincident, cudaStream_t in);

    /* As in target_view. */
    const std::uint32_t *count() const { return count_.get(); }
    const std::uint32_t *alone() const { return alone_.get(); }

  private:
    template <class Search> void find(const Search &from, bool keep_coincident, cudaStream_t in);

    block<std::uint32_t> count_, alone_;
};

} // namespace shepard

#endif
