/* SPDX-License-Identifier: MIT */
#include "las_reader.h"

#include "crs.h"
#include "las_bytes.h"
#include "las_set.h"
#include "share_first.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <inttypes.h>
#include <math.h>

/* ---- What is read ---------------------------------------------------------------------------- */

/* Options that mean layers of OGR. */
static enum shepard_io_status refuse_others(const struct shepard_point_state *reader)
{
    const struct shepard_read_options *options = reader->options;
    const struct shepard_las_set *las = reader->reading->source->las;
    const char *option = NULL;
    if (options->layer && strcmp(options->layer, las->name) != 0)
        option = "-l";
    else if (options->sql)
        option = "-sql";
    else if (options->where)
        option = "-where";
    else if (options->x_field || options->y_field)
        option = "-xfield";
    else if (reader->reading->source->open_options)
        option = "-oo";
    if (!option)
        return SHEPARD_IO_OK;
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_ARGUMENT, "las",
                           "%s is not for LAS files such as \"%.200s\": -class, -return, -spat and "
                           "-clipsrc choose points, -zfield a dimension",
                           option, las->file[0].path);
}

static enum shepard_io_status add_dimension(struct shepard_point_state *reader, const char *name,
                                            enum shepard_field_role role)
{
    const struct shepard_reading *reading = reader->reading;
    const struct shepard_las_set *las = reading->source->las;
    enum shepard_io_status status =
        shepard_las_set_check_dimension(las, name, shepard_field_argument(role), reading->error);
    if (status)
        return status;
    const struct shepard_las_dimension *dimension =
        shepard_las_dimension_find(&las->file[0].dimensions, name);
    const struct shepard_value_field field = {.field = (int)reader->field_count,
                                              .name = CPLStrdup(dimension->name),
                                              .child = -1,
                                              .role = role};
    status = shepard_state_add_field(reader, &field);
    if (status)
        CPLFree(field.name);
    return status;
}

static enum shepard_io_status add_height(struct shepard_point_state *reader,
                                         enum shepard_field_role role)
{
    const struct shepard_value_field field = {
        .field = -1, .name = CPLStrdup("Z"), .child = -1, .role = role};
    const enum shepard_io_status status = shepard_state_add_field(reader, &field);
    if (status)
        CPLFree(field.name);
    return status;
}

static enum shepard_io_status add_dimensions(struct shepard_point_state *reader, const char *text)
{
    char **names = CSLTokenizeString2(text, ",", 0);
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (char **name = names; !status && name && *name; name++)
        status = add_dimension(reader, *name, SHEPARD_FIELD_VALUE);
    CSLDestroy(names);
    return status;
}

static enum shepard_io_status add_z_coordinate(struct shepard_point_state *reader,
                                               const struct shepard_read_options *options)
{
    const bool height = EQUAL(options->z_field, "Z");
    if (height && (!options->fields || !options->fields[0]))
        return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, "fields",
                               "Z is the third coordinate; name the dimension of the values with "
                               "-zfield, as in -zfield intensity");
    return height ? add_height(reader, SHEPARD_FIELD_Z_COORDINATE)
                  : add_dimension(reader, options->z_field, SHEPARD_FIELD_Z_COORDINATE);
}

static enum shepard_io_status choose_fields(struct shepard_point_state *reader)
{
    const struct shepard_read_options *options = reader->options;
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (!options->fields || !options->fields[0])
        status = add_height(reader, SHEPARD_FIELD_VALUE);
    for (size_t i = 0; !status && options->fields && options->fields[i]; i++)
        status = add_dimensions(reader, options->fields[i]);
    if (!status && options->weight_field)
        status = add_dimension(reader, options->weight_field, SHEPARD_FIELD_WEIGHT);
    return status || !options->z_field ? status : add_z_coordinate(reader, options);
}

static enum shepard_io_status choose_crs(struct shepard_point_state *reader)
{
    const struct shepard_reading *reading = reader->reading;
    char **srs = &reader->points->source_srs;
    if (reader->options->srs)
        return shepard_crs_wkt(reader->options->srs, srs, reading->error);
    const char *wkt = NULL;
    const enum shepard_io_status status =
        shepard_las_set_crs(reading->source->las, &wkt, reading->control, reading->error);
    *srs = wkt ? CPLStrdup(wkt) : NULL;
    return status;
}

/* The header's number is checked against the file's size, except that of LAZ. */
static void expect(struct shepard_point_state *reader)
{
    const struct shepard_las_set *las = reader->reading->source->las;
    const struct shepard_read_options *options = reader->options;
    bool all = !reader->area.box.given && !reader->area.clip && !options->las.classes &&
               !options->las.return_number;
    for (size_t i = 0; i < las->count; i++) {
        reader->total += (double)las->file[i].header.count;
        all = all && !las->file[i].header.compressed;
    }
    const double most = (double)(1 << 24);
    if (reader->total > 0 && !reader->reading->sink)
        shepard_state_resize(reader, (size_t)(all ? reader->total : fmin(reader->total, most)));
}

