/* SPDX-License-Identifier: MIT */
/* Arrays of a device copied to the host, for what the CPU computes; those of the host are left as
 * they are. */
#ifndef SHEPARD_BACKEND_CUDA_HOST_COPY_CUH
#define SHEPARD_BACKEND_CUDA_HOST_COPY_CUH

#include "backend/cuda/output_copy.cuh"

extern "C" {
#include "backend/backend.h"
}

#include <cstdint>
#include <vector>

namespace shepard
{

/* Doubles of the host that stand for arrays. */
class host_numbers
{
  public:
    /* An array of count elements; an empty one stays empty. */
    shepard_array copy(const shepard_array &array, std::size_t count, const shepard_memory &memory);

  private:
    std::vector<std::vector<double>> kept_;
};

struct host_coordinates {
    host_numbers numbers;
    shepard_coordinates coordinates;

    explicit host_coordinates(const shepard_coordinates &given);
};

struct host_values {
    host_numbers numbers;
    std::vector<shepard_array> columns;
    shepard_values values;

    host_values(const shepard_values &given, std::size_t count);
};

struct downloaded_targets {
    host_numbers numbers;
    shepard_targets_view view;

    explicit downloaded_targets(const shepard_targets_view &given);
};

/* Room on the host for results of m targets; they reach the caller's arrays with give_back. */
class host_output
{
  public:
    host_output(const shepard_output &given, std::size_t columns, std::size_t m);
    const shepard_output &output() const { return copy_.output(); }
    void give_back() const;

  private:
    struct pair {
        shepard_output_array to;
        std::vector<double> numbers;
    };

    shepard_memory memory_;
    output_copy copy_;
    std::vector<pair> kept_;
};

/* The same for a search. */
class host_found
{
  public:
    explicit host_found(const shepard_nearest_job &given);
    const shepard_nearest_job &job() const { return job_; }
    void give_back() const;

  private:
    const shepard_nearest_job &given_;
    downloaded_targets targets_;
    shepard_nearest_job job_;
    std::vector<std::uint32_t> indices_;
    std::vector<double> distances_;
};

} // namespace shepard

#endif
