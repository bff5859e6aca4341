/* SPDX-License-Identifier: MIT */
#include "las_writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Numbers --------------------------------------------------------------------------------- */

static void put(unsigned char *bytes, uint64_t value, int n)
{
    for (int i = 0; i < n; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

static void put_float(unsigned char *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(bytes, bits, 4);
}

static void put_double(unsigned char *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(bytes, bits, 8);
}

/* ---- Points ---------------------------------------------------------------------------------- */

static const size_t lengths[LAS_FORMATS] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

size_t las_record_length(const struct las_spec *spec)
{
    return lengths[spec->format] + (spec->extra ? LAS_EXTRA_BYTES : 0);
}

static unsigned char *write_core(unsigned char *at, const struct las_point *point)
{
    put(at, (uint32_t)point->x, 4);
    put(at + 4, (uint32_t)point->y, 4);
    put(at + 8, (uint32_t)point->z, 4);
    put(at + 12, point->intensity, 2);
    return at + 14;
}

static unsigned char *write_old(unsigned char *at, const struct las_point *point)
{
    at[0] = (unsigned char)((point->return_number & 7) + 8 * (point->returns & 7) +
                            64 * point->direction + 128 * point->edge);
    at[1] = (unsigned char)((point->class & 31) + 32 * point->synthetic + 64 * point->key +
                            128 * point->withheld);
    at[2] = (unsigned char)point->angle;
    at[3] = (unsigned char)point->user;
    put(at + 4, point->source, 2);
    return at + 6;
}

static unsigned char *write_extended(unsigned char *at, const struct las_point *point)
{
    at[0] = (unsigned char)((point->return_number & 15) + 16 * (point->returns & 15));
    at[1] = (unsigned char)(point->synthetic + 2 * point->key + 4 * point->withheld +
                            8 * point->overlap + 16 * point->channel + 64 * point->direction +
                            128 * point->edge);
    at[2] = (unsigned char)point->class;
    at[3] = (unsigned char)point->user;
    put(at + 4, (uint16_t)point->angle, 2);
    put(at + 6, point->source, 2);
    return at + 8;
}

static unsigned char *write_wave(unsigned char *at, const struct las_point *point)
{
    at[0] = (unsigned char)point->wave_index;
    put(at + 1, point->wave_offset, 8);
    put(at + 9, point->wave_size, 4);
    for (int i = 0; i < 4; i++)
        put_float(at + 13 + 4 * i, point->wave[i]);
    return at + 29;
}

static void write_extra(unsigned char *at, const struct las_point *point)
{
    put(at, point->amplitude, 2);
    put(at + 2, (uint32_t)point->depth, 4);
    put_double(at + 6, point->exact);
    for (int i = 0; i < 3; i++)
        put_float(at + 14 + 4 * i, point->normal[i]);
}

void las_write_record(unsigned char *record, const struct las_spec *spec,
                      const struct las_point *point)
{
    const unsigned format = spec->format;
    unsigned char *at = write_core(record, point);
    at = format < 6 ? write_old(at, point) : write_extended(at, point);
    if (format != 0 && format != 2) {
        put_double(at, point->gps);
        at += 8;
    }
    if (format == 2 || format == 3 || format == 5 || format == 7 || format == 8 || format == 10) {
        put(at, point->red, 2);
        put(at + 2, point->green, 2);
        put(at + 4, point->blue, 2);
        at += 6;
    }
    if (format == 8 || format == 10) {
        put(at, point->nir, 2);
        at += 2;
    }
    if (format == 4 || format == 5 || format == 9 || format == 10)
        at = write_wave(at, point);
    if (spec->extra)
        write_extra(at, point);
}

/* ---- The head -------------------------------------------------------------------------------- */

enum { VLR = 54, EVLR = 60, DESCRIPTOR = 192, DESCRIPTORS = 4 };

static size_t header_size(const struct las_spec *spec)
{
    return spec->minor >= 4 ? 375 : spec->minor == 3 ? 235 : 227;
}

static unsigned char *write_vlr(unsigned char *at, const char *user, unsigned id, size_t length)
{
    memcpy(at + 2, user, strlen(user));
    put(at + 18, id, 2);
    put(at + 20, length, 2);
    return at + VLR;
}

static void write_descriptor(unsigned char *at, unsigned type, const char *name)
{
    at[2] = (unsigned char)type;
    memcpy(at + 4, name, strlen(name));
}

static void write_descriptors(unsigned char *at)
{
    write_descriptor(at, 3, "amplitude");
    at[3] = 1 + 8 + 16;
    put(at + 40, 65535, 8);
    put_double(at + 112, 0.25);
    put_double(at + 136, 10);
    write_descriptor(at + DESCRIPTOR, 6, "depth");
    write_descriptor(at + 2 * DESCRIPTOR, 10, "exact");
    write_descriptor(at + 3 * DESCRIPTOR, 29, "normal");
}

/* A directory of keys: model type, raster type, system. */
enum { KEY_BYTES = 4 * 4 * 2 };

static void write_keys(unsigned char *at, const struct las_spec *spec)
{
    const unsigned model = spec->geographic_epsg ? 2 : 1, key = spec->geographic_epsg ? 2048 : 3072;
    const unsigned keys[] = {1, 1, 0, 3, 1024, 0, 1, model, 1025, 0, 1, 1, key, 0, 1, spec->epsg};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        put(at + 2 * i, keys[i], 2);
}

static size_t records_size(const struct las_spec *spec, unsigned *count)
{
    size_t size = 0;
    *count = 0;
    if (spec->wkt && !spec->wkt_behind) {
        size += VLR + strlen(spec->wkt) + 1;
        ++*count;
    }
    if (spec->epsg) {
        size += VLR + KEY_BYTES;
        ++*count;
    }
    if (spec->extra) {
        size += VLR + DESCRIPTORS * DESCRIPTOR;
        ++*count;
    }
    return size;
}

static void write_records(unsigned char *at, const struct las_spec *spec)
{
    if (spec->wkt && !spec->wkt_behind) {
        at = write_vlr(at, "LASF_Projection", 2112, strlen(spec->wkt) + 1);
        memcpy(at, spec->wkt, strlen(spec->wkt));
        at += strlen(spec->wkt) + 1;
    }
    if (spec->epsg) {
        at = write_vlr(at, "LASF_Projection", 34735, KEY_BYTES);
        write_keys(at, spec);
        at += KEY_BYTES;
    }
    if (spec->extra)
        write_descriptors(write_vlr(at, "LASF_Spec", 4, DESCRIPTORS * DESCRIPTOR));
}

unsigned char *las_write_head(const struct las_spec *spec, uint64_t count, size_t *size)
{
    unsigned records;
    const size_t header = header_size(spec), start = header + records_size(spec, &records);
    unsigned char *bytes = calloc(1, start);
    if (!bytes)
        abort();
    memcpy(bytes, "LASF", 4);
    put(bytes + 6, spec->wkt ? 16 : 0, 2);
    bytes[24] = 1;
    bytes[25] = (unsigned char)spec->minor;
    put(bytes + 94, header, 2);
    put(bytes + 96, start, 4);
    put(bytes + 100, records, 4);
    bytes[104] = (unsigned char)spec->format;
    put(bytes + 105, las_record_length(spec), 2);
    put(bytes + 107, spec->format < 6 && count <= UINT32_MAX ? count : 0, 4);
    for (int i = 0; i < 3; i++) {
        put_double(bytes + 131 + 8 * i, spec->scale[i]);
        put_double(bytes + 155 + 8 * i, spec->offset[i]);
    }
    if (spec->minor >= 4) {
        const int behind = spec->wkt && spec->wkt_behind;
        put(bytes + 235, behind ? start + count * las_record_length(spec) : 0, 8);
        put(bytes + 243, (uint64_t)behind, 4);
        put(bytes + 247, count, 8);
    }
    write_records(bytes + header, spec);
    *size = start;
    return bytes;
}

unsigned char *las_write(const struct las_spec *spec, const struct las_point *points, size_t count,
                         size_t *size)
{
    const size_t length = las_record_length(spec);
    const size_t behind = spec->wkt && spec->wkt_behind ? EVLR + strlen(spec->wkt) : 0;
    unsigned char *head = las_write_head(spec, count, size);
    unsigned char *bytes = calloc(1, *size + count * length + behind);
    if (!bytes)
        abort();
    memcpy(bytes, head, *size);
    free(head);
    for (size_t i = 0; i < count; i++, *size += length)
        las_write_record(bytes + *size, spec, &points[i]);
    if (behind) {
        memcpy(bytes + *size + 2, "LASF_Projection", 15);
        put(bytes + *size + 18, 2112, 2);
        put(bytes + *size + 20, strlen(spec->wkt), 8);
        memcpy(bytes + *size + EVLR, spec->wkt, strlen(spec->wkt));
        *size += behind;
    }
    return bytes;
}
