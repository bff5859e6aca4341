/* SPDX-License-Identifier: MIT */
#include "raster_file.h"

#include "cf_file.h"
#include "creation_options.h"
#include "gdal_threads.h"
#include "io_error.h"
#include "kept_raster.h"
#include "output_driver.h"
#include "output_stage.h"
#include "raster_part.h"
#include "raster_type.h"
#include "string_list.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <limits.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <string.h>

/* Largest raster that waits in memory for a format that can only be copied to. */
static const double memory_max = 512.0 * 1024.0 * 1024.0;

/* Probe of such a format: a raster of at most this many columns and rows. */
enum { PROBE_SIZE = 64 };

struct shepard_raster_file {
    struct shepard_output_stage stage;
    GDALDriverH driver;
    GDALDatasetH dataset;            /* the output, or what it is to be copied from */
    struct shepard_cf_file *cf;      /* in place of dataset */
    struct shepard_kept_raster kept; /* in place of dataset, where finished windows survive */
    bool resumable;                  /* they do */
    bool resumed;                    /* some were found */
    bool copied;                     /* the driver can only copy */
    char *scratch;                   /* the file behind a copied dataset; NULL: memory */
    char **options;
    size_t columns, rows, bands;
    struct shepard_raster_part part;
    bool has_nodata; /* the first band, and so all */
    double nodata;
    bool wrote_nodata; /* to some cell */
};

/* ---- Checks before anything is written ------------------------------------------------------- */

static enum shepard_io_status check_size(const struct shepard_raster_spec *spec, GDALDataType type,
                                         struct shepard_io_error *error)
{
    const struct shepard_raster *raster = &spec->raster;
    if (raster->columns == 0 || raster->rows == 0 || spec->bands == 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "raster",
                               "a raster needs at least one column, row and band");
    const double bytes = (double)raster->columns * (double)raster->rows * (double)spec->bands *
                         GDALGetDataTypeSizeBytes(type);
    if (raster->columns > INT_MAX || raster->rows > INT_MAX || spec->bands > 65535 || bytes > 9e18)
        return shepard_io_fail(
            error, SHEPARD_IO_ERROR_SIZE, "raster",
            "a raster of %zu x %zu cells and %zu bands is too large; take larger "
            "cells (-tr) or fewer of them (-outsize)",
            raster->columns, raster->rows, spec->bands);
    return SHEPARD_IO_OK;
}

/* Formats that write numbers as text name Float32 as their largest type, but take Float64. */
static bool driver_has_type(GDALDriverH driver, const char *type)
{
    return shepard_driver_lists(driver, GDAL_DMD_CREATIONDATATYPES, type) ||
           (EQUAL(type, "Float64") && !shepard_driver_can(driver, GDAL_DCAP_CREATE) &&
            shepard_driver_lists(driver, GDAL_DMD_CREATIONDATATYPES, "Float32"));
}

static enum shepard_io_status check_type(GDALDriverH driver, GDALDataType type,
                                         struct shepard_io_error *error)
{
    const char *name = GDALGetDataTypeName(type);
    if (driver_has_type(driver, name))
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "type",
                           "the format %s cannot hold %s; choose with -ot one of: %s",
                           GDALGetDriverShortName(driver), name,
                           GDALGetMetadataItem(driver, GDAL_DMD_CREATIONDATATYPES, NULL));
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static enum shepard_io_status set_srs(GDALDatasetH dataset, const char *srs,
                                      struct shepard_io_error *error)
{
    char *wkt = NULL;
    const enum shepard_io_status status =
        srs ? shepard_io_srs(srs, &wkt, NULL, error) : SHEPARD_IO_OK;
    if (wkt)
        GDALSetProjection(dataset, wkt);
    shepard_io_free(wkt);
    return status;
}

/* Georeference and coordinate system: some formats refuse a raster by them. */
static enum shepard_io_status set_place(const struct shepard_raster_spec *spec,
                                        GDALDatasetH dataset, struct shepard_io_error *error)
{
    const struct shepard_raster *raster = &spec->raster;
    double transform[6] = {raster->x0, raster->dx, 0.0, raster->y0, 0.0, raster->dy};
    GDALSetGeoTransform(dataset, transform);
    return set_srs(dataset, spec->srs, error);
}

