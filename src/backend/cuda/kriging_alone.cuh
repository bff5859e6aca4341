/* SPDX-License-Identifier: MIT */
/* Systems of kriging that a GPU leaves to the host: in long double, as core/kriging.h means them.
 */
#ifndef SHEPARD_BACKEND_CUDA_KRIGING_ALONE_CUH
#define SHEPARD_BACKEND_CUDA_KRIGING_ALONE_CUH

#include "backend/cuda/kriging_view.cuh"
#include "cuda/stream.cuh"

namespace shepard
{

/* Values and sd of `count` targets of a chunk: waits for the stream. View: plane_kriging or
 * space_kriging. threads: of the host. */
template <class View>
void krige_alone(const View &view, const std::uint32_t *targets, std::size_t count,
                 const shepard_allocator *allocator, int threads, const stream &in);

} // namespace shepard

#endif
