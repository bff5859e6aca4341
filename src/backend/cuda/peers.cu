/* SPDX-License-Identifier: MIT */
#include "backend/cuda/peers.cuh"

#include "backend/cuda/use_device.cuh"
#include "cuda/launch.cuh"
#include "cuda/pool.cuh"

#include <algorithm>
#include <cstdint>
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

/* The pool of a device, which keeps it for the rest of the process. */
struct device_pool {
    int device;
    cudaMemPool_t pool;
};

std::vector<device_pool> &pools()
{
    static auto *const all = new std::vector<device_pool>;
    return *all;
}

/* nullptr: it has none. */
cudaMemPool_t pool_of(int device)
{
    for (const device_pool &one : pools())
        if (one.device == device)
            return one.pool;
    return nullptr;
}

/* A pool keeps one part of so many of device memory. The driver takes it back where memory is out.
 */
constexpr std::size_t kept_part = 16;

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

bool can_read(const pair_of_devices &pair)
{
    int can = 0;
    return is_granted(cudaDeviceCanAccessPeer(&can, pair.first, pair.second)) && can != 0;
}

bool connect(const pair_of_devices &pair)
{
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = pair.first;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    return is_granted(cudaMemPoolSetAccess(pool_of(pair.second), &access, 1));
}

bool make_pool(int device)
{
    const use_device there(device);
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, device};
    cudaMemPool_t pool;
    if (!is_granted(cudaMemPoolCreate(&pool, &properties)))
        return false;
    keep_in_pool(pool, kept_part);
    pools().push_back({device, pool});
    return true;
}

/* Calls for_pair(who reads, whose memory it is) until one is refused. */
template <class Each> bool for_all_pairs(const std::vector<int> &devices, const Each &for_pair)
{
    for (const int reader : devices)
        for (const int owner : devices) {
            const pair_of_devices pair = {reader, owner};
            if (reader != owner && !is_connected(pair) && !for_pair(pair))
                return false;
        }
    return true;
}

} // namespace

bool are_peers(const std::vector<int> &devices)
{
    const std::lock_guard<std::mutex> one(lock);
    if (devices.size() < 2 || !for_all_pairs(devices, can_read))
        return false;
    for (const int device : devices)
        if (pool_of(device) == nullptr && !make_pool(device))
            return false;
    return for_all_pairs(devices, [](const pair_of_devices &pair) {
        if (!connect(pair))
            return false;
        connected().push_back(pair);
        return true;
    });
}

cudaMemPool_t pool_for_peers()
{
    const std::lock_guard<std::mutex> one(lock);
    return pool_of(current_device());
}

/* ---- copies ---------------------------------------------------------------------------------- */

namespace
{

constexpr int threads = 512;

/* Of a piece: more are not faster. */
constexpr unsigned blocks_most = 16;

/* Of a launch: what its arguments have room for. */
constexpr std::size_t pieces_most = 128;

struct piece_list {
    peer_piece piece[pieces_most];
};

/* Unit: what a thread reads at a time; four of them are on their way. */
template <class Unit> __global__ void copy_pieces(const __grid_constant__ piece_list all)
{
    const peer_piece &own = all.piece[blockIdx.y];
    const Unit *const from = static_cast<const Unit *>(own.from);
    Unit *const to = static_cast<Unit *>(own.to);
    const std::size_t count = own.bytes / sizeof(Unit), step = (std::size_t)gridDim.x * threads;
    std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    for (; i + 3 * step < count; i += 4 * step) {
        const Unit four[] = {from[i], from[i + step], from[i + 2 * step], from[i + 3 * step]};
#pragma unroll
        for (int j = 0; j < 4; j++)
            to[i + (unsigned)j * step] = four[j];
    }
    for (; i < count; i += step)
        to[i] = from[i];
}

using copier = void (*)(const piece_list);

/* By the largest unit that all addresses and sizes are multiples of. */
copier copier_for(const piece_list &all, std::size_t count)
{
    std::uintptr_t bits = 0;
    for (std::size_t i = 0; i < count; i++)
        bits |= reinterpret_cast<std::uintptr_t>(all.piece[i].from) |
                reinterpret_cast<std::uintptr_t>(all.piece[i].to) | all.piece[i].bytes;
    if (bits % sizeof(uint4) == 0)
        return copy_pieces<uint4>;
    return bits % sizeof(uint2) == 0 ? copy_pieces<uint2> : copy_pieces<unsigned>;
}

} // namespace

void fetch(const std::vector<peer_piece> &pieces, cudaStream_t in)
{
    for (std::size_t first = 0; first < pieces.size(); first += pieces_most) {
        const std::size_t count = std::min(pieces.size() - first, pieces_most);
        piece_list all = {};
        std::size_t most = 0;
        for (std::size_t i = 0; i < count; i++) {
            all.piece[i] = pieces[first + i];
            most = std::max(most, all.piece[i].bytes);
        }
        if (most == 0)
            continue;
        const unsigned blocks =
            std::min(blocks_for(most, threads * 4 * sizeof(uint4)), blocks_most);
        copier_for(all, count)<<<dim3(blocks, (unsigned)count), threads, 0, in>>>(all);
        check_launch("copying from another device");
    }
}

} // namespace shepard
