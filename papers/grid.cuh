/* SPDX-License-Identifier: MIT */
/* The even grid of 2016 and the search in it. */
#ifndef SHEPARD_PAPERS_GRID_CUH
#define SHEPARD_PAPERS_GRID_CUH

#include "grid_search.cuh"
#include "kernel_data.cuh"
#include "powers.cuh"

#include "cuda/buffer.cuh"
#include "cuda/stream.cuh"

namespace shepard
{

/* Points in the order of their cells, row by row: those of cells first to last of one row are
 * heads[first] <= i < heads[last + 1]. */
template <class Real> struct grid_view {
    Real x_low, x_high, y_low, y_high; /* extent of the points */
    Real width;                        /* of a cell, > 0 */
    int columns, rows;                 /* each at most 2^22 + 1: exact in float */
    const std::uint32_t *heads;        /* [columns rows + 1] */
    const Real *x, *y;                 /* [n] */
};

/* Holds what the view points to. */
template <class Real> class even_grid
{
  public:
    /* x, y [n], on the device. Comes back when the grid is made. */
    even_grid(const Real *x, const Real *y, std::uint32_t n, const stream &on);

    const grid_view<Real> &view() const { return view_; }

  private:
    grid_view<Real> view_ = {};
    buffer<std::uint32_t> heads_;
    buffer<Real> x_, y_;
};

/* Coordinates of packed points as arrays of their own. */
template <class Real>
void unpack(const packed_point<Real> *points, std::uint32_t n, Real *x, Real *y, const stream &on);

/* The weight function of each target; x, y [m]. */
template <class Real>
void find_powers(const grid_view<Real> &grid, const Real *x, const Real *y, std::uint32_t m,
                 const adapt_table<Real> &adapt, const target_powers<Real> &by, const stream &on);

} // namespace shepard

#endif
