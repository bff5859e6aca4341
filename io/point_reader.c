/* SPDX-License-Identifier: MIT */
#include "point_reader.h"
#include "clip_area.h"
#include "layer_pick.h"
#include "point_batch.h"
#include "xy_columns.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <ctype.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdlib.h>
#include <string.h>

/* A field that is read beside the coordinates. */
struct value_field {
    int field;        /* in the layer; -1: Z of the geometry */
    int64_t child;    /* in the Arrow batches */
    double *values;   /* [capacity] */
    size_t null, bad; /* as struct shepard_column counts them */
    bool is_weight;
    char example[40]; /* a text that is no number */
};

struct reader {
    const struct shepard_reading *reading;
    const struct shepard_read_options *options;
    struct shepard_point_set *points;
    struct shepard_pick pick; /* the layer with its column types */
    struct shepard_pick text; /* the same with columns as text; layer NULL: not needed */
    OGRLayerH rows;           /* of these two the one that is read */
    struct shepard_xy_columns xy;
    struct shepard_clip_area area;
    struct value_field *fields; /* the value columns, then the weight */
    size_t field_count;
    size_t capacity;
    double total; /* features expected; 0: unknown */
    int64_t x_child, y_child, geometry_child;
    struct shepard_point_batch batch;
    OGREnvelope extent;
    bool has_extent;
};

/* ---- What to read ---------------------------------------------------------------------------- */

static const char *field_name(const struct reader *reader, int field)
{
    return OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(OGR_L_GetLayerDefn(reader->pick.layer), field));
}

static enum shepard_io_status pick_layers(struct reader *reader)
{
    const struct shepard_reading *reading = reader->reading;
    const struct shepard_layer_choice choice = {.layer = reader->options->layer,
                                                .sql = reader->options->sql,
                                                .where = reader->options->where};
    struct shepard_source *source = reading->source;
    if (choice.sql || choice.where)
        shepard_source_detect_all(source);
    const enum shepard_io_status status = shepard_pick_layer(
        &reader->pick, source->dataset, source->path, &choice, reading->trap, reading->error);
    if (status)
        return status;
    reader->rows = reader->pick.layer;
    GDALDatasetH text = choice.sql || choice.where ? NULL : shepard_source_as_text(source);
    if (!text)
        return SHEPARD_IO_OK;
    const enum shepard_io_status again = shepard_pick_layer(&reader->text, text, source->path,
                                                            &choice, reading->trap, reading->error);
    if (!again)
        reader->rows = reader->text.layer;
    return again;
}

static enum shepard_io_status add_field(struct reader *reader, int field, bool is_weight)
{
    struct value_field *grown =
        realloc(reader->fields, (reader->field_count + 1) * sizeof *reader->fields);
    if (!grown)
        return shepard_io_fail_memory(reader->reading->error);
    reader->fields = grown;
    grown[reader->field_count++] =
        (struct value_field){.field = field, .child = -1, .is_weight = is_weight};
    return SHEPARD_IO_OK;
}

static enum shepard_io_status add_named_field(struct reader *reader, const char *name,
                                              bool is_weight)
{
    int field;
    const enum shepard_io_status status =
        shepard_find_field(reader->pick.layer, name, is_weight ? "weight_field" : "fields", &field,
                           reader->reading->error);
    return status ? status : add_field(reader, field, is_weight);
}

static enum shepard_io_status fail_no_z(const struct reader *reader, const char *what)
{
    char fields[700] = "";
    shepard_append_numeric_fields(reader->pick.layer, reader->xy.x, reader->xy.y, fields,
                                  sizeof fields);
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, "fields",
                           "%s in layer \"%.100s\"; name a value field with -zfield; %s", what,
                           OGR_L_GetName(reader->pick.layer), fields);
}

static enum shepard_io_status add_default_field(struct reader *reader)
{
    if (reader->xy.x < 0)
        return add_field(reader, -1, false);
    const int z = shepard_z_column_find(reader->pick.layer, &reader->xy);
    return z < 0 ? fail_no_z(reader, "it is not clear which column holds the values")
                 : add_field(reader, z, false);
}

