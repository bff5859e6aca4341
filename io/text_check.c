/* SPDX-License-Identifier: MIT */
/* Columns of text that hold numbers: which sign is decimal, and how many values are invalid. */
#include "decimal_sign.h"
#include "point_state.h"

#include <stdlib.h>

/* More texts among the values of a column than this share of them are an error. */
static const double loss_max = 0.01;

/* The columns of a table that were read: x, y, its values and its weight, none of them part of a
 * geometry; how many. columns: room for all. */
static size_t find_columns(const struct shepard_point_state *reader,
                           struct shepard_text_column *columns)
{
    size_t count = 0;
    if (reader->xy.x >= 0) {
        columns[count++] = (struct shepard_text_column){
            shepard_state_field_name(reader, reader->xy.x), "x_field", &reader->x_tally};
        columns[count++] = (struct shepard_text_column){
            shepard_state_field_name(reader, reader->xy.y), "y_field", &reader->y_tally};
    }
    for (size_t f = 0; f < reader->field_count; f++) {
        const struct shepard_value_field *field = &reader->fields[f];
        if (field->field >= 0)
            columns[count++] =
                (struct shepard_text_column){shepard_state_field_name(reader, field->field),
                                             shepard_field_argument(field->role), &field->tally};
    }
    return count;
}

static enum shepard_io_status check_loss(const struct shepard_point_state *reader,
                                         const struct shepard_text_column *column)
{
    const struct shepard_text_loss loss = shepard_tally_loss(column->tally);
    const size_t values = shepard_tally_numbers(column->tally) + loss.count;
    if (reader->options->skip_invalid || (double)loss.count <= loss_max * (double)values)
        return SHEPARD_IO_OK;
    return shepard_io_fail(reader->reading->error, SHEPARD_IO_ERROR_FIELD, column->argument,
                           "%zu of the %zu values of the field \"%.100s\" are text that is not a "
                           "number, the first one \"%s\" in row %zu; correct the file, or use "
                           "--skip-invalid to leave such points out",
                           loss.count, values, column->name, loss.text, loss.row);
}

enum shepard_io_status shepard_state_check_texts(const struct shepard_point_state *reader)
{
    enum { COORDINATES = 2 };
    struct shepard_text_column *columns =
        calloc(COORDINATES + reader->field_count, sizeof *columns);
    if (!columns)
        return shepard_io_fail_memory(reader->reading->error);
    const size_t count = find_columns(reader, columns);
    enum shepard_io_status status = shepard_decimal_sign_check(reader->reading, columns, count);
    for (size_t i = 0; !status && i < count; i++)
        status = check_loss(reader, &columns[i]);
    free(columns);
    return status;
}
