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
    Real x_low, x_high, y_low, y_high; /* extent of the cells */
    Real width;                        /* of a cell, > 0 */
    int columns, rows;                 /* each at most 2^22 + 1: exact in float */
    const std::uint32_t *heads;        /* [columns rows + 1] */
    const Real *x, *y;                 /* [n] */
};

/* Places on the device. */
template <class Real> struct place_list {
    const Real *x, *y; /* [count] */
    std::uint32_t count;
};

/* How cells are laid over points. */
template <class Real> struct cell_plan {
    place_list<Real> within; /* the cells also cover these; none: the box of the points */
    double width;            /* of a cell, 0: so that there are cells_of_point of them */
    double cells_of_point;   /* at most, but for the shape of the box */
};

/* Three points a cell where points lie evenly. */
template <class Real> constexpr cell_plan<Real> dense_cells()
{
    return {{nullptr, nullptr, 0}, 0, 1.0 / 3.0};
}

/* As printed in 2016: over data and targets, the expected distance of neighbours wide, which is a
 * quarter of a point a cell. Targets far from the data would need any number of cells, so these
 * widen at 8 cells a point. */
template <class Real>
constexpr cell_plan<Real> cells_of_2016(const place_list<Real> &targets, double r_expected)
{
    return {targets, r_expected, 8};
}

/* Holds what the view points to. */
template <class Real> class even_grid
{
  public:
    /* Comes back when the grid is made. */
    even_grid(const place_list<Real> &points, const cell_plan<Real> &plan, const stream &on);

    const grid_view<Real> &view() const { return view_; }

  private:
    grid_view<Real> view_ = {};
    buffer<std::uint32_t> heads_;
    buffer<Real> x_, y_;
};

/* Coordinates of packed points as arrays of their own. */
template <class Real>
void unpack(const packed_point<Real> *points, std::uint32_t n, Real *x, Real *y, const stream &on);

/* The weight function of each target. */
template <class Real>
void find_powers(const grid_view<Real> &grid, const place_list<Real> &targets,
                 const adapt_table<Real> &adapt, const target_powers<Real> &by, const stream &on);

} // namespace shepard

#endif
