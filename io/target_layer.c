/* SPDX-License-Identifier: MIT */
#include "target_layer.h"
#include "crs.h"
#include "io_error.h"
#include "point_reader.h"

#include <cpl_conv.h>
#include <math.h>
#include <string.h>

/* ---- Coordinate systems ---------------------------------------------------------------------- */

static bool copy_places(struct shepard_target_layer *query)
{
    const size_t bytes = query->points.count * sizeof *query->x;
    query->x = VSIMalloc(bytes);
    query->y = VSIMalloc(bytes);
    if (!query->x || !query->y)
        return false;
    memcpy(query->x, query->points.x, bytes);
    memcpy(query->y, query->points.y, bytes);
    return true;
}

static enum shepard_io_status transform(struct shepard_target_layer *query,
                                        OGRCoordinateTransformationH way,
                                        struct shepard_io_error *error)
{
    query->transformed = true;
    if (!copy_places(query))
        return shepard_io_fail_memory(error);
    return shepard_crs_transform(way, query->points.count, query->x, query->y,
                                 &query->untransformed, error);
}

static enum shepard_io_status to_target_srs(struct shepard_target_layer *query,
                                            struct shepard_gdal_error_scope *trap,
                                            struct shepard_io_error *error)
{
    const struct shepard_crs_change change = {query->srs, query->target_srs,
                                              "the query's coordinates"};
    OGRCoordinateTransformationH way;
    enum shepard_io_status status = shepard_crs_transformation(&change, &way, trap, error);
    if (status)
        return status;
    if (way && query->points.count > 0) {
        status = transform(query, way, error);
        shepard_gdal_error_scope_clear(trap);
    } else {
        query->x = query->points.x;
        query->y = query->points.y;
    }
    OCTDestroyCoordinateTransformation(way);
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static char *copy(const char *text)
{
    return text ? CPLStrdup(text) : NULL;
}

static enum shepard_io_status fill(struct shepard_target_layer *query,
                                   const struct shepard_target_layer_options *options,
                                   const struct shepard_io_control *control,
                                   struct shepard_gdal_error_scope *trap,
                                   struct shepard_io_error *error)
{
    const struct shepard_read_options read = {.layer = options->layer,
                                              .sql = options->sql,
                                              .where = options->where,
                                              .fields = options->fields,
                                              .x_field = options->x_field,
                                              .y_field = options->y_field,
                                              .z_field = options->z_field,
                                              .decimal = options->decimal,
                                              .skip_invalid = options->skip_invalid,
                                              .srs = options->srs,
                                              .geometry = options->geometry,
                                              .z_multiply = 1.0};
    const struct shepard_reading reading = {.source = query->source,
                                            .options = &read,
                                            .control = control,
                                            .trap = trap,
                                            .error = error,
                                            .one_each = true};
    enum shepard_io_status status = shepard_read_points(&reading, &query->points);
    if (status)
        return status;
    const char *srs = query->points.srs ? query->points.srs : options->default_srs;
    query->srs = copy(srs ? srs : options->target_srs);
    status = to_target_srs(query, trap, error);
    for (size_t i = 0; !status && i < query->points.count; i++)
        query->missing += !isfinite(query->x[i]);
    return status;
}

enum shepard_io_status shepard_target_layer_open(struct shepard_source *source,
                                                 const struct shepard_target_layer_options *options,
                                                 struct shepard_target_layer **query,
                                                 const struct shepard_io_control *control,
                                                 struct shepard_io_error *error)
{
    if (!source || !options || !query)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "source",
                               "source, options and query must not be NULL");
    if (source->las)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "source",
                               "\"%.200s\" is a LAS file, which holds points to predict from, not "
                               "places to predict at; turn it into another format, as with `pdal "
                               "translate`",
                               source->path);
    struct shepard_target_layer *opened = VSICalloc(1, sizeof *opened);
    if (!opened)
        return shepard_io_fail_memory(error);
    opened->source = source;
    opened->layer = copy(options->layer);
    opened->sql = copy(options->sql);
    opened->where = copy(options->where);
    opened->target_srs = copy(options->target_srs);
    opened->write_target_srs = options->write_target_srs;
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    const enum shepard_io_status status = fill(opened, options, control, &trap, error);
    if (status)
        shepard_target_layer_free(opened);
    else
        *query = opened;
    return shepard_gdal_error_scope_end(&trap, status);
}

void shepard_target_layer_free(struct shepard_target_layer *query)
{
    if (!query)
        return;
    if (query->transformed) {
        VSIFree(query->x);
        VSIFree(query->y);
    }
    shepard_point_set_clear(&query->points);
    CPLFree(query->layer);
    CPLFree(query->sql);
    CPLFree(query->where);
    CPLFree(query->srs);
    CPLFree(query->target_srs);
    VSIFree(query);
}

void shepard_target_layer_get_targets(const struct shepard_target_layer *query,
                                      struct shepard_target_layer_targets *targets)
{
    *targets = (struct shepard_target_layer_targets){
        .count = query->points.count,
        .x = query->x,
        .y = query->y,
        .z = query->points.z,
        .missing = query->missing,
        .untransformed = query->untransformed,
        .transformed = query->transformed,
        .x_lost = query->points.counts.x_lost,
        .y_lost = query->points.counts.y_lost,
        .z_lost = query->points.counts.z_lost,
        .srs = query->points.srs,
        .geographic = query->points.geographic,
        .columns = query->points.columns,
        .column = query->points.column,
    };
}
