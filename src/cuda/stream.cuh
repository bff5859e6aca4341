/* SPDX-License-Identifier: MIT */
/* A stream, and events that time its stages. */
#ifndef SHEPARD_CUDA_STREAM_CUH
#define SHEPARD_CUDA_STREAM_CUH

#include "cuda/check.cuh"

namespace shepard
{

class stream
{
  public:
    stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "a stream"); }
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;
    ~stream() { (void)cudaStreamDestroy(handle_); }

    cudaStream_t get() const { return handle_; }
    void wait(const char *what) const { check(cudaStreamSynchronize(handle_), what); }

  private:
    cudaStream_t handle_ = nullptr;
};

class event
{
  public:
    event() { check(cudaEventCreate(&handle_), "an event"); }
    event(const event &) = delete;
    event &operator=(const event &) = delete;
    ~event() { (void)cudaEventDestroy(handle_); }

    void record(const stream &on) { check(cudaEventRecord(handle_, on.get()), "an event"); }
    cudaEvent_t get() const { return handle_; }

  private:
    cudaEvent_t handle_ = nullptr;
};

/* Seconds on the device from one event to a later one, both passed. */
inline double seconds_between(const event &from, const event &to)
{
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, from.get(), to.get()), "reading a clock");
    return 1e-3 * (double)milliseconds;
}

} // namespace shepard

#endif
