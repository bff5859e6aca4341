/* SPDX-License-Identifier: MIT */
/* Cells: a division of the curve's square by the data, for a coarse raster also by the size of its
 * cells, so that all targets of a cell can be treated alike and none depends on which others there
 * are. A cell is what a key's first bits name, as few bits as leave at most cell_points points in
 * it; targets' cells beside many points take more (subdivide_times), those of a coarse raster fewer
 * (coarse_cell_points). */
#ifndef SHEPARD_BACKEND_CUDA_TARGET_CELLS_CUH
#define SHEPARD_BACKEND_CUDA_TARGET_CELLS_CUH

#include "backend/cuda/points_view.cuh"
#include "backend/cuda/targets.cuh"
#include "cuda/pool.cuh"

namespace shepard
{

/* Measured: fewer make more, emptier warps of targets, more make longer lists. */
constexpr int cell_points = 128;

/* Of each point: how many first bits of its key name its cell. */
class cells
{
  public:
    cells() = default;
    cells(const points_view &of, cudaStream_t stream);

    const std::uint8_t *length() const { return length_.get(); }
    std::size_t bytes() const { return length_.bytes(); }

  private:
    block<std::uint8_t> length_;
};

/* Too few cells of a coarse raster would share one of so few points: where fewer than
 * raster_targets fit into a cell, it is larger, as long as it has at most coarse_cell_points
 * points. It is the raster that decides, not which of its cells are predicted. */
constexpr std::uint32_t coarse_cell_points = 8 * cell_points;
constexpr double raster_targets = 32;

/* A parent cell is the largest one round a cell with at most so many points; where fewer than
 * 2^parent_bits times raster_targets cells of a raster fit into that, it is larger, up to
 * coarse_parent_points. */
constexpr std::uint32_t parent_cell_points = 8 * cell_points;
constexpr std::uint32_t coarse_parent_points = 8 * coarse_cell_points;
constexpr int parent_bits = 3;
static_assert(coarse_cell_points <= parent_cell_points, "a cell is larger than its parent");

/* How many bits of a key name cells that raster_targets cells of a raster fit into, or up to twice
 * as many; 0 where fewer fit into the curve's square. */
int raster_length_of(const shepard_raster &raster, const shepard_frame &frame,
                     const hilbert_curve &along);
/* That of targets that are no raster's: it makes no cell larger, and no parent cell. */
constexpr int no_raster_length = hilbert_bits + parent_bits;

/* How many bits of a key name cells whose diagonals are at most so long, frame units. */
int diagonal_length_of(double diagonal, const hilbert_curve &along);

/* If a cell and the squares round it have more than so many times the points of the cell (or
 * cell_points, if these are more), targets are put in smaller cells: places where there are few
 * points may be next to places with many. Where points are even there are at most about 9 times as
 * many. */
constexpr std::uint32_t subdivide_times = 24;

/* An item: the targets of one cell, or some of them. Where there are as many targets as points, a
 * cell has cell_points of them, rarely many more. */
constexpr std::uint32_t item_targets = 160;

struct item_view {
    int raster_length;
    const std::uint8_t *length; /* [m] how many bits name the targets' cells */
    const std::uint32_t *first; /* [*count] of each item's targets; the next begins where it ends */
    const std::uint32_t *count;
};

class items
{
  public:
    /* raster_length: how many bits name cells that are large enough for a raster's targets
     * (raster_length_of); no_raster_length for others. exact: every pair is to be summed, and
     * nobody asks what is beside a cell. */
    items(const cells &division, const points_view &of, const hilbert_curve &along,
          const targets &cut, int raster_length, bool exact, cudaStream_t stream);

    item_view view() const { return {raster_length_, length_.get(), first_.get(), count_.get()}; }

  private:
    const int raster_length_;
    block<std::uint8_t> length_;
    block<std::uint32_t> first_, count_;
};

} // namespace shepard

#endif
