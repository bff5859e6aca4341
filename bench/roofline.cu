/* SPDX-License-Identifier: MIT */
#include "roofline.h"

#include "cuda/buffer.cuh"
#include "cuda/stream.cuh"

#include <cstdio>
#include <memory>

namespace
{

using namespace shepard;

constexpr std::size_t copied_bytes = std::size_t(1) << 30; /* far more than any cache holds */
constexpr int tries = 5;
constexpr int block_threads = 256;
constexpr int blocks_per_processor = 8; /* all the threads that a processor takes */
/* Independent chains of a thread, so that none waits for the one before. */
constexpr int chains = 8;
constexpr int rounds = 4096;

struct free_pinned {
    void operator()(void *block) const { (void)cudaFreeHost(block); }
};

/* The least seconds of several runs; the first, which may load something, does not count. */
template <class Work> double least_seconds(const stream &on, const Work &work)
{
    event start, end;
    double least = 0;
    for (int i = 0; i <= tries; i++) {
        start.record(on);
        work();
        end.record(on);
        on.wait("a measurement of the device");
        const double seconds = seconds_between(start, end);
        if (i == 1 || (i > 1 && seconds < least))
            least = seconds;
    }
    return least;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

double copy_seconds(const stream &on, void *to, const void *from, cudaMemcpyKind kind)
{
    return least_seconds(on, [&] {
        check(cudaMemcpyAsync(to, from, copied_bytes, kind, on.get()), "copying bytes");
    });
}

void measure_bytes(shepard_roofline *limits, const stream &on)
{
    void *block = nullptr;
    check(cudaHostAlloc(&block, copied_bytes, cudaHostAllocDefault), "pinned memory");
    const std::unique_ptr<void, free_pinned> host(block);
    const buffer<unsigned char> from(copied_bytes), to(copied_bytes);
    const double bytes = (double)copied_bytes;
    check(cudaMemsetAsync(from.get(), 1, copied_bytes, on.get()), "filling memory");
    limits->from_device = bytes / copy_seconds(on, host.get(), from.get(), cudaMemcpyDeviceToHost);
    limits->to_device = bytes / copy_seconds(on, to.get(), host.get(), cudaMemcpyHostToDevice);
    limits->copy = 2 * bytes / copy_seconds(on, to.get(), from.get(), cudaMemcpyDeviceToDevice);
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Stored, so that it is computed, where no number is. */
template <class Real> __device__ void keep(const Real *v, Real *out)
{
    Real sum = 0;
#pragma unroll
    for (int c = 0; c < chains; c++)
        sum += v[c];
    if (sum == Real(-1.25))
        *out = sum;
}

/* a, b: known to nobody before the program runs. */
template <class Real>
__global__ void __launch_bounds__(block_threads, blocks_per_processor)
    multiply_add(Real a, Real b, Real *out)
{
    Real v[chains];
#pragma unroll
    for (int c = 0; c < chains; c++)
        v[c] = Real(threadIdx.x + c);
#pragma unroll 8
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int c = 0; c < chains; c++)
            v[c] = fma(v[c], a, b);
    }
    keep(v, out);
}

/* Powers of two and logarithms by turns, each one instruction: a number stays what it is. */
__global__ void __launch_bounds__(block_threads, blocks_per_processor)
    take_special(float a, float *out)
{
    float v[chains];
#pragma unroll
    for (int c = 0; c < chains; c++)
        v[c] = a + 0.01f * (float)(threadIdx.x % 64 + c);
#pragma unroll 4
    for (int i = 0; i < rounds / 2; i++) {
#pragma unroll
        for (int c = 0; c < chains; c++) {
            asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(v[c]));
            asm volatile("lg2.approx.ftz.f32 %0, %0;" : "+f"(v[c]));
        }
    }
    keep(v, out);
}

void measure_operations(shepard_roofline *limits, const stream &on)
{
    int processors = 0;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0),
          "asking the device");
    const int blocks = processors * blocks_per_processor;
    const double operations = (double)blocks * block_threads * chains * rounds;
    const buffer<float> single(1);
    const buffer<double> precise(1);
    limits->special = operations / least_seconds(on, [&] {
                          take_special<<<blocks, block_threads, 0, on.get()>>>(0.5f, single.get());
                          check_launch("special functions");
                      });
    limits->fma_single =
        operations / least_seconds(on, [&] {
            multiply_add<<<blocks, block_threads, 0, on.get()>>>(0.999f, 0.001f, single.get());
            check_launch("multiply-adds in float");
        });
    limits->fma_double =
        operations / least_seconds(on, [&] {
            multiply_add<<<blocks, block_threads, 0, on.get()>>>(0.999, 0.001, precise.get());
            check_launch("multiply-adds in double");
        });
}

} // namespace

extern "C" int shepard_roofline_measure(shepard_roofline *roofline)
{
    shepard_error error;
    const shepard_status status = guard(&error, [&] {
        check(cudaSetDevice(0), "taking device 0");
        const stream on;
        measure_bytes(roofline, on);
        measure_operations(roofline, on);
    });
    if (status != SHEPARD_OK)
        std::fprintf(stderr, "bench_cuda: %s\n", error.message);
    return status;
}
