/* SPDX-License-Identifier: MIT */
/* The caller's coordinates taken in by a device: usable ones put into the frame and in order.
 * Mirrors core/geometry.h. */
#ifndef SHEPARD_BACKEND_CUDA_POINT_STORE_CUH
#define SHEPARD_BACKEND_CUDA_POINT_STORE_CUH

#include "backend/cuda/hilbert.cuh"
#include "backend/cuda/points_view.cuh"
#include "backend/cuda/stage_timer.cuh"
#include "cuda/pool.cuh"
#include "cuda/stream.cuh"

extern "C" {
#include "core/geometry.h"
}

namespace shepard
{

struct given;

class point_store
{
  public:
    /* Fills in *facts too: counts, box and frame. The coordinates are not read any more
     * when it ends. */
    point_store(const shepard_coordinates &coordinates, const shepard_stretch &stretch,
                shepard_geometry *facts, const stream &on, stage_timer &clock);

    /* Those of `all` whose keep[index] is true (keep on the host, of all that the caller gave), in
     * the same order; facts->count of them. Sets the box of the frame. */
    point_store(const point_store &all, const bool *keep, std::size_t given_count,
                shepard_geometry *facts, const stream &on);

    /* Points of three coordinates that the host has put in order: uploaded as they are, without
     * places along a curve. What they lie in must stay until the stream has been waited for. */
    point_store(const shepard_geometry &on_host, const stream &on);

    /* Sets the fields that tell of coordinates. */
    void show(space_points_view *view) const;
    const hilbert_curve &along() const { return curve_; }
    std::size_t bytes() const;

  private:
    void put_in_order(const given &raw, const shepard_geometry &facts, cudaStream_t stream);

    std::uint32_t n_ = 0;
    hilbert_curve curve_ = {};
    block<double> x_, y_, z_; /* z: of three coordinates */
    double diameter_ = 0;
    block<std::uint32_t> index_;
    block<std::uint64_t> key_;
};

} // namespace shepard

#endif