static enum shepard_io_status choose_fields(struct reader *reader)
{
    const struct shepard_read_options *options = reader->options;
    enum shepard_io_status status =
        shepard_xy_columns_find(reader->pick.layer, options->x_field, options->y_field, &reader->xy,
                                reader->reading->error);
    if (status || reader->reading->one_each)
        return status;
    if (!options->fields || !options->fields[0])
        status = add_default_field(reader);
    for (size_t i = 0; !status && options->fields && options->fields[i]; i++)
        status = add_named_field(reader, options->fields[i], false);
    if (!status && options->weight_field)
        status = add_named_field(reader, options->weight_field, true);
    for (size_t f = 0; !status && f < reader->field_count; f++)
        if (reader->fields[f].field >= 0)
            status = shepard_check_single_field(reader->pick.layer, reader->fields[f].field,
                                                reader->reading->error);
    return status;
}

/* OGR need not read what nobody asks for. A condition may use any field, so then all stay. */
static void ignore_other_fields(const struct reader *reader)
{
    if (reader->options->where || !OGR_L_TestCapability(reader->rows, OLCIgnoreFields))
        return;
    OGRFeatureDefnH table = OGR_L_GetLayerDefn(reader->rows);
    char **ignored = CSLAddString(NULL, "OGR_STYLE");
    if (reader->xy.x >= 0)
        ignored = CSLAddString(ignored, "OGR_GEOMETRY");
    for (int i = 0; i < OGR_FD_GetFieldCount(table); i++) {
        bool used = i == reader->xy.x || i == reader->xy.y;
        for (size_t f = 0; f < reader->field_count; f++)
            used |= reader->fields[f].field == i;
        if (!used)
            ignored = CSLAddString(ignored, OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(table, i)));
    }
    OGR_L_SetIgnoredFields(reader->rows, (const char **)(uintptr_t)ignored);
    CSLDestroy(ignored);
}

static enum shepard_io_status set_area(struct reader *reader)
{
    const struct shepard_reading *reading = reader->reading;
    const enum shepard_io_status status =
        shepard_clip_area_make(&reader->area, &reader->options->spat, &reader->options->clip,
                               reading->trap, reading->error);
    if (!status && reader->area.filter && reader->xy.x < 0)
        OGR_L_SetSpatialFilter(reader->rows, reader->area.filter);
    return status;
}

/* ---- Room ------------------------------------------------------------------------------------ */

static bool resize(double **array, size_t capacity)
{
    double *resized = realloc(*array, capacity * sizeof *resized);
    if (resized)
        *array = resized;
    return resized != NULL;
}

static bool resize_all(struct reader *reader, size_t capacity)
{
    bool good = resize(&reader->points->x, capacity) && resize(&reader->points->y, capacity);
    for (size_t f = 0; good && f < reader->field_count; f++)
        good = resize(&reader->fields[f].values, capacity);
    if (good)
        reader->capacity = capacity;
    return good;
}

static bool reserve(struct reader *reader, size_t more)
{
    const size_t needed = reader->points->count + more;
    return needed <= reader->capacity || resize_all(reader, needed + needed / 2);
}

static void expect_features(struct reader *reader)
{
    if (!OGR_L_TestCapability(reader->rows, OLCFastFeatureCount))
        return;
    const GIntBig count = OGR_L_GetFeatureCount(reader->rows, FALSE);
    if (count > 0)
        reader->total = (double)count;
    if (count > 0 && (uint64_t)count <= SHEPARD_POINTS_MAX)
        resize_all(reader, (size_t)count);
}

/* ---- One batch ------------------------------------------------------------------------------- */

