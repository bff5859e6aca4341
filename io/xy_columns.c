/* SPDX-License-Identifier: MIT */
#include "xy_columns.h"
#include "layer_field.h"

#include <cpl_port.h>

/* Names as people write them, letter case ignored; the first pair that a table has is taken. */
static const char *const pairs[][2] = {
    {"x", "y"},
    {"lon", "lat"},
    {"longitude", "latitude"},
    {"long", "lat"},
    {"lng", "lat"},
    {"easting", "northing"},
    {"east", "north"},
    {"point_x", "point_y"},
    {"x_coord", "y_coord"},
    {"xcoord", "ycoord"},
    {"coord_x", "coord_y"},
    {"coordx", "coordy"},
    {"x_utm", "y_utm"},
    {"utm_x", "utm_y"},
    {"utm_e", "utm_n"},
    {"rechtswert", "hochwert"},
    {"e", "n"},
};

/* The man page lists them all. */
static const char *const heights[] = {"z",      "point_z", "elevation", "elev", "altitude", "alt",
                                      "height", "depth",   "value",     "val",  "z_coord"};

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (EQUAL(name, names[i]))
            return true;
    return false;
}

bool shepard_is_coordinate(const char *name)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (is_one_of(name, pairs[i], 2))
            return true;
    return false;
}

bool shepard_is_longitude(const char *name)
{
    static const char *const names[] = {"lon", "long", "lng", "longitude"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

bool shepard_is_latitude(const char *name)
{
    static const char *const names[] = {"lat", "latitude"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

static int find(OGRLayerH layer, const char *name)
{
    return OGR_FD_GetFieldIndex(OGR_L_GetLayerDefn(layer), name);
}

static enum shepard_io_status find_named(OGRLayerH layer, const char *x_field, const char *y_field,
                                         struct shepard_xy_columns *columns,
                                         struct shepard_io_error *error)
{
    if (!x_field || !y_field)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, x_field ? "y_field" : "x_field",
                               "-xfield and -yfield go together: give both");
    const enum shepard_io_status status =
        shepard_find_field(layer, x_field, "x_field", &columns->x, error);
    return status ? status : shepard_find_field(layer, y_field, "y_field", &columns->y, error);
}

static enum shepard_io_status find_any(OGRLayerH layer, const char *x_field, const char *y_field,
                                       struct shepard_xy_columns *columns,
                                       struct shepard_io_error *error)
{
    *columns = (struct shepard_xy_columns){-1, -1};
    if (x_field || y_field)
        return find_named(layer, x_field, y_field, columns, error);
    if (OGR_FD_GetGeomFieldCount(OGR_L_GetLayerDefn(layer)) > 0)
        return SHEPARD_IO_OK;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        *columns = (struct shepard_xy_columns){find(layer, pairs[i][0]), find(layer, pairs[i][1])};
        if (columns->x >= 0 && columns->y >= 0)
            return SHEPARD_IO_OK;
    }
    *columns = (struct shepard_xy_columns){shepard_headerless_field(layer, "x"),
                                           shepard_headerless_field(layer, "y")};
    if (columns->x >= 0 && columns->y >= 0)
        return SHEPARD_IO_OK;
    char fields[700] = "";
    shepard_append_fields(layer, fields, sizeof fields);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, "x_field",
                           "the table \"%.100s\" has no geometry and no columns named x and y, "
                           "lon and lat or similar; name those that hold the coordinates with "
                           "-xfield and -yfield; %s",
                           OGR_L_GetName(layer), fields);
}

enum shepard_io_status shepard_xy_columns_find(OGRLayerH layer, const char *x_field,
                                               const char *y_field,
                                               struct shepard_xy_columns *columns,
                                               struct shepard_io_error *error)
{
    enum shepard_io_status status = find_any(layer, x_field, y_field, columns, error);
    if (!status && columns->x >= 0)
        status = shepard_check_single_field(layer, columns->x, error);
    if (!status && columns->y >= 0)
        status = shepard_check_single_field(layer, columns->y, error);
    return status;
}

static int only_numeric(OGRLayerH layer, const struct shepard_xy_columns *columns)
{
    OGRFeatureDefnH table = OGR_L_GetLayerDefn(layer);
    int found = -1;
    for (int i = 0; i < OGR_FD_GetFieldCount(table); i++) {
        const OGRFieldType type = OGR_Fld_GetType(OGR_FD_GetFieldDefn(table, i));
        const bool numeric = type == OFTInteger || type == OFTInteger64 || type == OFTReal;
        if (!numeric || i == columns->x || i == columns->y)
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

static enum shepard_io_status fail_two(OGRLayerH layer, int first, int second,
                                       struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, "fields",
                           "the fields \"%.100s\" and \"%.100s\" of layer \"%.100s\" may both hold "
                           "the values: choose one with -zfield",
                           shepard_field_name(layer, first), shepard_field_name(layer, second),
                           OGR_L_GetName(layer));
}

enum shepard_io_status shepard_z_column_find(OGRLayerH layer,
                                             const struct shepard_xy_columns *columns, int *z,
                                             struct shepard_io_error *error)
{
    *z = -1;
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        const int found = find(layer, heights[i]);
        if (found < 0 || found == columns->x || found == columns->y)
            continue;
        if (*z >= 0)
            return fail_two(layer, *z, found, error);
        *z = found;
    }
    if (*z < 0)
        *z = shepard_headerless_field(layer, "z");
    if (*z < 0)
        *z = only_numeric(layer, columns);
    return SHEPARD_IO_OK;
}
