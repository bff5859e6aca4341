/* SPDX-License-Identifier: MIT */
#include "point_state.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- Room ------------------------------------------------------------------------------------ */

static bool resize(double **array, size_t capacity)
{
    double *resized = realloc(*array, capacity * sizeof *resized);
    if (resized)
        *array = resized;
    return resized != NULL;
}

bool shepard_state_resize(struct shepard_point_state *reader, size_t capacity)
{
    bool good = resize(&reader->points->x, capacity) && resize(&reader->points->y, capacity);
    for (size_t f = 0; good && f < reader->field_count; f++)
        good = resize(&reader->fields[f].values, capacity);
    if (good)
        reader->capacity = capacity;
    return good;
}

static bool reserve(struct shepard_point_state *reader, size_t more)
{
    const size_t needed = reader->points->count + more;
    const struct shepard_point_sink *sink = reader->reading->sink;
    size_t room = needed + needed / 2;
    if (sink && room > sink->capacity)
        room = needed > sink->capacity ? needed : sink->capacity;
    return needed <= reader->capacity || shepard_state_resize(reader, room);
}

/* ---- Handing over ---------------------------------------------------------------------------- */

static void extend(double *low, double *high, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *low = numbers[i] < *low ? numbers[i] : *low;
        *high = numbers[i] > *high ? numbers[i] : *high;
    }
}

enum shepard_io_status shepard_state_begin_sink(struct shepard_point_state *reader)
{
    struct shepard_point_sink *sink = reader->reading->sink;
    struct shepard_sunk_points *sunk = &reader->sunk;
    if (!sink)
        return SHEPARD_IO_OK;
    for (size_t f = 0; f < reader->field_count; f++) {
        struct shepard_value_field *field = &reader->fields[f];
        field->least = INFINITY;
        field->most = -INFINITY;
        sunk->columns += field->role == SHEPARD_FIELD_VALUE;
        sunk->weighted |= field->role == SHEPARD_FIELD_WEIGHT;
    }
    sunk->numbers =
        calloc(shepard_record_fields(sunk->columns, sunk->weighted), sizeof *sunk->numbers);
    return sunk->numbers ? sink->begin(sink->user, sunk->columns, sunk->weighted, &sink->capacity,
                                       reader->reading->error)
                         : shepard_io_fail_memory(reader->reading->error);
}

/* The fields are the columns, then the weight, as in a record. */
static void give_arrays(struct shepard_point_state *reader)
{
    struct shepard_sunk_points *sunk = &reader->sunk;
    sunk->count = reader->points->count;
    sunk->capacity = reader->capacity;
    sunk->numbers[0] = reader->points->x;
    sunk->numbers[1] = reader->points->y;
    for (size_t f = 0; f < reader->field_count; f++)
        sunk->numbers[2 + f] = reader->fields[f].values;
}

static void take_arrays(struct shepard_point_state *reader)
{
    const struct shepard_sunk_points *sunk = &reader->sunk;
    reader->points->count = 0;
    reader->capacity = sunk->capacity;
    reader->points->x = sunk->numbers[0];
    reader->points->y = sunk->numbers[1];
    for (size_t f = 0; f < reader->field_count; f++)
        reader->fields[f].values = sunk->numbers[2 + f];
}

static void note_ends(struct shepard_point_state *reader)
{
    struct shepard_point_sink *sink = reader->reading->sink;
    const struct shepard_point_set *points = reader->points;
    if (sink->taken == 0)
        sink->extent = (struct shepard_bounds){true, INFINITY, INFINITY, -INFINITY, -INFINITY};
    extend(&sink->extent.x_min, &sink->extent.x_max, points->x, points->count);
    extend(&sink->extent.y_min, &sink->extent.y_max, points->y, points->count);
    for (size_t f = 0; f < reader->field_count; f++) {
        struct shepard_value_field *field = &reader->fields[f];
        extend(&field->least, &field->most, field->values, points->count);
    }
    sink->taken += points->count;
}

enum shepard_io_status shepard_state_hand_over(struct shepard_point_state *reader)
{
    struct shepard_point_sink *sink = reader->reading->sink;
    if (reader->points->count > 0 && reader->options->target_srs) {
        const enum shepard_io_status status = shepard_state_transform(reader);
        if (status)
            return status;
    }
    if (reader->points->count == 0)
        return SHEPARD_IO_OK;
    note_ends(reader);
    give_arrays(reader);
    const enum shepard_io_status status =
        sink->take(sink->user, &reader->sunk, reader->reading->error);
    take_arrays(reader);
    return status;
}

