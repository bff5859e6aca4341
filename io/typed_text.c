/* SPDX-License-Identifier: MIT */
/* Columns of a CSV that OGR itself reads as numbers, for conditions and SQL. Between semicolons it
 * takes a comma for a decimal sign: whether that is right shows in the texts of all rows. */
#include "decimal_sign.h"
#include "point_state.h"

#include <cpl_conv.h>
#include <ctype.h>
#include <string.h>

/* A column that OGR takes for fractions. */
struct typed_column {
    int field;
    struct shepard_value_tally tally;
};

/* ---- Columns --------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c > 127;
}

/* Whether the name stands in a condition or statement, which may be NULL. */
static bool mentions(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; at && *at; at++)
        if (EQUALN(at, name, length) && (at == text || !is_word(at[-1])) && !is_word(at[length]))
            return true;
    return false;
}

static bool is_read(const struct shepard_point_state *reader, const char *name)
{
    bool found =
        reader->xy.x >= 0 && (EQUAL(name, shepard_state_field_name(reader, reader->xy.x)) ||
                              EQUAL(name, shepard_state_field_name(reader, reader->xy.y)));
    for (size_t f = 0; f < reader->field_count; f++)
        found = found || (reader->fields[f].field >= 0 &&
                          EQUAL(name, shepard_state_field_name(reader, reader->fields[f].field)));
    return found;
}

/* How many columns of the layer are of use to the command and fractions. columns: room for all. */
static size_t find_columns(const struct shepard_point_state *reader, OGRLayerH layer,
                           struct typed_column *columns)
{
    OGRFeatureDefnH table = OGR_L_GetLayerDefn(layer);
    size_t count = 0;
    for (int i = 0; i < OGR_FD_GetFieldCount(table); i++) {
        const char *name = shepard_field_name(layer, i);
        if (OGR_Fld_GetType(OGR_FD_GetFieldDefn(table, i)) == OFTReal &&
            (is_read(reader, name) || mentions(reader->options->where, name) ||
             mentions(reader->options->sql, name)))
            columns[count++].field = i;
    }
    return count;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void add_texts(OGRLayerH text, struct typed_column *columns, size_t count)
{
    OGRFeatureH feature;
    OGR_L_ResetReading(text);
    for (size_t row = 1; (feature = OGR_L_GetNextFeature(text)); row++) {
        for (size_t i = 0; i < count; i++) {
            const char *value = OGR_F_GetFieldAsString(feature, columns[i].field);
            const size_t length = strlen(value);
            double number;
            const enum shepard_value kind = shepard_number_from_text(value, length, &number);
            shepard_tally_add_text(&columns[i].tally, (unsigned char)kind, value, length, row);
        }
        OGR_F_Destroy(feature);
    }
    OGR_L_ResetReading(text);
}

static enum shepard_io_status check_commas(const struct shepard_reading *reading,
                                           const struct shepard_text_column *column)
{
    const struct shepard_value_tally *tally = column->tally;
    const enum shepard_value kind =
        tally->count[SHEPARD_VALUE_COMMA] > 0 ? SHEPARD_VALUE_COMMA : SHEPARD_VALUE_COMMA_GROUP;
    if (reading->options->decimal != SHEPARD_DECIMAL_POINT || tally->count[kind] == 0)
        return SHEPARD_IO_OK;
    return shepard_io_fail(
        reading->error, SHEPARD_IO_ERROR_FIELD, column->argument,
        "the field \"%.100s\" holds \"%s\" in row %zu: conditions and SQL read the comma as a "
        "decimal sign because semicolons separate the columns, but -decimal point does not; leave "
        "one of them out, or remove the commas from the file",
        column->name, tally->first[kind].text, tally->first[kind].row);
}

static enum shepard_io_status check_columns(const struct shepard_reading *reading, OGRLayerH layer,
                                            const struct typed_column *typed, size_t count)
{
    struct shepard_text_column *columns = CPLCalloc(count + 1, sizeof *columns);
    for (size_t i = 0; i < count; i++)
        columns[i] = (struct shepard_text_column){shepard_field_name(layer, typed[i].field),
                                                  "fields", &typed[i].tally};
    enum shepard_io_status status = shepard_decimal_sign_check(reading, columns, count);
    for (size_t i = 0; !status && i < count; i++)
        status = check_commas(reading, &columns[i]);
    CPLFree(columns);
    return status;
}

/* ---- Layers ---------------------------------------------------------------------------------- */

static enum shepard_io_status check_layer(const struct shepard_point_state *reader, OGRLayerH layer,
                                          OGRLayerH text)
{
    const size_t most = (size_t)OGR_FD_GetFieldCount(OGR_L_GetLayerDefn(layer));
    struct typed_column *columns = CPLCalloc(most + 1, sizeof *columns);
    const size_t count = find_columns(reader, layer, columns);
    if (count > 0)
        add_texts(text, columns, count);
    const enum shepard_io_status status = check_columns(reader->reading, layer, columns, count);
    CPLFree(columns);
    return status;
}

/* A folder of tables has no separator of its own. */
static bool may_have_semicolons(const struct shepard_source *source)
{
    return source->start.separator == ';' || source->start.separator == '\0';
}

enum shepard_io_status shepard_state_check_typed(const struct shepard_point_state *reader)
{
    struct shepard_source *source = reader->reading->source;
    if (!shepard_state_goes_by_type(reader) || reader->options->decimal == SHEPARD_DECIMAL_COMMA ||
        !may_have_semicolons(source))
        return SHEPARD_IO_OK;
    GDALDatasetH text = shepard_source_as_text(source);
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (int i = 0; !status && text && i < GDALDatasetGetLayerCount(text); i++) {
        OGRLayerH layer = GDALDatasetGetLayer(source->dataset, i);
        if (reader->options->sql || layer == reader->pick.layer)
            status = check_layer(reader, layer, GDALDatasetGetLayer(text, i));
    }
    return status;
}
