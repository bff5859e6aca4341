/* SPDX-License-Identifier: MIT */
/* Without LASzip. */
#include "laz_points.h"

enum shepard_io_status shepard_laz_check(const char *path, struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "path",
                           "\"%.300s\" is compressed (LAZ or COPC), and this shepard is built "
                           "without LASzip: build it where LASzip is installed (liblaszip-dev on "
                           "Debian, laszip of conda-forge), turn the file into LAS with `pdal "
                           "translate` or laszip, or use shepard.grid_file of the Python package "
                           "(pip install 'shepard[laz]')",
                           path);
}

enum shepard_io_status shepard_laz_open(const char *path, const struct shepard_las_header *header,
                                        struct shepard_laz_points **points,
                                        struct shepard_io_error *error)
{
    (void)header, (void)points;
    return shepard_laz_check(path, error);
}

enum shepard_io_status shepard_laz_seek(struct shepard_laz_points *points, uint64_t point,
                                        struct shepard_io_error *error)
{
    (void)points, (void)point;
    return shepard_laz_check("", error);
}

enum shepard_io_status shepard_laz_read(struct shepard_laz_points *points, unsigned char *records,
                                        size_t count, struct shepard_io_error *error)
{
    (void)points, (void)records, (void)count;
    return shepard_laz_check("", error);
}

void shepard_laz_close(struct shepard_laz_points *points)
{
    (void)points;
}
