/* SPDX-License-Identifier: MIT */
#include "laz_points.h"

#include "las_bytes.h"

#include <laszip/laszip_api.h>
#include <stdlib.h>
#include <string.h>

struct shepard_laz_points {
    laszip_POINTER reader;
    laszip_point_struct *point; /* the one that was read last */
    struct shepard_las_header header;
    bool open;
    char path[300];
};

enum shepard_io_status shepard_laz_check(const char *path, struct shepard_io_error *error)
{
    if (strncmp(path, "/vsi", 4) != 0)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "path",
                           "\"%.300s\" is compressed (LAZ or COPC), which LASzip reads from files "
                           "of the disk only, not from standard input or /vsi paths; copy it to a "
                           "file",
                           path);
}

static enum shepard_io_status fail(const char *path, const char *reason,
                                   struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_READ, "path",
                           "the compressed points of \"%.300s\" cannot be read (%.300s); if it is "
                           "cut off or damaged, get it again from its source",
                           path, reason);
}

static enum shepard_io_status fail_by_laszip(const struct shepard_laz_points *points,
                                             struct shepard_io_error *error)
{
    char *text = NULL;
    if (points->reader)
        laszip_get_error(points->reader, &text);
    return fail(points->path, text && *text ? text : "LASzip gives no reason", error);
}

/* LASzip takes memory for as many records as the header promises, before it reads them. */
static bool has_room_for_records(const struct shepard_las_header *header)
{
    enum { RECORD_HEAD = 54 };
    return header->vlr_count <= (header->points_start - header->size) / RECORD_HEAD;
}

enum shepard_io_status shepard_laz_open(const char *path, const struct shepard_las_header *header,
                                        struct shepard_laz_points **points,
                                        struct shepard_io_error *error)
{
    if (!has_room_for_records(header))
        return fail(path, "its header promises more variable-length records than fit before them",
                    error);
    struct shepard_laz_points *opened = calloc(1, sizeof *opened);
    if (!opened)
        return shepard_io_fail_memory(error);
    laszip_BOOL compressed;
    laszip_header_struct *found = NULL;
    opened->header = *header;
    shepard_text_append(opened->path, sizeof opened->path, "%s", path);
    bool good = laszip_create(&opened->reader) == 0;
    opened->open = good && laszip_open_reader(opened->reader, path, &compressed) == 0;
    good = opened->open && laszip_get_point_pointer(opened->reader, &opened->point) == 0 &&
           laszip_get_header_pointer(opened->reader, &found) == 0 &&
           found->point_data_record_length == header->record_length;
    if (!good) {
        const enum shepard_io_status status = fail_by_laszip(opened, error);
        shepard_laz_close(opened);
        return status;
    }
    *points = opened;
    return SHEPARD_IO_OK;
}

static void put_i32(unsigned char *bytes, laszip_I32 value)
{
    shepard_las_put32(bytes, (uint32_t)value);
}

static void pack_old(const laszip_point_struct *point, unsigned char *record)
{
    record[14] = (unsigned char)(point->return_number | point->number_of_returns << 3 |
                                 point->scan_direction_flag << 6 | point->edge_of_flight_line << 7);
    record[15] = (unsigned char)(point->classification | point->synthetic_flag << 5 |
                                 point->keypoint_flag << 6 | point->withheld_flag << 7);
    record[16] = (unsigned char)point->scan_angle_rank;
    record[17] = point->user_data;
    shepard_las_put16(record + 18, point->point_source_ID);
}

static void pack_extended(const laszip_point_struct *point, unsigned char *record)
{
    record[14] =
        (unsigned char)(point->extended_return_number | point->extended_number_of_returns << 4);
    record[15] = (unsigned char)(point->extended_classification_flags |
                                 point->extended_scanner_channel << 4 |
                                 point->scan_direction_flag << 6 | point->edge_of_flight_line << 7);
    record[16] = point->extended_classification;
    record[17] = point->user_data;
    shepard_las_put16(record + 18, (uint16_t)point->extended_scan_angle);
    shepard_las_put16(record + 20, point->point_source_ID);
}

static void pack(const struct shepard_laz_points *points, unsigned char *record)
{
    const laszip_point_struct *point = points->point;
    const struct shepard_las_layout *layout = &shepard_las_layouts[points->header.format];
    put_i32(record, point->X);
    put_i32(record + 4, point->Y);
    put_i32(record + 8, point->Z);
    shepard_las_put16(record + 12, point->intensity);
    if (points->header.format < SHEPARD_LAS_FIRST_EXTENDED)
        pack_old(point, record);
    else
        pack_extended(point, record);
    if (layout->gps) {
        uint64_t bits;
        memcpy(&bits, &point->gps_time, sizeof bits);
        shepard_las_put64(record + layout->gps, bits);
    }
    for (int i = 0; i < 3 && layout->rgb; i++)
        shepard_las_put16(record + layout->rgb + 2 * i, point->rgb[i]);
    if (layout->nir)
        shepard_las_put16(record + layout->nir, point->rgb[3]);
    if (layout->wave)
        memcpy(record + layout->wave, point->wave_packet, sizeof point->wave_packet);
    const size_t extra = (size_t)(points->header.record_length - layout->length);
    if (extra > 0 && point->extra_bytes && (size_t)point->num_extra_bytes >= extra)
        memcpy(record + layout->length, point->extra_bytes, extra);
}

enum shepard_io_status shepard_laz_seek(struct shepard_laz_points *points, uint64_t point,
                                        struct shepard_io_error *error)
{
    return laszip_seek_point(points->reader, (laszip_I64)point) == 0
               ? SHEPARD_IO_OK
               : fail_by_laszip(points, error);
}

enum shepard_io_status shepard_laz_read(struct shepard_laz_points *points, unsigned char *records,
                                        size_t count, struct shepard_io_error *error)
{
    memset(records, 0, count * points->header.record_length);
    for (size_t i = 0; i < count; i++) {
        if (laszip_read_point(points->reader) != 0)
            return fail_by_laszip(points, error);
        pack(points, records + i * points->header.record_length);
    }
    return SHEPARD_IO_OK;
}

void shepard_laz_close(struct shepard_laz_points *points)
{
    if (!points)
        return;
    if (points->open)
        laszip_close_reader(points->reader);
    if (points->reader)
        laszip_destroy(points->reader);
    free(points);
}
