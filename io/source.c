/* SPDX-License-Identifier: MIT */
#include "source.h"

#include "file_end.h"
#include "output_driver.h"
#include "replaced_file.h"
#include "string_list.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <ctype.h>
#include <errno.h>
#include <ogr_api.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdin(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0 ||
           strncmp(path, "/vsistdin", 9) == 0;
}

GDALDatasetH shepard_open_vector(const char *path, const char *const *open_options)
{
    return GDALOpenEx(path, GDAL_OF_VECTOR | GDAL_OF_READONLY, NULL, open_options, NULL);
}

/* ---- Standard input and FIFOs ---------------------------------------------------------------- */

bool shepard_is_stream(const char *path)
{
    struct stat info;
    return is_stdin(path) || (stat(path, &info) == 0 && S_ISFIFO(info.st_mode));
}

static enum shepard_io_status copy_stream(FILE *from, const char *name, VSILFILE *to,
                                          struct shepard_io_error *error)
{
    enum { CHUNK = 1 << 20 };
    char *chunk = VSIMalloc(CHUNK);
    bool good = chunk != NULL;
    size_t n = 0;
    errno = 0;
    while (good && (n = fread(chunk, 1, CHUNK, from)) > 0)
        good = VSIFWriteL(chunk, 1, n, to) == n;
    const int reason = errno;
    VSIFree(chunk);
    if (!good)
        return shepard_io_fail_memory(error);
    return ferror(from) ? shepard_io_fail(error, SHEPARD_IO_ERROR_READ, "path",
                                          "%.300s cannot be read (%s)", name, strerror(reason))
                        : SHEPARD_IO_OK;
}

static enum shepard_io_status keep(FILE *from, const char *name, const char *memory,
                                   struct shepard_io_error *error)
{
    VSILFILE *to = VSIFOpenL(memory, "wb");
    if (!to)
        return shepard_io_fail_memory(error);
    const enum shepard_io_status status = copy_stream(from, name, to, error);
    const vsi_l_offset size = VSIFTellL(to);
    VSIFCloseL(to);
    if (status || size > 0)
        return status;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path",
                           "%.300s is empty: pipe a file with points into it", name);
}

/* A copy in memory: every format then works, seeking and reading twice included. */
static enum shepard_io_status keep_stream(struct shepard_source *source, const char *path,
                                          struct shepard_io_error *error)
{
    FILE *from = is_stdin(path) ? stdin : fopen(path, "rb");
    const char *name = is_stdin(path) ? "standard input" : path;
    if (!from)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path", "%.300s cannot be read (%s)",
                               name, strerror(errno));
    char *memory = CPLStrdup(CPLSPrintf("%s/stdin", source->folder));
    const enum shepard_io_status status = keep(from, name, memory, error);
    if (from != stdin)
        fclose(from);
    CPLFree(source->open_path);
    source->open_path = memory;
    return status;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static bool looks_like_text(const char *path)
{
    VSIStatBufL stat;
    if (VSIStatL(path, &stat) != 0 || VSI_ISDIR(stat.st_mode))
        return false;
    char start[1024];
    const size_t n = shepard_read_start(path, start, sizeof start);
    bool text = n > 0;
    for (size_t i = 0; i < n && text; i++)
        text = (unsigned char)start[i] >= ' ' || isspace((unsigned char)start[i]);
    return text && start[0] != '<' && start[0] != '{';
}

/* limit: how many bytes the types are guessed from, 0: all; NULL: OGR's first part. */
static GDALDatasetH open_typed(const struct shepard_source *source, const char *types,
                               const char *limit)
{
    char **options = CSLDuplicate(source->open_options);
    options = CSLSetNameValue(options, "AUTODETECT_TYPE", types);
    if (source->start.aligned && !CSLFetchNameValue(options, "MERGE_SEPARATOR"))
        options = CSLSetNameValue(options, "MERGE_SEPARATOR", "YES");
    if (limit && !CSLFetchNameValue(options, "AUTODETECT_SIZE_LIMIT"))
        options = CSLSetNameValue(options, "AUTODETECT_SIZE_LIMIT", limit);
    GDALDatasetH dataset = shepard_open_vector(source->open_path, (const char *const *)options);
    CSLDestroy(options);
    return dataset;
}

/* The CSV file itself. */
static const char *csv_file(const struct shepard_source *source)
{
    return source->open_path + (EQUALN(source->open_path, "CSV:", 4) ? 4 : 0);
}

static bool has_schema_file(const struct shepard_source *source)
{
    VSIStatBufL stat;
    return VSIStatL(CPLResetExtension(csv_file(source), "csvt"), &stat) == 0;
}

/* Decimal commas between commas: OGR drops what is longer than the header. */
static enum shepard_io_status check_columns(const struct shepard_source *source,
                                            struct shepard_io_error *error)
{
    const struct shepard_csv_start *start = &source->start;
    if (start->separator != ',' || start->values <= start->columns)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path",
                           "the first line of \"%.300s\" has %zu columns and the second line %zu "
                           "values: where commas are decimal signs, put the numbers in quotes or "
                           "separate the columns with semicolons",
                           source->path, start->columns, start->values);
}

