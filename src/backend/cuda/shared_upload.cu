/* SPDX-License-Identifier: MIT */
#include "backend/cuda/shared_upload.cuh"

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
                             std::size_t count, const shepard_memory &memory, crew &helpers)
    : given_(std::move(arrays)), count_(count), memory_(memory)
{
    if (devices.size() < 2 || count < shared_least || memory.kind != SHEPARD_MEMORY_HOST ||
        !are_peers(devices))
        return;
    copies_.resize(devices.size());
    helpers.at_once(devices.size(), [&](std::size_t i) { upload_share(i, devices[i]); });
    helpers.at_once(devices.size(), [&](std::size_t i) { get_others(i); });
}

void shared_upload::copy::settle() const
{
    (void)cudaStreamSynchronize(fetched.get());
    (void)cudaStreamSynchronize(in.get());
}

/* The element that a piece of an array begins with, a multiple of 32: peers can read 16 bytes at a
 * time. */
std::size_t shared_upload::begin_of(std::size_t piece) const
{
    constexpr std::size_t together = 32;
    const std::size_t all = copies_.size() * pieces;
    return piece == all ? count_ : count_ * piece / all / together * together;
}

shared_upload::piece shared_upload::piece_of(std::size_t device, std::size_t number) const
{
    const std::size_t which = device * pieces + number, first = begin_of(which);
    return {first, begin_of(which + 1) - first};
}

void shared_upload::upload_share(std::size_t number, int device)
{
    const use_device here(device);
    copies_[number].reset(new copy(device));
    copy &own = *copies_[number];
    own.clock.enter(&shepard_timing::upload, own.in);
    const cudaMemPool_t pool = pool_for_peers();
    for (const shepard_array &array : given_)
        own.arrays.emplace_back(array.data != nullptr ? count_ * size_of(array) : 0, own.in.get(),
                                pool);
    own.allocated.record(own.in);
    for (std::size_t a = 0; a < given_.size(); a++)
        for (std::size_t p = 0; p < pieces; p++) {
            const piece part = piece_of(number, p);
            const std::size_t size = size_of(given_[a]);
            char *const from = const_cast<char *>(static_cast<const char *>(given_[a].data));
            if (from != nullptr)
                upload_elements(
                    {from + (std::ptrdiff_t)part.first * given_[a].stride, given_[a].stride, size},
                    part.count, own.arrays[a].get() + part.first * size, own.in);
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
    const auto wait_for = [&](const event &of) {
        check(cudaStreamWaitEvent(own.fetched.get(), of.get(), 0), "copying from another device");
    };
    wait_for(own.allocated);
    for (std::size_t a = 0; a < given_.size(); a++)
        for (std::size_t p = 0; given_[a].data != nullptr && p < pieces; p++) {
            std::vector<peer_piece> of_others;
            for (std::size_t step = 1; step < copies_.size(); step++) {
                const std::size_t other = (number + step) % copies_.size();
                const copy &from = *copies_[other];
                const piece part = piece_of(other, p);
                const std::size_t size = size_of(given_[a]), first = part.first * size;
                wait_for(from.uploaded[a * pieces + p]);
                of_others.push_back(
                    {from.arrays[a].get() + first, own.arrays[a].get() + first, part.count * size});
            }
            fetch(of_others, own.fetched.get());
        }
    own.fetched.wait("copying from another device");
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
