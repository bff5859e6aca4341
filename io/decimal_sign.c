/* SPDX-License-Identifier: MIT */
#include "decimal_sign.h"

static enum shepard_io_status fail_sign(const struct shepard_reading *reading,
                                        const struct shepard_text_column *column,
                                        enum shepard_value unclear, enum shepard_value other)
{
    const struct shepard_value_tally *tally = column->tally;
    const bool comma = unclear == SHEPARD_VALUE_COMMA_GROUP;
    char second[100] = "";
    if (tally->count[other] > 0)
        shepard_text_append(second, sizeof second, ", and \"%s\" in row %zu",
                            tally->first[other].text, tally->first[other].row);
    return shepard_io_fail(
        reading->error, SHEPARD_IO_ERROR_FIELD, column->argument,
        "the field \"%.100s\" holds \"%s\" in row %zu%s: %s may be a decimal sign or separate "
        "thousands; use -decimal comma if points and commas are decimal signs, or remove the %s "
        "from the file",
        column->name, tally->first[unclear].text, tally->first[unclear].row, second,
        comma ? "the comma" : "the point", comma ? "commas" : "points");
}

/* "1,234" is a number with a decimal comma where another text of the table shows that commas are
 * decimal signs, or where semicolons separate the columns, which they do where commas are. "1.234"
 * is one with a decimal point unless its column has decimal commas. Neither is clear in a column
 * that holds thousands separators. */
static enum shepard_io_status check_column(const struct shepard_reading *reading,
                                           const struct shepard_text_column *column,
                                           bool commas_known)
{
    const size_t *count = column->tally->count;
    const bool grouped = count[SHEPARD_VALUE_GROUPED] > 0;
    const bool semicolons = reading->source->start.separator == ';';
    if (count[SHEPARD_VALUE_COMMA_GROUP] > 0 && (grouped || !(commas_known || semicolons)))
        return fail_sign(reading, column, SHEPARD_VALUE_COMMA_GROUP, SHEPARD_VALUE_GROUPED);
    if (count[SHEPARD_VALUE_POINT_GROUP] > 0 && (grouped || count[SHEPARD_VALUE_COMMA] > 0))
        return fail_sign(reading, column, SHEPARD_VALUE_POINT_GROUP,
                         grouped ? SHEPARD_VALUE_GROUPED : SHEPARD_VALUE_COMMA);
    if (count[SHEPARD_VALUE_COMMA_GROUP] > 0 && !commas_known)
        shepard_io_warn(reading->control,
                        "field %s: \"%s\" is read with a decimal comma, because semicolons "
                        "separate the columns; -decimal comma confirms it",
                        column->name, column->tally->first[SHEPARD_VALUE_COMMA_GROUP].text);
    return SHEPARD_IO_OK;
}

enum shepard_io_status shepard_decimal_sign_check(const struct shepard_reading *reading,
                                                  const struct shepard_text_column *columns,
                                                  size_t count)
{
    if (reading->options->decimal != SHEPARD_DECIMAL_AUTO)
        return SHEPARD_IO_OK;
    bool commas_known = false;
    for (size_t i = 0; i < count; i++)
        commas_known = commas_known || columns[i].tally->count[SHEPARD_VALUE_COMMA] > 0;
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (size_t i = 0; !status && i < count; i++)
        status = check_column(reading, &columns[i], commas_known);
    return status;
}
