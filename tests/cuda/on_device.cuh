/* SPDX-License-Identifier: MIT */
/* Runs a test where there is a device. */
#ifndef SHEPARD_TESTS_CUDA_ON_DEVICE_CUH
#define SHEPARD_TESTS_CUDA_ON_DEVICE_CUH

#include "cuda/check.cuh"

#include <cstdio>

/* The program's status: that of the test, 1 where it throws, 77 for skipped. */
template <class Test> int run_on_device(const Test &test)
{
    int devices = 0, status = 1;
    const cudaError_t code = cudaGetDeviceCount(&devices);
    if (code != cudaSuccess || devices == 0) {
        std::printf("skipped: no device: %s\n", cudaGetErrorString(code));
        return 77;
    }
    shepard_error error = {};
    if (shepard::guard(&error, [&] { status = test(); }) != SHEPARD_OK)
        std::printf("FAILED: %s\n", error.message);
    return status;
}

#endif
