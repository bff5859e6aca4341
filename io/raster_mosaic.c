/* SPDX-License-Identifier: MIT */
/* Parts of a raster put together: their blocks copied as they are, or named in a VRT. */
#include "gdal_threads.h"
#include "io_error.h"
#include "mosaic_blocks.h"
#include "mosaic_vrt.h"
#include "output_driver.h"
#include "output_stage.h"
#include "string_list.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <stdio.h>
#include <string.h>

/* One mosaic being made. */
struct raster_mosaic {
    const struct shepard_mosaic_spec *spec;
    GDALDriverH driver;
    struct shepard_mosaic_blocks blocks;
    struct shepard_output_stage stage;
    struct shepard_gdal_error_scope *trap;
    struct shepard_io_error *error;
};

static const char *format_of(const struct raster_mosaic *mosaic)
{
    return GDALGetDriverShortName(mosaic->driver);
}

static enum shepard_io_status fail_write(const struct raster_mosaic *mosaic)
{
    const enum shepard_io_status status = shepard_stage_check_space(&mosaic->stage, mosaic->error);
    return status
               ? status
               : shepard_io_fail(mosaic->error, SHEPARD_IO_ERROR_WRITE, "path",
                                 "the mosaic \"%.200s\" cannot be written%s", mosaic->stage.target,
                                 shepard_gdal_error_scope_text(mosaic->trap));
}

/* ---- GeoTIFF: blocks as they are ------------------------------------------------------------- */

/* Blocks on their way into the file. */
struct block_copy {
    struct raster_mosaic *mosaic;
    struct shepard_tiff_file to;
    uint64_t *offsets, *sizes;           /* in the mosaic, [blocks] each */
    uint64_t *from_offsets, *from_sizes; /* in the source at hand */
    uint64_t end;                        /* of the file */
    unsigned char *block;
    size_t capacity;
    uint64_t copied; /* bytes */
};

/* A classic TIFF ends at 4 GiB; the tags take less than 32 bytes a block. */
static bool is_big(const struct shepard_mosaic_blocks *blocks)
{
    const double bytes = (double)blocks->bytes + 32.0 * (double)blocks->first.tiff.blocks + 1e6;
    return bytes > 4294967295.0;
}

/* A file without blocks, by GDAL: all of the mosaic except its blocks. */
static enum shepard_io_status make_empty(struct raster_mosaic *mosaic)
{
    const struct shepard_mosaic_source *first = &mosaic->blocks.first;
    char **options = shepard_mosaic_source_options(first);
    options = CSLSetNameValue(options, "BIGTIFF", is_big(&mosaic->blocks) ? "YES" : "IF_SAFER");
    GDALDatasetH empty =
        GDALCreate(mosaic->driver, mosaic->stage.path, (int)first->tiff.layout.columns,
                   (int)first->tiff.layout.rows, GDALGetRasterCount(first->dataset),
                   GDALGetRasterDataType(GDALGetRasterBand(first->dataset, 1)), options);
    CSLDestroy(options);
    if (empty)
        shepard_mosaic_source_copy_header(first, empty);
    GDALClose(empty);
    return empty && !mosaic->trap->text[0] ? SHEPARD_IO_OK : fail_write(mosaic);
}

static bool copy_block(struct block_copy *copy, VSILFILE *from, size_t i)
{
    const size_t size = (size_t)copy->from_sizes[i];
    if (size > copy->capacity) {
        unsigned char *larger = VSIRealloc(copy->block, size);
        if (!larger)
            return false;
        copy->block = larger;
        copy->capacity = size;
    }
    if (VSIFSeekL(from, copy->from_offsets[i], SEEK_SET) != 0 ||
        VSIFReadL(copy->block, 1, size, from) != size ||
        VSIFWriteL(copy->block, 1, size, copy->to.file) != size)
        return false;
    copy->offsets[i] = copy->end;
    copy->sizes[i] = size;
    copy->end += size;
    copy->copied += size;
    return true;
}

/* All blocks of a source, in their order. The file's own lists say where they are: those that were
 * seen before, unless someone writes into the file meanwhile. */
static enum shepard_io_status copy_source(struct block_copy *copy, size_t index)
{
    struct raster_mosaic *const mosaic = copy->mosaic;
    const struct shepard_mosaic_blocks *const blocks = &mosaic->blocks;
    const struct shepard_io_control *const control = mosaic->trap->control;
    struct shepard_tiff_file from = {0};
    enum shepard_io_status status = SHEPARD_IO_OK;
    bool good = shepard_tiff_open(&from, blocks->paths[index], "rb") &&
                from.blocks == blocks->first.tiff.blocks &&
                shepard_tiff_read_blocks(&from, copy->from_offsets, copy->from_sizes);
    for (size_t i = 0; good && !status && i < from.blocks; i++) {
        if (blocks->owner[i] != index + 1)
            continue;
        good = copy_block(copy, from.file, i);
        if (!shepard_io_progress(control, (double)copy->copied / (double)blocks->bytes))
            status = shepard_io_fail_cancelled(mosaic->error);
    }
    shepard_tiff_close(&from);
    if (!good && !status) {
        status = shepard_stage_check_space(&mosaic->stage, mosaic->error);
        if (!status)
            status = shepard_io_fail(mosaic->error, SHEPARD_IO_ERROR_READ, "sources",
                                     "the blocks of \"%.300s\" cannot be copied into \"%.300s\"",
                                     blocks->paths[index], mosaic->stage.target);
    }
    return status;
}