/* ---- The points of a batch ------------------------------------------------------------------- */

/* Which points of a file are used. */
struct filter {
    const struct shepard_las_choice *choice;
    const struct shepard_las_dimension *class, *number, *returns, *withheld;
};

static struct filter filter_of(const struct shepard_las_choice *choice,
                               const struct shepard_las_file *file)
{
    const struct shepard_las_dimensions *dimensions = &file->dimensions;
    return (struct filter){.choice = choice,
                           .class = shepard_las_dimension_find(dimensions, "classification"),
                           .number = shepard_las_dimension_find(dimensions, "return_number"),
                           .returns = shepard_las_dimension_find(dimensions, "number_of_returns"),
                           .withheld = shepard_las_dimension_find(dimensions, "withheld")};
}

/* Those of a filter stand in one byte each. */
static unsigned bits_of(const struct shepard_las_dimension *dimension, const unsigned char *record)
{
    const unsigned byte = record[dimension->at];
    return dimension->bits ? byte >> dimension->shift & ((1u << dimension->bits) - 1) : byte;
}

static bool passes(const struct filter *filter, const unsigned char *record)
{
    const struct shepard_las_choice *choice = filter->choice;
    if (choice->classes && !choice->classes[bits_of(filter->class, record)])
        return false;
    if (!choice->return_number)
        return true;
    const unsigned number = bits_of(filter->number, record);
    return choice->return_number == SHEPARD_LAS_LAST ? number == bits_of(filter->returns, record)
                                                     : number == (unsigned)choice->return_number;
}

static struct shepard_vertex place_of(const struct shepard_las_header *header,
                                      const unsigned char *record)
{
    return (struct shepard_vertex){
        (double)shepard_las_i32(record) * header->scale[0] + header->offset[0],
        (double)shepard_las_i32(record + 4) * header->scale[1] + header->offset[1],
        (double)shepard_las_i32(record + 8) * header->scale[2] + header->offset[2]};
}

/* The records of a batch. */
struct records {
    const struct shepard_las_file *file;
    struct filter filter;
    const unsigned char *bytes; /* [count, header.record_length] */
    size_t count;
};

static void take_places(struct shepard_point_state *reader, const struct records *records)
{
    const struct shepard_las_header *header = &records->file->header;
    const struct filter *filter = &records->filter;
    struct shepard_point_batch *batch = &reader->batch;
    size_t kept = 0, withheld = 0;
    for (size_t i = 0; i < records->count; i++) {
        const unsigned char *record = records->bytes + i * header->record_length;
        if (!passes(filter, record))
            continue;
        if (!filter->choice->withheld && bits_of(filter->withheld, record)) {
            withheld++;
            continue;
        }
        batch->vertex[kept] = place_of(header, record);
        batch->row[kept++] = (uint32_t)i;
    }
    batch->count = kept;
    reader->points->counts.features += kept;
    reader->points->counts.withheld += withheld;
}

static void take_dimension(struct shepard_point_state *reader, struct shepard_value_field *field,
                           const struct records *records)
{
    const struct shepard_las_dimension *dimension =
        shepard_las_dimension_find(&records->file->dimensions, field->name);
    const size_t length = records->file->header.record_length;
    struct shepard_point_batch *batch = &reader->batch;
    for (size_t i = 0; i < batch->count; i++) {
        const size_t row = batch->row[i];
        double value = NAN;
        const bool has =
            shepard_las_dimension_get(dimension, records->bytes + row * length, &value);
        batch->number[0][row] = value;
        batch->kind[0][row] = !has              ? SHEPARD_VALUE_NULL
                              : isfinite(value) ? SHEPARD_VALUE_NUMBER
                                                : SHEPARD_VALUE_NOT_FINITE;
    }
    shepard_state_take_numbers(reader, field);
}

