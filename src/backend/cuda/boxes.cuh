/* SPDX-License-Identifier: MIT */
/* The boxes of the tree over the data points. Mirrors core/tree.h. */
#ifndef SHEPARD_BACKEND_CUDA_BOXES_CUH
#define SHEPARD_BACKEND_CUDA_BOXES_CUH

#include "backend/cuda/points_view.cuh"
#include "cuda/pool.cuh"

namespace shepard
{

class boxes
{
  public:
    boxes() = default;
    /* Of the points of a cloud (n >= 1, x and y are read): asynchronous. The stream must outlive
     * what it made. */
    boxes(const points_view &points, cudaStream_t stream);

    /* Sets the fields that tell of boxes. */
    void fill(points_view &view) const;
    std::size_t bytes() const { return memory_.bytes(); }

  private:
    block<box> memory_; /* level after level */
    int levels_ = 0;
    std::uint32_t count_[box_levels_max] = {};
};

} // namespace shepard

#endif
