/* SPDX-License-Identifier: MIT */
#include "las_dimension.h"

#include "las_bytes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t type_sizes[] = {
    [SHEPARD_LAS_U8] = 1,  [SHEPARD_LAS_I8] = 1,  [SHEPARD_LAS_U16] = 2, [SHEPARD_LAS_I16] = 2,
    [SHEPARD_LAS_U32] = 4, [SHEPARD_LAS_I32] = 4, [SHEPARD_LAS_U64] = 8, [SHEPARD_LAS_I64] = 8,
    [SHEPARD_LAS_F32] = 4, [SHEPARD_LAS_F64] = 8};

/* Degrees in one unit of the scan angle of formats 6 to 10 (LAS 1.4-R15, table 16). */
static const double scan_angle_unit = 0.006;

/* ---- What the formats define ----------------------------------------------------------------- */

struct defined {
    const char *name;
    enum shepard_las_type type;
    size_t at;
    unsigned shift, bits;
};

static const struct defined old_dimensions[] = {{"x", SHEPARD_LAS_I32, 0, 0, 0},
                                                {"y", SHEPARD_LAS_I32, 4, 0, 0},
                                                {"z", SHEPARD_LAS_I32, 8, 0, 0},
                                                {"intensity", SHEPARD_LAS_U16, 12, 0, 0},
                                                {"return_number", SHEPARD_LAS_U8, 14, 0, 3},
                                                {"number_of_returns", SHEPARD_LAS_U8, 14, 3, 3},
                                                {"scan_direction_flag", SHEPARD_LAS_U8, 14, 6, 1},
                                                {"edge_of_flight_line", SHEPARD_LAS_U8, 14, 7, 1},
                                                {"classification", SHEPARD_LAS_U8, 15, 0, 5},
                                                {"synthetic", SHEPARD_LAS_U8, 15, 5, 1},
                                                {"key_point", SHEPARD_LAS_U8, 15, 6, 1},
                                                {"withheld", SHEPARD_LAS_U8, 15, 7, 1},
                                                {"scan_angle", SHEPARD_LAS_I8, 16, 0, 0},
                                                {"user_data", SHEPARD_LAS_U8, 17, 0, 0},
                                                {"point_source_id", SHEPARD_LAS_U16, 18, 0, 0},
                                                {0}};

static const struct defined extended_dimensions[] = {
    {"x", SHEPARD_LAS_I32, 0, 0, 0},
    {"y", SHEPARD_LAS_I32, 4, 0, 0},
    {"z", SHEPARD_LAS_I32, 8, 0, 0},
    {"intensity", SHEPARD_LAS_U16, 12, 0, 0},
    {"return_number", SHEPARD_LAS_U8, 14, 0, 4},
    {"number_of_returns", SHEPARD_LAS_U8, 14, 4, 4},
    {"synthetic", SHEPARD_LAS_U8, 15, 0, 1},
    {"key_point", SHEPARD_LAS_U8, 15, 1, 1},
    {"withheld", SHEPARD_LAS_U8, 15, 2, 1},
    {"overlap", SHEPARD_LAS_U8, 15, 3, 1},
    {"scanner_channel", SHEPARD_LAS_U8, 15, 4, 2},
    {"scan_direction_flag", SHEPARD_LAS_U8, 15, 6, 1},
    {"edge_of_flight_line", SHEPARD_LAS_U8, 15, 7, 1},
    {"classification", SHEPARD_LAS_U8, 16, 0, 0},
    {"user_data", SHEPARD_LAS_U8, 17, 0, 0},
    {"scan_angle", SHEPARD_LAS_I16, 18, 0, 0},
    {"point_source_id", SHEPARD_LAS_U16, 20, 0, 0},
    {0}};

/* From the start of their part of the record on. */
static const struct defined gps_dimensions[] = {{"gps_time", SHEPARD_LAS_F64, 0, 0, 0}, {0}};

static const struct defined rgb_dimensions[] = {{"red", SHEPARD_LAS_U16, 0, 0, 0},
                                                {"green", SHEPARD_LAS_U16, 2, 0, 0},
                                                {"blue", SHEPARD_LAS_U16, 4, 0, 0},
                                                {0}};

static const struct defined nir_dimensions[] = {{"nir", SHEPARD_LAS_U16, 0, 0, 0}, {0}};

