/* SPDX-License-Identifier: MIT */
#include "field_list.h"
#include "point_state.h"
#include "shape_files.h"

#include <cpl_conv.h>
#include <cpl_string.h>

static enum shepard_io_status refuse_las_choice(const struct shepard_point_state *reader)
{
    const struct shepard_las_choice *las = &reader->options->las;
    if (!las->classes && !las->return_number && !las->withheld)
        return SHEPARD_IO_OK;
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_ARGUMENT, "las",
                           "-class, -return and -withheld choose points of LAS files, which "
                           "\"%.200s\" is not; use -where \"FIELD = VALUE\"",
                           reader->reading->source->path);
}

static enum shepard_io_status pick_layers(struct shepard_point_state *reader)
{
    const struct shepard_reading *reading = reader->reading;
    const struct shepard_layer_choice choice = {.layer = reader->options->layer,
                                                .sql = reader->options->sql,
                                                .where = reader->options->where};
    struct shepard_source *source = reading->source;
    if (shepard_state_goes_by_type(reader))
        shepard_source_detect_all(source);
    const enum shepard_io_status status = shepard_layer_selection_find(
        &reader->pick, source->dataset, source->path, &choice, reading->trap, reading->error);
    if (status)
        return status;
    reader->rows = reader->pick.layer;
    shepard_shape_files_check(&reader->pick, reading->control);
    GDALDatasetH text = shepard_state_goes_by_type(reader) ? NULL : shepard_source_as_text(source);
    if (!text)
        return SHEPARD_IO_OK;
    const enum shepard_io_status again = shepard_layer_selection_find(
        &reader->text, text, source->path, &choice, reading->trap, reading->error);
    if (!again)
        reader->rows = reader->text.layer;
    return again;
}

/* name: what the user calls it. Tables without a header have other names for x, y and z. */
static enum shepard_io_status add_field(struct shepard_point_state *reader, int field,
                                        const char *name, enum shepard_field_role role)
{
    const bool own = field >= 0 && shepard_headerless_field(reader->pick.layer, name) != field;
    const struct shepard_value_field added = {
        .field = field,
        .name = CPLStrdup(own ? shepard_state_field_name(reader, field) : name),
        .child = -1,
        .role = role};
    const enum shepard_io_status status = shepard_state_add_field(reader, &added);
    if (status)
        CPLFree(added.name);
    return status;
}

static enum shepard_io_status add_named_field(struct shepard_point_state *reader, const char *name,
                                              enum shepard_field_role role)
{
    int field;
    const enum shepard_io_status status = shepard_find_field(
        reader->pick.layer, name, shepard_field_argument(role), &field, reader->reading->error);
    return status ? status : add_field(reader, field, name, role);
}

static enum shepard_io_status add_fields(struct shepard_point_state *reader, const char *text)
{
    char **names = NULL;
    enum shepard_io_status status =
        shepard_field_list_add(reader->pick.layer, text, &names, reader->reading->error);
    for (int i = 0; !status && names && names[i]; i++)
        status = add_named_field(reader, names[i], SHEPARD_FIELD_VALUE);
    CSLDestroy(names);
    return status;
}

enum shepard_io_status shepard_state_fail_no_z(const struct shepard_point_state *reader,
                                               const char *what)
{
    char fields[700] = "";
    shepard_state_append_fields(reader, fields, sizeof fields);
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, "fields",
                           "%s in layer \"%.100s\"; name a value field with -zfield; %s", what,
                           shepard_state_layer_name(reader), fields);
}

static enum shepard_io_status add_default_field(struct shepard_point_state *reader)
{
    if (reader->xy.x < 0)
        return add_field(reader, -1, "Z", SHEPARD_FIELD_VALUE);
    int z;
    const enum shepard_io_status status =
        shepard_z_column_find(reader->pick.layer, &reader->xy, &z, reader->reading->error);
    if (status)
        return status;
    return z < 0 ? shepard_state_fail_no_z(reader, "it is not clear which column holds the values")
                 : add_field(reader, z, "z", SHEPARD_FIELD_VALUE);
}

static enum shepard_io_status check_z_coordinate(const struct shepard_point_state *reader)
{
    const bool by_default = !reader->options->fields || !reader->options->fields[0];
    const struct shepard_value_field *z = &reader->fields[reader->field_count - 1];
    if (reader->reading->one_each || !by_default || reader->fields[0].field != z->field)
        return SHEPARD_IO_OK;
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, "fields",
                           "%s is the third coordinate of layer \"%.100s\"; name the field of the "
                           "values with -zfield",
                           z->name, OGR_L_GetName(reader->pick.layer));
}

