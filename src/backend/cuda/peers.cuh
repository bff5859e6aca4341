/* SPDX-License-Identifier: MIT */
/* Devices that read each other's memory. */
#ifndef SHEPARD_BACKEND_CUDA_PEERS_CUH
#define SHEPARD_BACKEND_CUDA_PEERS_CUH

#include <cstddef>
#include <vector>

#include <cuda_runtime_api.h>

namespace shepard
{

/* Whether there are several devices that all read the memory of the others' pools for peers. The
 * first time that devices are asked about takes some 20 ms each. */
bool are_peers(const std::vector<int> &devices);

/* The pool of the current device for what peers read, and for nothing else: the driver can take
 * more than a millisecond to provide memory that other devices can read, too. */
cudaMemPool_t pool_for_peers();

/* Memory in the pool for peers of some device, and where to copy it on the current one; bytes and
 * addresses are multiples of 4, better of 16. */
struct peer_piece {
    const void *from;
    void *to;
    std::size_t bytes;
};

/* Enqueues the copies, up to 128 pieces a launch. A kernel reads the peers' memory: from three of
 * them 317 GB/s come in, with the driver's copies in three streams 192 (four H200). */
void fetch(const std::vector<peer_piece> &pieces, cudaStream_t in);

} // namespace shepard

#endif
