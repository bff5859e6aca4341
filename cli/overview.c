/* SPDX-License-Identifier: MIT */
#include "overview.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>

bool shepard_overview_make(struct shepard_overview *overview, const struct shepard_raster *raster)
{
    const size_t side = raster->columns > raster->rows ? raster->columns : raster->rows;
    const size_t step = (side + SHEPARD_OVERVIEW_SIDE - 1) / SHEPARD_OVERVIEW_SIDE;
    *overview = (struct shepard_overview){.columns = (raster->columns + step - 1) / step,
                                          .rows = (raster->rows + step - 1) / step,
                                          .step = step};
    const size_t cells = overview->columns * overview->rows;
    overview->sums = calloc(cells, sizeof *overview->sums);
    overview->counts = calloc(cells, sizeof *overview->counts);
    return (overview->sums && overview->counts) || shepard_say_error("out of memory");
}

void shepard_overview_free(struct shepard_overview *overview)
{
    free(overview->sums);
    free(overview->counts);
    *overview = (struct shepard_overview){0};
}

static void add_row(struct shepard_overview *overview, const struct shepard_window *window,
                    size_t row, const double *values, double nodata)
{
    const size_t first = (window->row + row) / overview->step * overview->columns;
    for (size_t i = 0; i < window->columns; i++) {
        if (isfinite(values[i]) && values[i] != nodata) {
            const size_t cell = first + (window->column + i) / overview->step;
            overview->sums[cell] += values[i];
            overview->counts[cell]++;
        }
    }
}

void shepard_overview_add(struct shepard_overview *overview, const struct shepard_window *window,
                          const double *values, double nodata)
{
    for (size_t r = 0; r < window->rows; r++) {
        add_row(overview, window, r, values + r * window->columns, nodata);
    }
}

double shepard_overview_at(const struct shepard_overview *overview, size_t column, size_t row)
{
    const size_t cell = row * overview->columns + column;
    return overview->counts[cell] > 0 ? overview->sums[cell] / (double)overview->counts[cell] : NAN;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool shepard_overview_quantiles(const struct shepard_overview *overview, size_t count,
                                const double *fractions, double *values)
{
    double *const sorted = malloc(overview->columns * overview->rows * sizeof *sorted);
    size_t n = 0;
    if (!sorted) {
        return shepard_say_error("out of memory");
    }
    for (size_t row = 0; row < overview->rows; row++) {
        for (size_t column = 0; column < overview->columns; column++) {
            const double value = shepard_overview_at(overview, column, row);
            if (isfinite(value)) {
                sorted[n++] = value;
            }
        }
    }
    qsort(sorted, n, sizeof *sorted, compare);
    for (size_t i = 0; i < count; i++) {
        values[i] = n > 0 ? sorted[(size_t)(fractions[i] * (double)(n - 1) + 0.5)] : NAN;
    }
    free(sorted);
    return true;
}
