/* SPDX-License-Identifier: MIT */
#include "backend/cuda/cpu_fallback.cuh"

#include "backend/cuda/device_field.cuh"

extern "C" {
#include "base/memory.h"
}

#include <algorithm>
#include <vector>

namespace shepard
{

/* ---- points ---------------------------------------------------------------------------------- */

fallback_points::~fallback_points()
{
    if (made_ != nullptr)
        shepard_backend_cpu.points_free(made_);
}

/* What it leaves to the caller where something fails, he frees. */
static void bring_back(const device_points &from, shepard_geometry *geometry)
{
    const auto room = [&](std::size_t count, std::size_t size) {
        void *block = shepard_allocate(geometry->allocator, count, size);
        if (block == nullptr)
            fail(SHEPARD_ERROR_MEMORY, "out of memory for the data points");
        return block;
    };
    const std::size_t n = geometry->count, many = shepard_geometry_room(n);
    geometry->x = static_cast<double *>(room(many, sizeof(double)));
    geometry->y = static_cast<double *>(room(many, sizeof(double)));
    geometry->index = static_cast<std::uint32_t *>(room(n, sizeof(std::uint32_t)));
    geometry->as_given = false;
    from.download(geometry->x, geometry->y, geometry->index);
}

shepard_status fallback_points::provide(const device_points *from,
                                        const shepard_prepared_points &facts, shepard_error *error)
{
    const std::lock_guard<std::mutex> one(making_);
    if (made_ != nullptr)
        return SHEPARD_OK;
    shepard_geometry geometry = facts.geometry;
    const shepard_status status = guard(error, [&] { bring_back(*from, &geometry); });
    if (status == SHEPARD_OK)
        return shepard_backend_cpu.points_adopt(&geometry, &made_, error);
    shepard_geometry_free(&geometry);
    return status;
}

std::size_t fallback_points::bytes() const
{
    const std::lock_guard<std::mutex> one(making_);
    shepard_holding holding = {};
    if (made_ != nullptr)
        shepard_backend_cpu.points_holding(made_, &holding);
    return holding.bytes;
}

/* ---- fields ---------------------------------------------------------------------------------- */

fallback_field::~fallback_field()
{
    if (made_ != nullptr)
        shepard_backend_cpu.field_free(made_);
}

/* Values and weights in the order of the caller's arrays, which a field is made from. */
struct given_values {
    std::vector<double> values, weights;
    std::vector<shepard_array> columns;

    given_values(const device_field &from)
    {
        const points_view &view = from.view();
        const std::size_t n = view.n, given = from.points().given_count();
        const std::size_t count = (std::size_t)view.columns;
        const bool weighted = view.weights != nullptr;
        std::vector<double> sorted(n * count), sorted_weights(weighted ? n : 0);
        std::vector<std::uint32_t> index(n);
        from.points().download(nullptr, nullptr, index.data());
        from.download(sorted.data(), weighted ? sorted_weights.data() : nullptr);
        values.resize(given * count);
        weights.resize(weighted ? given : 0);
        for (std::size_t c = 0; c < count; c++) {
            columns.push_back({values.data() + c * given, SHEPARD_FLOAT64, sizeof(double)});
            for (std::size_t i = 0; i < n; i++)
                values[c * given + index[i]] = sorted[c * n + i];
        }
        for (std::size_t i = 0; weighted && i < n; i++)
            weights[index[i]] = sorted_weights[i];
    }
};

shepard_status fallback_field::provide(const device_field *from, const shepard_prepared_points &on,
                                       std::size_t memory_limit, shepard_error *error)
{
    const std::lock_guard<std::mutex> one(making_);
    if (made_ != nullptr)
        return SHEPARD_OK;
    shepard_status made = SHEPARD_OK;
    const shepard_status status = guard(error, [&] {
        const given_values given(*from);
        shepard_values values = {};
        values.size = sizeof values;
        values.column_count = given.columns.size();
        values.columns = given.columns.data();
        if (!given.weights.empty())
            values.weights = {given.weights.data(), SHEPARD_FLOAT64, sizeof(double)};
        bool gaps = false;
        made = shepard_backend_cpu.field_create(&on, &values, memory_limit, &made_, &gaps, error);
    });
    return status == SHEPARD_OK ? made : status;
}

std::size_t fallback_field::bytes() const
{
    const std::lock_guard<std::mutex> one(making_);
    shepard_holding holding = {};
    if (made_ != nullptr)
        shepard_backend_cpu.field_holding(made_, &holding);
    return holding.bytes;
}

} // namespace shepard
