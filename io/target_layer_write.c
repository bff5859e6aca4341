/* SPDX-License-Identifier: MIT */
#include "crs.h"
#include "csv_trial.h"
#include "feature_reader.h"
#include "io_error.h"
#include "layer_selection.h"
#include "output_driver.h"
#include "output_stage.h"
#include "source.h"
#include "string_list.h"
#include "target_layer.h"
#include "vector_memory.h"

#include <cpl_conv.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct writer {
    struct shepard_target_layer *query;
    const struct shepard_vector_spec *spec;
    const struct shepard_io_control *control;
    struct shepard_gdal_error_scope *trap;
    struct shepard_io_error *error;
    GDALDriverH driver;
    bool table_only;                      /* the format has no geometry */
    struct shepard_layer_selection from;  /* the query layer */
    struct shepard_feature_reader reader; /* of its features */
    struct shepard_output_stage stage;
    GDALDatasetH dataset;
    OGRLayerH layer;
    OGRwkbGeometryType type; /* and options: of the layer */
    char **options;
    struct shepard_csv_rows rows; /* of a CSV file, in place of the dataset */
    OGRFeatureH row;              /* of these, filled again for each; NULL: no rows */
    int *field_map;   /* fields of the query layer to fields of the output; -1: left out */
    int *new_fields;  /* new columns to fields of the output */
    char **taken;     /* names of the output's fields */
    bool make_points; /* a table becomes points */
    OGRCoordinateTransformationH transform; /* of the geometries; NULL: they stay as they are */
    size_t written;
};

static bool is_driver(const struct writer *writer, const char *name)
{
    return EQUAL(GDALGetDriverShortName(writer->driver), name);
}

/* Features to be written. */
static size_t feature_count(const struct writer *writer)
{
    const size_t all = writer->query->points.count, asked = writer->spec->features;
    return asked > 0 && asked < all ? asked : all;
}

static bool from_csv(const struct writer *writer)
{
    return EQUAL(shepard_source_format(writer->query->source), "CSV");
}

/* ---- The query layer again ------------------------------------------------------------------- */

/* CSV columns go to CSV as the texts they are: 007 stays 007. */
static bool copies_text(const struct writer *writer)
{
    const struct shepard_target_layer *query = writer->query;
    return is_driver(writer, "CSV") && from_csv(writer) && !query->sql && !query->where &&
           shepard_source_as_text(query->source);
}

static enum shepard_io_status pick_query(struct writer *writer)
{
    const struct shepard_target_layer *query = writer->query;
    struct shepard_source *source = query->source;
    const struct shepard_layer_choice choice = {
        .layer = query->layer, .sql = query->sql, .where = query->where};
    const bool as_text = copies_text(writer);
    if (!as_text)
        shepard_source_detect_all(source);
    GDALDatasetH dataset = as_text ? shepard_source_as_text(source) : source->dataset;
    return shepard_layer_selection_find(&writer->from, dataset, source->path, &choice, writer->trap,
                                        writer->error);
}

static int geometry_count(const struct writer *writer)
{
    return OGR_FD_GetGeomFieldCount(OGR_L_GetLayerDefn(writer->from.layer));
}

/* ---- The output layer ------------------------------------------------------------------------ */

static OGRwkbGeometryType output_type(struct writer *writer)
{
    if (geometry_count(writer) > 0)
        return OGR_L_GetGeomType(writer->from.layer);
    writer->make_points = !writer->table_only && writer->query->points.x_name;
    return writer->make_points ? wkbPoint : wkbNone;
}

/* Bytes of the query's files; as many as there can be where it has none, as a database. */
static uint64_t source_bytes(const struct writer *writer)
{
    char **files = GDALGetFileList(writer->query->source->dataset);
    uint64_t bytes = files ? 0 : UINT64_MAX;
    VSIStatBufL info;
    for (char **file = files; file && *file; file++)
        if (VSIStatL(*file, &info) == 0)
            bytes += (uint64_t)info.st_size;
    CSLDestroy(files);
    return bytes;
}

/* FlatGeobuf's features are written twice, the second time in the order of the spatial index. */
static bool waits_in_memory(const struct writer *writer)
{
    const int fields = OGR_FD_GetFieldCount(OGR_L_GetLayerDefn(writer->from.layer));
    return is_driver(writer, "FlatGeobuf") && wkbFlatten(writer->type) == wkbPoint &&
           shepard_flatgeobuf_waits_in_memory(
               feature_count(writer), fields + (int)writer->spec->columns, source_bytes(writer));
}