/* MBTiles is created in its own grid of tiles only; a copy is warped into it. */
static bool is_copied(GDALDriverH driver)
{
    return !shepard_driver_can(driver, GDAL_DCAP_CREATE) ||
           EQUAL(GDALGetDriverShortName(driver), "MBTiles");
}

/* A format that can only be copied to would say no at the very end: ask it with a small raster of
   the same kind first. */
static enum shepard_io_status probe_copy(const struct shepard_raster_spec *spec, GDALDriverH driver,
                                         GDALDataType type, struct shepard_gdal_error_scope *trap,
                                         struct shepard_io_error *error)
{
    if (!shepard_driver_can(driver, GDAL_DCAP_VIRTUALIO))
        return SHEPARD_IO_OK;
    GDALDatasetH small =
        GDALCreate(GDALGetDriverByName("MEM"), "", (int)smaller(spec->raster.columns, PROBE_SIZE),
                   (int)smaller(spec->raster.rows, PROBE_SIZE), (int)spec->bands, type, NULL);
    enum shepard_io_status status = set_place(spec, small, error);
    const char *extension = CPLGetExtension(spec->path);
    char *path = CPLStrdup(CPLSPrintf("/vsimem/shepard-%p/probe.%s", (void *)small,
                                      extension[0] ? extension : shepard_driver_extension(driver)));
    GDALDatasetH copy = status ? NULL
                               : GDALCreateCopy(driver, path, small, FALSE,
                                                shepard_list(spec->creation_options), NULL, NULL);
    if (!status && !copy)
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "format",
                                 "the format %s cannot hold this raster of %zu bands of type %s%s",
                                 GDALGetDriverShortName(driver), spec->bands,
                                 GDALGetDataTypeName(type), shepard_gdal_error_scope_text(trap));
    GDALClose(copy);
    GDALClose(small);
    VSIRmdirRecursive(CPLGetPath(path));
    CPLFree(path);
    shepard_gdal_error_scope_clear(trap);
    return status;
}

/* Blocks wait in GDAL's cache; what is copied waits as a whole. */
double shepard_raster_file_memory(GDALDriverH driver, double bytes)
{
    const double cached = fmin(bytes, (double)GDALGetCacheMax64());
    return is_copied(driver) && bytes <= memory_max ? bytes + cached : cached;
}

/* ---- Creating -------------------------------------------------------------------------------- */

static GDALDatasetH create_dataset(struct shepard_raster_file *file, GDALDataType type)
{
    const int columns = (int)file->columns, rows = (int)file->rows, bands = (int)file->bands;
    if (!file->copied)
        return GDALCreate(file->driver, file->stage.path, columns, rows, bands, type,
                          file->options);
    const double bytes = (double)columns * rows * bands * GDALGetDataTypeSizeBytes(type);
    if (bytes <= memory_max)
        return GDALCreate(GDALGetDriverByName("MEM"), "", columns, rows, bands, type, NULL);
    file->scratch = shepard_stage_scratch(&file->stage, "raster.tif");
    const char *const options[] = {"BIGTIFF=YES", "TILED=YES", NULL};
    return GDALCreate(GDALGetDriverByName("GTiff"), file->scratch, columns, rows, bands, type,
                      shepard_list(options));
}

static void set_bands(const struct shepard_raster_spec *spec, GDALDatasetH dataset)
{
    for (size_t b = 0; spec->band && b < spec->bands; b++) {
        GDALRasterBandH band = GDALGetRasterBand(dataset, (int)b + 1);
        if (spec->band[b].has_nodata)
            GDALSetRasterNoDataValue(band, spec->band[b].nodata);
        if (spec->band[b].description)
            GDALSetDescription(band, spec->band[b].description);
    }
}

