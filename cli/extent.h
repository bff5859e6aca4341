/* SPDX-License-Identifier: MIT */
/** The raster of a grid: size and place from -txe, -tye, -tr, -tap, -outsize and the data. */
#ifndef SHEPARD_CLI_EXTENT_H
#define SHEPARD_CLI_EXTENT_H

#include "option.h"

#include "shepard/shepard.h"

/** What the user asked for. */
struct shepard_extent_options {
    struct shepard_numbers txe, tye; /**< edges; either order for y, as written for x */
    struct shepard_numbers tr;       /**< cell size, kept exactly */
    struct shepard_numbers outsize;  /**< columns, rows */
    bool tap;                        /**< edges at multiples of tr */
    const char *like;                /**< a raster that has all of this; excludes the others */
};

/** Edges of the data, used where -txe or -tye is not given. */
struct shepard_extent_box {
    double x_min, y_min, x_max, y_max;
};

/** Checks what needs no data; false on options that exclude each other, said. */
bool shepard_extent_check(const struct shepard_extent_options *options);

/**
 * Computes the north-up raster. With -tr the extent grows to whole cells, to the right and down,
 * or, with -tap, outward to multiples. False where there is no extent or it has too many cells,
 * said.
 */
bool shepard_extent_raster(const struct shepard_extent_options *options,
                           const struct shepard_extent_box *data, struct shepard_raster *raster);

#endif
