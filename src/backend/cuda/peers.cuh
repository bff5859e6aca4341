/* SPDX-License-Identifier: MIT */
/* Devices that read each other's memory. */
#ifndef SHEPARD_BACKEND_CUDA_PEERS_CUH
#define SHEPARD_BACKEND_CUDA_PEERS_CUH

#include <cstddef>
#include <vector>

#include <cuda_runtime_api.h>

namespace shepard
{

/* Whether there are several devices that all read the memory of the others' pools. The first time
 * that devices are asked about takes some 20 ms each. */
bool are_peers(const std::vector<int> &devices);

/* Memory of a pool, on the device it lies on. */
struct peer_memory {
    const char *start;
    int device;
};

/* Copies from another device to the current one: asynchronous. */
void copy_from_peer(void *to, const peer_memory &from, std::size_t bytes, cudaStream_t in);

} // namespace shepard

#endif
