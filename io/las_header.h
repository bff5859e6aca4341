/* SPDX-License-Identifier: MIT */
/** The public header block of a LAS file, 1.0 to 1.4 (ASPRS LAS Specification 1.4-R15). */
#ifndef SHEPARD_IO_LAS_HEADER_H
#define SHEPARD_IO_LAS_HEADER_H

#include "io_error.h"

#include <stdint.h>

/** Point formats 0 to 10. */
enum { SHEPARD_LAS_FORMATS = 11, SHEPARD_LAS_FIRST_EXTENDED = 6 };

/** Bytes of the header as LAS 1.0 to 1.2, 1.3 and 1.4 have it. */
enum { SHEPARD_LAS_HEADER_MIN = 227, SHEPARD_LAS_HEADER_13 = 235, SHEPARD_LAS_HEADER_14 = 375 };

struct shepard_las_header {
    unsigned minor;      /* of the version 1.minor */
    unsigned format;     /* of the points */
    bool compressed;     /* LAZ */
    bool wkt;            /* the CRS is WKT, not keys of GeoTIFF */
    uint16_t size;       /* of the header */
    uint32_t vlr_count;  /* variable-length records, behind the header */
    uint64_t evlr_start; /* extended ones, behind the points */
    uint32_t evlr_count;
    uint64_t points_start;
    uint16_t record_length; /* of a point */
    uint64_t count;         /* points */
    double scale[3], offset[3];
};

/** Where parts of a point record begin, by format; 0: it has none. */
struct shepard_las_layout {
    uint16_t length; /* of all that the format defines: extra bytes follow */
    uint16_t gps, rgb, nir, wave;
};

extern const struct shepard_las_layout shepard_las_layouts[SHEPARD_LAS_FORMATS];

/**
 * Reads the header from the first bytes of a file (SHEPARD_LAS_HEADER_14 of them, fewer where the
 * file has fewer) and checks it against the size of the file.
 */
enum shepard_io_status shepard_las_header_read(struct shepard_las_header *header, const char *path,
                                               const unsigned char *bytes, uint64_t file_size,
                                               struct shepard_io_error *error);

#endif