/* Has OGR read the file with the header that it needs. Where it cannot be opened so, what is open
 * stays. */
static void apply_start(struct shepard_source *source)
{
    const char *headers = CSLFetchNameValue(source->open_options, "HEADERS");
    if ((headers && !EQUAL(headers, "AUTO")) || has_schema_file(source))
        return;
    if (source->start.names_numbers)
        source->open_options = CSLSetNameValue(source->open_options, "HEADERS", "YES");
    char *view = source->start.header
                     ? shepard_csv_start_apply(&source->start, csv_file(source), source->folder)
                     : NULL;
    if (view) {
        source->file = source->open_path;
        source->open_path = CPLStrdup(CPLSPrintf("CSV:%s", view));
    }
    CPLFree(view);
    GDALDatasetH again = NULL;
    if (source->file || source->start.names_numbers)
        again = shepard_open_vector(source->open_path, (const char *const *)source->open_options);
    if (!again)
        return;
    GDALClose(source->dataset);
    source->dataset = again;
}

static void detect_types(struct shepard_source *source)
{
    if (CSLFetchNameValue(source->open_options, "AUTODETECT_TYPE"))
        return;
    GDALDatasetH typed = open_typed(source, "YES", NULL);
    if (!typed)
        return;
    GDALClose(source->dataset);
    source->dataset = typed;
    source->guessed = true;
}

/* Opens a text that OGR did not take for CSV, by its name or because its first line has one column
 * only, as a comment may. Either way the file gets the header and the types that it needs. */
static void open_csv(struct shepard_source *source, struct shepard_gdal_error_scope *trap)
{
    const char *const *options = (const char *const *)source->open_options;
    if (!source->dataset) {
        char *path = CPLStrdup(CPLSPrintf("CSV:%s", csv_file(source)));
        CPLFree(source->open_path);
        source->open_path = path;
        shepard_gdal_error_scope_clear(trap);
        source->dataset = shepard_open_vector(path, options);
    }
    shepard_csv_start_read(&source->start, csv_file(source));
    apply_start(source);
    if (source->dataset)
        detect_types(source);
}

void shepard_source_detect_all(struct shepard_source *source)
{
    if (!source->guessed || source->guessed_from_all || has_schema_file(source))
        return;
    GDALDatasetH typed = open_typed(source, "YES", "0");
    if (!typed)
        return;
    GDALClose(source->dataset);
    source->dataset = typed;
    source->guessed_from_all = true;
}

GDALDatasetH shepard_source_as_text(struct shepard_source *source)
{
    if (source->guessed && !source->text && !has_schema_file(source))
        source->text = open_typed(source, "NO", NULL);
    return source->text;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static void append_similar_file(const char *path, char *text, size_t size)
{
    char *folder = CPLStrdup(CPLGetPath(path));
    char **names = VSIReadDir(folder[0] ? folder : ".");
    const char *nearest = shepard_nearest_name(CPLGetFilename(path), (const char *const *)names,
                                               (size_t)CSLCount(names));
    if (nearest)
        shepard_text_append(text, size, "; did you mean \"%s\"?",
                            CPLFormFilename(folder, nearest, NULL));
    CSLDestroy(names);
    CPLFree(folder);
}

enum shepard_io_status shepard_source_fail_read(const struct shepard_source *source,
                                                size_t features,
                                                struct shepard_gdal_error_scope *trap,
                                                struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_READ, "path",
                           "reading \"%.200s\" failed after %zu features%s; if it is a file, it "
                           "may be damaged or cut off: take a whole copy",
                           source->path, features, shepard_gdal_error_scope_text(trap));
}

enum shepard_io_status shepard_fail_open(const char *path, const char *argument,
                                         struct shepard_gdal_error_scope *trap,
                                         struct shepard_io_error *error)
{
    char more[500] = "";
    VSIStatBufL stat;
    if (shepard_is_stream(path))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, argument,
                               "the input from \"%.300s\" cannot be read as vector data%s; give "
                               "one of the formats that --formats lists with -vector-, or CSV",
                               path, shepard_gdal_error_scope_text(trap));
    const char *broken = shepard_broken_link(path);
    if (broken)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, argument,
                               "\"%.300s\" cannot be read: it is %s", path, broken);
    if (VSIStatL(path, &stat) != 0 && !strchr(path, ':')) {
        append_similar_file(path, more, sizeof more);
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, argument, "no such file: \"%.300s\"%s",
                               path, more);
    }
    if (VSIStatL(path, &stat) == 0 && VSI_ISREG(stat.st_mode) && stat.st_size == 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, argument, "\"%.300s\" is empty", path);
    if (VSIStatL(path, &stat) == 0 && strncmp(path, "/vsi", 4) != 0 && access(path, R_OK) != 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, argument,
                               "cannot read \"%.300s\" (%s)", path, strerror(errno));
    const char *said = shepard_gdal_error_scope_text(trap);
    GDALDriverH raster = GDALIdentifyDriverEx(path, GDAL_OF_RASTER, NULL, NULL);
    /* A GeoPackage that cannot be read is damaged, not a raster, and PG: means tables first. */
    if (raster && !shepard_driver_can(raster, GDAL_DCAP_VECTOR) &&
        !EQUAL(GDALGetDriverShortName(raster), "PostGISRaster"))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, argument,
                               "\"%.300s\" is a raster (%s), not a file of points", path,
                               GDALGetDriverShortName(raster));
    GDALDriverH vector = GDALIdentifyDriverEx(path, GDAL_OF_VECTOR, NULL, NULL);
    if (vector && said[0])
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, argument,
                               "\"%.300s\" (%s) cannot be opened%s: it may be damaged or cut off; "
                               "take a whole copy",
                               path, GDALGetDriverShortName(vector), said);
    if (VSIStatL(path, &stat) == 0 && VSI_ISDIR(stat.st_mode))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, argument,
                               "\"%.300s\" is a folder without vector data; name a file in it",
                               path);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, argument,
                           "\"%.300s\" cannot be read as vector data%s; give a file in one of the "
                           "formats that --formats lists with -vector-, or a CSV file",
                           path, said);
}

