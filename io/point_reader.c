/* SPDX-License-Identifier: MIT */
#include "point_reader.h"

#include "las_reader.h"
#include "point_state.h"

#include <cpl_conv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What was read --------------------------------------------------------------------------- */

/* What stands in the coordinate columns of the first row, where a table gave no point. */
static void append_first_place(const struct shepard_point_state *reader, char *text, size_t size)
{
    if (reader->xy.x < 0)
        return;
    const OGRLayerH layer = reader->rows;
    OGR_L_SetIgnoredFields(layer, NULL);
    OGR_L_ResetReading(layer);
    OGRFeatureH row = OGR_L_GetNextFeature(layer);
    if (!row)
        return;
    char *x = CPLStrdup(OGR_F_GetFieldAsString(row, reader->xy.x));
    const char *y = OGR_F_GetFieldAsString(row, reader->xy.y);
    shepard_text_append(text, size, "; the first x and y are \"%.40s\" and \"%.40s\"", x, y);
    CPLFree(x);
    OGR_F_Destroy(row);
}

static enum shepard_io_status fail_no_points(const struct shepard_point_state *reader)
{
    const struct shepard_read_counts *counts = &reader->points->counts;
    const bool filtered = reader->options->where || reader->area.box.given || reader->area.clip;
    char why[600] = "";
    if (counts->features == 0 && reader->reading->source->las)
        shepard_las_append_why(reader, why, sizeof why);
    else if (counts->features == 0)
        shepard_text_append(why, sizeof why,
                            filtered ? "no feature passes -where, -spat and -clipsrc"
                                     : "it has no features");
    else
        shepard_text_append(why, sizeof why,
                            "of %zu features %zu have no geometry or coordinates and %zu an empty "
                            "one; %zu points have coordinates that are not finite numbers, %zu "
                            "lie outside -spat or -clipsrc%s",
                            counts->features, counts->no_geometry, counts->empty_geometry,
                            counts->not_finite, counts->outside,
                            counts->no_z > 0 ? ", and the others have no third coordinate" : "");
    if (counts->not_finite > 0)
        append_first_place(reader, why, sizeof why);
    if (reader->reading->source->start.indented)
        shepard_text_append(why, sizeof why,
                            "; lines begin with blanks, which mean an empty first column: remove "
                            "them, as with sed 's/^ *//'");
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_NO_POINTS, "path",
                           "no usable point in layer \"%.100s\" of \"%.200s\": %s",
                           shepard_state_layer_name(reader), reader->reading->source->path, why);
}

static enum shepard_io_status check_fields(const struct shepard_point_state *reader)
{
    const struct shepard_point_sink *sink = reader->reading->sink;
    const size_t count = sink ? sink->taken : reader->points->count;
    for (size_t f = 0; f < reader->field_count; f++) {
        const struct shepard_value_field *field = &reader->fields[f];
        const struct shepard_text_loss loss = shepard_tally_loss(&field->tally);
        if (shepard_tally_numbers(&field->tally) > 0)
            continue;
        if (field->field < 0)
            return field->role == SHEPARD_FIELD_VALUE
                       ? shepard_state_fail_no_z(reader, "the points have no Z")
                       : shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, "z_field",
                                         "the points of layer \"%.100s\" have no Z for -zdim; name "
                                         "the field of the third coordinate",
                                         OGR_L_GetName(reader->pick.layer));
        char list[700] = "";
        shepard_state_append_fields(reader, list, sizeof list);
        if (loss.count > 0)
            return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, "fields",
                                   "the field \"%.100s\" is not numeric: it holds text such as "
                                   "\"%s\" in row %zu; %s",
                                   shepard_state_field_name(reader, field->field), loss.text,
                                   loss.row, list);
        return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, "fields",
                               "the field \"%.100s\" has no value at any of the %zu points; %s",
                               shepard_state_field_name(reader, field->field), count, list);
    }
    return SHEPARD_IO_OK;
}

