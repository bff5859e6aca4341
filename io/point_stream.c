/* SPDX-License-Identifier: MIT */
#include "point_state.h"
#include "read_ahead.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <stdlib.h>
#include <string.h>

/* Geometries take the place of what has no field. */
static int64_t find_child(const struct shepard_point_state *reader, int field, const void *schema)
{
    return field < 0 ? 0
                     : shepard_arrow_find(schema, shepard_state_field_name(reader, field), false);
}

static int64_t find_geometry(const struct shepard_point_state *reader,
                             const struct ArrowSchema *schema)
{
    const char *name = OGR_L_GetGeometryColumn(reader->rows);
    const int64_t child = shepard_arrow_find(schema, name[0] ? name : "wkb_geometry", true);
    if (child < 0)
        return -1;
    const struct shepard_batch_column column = {.schema = schema->children[child]};
    return shepard_column_is_binary(&column) ? child : -1;
}

static enum shepard_io_status find_children(struct shepard_point_state *reader,
                                            const struct ArrowSchema *schema)
{
    const bool found = shepard_state_find_columns(reader, find_child, schema);
    reader->geometry_child = reader->xy.x < 0 ? find_geometry(reader, schema) : 0;
    if (found && reader->geometry_child >= 0)
        return SHEPARD_IO_OK;
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_READ, "path",
                           "the format of \"%.200s\" returns its columns in a form that is not "
                           "supported; convert it to GeoPackage with ogr2ogr",
                           reader->reading->source->path);
}

/* ---- Batches --------------------------------------------------------------------------------- */

/* Up to GDAL 3.7 the standard stream fills each batch but the last; later ones may cut a batch
 * short where its memory is up. Asked for more after the last, some formats (MapInfo with a spatial
 * filter) begin again at their first feature, without end. */
enum { BATCH_NUMBERS = 65536, GDAL_CUTS_BATCHES = 3080000 };

