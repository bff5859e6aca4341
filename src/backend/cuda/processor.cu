/* SPDX-License-Identifier: MIT */
#include "backend/cuda/processor.cuh"

#include "backend/cuda/engine.cuh"

namespace shepard
{

processor::~processor()
{
    if (engine_ != nullptr)
        shepard_backend_cpu.free(engine_);
    shepard_points_free(&own_);
}

shepard_status processor::create(shepard_points *points, const shepard_rules *rules,
                                 shepard_error *error)
{
    return shepard_backend_cpu.create(points, rules, &engine_, error);
}

shepard_status processor::provide(const holding &from, const shepard_points &facts,
                                  const shepard_rules *rules, shepard_error *error)
{
    const std::lock_guard<std::mutex> one(making_);
    if (engine_ != nullptr)
        return SHEPARD_OK;
    shepard_status status = guard(error, [&] { from.download(facts, &own_); });
    if (status == SHEPARD_OK)
        status = shepard_backend_cpu.create(&own_, rules, &engine_, error);
    if (status != SHEPARD_OK)
        shepard_points_free(&own_);
    return status;
}

std::size_t processor::bytes() const
{
    const std::lock_guard<std::mutex> one(making_);
    if (engine_ == nullptr)
        return 0;
    const std::size_t points = own_.x != nullptr ? shepard_points_bytes(&own_) : 0;
    return points + shepard_backend_cpu.bytes(engine_);
}

} // namespace shepard
