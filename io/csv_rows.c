/* SPDX-License-Identifier: MIT */
#include "csv_rows.h"
#include "ogr_number.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <string.h>

/* The text is written in pieces of this size. */
enum { TEXT_SIZE = 1 << 20 };

/* What a field's text is made from. */
enum shepard_csv_field {
    CSV_INTEGER,
    CSV_INTEGER64,
    CSV_REAL,
    CSV_STRING,
    CSV_OTHER /* OGR makes the text */
};

/* ---- What is known --------------------------------------------------------------------------- */

static bool find_point(struct shepard_csv_rows *rows, const char *geometry)
{
    if (EQUAL(geometry, "AS_XY"))
        rows->point = SHEPARD_CSV_POINT_XY;
    else if (EQUAL(geometry, "AS_YX"))
        rows->point = SHEPARD_CSV_POINT_YX;
    else if (EQUAL(geometry, "AS_XYZ"))
        rows->point = SHEPARD_CSV_POINT_XYZ;
    else
        return EQUAL(geometry, "NONE");
    return true;
}

/* A blank as separator has rules of its own. */
static bool find_separator(struct shepard_csv_rows *rows, const char *name)
{
    static const struct {
        const char *name;
        char separator;
    } separators[] = {{"COMMA", ','}, {"SEMICOLON", ';'}, {"TAB", '\t'}, {"PIPE", '|'}};
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
        if (!EQUAL(name, separators[i].name))
            continue;
        rows->separator = separators[i].separator;
        return true;
    }
    return false;
}

static bool take_option(struct shepard_csv_rows *rows, const char *option)
{
    char *name = NULL;
    const char *value = CPLParseNameValue(option, &name);
    bool known = false;
    if (name && value) {
        if (EQUAL(name, "GEOMETRY"))
            known = find_point(rows, value);
        else if (EQUAL(name, "SEPARATOR"))
            known = find_separator(rows, value);
        else if (EQUAL(name, "LINEFORMAT"))
            known = (rows->crlf = EQUAL(value, "CRLF")) || EQUAL(value, "LF");
        else if (EQUAL(name, "STRING_QUOTING"))
            known = EQUAL(value, "IF_NEEDED");
        else
            known = EQUAL(name, "CREATE_CSVT") || EQUAL(name, "WRITE_BOM");
    }
    CPLFree(name);
    return known;
}

static bool find_kind(OGRFieldDefnH field, enum shepard_csv_field *kind)
{
    const bool plain = OGR_Fld_GetSubType(field) == OFSTNone;
    *kind = CSV_OTHER;
    switch (OGR_Fld_GetType(field)) {
    case OFTInteger:
        *kind = plain ? CSV_INTEGER : CSV_OTHER;
        return true;
    case OFTInteger64:
        *kind = plain ? CSV_INTEGER64 : CSV_OTHER;
        return true;
    case OFTReal:
        *kind = plain && OGR_Fld_GetWidth(field) == 0 ? CSV_REAL : CSV_OTHER;
        return true;
    case OFTString:
        *kind = CSV_STRING;
        return true;
    case OFTDate:
    case OFTTime:
    case OFTDateTime:
        return true;
    default:
        return false;
    }
}

