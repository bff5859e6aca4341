/* SPDX-License-Identifier: MIT */
/* In place of device.c where the build has no CUDA. */
#include "cuda/device.h"

#include "base/sized.h"
#include "shepard/shepard.h"

static const char reason[] = "built without CUDA";

void shepard_cuda_get_info_sized(struct shepard_cuda_info *info, size_t size)
{
    const struct shepard_cuda_info none = {.reason = reason};
    shepard_sized_give(&none, sizeof none, info, size);
}

bool shepard_device_get_info_sized(size_t i, struct shepard_device_info *info, size_t size)
{
    (void)i;
    (void)info;
    (void)size;
    return false;
}

const char *shepard_device_unusable(void)
{
    return reason;
}
