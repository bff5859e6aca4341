/* SPDX-License-Identifier: MIT */
/* Runs a test where there is a device, and kernels on what a test has. */
#ifndef SHEPARD_TESTS_CUDA_ON_DEVICE_CUH
#define SHEPARD_TESTS_CUDA_ON_DEVICE_CUH

#include "cuda/pool.cuh"
#include "cuda/stream.cuh"

#include <cstdio>
#include <vector>

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

/* launch(all on the device, stream): what its kernel leaves there comes back. */
template <class T, class Launch> void change_on_device(std::vector<T> &all, const Launch &launch)
{
    const shepard::stream on;
    const shepard::block<T> there(all.size(), on.get());
    shepard::check(
        cudaMemcpyAsync(there.get(), all.data(), there.bytes(), cudaMemcpyHostToDevice, on.get()),
        "uploading");
    launch(there.get(), on.get());
    shepard::check_launch("a test's kernel");
    shepard::check(
        cudaMemcpyAsync(all.data(), there.get(), there.bytes(), cudaMemcpyDeviceToHost, on.get()),
        "downloading");
    on.wait("a test's kernel");
}

#endif