static enum shepard_io_status open_copy(struct block_copy *copy)
{
    struct raster_mosaic *const mosaic = copy->mosaic;
    const struct shepard_mosaic_source *const first = &mosaic->blocks.first;
    const size_t count = first->tiff.blocks;
    if (!shepard_tiff_open(&copy->to, mosaic->stage.path, "r+b") || copy->to.blocks != count)
        return fail_write(mosaic);
    const char *differs = shepard_tiff_difference(&copy->to, &first->tiff);
    if (differs)
        return shepard_io_fail(mosaic->error, SHEPARD_IO_ERROR_FORMAT, "sources",
                               "the blocks of \"%.300s\" cannot be copied as they are: GDAL writes "
                               "another %s; make a .vrt, and use gdal_translate",
                               first->path, differs);
    copy->offsets = VSICalloc(count, sizeof *copy->offsets);
    copy->sizes = VSICalloc(count, sizeof *copy->sizes);
    copy->from_offsets = VSIMalloc2(count, sizeof *copy->from_offsets);
    copy->from_sizes = VSIMalloc2(count, sizeof *copy->from_sizes);
    if (!copy->offsets || !copy->sizes || !copy->from_offsets || !copy->from_sizes)
        return shepard_io_fail_memory(mosaic->error);
    if (VSIFSeekL(copy->to.file, 0, SEEK_END) != 0)
        return fail_write(mosaic);
    copy->end = VSIFTellL(copy->to.file);
    return SHEPARD_IO_OK;
}

static enum shepard_io_status copy_blocks(struct raster_mosaic *mosaic)
{
    struct block_copy copy = {.mosaic = mosaic};
    enum shepard_io_status status = open_copy(&copy);
    for (size_t i = 0; !status && i < mosaic->blocks.sources; i++)
        status = copy_source(&copy, i);
    const bool good = status || shepard_tiff_write_blocks(&copy.to, copy.offsets, copy.sizes);
    if ((!shepard_tiff_close(&copy.to) || !good) && !status)
        status = fail_write(mosaic);
    VSIFree(copy.offsets);
    VSIFree(copy.sizes);
    VSIFree(copy.from_offsets);
    VSIFree(copy.from_sizes);
    VSIFree(copy.block);
    return status;
}

/* ---- VRT, and what GDAL codes from it -------------------------------------------------------- */

static enum shepard_io_status write_vrt(struct raster_mosaic *mosaic)
{
    char *text = shepard_mosaic_vrt(&mosaic->blocks, mosaic->stage.target);
    VSILFILE *file = text ? VSIFOpenL(mosaic->stage.path, "wb") : NULL;
    const size_t length = text ? strlen(text) : 0;
    bool good = file && VSIFWriteL(text, 1, length, file) == length;
    good = (!file || VSIFCloseL(file) == 0) && good;
    CPLFree(text);
    return good ? SHEPARD_IO_OK : fail_write(mosaic);
}

/* Those of the user, and for the rest the sources' compression. */
static char **cog_options(const struct raster_mosaic *mosaic)
{
    const struct shepard_mosaic_source *first = &mosaic->blocks.first;
    char **options = CSLDuplicate(shepard_list(mosaic->spec->creation_options));
    const char *compression = GDALGetMetadataItem(first->dataset, "COMPRESSION", "IMAGE_STRUCTURE");
    const bool own = CSLFetchNameValue(options, "COMPRESS") != NULL;
    if (!own && compression)
        options = CSLSetNameValue(options, "COMPRESS", compression);
    if (!own && shepard_tiff_number(&first->tiff, SHEPARD_TIFF_PREDICTOR) > 1)
        options = shepard_list_default(options, "PREDICTOR", "YES");
    return shepard_list_default(options, "BIGTIFF", "IF_SAFER");
}

static enum shepard_io_status write_cog(struct raster_mosaic *mosaic)
{
    struct shepard_gdal_progress progress = {mosaic->trap->control, false};
    char *text = shepard_mosaic_vrt(&mosaic->blocks, NULL);
    char **options = cog_options(mosaic);
    GDALDatasetH from = text ? GDALOpen(text, GA_ReadOnly) : NULL;
    GDALDatasetH cog = from ? GDALCreateCopy(mosaic->driver, mosaic->stage.path, from, FALSE,
                                             options, shepard_gdal_progress, &progress)
                            : NULL;
    const bool made = cog != NULL;
    GDALClose(cog);
    shepard_gdal_report_thread_errors();
    GDALClose(from);
    CSLDestroy(options);
    CPLFree(text);
    if (progress.cancelled)
        return shepard_io_fail_cancelled(mosaic->error);
    return made && !mosaic->trap->text[0] ? SHEPARD_IO_OK : fail_write(mosaic);
}

