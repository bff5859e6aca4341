/* SPDX-License-Identifier: MIT */
/**
 * Predictions made fit for the cells of a raster: cells without a prediction get the nodata value,
 * and what the type does not hold is clamped, both counted. A prediction never becomes nodata in
 * a type of whole numbers; in others, where a prediction is the nodata value, it is counted.
 */
#ifndef SHEPARD_CLI_CELL_FIT_H
#define SHEPARD_CLI_CELL_FIT_H

#include "shepard/shepard_io.h"

struct shepard_progress;

/** One band. */
struct shepard_cell_fit {
    struct shepard_cell_range range;
    double nodata;
    bool nodata_is_empty; /**< GDAL's methods give nodata, the library's NaN, for no prediction */
    bool zero_is_zero;    /**< a 0 stays 0 even if that is nodata: numbers of points */
    size_t cells;
    double min, max; /**< of the stored predictions; meaningless while all cells are empty */
    double sum;      /**< of them */
    size_t empty;    /**< without a prediction */
    size_t lacking;  /**< of these: without a covariate */
    size_t outside;  /**< of these: outside the mask */
    size_t clamped;  /**< outside the type's range */
    size_t moved;    /**< predicted the nodata value, moved to the next whole number */
    size_t same;     /**< predicted the nodata value, left so */
};

/** Changes count values, and counts them. */
void shepard_cells_fit(struct shepard_cell_fit *fit, double *values, size_t count);

/** Adds what was counted of other cells of the band. */
void shepard_cells_add(struct shepard_cell_fit *fit, const struct shepard_cell_fit *other);

/** The mean of the stored predictions; NaN without any. */
double shepard_cells_mean(const struct shepard_cell_fit *fit);

/** Notes what is not 0. type: of the cells; name: of the band, "" where there is one. */
void shepard_cells_note(const struct shepard_cell_fit *fit, const char *type, const char *name,
                        struct shepard_progress *watch);

#endif
