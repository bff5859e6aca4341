/* SPDX-License-Identifier: MIT */
/* The cpu backend for what devices do not compute: made from what a device holds when it is first
 * needed. */
#ifndef SHEPARD_BACKEND_CUDA_CPU_FALLBACK_CUH
#define SHEPARD_BACKEND_CUDA_CPU_FALLBACK_CUH

extern "C" {
#include "backend/backend.h"
}

#include <mutex>

namespace shepard
{

class device_points;
class device_field;

class fallback_points
{
  public:
    fallback_points() = default;
    fallback_points(const fallback_points &) = delete;
    fallback_points &operator=(const fallback_points &) = delete;
    ~fallback_points();

    /* Takes over what the cpu backend has made, before anybody else asks. */
    void hold(shepard_prepared_points *made) { made_ = made; }
    /* Over points brought back from a device; once: threads may ask at the same time. */
    shepard_status provide(const device_points *from, const shepard_prepared_points &facts,
                           shepard_error *error);

    const shepard_prepared_points *get() const { return made_; }
    std::size_t bytes() const;

  private:
    mutable std::mutex making_;
    shepard_prepared_points *made_ = nullptr;
};

class fallback_field
{
  public:
    fallback_field() = default;
    fallback_field(const fallback_field &) = delete;
    fallback_field &operator=(const fallback_field &) = delete;
    ~fallback_field();

    void hold(shepard_prepared_field *made) { made_ = made; }
    /* Over values brought back from a device, on points that are there. */
    shepard_status provide(const device_field *from, const shepard_prepared_points &on,
                           std::size_t memory_limit, shepard_error *error);

    const shepard_prepared_field *get() const { return made_; }
    std::size_t bytes() const;

  private:
    mutable std::mutex making_;
    shepard_prepared_field *made_ = nullptr;
};

} // namespace shepard

#endif
