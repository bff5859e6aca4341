/* SPDX-License-Identifier: MIT */
/** An overview: a band at reduced size, gathered while its strips are written. */
#ifndef SHEPARD_CLI_OVERVIEW_H
#define SHEPARD_CLI_OVERVIEW_H

#include "shepard/shepard.h"

#include <stdint.h>

/** Start from {0}; free with shepard_overview_free. */
struct shepard_overview {
    size_t columns, rows; /**< at most SHEPARD_OVERVIEW_SIDE each */
    size_t step;          /**< cells of the band along each side of one of the overview */
    double *sums;         /**< [rows, columns] */
    uint64_t *counts;     /**< [rows, columns] cells with a prediction */
};

enum { SHEPARD_OVERVIEW_SIDE = 1000 };

/** Makes an empty overview; false when out of memory, said. */
bool shepard_overview_make(struct shepard_overview *overview, const struct shepard_raster *raster);

void shepard_overview_free(struct shepard_overview *overview);

/** Adds a window, values row-major; cells that hold nodata are left out. */
void shepard_overview_add(struct shepard_overview *overview, const struct shepard_window *window,
                          const double *values, double nodata);

/** The mean of the cells behind one of the overview; NaN where there is none. */
double shepard_overview_at(const struct shepard_overview *overview, size_t column, size_t row);

/** The values below which these fractions of the cells lie, fractions rising; NaN without any cell,
 * false when out of memory, said. */
bool shepard_overview_quantiles(const struct shepard_overview *overview, size_t count,
                                const double *fractions, double *values);

#endif
