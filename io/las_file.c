/* SPDX-License-Identifier: MIT */
#include "las_file.h"

#include "las_crs.h"
#include "laz_points.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <string.h>

/* ---- What a file says of its points ---------------------------------------------------------- */

static const char signature[4] = {'L', 'A', 'S', 'F'};

bool shepard_las_begins(const char *path)
{
    char start[sizeof signature];
    VSIStatBufL info;
    if (VSIStatL(path, &info) != 0 || !VSI_ISREG(info.st_mode))
        return false;
    VSILFILE *file = VSIFOpenL(path, "rb");
    if (!file)
        return false;
    const bool begins = VSIFReadL(start, 1, sizeof start, file) == sizeof start &&
                        memcmp(start, signature, sizeof start) == 0;
    VSIFCloseL(file);
    return begins;
}

static enum shepard_io_status read_records(struct shepard_las_file *file, VSILFILE *handle,
                                           uint64_t size, const struct shepard_io_control *control,
                                           struct shepard_io_error *error)
{
    struct shepard_las_records records = {0};
    const bool good = shepard_las_records_read(&records, &file->header, handle, size) &&
                      shepard_las_dimensions_list(&file->dimensions, &file->header, &records);
    if (good)
        file->wkt = shepard_las_crs(&records, file->header.wkt);
    const bool says_crs =
        records.record[SHEPARD_LAS_WKT].bytes || records.record[SHEPARD_LAS_GEO_KEYS].bytes;
    if (good && records.damaged)
        shepard_io_warn(control,
                        "%s: a variable-length record goes beyond its place; it and those behind "
                        "it are left out, and may have held the coordinate system or names of "
                        "extra bytes",
                        file->path);
    else if (good && says_crs && !file->wkt)
        shepard_io_warn(control,
                        "%s: its coordinate system cannot be understood; give it with -s_srs",
                        file->path);
    shepard_las_records_free(&records);
    return good ? SHEPARD_IO_OK : shepard_io_fail_memory(error);
}

static enum shepard_io_status read_all(struct shepard_las_file *file, VSILFILE *handle,
                                       const struct shepard_io_control *control,
                                       struct shepard_io_error *error)
{
    unsigned char bytes[SHEPARD_LAS_HEADER_14] = {0};
    VSIFReadL(bytes, 1, sizeof bytes, handle);
    VSIFSeekL(handle, 0, SEEK_END);
    const uint64_t size = VSIFTellL(handle);
    enum shepard_io_status status =
        shepard_las_header_read(&file->header, file->path, bytes, size, error);
    if (!status && file->header.compressed)
        status = shepard_laz_check(file->path, error);
    return status ? status : read_records(file, handle, size, control, error);
}

static enum shepard_io_status fail_open(const char *path, struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path", "cannot read \"%.300s\" (%s)",
                           path, strerror(errno));
}

enum shepard_io_status shepard_las_file_open(struct shepard_las_file *file, const char *path,
                                             const struct shepard_io_control *control,
                                             struct shepard_io_error *error)
{
    file->path = CPLStrdup(path);
    errno = 0;
    VSILFILE *handle = VSIFOpenL(path, "rb");
    if (!handle)
        return fail_open(path, error);
    const enum shepard_io_status status = read_all(file, handle, control, error);
    VSIFCloseL(handle);
    return status;
}

void shepard_las_file_free(struct shepard_las_file *file)
{
    shepard_las_dimensions_free(&file->dimensions);
    CPLFree(file->path);
    CPLFree(file->wkt);
    *file = (struct shepard_las_file){0};
}

/* ---- Its points ------------------------------------------------------------------------------ */

struct shepard_las_stream {
    const struct shepard_las_file *file;
    VSILFILE *handle;                  /* of LAS */
    struct shepard_laz_points *packed; /* of LAZ */
};

enum shepard_io_status shepard_las_stream_open(const struct shepard_las_file *file,
                                               struct shepard_las_stream **stream,
                                               struct shepard_io_error *error)
{
    struct shepard_las_stream *opened = VSICalloc(1, sizeof *opened);
    if (!opened)
        return shepard_io_fail_memory(error);
    opened->file = file;
    enum shepard_io_status status = SHEPARD_IO_OK;
    errno = 0;
    if (file->header.compressed)
        status = shepard_laz_open(file->path, &file->header, &opened->packed, error);
    else if (!(opened->handle = VSIFOpenL(file->path, "rb")) ||
             VSIFSeekL(opened->handle, file->header.points_start, SEEK_SET) != 0)
        status = fail_open(file->path, error);
    if (status)
        shepard_las_stream_close(opened);
    else
        *stream = opened;
    return status;
}

static enum shepard_io_status fail_read(const struct shepard_las_stream *stream,
                                        struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_READ, "path",
                           "reading \"%.300s\" failed: it has become shorter, or its medium has "
                           "an error",
                           stream->file->path);
}

enum shepard_io_status shepard_las_stream_seek(struct shepard_las_stream *stream, uint64_t record,
                                               struct shepard_io_error *error)
{
    if (stream->packed)
        return shepard_laz_seek(stream->packed, record, error);
    const struct shepard_las_header *header = &stream->file->header;
    return VSIFSeekL(stream->handle, header->points_start + record * header->record_length,
                     SEEK_SET) == 0
               ? SHEPARD_IO_OK
               : fail_read(stream, error);
}

enum shepard_io_status shepard_las_stream_read(struct shepard_las_stream *stream,
                                               unsigned char *records, size_t count,
                                               struct shepard_io_error *error)
{
    if (stream->packed)
        return shepard_laz_read(stream->packed, records, count, error);
    const size_t length = stream->file->header.record_length;
    if (VSIFReadL(records, length, count, stream->handle) == count)
        return SHEPARD_IO_OK;
    return fail_read(stream, error);
}

void shepard_las_stream_close(struct shepard_las_stream *stream)
{
    if (!stream)
        return;
    if (stream->handle)
        VSIFCloseL(stream->handle);
    shepard_laz_close(stream->packed);
    VSIFree(stream);
}
