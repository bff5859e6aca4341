/* SPDX-License-Identifier: MIT */
/**
 * The papers' test data: data points and targets uniform over a square. The papers do not say what
 * the values are; here a smooth surface of height -50 to 50, another for each column, with noise of
 * standard deviation 5. Places lie on a grid that float32 holds exactly, 2^23 steps a side: the
 * papers kept them in float32. Smaller numbers of points are the beginning of larger ones.
 */
#ifndef SHEPARD_PAPERS_RECIPE_H
#define SHEPARD_PAPERS_RECIPE_H

#include "engine.h"

#include <stdint.h>

/** Side of the square, whose lower left corner is (0, 0). */
#define SHEPARD_RECIPE_SIDE 1024.0

/** A draw of the recipe. */
struct shepard_recipe {
    size_t n, m, columns; /**< data points, targets, value columns */
    double *x, *y;        /**< [n] */
    double *target_x;     /**< [m] */
    double *target_y;
    double *values[SHEPARD_PAPER_COLUMNS_MAX]; /**< [columns] of [n] */
};

/** Draws a recipe whose n, m and columns are set; false where memory ran out. Free it in either
 * case. */
bool shepard_recipe_draw(struct shepard_recipe *recipe, uint64_t seed);

void shepard_recipe_free(struct shepard_recipe *recipe);

/** Largest less smallest value of a column's first n. */
double shepard_recipe_range(const struct shepard_recipe *recipe, size_t column, size_t n);

/** Views of the first n points and the first m targets. */
struct shepard_data shepard_recipe_data(const struct shepard_recipe *recipe, size_t n);
struct shepard_targets shepard_recipe_targets(const struct shepard_recipe *recipe, size_t m);

#endif
