/* SPDX-License-Identifier: MIT */
extern "C" {
#include "hold.h"
}

static __global__ void stop()
{
    __trap();
}

bool lose_device(void)
{
    stop<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