static char **layer_options(const struct writer *writer)
{
    char **options = CSLDuplicate(shepard_list(writer->spec->layer_options));
    if (!is_driver(writer, "CSV")) {
        if (writer->table_only && geometry_count(writer) > 0)
            shepard_io_warn(writer->control, "the format %s keeps no geometry",
                            GDALGetDriverShortName(writer->driver));
        if (waits_in_memory(writer))
            options = shepard_list_default(options, "TEMPORARY_DIR",
                                           CPLSPrintf("/vsimem/shepard-%p/", (const void *)writer));
        return options;
    }
    /* By default GDAL quotes whole numbers too. */
    options = shepard_list_default(options, "STRING_QUOTING", "IF_NEEDED");
    if (geometry_count(writer) > 0 && !from_csv(writer)) {
        const bool z = wkbHasZ(OGR_L_GetGeomType(writer->from.layer));
        options = shepard_list_default(options, "GEOMETRY", z ? "AS_XYZ" : "AS_XY");
    }
    return options;
}

static char *layer_name(const struct writer *writer)
{
    if (writer->spec->layer_name)
        return CPLStrdup(writer->spec->layer_name);
    if (writer->stage.to_stdout || !writer->stage.folder.path)
        return CPLStrdup(OGR_L_GetName(writer->from.layer));
    return CPLStrdup(CPLGetBasename(writer->stage.target));
}

static enum shepard_io_status fail_write(const struct writer *writer, const char *what)
{
    /* Some formats give no reason. */
    if (!writer->trap->text[0] && errno)
        shepard_text_append(writer->trap->text, sizeof writer->trap->text, "%s", strerror(errno));
    return shepard_io_fail(writer->error, SHEPARD_IO_ERROR_WRITE, "path",
                           "%s \"%.200s\" (%s) failed%s", what, writer->stage.target,
                           GDALGetDriverShortName(writer->driver),
                           shepard_gdal_error_scope_text(writer->trap));
}

static const char *output_srs(const struct writer *writer)
{
    const struct shepard_target_layer *query = writer->query;
    return query->write_target_srs ? query->target_srs : query->srs;
}

static enum shepard_io_status find_transform(struct writer *writer)
{
    const struct shepard_crs_change change = {writer->query->srs, output_srs(writer),
                                              "the query's features"};
    return shepard_crs_transformation(&change, &writer->transform, writer->trap, writer->error);
}

/* Columns that the format makes itself, as a GeoPackage's fid and geom. */
static void reserve_own_names(struct writer *writer)
{
    const char *const own[] = {OGR_L_GetFIDColumn(writer->layer),
                               OGR_L_GetGeometryColumn(writer->layer)};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i] && own[i][0])
            writer->taken = CSLAddString(writer->taken, own[i]);
}

/* A CSV that shows the geometry has columns for it, which are not among the layer's fields. */
static void reserve_coordinate_names(struct writer *writer)
{
    const char *geometry = CSLFetchNameValue(writer->options, "GEOMETRY");
    if (!is_driver(writer, "CSV") || !geometry || geometry_count(writer) == 0)
        return;
    if (EQUAL(geometry, "AS_WKT")) {
        writer->taken = CSLAddString(writer->taken, "WKT");
    } else if (EQUALN(geometry, "AS_", 3)) {
        writer->taken = CSLAddString(writer->taken, "X");
        writer->taken = CSLAddString(writer->taken, "Y");
    }
    if (EQUAL(geometry, "AS_XYZ"))
        writer->taken = CSLAddString(writer->taken, "Z");
}

/* SQLite makes the spatial index of a GeoPackage in its cache, by default of 2 MB, and takes longer
 * where it does not fit. */
static GDALDatasetH create_dataset(const struct writer *writer)
{
    static const char option[] = "OGR_SQLITE_CACHE"; /* megabytes */
    const bool given = CPLGetConfigOption(option, NULL) != NULL;
    if (!given)
        CPLSetThreadLocalConfigOption(
            option, CPLSPrintf("%zu", shepard_sqlite_cache(feature_count(writer)) >> 20));
    GDALDatasetH dataset = GDALCreate(writer->driver, writer->stage.path, 0, 0, 0, GDT_Unknown,
                                      shepard_list(writer->spec->creation_options));
    if (!given)
        CPLSetThreadLocalConfigOption(option, NULL);
    return dataset;
}

