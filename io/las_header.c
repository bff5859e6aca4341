/* SPDX-License-Identifier: MIT */
#include "las_header.h"

#include "las_bytes.h"

#include <inttypes.h>
#include <math.h>

const struct shepard_las_layout shepard_las_layouts[SHEPARD_LAS_FORMATS] = {
    {.length = 20},
    {.length = 28, .gps = 20},
    {.length = 26, .rgb = 20},
    {.length = 34, .gps = 20, .rgb = 28},
    {.length = 57, .gps = 20, .wave = 28},
    {.length = 63, .gps = 20, .rgb = 28, .wave = 34},
    {.length = 30, .gps = 22},
    {.length = 36, .gps = 22, .rgb = 30},
    {.length = 38, .gps = 22, .rgb = 30, .nir = 36},
    {.length = 59, .gps = 22, .wave = 30},
    {.length = 67, .gps = 22, .rgb = 30, .nir = 36, .wave = 38},
};

/* Offsets in the header, as the specification lists them. */
enum {
    AT_ENCODING = 6,
    AT_MAJOR = 24,
    AT_MINOR = 25,
    AT_SIZE = 94,
    AT_POINTS = 96,
    AT_VLR_COUNT = 100,
    AT_FORMAT = 104,
    AT_RECORD_LENGTH = 105,
    AT_OLD_COUNT = 107,
    AT_SCALE = 131,
    AT_OFFSET = 155,
    AT_EVLR_START = 235,
    AT_EVLR_COUNT = 243,
    AT_COUNT = 247
};

enum { ENCODING_WKT = 16, FORMAT_BITS = 0x3f };

static enum shepard_io_status fail(const char *path, struct shepard_io_error *error,
                                   const char *what)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path",
                           "the LAS file \"%.300s\" is damaged: %s; get it again from its source",
                           path, what);
}

static unsigned size_of_version(unsigned minor)
{
    static const unsigned sizes[] = {SHEPARD_LAS_HEADER_MIN, SHEPARD_LAS_HEADER_MIN,
                                     SHEPARD_LAS_HEADER_MIN, SHEPARD_LAS_HEADER_13,
                                     SHEPARD_LAS_HEADER_14};
    return sizes[minor];
}

static enum shepard_io_status check_version(const char *path, const unsigned char *bytes,
                                            struct shepard_io_error *error)
{
    enum { NEWEST_MINOR = 4 };
    if (bytes[AT_MAJOR] == 1 && bytes[AT_MINOR] <= NEWEST_MINOR)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path",
                           "\"%.300s\" says that it is a LAS file of version %d.%d; versions 1.0 "
                           "to 1.4 are known",
                           path, bytes[AT_MAJOR], bytes[AT_MINOR]);
}

static uint64_t point_count(const struct shepard_las_header *header, const unsigned char *bytes)
{
    const uint64_t count = header->minor >= 4 ? shepard_las_u64(bytes + AT_COUNT) : 0;
    return count > 0 ? count : shepard_las_u32(bytes + AT_OLD_COUNT);
}

static void take(struct shepard_las_header *header, const unsigned char *bytes)
{
    *header = (struct shepard_las_header){
        .minor = bytes[AT_MINOR],
        .format = bytes[AT_FORMAT] & FORMAT_BITS,
        .compressed = (bytes[AT_FORMAT] & ~FORMAT_BITS) != 0,
        .wkt = (shepard_las_u16(bytes + AT_ENCODING) & ENCODING_WKT) != 0,
        .size = shepard_las_u16(bytes + AT_SIZE),
        .vlr_count = shepard_las_u32(bytes + AT_VLR_COUNT),
        .points_start = shepard_las_u32(bytes + AT_POINTS),
        .record_length = shepard_las_u16(bytes + AT_RECORD_LENGTH)};
    header->count = point_count(header, bytes);
    if (header->minor >= 4) {
        header->evlr_start = shepard_las_u64(bytes + AT_EVLR_START);
        header->evlr_count = shepard_las_u32(bytes + AT_EVLR_COUNT);
    }
    for (int i = 0; i < 3; i++) {
        header->scale[i] = shepard_las_f64(bytes + AT_SCALE + 8 * i);
        header->offset[i] = shepard_las_f64(bytes + AT_OFFSET + 8 * i);
    }
}

/* How the header contradicts itself or the file; NULL: it does not. */
static const char *contradiction(const struct shepard_las_header *header, uint64_t file_size)
{
    if (header->size < size_of_version(header->minor) || header->size > file_size)
        return "its header has a wrong size";
    if (header->points_start < header->size || header->points_start > file_size)
        return "its points would begin outside of it";
    if (header->format >= SHEPARD_LAS_FORMATS)
        return "its points are of an unknown format";
    if (header->record_length < shepard_las_layouts[header->format].length)
        return "its point records are shorter than their format";
    for (int i = 0; i < 3; i++)
        if (!isfinite(header->scale[i]) || header->scale[i] == 0.0 || !isfinite(header->offset[i]))
            return "a scale or an offset of its coordinates is no usable number";
    return NULL;
}

static enum shepard_io_status check_count(const struct shepard_las_header *header, const char *path,
                                          uint64_t file_size, struct shepard_io_error *error)
{
    const uint64_t held = (file_size - header->points_start) / header->record_length;
    if (header->compressed || header->count <= held)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path",
                           "the LAS file \"%.300s\" is cut off: it holds %" PRIu64
                           " points, and its header promises %" PRIu64
                           "; get it again from its source",
                           path, held, header->count);
}

enum shepard_io_status shepard_las_header_read(struct shepard_las_header *header, const char *path,
                                               const unsigned char *bytes, uint64_t file_size,
                                               struct shepard_io_error *error)
{
    if (file_size < SHEPARD_LAS_HEADER_MIN)
        return fail(path, error, "it ends within its header");
    const enum shepard_io_status status = check_version(path, bytes, error);
    if (status)
        return status;
    if (file_size < size_of_version(bytes[AT_MINOR]))
        return fail(path, error, "it ends within its header");
    take(header, bytes);
    const char *wrong = contradiction(header, file_size);
    return wrong ? fail(path, error, wrong) : check_count(header, path, file_size, error);
}
