/* SPDX-License-Identifier: MIT */
/* Copies between the device and arrays of the host: of every stride, pinned and not, of several
 * pieces, by several threads at once.
 *
 *     test_cuda_staging [SEED]
 */
#include "on_device.cuh"

#include "backend/cuda/staging.cuh"
#include "cuda/buffer.cuh"

extern "C" {
#include "chance.h"
}

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

using namespace shepard;

namespace
{

std::atomic<long> passed{0}, failed{0};

void check_case(bool good, const char *what, std::size_t count, std::ptrdiff_t stride,
                std::size_t size)
{
    (good ? passed : failed)++;
    if (!good)
        std::printf("FAILED: %s: %zu elements of %zu bytes, stride %td\n", what, count, size,
                    stride);
}

/* An array with room before, between and behind its elements. */
struct host_array {
    std::vector<unsigned char> bytes;
    host_elements elements;
    bool pinned;

    host_array(std::size_t count, std::size_t size, std::ptrdiff_t stride, bool pin,
               struct chance *chance)
        : bytes((std::size_t)std::abs(stride) * (count + 1) + 64), pinned(pin)
    {
        for (unsigned char &one : bytes)
            one = (unsigned char)chance_below(chance, 256);
        elements = {reinterpret_cast<char *>(bytes.data()) + 32, stride, size};
        if (stride < 0)
            elements.first -= stride * (std::ptrdiff_t)(count - 1);
        if (pin)
            check(cudaHostRegister(bytes.data(), bytes.size(), cudaHostRegisterPortable),
                  "pinning an array");
    }
    host_array(const host_array &) = delete;
    ~host_array()
    {
        if (pinned)
            (void)cudaHostUnregister(bytes.data());
    }
    std::vector<unsigned char> packed(std::size_t count) const
    {
        std::vector<unsigned char> all(count * elements.size);
        for (std::size_t i = 0; i < count; i++)
            std::memcpy(&all[i * elements.size],
                        elements.first + (std::ptrdiff_t)i * elements.stride, elements.size);
        return all;
    }
};

void try_one(std::size_t count, std::size_t size, std::ptrdiff_t stride, bool pinned,
             struct chance *chance)
{
    const host_array from(count, size, stride, pinned, chance);
    host_array to(count, size, stride, pinned, chance);
    const std::vector<unsigned char> want = from.packed(count);
    std::vector<unsigned char> got(want.size());
    const buffer<unsigned char> device(want.size());
    const stream on;
    upload_elements(from.elements, count, device.get(), on);
    on.wait("uploading");
    check(cudaMemcpy(got.data(), device.get(), got.size(), cudaMemcpyDeviceToHost), "looking");
    check_case(got == want, "uploaded", count, stride, size);
    /* What lies between the elements stays. */
    std::vector<unsigned char> whole = to.bytes;
    for (std::size_t i = 0; i < count; i++) {
        const std::ptrdiff_t at = to.elements.first - reinterpret_cast<char *>(to.bytes.data()) +
                                  (std::ptrdiff_t)i * stride;
        std::memcpy(&whole[(std::size_t)at], &want[i * size], size);
    }
    download_elements(device.get(), count, to.elements, on);
    on.wait("downloading");
    check_case(to.bytes == whole, "downloaded", count, stride, size);
}

void try_some(std::uint64_t seed, int rounds)
{
    struct chance chance = {seed};
    for (int i = 0; i < rounds; i++) {
        const std::size_t size = chance_below(&chance, 2) ? 8 : 4;
        const std::ptrdiff_t strides[] = {1, 2, 3, -1, -2};
        const std::size_t most = i % 4 == 0 ? 3000000 : 40000;
        try_one(1 + chance_below(&chance, most), size,
                strides[chance_below(&chance, 5)] * (std::ptrdiff_t)size,
                chance_below(&chance, 3) == 0, &chance);
    }
}

} // namespace

int main(int argc, char **argv)
{
    const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    return run_on_device([&] {
        std::printf("seed %llu\n", (unsigned long long)seed);
        std::vector<std::thread> threads;
        for (std::uint64_t i = 0; i < 4; i++)
            threads.emplace_back([=] { try_some(seed + 1000 * i, 12); });
        for (std::thread &one : threads)
            one.join();
        std::printf("staging: %ld passed, %ld failed\n", passed.load(), failed.load());
        return failed > 0 ? 1 : 0;
    });
}
