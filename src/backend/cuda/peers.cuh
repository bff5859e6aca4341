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

/* The pool of the current device for what peers read, and for nothing else: memory that other
 * devices can read, too, takes the driver up to a millisecond to provide. */
cudaMemPool_t pool_for_peers();

/* Numbers in the pool for peers of some device, and where they go to on the current one; bytes and
 * addresses are multiples of 4, better of 16. */
struct peer_piece {
    const void *from;
    void *to;
    std::size_t bytes;
};

/* Copies them, all at once: asynchronous. A kernel reads the peers' memory: from three of them
 * 310 GB/s come in, with copies of the driver's in three streams 190 (four H200). */
void fetch(const std::vector<peer_piece> &pieces, cudaStream_t in);

} // namespace shepard

#endif