void shepard_state_expect(struct shepard_point_state *reader)
{
    if (!OGR_L_TestCapability(reader->rows, OLCFastFeatureCount))
        return;
    const GIntBig count = OGR_L_GetFeatureCount(reader->rows, FALSE);
    if (count > 0)
        reader->total = (double)count;
    /* A damaged file may claim any number: beyond this the room grows with what comes. */
    const GIntBig most = (GIntBig)1 << 24;
    if (count > 0 && !reader->reading->sink)
        shepard_state_resize(reader, (size_t)(count < most ? count : most));
}

/* ---- One batch ------------------------------------------------------------------------------- */

static struct shepard_batch_column column_of(const struct shepard_point_state *reader,
                                             const struct shepard_rows *rows, int64_t child)
{
    struct shepard_batch_column column = {.features = rows->features, .field = (int)child};
    if (!rows->features)
        column = shepard_arrow_child(rows->schema, rows->array, child);
    column.no_commas = reader->options->decimal == SHEPARD_DECIMAL_POINT;
    return column;
}

static enum shepard_io_status read_places(struct shepard_point_state *reader,
                                          const struct shepard_rows *rows)
{
    struct shepard_read_counts *counts = &reader->points->counts;
    if (reader->xy.x < 0) {
        const struct shepard_batch_column wkb =
            shepard_arrow_child(rows->schema, rows->array, reader->geometry_child);
        return shepard_point_batch_from_wkb(&reader->batch, rows->count, &wkb, counts)
                   ? SHEPARD_IO_OK
                   : shepard_io_fail_memory(reader->reading->error);
    }
    const struct shepard_batch_column x = column_of(reader, rows, reader->x_child);
    const struct shepard_batch_column y = column_of(reader, rows, reader->y_child);
    if (!shepard_point_batch_from_columns(&reader->batch, rows->count, &x, &y, counts))
        return shepard_io_fail_memory(reader->reading->error);
    const size_t before = counts->features - rows->count;
    for (size_t i = 0; i < rows->count; i++) {
        shepard_tally_add(&reader->x_tally, reader->batch.kind[0][i], &x, i, before);
        shepard_tally_add(&reader->y_tally, reader->batch.kind[1][i], &y, i, before);
    }
    return SHEPARD_IO_OK;
}

/* Leaves out what cannot be used; the batch stays in order. */
static void drop_unusable(struct shepard_point_state *reader)
{
    struct shepard_point_batch *batch = &reader->batch;
    struct shepard_read_counts *counts = &reader->points->counts;
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const struct shepard_vertex *vertex = &batch->vertex[i];
        if (!isfinite(vertex->x) || !isfinite(vertex->y)) {
            counts->not_finite++;
            continue;
        }
        if (!shepard_clip_area_has(&reader->area, vertex->x, vertex->y)) {
            counts->outside++;
            continue;
        }
        batch->vertex[kept] = *vertex;
        batch->row[kept++] = batch->row[i];
    }
    batch->count = kept;
}

static void store_places(struct shepard_point_state *reader)
{
    const struct shepard_point_batch *batch = &reader->batch;
    double *x = reader->points->x + reader->points->count;
    double *y = reader->points->y + reader->points->count;
    for (size_t i = 0; i < batch->count; i++) {
        const struct shepard_vertex *vertex = &batch->vertex[i];
        const bool usable = isfinite(vertex->x) && isfinite(vertex->y);
        x[i] = usable ? vertex->x : NAN;
        y[i] = usable ? vertex->y : NAN;
    }
}

/* A column of floats holds the float next to nodata, as of -9999.9 or -3.4028235e38. */
static bool is_nodata(const struct shepard_point_state *reader, double value)
{
    const double nodata = reader->options->nodata;
    return reader->options->has_nodata &&
           (value == nodata || (fabs(nodata) <= FLT_MAX && value == (double)(float)nodata) ||
            (fabs(nodata) > 1e30 && fabs(value - nodata) <= 1e-7 * fabs(nodata)));
}

/* What a value of a column, raw, becomes; *kind is what it is by itself and becomes what it is. */
static double take_value(const struct shepard_point_state *reader,
                         struct shepard_value_field *field, double value, unsigned char *kind)
{
    if (!shepard_value_is_number(*kind))
        return NAN;
    if (field->role != SHEPARD_FIELD_VALUE)
        return value;
    if (is_nodata(reader, value)) {
        *kind = SHEPARD_VALUE_NODATA;
        return NAN;
    }
    shepard_ends_add(&field->ends, value);
    return (value + reader->options->z_increase) * reader->options->z_multiply;
}

