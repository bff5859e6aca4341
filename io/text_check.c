/* SPDX-License-Identifier: MIT */
/* Columns of text that hold numbers: which sign is decimal, and how many values are invalid. */
#include "point_state.h"

#include <string.h>

/* More texts among the values of a column than this share of them are an error. */
static const double loss_max = 0.01;

/* A column and what an error says about it. */
struct column {
    const char *name;
    const char *argument; /* of struct shepard_read_options */
    const struct shepard_value_tally *tally;
};

enum { COORDINATES = 2 };

static size_t count_columns(const struct shepard_point_state *reader)
{
    return COORDINATES + reader->field_count;
}

/* Column i of a table's x, y, its values and its weight; no tally: it is part of a geometry. */
static struct column column_of(const struct shepard_point_state *reader, size_t i)
{
    if (i < COORDINATES && reader->xy.x < 0)
        return (struct column){.tally = NULL};
    if (i == 0)
        return (struct column){shepard_state_field_name(reader, reader->xy.x), "x_field",
                               &reader->x_tally};
    if (i == 1)
        return (struct column){shepard_state_field_name(reader, reader->xy.y), "y_field",
                               &reader->y_tally};
    const struct shepard_value_field *field = &reader->fields[i - COORDINATES];
    if (field->field < 0)
        return (struct column){.tally = NULL};
    return (struct column){shepard_state_field_name(reader, field->field),
                           field->is_weight ? "weight_field" : "fields", &field->tally};
}

/* ---- Decimal signs --------------------------------------------------------------------------- */

static enum shepard_io_status fail_sign(const struct shepard_point_state *reader,
                                        const struct column *column, enum shepard_value unclear,
                                        enum shepard_value other)
{
    const struct shepard_value_tally *tally = column->tally;
    const bool comma = unclear == SHEPARD_VALUE_COMMA_GROUP;
    char second[100] = "";
    if (tally->count[other] > 0)
        shepard_text_append(second, sizeof second, ", and \"%s\" in row %zu",
                            tally->first[other].text, tally->first[other].row);
    return shepard_io_fail(
        reader->reading->error, SHEPARD_IO_ERROR_FIELD, column->argument,
        "the field \"%.100s\" holds \"%s\" in row %zu%s: %s may be a decimal sign or separate "
        "thousands; say -decimal comma where points and commas are decimal signs, or take the "
        "%s out of the file",
        column->name, tally->first[unclear].text, tally->first[unclear].row, second,
        comma ? "the comma" : "the point", comma ? "commas" : "points");
}

/* Some column of the table has commas that can only be decimal signs. */
static bool has_decimal_commas(const struct shepard_point_state *reader)
{
    bool found = false;
    for (size_t i = 0; i < count_columns(reader); i++) {
        const struct column column = column_of(reader, i);
        found = found || (column.tally && column.tally->count[SHEPARD_VALUE_COMMA] > 0);
    }
    return found;
}

/* "1,234" is a number with a decimal comma where another text of the table shows that commas are
 * decimal signs, or where semicolons separate the columns, which they do where commas are. "1.234"
 * is one with a decimal point unless its column has decimal commas. Neither is clear in a column
 * that holds thousands separators. */
static enum shepard_io_status check_sign(const struct shepard_point_state *reader,
                                         const struct column *column, bool commas_known)
{
    const size_t *count = column->tally->count;
    const bool grouped = count[SHEPARD_VALUE_GROUPED] > 0;
    const bool semicolons = reader->reading->source->start.separator == ';';
    if (count[SHEPARD_VALUE_COMMA_GROUP] > 0 && (grouped || !(commas_known || semicolons)))
        return fail_sign(reader, column, SHEPARD_VALUE_COMMA_GROUP, SHEPARD_VALUE_GROUPED);
    if (count[SHEPARD_VALUE_POINT_GROUP] > 0 && (grouped || count[SHEPARD_VALUE_COMMA] > 0))
        return fail_sign(reader, column, SHEPARD_VALUE_POINT_GROUP,
                         grouped ? SHEPARD_VALUE_GROUPED : SHEPARD_VALUE_COMMA);
    if (count[SHEPARD_VALUE_COMMA_GROUP] > 0 && !commas_known)
        shepard_io_warn(reader->reading->control,
                        "field %s: \"%s\" is read with a decimal comma, as semicolons separate the "
                        "columns; -decimal comma says so",
                        column->name, column->tally->first[SHEPARD_VALUE_COMMA_GROUP].text);
    return SHEPARD_IO_OK;
}

/* ---- Losses ---------------------------------------------------------------------------------- */

static enum shepard_io_status check_loss(const struct shepard_point_state *reader,
                                         const struct column *column)
{
    const struct shepard_text_loss loss = shepard_tally_loss(column->tally);
    const size_t values = shepard_tally_numbers(column->tally) + loss.count;
    if (reader->options->skip_invalid || (double)loss.count <= loss_max * (double)values)
        return SHEPARD_IO_OK;
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, column->argument,
                           "%zu of the %zu values of the field \"%.100s\" are text that is not a "
                           "number, the first one \"%s\" in row %zu; correct the file, or say "
                           "--skip-invalid to leave such points out",
                           loss.count, values, column->name, loss.text, loss.row);
}

enum shepard_io_status shepard_state_check_texts(const struct shepard_point_state *reader)
{
    const bool commas_known = has_decimal_commas(reader);
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (size_t i = 0; !status && i < count_columns(reader); i++) {
        const struct column column = column_of(reader, i);
        if (column.tally && reader->options->decimal == SHEPARD_DECIMAL_AUTO)
            status = check_sign(reader, &column, commas_known);
        if (!status && column.tally)
            status = check_loss(reader, &column);
    }
    return status;
}
