/* SPDX-License-Identifier: MIT */
#include "layer_field.h"

#include <cpl_conv.h>

const char *shepard_field_name(OGRLayerH layer, int i)
{
    return OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(OGR_L_GetLayerDefn(layer), i));
}

static OGRFieldType field_type(OGRLayerH layer, int i)
{
    return OGR_Fld_GetType(OGR_FD_GetFieldDefn(OGR_L_GetLayerDefn(layer), i));
}

static bool is_numeric(OGRFieldType type)
{
    return type == OFTInteger || type == OFTInteger64 || type == OFTReal;
}

void shepard_append_numeric_fields(OGRLayerH layer, int skip_a, int skip_b, char *text, size_t size)
{
    const int count = OGR_FD_GetFieldCount(OGR_L_GetLayerDefn(layer));
    const char **names = CPLCalloc((size_t)count + 1, sizeof *names);
    size_t n = 0;
    for (int i = 0; i < count; i++)
        if (i != skip_a && i != skip_b && is_numeric(field_type(layer, i)))
            names[n++] = shepard_field_name(layer, i);
    shepard_text_append(text, size, n ? "numeric fields: " : "the layer has no numeric field");
    shepard_text_append_names(text, size, names, n, SHEPARD_NAMES_SHOWN);
    CPLFree(names);
}

static const char **all_fields(OGRLayerH layer, size_t *count)
{
    *count = (size_t)OGR_FD_GetFieldCount(OGR_L_GetLayerDefn(layer));
    const char **names = CPLCalloc(*count + 1, sizeof *names);
    for (size_t i = 0; i < *count; i++)
        names[i] = shepard_field_name(layer, (int)i);
    return names;
}

void shepard_append_fields(OGRLayerH layer, char *text, size_t size)
{
    size_t count;
    const char **names = all_fields(layer, &count);
    shepard_text_append(text, size, count ? "fields: " : "the layer has no field");
    shepard_text_append_names(text, size, names, count, SHEPARD_NAMES_SHOWN);
    CPLFree(names);
}

static enum shepard_io_status fail_field(OGRLayerH layer, const char *name, const char *argument,
                                         struct shepard_io_error *error)
{
    size_t count;
    const char **names = all_fields(layer, &count);
    const char *nearest = shepard_nearest_name(name, names, count);
    CPLFree(names);
    char guess[120] = "", list[700] = "";
    if (nearest)
        shepard_text_append(guess, sizeof guess, "did you mean \"%.100s\"? ", nearest);
    shepard_append_numeric_fields(layer, -1, -1, list, sizeof list);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, argument,
                           "no field \"%.100s\" in layer \"%.100s\"; %s%s", name,
                           OGR_L_GetName(layer), guess, list);
}

enum shepard_io_status shepard_check_single_field(OGRLayerH layer, int field,
                                                  struct shepard_io_error *error)
{
    const int count = OGR_FD_GetFieldCount(OGR_L_GetLayerDefn(layer));
    for (int i = 0; i < count; i++)
        if (i != field && EQUAL(shepard_field_name(layer, i), shepard_field_name(layer, field)))
            return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, "fields",
                                   "the table \"%.100s\" has two columns called \"%.100s\" "
                                   "(columns %d and %d; they differ at most in letter case): "
                                   "rename one of them",
                                   OGR_L_GetName(layer), shepard_field_name(layer, field),
                                   (i < field ? i : field) + 1, (i < field ? field : i) + 1);
    return SHEPARD_IO_OK;
}

int shepard_headerless_field(OGRLayerH layer, const char *name)
{
    static const char *const names[][2] = {{"x", "field_1"}, {"y", "field_2"}, {"z", "field_3"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (EQUAL(name, names[i][0]))
            return OGR_FD_GetFieldIndex(OGR_L_GetLayerDefn(layer), names[i][1]);
    return -1;
}

enum shepard_io_status shepard_find_field(OGRLayerH layer, const char *name, const char *argument,
                                          int *field, struct shepard_io_error *error)
{
    *field = OGR_FD_GetFieldIndex(OGR_L_GetLayerDefn(layer), name);
    if (*field < 0)
        *field = shepard_headerless_field(layer, name);
    if (*field < 0)
        return fail_field(layer, name, argument, error);
    const OGRFieldType type = field_type(layer, *field);
    if (is_numeric(type) || type == OFTString)
        return SHEPARD_IO_OK;
    char list[700] = "";
    shepard_append_numeric_fields(layer, -1, -1, list, sizeof list);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, argument,
                           "the field \"%.100s\" is not numeric (it is of type %s); %s", name,
                           OGR_GetFieldTypeName(type), list);
}
