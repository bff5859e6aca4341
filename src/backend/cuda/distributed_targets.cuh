/* SPDX-License-Identifier: MIT */
/* The targets of a list distributed among devices. Each reads a share of the list; then each gets
 * all targets of one stretch of the curve, about as many as the others, so that it has nearly every
 * cell that it works on as a whole: walks down the tree are shared by a cell's targets. Results go
 * back to the device that has read the targets, and from there to the caller. */
#ifndef SHEPARD_BACKEND_CUDA_DISTRIBUTED_TARGETS_CUH
#define SHEPARD_BACKEND_CUDA_DISTRIBUTED_TARGETS_CUH

#include "backend/cuda/chunk.cuh"
#include "backend/cuda/crew.cuh"
#include "backend/cuda/output_copy.cuh"
#include "backend/cuda/use_device.cuh"

namespace shepard
{

/* A place in the order of the curve. */
struct curve_mark {
    std::uint64_t key, within; /* within: 0 where the curve is not crowded */

    __host__ __device__ bool operator<(const curve_mark &other) const
    {
        return key != other.key ? key < other.key : within < other.within;
    }
};

class distributed_targets
{
  public:
    /* Targets first ... first + count - 1 of a call for predictions, count >= 1, on peers. */
    distributed_targets(const std::vector<device_call> &devices, const call_view &call,
                        std::size_t first, std::size_t count, bool timed, crew &helpers);
    distributed_targets(const distributed_targets &) = delete;
    distributed_targets &operator=(const distributed_targets &) = delete;

    /* What a device is to run, by its number: perhaps no target. */
    const call_view &call_of(std::size_t device) const { return parts_[device]->call; }
    /* Once they have run: hands the results to the caller's arrays. */
    void give_back();
    void add_to(shepard_timing *timing);

    /* Device memory that a target takes beside that of its prediction, bytes, about. */
    static std::size_t bytes_of_target(const call_view &call);

  private:
    /* Of one device. */
    struct part {
        int device;
        stream in;
        stage_timer clock;
        /* What it reads. */
        std::size_t first, count; /* of the call */
        taken given_x, given_y;
        list_marks marks;
        std::vector<curve_mark> sample; /* rising */
        /* The same, in the order of the devices that get it. */
        block<std::uint32_t> number;
        block<double> x, y;
        std::vector<std::uint32_t> begins; /* [devices + 1] of what goes to each device */
        /* What it predicts: what it gets from each device, one after the other. */
        std::vector<std::size_t> offset; /* [devices + 1] */
        block<double> at_x, at_y;
        shepard_targets_view view = {};
        lent_memory memory;
        output_copy output;
        std::vector<block<double>> results; /* as output.arrays() */
        call_view call;

        part(const device_call &on, const call_view &of, bool timed);
    };

    void read_share(std::size_t device, const device_call &on);
    void divide_share(std::size_t device, const std::vector<curve_mark> &splitters);
    void get_targets(std::size_t device);
    void return_results(std::size_t device);
    std::size_t samples_before(const curve_mark &mark) const;
    curve_mark sample_at(std::size_t rank) const;
    std::vector<curve_mark> choose_splitters() const;
    void find_offsets();

    const call_view &call_;
    crew &helpers_;
    std::vector<std::unique_ptr<part, destroy_on_device>> parts_;
};

} // namespace shepard

#endif
