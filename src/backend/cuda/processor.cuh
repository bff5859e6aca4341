/* SPDX-License-Identifier: MIT */
/* The engine of the cpu backend that does what devices do not: made when it is first needed. */
#ifndef SHEPARD_BACKEND_CUDA_PROCESSOR_CUH
#define SHEPARD_BACKEND_CUDA_PROCESSOR_CUH

extern "C" {
#include "backend/backend.h"
}

#include <mutex>

namespace shepard
{

class holding;

class processor
{
  public:
    processor() = default;
    processor(const processor &) = delete;
    processor &operator=(const processor &) = delete;
    ~processor();

    /* Over points of the host, which outlive it. */
    shepard_status create(shepard_points *points, const shepard_rules *rules, shepard_error *error);
    /* Over points brought back from a device; once: threads may ask at the same time. */
    shepard_status provide(const holding &from, const shepard_points &facts,
                           const shepard_rules *rules, shepard_error *error);

    const shepard_engine *engine() const { return engine_; }
    std::size_t bytes() const;

  private:
    mutable std::mutex making_;
    shepard_engine *engine_ = nullptr;
    shepard_points own_ = {};
};

} // namespace shepard

#endif
