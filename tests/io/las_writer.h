/* SPDX-License-Identifier: MIT */
/** LAS files for tests, written from the tables of the specification and not from the reader's. */
#ifndef SHEPARD_TESTS_IO_LAS_WRITER_H
#define SHEPARD_TESTS_IO_LAS_WRITER_H

#include <stddef.h>
#include <stdint.h>

enum { LAS_FORMATS = 11, LAS_RECORD_MAX = 67 + 32 };

/** All that a point may have; a format leaves out what it has no place for. */
struct las_point {
    int32_t x, y, z; /* stored */
    unsigned intensity, return_number, returns, direction, edge, class, user, source;
    unsigned synthetic, key, withheld, overlap, channel;
    int angle; /* degrees in formats 0 to 5, else units of 0.006 degrees */
    double gps;
    unsigned red, green, blue, nir;
    unsigned wave_index;
    uint64_t wave_offset;
    uint32_t wave_size;
    float wave[4];
    /* extra bytes, where the file has them: 2 + 4 + 8 + 3 * 4 bytes */
    unsigned amplitude; /* "amplitude": uint16, no data 65535, * 0.25 + 10 */
    int32_t depth;      /* "depth": int32 */
    double exact;       /* "exact": double */
    float normal[3];    /* "normal": 3 floats */
};

enum { LAS_EXTRA_BYTES = 26 };

struct las_spec {
    unsigned minor, format;
    int extra; /* with extra bytes */
    double scale[3], offset[3];
    const char *wkt;     /* NULL: none */
    int wkt_behind;      /* in an extended record behind the points, of 1.4 */
    unsigned epsg;       /* of a projected system, in keys of GeoTIFF; 0: none */
    int geographic_epsg; /* epsg is one of a geographic system */
};

/** Bytes of a point's record. */
size_t las_record_length(const struct las_spec *spec);

/** Writes a point's record. */
void las_write_record(unsigned char *record, const struct las_spec *spec,
                      const struct las_point *point);

/** The file up to the points, for so many of them; from malloc. */
unsigned char *las_write_head(const struct las_spec *spec, uint64_t count, size_t *size);

/** A whole file; from malloc. */
unsigned char *las_write(const struct las_spec *spec, const struct las_point *points, size_t count,
                         size_t *size);

#endif