static enum shepard_io_status create_layer(struct writer *writer)
{
    writer->dataset = create_dataset(writer);
    if (!writer->dataset)
        return fail_write(writer, "creating");
    char *name = layer_name(writer);
    writer->type = output_type(writer);
    writer->options = layer_options(writer);
    OGRSpatialReferenceH srs = output_srs(writer) ? shepard_crs_open(output_srs(writer)) : NULL;
    writer->layer =
        GDALDatasetCreateLayer(writer->dataset, name, srs, writer->type, writer->options);
    reserve_coordinate_names(writer);
    if (writer->layer)
        reserve_own_names(writer);
    if (srs)
        OSRRelease(srs);
    CPLFree(name);
    return writer->layer ? SHEPARD_IO_OK : fail_write(writer, "creating a layer in");
}

/* ---- Fields ---------------------------------------------------------------------------------- */

/* The number of the new field in the output, which may have changed its name; -1: refused. */
static int create_field(struct writer *writer, OGRFieldDefnH field)
{
    const int before = OGR_FD_GetFieldCount(OGR_L_GetLayerDefn(writer->layer));
    OGRFieldDefnH wide = NULL;
    if (OGR_Fld_GetType(field) == OFTInteger64 &&
        !shepard_driver_lists(writer->driver, GDAL_DMD_CREATIONFIELDDATATYPES,
                              OGR_GetFieldTypeName(OFTInteger64)))
        wide = OGR_Fld_Create(OGR_Fld_GetNameRef(field), OFTReal);
    const OGRErr failed = OGR_L_CreateField(writer->layer, wide ? wide : field, TRUE);
    OGR_Fld_Destroy(wide);
    const int after = OGR_FD_GetFieldCount(OGR_L_GetLayerDefn(writer->layer));
    return failed == OGRERR_NONE && after > before ? after - 1 : -1;
}

/* Formats with columns of their own (GPX, KML) have some fields from the start. */
static int place_field(struct writer *writer, OGRFieldDefnH field)
{
    const int there =
        OGR_FD_GetFieldIndex(OGR_L_GetLayerDefn(writer->layer), OGR_Fld_GetNameRef(field));
    return there >= 0 ? there : create_field(writer, field);
}

static char *free_name(const struct writer *writer, const char *name)
{
    char *free = CPLStrdup(name);
    for (int i = 2; CSLFindString(writer->taken, free) >= 0; i++) {
        CPLFree(free);
        free = CPLStrdup(CPLSPrintf("%s_%d", name, i));
    }
    return free;
}

/* The same, under another name where the output has a column of this one from before. */
static int copy_field(struct writer *writer, OGRFieldDefnH field)
{
    const char *name = OGR_Fld_GetNameRef(field);
    if (CSLFindString(writer->taken, name) < 0) {
        writer->taken = CSLAddString(writer->taken, name);
        return place_field(writer, field);
    }
    char *free = free_name(writer, name);
    OGRFieldDefnH renamed = OGR_Fld_Create(free, OGR_Fld_GetType(field));
    const int created = create_field(writer, renamed);
    shepard_io_warn(writer->control,
                    "the output has a column \"%s\" already; that of the query is called \"%s\"",
                    name, free);
    writer->taken = CSLAddString(writer->taken, free);
    OGR_Fld_Destroy(renamed);
    CPLFree(free);
    return created;
}

static enum shepard_io_status copy_fields(struct writer *writer)
{
    OGRFeatureDefnH table = OGR_L_GetLayerDefn(writer->from.layer);
    const int count = OGR_FD_GetFieldCount(table);
    writer->field_map = VSIMalloc(((size_t)count + 1) * sizeof *writer->field_map);
    if (!writer->field_map)
        return shepard_io_fail_memory(writer->error);
    for (int i = 0; i < count; i++) {
        OGRFieldDefnH field = OGR_FD_GetFieldDefn(table, i);
        const char *name = OGR_Fld_GetNameRef(field);
        writer->field_map[i] = copy_field(writer, field);
        if (writer->field_map[i] < 0)
            shepard_io_warn(writer->control, "the column \"%s\" is left out: %s cannot hold it%s",
                            name, GDALGetDriverShortName(writer->driver),
                            shepard_gdal_error_scope_text(writer->trap));
        shepard_gdal_error_scope_clear(writer->trap);
    }
    return SHEPARD_IO_OK;
}