bool shepard_csv_rows_make(struct shepard_csv_rows *rows, const struct shepard_csv_layer *layer)
{
    rows->separator = ',';
    rows->fields = OGR_FD_GetFieldCount(layer->table);
    rows->kinds = VSICalloc((size_t)rows->fields + 1, sizeof *rows->kinds);
    rows->text = VSIMalloc(TEXT_SIZE);
    bool known = rows->kinds && rows->text && CSLFetchNameValue(layer->options, "STRING_QUOTING");
    for (int i = 0; known && layer->options[i]; i++)
        known = take_option(rows, layer->options[i]);
    for (int i = 0; known && i < rows->fields; i++)
        known = find_kind(OGR_FD_GetFieldDefn(layer->table, i), &rows->kinds[i]);
    if (!known)
        return false;
    rows->table = layer->table;
    OGR_FD_Reference(rows->table);
    return true;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static bool flush(struct shepard_csv_rows *rows)
{
    const size_t used = rows->used;
    rows->used = 0;
    return VSIFWriteL(rows->text, 1, used, rows->file) == used;
}

/* Room for a number; NULL: writing failed. */
static char *number_room(struct shepard_csv_rows *rows)
{
    if (TEXT_SIZE - rows->used < SHEPARD_OGR_NUMBER_MAX && !flush(rows))
        return NULL;
    return rows->text + rows->used;
}

static bool add_character(struct shepard_csv_rows *rows, char character)
{
    if (rows->used == TEXT_SIZE && !flush(rows))
        return false;
    rows->text[rows->used++] = character;
    return true;
}

static bool add_bytes(struct shepard_csv_rows *rows, const char *bytes, size_t count)
{
    if (count > TEXT_SIZE - rows->used && !flush(rows))
        return false;
    if (count > TEXT_SIZE)
        return VSIFWriteL(bytes, 1, count, rows->file) == count;
    memcpy(rows->text + rows->used, bytes, count);
    rows->used += count;
    return true;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Whether all characters are letters, digits, blanks inside and others that no rule about quotes is
 * about. Finds the length. */
static bool is_plain(const char *text, size_t *length)
{
    static const char others[] = " _-.:/()";
    size_t i = 0;
    for (; text[i]; i++) {
        const unsigned char c = (unsigned char)text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c < 0x80 && !strchr(others, c))
            return false;
    }
    *length = i;
    return i == 0 || (text[0] != ' ' && text[i - 1] != ' ');
}

static bool add_text(struct shepard_csv_rows *rows, const char *text)
{
    size_t length;
    if (is_plain(text, &length)) {
        rows->empty = rows->empty && length == 0;
        return add_bytes(rows, text, length);
    }
    char *escaped = CPLEscapeString(text, -1, CPLES_CSV);
    const bool good = escaped && add_bytes(rows, escaped, strlen(escaped));
    CPLFree(escaped);
    rows->empty = false;
    return good;
}

static bool add_number(struct shepard_csv_rows *rows, enum shepard_csv_field kind,
                       const OGRField *value)
{
    char *text = number_room(rows);
    if (!text)
        return false;
    if (kind == CSV_REAL)
        rows->used += shepard_ogr_number_real(value->Real, text);
    else
        rows->used += shepard_ogr_number_integer(
            kind == CSV_INTEGER ? value->Integer : value->Integer64, text);
    rows->empty = false;
    return true;
}

static bool add_value(struct shepard_csv_rows *rows, OGRFeatureH feature, int field)
{
    const OGRField *value = OGR_F_GetRawFieldRef(feature, field);
    if (OGR_RawField_IsUnset(value) || OGR_RawField_IsNull(value))
        return true;
    switch (rows->kinds[field]) {
    case CSV_STRING:
        return add_text(rows, value->String);
    case CSV_OTHER:
        return add_text(rows, OGR_F_GetFieldAsString(feature, field));
    default:
        return add_number(rows, rows->kinds[field], value);
    }
}

/* Anything but a point leaves its columns empty. */
static bool add_point(struct shepard_csv_rows *rows, OGRFeatureH feature)
{
    OGRGeometryH point = OGR_F_GetGeometryRef(feature);
    char *text = number_room(rows);
    if (!text)
        return false;
    const bool has_z = rows->point == SHEPARD_CSV_POINT_XYZ;
    if (!point || wkbFlatten(OGR_G_GetGeometryType(point)) != wkbPoint)
        return add_character(rows, rows->separator) &&
               (!has_z || add_character(rows, rows->separator));
    const double x = OGR_G_GetX(point, 0), y = OGR_G_GetY(point, 0);
    const bool swapped = rows->point == SHEPARD_CSV_POINT_YX;
    rows->used += shepard_ogr_number_pair(swapped ? y : x, swapped ? x : y, rows->separator, text);
    if (!has_z)
        return true;
    text = add_character(rows, rows->separator) ? number_room(rows) : NULL;
    if (!text)
        return false;
    rows->used += shepard_ogr_number_z(OGR_G_GetZ(point, 0), text);
    return true;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

bool shepard_csv_rows_open(struct shepard_csv_rows *rows, const char *path)
{
    rows->file = VSIFOpenL(path, "ab");
    return rows->file != NULL;
}

bool shepard_csv_rows_add(struct shepard_csv_rows *rows, OGRFeatureH feature)
{
    const bool shown = rows->point != SHEPARD_CSV_POINT_HIDDEN;
    bool good = !shown || add_point(rows, feature);
    rows->empty = true;
    for (int i = 0; good && i < rows->fields; i++) {
        good = (i == 0 && !shown) || add_character(rows, rows->separator);
        good = good && add_value(rows, feature, i);
    }
    /* A line without any character would be no row. */
    if (good && rows->fields == 1 && rows->empty)
        good = add_character(rows, rows->separator);
    if (good && rows->crlf)
        good = add_character(rows, '\r');
    return good && add_character(rows, '\n');
}

bool shepard_csv_rows_close(struct shepard_csv_rows *rows)
{
    bool good = flush(rows);
    good = VSIFCloseL(rows->file) == 0 && good;
    rows->file = NULL;
    return good;
}

void shepard_csv_rows_free(struct shepard_csv_rows *rows)
{
    if (rows->file)
        VSIFCloseL(rows->file);
    if (rows->table)
        OGR_FD_Release(rows->table);
    VSIFree(rows->kinds);
    VSIFree(rows->text);
    *rows = (struct shepard_csv_rows){0};
}
