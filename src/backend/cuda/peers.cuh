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

/* The pool of the current device for what peers read. Only that is in it: blocks that other devices
 * can read take the driver up to a millisecond. */
cudaMemPool_t pool_for_peers();

/* Numbers in a peer's pool for peers, and where they go to in that of the current device; bytes
 * and addresses are multiples of 4, better of 16. */
struct peer_piece {
    const void *from;
    void *to;
    std::size_t bytes;
};

/* Copies them, all at a time: asynchronous. A kernel reads the peers' memory: from three of them
 * 310 GB/s come in, with copies of the driver's in three streams 190 (four H200). */
void fetch(const std::vector<peer_piece> &pieces, cudaStream_t in);

} // namespace shepard

#endif