/* Whether a format has a stream of its own in place of the standard one. */
static bool has_own_stream(const char *format)
{
    static const char *const formats[] = {"GPKG", "FlatGeobuf", "Arrow", "Parquet"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (EQUAL(format, formats[i]))
            return true;
    return false;
}

/* The standard stream makes all features of a batch, then its columns: few of them stay in the
 * cache, and take little memory. Others make columns at once, GeoPackage with threads of its own
 * from a few batches on. */
static int64_t batch_rows(const struct shepard_point_state *reader)
{
    enum { XY = 2, OWN = 4, LARGE = 8 };
    const OGRwkbGeometryType type = wkbFlatten(OGR_L_GetGeomType(reader->rows));
    const bool own = has_own_stream(shepard_source_format(reader->reading->source));
    const bool large = reader->xy.x < 0 && type != wkbPoint;
    const int64_t most = large ? BATCH_NUMBERS / LARGE : BATCH_NUMBERS;
    const int64_t numbers = own ? OWN * BATCH_NUMBERS : BATCH_NUMBERS;
    const int64_t rows = numbers / (int64_t)(XY + reader->field_count) + 1;
    return rows < most ? rows : most;
}

/* How batches are read ahead. */
struct batch_source {
    struct ArrowArrayStream *stream;
    const char *format;
    int64_t rows; /* of a batch */
    int empty;    /* batches in a row */
    bool last;    /* has been read */
    bool failed;
};

static bool is_last(const struct batch_source *source, int64_t rows)
{
    if (atoi(GDALVersionInfo("VERSION_NUM")) >= GDAL_CUTS_BATCHES)
        return EQUAL(source->format, "MapInfo File") && rows < source->rows;
    return !has_own_stream(source->format) && rows < source->rows;
}

/* After an error some streams hand out empty batches without end, and report success. */
static bool is_stuck(struct batch_source *source, const struct ArrowArray *array)
{
    enum { EMPTY_MAX = 1000 };
    source->empty = array->release && array->length == 0 ? source->empty + 1 : 0;
    return source->empty > EMPTY_MAX;
}

static bool read_batch(void *item, const struct shepard_gdal_error_scope *trap, void *user)
{
    struct ArrowArray *array = item;
    struct batch_source *source = user;
    if (source->last)
        return false;
    source->failed = source->stream->get_next(source->stream, array) != 0 || trap->text[0] ||
                     is_stuck(source, array);
    if (source->failed || !array->release)
        return false;
    source->last = is_last(source, array->length);
    return true;
}

static void clear_batch(void *item, void *user)
{
    struct ArrowArray *array = item;
    (void)user;
    if (array->release)
        array->release(array);
    *array = (struct ArrowArray){0};
}

/* ---- Reading --------------------------------------------------------------------------------- */

static enum shepard_io_status take_batches(struct shepard_point_state *reader,
                                           struct shepard_read_ahead *ahead,
                                           const struct ArrowSchema *schema)
{
    const struct ArrowArray *array;
    enum shepard_io_status status = SHEPARD_IO_OK;
    while (!status && (array = shepard_read_ahead_next(ahead))) {
        const struct shepard_rows rows = {
            .count = (size_t)array->length, .schema = schema, .array = array};
        status = shepard_state_take(reader, &rows);
        if (!status)
            status = shepard_state_report(reader);
    }
    return status;
}

static enum shepard_io_status read_batches(struct shepard_point_state *reader,
                                           struct ArrowArrayStream *stream,
                                           const struct ArrowSchema *schema)
{
    struct batch_source source = {.stream = stream,
                                  .format = shepard_source_format(reader->reading->source),
                                  .rows = batch_rows(reader)};
    const struct shepard_item_reader batches = {sizeof(struct ArrowArray), read_batch, clear_batch,
                                                &source};
    struct shepard_read_ahead *ahead = shepard_read_ahead_begin(&batches, reader->reading->control);
    if (!ahead)
        return shepard_io_fail_memory(reader->reading->error);
    const enum shepard_io_status status = take_batches(reader, ahead, schema);
    shepard_read_ahead_end(ahead);
    return !status && source.failed ? shepard_state_fail_read(reader) : status;
}

/* GDAL 3.6 hands out no geometry of a GeoPackage when asked for neither FID nor any field. */
static bool needs_fid(const struct shepard_point_state *reader)
{
    bool fields = reader->xy.x >= 0;
    for (size_t f = 0; f < reader->field_count; f++)
        fields |= reader->fields[f].field >= 0;
    return !fields;
}

/* A view of a share that has other rows than its cuts say ends early, and GDAL takes that for the
 * end. */
static bool is_complete(const struct shepard_point_state *reader)
{
    return !reader->view || (double)reader->points->counts.features == reader->total;
}

static enum shepard_io_status read_arrow(struct shepard_point_state *reader)
{
    char **options =
        CSLAddString(NULL, CPLSPrintf("MAX_FEATURES_IN_BATCH=%d", (int)batch_rows(reader)));
    if (!needs_fid(reader))
        options = CSLAddString(options, "INCLUDE_FID=NO");
    struct ArrowArrayStream stream = {0};
    struct ArrowSchema schema = {0};
    const bool opened = OGR_L_GetArrowStream(reader->rows, &stream, options);
    CSLDestroy(options);
    if (!opened)
        return shepard_state_fail_read(reader);
    enum shepard_io_status status = stream.get_schema(&stream, &schema)
                                        ? shepard_state_fail_read(reader)
                                        : find_children(reader, &schema);
    if (!status)
        status = read_batches(reader, &stream, &schema);
    if (schema.release)
        schema.release(&schema);
    stream.release(&stream);
    return status;
}

enum shepard_io_status shepard_state_read(struct shepard_point_state *reader)
{
    const enum shepard_io_status status =
        shepard_state_find_texts(reader) ? shepard_state_read_texts(reader) : read_arrow(reader);
    return !status && !is_complete(reader) ? shepard_state_fail_read(reader) : status;
}
