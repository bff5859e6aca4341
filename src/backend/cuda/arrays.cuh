/* SPDX-License-Identifier: MIT */
/* The caller's arrays as kernels read and write them, wherever they lie. */
#ifndef SHEPARD_BACKEND_CUDA_ARRAYS_CUH
#define SHEPARD_BACKEND_CUDA_ARRAYS_CUH

#include "cuda/buffer.cuh"
#include "cuda/pool.cuh"
#include "cuda/stream.cuh"

extern "C" {
#include "shepard/shepard.h"
}

#include <vector>

namespace shepard
{

/* Numbers that the current device can read. */
struct number_view {
    const char *first;
    std::ptrdiff_t stride; /* bytes */
    bool single;           /* float, else double */
};

__device__ __forceinline__ double number_at(const number_view &from, std::size_t i)
{
    const char *const at = from.first + (std::ptrdiff_t)i * from.stride;
    return from.single ? (double)*reinterpret_cast<const float *>(at)
                       : *reinterpret_cast<const double *>(at);
}

/* The memory of a caller's arrays in one call. To be made by the thread that calls: a stream may be
 * that thread's own. */
class lent_memory
{
  public:
    /* any: an address in it; nullptr: there is no array. */
    lent_memory(const shepard_memory &memory, const void *any);
    lent_memory(const lent_memory &) = delete;
    lent_memory &operator=(const lent_memory &) = delete;
    ~lent_memory();

    bool on_device() const { return on_device_; }
    /* What is queued in a stream from here on waits for what the caller had queued in his. */
    void follow(cudaStream_t in) const;

  private:
    bool on_device_;
    cudaEvent_t ready_ = nullptr;
};

/* Elements first ... first + count - 1 of an array, made readable for the current device: those of
 * the host are uploaded as they are, those of this device are read in place, those of another are
 * copied from there. */
class taken
{
  public:
    taken() = default;
    taken(const shepard_array &array, std::size_t first, std::size_t count,
          const lent_memory &memory, const stream &on);

    const number_view &view() const { return view_; }

  private:
    void upload(const shepard_array &part, std::size_t count, const stream &on);
    void bring(const shepard_array &part, std::size_t count, int owner, const lent_memory &memory);

    number_view view_ = {};
    block<unsigned char> uploaded_;
    buffer<unsigned char> brought_;
};

/* Waits for a stream at the end of a scope, after a fault too: from then on nothing reads the
 * caller's arrays any more. */
class settled
{
  public:
    explicit settled(const stream &on) : on_(on) {}
    settled(const settled &) = delete;
    settled &operator=(const settled &) = delete;
    ~settled() { (void)cudaStreamSynchronize(on_.get()); }

  private:
    const stream &on_;
};

/* Writes `count` results, contiguous on the current device, to elements from `first` on. Into the
 * host's arrays without gaps and those of this device it is only enqueued. */
void deliver(const shepard_output_array &to, std::size_t first, const double *from,
             std::size_t count, const lent_memory &memory, const stream &in);
void deliver_indices(std::uint32_t *to, std::size_t first, const std::uint32_t *from,
                     std::size_t count, const lent_memory &memory, const stream &in);

/* Copies between an array of a device and the host, which wait. */
std::vector<double> bring_to_host(const shepard_array &array, std::size_t count,
                                  const shepard_memory &memory);
void send_from_host(const std::vector<double> &from, const shepard_output_array &to,
                    const shepard_memory &memory);
void send_indices_from_host(const std::vector<std::uint32_t> &from, std::uint32_t *to,
                            const shepard_memory &memory);

/* Whether an address is in memory that devices read. */
bool is_of_device(const void *address);

/* The first element that is not 0 and in [low, high), and beside which another array (its data may
 * be nullptr) has a finite one; `count` if no element is. */
std::size_t find_between(const shepard_array &array, const shepard_array &beside, std::size_t count,
                         double low, double high, const shepard_memory &memory);

} // namespace shepard

#endif