static void set_metadata(const struct shepard_raster_spec *spec, GDALDatasetH dataset)
{
    for (const char *const *item = spec->metadata; item && *item; item++) {
        char *key = NULL;
        const char *value = CPLParseNameValue(*item, &key);
        if (key && value)
            GDALSetMetadataItem(dataset, key, value, NULL);
        CPLFree(key);
    }
}

static enum shepard_io_status set_header(const struct shepard_raster_spec *spec,
                                         GDALDatasetH dataset, struct shepard_io_error *error)
{
    const enum shepard_io_status status = set_place(spec, dataset, error);
    set_bands(spec, dataset);
    set_metadata(spec, dataset);
    return status;
}

static void close_dataset(struct shepard_raster_file *file)
{
    GDALClose(file->dataset);
    shepard_cf_file_close(file->cf);
    file->dataset = NULL;
    file->cf = NULL;
    if (file->resumable)
        shepard_kept_raster_close(&file->kept);
    shepard_gdal_report_thread_errors();
}

static void release(struct shepard_raster_file *file)
{
    close_dataset(file);
    if (file->scratch)
        VSIUnlink(file->scratch);
    CPLFree(file->scratch);
    CSLDestroy(file->options);
    VSIFree(file);
}

/* Compression saves that much at most of rasters that are not nearly empty. */
static const double compression_max = 20;

/* What cannot fit is refused before hours of work. */
static enum shepard_io_status check_room(const struct shepard_raster_file *file, GDALDataType type,
                                         struct shepard_io_error *error)
{
    const double share = file->part.number > 0 ? 1 / (double)file->part.count : 1;
    const double bytes = share * (double)file->columns * (double)file->rows * (double)file->bands *
                         GDALGetDataTypeSizeBytes(type);
    const GIntBig room = VSIGetDiskFreeSpace(CPLGetDirname(file->stage.path));
    if (room < 0 || bytes <= compression_max * (double)room)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_SIZE, "raster",
                           "the raster \"%.200s\" of %zu x %zu cells holds %.0f GB, and its folder "
                           "has room for %.1f GB; take larger cells (-tr, -outsize)",
                           file->stage.target, file->columns, file->rows, bytes / 1e9,
                           (double)room / 1e9);
}

/* What a run that goes on must have in common with the one before, a line each. */
static char *resume_text(const struct shepard_raster_file *file,
                         const struct shepard_raster_spec *spec)
{
    const struct shepard_raster *raster = &spec->raster;
    char **lines = CSLDuplicate(shepard_list(spec->resume_inputs));
    lines = CSLMerge(lines, shepard_list(spec->metadata));
    lines =
        CSLAddString(lines, CPLSPrintf("raster=%zu x %zu cells of %.17g x %.17g at %.17g, %.17g",
                                       raster->columns, raster->rows, raster->dx, raster->dy,
                                       raster->x0, raster->y0));
    lines = CSLAddString(lines, CPLSPrintf("type=%s", spec->type ? spec->type : "Float64"));
    lines = CSLAddString(lines, CPLSPrintf("coordinate system=%s", spec->srs ? spec->srs : ""));
    for (size_t b = 0; spec->band && b < spec->bands; b++)
        lines = CSLAddString(lines,
                             CPLSPrintf("band=%s, nodata %.17g",
                                        spec->band[b].description ? spec->band[b].description : "",
                                        spec->band[b].nodata));
    for (size_t i = 0; i < spec->height_count; i++)
        lines = CSLAddString(lines, CPLSPrintf("height=%.17g", spec->heights[i]));
    for (char **option = file->options; option && *option; option++)
        lines = CSLAddString(lines, CPLSPrintf("creation option=%s", *option));
    char *text = CPLStrdup("");
    for (char **line = lines; line && *line; line++) {
        char *longer = CPLStrdup(CPLSPrintf("%s%s\n", text, *line));
        CPLFree(text);
        text = longer;
    }
    CSLDestroy(lines);
    return text;
}

