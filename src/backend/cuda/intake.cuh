/* SPDX-License-Identifier: MIT */
/* The caller's points taken in by a device: usable ones put into the frame and in order. */
#ifndef SHEPARD_BACKEND_CUDA_INTAKE_CUH
#define SHEPARD_BACKEND_CUDA_INTAKE_CUH

#include "backend/cuda/cloud.cuh"
#include "backend/cuda/curve.cuh"
#include "backend/cuda/watch.cuh"
#include "cuda/pool.cuh"
#include "cuda/stream.cuh"

extern "C" {
#include "core/points.h"
}

namespace shepard
{

struct given;

/* What cloud_view shows, boxes apart. */
class cloud
{
  public:
    /* Fills in *facts too: counts, ranges (its arrays are there), box and frame. Ends when all is
     * known that the host needs; what is left is in the stream. */
    cloud(const shepard_data &data, const shepard_stretch &stretch, shepard_points *facts,
          const stream &on, stage_clock &clock);

    void show(cloud_view *view) const;
    const curve &along() const { return curve_; }
    std::size_t bytes() const;
    /* The least q, the largest being 1. */
    double least_weight() const { return least_weight_; }

  private:
    struct arrays;
    void take(const shepard_data &data, arrays *raw, cudaStream_t stream);
    void put_in_order(const given &raw, const shepard_points &facts, cudaStream_t stream);
    void keep_ranges(const shepard_points &facts, cudaStream_t stream);

    std::uint32_t n_ = 0;
    int columns_ = 0;
    double weight_most_ = 1, least_weight_ = 1;
    curve curve_ = {};
    block<double> x_, y_, values_, weights_;
    block<double> ranges_; /* [4, columns] middle, scale, least, largest */
    block<std::uint32_t> index_;
    block<std::uint64_t> key_;
};

} // namespace shepard

#endif
