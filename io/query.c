/* SPDX-License-Identifier: MIT */
#include "query.h"
#include "io_error.h"
#include "point_reader.h"

#include <cpl_conv.h>
#include <math.h>
#include <ogr_srs_api.h>

/* ---- Coordinate systems ---------------------------------------------------------------------- */

OGRSpatialReferenceH shepard_traditional_srs(const char *wkt)
{
    OGRSpatialReferenceH srs = OSRNewSpatialReference(wkt);
    if (srs)
        OSRSetAxisMappingStrategy(srs, OAMS_TRADITIONAL_GIS_ORDER);
    return srs;
}

/* PROJ takes int counts. */
enum { TRANSFORM_CHUNK = 1 << 18 };

static void transform_chunk(struct shepard_query *query, OGRCoordinateTransformationH transform,
                            size_t first, int count, int *good)
{
    double *x = query->points.x + first, *y = query->points.y + first;
    for (int i = 0; i < count; i++)
        good[i] = isfinite(x[i]);
    /* good starts as what was there and becomes what is still there. */
    int *done = good + TRANSFORM_CHUNK;
    OCTTransformEx(transform, count, x, y, NULL, done);
    for (int i = 0; i < count; i++) {
        if (done[i] && isfinite(x[i]) && isfinite(y[i]))
            continue;
        x[i] = y[i] = NAN;
        query->untransformed += (size_t)good[i];
    }
}

static enum shepard_io_status transform_all(struct shepard_query *query,
                                            OGRCoordinateTransformationH transform,
                                            struct shepard_trap *trap,
                                            struct shepard_io_error *error)
{
    int *good = VSIMalloc(2 * TRANSFORM_CHUNK * sizeof *good);
    if (!good)
        return shepard_io_fail_memory(error);
    for (size_t first = 0; first < query->points.count; first += TRANSFORM_CHUNK) {
        const size_t left = query->points.count - first;
        const int count = left < TRANSFORM_CHUNK ? (int)left : TRANSFORM_CHUNK;
        transform_chunk(query, transform, first, count, good);
    }
    VSIFree(good);
    shepard_trap_clear(trap);
    query->transformed = true;
    return SHEPARD_IO_OK;
}

static enum shepard_io_status to_target_srs(struct shepard_query *query, const char *target_wkt,
                                            struct shepard_trap *trap,
                                            struct shepard_io_error *error)
{
    if (!target_wkt || !query->points.srs)
        return SHEPARD_IO_OK;
    OGRSpatialReferenceH from = shepard_traditional_srs(query->points.srs);
    OGRSpatialReferenceH to = shepard_traditional_srs(target_wkt);
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (!from || !to || !OSRIsSame(from, to)) {
        OGRCoordinateTransformationH transform =
            from && to ? OCTNewCoordinateTransformation(from, to) : NULL;
        if (transform)
            status = transform_all(query, transform, trap, error);
        else
            status = shepard_io_fail(error, SHEPARD_IO_ERROR_SRS, "target_srs",
                                     "the query's coordinates cannot be transformed to the "
                                     "coordinate system of the data%s",
                                     shepard_trap_text(trap));
        OCTDestroyCoordinateTransformation(transform);
    }
    OSRDestroySpatialReference(to);
    OSRDestroySpatialReference(from);
    return status;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static char *copy(const char *text)
{
    return text ? CPLStrdup(text) : NULL;
}

static enum shepard_io_status fill(struct shepard_query *query,
                                   const struct shepard_query_options *options,
                                   const struct shepard_io_control *control,
                                   struct shepard_trap *trap, struct shepard_io_error *error)
{
    const struct shepard_read_options read = {.layer = options->layer,
                                              .sql = options->sql,
                                              .where = options->where,
                                              .x_field = options->x_field,
                                              .y_field = options->y_field,
                                              .decimal = options->decimal,
                                              .skip_invalid = options->skip_invalid,
                                              .z_multiply = 1.0};
    const struct shepard_reading reading = {.source = query->source,
                                            .options = &read,
                                            .control = control,
                                            .trap = trap,
                                            .error = error,
                                            .one_each = true};
    enum shepard_io_status status = shepard_read_points(&reading, &query->points);
    if (!status)
        status = to_target_srs(query, options->target_srs, trap, error);
    for (size_t i = 0; i < query->points.count; i++)
        query->missing += !isfinite(query->points.x[i]);
    return status;
}

enum shepard_io_status shepard_query_open(struct shepard_source *source,
                                          const struct shepard_query_options *options,
                                          struct shepard_query **query,
                                          const struct shepard_io_control *control,
                                          struct shepard_io_error *error)
{
    if (!source || !options || !query)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "source",
                               "source, options and query must not be NULL");
    struct shepard_query *opened = VSICalloc(1, sizeof *opened);
    if (!opened)
        return shepard_io_fail_memory(error);
    opened->source = source;
    opened->layer = copy(options->layer);
    opened->sql = copy(options->sql);
    opened->where = copy(options->where);
    opened->target_srs = copy(options->target_srs);
    struct shepard_trap trap;
    shepard_trap_begin(&trap, control);
    const enum shepard_io_status status = fill(opened, options, control, &trap, error);
    if (status)
        shepard_query_free(opened);
    else
        *query = opened;
    return shepard_trap_end(&trap, status);
}

void shepard_query_free(struct shepard_query *query)
{
    if (!query)
        return;
    shepard_point_set_clear(&query->points);
    CPLFree(query->layer);
    CPLFree(query->sql);
    CPLFree(query->where);
    CPLFree(query->target_srs);
    VSIFree(query);
}

void shepard_query_get_targets(const struct shepard_query *query,
                               struct shepard_query_targets *targets)
{
    *targets = (struct shepard_query_targets){
        .count = query->points.count,
        .x = query->points.x,
        .y = query->points.y,
        .missing = query->missing,
        .untransformed = query->untransformed,
        .transformed = query->transformed,
        .x_lost = query->points.counts.x_lost,
        .y_lost = query->points.counts.y_lost,
    };
}
