/* SPDX-License-Identifier: MIT */
/* In place of device.c where the build has no CUDA. */
#include "cuda/device.h"

#include "shepard/shepard.h"

static const char reason[] = "built without CUDA";

void shepard_cuda_get_info(struct shepard_cuda_info *info)
{
    *info = (struct shepard_cuda_info){.reason = reason};
}

bool shepard_device_get_info(size_t i, struct shepard_device_info *info)
{
    (void)i;
    (void)info;
    return false;
}

const char *shepard_device_unusable(void)
{
    return reason;
}
