/* SPDX-License-Identifier: MIT */
#include "field_list.h"

#include "layer_field.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <stdlib.h>
#include <string.h>

/* "d001-d365". */
struct field_range {
    char *prefix; /* "d" */
    int width;    /* of the first number: 3 */
    unsigned long first, last;
};

static bool has_field(OGRLayerH layer, const char *name)
{
    return OGR_FD_GetFieldIndex(OGR_L_GetLayerDefn(layer), name) >= 0;
}

static size_t digits_at_end(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[length - n - 1] >= '0' && text[length - n - 1] <= '9')
        n++;
    return n;
}

/* Nine digits fit an unsigned long everywhere. */
static bool is_number(size_t digits)
{
    return digits > 0 && digits <= 9;
}

/* Splits a text at one of its dashes; false: the two sides are not a prefix and numbers. */
static bool split_range(const char *text, size_t dash, struct field_range *range)
{
    const char *last = text + dash + 1;
    const size_t length = strlen(last);
    const size_t first_digits = digits_at_end(text, dash);
    const size_t last_digits = digits_at_end(last, length);
    const size_t prefix = dash - first_digits;
    if (!is_number(first_digits) || !is_number(last_digits) || length - last_digits != prefix ||
        !EQUALN(text, last, prefix))
        return false;
    range->prefix = CPLStrdup(text);
    range->prefix[prefix] = '\0';
    range->width = (int)first_digits;
    range->first = strtoul(text + prefix, NULL, 10);
    range->last = strtoul(last + prefix, NULL, 10);
    return true;
}

static bool find_range(const char *text, struct field_range *range)
{
    bool found = false;
    for (size_t i = 0; text[i] && !found; i++)
        found = text[i] == '-' && split_range(text, i, range);
    return found;
}

static enum shepard_io_status fail_missing(OGRLayerH layer, const char *text, const char *name,
                                           struct shepard_io_error *error)
{
    char fields[700] = "";
    shepard_append_fields(layer, fields, sizeof fields);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, "fields",
                           "no field \"%.100s\" in layer \"%.100s\", which is part of the range "
                           "\"%.100s\"; %s",
                           name, OGR_L_GetName(layer), text, fields);
}

static enum shepard_io_status add_range(OGRLayerH layer, const char *text,
                                        const struct field_range *range, char ***names,
                                        struct shepard_io_error *error)
{
    if (range->last < range->first)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, "fields",
                               "the range of fields \"%.100s\" goes down: write the smaller number "
                               "first",
                               text);
    for (unsigned long i = range->first; i <= range->last; i++) {
        const char *name = CPLSPrintf("%s%0*lu", range->prefix, range->width, i);
        if (!has_field(layer, name))
            return fail_missing(layer, text, name, error);
        *names = CSLAddString(*names, name);
    }
    return SHEPARD_IO_OK;
}

/* A text without commas, or with those of its name. */
static enum shepard_io_status add_part(OGRLayerH layer, const char *text, char ***names,
                                       struct shepard_io_error *error)
{
    struct field_range range;
    if (has_field(layer, text) || !find_range(text, &range)) {
        *names = CSLAddString(*names, text);
        return SHEPARD_IO_OK;
    }
    const enum shepard_io_status status = add_range(layer, text, &range, names, error);
    CPLFree(range.prefix);
    return status;
}

/* The longest start of the text, up to a comma or the end, that is a field; else up to a comma. */
static size_t part_length(OGRLayerH layer, const char *text)
{
    char *part = CPLStrdup(text);
    char *comma = part + strlen(part);
    while (comma && !has_field(layer, part)) {
        comma = strrchr(part, ',');
        if (comma)
            *comma = '\0';
    }
    const size_t length = comma ? strlen(part) : strcspn(text, ",");
    CPLFree(part);
    return length;
}

enum shepard_io_status shepard_field_list_add(OGRLayerH layer, const char *text, char ***names,
                                              struct shepard_io_error *error)
{
    const int before = CSLCount(*names);
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (const char *rest = text; !status && *rest; rest += *rest == ',') {
        const size_t length = part_length(layer, rest);
        char *part = CPLStrdup(rest);
        part[length] = '\0';
        if (length > 0)
            status = add_part(layer, part, names, error);
        CPLFree(part);
        rest += length;
    }
    if (!status && CSLCount(*names) == before)
        status =
            shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "fields",
                            "-zfield: '%.100s' names nothing; name a field, or leave it out", text);
    return status;
}
