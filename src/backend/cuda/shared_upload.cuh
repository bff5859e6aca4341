/* SPDX-License-Identifier: MIT */
/* The caller's arrays as each of several devices reads them. Long ones of the host are uploaded
 * once: each device uploads a share, and gets the others from its peers, which is faster than
 * if every device uploaded everything. Pinned ones are fetched piece by piece while the next are
 * uploaded. */
#ifndef SHEPARD_BACKEND_CUDA_SHARED_UPLOAD_CUH
#define SHEPARD_BACKEND_CUDA_SHARED_UPLOAD_CUH

#include "backend/cuda/crew.cuh"
#include "backend/cuda/stage_timer.cuh"
#include "backend/cuda/use_device.cuh"
#include "cuda/pool.cuh"

#include <deque>
#include <memory>
#include <vector>

namespace shepard
{

class shared_upload
{
  public:
    /* arrays: of `count` elements each; those without data are left as they are. */
    shared_upload(const std::vector<int> &devices, std::vector<shepard_array> arrays,
                  std::size_t count, const shepard_memory &memory, crew &helpers);
    shared_upload(const shared_upload &) = delete;
    shared_upload &operator=(const shared_upload &) = delete;

    /* Of the device with a number among those given; it must not outlive this. */
    shepard_array array(std::size_t number, std::size_t of) const;
    shepard_memory memory(std::size_t number) const;
    void add_to(shepard_timing *timing);

  private:
    /* All arrays on one device. */
    struct copy {
        int device;
        stream in;
        stage_timer clock;
        std::vector<block<unsigned char>> arrays;
        event allocated;
        std::deque<event> uploaded; /* pieces of the device's share, array by array */
        stream fetched;             /* the others' shares come in this one */

        explicit copy(int of) : device(of), clock(true) {}
        ~copy() { settle(); }
        /* Nothing is read or written any more, after a fault too. */
        void settle() const;
    };
    /* A piece of the share that a device uploads of an array: elements. */
    struct piece {
        std::size_t first, count;
    };

    void upload_share(std::size_t number, int device);
    void get_others(std::size_t number);
    std::size_t begin_of(std::size_t piece) const;
    piece piece_of(std::size_t device, std::size_t number) const;

    std::vector<shepard_array> given_;
    std::size_t count_;
    shepard_memory memory_;
    std::vector<std::unique_ptr<copy, destroy_on_device>>
        copies_; /* none: arrays are read where they are */
};

} // namespace shepard

#endif