static enum shepard_io_status read_places(struct reader *reader, const struct ArrowSchema *schema,
                                          const struct ArrowArray *array, size_t rows)
{
    struct shepard_read_counts *counts = &reader->points->counts;
    if (reader->xy.x < 0) {
        const struct shepard_arrow_column wkb =
            shepard_arrow_child(schema, array, reader->geometry_child);
        return shepard_point_batch_from_wkb(&reader->batch, rows, &wkb, counts)
                   ? SHEPARD_IO_OK
                   : shepard_io_fail_memory(reader->reading->error);
    }
    const struct shepard_arrow_column x = shepard_arrow_child(schema, array, reader->x_child);
    const struct shepard_arrow_column y = shepard_arrow_child(schema, array, reader->y_child);
    return shepard_point_batch_from_columns(&reader->batch, rows, &x, &y, counts)
               ? SHEPARD_IO_OK
               : shepard_io_fail_memory(reader->reading->error);
}

static void extend(struct reader *reader, const struct shepard_vertex *vertex)
{
    OGREnvelope *extent = &reader->extent;
    if (!reader->has_extent)
        *extent = (OGREnvelope){vertex->x, vertex->x, vertex->y, vertex->y};
    reader->has_extent = true;
    extent->MinX = fmin(extent->MinX, vertex->x);
    extent->MaxX = fmax(extent->MaxX, vertex->x);
    extent->MinY = fmin(extent->MinY, vertex->y);
    extent->MaxY = fmax(extent->MaxY, vertex->y);
}

/* Leaves out what cannot be used; the batch stays in order. */
static void drop_unusable(struct reader *reader)
{
    struct shepard_point_batch *batch = &reader->batch;
    struct shepard_read_counts *counts = &reader->points->counts;
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const struct shepard_vertex *vertex = &batch->vertex[i];
        if (!isfinite(vertex->x) || !isfinite(vertex->y)) {
            counts->not_finite++;
            continue;
        }
        const bool inside = shepard_clip_area_has(&reader->area, vertex->x, vertex->y);
        if (inside || reader->xy.x < 0)
            extend(reader, vertex);
        if (!inside) {
            counts->outside++;
            continue;
        }
        batch->vertex[kept] = *vertex;
        batch->row[kept++] = batch->row[i];
    }
    batch->count = kept;
}

static void store_places(struct reader *reader)
{
    const struct shepard_point_batch *batch = &reader->batch;
    double *x = reader->points->x + reader->points->count;
    double *y = reader->points->y + reader->points->count;
    for (size_t i = 0; i < batch->count; i++) {
        const struct shepard_vertex *vertex = &batch->vertex[i];
        const bool usable = isfinite(vertex->x) && isfinite(vertex->y);
        x[i] = usable ? vertex->x : NAN;
        y[i] = usable ? vertex->y : NAN;
    }
}

static double adjusted(const struct reader *reader, const struct value_field *field, double value)
{
    if (field->is_weight)
        return value;
    return (value + reader->options->z_increase) * reader->options->z_multiply;
}

static void store_z(const struct reader *reader, struct value_field *field)
{
    const struct shepard_point_batch *batch = &reader->batch;
    double *values = field->values + reader->points->count;
    for (size_t i = 0; i < batch->count; i++) {
        const double z = batch->vertex[i].z;
        values[i] = isfinite(z) ? adjusted(reader, field, z) : NAN;
        field->null += isnan(z);
        field->bad += isinf(z);
    }
}

static void keep_example(struct value_field *field, const struct shepard_arrow_column *column,
                         size_t row)
{
    size_t length;
    const unsigned char *text = shepard_arrow_bytes(column, (int64_t)row, &length);
    if (length >= sizeof field->example)
        length = sizeof field->example - 1;
    memcpy(field->example, text, length);
    field->example[length] = '\0';
}

