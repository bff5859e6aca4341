/* SPDX-License-Identifier: MIT */
/** The columns of a table that hold its coordinates. */
#ifndef SHEPARD_IO_XY_COLUMNS_H
#define SHEPARD_IO_XY_COLUMNS_H

#include "io_error.h"

#include <ogr_api.h>

/** Field numbers; x < 0: the layer's geometry is used. */
struct shepard_xy_columns {
    int x, y;
};

/** Finds them: as named by the user (both or none), else the geometry, else by their usual names.
 */
enum shepard_io_status shepard_xy_columns_find(OGRLayerH layer, const char *x_field,
                                               const char *y_field,
                                               struct shepard_xy_columns *columns,
                                               struct shepard_io_error *error);

/** Whether a table's column of this name is taken for x or y. */
bool shepard_is_coordinate(const char *name);

/** Whether a column's name says longitude, or latitude. */
bool shepard_is_longitude(const char *name);
bool shepard_is_latitude(const char *name);

/**
 * The column of a table that holds the values where the user names none: the one called z,
 * elevation, ..., else the only numeric one; *z is -1 where there is no such column. An error where
 * two have such names.
 */
enum shepard_io_status shepard_z_column_find(OGRLayerH layer,
                                             const struct shepard_xy_columns *columns, int *z,
                                             struct shepard_io_error *error);

#endif