/* The ends of the numbers that are not NaN, as fmin and fmax have them, which are slow. */
static void extend(const double *numbers, size_t count, double *least, double *most)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = numbers[i] < low ? numbers[i] : low;
        high = numbers[i] > high ? numbers[i] : high;
    }
    *least = low <= high ? low : NAN;
    *most = low <= high ? high : NAN;
}

static void store_extent(struct shepard_point_set *points)
{
    struct shepard_bounds *box = &points->extent;
    if (points->count == 0)
        return;
    *box = (struct shepard_bounds){true, NAN, NAN, NAN, NAN};
    extend(points->x, points->count, &box->x_min, &box->x_max);
    extend(points->y, points->count, &box->y_min, &box->y_max);
}

static void store_names(struct shepard_point_state *reader)
{
    struct shepard_point_set *points = reader->points;
    points->layer = CPLStrdup(shepard_state_layer_name(reader));
    if (reader->xy.x < 0)
        return;
    points->x_name = CPLStrdup(shepard_state_field_name(reader, reader->xy.x));
    points->y_name = CPLStrdup(shepard_state_field_name(reader, reader->xy.y));
}

static void store_weights(struct shepard_point_set *points, const struct shepard_value_field *field)
{
    points->weights = field->values;
    points->counts.weight_null = shepard_tally_missing(&field->tally);
    points->counts.weight_not_finite = shepard_tally_bad(&field->tally);
    points->counts.weight_lost = shepard_tally_loss(&field->tally);
}

static void store_z(struct shepard_point_set *points, struct shepard_value_field *field)
{
    points->z = field->values;
    points->counts.z_lost = shepard_tally_loss(&field->tally);
    points->z_name = field->name;
    field->name = NULL;
}

static void store_column(const struct shepard_point_state *reader, double **values,
                         struct shepard_value_field *field)
{
    struct shepard_point_set *points = reader->points;
    values[points->columns] = field->values;
    points->column[points->columns++] = (struct shepard_column){
        .name = field->name,
        .by_default = !reader->options->fields || !reader->options->fields[0],
        .values = field->values,
        .null = shepard_tally_missing(&field->tally),
        .not_finite = shepard_tally_bad(&field->tally),
        .nodata = field->tally.count[SHEPARD_VALUE_NODATA],
        .lost = shepard_tally_loss(&field->tally),
        .stray = shepard_value_ends_stray(&field->ends),
    };
    field->name = NULL;
    if (reader->reading->sink)
        reader->reading->sink->ends = field->ends;
}

/* Hands the fields' arrays over to the points. */
static enum shepard_io_status store_fields(struct shepard_point_state *reader)
{
    struct shepard_point_set *points = reader->points;
    points->column = calloc(reader->field_count + 1, sizeof *points->column);
    double **values = calloc(reader->field_count + 1, sizeof *values);
    points->values = values;
    if (!points->column || !values)
        return shepard_io_fail_memory(reader->reading->error);
    for (size_t f = 0; f < reader->field_count; f++) {
        struct shepard_value_field *field = &reader->fields[f];
        if (field->role == SHEPARD_FIELD_WEIGHT)
            store_weights(points, field);
        else if (field->role == SHEPARD_FIELD_Z_COORDINATE)
            store_z(points, field);
        else
            store_column(reader, values, field);
        field->values = NULL;
    }
    return SHEPARD_IO_OK;
}