static enum shepard_io_status add_new_field(struct writer *writer, size_t i)
{
    const struct shepard_new_column *column = &writer->spec->column[i];
    char *name = free_name(writer, column->name);
    if (strcmp(name, column->name) != 0)
        shepard_io_warn(writer->control,
                        "the query layer has a column \"%s\" already; the new one is called \"%s\"",
                        column->name, name);
    OGRFieldDefnH field = OGR_Fld_Create(name, column->integer ? OFTInteger64 : OFTReal);
    const int created = create_field(writer, field);
    OGR_Fld_Destroy(field);
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (created < 0)
        status = shepard_io_fail(writer->error, SHEPARD_IO_ERROR_FORMAT, "format",
                                 "the format %s cannot take a column \"%.60s\"%s; write another "
                                 "format, for example GPKG",
                                 GDALGetDriverShortName(writer->driver), name,
                                 shepard_gdal_error_scope_text(writer->trap));
    writer->new_fields[i] = created;
    writer->taken = CSLAddString(writer->taken, name);
    CPLFree(name);
    return status;
}

static enum shepard_io_status add_new_fields(struct writer *writer)
{
    writer->new_fields = VSIMalloc((writer->spec->columns + 1) * sizeof *writer->new_fields);
    if (!writer->new_fields)
        return shepard_io_fail_memory(writer->error);
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (size_t i = 0; !status && i < writer->spec->columns; i++)
        status = add_new_field(writer, i);
    return status;
}

/* ---- Rows of CSV ----------------------------------------------------------------------------- */

/* A file that is written here only, with the driver's name for a single layer. Options of the
 * dataset may change its rows. */
static bool is_plain_csv(const struct writer *writer)
{
    const char *path = writer->stage.path;
    return is_driver(writer, "CSV") && EQUAL(CPLGetExtension(path), "csv") &&
           (writer->stage.folder.path || EQUALN(path, "/vsimem/", 8)) &&
           CSLCount(shepard_list(writer->spec->creation_options)) == 0;
}

/* OGR's driver writes the header, and what else there is to the layer, when it is closed. */
static enum shepard_io_status close_header(struct writer *writer)
{
    errno = 0;
    GDALClose(writer->dataset);
    writer->dataset = NULL;
    writer->layer = NULL;
    writer->row = OGR_F_Create(writer->rows.table);
    return !writer->trap->text[0] && shepard_csv_rows_open(&writer->rows, writer->stage.path)
               ? SHEPARD_IO_OK
               : fail_write(writer, "writing");
}

/* OGR's driver takes several times as long for the rows. */
static enum shepard_io_status begin_rows(struct writer *writer)
{
    if (!is_plain_csv(writer))
        return SHEPARD_IO_OK;
    const struct shepard_csv_layer layer = {.table = OGR_L_GetLayerDefn(writer->layer),
                                            .geometry = writer->type,
                                            .srs = OGR_L_GetSpatialRef(writer->layer),
                                            .options = writer->options};
    if (shepard_csv_rows_make(&writer->rows, &layer) &&
        shepard_csv_trial_agrees(writer->driver, &layer, &writer->rows))
        return close_header(writer);
    shepard_csv_rows_free(&writer->rows);
    return SHEPARD_IO_OK;
}

/* ---- Features -------------------------------------------------------------------------------- */

static void set_value(OGRFeatureH feature, int field, const struct shepard_new_column *column,
                      size_t i)
{
    const double value = column->values[i];
    if (!isfinite(value) || value == column->nodata)
        OGR_F_SetFieldNull(feature, field);
    else if (column->integer)
        OGR_F_SetFieldInteger64(feature, field, (GIntBig)value);
    else
        OGR_F_SetFieldDouble(feature, field, value);
}

static void set_point(const struct writer *writer, OGRFeatureH feature)
{
    const struct shepard_point_set *points = &writer->query->points;
    if (!isfinite(points->x[writer->written]))
        return;
    OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
    OGR_G_SetPoint_2D(point, 0, points->x[writer->written], points->y[writer->written]);
    OGR_F_SetGeometryDirectly(feature, point);
}