/* All of the file except its blocks. */
static enum shepard_io_status make_empty(const struct shepard_raster_file *file,
                                         const struct shepard_raster_spec *spec, GDALDataType type,
                                         struct shepard_gdal_error_scope *trap,
                                         struct shepard_io_error *error)
{
    char **options = CSLDuplicate(file->options);
    options = CSLSetNameValue(options, "SPARSE_OK", "TRUE");
    GDALDatasetH empty = GDALCreate(file->driver, file->stage.path, (int)file->columns,
                                    (int)file->rows, (int)file->bands, type, options);
    CSLDestroy(options);
    const enum shepard_io_status status = empty ? set_header(spec, empty, error) : SHEPARD_IO_OK;
    GDALClose(empty);
    if (status || (empty && !trap->text[0]))
        return status;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "the raster \"%.200s\" of %zu x %zu cells cannot be created%s",
                           spec->path, file->columns, file->rows,
                           shepard_gdal_error_scope_text(trap));
}

static enum shepard_io_status open_kept(struct shepard_raster_file *file,
                                        const struct shepard_raster_spec *spec, GDALDataType type,
                                        struct shepard_gdal_error_scope *trap,
                                        struct shepard_io_error *error)
{
    struct shepard_kept_raster *const kept = &file->kept;
    *kept = (struct shepard_kept_raster){.file = -1,
                                         .journal = {.file = -1},
                                         .driver = file->driver,
                                         .output = spec->whole ? spec->whole : file->stage.target,
                                         .type = type,
                                         .bands = (int)file->bands,
                                         .has_nodata = file->has_nodata,
                                         .nodata = file->nodata,
                                         .options = file->options};
    char *text = resume_text(file, spec);
    enum shepard_io_status status =
        shepard_kept_raster_find(kept, &file->stage, text, &file->resumed, error);
    if (!status && !file->resumed) {
        status = make_empty(file, spec, type, trap, error);
        if (!status)
            status = shepard_kept_raster_begin(kept, &file->stage, text, error);
    }
    CPLFree(text);
    return status;
}

/* Who forgets --resume need not lose what is there. */
static void note_kept(const struct shepard_raster_spec *spec,
                      const struct shepard_io_control *control)
{
    VSIStatBufL info;
    char *folder = shepard_stage_kept_folder(spec->path);
    if (VSIStatL(folder, &info) == 0)
        shepard_io_warn(control,
                        "\"%.300s\" holds what an interrupted run has finished of \"%.300s\": "
                        "--resume goes on with it; if it is of no use, remove it",
                        folder, spec->path);
    CPLFree(folder);
}

static enum shepard_io_status open_file(struct shepard_raster_file *file,
                                        const struct shepard_raster_spec *spec, GDALDataType type,
                                        struct shepard_gdal_error_scope *trap,
                                        struct shepard_io_error *error)
{
    const struct shepard_output_place place = {
        .path = spec->path,
        .direct = shepard_driver_writes_there(file->driver, spec->path, spec->creation_options),
        .extension = shepard_driver_extension(file->driver),
        .zarr = EQUAL(GDALGetDriverShortName(file->driver), "Zarr"),
        .kept = file->resumable,
        .guard = spec->guard,
        .control = trap->control,
    };
    enum shepard_io_status status = shepard_stage_make(&file->stage, &place, error);
    if (!status)
        status = check_room(file, type, error);
    if (status)
        return status;
    if (file->resumable)
        return open_kept(file, spec, type, trap, error);
    if (file->stage.folder.path && !file->stage.to_stdout)
        note_kept(spec, trap->control);
    if (shepard_cf_file_serves(file->driver, spec->creation_options))
        file->cf = shepard_cf_file_create(spec, file->driver, file->stage.path, type);
    else
        file->dataset = create_dataset(file, type);
    if (!file->dataset && !file->cf)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                               "the raster \"%.200s\" of %zu x %zu cells cannot be created%s",
                               spec->path, file->columns, file->rows,
                               shepard_gdal_error_scope_text(trap));
    return file->dataset ? set_header(spec, file->dataset, error) : SHEPARD_IO_OK;
}