/* ---- The mosaic ------------------------------------------------------------------------------ */

static enum shepard_io_status check_format(const struct raster_mosaic *mosaic)
{
    const char *const format = format_of(mosaic);
    const bool cog = EQUAL(format, "COG");
    if (!cog && !EQUAL(format, "GTiff") && !EQUAL(format, "VRT"))
        return shepard_io_fail(mosaic->error, SHEPARD_IO_ERROR_FORMAT, "format",
                               "a mosaic is a GTiff, a VRT or a COG, not %s; make a .vrt, and use "
                               "gdal_translate",
                               format);
    if (!cog && mosaic->spec->creation_options && mosaic->spec->creation_options[0])
        return shepard_io_fail(
            mosaic->error, SHEPARD_IO_ERROR_FORMAT, "creation_options",
            "only a COG takes creation options: the blocks of a %s stay those of "
            "the sources; leave them out",
            format);
    return shepard_check_creation_options(mosaic->driver, mosaic->spec->creation_options,
                                          mosaic->error);
}

static enum shepard_io_status check_sources(struct raster_mosaic *mosaic)
{
    const struct shepard_mosaic_spec *spec = mosaic->spec;
    if (spec->count == 0 || spec->count >= UINT32_MAX)
        return shepard_io_fail(mosaic->error, SHEPARD_IO_ERROR_ARGUMENT, "sources",
                               "a mosaic needs one source at least");
    const struct shepard_driver_choice choice = {.path = spec->path, .format = spec->format};
    const enum shepard_io_status status =
        shepard_find_driver(&choice, &mosaic->driver, mosaic->error);
    return status ? status : check_format(mosaic);
}

static enum shepard_io_status make_stage(struct raster_mosaic *mosaic)
{
    const struct shepard_output_place place = {
        .path = mosaic->spec->path,
        .extension = shepard_driver_extension(mosaic->driver),
        .guard = mosaic->spec->guard,
        .control = mosaic->trap->control,
    };
    return shepard_stage_make(&mosaic->stage, &place, mosaic->error);
}

static enum shepard_io_status write_mosaic(struct raster_mosaic *mosaic)
{
    if (EQUAL(format_of(mosaic), "VRT"))
        return write_vrt(mosaic);
    if (EQUAL(format_of(mosaic), "COG"))
        return write_cog(mosaic);
    const enum shepard_io_status status = make_empty(mosaic);
    return status ? status : copy_blocks(mosaic);
}

static enum shepard_io_status make_mosaic(struct raster_mosaic *mosaic)
{
    const struct shepard_mosaic_spec *const spec = mosaic->spec;
    enum shepard_io_status status = check_sources(mosaic);
    if (!status)
        status = shepard_mosaic_blocks_find(&mosaic->blocks, spec->sources, spec->count,
                                            mosaic->trap->control, mosaic->error);
    if (!status)
        status = make_stage(mosaic);
    if (status)
        return status;
    shepard_gdal_error_scope_clear(mosaic->trap);
    status = write_mosaic(mosaic);
    if (!status)
        status = shepard_stage_commit(&mosaic->stage, mosaic->error);
    else
        shepard_stage_abandon(&mosaic->stage);
    return status;
}

enum shepard_io_status shepard_raster_mosaic_make(const struct shepard_mosaic_spec *spec,
                                                  struct shepard_mosaic_info *info,
                                                  const struct shepard_io_control *control,
                                                  struct shepard_io_error *error)
{
    if (!spec || !spec->path || !spec->path[0])
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "no output given: name the mosaic to be written");
    struct shepard_gdal_error_scope trap;
    struct raster_mosaic mosaic = {.spec = spec, .trap = &trap, .error = error};
    shepard_gdal_begin_threads();
    shepard_gdal_error_scope_begin(&trap, control);
    const enum shepard_io_status status = make_mosaic(&mosaic);
    if (!status)
        *info = (struct shepard_mosaic_info){.columns = mosaic.blocks.first.tiff.layout.columns,
                                             .rows = mosaic.blocks.first.tiff.layout.rows,
                                             .blocks = mosaic.blocks.first.tiff.blocks,
                                             .missing = mosaic.blocks.missing,
                                             .parts = mosaic.blocks.first.part.count};
    if (!status)
        snprintf(info->format, sizeof info->format, "%s", format_of(&mosaic));
    shepard_mosaic_blocks_free(&mosaic.blocks);
    shepard_gdal_error_scope_clear(&trap);
    return shepard_gdal_error_scope_end(&trap, status);
}