static unsigned char z_kind(double z)
{
    if (isfinite(z))
        return SHEPARD_VALUE_NUMBER;
    return isnan(z) ? SHEPARD_VALUE_NULL : SHEPARD_VALUE_NOT_FINITE;
}

void shepard_state_take_z(const struct shepard_point_state *reader,
                          struct shepard_value_field *field)
{
    const struct shepard_point_batch *batch = &reader->batch;
    double *values = field->values + reader->points->count;
    for (size_t i = 0; i < batch->count; i++) {
        const double z = batch->vertex[i].z;
        unsigned char kind = z_kind(z);
        values[i] = take_value(reader, field, z, &kind);
        field->tally.count[kind]++;
    }
}

void shepard_state_take_numbers(const struct shepard_point_state *reader,
                                struct shepard_value_field *field)
{
    const struct shepard_point_batch *batch = &reader->batch;
    double *values = field->values + reader->points->count;
    for (size_t i = 0; i < batch->count; i++) {
        const size_t row = batch->row[i];
        unsigned char kind = batch->kind[0][row];
        values[i] = take_value(reader, field, batch->number[0][row], &kind);
        field->tally.count[kind]++;
    }
}

static bool store_numbers(struct shepard_point_state *reader, struct shepard_value_field *field,
                          const struct shepard_batch_column *column, size_t rows)
{
    const struct shepard_point_batch *batch = &reader->batch;
    double *numbers = batch->number[0];
    unsigned char *kinds = batch->kind[0];
    if (!shepard_column_numbers(column, rows, numbers, kinds))
        return false;
    double *values = field->values + reader->points->count;
    const size_t before = reader->points->counts.features - rows;
    for (size_t i = 0; i < batch->count; i++) {
        const size_t row = batch->row[i];
        unsigned char kind = kinds[row];
        values[i] = take_value(reader, field, numbers[row], &kind);
        shepard_tally_add(&field->tally, kind, column, row, before);
    }
    return true;
}

static enum shepard_io_status fail_refused(const struct shepard_point_state *reader)
{
    const char *layer = OGR_L_GetName(reader->pick.layer), *kind = reader->batch.refused;
    if (reader->reading->one_each)
        return shepard_io_fail(
            reader->reading->error, SHEPARD_IO_ERROR_ARGUMENT, "geometry",
            "the query layer \"%.100s\" holds a %s, and a prediction is of one "
            "place; -qgeometry centroids predicts at the centroid of each feature",
            layer, kind);
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_ARGUMENT, "geometry",
                           "layer \"%.100s\" holds a %s, not only points; -geometry vertices takes "
                           "each vertex as a point, as gdal_grid does, -geometry centroids the "
                           "centroid of each feature",
                           layer, kind);
}

enum shepard_io_status shepard_state_take_places(struct shepard_point_state *reader)
{
    if (!reader->reading->one_each)
        drop_unusable(reader);
    if (reader->batch.count == 0)
        return SHEPARD_IO_OK;
    const struct shepard_point_sink *sink = reader->reading->sink;
    if (sink && reader->points->count + reader->batch.count > sink->capacity) {
        const enum shepard_io_status status = shepard_state_hand_over(reader);
        if (status)
            return status;
    }
    if (!reserve(reader, reader->batch.count))
        return shepard_io_fail_memory(reader->reading->error);
    store_places(reader);
    return SHEPARD_IO_OK;
}

void shepard_state_end_batch(struct shepard_point_state *reader)
{
    reader->points->count += reader->batch.count;
}

enum shepard_io_status shepard_state_take(struct shepard_point_state *reader,
                                          const struct shepard_rows *rows)
{
    struct shepard_io_error *error = reader->reading->error;
    if (!shepard_point_batch_reserve_rows(&reader->batch, rows->count))
        return shepard_io_fail_memory(error);
    reader->points->counts.features += rows->count;
    enum shepard_io_status status = read_places(reader, rows);
    if (!status)
        status =
            reader->batch.refused[0] ? fail_refused(reader) : shepard_state_take_places(reader);
    if (status || reader->batch.count == 0)
        return status;
    for (size_t f = 0; f < reader->field_count; f++) {
        struct shepard_value_field *field = &reader->fields[f];
        if (field->field < 0) {
            shepard_state_take_z(reader, field);
            continue;
        }
        const struct shepard_batch_column column = column_of(reader, rows, field->child);
        if (!store_numbers(reader, field, &column, rows->count))
            return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, "fields",
                                   "the field \"%.100s\" is not numeric",
                                   shepard_state_field_name(reader, field->field));
    }
    shepard_state_end_batch(reader);
    return SHEPARD_IO_OK;
}