static void transform_geometry(const struct writer *writer, OGRFeatureH feature)
{
    OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
    if (!writer->transform || !geometry)
        return;
    if (OGR_G_Transform(geometry, writer->transform) != OGRERR_NONE)
        OGR_F_SetGeometryDirectly(feature, NULL);
    shepard_gdal_error_scope_clear(writer->trap);
}

/* Whether a step of GDAL's succeeded: a text that there was no memory for is only said. */
static bool is_done(const struct writer *writer, OGRErr failed)
{
    return failed == OGRERR_NONE && !writer->trap->text[0];
}

static bool fill_feature(const struct writer *writer, OGRFeatureH to, OGRFeatureH from)
{
    if (!is_done(writer, OGR_F_SetFromWithMap(to, from, TRUE, writer->field_map)))
        return false;
    if (writer->make_points)
        set_point(writer, to);
    transform_geometry(writer, to);
    for (size_t i = 0; i < writer->spec->columns; i++)
        set_value(to, writer->new_fields[i], &writer->spec->column[i], writer->written);
    return true;
}

static bool add_feature(struct writer *writer, OGRFeatureH feature)
{
    if (writer->row)
        return shepard_csv_rows_add(&writer->rows, feature) && !writer->trap->text[0];
    return is_done(writer, OGR_L_CreateFeature(writer->layer, feature));
}

static bool write_feature(struct writer *writer, OGRFeatureH from)
{
    errno = 0;
    OGRFeatureH to = writer->row ? writer->row : OGR_F_Create(OGR_L_GetLayerDefn(writer->layer));
    const bool good = fill_feature(writer, to, from) && add_feature(writer, to);
    if (!writer->row)
        OGR_F_Destroy(to);
    return good;
}

/* A MapInfo table has no NULL for numbers: says that 0 is written instead. */
static void warn_of_zeros(const struct writer *writer)
{
    if (!is_driver(writer, "MapInfo File"))
        return;
    for (size_t c = 0; c < writer->spec->columns; c++)
        for (size_t i = 0; i < feature_count(writer); i++) {
            const struct shepard_new_column *column = &writer->spec->column[c];
            if (isfinite(column->values[i]) && column->values[i] != column->nodata)
                continue;
            shepard_io_warn(writer->control,
                            "MapInfo tables cannot store NULL: missing values of \"%s\" are 0",
                            column->name);
            break;
        }
}

enum { PROGRESS_EVERY = 4096 };

static bool report(const struct writer *writer)
{
    const double count = (double)writer->query->points.count;
    return writer->written % PROGRESS_EVERY != 0 ||
           shepard_io_progress(writer->control, (double)writer->written / count);
}

static enum shepard_io_status fail_read(const struct writer *writer)
{
    const struct shepard_source *source = writer->query->source;
    if (writer->trap->text[0])
        return shepard_source_fail_read(source, writer->written, writer->trap, writer->error);
    return shepard_io_fail(writer->error, SHEPARD_IO_ERROR_READ, "path",
                           "\"%.200s\" changed while it was read: run the command again",
                           source->path);
}

static enum shepard_io_status write_features(struct writer *writer)
{
    const size_t count = feature_count(writer);
    const bool part = count < writer->query->points.count;
    enum shepard_io_status status = SHEPARD_IO_OK;
    OGRFeatureH from;
    while (!status && !(part && writer->written == count) &&
           (from = shepard_feature_reader_next(&writer->reader))) {
        if (writer->written >= count)
            status = fail_read(writer);
        else if (!write_feature(writer, from))
            status = fail_write(writer, "writing");
        writer->written++;
        if (!status && !report(writer))
            status = shepard_io_fail_cancelled(writer->error);
    }
    if (!status && (writer->written < count || writer->trap->text[0]))
        status = fail_read(writer);
    return status;
}

static enum shepard_io_status read_and_write(struct writer *writer)
{
    const bool begun =
        shepard_feature_reader_begin(&writer->reader, writer->from.layer, writer->control);
    const enum shepard_io_status status =
        begun ? write_features(writer) : shepard_io_fail_memory(writer->error);
    shepard_feature_reader_end(&writer->reader);
    return status;
}

