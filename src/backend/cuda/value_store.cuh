/* SPDX-License-Identifier: MIT */
/* The caller's values and weights taken in by a device, in the order of its points. Mirrors
 * core/samples.h. */
#ifndef SHEPARD_BACKEND_CUDA_VALUE_STORE_CUH
#define SHEPARD_BACKEND_CUDA_VALUE_STORE_CUH

#include "backend/cuda/points_view.cuh"
#include "backend/cuda/stage_timer.cuh"
#include "cuda/pool.cuh"
#include "cuda/stream.cuh"

extern "C" {
#include "core/samples.h"
}

namespace shepard
{

class value_store
{
  public:
    /* At the points of a view, of the given_count that the caller gave. Fills in the ranges of
     * *facts, whose arrays are there. *gaps: one is unusable; then nothing else is to be asked. */
    value_store(const points_view &points, const shepard_values &values, std::size_t given_count,
                shepard_samples *facts, bool *gaps, const stream &on, stage_timer &clock);

    /* Sets the fields that tell of values. */
    void show(points_view *view) const;
    std::size_t bytes() const { return values_.bytes() + weights_.bytes() + ranges_.bytes(); }
    /* The least q, the largest being 1. */
    double least_weight() const { return least_weight_; }

  private:
    void keep_ranges(const shepard_samples &facts, cudaStream_t stream);

    int columns_ = 0;
    double least_weight_ = 1;
    block<double> values_, weights_;
    block<double> ranges_; /* [4, columns] middle, scale, least, largest */
};

} // namespace shepard

#endif
