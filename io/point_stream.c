/* SPDX-License-Identifier: MIT */
#include "point_state.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum shepard_io_status fail_read(const struct shepard_point_state *reader)
{
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_READ, "path",
                           "reading \"%.200s\" failed after %zu features%s; if it is a file, it "
                           "may be damaged or cut off: take a whole copy",
                           reader->reading->source->path, reader->points->counts.features,
                           shepard_gdal_error_scope_text(reader->reading->trap));
}

static int64_t find_child(const struct shepard_point_state *reader,
                          const struct ArrowSchema *schema, int field)
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
    const struct shepard_arrow_column column = {.schema = schema->children[child]};
    return shepard_arrow_is_binary(&column) ? child : -1;
}

static enum shepard_io_status find_children(struct shepard_point_state *reader,
                                            const struct ArrowSchema *schema)
{
    reader->x_child = find_child(reader, schema, reader->xy.x);
    reader->y_child = find_child(reader, schema, reader->xy.y);
    reader->geometry_child = reader->xy.x < 0 ? find_geometry(reader, schema) : 0;
    bool found = reader->x_child >= 0 && reader->y_child >= 0 && reader->geometry_child >= 0;
    for (size_t f = 0; f < reader->field_count; f++) {
        struct shepard_value_field *field = &reader->fields[f];
        field->child = find_child(reader, schema, field->field);
        found = found && field->child >= 0;
    }
    if (found)
        return SHEPARD_IO_OK;
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_READ, "path",
                           "the format of \"%.200s\" returns its columns in a form that is not "
                           "supported; convert it to GeoPackage with ogr2ogr",
                           reader->reading->source->path);
}

/* Up to GDAL 3.7 the standard stream fills each batch but the last; later ones may cut a batch
 * short where its memory is up. Asked for more after the last, some formats (MapInfo with a spatial
 * filter) begin again at their first feature, without end. */
enum { BATCH_ROWS = 65536, GDAL_CUTS_BATCHES = 3080000 };

/* Points on their way to a sink are to take little memory, whatever their number of columns. */
static int64_t batch_rows(const struct shepard_point_state *reader)
{
    const size_t fields = shepard_record_fields(reader->sunk.columns, reader->sunk.weighted);
    return reader->reading->sink && fields > 4 ? (int64_t)(4 * BATCH_ROWS / fields) : BATCH_ROWS;
}

static bool is_last(const struct shepard_point_state *reader, int64_t rows)
{
    static const char *const own_streams[] = {"GPKG", "FlatGeobuf", "Arrow", "Parquet"};
    const char *format = shepard_source_format(reader->reading->source);
    if (atoi(GDALVersionInfo("VERSION_NUM")) >= GDAL_CUTS_BATCHES)
        return EQUAL(format, "MapInfo File") && rows < batch_rows(reader);
    for (size_t i = 0; i < sizeof own_streams / sizeof *own_streams; i++)
        if (EQUAL(format, own_streams[i]))
            return false;
    return rows < batch_rows(reader);
}

/* After an error some streams hand out empty batches without end, and report success. */
static bool has_failed(const struct shepard_point_state *reader, const struct ArrowArray *array,
                       int *empty)
{
    enum { EMPTY_MAX = 1000 };
    *empty = array->release && array->length == 0 ? *empty + 1 : 0;
    return reader->reading->trap->text[0] || *empty > EMPTY_MAX;
}

static enum shepard_io_status read_batches(struct shepard_point_state *reader,
                                           struct ArrowArrayStream *stream,
                                           const struct ArrowSchema *schema)
{
    const struct shepard_io_control *control = reader->reading->control;
    int empty = 0;
    for (;;) {
        struct ArrowArray array = {0};
        const bool failed =
            stream->get_next(stream, &array) != 0 || has_failed(reader, &array, &empty);
        if (!failed && !array.release)
            return SHEPARD_IO_OK;
        const bool last = is_last(reader, array.length);
        const enum shepard_io_status status =
            failed ? fail_read(reader) : shepard_state_take(reader, schema, &array);
        if (array.release)
            array.release(&array);
        if (status)
            return status;
        const double read = (double)reader->points->counts.features;
        const double fraction = reader->total > 0.0 ? fmin(read / reader->total, 1.0) : 0.0;
        if (!shepard_io_progress(control, fraction))
            return shepard_io_fail_cancelled(reader->reading->error);
        if (last)
            return SHEPARD_IO_OK;
    }
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

enum shepard_io_status shepard_state_read(struct shepard_point_state *reader)
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
        return fail_read(reader);
    enum shepard_io_status status =
        stream.get_schema(&stream, &schema) ? fail_read(reader) : find_children(reader, &schema);
    if (!status)
        status = read_batches(reader, &stream, &schema);
    if (!status && !is_complete(reader))
        status = fail_read(reader);
    if (schema.release)
        schema.release(&schema);
    stream.release(&stream);
    return status;
}