static enum shepard_io_status write_in_transaction(struct writer *writer)
{
    const bool transaction = writer->dataset &&
                             GDALDatasetTestCapability(writer->dataset, ODsCTransactions) &&
                             GDALDatasetStartTransaction(writer->dataset, FALSE) == OGRERR_NONE;
    const enum shepard_io_status status = read_and_write(writer);
    if (!transaction)
        return status;
    if (status) {
        GDALDatasetRollbackTransaction(writer->dataset);
        return status;
    }
    return GDALDatasetCommitTransaction(writer->dataset) == OGRERR_NONE
               ? SHEPARD_IO_OK
               : fail_write(writer, "writing");
}

/* ---- The whole ------------------------------------------------------------------------------- */

static enum shepard_io_status find_writer(struct writer *writer)
{
    const struct shepard_vector_spec *spec = writer->spec;
    const struct shepard_driver_choice choice = {
        .path = spec->path, .format = spec->format, .vector = true};
    enum shepard_io_status status = shepard_find_driver(&choice, &writer->driver, writer->error);
    if (!status)
        status =
            shepard_check_creation_options(writer->driver, spec->creation_options, writer->error);
    if (status)
        return status;
    writer->table_only =
        is_driver(writer, "CSV") || is_driver(writer, "XLSX") || is_driver(writer, "ODS");
    return pick_query(writer);
}

static enum shepard_io_status write_layer(struct writer *writer)
{
    enum shepard_io_status status = find_transform(writer);
    if (!status)
        status = create_layer(writer);
    if (!status)
        status = copy_fields(writer);
    if (!status)
        status = add_new_fields(writer);
    if (!status)
        status = begin_rows(writer);
    if (!status)
        status = write_in_transaction(writer);
    if (!status) {
        warn_of_zeros(writer);
        shepard_gdal_error_scope_clear(writer->trap);
    }
    return status;
}

/* False: what was written last did not get to the disk. */
static bool close_output(struct writer *writer)
{
    errno = 0;
    const bool good = !writer->rows.file || shepard_csv_rows_close(&writer->rows);
    if (writer->dataset)
        GDALClose(writer->dataset);
    return good && !writer->trap->text[0];
}

static enum shepard_io_status write_staged(struct writer *writer)
{
    enum shepard_io_status status = write_layer(writer);
    if (!close_output(writer) && !status)
        status = fail_write(writer, "finishing");
    if (!status)
        return shepard_stage_commit(&writer->stage, writer->error);
    shepard_stage_abandon(&writer->stage);
    return status;
}

static enum shepard_io_status make_stage(struct writer *writer)
{
    const struct shepard_vector_spec *spec = writer->spec;
    const struct shepard_output_place place = {
        .path = spec->path,
        .direct = shepard_driver_writes_there(writer->driver, spec->path, spec->creation_options),
        .extension = shepard_driver_extension(writer->driver),
        .vector = true,
        .layer_name = spec->layer_name,
        .guard = spec->guard,
        .control = writer->control,
    };
    return shepard_stage_make(&writer->stage, &place, writer->error);
}

static enum shepard_io_status write_all(struct writer *writer)
{
    enum shepard_io_status status = find_writer(writer);
    if (!status)
        status = make_stage(writer);
    if (!status)
        status = write_staged(writer);
    OGR_F_Destroy(writer->row);
    shepard_csv_rows_free(&writer->rows);
    CSLDestroy(writer->options);
    VSIFree(writer->field_map);
    VSIFree(writer->new_fields);
    CSLDestroy(writer->taken);
    OCTDestroyCoordinateTransformation(writer->transform);
    shepard_layer_selection_release(&writer->from);
    if (!status)
        shepard_gdal_error_scope_clear(writer->trap);
    return status;
}

enum shepard_io_status shepard_target_layer_write(struct shepard_target_layer *query,
                                                  const struct shepard_vector_spec *spec,
                                                  const struct shepard_io_control *control,
                                                  struct shepard_io_error *error)
{
    if (!query || !spec || !spec->path || !spec->path[0])
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "no output given: name the file to be written");
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    struct writer writer = {
        .query = query, .spec = spec, .control = control, .trap = &trap, .error = error};
    const enum shepard_io_status status = write_all(&writer);
    return shepard_gdal_error_scope_end(&trap, status);
}
