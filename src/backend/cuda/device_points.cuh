/* SPDX-License-Identifier: MIT */
/* The points on one device. Mirrors backend/cpu/points.h. */
#ifndef SHEPARD_BACKEND_CUDA_DEVICE_POINTS_CUH
#define SHEPARD_BACKEND_CUDA_DEVICE_POINTS_CUH

#include "backend/cuda/boxes.cuh"
#include "backend/cuda/cell_tree.cuh"
#include "backend/cuda/point_store.cuh"
#include "backend/cuda/target_cells.cuh"

extern "C" {
#include "core/geometry.h"
}

#include <memory>
#include <mutex>
#include <vector>

namespace shepard
{

class device_points
{
  public:
    /* Takes coordinates in, and fills *facts. */
    device_points(int device, const shepard_coordinates &coordinates,
                  const shepard_stretch &stretch, shepard_geometry *facts, shepard_timing *timing);
    /* Points of three coordinates, which the host has put in order. */
    device_points(int device, const shepard_geometry &on_host, std::size_t given_count,
                  shepard_timing *timing);
    /* Those of `all` whose keep[index] is true; facts->count of them. */
    device_points(const device_points &all, const bool *keep, shepard_geometry *facts);
    ~device_points();

    /* Makes what sums over all points need, and, with_tree, what those within a tolerance need
     * besides; once: threads may ask at the same time. What follows in a stream finds them made.
     * Returns whether they had not been. */
    bool provide_division(bool with_tree, const stream &in);

    int device() const { return device_; }
    /* Without values. */
    const space_points_view &view() const { return view_; }
    /* Whether places have three coordinates; else nothing of space is in the view. */
    bool in_space() const { return view_.z != nullptr; }
    const hilbert_curve &along() const { return store_->along(); }
    const cells &division() const { return *cells_; }
    const cell_tree &tree() const { return *tree_; }
    std::size_t given_count() const { return given_count_; }
    std::size_t bytes() const;
    /* Coordinates, frame units, and indices, in order; each may be nullptr. */
    void download(double *x, double *y, std::uint32_t *index) const;

  private:
    void build_boxes();

    int device_;
    std::size_t given_count_; /* of the caller's coordinates */
    std::unique_ptr<stream> stream_;
    std::unique_ptr<point_store> store_;
    std::unique_ptr<boxes> boxes_;
    std::unique_ptr<space_boxes> space_boxes_; /* where places have three coordinates */
    space_points_view view_ = {};
    mutable std::mutex making_;
    std::unique_ptr<cells> cells_;
    std::unique_ptr<cell_tree> tree_;
    std::unique_ptr<event> divided_; /* after the last of them */
};

} // namespace shepard

#endif
