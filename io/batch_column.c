/* SPDX-License-Identifier: MIT */
#include "batch_column.h"

#include <math.h>
#include <string.h>

int64_t shepard_arrow_find(const struct ArrowSchema *schema, const char *name, bool last)
{
    int64_t found = -1;
    for (int64_t i = 0; i < schema->n_children && (last || found < 0); i++)
        if (strcmp(schema->children[i]->name, name) == 0)
            found = i;
    return found;
}

struct shepard_batch_column shepard_arrow_child(const struct ArrowSchema *schema,
                                                const struct ArrowArray *batch, int64_t i)
{
    return (struct shepard_batch_column){
        .schema = schema->children[i],
        .array = batch->children[i],
        .first = batch->offset + batch->children[i]->offset,
    };
}

static bool is_null(const struct shepard_batch_column *column, int64_t row)
{
    if (column->array->null_count == 0)
        return false;
    const unsigned char *valid = column->array->buffers[0];
    const int64_t i = column->first + row;
    return valid && !(valid[i / 8] >> (i % 8) & 1);
}

bool shepard_column_is_binary(const struct shepard_batch_column *column)
{
    return strcmp(column->schema->format, "z") == 0 || strcmp(column->schema->format, "Z") == 0;
}

bool shepard_column_is_text(const struct shepard_batch_column *column)
{
    return column->features || strcmp(column->schema->format, "u") == 0 ||
           strcmp(column->schema->format, "U") == 0;
}

static const unsigned char *feature_text(const struct shepard_batch_column *column, int64_t row,
                                         size_t *length)
{
    const OGRField *value = OGR_F_GetRawFieldRef(column->features[row], column->field);
    if (OGR_RawField_IsUnset(value) || OGR_RawField_IsNull(value))
        return NULL;
    *length = strlen(value->String);
    return (const unsigned char *)value->String;
}

const unsigned char *shepard_column_bytes(const struct shepard_batch_column *column, int64_t row,
                                          size_t *length)
{
    static const unsigned char nothing[1] = {0};
    *length = 0;
    if (column->features)
        return feature_text(column, row, length);
    if (is_null(column, row))
        return NULL;
    const int64_t i = column->first + row;
    const char format = column->schema->format[0];
    const bool wide = format == 'Z' || format == 'U';
    const int32_t *narrow_offsets = column->array->buffers[1];
    const int64_t *wide_offsets = column->array->buffers[1];
    const int64_t begin = wide ? wide_offsets[i] : narrow_offsets[i];
    const int64_t end = wide ? wide_offsets[i + 1] : narrow_offsets[i + 1];
    const unsigned char *bytes = column->array->buffers[2];
    *length = (size_t)(end - begin);
    return bytes ? bytes + begin : nothing;
}

/* One case for each of Arrow's numeric types. */
#define ARROW_NUMBER_TYPES(X)                                                                      \
    X('c', int8_t)                                                                                 \
    X('C', uint8_t)                                                                                \
    X('s', int16_t)                                                                                \
    X('S', uint16_t)                                                                               \
    X('i', int32_t) X('I', uint32_t) X('l', int64_t) X('L', uint64_t) X('f', float) X('g', double)

static bool read_plain(const struct shepard_batch_column *column, size_t rows, double *numbers)
{
    const void *values = column->array->buffers[1];
    switch (column->schema->format[0]) {
#define READ_CASE(letter, type)                                                                    \
    case letter:                                                                                   \
        for (size_t i = 0; i < rows; i++)                                                          \
            numbers[i] = (double)((const type *)values + column->first)[i];                        \
        return true;
        ARROW_NUMBER_TYPES(READ_CASE)
#undef READ_CASE
    case 'b':
        for (size_t i = 0; i < rows; i++) {
            const size_t bit = (size_t)column->first + i;
            numbers[i] = ((const unsigned char *)values)[bit / 8] >> (bit % 8) & 1;
        }
        return true;
    default:
        return false;
    }
}

static void read_texts(const struct shepard_batch_column *column, size_t rows, double *numbers,
                       unsigned char *kinds)
{
    for (size_t i = 0; i < rows; i++) {
        size_t length;
        const unsigned char *text = shepard_column_bytes(column, (int64_t)i, &length);
        enum shepard_value kind =
            shepard_number_from_text(text ? (const char *)text : "", length, &numbers[i]);
        if (column->no_commas &&
            (kind == SHEPARD_VALUE_COMMA || kind == SHEPARD_VALUE_COMMA_GROUP)) {
            kind = SHEPARD_VALUE_TEXT;
            numbers[i] = NAN;
        }
        kinds[i] = (unsigned char)kind;
    }
}

bool shepard_column_numbers(const struct shepard_batch_column *column, size_t rows, double *numbers,
                            unsigned char *kinds)
{
    if (shepard_column_is_text(column)) {
        read_texts(column, rows, numbers, kinds);
        return true;
    }
    if (column->schema->format[1] != '\0' || !read_plain(column, rows, numbers))
        return false;
    for (size_t i = 0; i < rows; i++) {
        kinds[i] = SHEPARD_VALUE_NUMBER;
        if (is_null(column, (int64_t)i))
            kinds[i] = SHEPARD_VALUE_NULL;
        else if (!isfinite(numbers[i]))
            kinds[i] = SHEPARD_VALUE_NOT_FINITE;
        if (kinds[i] != SHEPARD_VALUE_NUMBER)
            numbers[i] = NAN;
    }
    return true;
}
