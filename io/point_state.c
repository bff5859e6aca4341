/* SPDX-License-Identifier: MIT */
#include "point_state.h"
#include "las_set.h"

#include <math.h>
#include <stdlib.h>

const char *shepard_state_field_name(const struct shepard_point_state *reader, int field)
{
    return reader->reading->source->las ? reader->fields[field].name
                                        : shepard_field_name(reader->pick.layer, field);
}

const char *shepard_state_layer_name(const struct shepard_point_state *reader)
{
    const struct shepard_las_set *las = reader->reading->source->las;
    return las ? las->name : OGR_L_GetName(reader->pick.layer);
}

void shepard_state_append_fields(const struct shepard_point_state *reader, char *text, size_t size)
{
    const struct shepard_las_set *las = reader->reading->source->las;
    if (las)
        shepard_las_set_append_dimensions(las, text, size);
    else
        shepard_append_numeric_fields(reader->pick.layer, reader->xy.x, reader->xy.y, text, size);
}

enum shepard_io_status shepard_state_add_field(struct shepard_point_state *reader,
                                               const struct shepard_value_field *field)
{
    struct shepard_value_field *grown =
        realloc(reader->fields, (reader->field_count + 1) * sizeof *reader->fields);
    if (!grown)
        return shepard_io_fail_memory(reader->reading->error);
    reader->fields = grown;
    grown[reader->field_count++] = *field;
    return SHEPARD_IO_OK;
}

const char *shepard_field_argument(enum shepard_field_role role)
{
    static const char *const names[] = {[SHEPARD_FIELD_VALUE] = "fields",
                                        [SHEPARD_FIELD_WEIGHT] = "weight_field",
                                        [SHEPARD_FIELD_Z_COORDINATE] = "z_field"};
    return names[role];
}

bool shepard_state_goes_by_type(const struct shepard_point_state *reader)
{
    return reader->options->sql || reader->options->where;
}

bool shepard_state_find_columns(struct shepard_point_state *reader, shepard_find_column *find,
                                const void *rows)
{
    reader->x_child = find(reader, reader->xy.x, rows);
    reader->y_child = find(reader, reader->xy.y, rows);
    bool found = reader->x_child >= 0 && reader->y_child >= 0;
    for (size_t f = 0; f < reader->field_count; f++) {
        reader->fields[f].child = find(reader, reader->fields[f].field, rows);
        found = found && reader->fields[f].child >= 0;
    }
    return found;
}

enum shepard_io_status shepard_state_fail_read(const struct shepard_point_state *reader)
{
    const struct shepard_reading *reading = reader->reading;
    return shepard_source_fail_read(reading->source, reader->points->counts.features, reading->trap,
                                    reading->error);
}

enum shepard_io_status shepard_state_report(const struct shepard_point_state *reader)
{
    const double read = (double)reader->points->counts.features;
    const double fraction = reader->total > 0.0 ? fmin(read / reader->total, 1.0) : 0.0;
    return shepard_io_progress(reader->reading->control, fraction)
               ? SHEPARD_IO_OK
               : shepard_io_fail_cancelled(reader->reading->error);
}