static enum shepard_io_status open_las(struct shepard_source *source, const char *const *more,
                                       const struct shepard_io_control *control,
                                       struct shepard_io_error *error)
{
    char **paths = CSLAddString(NULL, source->open_path);
    paths = CSLInsertStrings(paths, -1, shepard_list(more));
    const enum shepard_io_status status =
        shepard_las_set_open((const char *const *)paths, &source->las, control, error);
    CSLDestroy(paths);
    return status;
}

static enum shepard_io_status open_dataset(struct shepard_source *source,
                                           struct shepard_gdal_error_scope *trap,
                                           struct shepard_io_error *error)
{
    const char *const *options = (const char *const *)source->open_options;
    source->dataset = shepard_open_vector(source->open_path, options);
    if (source->dataset ? EQUAL(shepard_source_format(source), "CSV")
                        : looks_like_text(csv_file(source)))
        open_csv(source, trap);
    if (!source->dataset)
        return shepard_fail_open(source->path, "path", trap, error);
    if (GDALDatasetGetLayerCount(source->dataset) == 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path",
                               "\"%.300s\" (%s) has no layer with points", source->path,
                               shepard_source_format(source));
    const enum shepard_io_status status = check_columns(source, error);
    return status ? status : shepard_check_last_feature(source->dataset, source->path, error);
}

static struct shepard_source *new_source(const struct shepard_source_options *options)
{
    struct shepard_source *source = VSICalloc(1, sizeof *source);
    if (!source)
        return NULL;
    source->path = CPLStrdup(options->path);
    source->open_path = CPLStrdup(options->path);
    source->folder = CPLStrdup(CPLSPrintf("/vsimem/shepard-%p", (void *)source));
    source->open_options = CSLDuplicate(shepard_list(options->open_options));
    return source;
}

enum shepard_io_status shepard_source_open(const struct shepard_source_options *options,
                                           struct shepard_source **source,
                                           const struct shepard_io_control *control,
                                           struct shepard_io_error *error)
{
    if (!options || !options->path || !options->path[0] || !source)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "no source given: name a file with points");
    struct shepard_source *opened = new_source(options);
    if (!opened)
        return shepard_io_fail_memory(error);
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    enum shepard_io_status status = SHEPARD_IO_OK;
    const bool csv = EQUALN(options->path, "CSV:", 4);
    const char *path = options->path + (csv ? 4 : 0);
    if (shepard_is_stream(path))
        status = keep_stream(opened, path, error);
    const bool several = options->more && options->more[0];
    if (!status && (several || shepard_las_set_names(opened->open_path)))
        status = open_las(opened, options->more, control, error);
    else if (!status)
        status = open_dataset(opened, &trap, error);
    if (!status && EQUAL(shepard_source_format(opened), "CSV"))
        shepard_warn_open_line(path, control);
    if (status)
        shepard_source_close(opened);
    else
        *source = opened;
    return shepard_gdal_error_scope_end(&trap, status);
}

void shepard_source_close(struct shepard_source *source)
{
    if (!source)
        return;
    shepard_las_set_close(source->las);
    GDALClose(source->text);
    GDALClose(source->dataset);
    VSIRmdirRecursive(source->folder);
    CPLFree(source->start.header);
    CPLFree(source->folder);
    CPLFree(source->file);
    CPLFree(source->path);
    CPLFree(source->open_path);
    CSLDestroy(source->open_options);
    VSIFree(source);
}

const char *shepard_source_format(const struct shepard_source *source)
{
    return source->las ? "LAS" : GDALGetDriverShortName(GDALGetDatasetDriver(source->dataset));
}

size_t shepard_source_layer_count(const struct shepard_source *source)
{
    return source->las ? 1 : (size_t)GDALDatasetGetLayerCount(source->dataset);
}

const char *shepard_source_layer_name(const struct shepard_source *source, size_t i)
{
    if (i >= shepard_source_layer_count(source))
        return NULL;
    if (source->las)
        return source->las->name;
    return OGR_L_GetName(GDALDatasetGetLayer(source->dataset, (int)i));
}
