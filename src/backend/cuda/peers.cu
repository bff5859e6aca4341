/* SPDX-License-Identifier: MIT */
#include "backend/cuda/peers.cuh"

#include "backend/cuda/use_device.cuh"

#include <algorithm>
#include <mutex>
#include <utility>

namespace shepard
{

namespace
{

using pair_of_devices = std::pair<int, int>; /* who reads, whose memory it is */

std::mutex lock;

/* Pairs that have been connected. */
std::vector<pair_of_devices> &connected()
{
    static auto *const pairs = new std::vector<pair_of_devices>;
    return *pairs;
}

bool is_connected(const pair_of_devices &pair)
{
    return std::find(connected().begin(), connected().end(), pair) != connected().end();
}

/* What is refused leaves the devices as they are; a lost device is a fault. */
bool is_granted(cudaError_t code)
{
    if (is_lost(code))
        check(code, "connecting devices");
    if (code != cudaSuccess)
        (void)cudaGetLastError();
    return code == cudaSuccess;
}

bool connect(const pair_of_devices &pair)
{
    int can = 0;
    if (!is_granted(cudaDeviceCanAccessPeer(&can, pair.first, pair.second)) || can == 0)
        return false;
    cudaMemPool_t pool;
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = pair.first;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    return is_granted(cudaDeviceGetDefaultMemPool(&pool, pair.second)) &&
           is_granted(cudaMemPoolSetAccess(pool, &access, 1));
}

} // namespace

bool are_peers(const std::vector<int> &devices)
{
    const std::lock_guard<std::mutex> one(lock);
    for (const int reader : devices)
        for (const int owner : devices) {
            const pair_of_devices pair = {reader, owner};
            if (reader == owner || is_connected(pair))
                continue;
            if (!connect(pair))
                return false;
            connected().push_back(pair);
        }
    return devices.size() > 1;
}

void copy_from_peer(void *to, const peer_memory &from, std::size_t bytes, cudaStream_t in)
{
    if (bytes > 0)
        check(cudaMemcpyPeerAsync(to, current_device(), from.start, from.device, bytes, in),
              "copying from another device");
}

} // namespace shepard