static const struct defined wave_dimensions[] = {
    {"wavepacket_index", SHEPARD_LAS_U8, 0, 0, 0},
    {"wavepacket_offset", SHEPARD_LAS_U64, 1, 0, 0},
    {"wavepacket_size", SHEPARD_LAS_U32, 9, 0, 0},
    {"return_point_wave_location", SHEPARD_LAS_F32, 13, 0, 0},
    {"x_t", SHEPARD_LAS_F32, 17, 0, 0},
    {"y_t", SHEPARD_LAS_F32, 21, 0, 0},
    {"z_t", SHEPARD_LAS_F32, 25, 0, 0},
    {0}};

static bool add(struct shepard_las_dimensions *dimensions,
                const struct shepard_las_dimension *dimension)
{
    struct shepard_las_dimension *grown =
        realloc(dimensions->item, (dimensions->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    grown[dimensions->count++] = *dimension;
    dimensions->item = grown;
    return true;
}

static bool add_defined(struct shepard_las_dimensions *dimensions, const struct defined *defined,
                        size_t start)
{
    for (; defined->name; defined++) {
        struct shepard_las_dimension dimension = {.type = defined->type,
                                                  .at = start + defined->at,
                                                  .shift = defined->shift,
                                                  .bits = defined->bits,
                                                  .scale = 1};
        snprintf(dimension.name, sizeof dimension.name, "%s", defined->name);
        if (!add(dimensions, &dimension))
            return false;
    }
    return true;
}

static bool add_part(struct shepard_las_dimensions *dimensions, const struct defined *defined,
                     size_t start)
{
    return start == 0 || add_defined(dimensions, defined, start);
}

static void scale_defined(struct shepard_las_dimensions *dimensions,
                          const struct shepard_las_header *header)
{
    for (size_t i = 0; i < 3; i++) {
        dimensions->item[i].scale = header->scale[i];
        dimensions->item[i].offset = header->offset[i];
    }
    for (size_t i = 0; i < dimensions->count; i++)
        if (strcmp(dimensions->item[i].name, "scan_angle") == 0 &&
            dimensions->item[i].type == SHEPARD_LAS_I16)
            dimensions->item[i].scale = scan_angle_unit;
}

/* ---- Extra bytes ----------------------------------------------------------------------------- */

/* A descriptor of the record "Extra Bytes" (LAS 1.4-R15, table 24). */
enum {
    DESCRIPTOR = 192,
    AT_TYPE = 2,
    AT_OPTIONS = 3,
    AT_NAME = 4,
    NAME_LENGTH = 32,
    AT_MISSING = 40,
    AT_SCALE = 112,
    AT_OFFSET = 136,
    HAS_MISSING = 1,
    HAS_SCALE = 8,
    HAS_OFFSET = 16,
    TYPES = 10,
    NUMBERS_MAX = 3
};

static struct shepard_las_dimension describe(const unsigned char *descriptor, unsigned i,
                                             unsigned numbers)
{
    const unsigned options = descriptor[AT_OPTIONS];
    const double scale = shepard_las_f64(descriptor + AT_SCALE + 8 * i);
    const double offset = shepard_las_f64(descriptor + AT_OFFSET + 8 * i);
    struct shepard_las_dimension dimension = {
        .type = (enum shepard_las_type)((descriptor[AT_TYPE] - 1) % TYPES + 1),
        .scale = options & HAS_SCALE ? scale : 1,
        .offset = options & HAS_OFFSET ? offset : 0,
        .has_missing = (options & HAS_MISSING) != 0};
    memcpy(dimension.missing, descriptor + AT_MISSING + 8 * i, sizeof dimension.missing);
    char name[NAME_LENGTH + 1] = "";
    memcpy(name, descriptor + AT_NAME, NAME_LENGTH);
    if (numbers > 1)
        snprintf(dimension.name, sizeof dimension.name, "%s%u", name, i);
    else
        snprintf(dimension.name, sizeof dimension.name, "%s", name);
    return dimension;
}

/* Descriptors beyond the record's end describe nothing. */
static bool add_extra(struct shepard_las_dimensions *dimensions,
                      const struct shepard_las_header *header,
                      const struct shepard_las_records *records)
{
    const unsigned char *bytes = records->record[SHEPARD_LAS_EXTRA_BYTES].bytes;
    const size_t size = records->record[SHEPARD_LAS_EXTRA_BYTES].size;
    size_t at = shepard_las_layouts[header->format].length;
    for (size_t d = 0; d + DESCRIPTOR <= size; d += DESCRIPTOR) {
        const unsigned char *descriptor = bytes + d;
        const unsigned type = descriptor[AT_TYPE];
        if (type == 0) {
            at += descriptor[AT_OPTIONS];
            continue;
        }
        if (type > NUMBERS_MAX * TYPES)
            return true;
        const unsigned numbers = (type - 1) / TYPES + 1;
        for (unsigned i = 0; i < numbers; i++) {
            struct shepard_las_dimension dimension = describe(descriptor, i, numbers);
            dimension.at = at;
            at += type_sizes[dimension.type];
            if (at > header->record_length)
                return true;
            if (!add(dimensions, &dimension))
                return false;
        }
    }
    return true;
}

/* ---- The list -------------------------------------------------------------------------------- */

bool shepard_las_dimensions_list(struct shepard_las_dimensions *dimensions,
                                 const struct shepard_las_header *header,
                                 const struct shepard_las_records *records)
{
    const struct shepard_las_layout *layout = &shepard_las_layouts[header->format];
    const bool extended = header->format >= SHEPARD_LAS_FIRST_EXTENDED;
    if (!add_defined(dimensions, extended ? extended_dimensions : old_dimensions, 0) ||
        !add_part(dimensions, gps_dimensions, layout->gps) ||
        !add_part(dimensions, rgb_dimensions, layout->rgb) ||
        !add_part(dimensions, nir_dimensions, layout->nir) ||
        !add_part(dimensions, wave_dimensions, layout->wave))
        return false;
    scale_defined(dimensions, header);
    return add_extra(dimensions, header, records);
}

void shepard_las_dimensions_free(struct shepard_las_dimensions *dimensions)
{
    free(dimensions->item);
    *dimensions = (struct shepard_las_dimensions){0};
}

static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == '_')
            a++;
        while (*b == '_')
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (*a == '\0')
            return true;
    }
}