static bool store_numbers(struct reader *reader, struct value_field *field,
                          const struct shepard_arrow_column *column, size_t rows)
{
    const struct shepard_point_batch *batch = &reader->batch;
    double *numbers = batch->number[0];
    unsigned char *kinds = batch->kind[0];
    if (!shepard_arrow_numbers(column, rows, numbers, kinds))
        return false;
    double *values = field->values + reader->points->count;
    for (size_t i = 0; i < batch->count; i++) {
        const size_t row = batch->row[i];
        values[i] = adjusted(reader, field, numbers[row]);
        field->null += kinds[row] == SHEPARD_VALUE_NULL;
        field->bad += kinds[row] == SHEPARD_VALUE_BAD;
        if (kinds[row] == SHEPARD_VALUE_BAD && !field->example[0] && shepard_arrow_is_text(column))
            keep_example(field, column, row);
    }
    return true;
}

static enum shepard_io_status fail_many(const struct reader *reader)
{
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_ARGUMENT, "layer",
                           "the query layer \"%.100s\" has features with more than one vertex: "
                           "give a layer of points, for example their centroids by -dialect "
                           "sqlite -sql \"SELECT ST_Centroid(geometry), * FROM ...\" of ogr2ogr",
                           OGR_L_GetName(reader->pick.layer));
}

static enum shepard_io_status take_batch(struct reader *reader, const struct ArrowSchema *schema,
                                         const struct ArrowArray *array)
{
    struct shepard_io_error *error = reader->reading->error;
    const size_t rows = (size_t)array->length;
    if (!shepard_point_batch_reserve_rows(&reader->batch, rows))
        return shepard_io_fail_memory(error);
    reader->points->counts.features += rows;
    const enum shepard_io_status status = read_places(reader, schema, array, rows);
    if (status)
        return status;
    if (reader->batch.many)
        return fail_many(reader);
    if (!reader->reading->one_each)
        drop_unusable(reader);
    if (!reserve(reader, reader->batch.count))
        return shepard_io_fail_memory(error);
    store_places(reader);
    for (size_t f = 0; f < reader->field_count; f++) {
        struct value_field *field = &reader->fields[f];
        if (field->field < 0) {
            store_z(reader, field);
            continue;
        }
        const struct shepard_arrow_column column = shepard_arrow_child(schema, array, field->child);
        if (!store_numbers(reader, field, &column, rows))
            return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, "fields",
                                   "the field \"%.100s\" is not numeric",
                                   field_name(reader, field->field));
    }
    reader->points->count += reader->batch.count;
    return SHEPARD_IO_OK;
}

/* ---- The stream ------------------------------------------------------------------------------ */

static enum shepard_io_status fail_read(const struct reader *reader)
{
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_READ, "path",
                           "reading \"%.200s\" failed after %zu features%s",
                           reader->reading->source->path, reader->points->counts.features,
                           shepard_trap_text(reader->reading->trap));
}

static int64_t find_child(const struct reader *reader, const struct ArrowSchema *schema, int field)
{
    return field < 0 ? 0 : shepard_arrow_find(schema, field_name(reader, field), false);
}

static int64_t find_geometry(const struct reader *reader, const struct ArrowSchema *schema)
{
    const char *name = OGR_L_GetGeometryColumn(reader->rows);
    const int64_t child = shepard_arrow_find(schema, name[0] ? name : "wkb_geometry", true);
    if (child < 0)
        return -1;
    const struct shepard_arrow_column column = {.schema = schema->children[child]};
    return shepard_arrow_is_binary(&column) ? child : -1;
}

static enum shepard_io_status find_children(struct reader *reader, const struct ArrowSchema *schema)
{
    reader->x_child = find_child(reader, schema, reader->xy.x);
    reader->y_child = find_child(reader, schema, reader->xy.y);
    reader->geometry_child = reader->xy.x < 0 ? find_geometry(reader, schema) : 0;
    bool found = reader->x_child >= 0 && reader->y_child >= 0 && reader->geometry_child >= 0;
    for (size_t f = 0; f < reader->field_count; f++) {
        struct value_field *field = &reader->fields[f];
        field->child = find_child(reader, schema, field->field);
        found = found && field->child >= 0;
    }
    if (found)
        return SHEPARD_IO_OK;
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_READ, "path",
                           "the format of \"%.200s\" hands out its columns in a way that is not "
                           "understood; convert it to GeoPackage with ogr2ogr",
                           reader->reading->source->path);
}