static enum shepard_io_status check(const struct shepard_raster_spec *spec, GDALDataType type,
                                    GDALDriverH *driver, struct shepard_gdal_error_scope *trap,
                                    struct shepard_io_error *error)
{
    const struct shepard_driver_choice choice = {.path = spec->path, .format = spec->format};
    enum shepard_io_status status = check_size(spec, type, error);
    if (!status)
        status = shepard_find_driver(&choice, driver, error);
    if (!status)
        status = check_type(*driver, type, error);
    if (!status)
        status = shepard_check_creation_options(*driver, spec->creation_options, error);
    if (!status)
        status =
            shepard_part_check(&spec->part, spec->path, *driver, spec->creation_options, error);
    if (!status && spec->resume_inputs)
        status = shepard_kept_raster_check(spec->path, *driver, error);
    if (!status && is_copied(*driver))
        status = probe_copy(spec, *driver, type, trap, error);
    return status;
}

static enum shepard_io_status make_file(const struct shepard_raster_spec *spec,
                                        struct shepard_raster_file **made,
                                        struct shepard_gdal_error_scope *trap,
                                        struct shepard_io_error *error)
{
    const GDALDataType type = shepard_type_by_name(spec->type);
    if (type == GDT_Unknown)
        return shepard_fail_type(spec->type, error);
    GDALDriverH driver;
    enum shepard_io_status status = check(spec, type, &driver, trap, error);
    if (status)
        return status;
    struct shepard_raster_file *file = VSICalloc(1, sizeof *file);
    if (!file)
        return shepard_io_fail_memory(error);
    file->driver = driver;
    file->copied = is_copied(driver);
    file->options = shepard_part_creation_options(
        &spec->part, shepard_creation_options(driver, type, spec->creation_options));
    file->columns = spec->raster.columns;
    file->rows = spec->raster.rows;
    file->bands = spec->bands;
    file->part = spec->part;
    file->resumable = spec->resume_inputs != NULL;
    file->has_nodata = spec->band && spec->band[0].has_nodata;
    file->nodata = file->has_nodata ? spec->band[0].nodata : 0;
    status = open_file(file, spec, type, trap, error);
    if (status)
        shepard_raster_file_abandon(file);
    else
        *made = file;
    return status;
}

enum shepard_io_status shepard_raster_file_create(const struct shepard_raster_spec *spec,
                                                  struct shepard_raster_file **file,
                                                  const struct shepard_io_control *control,
                                                  struct shepard_io_error *error)
{
    if (!spec || !spec->path || !spec->path[0] || !file)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "no output given: name the raster to be written");
    struct shepard_gdal_error_scope trap;
    shepard_gdal_begin_threads();
    shepard_gdal_error_scope_begin(&trap, control);
    const enum shepard_io_status status = make_file(spec, file, &trap, error);
    return shepard_gdal_error_scope_end(&trap, status);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool inside(const struct shepard_raster_file *file, const struct shepard_window *window)
{
    return window->columns > 0 && window->rows > 0 && window->column < file->columns &&
           window->row < file->rows && window->columns <= file->columns - window->column &&
           window->rows <= file->rows - window->row;
}

void shepard_raster_file_block(const struct shepard_raster_file *file, size_t *columns,
                               size_t *rows)
{
    int width = (int)file->columns, height = 1;
    if (file->resumable) {
        width = (int)file->kept.layout.block_columns;
        height = (int)file->kept.layout.block_rows;
    } else if (file->dataset)
        GDALGetBlockSize(GDALGetRasterBand(file->dataset, 1), &width, &height);
    else {
        shepard_cf_file_block(file->cf, &width, &height);
    }
    *columns = (size_t)width;
    *rows = (size_t)height;
}

size_t shepard_raster_file_windows(const struct shepard_raster_file *file,
                                   struct shepard_window windows[SHEPARD_PART_WINDOWS])
{
    struct shepard_block_layout layout = {.columns = file->columns, .rows = file->rows};
    shepard_raster_file_block(file, &layout.block_columns, &layout.block_rows);
    if (file->resumable && file->kept.moved)
        return 0;
    size_t first, end;
    shepard_part_blocks(&file->part, &layout, &first, &end);
    if (file->resumable)
        first = shepard_kept_raster_next(&file->kept, first);
    return shepard_part_windows(&file->part, &layout, first, windows);
}

