/* SPDX-License-Identifier: MIT */
/* Copies between the current device and arrays of the host, whatever their stride. Memory that is
 * not pinned is copied through pinned pieces, by several threads while the piece before is on its
 * way: the driver's own copies of it take several times as long. */
#ifndef SHEPARD_BACKEND_CUDA_STAGING_CUH
#define SHEPARD_BACKEND_CUDA_STAGING_CUH

#include "cuda/stream.cuh"

#include <cstddef>

namespace shepard
{

/* Elements of `size` bytes, 4 or 8, each `stride` bytes after the one before. */
struct host_elements {
    char *first;
    std::ptrdiff_t stride;
    std::size_t size;
};

/* To and from contiguous elements on the device. Memory that is not pinned has been read, or
 * written, when they return; else they are only enqueued. */
void upload_elements(const host_elements &from, std::size_t count, void *to, const stream &on);
void download_elements(const void *from, std::size_t count, const host_elements &to,
                       const stream &on);

} // namespace shepard

#endif