/* Up to GDAL 3.7 the standard stream fills each batch but the last; later ones may cut a batch
 * short where its memory is up. Asked for more after the last, some formats (MapInfo with a spatial
 * filter) begin again at their first feature, without end. */
enum { BATCH_ROWS = 65536, GDAL_CUTS_BATCHES = 3080000 };

static bool is_last(const struct reader *reader, int64_t rows)
{
    static const char *const own_streams[] = {"GPKG", "FlatGeobuf", "Arrow", "Parquet"};
    const char *format = shepard_source_format(reader->reading->source);
    if (atoi(GDALVersionInfo("VERSION_NUM")) >= GDAL_CUTS_BATCHES)
        return EQUAL(format, "MapInfo File") && rows < BATCH_ROWS;
    for (size_t i = 0; i < sizeof own_streams / sizeof *own_streams; i++)
        if (EQUAL(format, own_streams[i]))
            return false;
    return rows < BATCH_ROWS;
}

static enum shepard_io_status read_batches(struct reader *reader, struct ArrowArrayStream *stream,
                                           const struct ArrowSchema *schema)
{
    const struct shepard_io_control *control = reader->reading->control;
    for (;;) {
        struct ArrowArray array = {0};
        if (stream->get_next(stream, &array) != 0)
            return fail_read(reader);
        if (!array.release)
            return reader->reading->trap->text[0] ? fail_read(reader) : SHEPARD_IO_OK;
        const bool last = is_last(reader, array.length);
        const enum shepard_io_status status = take_batch(reader, schema, &array);
        array.release(&array);
        if (status)
            return status;
        const double read = (double)reader->points->counts.features;
        const double fraction = reader->total > 0.0 ? fmin(read / reader->total, 1.0) : 0.0;
        if (!shepard_io_progress(control, fraction))
            return shepard_io_fail_cancelled(reader->reading->error);
        if (last)
            return reader->reading->trap->text[0] ? fail_read(reader) : SHEPARD_IO_OK;
    }
}

/* GDAL 3.6 hands out no geometry of a GeoPackage when asked for neither FID nor any field. */
static bool needs_fid(const struct reader *reader)
{
    bool fields = reader->xy.x >= 0;
    for (size_t f = 0; f < reader->field_count; f++)
        fields |= reader->fields[f].field >= 0;
    return !fields;
}

static enum shepard_io_status read_stream(struct reader *reader)
{
    char **options = CSLAddString(NULL, CPLSPrintf("MAX_FEATURES_IN_BATCH=%d", BATCH_ROWS));
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
    if (schema.release)
        schema.release(&schema);
    stream.release(&stream);
    return status;
}

/* ---- What was read --------------------------------------------------------------------------- */

static const char *comma_hint(const char *text)
{
    const char *comma = strchr(text, ',');
    const bool decimal = comma && comma > text && isdigit((unsigned char)comma[-1]) &&
                         isdigit((unsigned char)comma[1]);
    return decimal ? " (decimal comma? numbers are read with a decimal point: replace the commas)"
                   : "";
}

/* What stands in the coordinate columns of the first row, where a table gave no point. */
static void append_first_place(const struct reader *reader, char *text, size_t size)
{
    if (reader->xy.x < 0)
        return;
    const OGRLayerH layer = reader->rows;
    OGR_L_SetIgnoredFields(layer, NULL);
    OGR_L_ResetReading(layer);
    OGRFeatureH row = OGR_L_GetNextFeature(layer);
    if (!row)
        return;
    char *x = CPLStrdup(OGR_F_GetFieldAsString(row, reader->xy.x));
    const char *y = OGR_F_GetFieldAsString(row, reader->xy.y);
    shepard_text_append(text, size, "; the first x and y are \"%.40s\" and \"%.40s\"%s", x, y,
                        comma_hint(x)[0] ? comma_hint(x) : comma_hint(y));
    CPLFree(x);
    OGR_F_Destroy(row);
}