const struct shepard_las_dimension *
shepard_las_dimension_find(const struct shepard_las_dimensions *dimensions, const char *name)
{
    /* As laspy and PDAL call the scan angle of formats 0 to 5. */
    if (same_name(name, "scan_angle_rank"))
        name = "scan_angle";
    for (size_t i = 0; i < dimensions->count; i++)
        if (same_name(dimensions->item[i].name, name))
            return &dimensions->item[i];
    return NULL;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static uint64_t whole(const struct shepard_las_dimension *dimension, const unsigned char *bytes)
{
    switch (dimension->type) {
    case SHEPARD_LAS_U8:
        return dimension->bits ? bytes[0] >> dimension->shift & ((1u << dimension->bits) - 1)
                               : bytes[0];
    case SHEPARD_LAS_I8:
        return (uint64_t)(int64_t)(int8_t)bytes[0];
    case SHEPARD_LAS_U16:
        return shepard_las_u16(bytes);
    case SHEPARD_LAS_I16:
        return (uint64_t)(int64_t)(int16_t)shepard_las_u16(bytes);
    case SHEPARD_LAS_U32:
        return shepard_las_u32(bytes);
    case SHEPARD_LAS_I32:
        return (uint64_t)(int64_t)shepard_las_i32(bytes);
    default:
        return shepard_las_u64(bytes);
    }
}

static bool is_signed(enum shepard_las_type type)
{
    return type == SHEPARD_LAS_I8 || type == SHEPARD_LAS_I16 || type == SHEPARD_LAS_I32 ||
           type == SHEPARD_LAS_I64;
}

bool shepard_las_dimension_get(const struct shepard_las_dimension *dimension,
                               const unsigned char *record, double *value)
{
    const unsigned char *bytes = record + dimension->at;
    double stored;
    if (dimension->type == SHEPARD_LAS_F32 || dimension->type == SHEPARD_LAS_F64) {
        stored = dimension->type == SHEPARD_LAS_F32 ? (double)shepard_las_f32(bytes)
                                                    : shepard_las_f64(bytes);
        if (dimension->has_missing && stored == shepard_las_f64(dimension->missing))
            return false;
    } else {
        const uint64_t number = whole(dimension, bytes);
        if (dimension->has_missing && number == shepard_las_u64(dimension->missing))
            return false;
        stored = is_signed(dimension->type) ? (double)(int64_t)number : (double)number;
    }
    *value = stored * dimension->scale + dimension->offset;
    return true;
}
