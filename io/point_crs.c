/* SPDX-License-Identifier: MIT */
/* The coordinate reference system (CRS) of a layer's points: as said by the user, by the layer or
 * by the names of its columns; and the way of the points into another. */
#include "crs.h"
#include "point_state.h"

#include <cpl_conv.h>
#include <math.h>

/* ---- Before reading -------------------------------------------------------------------------- */

static bool has_lon_lat_columns(const struct shepard_point_state *reader)
{
    return reader->xy.x >= 0 &&
           shepard_is_longitude(shepard_state_field_name(reader, reader->xy.x)) &&
           shepard_is_latitude(shepard_state_field_name(reader, reader->xy.y));
}

enum shepard_io_status shepard_state_choose_crs(struct shepard_point_state *reader)
{
    char **srs = &reader->points->source_srs;
    if (reader->options->srs)
        return shepard_crs_wkt(reader->options->srs, srs, reader->reading->error);
    const bool lon_lat = has_lon_lat_columns(reader);
    if (reader->xy.x < 0 || lon_lat)
        *srs = shepard_crs_of_layer(reader->pick.layer);
    if (!lon_lat || shepard_crs_is_geographic(*srs))
        return SHEPARD_IO_OK;
    CPLFree(*srs);
    *srs = NULL;
    reader->srs_by_names = true;
    return shepard_crs_wkt("EPSG:4326", srs, reader->reading->error);
}

/* ---- After reading --------------------------------------------------------------------------- */

/* Columns may be called lon and lat and hold metres. */
static void doubt_names(struct shepard_point_state *reader)
{
    struct shepard_point_set *points = reader->points;
    if (!reader->srs_by_names || shepard_io_are_degrees(points->count, points->x, points->y))
        return;
    shepard_io_warn(reader->reading->control,
                    "layer %s: the columns %s and %s hold no degrees and are taken as plane "
                    "coordinates; give their coordinate system with %s",
                    shepard_state_layer_name(reader),
                    shepard_state_field_name(reader, reader->xy.x),
                    shepard_state_field_name(reader, reader->xy.y),
                    reader->reading->one_each ? "-q_srs" : "-s_srs");
    CPLFree(points->source_srs);
    points->source_srs = NULL;
}

/* Takes out the points whose x has become NaN. */
static void drop_lost(struct shepard_point_state *reader)
{
    struct shepard_point_set *points = reader->points;
    size_t kept = 0;
    for (size_t i = 0; i < points->count; i++) {
        if (isnan(points->x[i]))
            continue;
        points->x[kept] = points->x[i];
        points->y[kept] = points->y[i];
        for (size_t f = 0; f < reader->field_count; f++)
            reader->fields[f].values[kept] = reader->fields[f].values[i];
        kept++;
    }
    points->count = kept;
}

void shepard_state_drop_without_z(struct shepard_point_state *reader)
{
    struct shepard_point_set *points = reader->points;
    for (size_t f = 0; f < reader->field_count; f++) {
        const struct shepard_value_field *field = &reader->fields[f];
        for (size_t i = 0; field->role == SHEPARD_FIELD_Z_COORDINATE && i < points->count; i++)
            if (!isfinite(field->values[i]) && isfinite(points->x[i])) {
                points->counts.no_z++;
                points->x[i] = points->y[i] = NAN;
            }
    }
    if (!reader->reading->one_each && points->counts.no_z > 0)
        drop_lost(reader);
}

enum shepard_io_status shepard_state_fail_untransformed(const struct shepard_point_state *reader)
{
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_NO_POINTS, "target_srs",
                           "none of the %zu points of layer \"%.100s\" can be transformed to "
                           "-t_srs%s: is -s_srs right?",
                           reader->points->counts.untransformed, shepard_state_layer_name(reader),
                           shepard_gdal_error_scope_text(reader->reading->trap));
}

static enum shepard_io_status change_places(struct shepard_point_state *reader)
{
    const struct shepard_reading *reading = reader->reading;
    struct shepard_point_set *points = reader->points;
    const struct shepard_crs_change change = {
        .from = points->source_srs, .to = points->srs, .what = "the data's coordinates"};
    OGRCoordinateTransformationH way;
    enum shepard_io_status status =
        shepard_crs_transformation(&change, &way, reading->trap, reading->error);
    if (status || !way)
        return status;
    size_t *lost = &points->counts.untransformed;
    status = shepard_crs_transform(way, points->count, points->x, points->y, lost, reading->error);
    OCTDestroyCoordinateTransformation(way);
    if (status)
        return status;
    points->transformed = true;
    drop_lost(reader);
    if (points->count == 0 && !reading->sink)
        return shepard_state_fail_untransformed(reader);
    shepard_gdal_error_scope_clear(reading->trap);
    return SHEPARD_IO_OK;
}

enum shepard_io_status shepard_state_transform(struct shepard_point_state *reader)
{
    struct shepard_point_set *points = reader->points;
    struct shepard_io_error *error = reader->reading->error;
    doubt_names(reader);
    if (!points->source_srs)
        return shepard_io_fail(
            error, SHEPARD_IO_ERROR_SRS, "srs",
            "-t_srs: the coordinate system of layer \"%.100s\" is unknown; give it with -s_srs",
            shepard_state_layer_name(reader));
    const enum shepard_io_status status =
        points->srs ? SHEPARD_IO_OK
                    : shepard_crs_wkt(reader->options->target_srs, &points->srs, error);
    return status ? status : change_places(reader);
}

enum shepard_io_status shepard_state_finish_crs(struct shepard_point_state *reader)
{
    struct shepard_point_set *points = reader->points;
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (!reader->options->target_srs) {
        doubt_names(reader);
        status = shepard_crs_wkt(points->source_srs, &points->srs, reader->reading->error);
    } else if (!reader->reading->sink) {
        status = shepard_state_transform(reader);
    }
    points->geographic = shepard_crs_is_geographic(points->srs);
    return status;
}