static enum shepard_io_status fail_no_points(const struct reader *reader)
{
    const struct shepard_read_counts *counts = &reader->points->counts;
    const bool filtered = reader->options->where || reader->area.box.given || reader->area.clip;
    char why[600] = "";
    if (counts->features == 0)
        shepard_text_append(why, sizeof why,
                            filtered ? "no feature passes -where, -spat and -clipsrc"
                                     : "it has no features");
    else
        shepard_text_append(why, sizeof why,
                            "of %zu features %zu have no geometry or coordinates and %zu an empty "
                            "one; %zu points have coordinates that are no finite numbers and %zu "
                            "lie outside -spat or -clipsrc",
                            counts->features, counts->no_geometry, counts->empty_geometry,
                            counts->not_finite, counts->outside);
    if (counts->not_finite > 0)
        append_first_place(reader, why, sizeof why);
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_NO_POINTS, "path",
                           "no usable point in layer \"%.100s\" of \"%.200s\": %s",
                           OGR_L_GetName(reader->pick.layer), reader->reading->source->path, why);
}

static enum shepard_io_status check_fields(const struct reader *reader)
{
    const size_t count = reader->points->count;
    for (size_t f = 0; f < reader->field_count; f++) {
        const struct value_field *field = &reader->fields[f];
        if (field->null + field->bad < count)
            continue;
        if (field->field < 0)
            return fail_no_z(reader, "the points have no Z");
        char list[700] = "";
        shepard_append_numeric_fields(reader->pick.layer, reader->xy.x, reader->xy.y, list,
                                      sizeof list);
        if (field->example[0])
            return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, "fields",
                                   "the field \"%.100s\" is not numeric: it holds text such as "
                                   "\"%s\"%s; %s",
                                   field_name(reader, field->field), field->example,
                                   comma_hint(field->example), list);
        return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, "fields",
                               "the field \"%.100s\" has no value at any of the %zu points; %s",
                               field_name(reader, field->field), count, list);
    }
    return SHEPARD_IO_OK;
}

static void store_extent(struct reader *reader)
{
    OGREnvelope box = reader->extent;
    bool known = reader->has_extent;
    if (reader->xy.x < 0 && OGR_L_TestCapability(reader->rows, OLCFastGetExtent)) {
        OGREnvelope whole;
        if (OGR_L_GetExtent(reader->rows, &whole, TRUE) == OGRERR_NONE) {
            box = whole;
            known = true;
        }
    }
    reader->points->extent = (struct shepard_box){known, box.MinX, box.MinY, box.MaxX, box.MaxY};
}

static void store_srs(struct reader *reader)
{
    OGRSpatialReferenceH srs = OGR_L_GetSpatialRef(reader->pick.layer);
    if (reader->xy.x >= 0) {
        reader->points->geographic = shepard_is_longitude(field_name(reader, reader->xy.x)) &&
                                     shepard_is_latitude(field_name(reader, reader->xy.y));
        return;
    }
    if (!srs)
        return;
    char *wkt = NULL;
    if (OSRExportToWkt(srs, &wkt) == OGRERR_NONE)
        reader->points->srs = wkt;
    else
        CPLFree(wkt);
    reader->points->geographic = OSRIsGeographic(srs);
}

static void store_names(struct reader *reader)
{
    struct shepard_point_set *points = reader->points;
    points->layer = CPLStrdup(OGR_L_GetName(reader->pick.layer));
    if (reader->xy.x < 0)
        return;
    points->x_name = CPLStrdup(field_name(reader, reader->xy.x));
    points->y_name = CPLStrdup(field_name(reader, reader->xy.y));
}

