/* SPDX-License-Identifier: MIT */
/* Device memory in the order of a stream: taken from and given back to the device's pool, which
 * keeps some of it for the next that asks, so that no call waits for the driver. */
#ifndef SHEPARD_CUDA_POOL_CUH
#define SHEPARD_CUDA_POOL_CUH

#include "cuda/check.cuh"

#include <cstddef>
#include <cstdint>

namespace shepard
{

/* Lets a pool of the current device keep a part of its memory, one of so many, for the next call:
 * asking the driver for 10 GiB takes as long as 10^7 sums. */
inline void keep_in_pool(cudaMemPool_t pool, std::size_t parts)
{
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "asking for device memory");
    std::uint64_t kept = all / parts;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
          "asking for device memory");
}

/* The stream must outlive the block. */
template <class T> class block
{
  public:
    block() = default;
    /* pool: one of the current device; nullptr: its default one. */
    block(std::size_t count, cudaStream_t stream, cudaMemPool_t pool = nullptr)
        : count_(count), stream_(stream)
    {
        if (count > SIZE_MAX / sizeof(T))
            fail(SHEPARD_ERROR_MEMORY, "the GPU cannot hold %zu numbers of %zu bytes", count,
                 sizeof(T));
        if (count == 0)
            return;
        const std::size_t size = count * sizeof(T);
        void **const to = reinterpret_cast<void **>(&start_);
        check(pool != nullptr ? cudaMallocFromPoolAsync(to, size, pool, stream)
                              : cudaMallocAsync(to, size, stream),
              "allocating device memory");
    }
    block(const block &) = delete;
    block &operator=(const block &) = delete;
    block(block &&other) noexcept { swap(other); }
    block &operator=(block &&other) noexcept
    {
        swap(other);
        return *this;
    }
    ~block()
    {
        if (start_ != nullptr)
            (void)cudaFreeAsync(start_, stream_);
    }

    T *get() const { return start_; }
    std::size_t size() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }

  private:
    void swap(block &other)
    {
        T *const start = start_;
        start_ = other.start_;
        other.start_ = start;
        const std::size_t count = count_;
        count_ = other.count_;
        other.count_ = count;
        const cudaStream_t stream = stream_;
        stream_ = other.stream_;
        other.stream_ = stream;
    }

    T *start_ = nullptr;
    std::size_t count_ = 0;
    cudaStream_t stream_ = nullptr;
};

} // namespace shepard

#endif
