/* SPDX-License-Identifier: MIT */
/* The boxes of the tree over the data points. Mirrors core/tree.h. */
#ifndef SHEPARD_BACKEND_CUDA_BOXES_CUH
#define SHEPARD_BACKEND_CUDA_BOXES_CUH

#include "backend/cuda/points_view.cuh"
#include "cuda/pool.cuh"

namespace shepard
{

template <class Points> class boxes_of
{
  public:
    using box_type = typename Points::box_type;

    boxes_of() = default;
    /* Of the points of a cloud (n >= 1, coordinates are read): asynchronous. The stream must
     * outlive what it made. */
    boxes_of(const Points &points, cudaStream_t stream);

    /* Sets the fields that tell of boxes. */
    void fill(Points &view) const;
    std::size_t bytes() const { return memory_.bytes(); }

  private:
    block<box_type> memory_; /* level after level */
    int levels_ = 0;
    std::uint32_t count_[box_levels_max] = {};
};

using boxes = boxes_of<points_view>;
using space_boxes = boxes_of<space_points_view>;

} // namespace shepard

#endif