static void note_nodata(struct shepard_raster_file *file, const double *values, size_t count)
{
    for (size_t i = 0; file->has_nodata && !file->wrote_nodata && i < count; i++)
        file->wrote_nodata = values[i] == file->nodata;
}

/* What cannot be done: "written". A full disk is the reason that some formats do not give. */
static enum shepard_io_status fail_write(const struct shepard_raster_file *file, const char *what,
                                         struct shepard_gdal_error_scope *trap,
                                         struct shepard_io_error *error)
{
    const enum shepard_io_status status = shepard_stage_check_space(&file->stage, error);
    return status ? status
                  : shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                                    "the raster \"%.200s\" cannot be %s%s", file->stage.target,
                                    what, shepard_gdal_error_scope_text(trap));
}

static bool write_band(GDALDatasetH dataset, size_t b, const struct shepard_window *window,
                       const double *values)
{
    /* GF_Write only reads the buffer, which has no const in GDAL's signature. */
    void *buffer = (void *)(uintptr_t)values;
    return GDALRasterIO(GDALGetRasterBand(dataset, (int)b + 1), GF_Write, (int)window->column,
                        (int)window->row, (int)window->columns, (int)window->rows, buffer,
                        (int)window->columns, (int)window->rows, GDT_Float64, 0, 0) == CE_None;
}

enum shepard_io_status shepard_raster_file_write(struct shepard_raster_file *file, size_t b,
                                                 const struct shepard_window *window,
                                                 const double *values,
                                                 const struct shepard_io_control *control,
                                                 struct shepard_io_error *error)
{
    if (!file || b >= file->bands || !values || !window || !inside(file, window))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "window",
                               "the band or the window does not lie inside the raster");
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    enum shepard_io_status status = SHEPARD_IO_OK;
    note_nodata(file, values, window->columns * window->rows);
    const bool good = file->cf          ? shepard_cf_file_write(file->cf, b, window, values)
                      : file->resumable ? shepard_kept_raster_write(&file->kept, b, window, values)
                                        : write_band(file->dataset, b, window, values);
    if (!good)
        status = fail_write(file, "written", &trap, error);
    return shepard_gdal_error_scope_end(&trap, status);
}

enum shepard_io_status shepard_raster_file_keep(struct shepard_raster_file *file, const void *state,
                                                size_t size,
                                                const struct shepard_io_control *control,
                                                struct shepard_io_error *error)
{
    if (!file->resumable)
        return SHEPARD_IO_OK;
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    const int reason = shepard_kept_raster_keep(&file->kept, state, size);
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (reason > 0)
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                                 "the raster \"%.200s\" cannot be written: %s", file->stage.target,
                                 strerror(reason));
    else if (reason < 0)
        status = fail_write(file, "written", &trap, error);
    return shepard_gdal_error_scope_end(&trap, status);
}

bool shepard_raster_file_resumed(const struct shepard_raster_file *file, void *state, size_t size,
                                 size_t *blocks, size_t *all)
{
    size_t first, end;
    if (!file->resumable || !file->resumed)
        return false;
    if (file->kept.state && file->kept.state_size == size)
        memcpy(state, file->kept.state, size);
    if (!file->kept.moved) {
        shepard_part_blocks(&file->part, &file->kept.layout, &first, &end);
        *blocks = shepard_kept_raster_next(&file->kept, first) - first;
        *all = end - first;
    }
    return true;
}

const bool *shepard_raster_file_finished(const struct shepard_raster_file *file, size_t *blocks)
{
    *blocks = file->resumable && file->kept.finished ? file->kept.in_plane : 0;
    return *blocks > 0 ? file->kept.finished : NULL;
}

/* ---- Ending ---------------------------------------------------------------------------------- */

