/* SPDX-License-Identifier: MIT */
#include "backend/cuda/shared_upload.cuh"

#include "backend/cuda/at_once.cuh"
#include "backend/cuda/peers.cuh"
#include "backend/cuda/staging.cuh"

extern "C" {
#include "core/array.h"
}

namespace shepard
{

/* Sharing takes a fraction of a millisecond, in which so many elements come to all devices at once
 * (estimated). */
static constexpr std::size_t shared_least = std::size_t{1} << 20;

/* Of a device's share of an array. */
static constexpr std::size_t pieces = 4;

static std::size_t size_of(const shepard_array &array)
{
    return (std::size_t)shepard_type_size(array.type);
}

shared_upload::shared_upload(const std::vector<int> &devices, std::vector<shepard_array> arrays,
                             std::size_t count, const shepard_memory &memory)
    : given_(std::move(arrays)), count_(count), memory_(memory)
{
    if (devices.size() < 2 || count < shared_least || memory.kind != SHEPARD_MEMORY_HOST ||
        !are_peers(devices))
        return;
    for (const int device : devices) {
        const use_device here(device);
        copies_.emplace_back(new copy(device, devices.size() - 1));
    }
    at_once(devices.size(), [&](std::size_t i) { upload_share(i); });
    at_once(devices.size(), [&](std::size_t i) { get_others(i); });
}

void shared_upload::copy::settle() const
{
    for (const stream &one : from)
        (void)cudaStreamSynchronize(one.get());
    (void)cudaStreamSynchronize(in.get());
}

shared_upload::piece shared_upload::piece_of(std::size_t device, std::size_t number,
                                             std::size_t array) const
{
    const std::size_t all = copies_.size() * pieces, which = device * pieces + number;
    const std::size_t first = count_ * which / all, size = size_of(given_[array]);
    return {first * size, (count_ * (which + 1) / all - first) * size};
}

void shared_upload::upload_share(std::size_t number)
{
    copy &own = *copies_[number];
    const use_device here(own.device);
    own.clock.enter(&shepard_timing::upload, own.in);
    for (const shepard_array &array : given_)
        own.arrays.emplace_back(array.data != nullptr ? count_ * size_of(array) : 0, own.in.get());
    own.allocated.record(own.in);
    for (std::size_t a = 0; a < given_.size(); a++)
        for (std::size_t p = 0; p < pieces; p++) {
            const piece part = piece_of(number, p, a);
            const std::size_t size = size_of(given_[a]);
            char *const from = const_cast<char *>(static_cast<const char *>(given_[a].data));
            if (from != nullptr)
                upload_elements({from + (std::ptrdiff_t)(part.first / size) * given_[a].stride,
                                 given_[a].stride, size},
                                part.bytes / size, own.arrays[a].get() + part.first, own.in);
            own.uploaded.emplace_back();
            own.uploaded.back().record(own.in);
        }
}

namespace
{

template <class Copy> struct settled_copy {
    const Copy &own;

    explicit settled_copy(const Copy &of) : own(of) {}
    ~settled_copy() { own.settle(); }
};

} // namespace

void shared_upload::get_others(std::size_t number)
{
    copy &own = *copies_[number];
    const use_device here(own.device);
    const settled_copy at_end(own);
    const auto wait_for = [](const stream &in, const event &of) {
        check(cudaStreamWaitEvent(in.get(), of.get(), 0), "copying from another device");
    };
    for (const stream &in : own.from)
        wait_for(in, own.allocated);
    for (std::size_t a = 0; a < given_.size(); a++)
        for (std::size_t p = 0; given_[a].data != nullptr && p < pieces; p++)
            for (std::size_t step = 1; step < copies_.size(); step++) {
                const std::size_t other = (number + step) % copies_.size();
                const copy &from = *copies_[other];
                const piece part = piece_of(other, p, a);
                wait_for(own.from[step - 1], from.uploaded[a * pieces + p]);
                copy_from_peer(own.arrays[a].get() + part.first,
                               {reinterpret_cast<const char *>(from.arrays[a].get()) + part.first,
                                from.device},
                               part.bytes, own.from[step - 1].get());
            }
    for (const stream &in : own.from)
        in.wait("copying from another device");
    own.clock.enter(nullptr, own.in);
    own.in.wait("uploading an array");
}

shepard_array shared_upload::array(std::size_t number, std::size_t of) const
{
    shepard_array shown = given_[of];
    if (copies_.empty() || shown.data == nullptr)
        return shown;
    shown.data = copies_[number]->arrays[of].get();
    shown.stride = shepard_type_size(shown.type);
    return shown;
}

shepard_memory shared_upload::memory(std::size_t number) const
{
    return copies_.empty() ? memory_
                           : shepard_memory{SHEPARD_MEMORY_CUDA, copies_[number]->in.get()};
}

void shared_upload::add_to(shepard_timing *timing)
{
    for (auto &own : copies_)
        own->clock.add_to(timing);
}

} // namespace shepard
