/* SPDX-License-Identifier: MIT */
/* Cells: a division of the curve's square by the data alone, so that all targets of a cell can be
 * treated alike and none depends on which others there are. A cell is what a key's first bits name,
 * as few bits as leave at most cell_points points in it; targets' cells beside many points take
 * more (subdivide_limit). Mirrors core/target_cells.h. */
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

/* Targets of a cell with more points in it and in the squares round it are put in smaller cells:
 * places where there are few points may be next to places with many. Where points are even there
 * are at most about 9 cell_points. */
constexpr std::uint32_t subdivide_limit = 24 * cell_points;

/* An item: the targets of one cell, or some of them. Where there are as many targets as points, a
 * cell has cell_points of them, rarely many more. */
constexpr std::uint32_t item_targets = 160;

/* A parent cell is what fewer bits of a cell's name leave, with at most so many points. */
constexpr std::uint32_t parent_cell_points = 8 * cell_points;

struct item_view {
    const std::uint8_t *length; /* [m] bits that name the targets' cells */
    const std::uint32_t *first; /* [*count] of each item's targets; the next begins where it ends */
    const std::uint32_t *count;
};

class items
{
  public:
    /* exact: every pair is to be summed, and nobody asks what is beside a cell. */
    items(const cells &division, const points_view &of, const hilbert_curve &along,
          const targets &cut, bool exact, cudaStream_t stream);

    item_view view() const { return {length_.get(), first_.get(), count_.get()}; }

  private:
    block<std::uint8_t> length_;
    block<std::uint32_t> first_, count_;
};

} // namespace shepard

#endif
