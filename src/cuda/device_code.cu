/* SPDX-License-Identifier: MIT */
extern "C" {
#include "cuda/architecture.h"
}

#include <cuda_runtime.h>

namespace
{

constexpr int built[] = {__CUDA_ARCH_LIST__};
constexpr size_t built_count = sizeof built / sizeof *built;

__global__ void probe() {}

/* Whether the runtime has code for the device or can make it of PTX; makes the device's context. */
bool loads(int device)
{
    cudaFuncAttributes attributes;
    int current = 0;
    if (cudaGetDevice(&current) != cudaSuccess || cudaSetDevice(device) != cudaSuccess) {
        (void)cudaGetLastError();
        return true; /* another fault: the first use reports it */
    }
    const cudaError_t code = cudaFuncGetAttributes(&attributes, probe);
    (void)cudaGetLastError();
    (void)cudaSetDevice(current);
    return code != cudaErrorNoKernelImageForDevice && code != cudaErrorInvalidDeviceFunction &&
           code != cudaErrorUnsupportedPtxVersion && code != cudaErrorJitCompilerNotFound;
}

struct code_search {
    int served = 0;
    char reason[SHEPARD_ARCHITECTURE_REASON_SIZE] = "";

    explicit code_search(int devices)
    {
        for (; served < devices; served++) {
            int major = 0, minor = 0;
            (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, served);
            (void)cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, served);
            const int device = 100 * major + 10 * minor;
            const shepard_device_code code = shepard_device_code_of(built, built_count, device);
            if (code == SHEPARD_CODE_BINARY || (code == SHEPARD_CODE_PTX && loads(served)))
                continue;
            shepard_architecture_reason(reason, served, built, built_count, device);
            return;
        }
    }
};

} // namespace

extern "C" int shepard_devices_with_code(int devices, const char **reason)
{
    static const code_search found(devices);
    *reason = found.reason;
    return found.served;
}
