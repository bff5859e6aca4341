/* SPDX-License-Identifier: MIT */
/* The CUDA runtime is linked statically and looks for the driver when it is first called, so a
 * program with this file starts where there is none. */
#include "cuda/device.h"

#include "base/sized.h"
#include "cuda/architecture.h"
#include "shepard/shepard.h"

#include <cuda_runtime_api.h>

#include <stdio.h>

/* Why a call of the runtime failed before any device was in use. */
static const char *reason_of(cudaError_t code, int driver)
{
    switch (code) {
    case cudaErrorInsufficientDriver:
        return driver == 0 ? "no NVIDIA driver"
                           : "driver too old for CUDA " SHEPARD_CUDA_VERSION
                             ": install a newer NVIDIA driver";
    case cudaErrorNoDevice:
        return "no device";
    case cudaErrorSystemDriverMismatch:
        return "the NVIDIA driver's parts are of different versions: reboot or install it again";
    case cudaErrorDevicesUnavailable:
        return "every device is taken or switched off";
    default:
        return cudaGetErrorString(code);
    }
}

static void look(struct shepard_cuda_info *info)
{
    *info = (struct shepard_cuda_info){.built = true, .reason = ""};
    int count = 0;
    if (cudaRuntimeGetVersion(&info->runtime) != cudaSuccess)
        info->runtime = 0;
    if (cudaDriverGetVersion(&info->driver) != cudaSuccess)
        info->driver = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count > 0) {
        const char *reason = "";
        info->devices = (size_t)shepard_devices_with_code(count, &reason);
        if (info->devices == 0)
            info->reason = reason;
        return;
    }
    (void)cudaGetLastError();
    info->reason = code == cudaSuccess ? "no device" : reason_of(code, info->driver);
}

void shepard_cuda_get_info_sized(struct shepard_cuda_info *info, size_t size)
{
    struct shepard_cuda_info all;
    look(&all);
    shepard_sized_give(&all, sizeof all, info, size);
}

bool shepard_device_get_info_sized(size_t i, struct shepard_device_info *info, size_t size)
{
    struct shepard_cuda_info cuda;
    struct cudaDeviceProp properties;
    shepard_cuda_get_info(&cuda);
    if (i >= cuda.devices || cudaGetDeviceProperties(&properties, (int)i) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    struct shepard_device_info all = {
        .memory_bytes = properties.totalGlobalMem,
        .major = properties.major,
        .minor = properties.minor,
        .multiprocessors = properties.multiProcessorCount,
    };
    snprintf(all.name, sizeof all.name, "%s", properties.name);
    shepard_sized_give(&all, sizeof all, info, size);
    return true;
}

const char *shepard_device_unusable(void)
{
    struct shepard_cuda_info info;
    shepard_cuda_get_info(&info);
    return info.reason;
}
