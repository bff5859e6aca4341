/* SPDX-License-Identifier: MIT */
#include "las_records.h"

#include "las_bytes.h"

#include <string.h>

/* A record's own header: where its parts begin, how long it is, how long the number for the length
 * of what follows. */
struct record_shape {
    size_t header, length_bytes;
};

static const struct record_shape normal = {54, 2}, extended = {60, 8};

enum { AT_USER = 2, AT_ID = 18, AT_LENGTH = 20, USER_LENGTH = 16, RECORD_MAX = 1 << 24 };

static const struct {
    const char *user;
    uint16_t id;
} names[SHEPARD_LAS_RECORDS] = {
    [SHEPARD_LAS_WKT] = {"LASF_Projection", 2112},
    [SHEPARD_LAS_GEO_KEYS] = {"LASF_Projection", 34735},
    [SHEPARD_LAS_GEO_DOUBLES] = {"LASF_Projection", 34736},
    [SHEPARD_LAS_GEO_TEXTS] = {"LASF_Projection", 34737},
    [SHEPARD_LAS_EXTRA_BYTES] = {"LASF_Spec", 4},
};

/* SHEPARD_LAS_RECORDS: of no interest. */
static int kind_of(const unsigned char *header)
{
    int kind = 0;
    while (kind < SHEPARD_LAS_RECORDS &&
           (strncmp((const char *)header + AT_USER, names[kind].user, USER_LENGTH) != 0 ||
            shepard_las_u16(header + AT_ID) != names[kind].id))
        kind++;
    return kind;
}

static bool keep(struct shepard_las_records *records, int kind, VSILFILE *file, uint64_t length)
{
    if (kind == SHEPARD_LAS_RECORDS || records->record[kind].bytes || length == 0)
        return true;
    if (length > RECORD_MAX) {
        records->damaged = true;
        return true;
    }
    unsigned char *bytes = VSIMalloc((size_t)length + 1);
    if (!bytes)
        return false;
    if (VSIFReadL(bytes, 1, (size_t)length, file) != length) {
        records->damaged = true;
        VSIFree(bytes);
        return true;
    }
    bytes[length] = 0;
    records->record[kind].bytes = bytes;
    records->record[kind].size = (size_t)length;
    return true;
}

/* A sequence of records between two places of the file. */
struct sequence {
    uint64_t start, end;
    uint32_t count;
    const struct record_shape *shape;
};

static bool read_sequence(struct shepard_las_records *records, const struct sequence *sequence,
                          VSILFILE *file)
{
    const struct record_shape *shape = sequence->shape;
    uint64_t at = sequence->start;
    for (uint32_t i = 0; i < sequence->count && !records->damaged; i++) {
        unsigned char header[60];
        const bool fits = at <= sequence->end && sequence->end - at >= shape->header &&
                          VSIFSeekL(file, at, SEEK_SET) == 0 &&
                          VSIFReadL(header, 1, shape->header, file) == shape->header;
        const uint64_t length = !fits                      ? 0
                                : shape->length_bytes == 2 ? shepard_las_u16(header + AT_LENGTH)
                                                           : shepard_las_u64(header + AT_LENGTH);
        if (!fits || length > sequence->end - at - shape->header)
            records->damaged = true;
        else if (!keep(records, kind_of(header), file, length))
            return false;
        at += shape->header + length;
    }
    return true;
}

bool shepard_las_records_read(struct shepard_las_records *records,
                              const struct shepard_las_header *header, VSILFILE *file,
                              uint64_t file_size)
{
    const struct sequence first = {header->size, header->points_start, header->vlr_count, &normal};
    const struct sequence last = {header->evlr_start, file_size, header->evlr_count, &extended};
    return read_sequence(records, &first, file) && read_sequence(records, &last, file);
}

void shepard_las_records_free(struct shepard_las_records *records)
{
    for (int i = 0; i < SHEPARD_LAS_RECORDS; i++)
        VSIFree(records->record[i].bytes);
    *records = (struct shepard_las_records){0};
}