/* Hands the fields' arrays over to the points. */
static enum shepard_io_status store_columns(struct reader *reader)
{
    struct shepard_point_set *points = reader->points;
    points->column = calloc(reader->field_count + 1, sizeof *points->column);
    double **values = calloc(reader->field_count + 1, sizeof *values);
    points->values = values;
    if (!points->column || !values)
        return shepard_io_fail_memory(reader->reading->error);
    for (size_t f = 0; f < reader->field_count; f++) {
        struct value_field *field = &reader->fields[f];
        if (field->is_weight) {
            points->weights = field->values;
            points->counts.weight_null = field->null;
            points->counts.weight_not_finite = field->bad;
        } else {
            values[points->columns] = field->values;
            points->column[points->columns++] = (struct shepard_column){
                .name = CPLStrdup(field->field < 0 ? "Z" : field_name(reader, field->field)),
                .values = field->values,
                .null = field->null,
                .not_finite = field->bad,
            };
        }
        field->values = NULL;
    }
    return SHEPARD_IO_OK;
}

static enum shepard_io_status finish(struct reader *reader)
{
    const bool one_each = reader->reading->one_each;
    if (reader->points->count == 0 && !one_each)
        return fail_no_points(reader);
    enum shepard_io_status status = one_each ? SHEPARD_IO_OK : check_fields(reader);
    if (status)
        return status;
    if (reader->points->count > 0 && reader->points->count < reader->capacity &&
        !resize_all(reader, reader->points->count))
        return shepard_io_fail_memory(reader->reading->error);
    store_extent(reader);
    store_srs(reader);
    store_names(reader);
    return store_columns(reader);
}

static void release(struct reader *reader)
{
    for (size_t f = 0; f < reader->field_count; f++)
        free(reader->fields[f].values);
    free(reader->fields);
    shepard_point_batch_free(&reader->batch);
    shepard_clip_area_free(&reader->area);
    shepard_pick_release(&reader->text);
    shepard_pick_release(&reader->pick);
}

enum shepard_io_status shepard_read_points(const struct shepard_reading *reading,
                                           struct shepard_point_set *points)
{
    struct reader reader = {.reading = reading,
                            .options = reading->options,
                            .points = points,
                            .batch = {.one_each = reading->one_each}};
    enum shepard_io_status status = pick_layers(&reader);
    if (!status)
        status = choose_fields(&reader);
    if (!status)
        status = set_area(&reader);
    if (!status) {
        ignore_other_fields(&reader);
        expect_features(&reader);
        status = read_stream(&reader);
    }
    if (!status)
        status = finish(&reader);
    release(&reader);
    return status;
}

enum shepard_io_status shepard_source_read(struct shepard_source *source,
                                           const struct shepard_read_options *options,
                                           struct shepard_point_set *points,
                                           const struct shepard_io_control *control,
                                           struct shepard_io_error *error)
{
    if (!source || !options || !points)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "source",
                               "source, options and points must not be NULL");
    if (!isfinite(options->z_increase) || !isfinite(options->z_multiply))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "z_multiply",
                               "z_increase and z_multiply must be finite numbers");
    struct shepard_trap trap;
    shepard_trap_begin(&trap, control);
    const struct shepard_reading reading = {
        .source = source, .options = options, .control = control, .trap = &trap, .error = error};
    const enum shepard_io_status status = shepard_read_points(&reading, points);
    if (status)
        shepard_point_set_clear(points);
    return shepard_trap_end(&trap, status);
}

void shepard_point_set_clear(struct shepard_point_set *points)
{
    if (!points)
        return;
    for (size_t i = 0; i < points->columns; i++) {
        CPLFree(points->column[i].name);
        free(points->column[i].values);
    }
    free(points->column);
    free((void *)(uintptr_t)points->values);
    free(points->weights);
    free(points->x);
    free(points->y);
    CPLFree(points->srs);
    CPLFree(points->layer);
    CPLFree(points->x_name);
    CPLFree(points->y_name);
    *points = (struct shepard_point_set){0};
}