/* The geometry's Z, unless a field has this name. */
static enum shepard_io_status add_z_coordinate(struct shepard_point_state *reader, const char *name)
{
    const bool of_geometry = reader->xy.x < 0 && EQUAL(name, "Z") &&
                             OGR_L_FindFieldIndex(reader->pick.layer, name, FALSE) < 0;
    const enum shepard_io_status status =
        of_geometry ? add_field(reader, -1, "Z", SHEPARD_FIELD_Z_COORDINATE)
                    : add_named_field(reader, name, SHEPARD_FIELD_Z_COORDINATE);
    return status ? status : check_z_coordinate(reader);
}

static void note_no_header(const struct shepard_point_state *reader)
{
    const struct shepard_read_options *options = reader->options;
    OGRLayerH layer = reader->pick.layer;
    const bool z = shepard_headerless_field(layer, "z") >= 0;
    if (!options->x_field && reader->xy.x >= 0 &&
        reader->xy.x == shepard_headerless_field(layer, "x"))
        shepard_io_warn(reader->reading->control,
                        "layer %s has no header: its columns field_1%s are taken as x%s; give "
                        "-xfield, -yfield and -zfield if that is wrong",
                        OGR_L_GetName(layer), z ? ", field_2 and field_3" : " and field_2",
                        z ? ", y and z" : " and y");
}

static enum shepard_io_status choose_fields(struct shepard_point_state *reader)
{
    const struct shepard_read_options *options = reader->options;
    enum shepard_io_status status =
        shepard_xy_columns_find(reader->pick.layer, options->x_field, options->y_field, &reader->xy,
                                reader->reading->error);
    if (!status)
        note_no_header(reader);
    if (status)
        return status;
    if (!reader->reading->one_each && (!options->fields || !options->fields[0]))
        status = add_default_field(reader);
    for (size_t i = 0; !status && options->fields && options->fields[i]; i++)
        status = add_fields(reader, options->fields[i]);
    if (!status && options->weight_field)
        status = add_named_field(reader, options->weight_field, SHEPARD_FIELD_WEIGHT);
    if (!status && options->z_field)
        status = add_z_coordinate(reader, options->z_field);
    for (size_t f = 0; !status && f < reader->field_count; f++)
        if (reader->fields[f].field >= 0)
            status = shepard_check_single_field(reader->pick.layer, reader->fields[f].field,
                                                reader->reading->error);
    return status;
}

/* OGR need not read what nobody asks for. A condition may use any field, so then all stay. */
static void ignore_other_fields(const struct shepard_point_state *reader)
{
    if (reader->options->where || !OGR_L_TestCapability(reader->rows, OLCIgnoreFields))
        return;
    OGRFeatureDefnH table = OGR_L_GetLayerDefn(reader->rows);
    char **ignored = CSLAddString(NULL, "OGR_STYLE");
    if (reader->xy.x >= 0)
        ignored = CSLAddString(ignored, "OGR_GEOMETRY");
    for (int i = 0; i < OGR_FD_GetFieldCount(table); i++) {
        bool used = i == reader->xy.x || i == reader->xy.y;
        for (size_t f = 0; f < reader->field_count; f++)
            used |= reader->fields[f].field == i;
        if (!used)
            ignored = CSLAddString(ignored, shepard_field_name(reader->rows, i));
    }
    OGR_L_SetIgnoredFields(reader->rows, (const char **)(uintptr_t)ignored);
    CSLDestroy(ignored);
}

static enum shepard_io_status choose_rows(struct shepard_point_state *reader)
{
    const struct shepard_reading *reading = reader->reading;
    const enum shepard_io_status status =
        shepard_clip_area_make(&reader->area, reading, reader->points->source_srs);
    /* A centroid may lie where its polygon does not. */
    const bool filtered = reader->options->geometry != SHEPARD_GEOMETRY_CENTROIDS;
    if (!status)
        shepard_state_choose_range(reader);
    if (!status && reader->area.filter && reader->xy.x < 0 && filtered)
        OGR_L_SetSpatialFilter(reader->rows, reader->area.filter);
    return status;
}

enum shepard_io_status shepard_state_choose(struct shepard_point_state *reader)
{
    enum shepard_io_status status = refuse_las_choice(reader);
    if (!status)
        status = pick_layers(reader);
    if (!status)
        status = choose_fields(reader);
    if (!status)
        status = shepard_state_begin_sink(reader);
    if (!status)
        status = shepard_state_check_typed(reader);
    if (!status)
        status = shepard_state_choose_crs(reader);
    if (!status)
        status = choose_rows(reader);
    if (!status)
        ignore_other_fields(reader);
    return status;
}
