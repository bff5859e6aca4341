/* SPDX-License-Identifier: MIT */
#include "backend/cuda/host_copy.cuh"

#include "backend/cuda/arrays.cuh"

namespace shepard
{

static bool is_on_host(const shepard_memory &memory)
{
    return memory.kind == SHEPARD_MEMORY_HOST;
}

static shepard_output_array described(std::vector<double> *numbers)
{
    return {numbers->data(), SHEPARD_FLOAT64, sizeof(double)};
}

shepard_array host_numbers::copy(const shepard_array &array, std::size_t count,
                                 const shepard_memory &memory)
{
    if (is_on_host(memory) || array.data == nullptr)
        return array;
    kept_.push_back(bring_to_host(array, count, memory));
    return {kept_.back().data(), SHEPARD_FLOAT64, sizeof(double)};
}

host_coordinates::host_coordinates(const shepard_coordinates &given) : coordinates(given)
{
    coordinates.x = numbers.copy(given.x, given.count, given.memory);
    coordinates.y = numbers.copy(given.y, given.count, given.memory);
    coordinates.z = numbers.copy(given.z, given.count, given.memory);
    coordinates.memory = {};
}

host_values::host_values(const shepard_values &given, std::size_t count) : values(given)
{
    for (std::size_t c = 0; c < given.column_count; c++)
        columns.push_back(numbers.copy(given.columns[c], count, given.memory));
    values.columns = columns.data();
    values.weights = numbers.copy(given.weights, count, given.memory);
    values.memory = {};
}

downloaded_targets::downloaded_targets(const shepard_targets_view &given) : view(given)
{
    view.x = numbers.copy(given.x, given.count, given.memory);
    view.y = numbers.copy(given.y, given.count, given.memory);
    view.z = numbers.copy(given.z, given.count, given.memory);
    view.memory = {};
}

/* ---- results --------------------------------------------------------------------------------- */

host_output::host_output(const shepard_output &given, std::size_t columns, std::size_t m)
    : memory_(given.memory), copy_(given, columns)
{
    if (is_on_host(memory_))
        return;
    for (shepard_output_array *const array : copy_.arrays()) {
        kept_.push_back({*array, std::vector<double>(m)});
        *array = described(&kept_.back().numbers);
    }
    copy_.set_memory({});
}

void host_output::give_back() const
{
    for (const pair &one : kept_)
        send_from_host(one.numbers, one.to, memory_);
}

host_found::host_found(const shepard_nearest_job &given)
    : given_(given), targets_(*given.targets), job_(given)
{
    job_.targets = &targets_.view;
    if (is_on_host(given.memory))
        return;
    const std::size_t count = given.targets->count * given.k;
    job_.memory = {};
    if (given.indices != nullptr) {
        indices_.resize(count);
        job_.indices = indices_.data();
    }
    if (given.distances.data != nullptr) {
        distances_.resize(count);
        job_.distances = described(&distances_);
    }
}

void host_found::give_back() const
{
    if (!indices_.empty())
        send_indices_from_host(indices_, given_.indices, given_.memory);
    if (!distances_.empty())
        send_from_host(distances_, given_.distances, given_.memory);
}

} // namespace shepard
