/* SPDX-License-Identifier: MIT */
#include "backend/cuda/staging.cuh"

#include "backend/cuda/address.cuh"
#include "backend/cuda/use_device.cuh"

extern "C" {
#include "base/parallel.h"
}

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace shepard
{

namespace
{

/* Two pieces are in use at a time. */
constexpr std::size_t piece_bytes = std::size_t{4} << 20;
constexpr int pieces = 2;
/* Smaller arrays are left to the driver. */
constexpr std::size_t staged_least = std::size_t{1} << 20;
/* What a thread copies at a time; more threads than this gain nothing. */
constexpr std::size_t block_bytes = std::size_t{1} << 18;
constexpr int threads_most = 8;

/* ---- on the host ----------------------------------------------------------------------------- */

/* Elements between an array and a piece. */
struct moving {
    host_elements array;
    char *piece;
    std::size_t count;
    bool to_piece;
};

template <class Word> void move_strided(const moving &job, std::size_t first, std::size_t end)
{
    for (std::size_t i = first; i < end; i++) {
        char *const own = job.array.first + (std::ptrdiff_t)i * job.array.stride;
        char *const packed = job.piece + i * sizeof(Word);
        std::memcpy(job.to_piece ? packed : own, job.to_piece ? own : packed, sizeof(Word));
    }
}

void move_range(const moving &job, std::size_t first, std::size_t end)
{
    const std::size_t size = job.array.size;
    if (job.array.stride == (std::ptrdiff_t)size) {
        char *const own = job.array.first + first * size, *const packed = job.piece + first * size;
        std::memcpy(job.to_piece ? packed : own, job.to_piece ? own : packed, (end - first) * size);
    } else if (size == sizeof(float)) {
        move_strided<std::uint32_t>(job, first, end);
    } else {
        move_strided<std::uint64_t>(job, first, end);
    }
}

shepard_status move_block(void *context, std::size_t block, int)
{
    const moving &job = *static_cast<const moving *>(context);
    const std::size_t each = block_bytes / job.array.size, first = block * each;
    move_range(job, first, std::min(first + each, job.count));
    return SHEPARD_OK;
}

void move_all(moving job)
{
    const std::size_t each = block_bytes / job.array.size;
    const shepard_loop loop = {std::min(shepard_threads(0), threads_most),
                               (job.count + each - 1) / each, move_block, &job, nullptr};
    (void)shepard_loop_run(&loop);
}

/* ---- pinned pieces --------------------------------------------------------------------------- */

/* Of a device. They stay with the process: pinning takes as long as copying some megabytes. */
class pinned_room
{
  public:
    explicit pinned_room(int device) : device_(device)
    {
        check(cudaHostAlloc(reinterpret_cast<void **>(&start_), pieces * piece_bytes,
                            cudaHostAllocPortable),
              "pinning memory");
    }
    pinned_room(const pinned_room &) = delete;
    pinned_room &operator=(const pinned_room &) = delete;

    int device() const { return device_; }
    char *piece(int i) const { return start_ + (std::size_t)i * piece_bytes; }
    /* Nothing reads or writes a piece any more. */
    void wait(int i) const { check(cudaEventSynchronize(free_[i].get()), "copying an array"); }
    void mark(int i, const stream &on) { free_[i].record(on); }

  private:
    int device_;
    char *start_ = nullptr;
    event free_[pieces];
};

std::mutex lock;

/* Never destroyed: at the end of a process the driver may be gone. */
std::vector<std::unique_ptr<pinned_room>> &idle()
{
    static auto *const rooms = new std::vector<std::unique_ptr<pinned_room>>;
    return *rooms;
}

/* Room for one copy. */
class borrowed_room
{
  public:
    borrowed_room()
    {
        const int device = current_device();
        const std::lock_guard<std::mutex> one(lock);
        for (auto &own : idle())
            if (own->device() == device) {
                room_ = std::move(own);
                own = std::move(idle().back());
                idle().pop_back();
                return;
            }
        room_ = std::make_unique<pinned_room>(device);
    }
    borrowed_room(const borrowed_room &) = delete;
    borrowed_room &operator=(const borrowed_room &) = delete;
    ~borrowed_room()
    {
        const std::lock_guard<std::mutex> one(lock);
        idle().push_back(std::move(room_));
    }

    pinned_room *operator->() const { return room_.get(); }

  private:
    std::unique_ptr<pinned_room> room_;
};

bool goes_as_it_is(const host_elements &array, std::size_t count)
{
    return array.stride == (std::ptrdiff_t)array.size &&
           (count * array.size < staged_least ||
            attributes_of(array.first).type != cudaMemoryTypeUnregistered);
}

/* A piece's part of an array. */
struct array_part {
    host_elements array;
    std::size_t first, count;

    array_part(const host_elements &of, std::size_t all, std::size_t number) : array(of)
    {
        const std::size_t each = piece_bytes / of.size;
        first = number * each;
        count = std::min(each, all - first);
        array.first += (std::ptrdiff_t)first * of.stride;
    }
    std::size_t bytes() const { return count * array.size; }
    std::size_t offset() const { return first * array.size; }
};

std::size_t parts_of(const host_elements &array, std::size_t count)
{
    return (count * array.size + piece_bytes - 1) / piece_bytes;
}

} // namespace

void upload_elements(const host_elements &from, std::size_t count, void *to, const stream &on)
{
    if (goes_as_it_is(from, count)) {
        check(cudaMemcpyAsync(to, from.first, count * from.size, cudaMemcpyHostToDevice, on.get()),
              "uploading an array");
        return;
    }
    const borrowed_room own;
    for (std::size_t i = 0; i < parts_of(from, count); i++) {
        const array_part next(from, count, i);
        const int place = (int)(i % pieces);
        own->wait(place);
        move_all({next.array, own->piece(place), next.count, true});
        check(cudaMemcpyAsync(static_cast<char *>(to) + next.offset(), own->piece(place),
                              next.bytes(), cudaMemcpyHostToDevice, on.get()),
              "uploading an array");
        own->mark(place, on);
    }
}

void download_elements(const void *from, std::size_t count, const host_elements &to,
                       const stream &on)
{
    if (goes_as_it_is(to, count)) {
        check(cudaMemcpyAsync(to.first, from, count * to.size, cudaMemcpyDeviceToHost, on.get()),
              "downloading results");
        return;
    }
    const borrowed_room own;
    const std::size_t parts = parts_of(to, count);
    for (std::size_t i = 0; i <= parts; i++) {
        if (i < parts) {
            const array_part next(to, count, i);
            const int place = (int)(i % pieces);
            own->wait(place);
            check(cudaMemcpyAsync(own->piece(place),
                                  static_cast<const char *>(from) + next.offset(), next.bytes(),
                                  cudaMemcpyDeviceToHost, on.get()),
                  "downloading results");
            own->mark(place, on);
        }
        if (i > 0) {
            const array_part last(to, count, i - 1);
            const int place = (int)((i - 1) % pieces);
            own->wait(place);
            move_all({last.array, own->piece(place), last.count, false});
        }
    }
}

} // namespace shepard
