/* SPDX-License-Identifier: MIT */
#include "several_devices.cuh"

#include <cuda_runtime.h>

#include <atomic>

namespace
{

constexpr int least = 3;

std::atomic<long> for_peers{0}, refuse_at{-1};

constexpr std::size_t more_than_any = std::size_t{1} << 50;

/* The device behind a number. */
int real(int device);

bool is_refused()
{
    return refuse_at >= 0 && refuse_at-- == 0;
}

} // namespace

extern "C" {
cudaError_t __real_cudaGetDeviceCount(int *count);
cudaError_t __real_cudaSetDevice(int device);
cudaError_t __real_cudaDeviceGetAttribute(int *value, cudaDeviceAttr of, int device);
cudaError_t __real_cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t __real_cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t __real_cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *access,
                                        std::size_t count);
cudaError_t __real_cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties);
cudaError_t __real_cudaMallocFromPoolAsync(void **block, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t in);
cudaError_t __real_cudaMallocAsync(void **block, std::size_t bytes, cudaStream_t in);

cudaError_t __wrap_cudaGetDeviceCount(int *count)
{
    const cudaError_t code = __real_cudaGetDeviceCount(count);
    if (code == cudaSuccess && *count > 0 && *count < least)
        *count = least;
    return code;
}

cudaError_t __wrap_cudaSetDevice(int device)
{
    return __real_cudaSetDevice(real(device));
}

cudaError_t __wrap_cudaDeviceGetAttribute(int *value, cudaDeviceAttr of, int device)
{
    return __real_cudaDeviceGetAttribute(value, of, real(device));
}

cudaError_t __wrap_cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    return __real_cudaDeviceGetDefaultMemPool(pool, real(device));
}

cudaError_t __wrap_cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (real(device) != real(peer))
        return __real_cudaDeviceCanAccessPeer(can, real(device), real(peer));
    *can = 1;
    return cudaSuccess;
}

cudaError_t __wrap_cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *access,
                                        std::size_t count)
{
    cudaMemAccessDesc own = *access;
    own.location.id = real(own.location.id);
    return __real_cudaMemPoolSetAccess(pool, &own, count);
}

cudaError_t __wrap_cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties)
{
    cudaMemPoolProps own = *properties;
    own.location.id = real(own.location.id);
    return __real_cudaMemPoolCreate(pool, &own);
}

cudaError_t __wrap_cudaMallocFromPoolAsync(void **block, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t in)
{
    for_peers += (long)bytes;
    return __real_cudaMallocFromPoolAsync(block, is_refused() ? more_than_any : bytes, pool, in);
}

cudaError_t __wrap_cudaMallocAsync(void **block, std::size_t bytes, cudaStream_t in)
{
    return __real_cudaMallocAsync(block, is_refused() ? more_than_any : bytes, in);
}
}

namespace
{

int real(int device)
{
    int count = 0;
    return __real_cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? device % count : device;
}

} // namespace

long bytes_for_peers()
{
    return for_peers;
}

void refuse_memory(long request)
{
    refuse_at = request;
}
