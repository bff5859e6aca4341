/* SPDX-License-Identifier: MIT */
/* Memory on the device that frees itself. */
#ifndef SHEPARD_CUDA_BUFFER_CUH
#define SHEPARD_CUDA_BUFFER_CUH

#include "cuda/check.cuh"

#include <cstddef>
#include <cstdint>

namespace shepard
{

constexpr double gibibyte = 1024.0 * 1024 * 1024;

/* bytes > 0 of device memory; a fault that says how much there was where that is too much. */
inline void *allocate_device(std::size_t bytes)
{
    void *block = nullptr;
    const cudaError_t code = cudaMalloc(&block, bytes);
    if (code != cudaErrorMemoryAllocation) {
        check(code, "allocating device memory");
        return block;
    }
    (void)cudaGetLastError();
    std::size_t available = 0, total = 0;
    if (cudaMemGetInfo(&available, &total) != cudaSuccess)
        available = total = 0;
    fail(SHEPARD_ERROR_MEMORY,
         "the GPU is out of memory: %.3f GiB were asked for, %.3f of %.3f GiB are free: use fewer "
         "points, targets or columns",
         (double)bytes / gibibyte, (double)available / gibibyte, (double)total / gibibyte);
}

template <class T> class buffer
{
  public:
    buffer() = default;
    explicit buffer(std::size_t count) : count_(count)
    {
        if (count > SIZE_MAX / sizeof(T))
            fail(SHEPARD_ERROR_MEMORY, "the GPU cannot hold %zu numbers of %zu bytes", count,
                 sizeof(T));
        if (count > 0)
            block_ = static_cast<T *>(allocate_device(count * sizeof(T)));
    }
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
    buffer(buffer &&other) noexcept : block_(other.block_), count_(other.count_)
    {
        other.block_ = nullptr;
        other.count_ = 0;
    }
    buffer &operator=(buffer &&other) noexcept
    {
        if (this != &other) {
            (void)cudaFree(block_);
            block_ = other.block_;
            count_ = other.count_;
            other.block_ = nullptr;
            other.count_ = 0;
        }
        return *this;
    }
    ~buffer() { (void)cudaFree(block_); }

    T *get() const { return block_; }
    std::size_t size() const { return count_; }

  private:
    T *block_ = nullptr;
    std::size_t count_ = 0;
};

} // namespace shepard

#endif
