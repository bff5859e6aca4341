/* SPDX-License-Identifier: MIT */
/** The even grid of [AIDW16] on the processor, with its neighbour search as printed and as it must
 * be. For the errata: nothing is timed with it. */
#ifndef SHEPARD_PAPERS_EVEN_GRID_H
#define SHEPARD_PAPERS_EVEN_GRID_H

#include <stdbool.h>
#include <stddef.h>

/** Largest k of a search. */
#define SHEPARD_EVEN_GRID_NEIGHBOURS 32

/** Cells of width w; cell (i, j) begins at (x0 + i w, y0 + j w). Points are borrowed. */
struct shepard_even_grid {
    double x0, y0, w;
    long columns, rows;
    size_t n;
    const double *x, *y; /**< [n] */
    size_t *head;        /**< [columns rows + 1]: where each cell's points begin in order */
    size_t *order;       /**< [n] points, sorted by cell */
};

/** How to search: all false is right, each true is a printed mistake. */
struct shepard_even_grid_rule {
    bool one_more_level;  /**< stop a level after k points were found */
    bool exclusive_loops; /**< levels of cells run from col - level to less than col + level */
    bool loose_bounds;    /**< a column is outside only where i > columns, a row likewise */
};

/** Sorts the points into a grid whose corner, w, columns, rows, n, x and y are set and which
 * covers them; false where memory ran out. Free it in either case. */
bool shepard_even_grid_build(struct shepard_even_grid *grid);

void shepard_even_grid_free(struct shepard_even_grid *grid);

/** Mean distance from (x, y), inside the grid, to the k <= n nearest points that the rule finds;
 * NaN where it finds fewer. *stray, if not NULL: cells looked at that are not in the grid. */
double shepard_even_grid_mean(const struct shepard_even_grid *grid,
                              struct shepard_even_grid_rule rule, double x, double y, size_t k,
                              size_t *stray);

#endif