static bool copy_output(struct shepard_raster_file *file, struct shepard_gdal_progress *progress)
{
    GDALDatasetH copy = GDALCreateCopy(file->driver, file->stage.path, file->dataset, FALSE,
                                       file->options, shepard_gdal_progress, progress);
    GDALClose(copy);
    return copy != NULL;
}

/* All that is missing of a file that is kept; moves: it will be put in its place. */
static bool finish_kept(struct shepard_kept_raster *kept, bool moves)
{
    return kept->moved ||
           (shepard_kept_raster_finish(kept) && (!moves || shepard_kept_raster_sign(kept)));
}

/* GDAL reports what goes wrong while it flushes only through its error handler. */
static enum shepard_io_status flush(struct shepard_raster_file *file, bool moves,
                                    const struct shepard_io_control *control,
                                    struct shepard_gdal_error_scope *trap,
                                    struct shepard_io_error *error)
{
    struct shepard_gdal_progress progress = {control, false};
    const bool copied = file->resumable ? finish_kept(&file->kept, moves)
                                        : !file->copied || copy_output(file, &progress);
    close_dataset(file);
    if (progress.cancelled)
        return shepard_io_fail_cancelled(error);
    if (copied && !trap->text[0])
        return SHEPARD_IO_OK;
    return fail_write(file, "finished", trap, error);
}

/* Formats such as XYZ have no nodata value, others a fixed one: a reader of the file then takes
 * nodata for a prediction. */
static void check_nodata(const struct shepard_raster_file *file,
                         const struct shepard_io_control *control)
{
    if (!file->wrote_nodata ||
        shepard_cf_file_serves(file->driver, (const char *const *)file->options))
        return;
    GDALDatasetH made = GDALOpenEx(file->stage.path, GDAL_OF_RASTER, NULL, NULL, NULL);
    int has = FALSE;
    const double kept =
        made ? GDALGetRasterNoDataValue(GDALGetRasterBand(made, 1), &has) : file->nodata;
    if (made && !(has && (float)kept == (float)file->nodata))
        shepard_io_warn(control,
                        "the format %s does not keep %.17g as the nodata value: cells without a "
                        "prediction hold it like any other value",
                        GDALGetDriverShortName(file->driver), file->nodata);
    GDALClose(made);
}

enum shepard_io_status shepard_raster_file_commit(struct shepard_raster_file *file,
                                                  const struct shepard_io_control *control,
                                                  struct shepard_io_error *error)
{
    if (!file)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "file", "file must not be NULL");
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    const bool moved = file->resumable && file->kept.moved;
    enum shepard_io_status status = flush(file, true, control, &trap, error);
    if (moved) {
        file->stage.kept = false;
        shepard_stage_abandon(&file->stage);
    } else if (!status) {
        check_nodata(file, control);
        status = shepard_stage_commit(&file->stage, error);
        shepard_gdal_error_scope_clear(&trap);
    }
    if (status)
        shepard_stage_abandon(&file->stage);
    release(file);
    return shepard_gdal_error_scope_end(&trap, status);
}

enum shepard_io_status shepard_raster_file_leave(struct shepard_raster_file *file,
                                                 const struct shepard_io_control *control,
                                                 struct shepard_io_error *error)
{
    if (!file || !file->resumable)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "file",
                               "file must be one with resume_inputs");
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    const enum shepard_io_status status = flush(file, false, control, &trap, error);
    shepard_stage_abandon(&file->stage);
    release(file);
    return shepard_gdal_error_scope_end(&trap, status);
}

char *shepard_raster_file_kept_path(const char *path)
{
    char *folder = shepard_stage_kept_folder(path);
    char *kept = CPLStrdup(CPLFormFilename(folder, CPLGetFilename(path), NULL));
    CPLFree(folder);
    return kept;
}

void shepard_raster_file_abandon(struct shepard_raster_file *file)
{
    if (!file)
        return;
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    close_dataset(file);
    shepard_stage_abandon(&file->stage);
    release(file);
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_OK);
}