static enum shepard_io_status take_batch(struct shepard_point_state *reader,
                                         const struct records *records)
{
    take_places(reader, records);
    const enum shepard_io_status status = shepard_state_take_places(reader);
    if (status || reader->batch.count == 0)
        return status;
    for (size_t f = 0; f < reader->field_count; f++) {
        struct shepard_value_field *field = &reader->fields[f];
        if (field->field < 0)
            shepard_state_take_z(reader, field);
        else
            take_dimension(reader, field, records);
    }
    shepard_state_end_batch(reader);
    return SHEPARD_IO_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* A batch and its records stay in the cache of the core. */
enum { BATCH_ROWS = 4096 };

/* Records of a file, and how many of other files come before them. */
struct record_range {
    uint64_t from, end;
    double before;
};

static enum shepard_io_status read_stream(struct shepard_point_state *reader,
                                          const struct shepard_las_file *file,
                                          const struct record_range *range,
                                          struct shepard_las_stream *stream, unsigned char *bytes)
{
    struct shepard_io_error *error = reader->reading->error;
    struct records records = {
        .file = file, .filter = filter_of(&reader->options->las, file), .bytes = bytes};
    for (uint64_t done = range->from; done < range->end; done += records.count) {
        const uint64_t left = range->end - done;
        records.count = left < BATCH_ROWS ? (size_t)left : BATCH_ROWS;
        enum shepard_io_status status =
            shepard_las_stream_read(stream, bytes, records.count, error);
        if (!status)
            status = take_batch(reader, &records);
        if (status)
            return status;
        const double fraction = (range->before + (double)done) / reader->total;
        if (!shepard_io_progress(reader->reading->control, fraction))
            return shepard_io_fail_cancelled(error);
    }
    return SHEPARD_IO_OK;
}

static enum shepard_io_status read_file(struct shepard_point_state *reader,
                                        const struct shepard_las_file *file,
                                        const struct record_range *range)
{
    struct shepard_las_stream *stream = NULL;
    enum shepard_io_status status = shepard_las_stream_open(file, &stream, reader->reading->error);
    if (!status && range->from > 0)
        status = shepard_las_stream_seek(stream, range->from, reader->reading->error);
    unsigned char *bytes =
        status ? NULL : VSIMalloc((size_t)BATCH_ROWS * file->header.record_length);
    if (!status)
        status = bytes ? read_stream(reader, file, range, stream, bytes)
                       : shepard_io_fail_memory(reader->reading->error);
    VSIFree(bytes);
    shepard_las_stream_close(stream);
    return status;
}

/* Which records of all files are read: all, or those of one process. */
static void choose_range(const struct shepard_point_state *reader, uint64_t *first, uint64_t *end)
{
    const struct shepard_las_set *las = reader->reading->source->las;
    const struct shepard_share *share = reader->reading->share;
    uint64_t all = 0;
    for (size_t i = 0; i < las->count; i++)
        all += las->file[i].header.count;
    *first = share ? shepard_share_first(all, share->number, share->count) : 0;
    *end = share ? shepard_share_first(all, share->number + 1, share->count) : all;
}

static enum shepard_io_status read_files(struct shepard_point_state *reader)
{
    const struct shepard_las_set *las = reader->reading->source->las;
    uint64_t first, end, before = 0;
    if (!shepard_point_batch_reserve_rows(&reader->batch, BATCH_ROWS) ||
        !shepard_point_batch_reserve(&reader->batch, BATCH_ROWS))
        return shepard_io_fail_memory(reader->reading->error);
    choose_range(reader, &first, &end);
    for (size_t i = 0; i < las->count; i++) {
        const uint64_t count = las->file[i].header.count;
        const struct record_range range = {first > before ? first - before : 0,
                                           end < before + count ? end - before : count,
                                           (double)before};
        const enum shepard_io_status status = end > before && first < before + count
                                                  ? read_file(reader, &las->file[i], &range)
                                                  : SHEPARD_IO_OK;
        if (status)
            return status;
        before += count;
    }
    return SHEPARD_IO_OK;
}

enum shepard_io_status shepard_las_read_points(struct shepard_point_state *reader)
{
    reader->xy.x = reader->xy.y = -1;
    enum shepard_io_status status = refuse_others(reader);
    if (!status)
        status = choose_fields(reader);
    if (!status)
        status = shepard_state_begin_sink(reader);
    if (!status)
        status = choose_crs(reader);
    if (!status)
        status = shepard_clip_area_make(&reader->area, reader->reading, reader->points->source_srs);
    if (status)
        return status;
    expect(reader);
    if (reader->reading->share)
        reader->reading->sink->by_range = true;
    return read_files(reader);
}

void shepard_las_append_why(const struct shepard_point_state *reader, char *text, size_t size)
{
    const struct shepard_las_choice *choice = &reader->options->las;
    const size_t withheld = reader->points->counts.withheld;
    if (reader->total == 0)
        shepard_text_append(text, size, "it has no points");
    else if (withheld > 0)
        shepard_text_append(text, size, "%zu points are withheld; -withheld uses them", withheld);
    else
        shepard_text_append(text, size, "none of its %.0f points passes %s%s%s", reader->total,
                            choice->classes ? "-class" : "",
                            choice->classes && choice->return_number ? " and " : "",
                            choice->return_number ? "-return" : "");
}
