/* SPDX-License-Identifier: MIT */
/* Points and targets of many shapes, made on the CPU and put onto the device in the form that
 * the cuda backend's kernels take. */
#ifndef SHEPARD_TESTS_CUDA_SCENE_CUH
#define SHEPARD_TESTS_CUDA_SCENE_CUH

#include "backend/cuda/points_view.cuh"
#include "cuda/buffer.cuh"

extern "C" {
#include "base/random.h"
}

#include <vector>

enum class shape { uniform, clustered, grid, coincident, line, shapes };

const char *shape_name(shape of);

/* In the order that the device has them in. */
struct host_points {
    std::uint32_t n;
    int columns;
    std::vector<double> x, y; /* [n and more] infinite past n */
    std::vector<double> values, weights, middle, scale, value_min, value_max;
    std::vector<std::uint32_t> index;
    std::vector<std::uint64_t> key;
    std::vector<std::vector<shepard::box>> boxes;
    std::vector<std::uint32_t> box_count;
};

host_points make_points(shape of, std::uint32_t n, int columns, bool weighted,
                        shepard_random *random);

struct host_targets {
    std::vector<double> x, y;
    std::vector<std::uint32_t> index, rank;
};

/* Anywhere, at points, between them, far away, nowhere; along the curve or in no order. */
host_targets make_targets(const host_points &points, std::uint32_t m, bool sorted,
                          shepard_random *random);

template <class T> shepard::buffer<T> upload(const std::vector<T> &from)
{
    shepard::buffer<T> to(from.size());
    if (!from.empty())
        shepard::check(
            cudaMemcpy(to.get(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
            "uploading");
    return to;
}

template <class T> std::vector<T> download(const shepard::buffer<T> &from)
{
    std::vector<T> to(from.size());
    if (!to.empty())
        shepard::check(
            cudaMemcpy(to.data(), from.get(), to.size() * sizeof(T), cudaMemcpyDeviceToHost),
            "downloading");
    return to;
}

class uploaded_points
{
  public:
    explicit uploaded_points(const host_points &points);
    const shepard::points_view &view() const { return view_; }

  private:
    shepard::buffer<double> x_, y_, values_, weights_, middle_, scale_, value_min_, value_max_;
    shepard::buffer<std::uint32_t> index_;
    shepard::buffer<std::uint64_t> key_;
    std::vector<shepard::buffer<shepard::box>> boxes_;
    shepard::points_view view_ = {};
};

class device_targets
{
  public:
    explicit device_targets(const host_targets &targets);
    const shepard::target_view &view() const { return view_; }

  private:
    shepard::buffer<double> x_, y_;
    shepard::buffer<std::uint32_t> index_, rank_;
    shepard::target_view view_;
};

#endif