/* The corners of their extent stand for the points that were handed over. */
static enum shepard_io_status stand_in(struct shepard_point_state *reader)
{
    enum { CORNERS = 2 };
    const struct shepard_point_sink *sink = reader->reading->sink;
    const enum shepard_io_status status = shepard_state_hand_over(reader);
    if (!status && sink->taken == 0 && !sink->by_range && reader->points->counts.untransformed > 0)
        return shepard_state_fail_untransformed(reader);
    if (status || (sink->taken == 0 && !sink->by_range))
        return status;
    if (!shepard_state_resize(reader, CORNERS))
        return shepard_io_fail_memory(reader->reading->error);
    struct shepard_point_set *points = reader->points;
    points->count = CORNERS;
    points->x[0] = sink->extent.x_min;
    points->x[1] = sink->extent.x_max;
    points->y[0] = sink->extent.y_min;
    points->y[1] = sink->extent.y_max;
    for (size_t f = 0; f < reader->field_count; f++) {
        const bool weight = reader->fields[f].role == SHEPARD_FIELD_WEIGHT;
        reader->fields[f].values[0] = weight ? 1 : reader->fields[f].least;
        reader->fields[f].values[1] = weight ? 1 : reader->fields[f].most;
    }
    return SHEPARD_IO_OK;
}

static enum shepard_io_status finish(struct shepard_point_state *reader)
{
    if (reader->reading->sink) {
        const enum shepard_io_status handed = stand_in(reader);
        if (handed)
            return handed;
    }
    const bool one_each = reader->reading->one_each;
    if (reader->points->count == 0 && !one_each)
        return fail_no_points(reader);
    const struct shepard_point_sink *sink = reader->reading->sink;
    const bool all_known = !one_each && !(sink && sink->by_range);
    enum shepard_io_status status = all_known ? check_fields(reader) : SHEPARD_IO_OK;
    if (!status)
        status = shepard_state_check_texts(reader);
    if (status)
        return status;
    shepard_state_drop_without_z(reader);
    if (reader->points->count == 0 && !one_each)
        return fail_no_points(reader);
    status = shepard_state_finish_crs(reader);
    if (status)
        return status;
    reader->points->counts.x_lost = shepard_tally_loss(&reader->x_tally);
    reader->points->counts.y_lost = shepard_tally_loss(&reader->y_tally);
    if (reader->points->count > 0 && reader->points->count < reader->capacity &&
        !shepard_state_resize(reader, reader->points->count))
        return shepard_io_fail_memory(reader->reading->error);
    store_extent(reader->points);
    store_names(reader);
    return store_fields(reader);
}

static void release(struct shepard_point_state *reader)
{
    for (size_t f = 0; f < reader->field_count; f++) {
        free(reader->fields[f].values);
        CPLFree(reader->fields[f].name);
    }
    free(reader->fields);
    free(reader->sunk.numbers);
    shepard_point_batch_free(&reader->batch);
    shepard_clip_area_free(&reader->area);
    shepard_layer_selection_release(&reader->text);
    shepard_layer_selection_release(&reader->pick);
    GDALClose(reader->view);
}

enum shepard_io_status shepard_read_points(const struct shepard_reading *reading,
                                           struct shepard_point_set *points)
{
    struct shepard_point_state reader = {
        .reading = reading,
        .options = reading->options,
        .points = points,
        .batch = {.one_each = reading->one_each, .use = reading->options->geometry}};
    enum shepard_io_status status;
    if (reading->source->las) {
        status = shepard_las_read_points(&reader);
    } else {
        status = shepard_state_choose(&reader);
        if (!status) {
            shepard_state_expect(&reader);
            status = shepard_state_read(&reader);
        }
    }
    if (!status)
        status = finish(&reader);
    release(&reader);
    return status;
}

enum shepard_io_status shepard_source_read(struct shepard_source *source,
                                           const struct shepard_read_options *options,
                                           struct shepard_point_set *points,
                                           const struct shepard_io_control *control,
                                           struct shepard_io_error *error)
{
    if (!source || !options || !points)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "source",
                               "source, options and points must not be NULL");
    if (!isfinite(options->z_increase) || !isfinite(options->z_multiply))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "z_multiply",
                               "z_increase and z_multiply must be finite numbers");
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    const struct shepard_reading reading = {
        .source = source, .options = options, .control = control, .trap = &trap, .error = error};
    const enum shepard_io_status status = shepard_read_points(&reading, points);
    if (status)
        shepard_point_set_clear(points);
    return shepard_gdal_error_scope_end(&trap, status);
}
