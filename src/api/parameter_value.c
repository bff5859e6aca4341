/* SPDX-License-Identifier: MIT */
#include "api/parameter_value.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define FIVE 5

union value {
    double number;
    size_t count;
    int choice;
    double five[FIVE];
};

static size_t size_of(enum shepard_parameter_kind kind)
{
    switch (kind) {
    case SHEPARD_PARAMETER_COUNT:
        return sizeof(size_t);
    case SHEPARD_PARAMETER_WORD:
    case SHEPARD_PARAMETER_NUMBER:
        return sizeof(int);
    case SHEPARD_PARAMETER_FIVE:
        return FIVE * sizeof(double);
    default:
        return sizeof(double);
    }
}

/* ---- From text ------------------------------------------------------------------------------- */

static enum shepard_status read_choice(const struct shepard_parameter_key *key,
                                       struct shepard_slice text, int *choice,
                                       struct shepard_error *error)
{
    struct shepard_slice rest = shepard_slice_of(key->choices), word;
    for (int i = 0; shepard_slice_next(&rest, '|', &word); i++)
        if (shepard_slice_same(text, word)) {
            *choice = key->kind == SHEPARD_PARAMETER_NUMBER ? word.text[0] - '0' : i;
            return SHEPARD_OK;
        }
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, key->name,
                             "%s=%.*s is not valid; use one of %s", key->name, SHEPARD_SLICE(text),
                             key->choices);
}

static bool is_in_range(const struct shepard_parameter_key *key, double number)
{
    return number > key->above && number >= key->least && number <= key->most;
}

static enum shepard_status out_of_range(const struct shepard_parameter_key *key,
                                        struct shepard_slice text, struct shepard_error *error)
{
    char least[SHEPARD_DECIMAL_SIZE], most[SHEPARD_DECIMAL_SIZE];
    const bool bounded = key->most < DBL_MAX;
    shepard_decimal_write(key->least, least);
    shepard_decimal_write(key->most, most);
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, key->name, "%s=%.*s is out of range, it must be %s %s%s%s",
        key->name, SHEPARD_SLICE(text), key->above >= key->least ? "greater than" : "at least",
        least, bounded ? " and at most " : "", bounded ? most : "");
}

static bool read_any(struct shepard_slice text, double *number)
{
    static const struct {
        const char *word;
        double number;
    } words[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (shepard_slice_is(text, words[i].word)) {
            *number = words[i].number;
            return true;
        }
    return shepard_decimal_read(text, number);
}

static enum shepard_status read_number(const struct shepard_parameter_key *key,
                                       struct shepard_slice text, double *number,
                                       struct shepard_error *error)
{
    const bool any = key->kind == SHEPARD_PARAMETER_ANY;
    if (!(any ? read_any(text, number) : shepard_decimal_read(text, number)))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, key->name,
                                 "%s=%.*s: '%.*s' is not a number", key->name, SHEPARD_SLICE(text),
                                 SHEPARD_SLICE(text));
    if (key->kind == SHEPARD_PARAMETER_COUNT && *number != floor(*number))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, key->name,
                                 "%s=%.*s: it must be a whole number", key->name,
                                 SHEPARD_SLICE(text));
    return any || is_in_range(key, *number) ? SHEPARD_OK : out_of_range(key, text, error);
}

static enum shepard_status read_five(const struct shepard_parameter_key *key,
                                     struct shepard_slice text, double five[FIVE],
                                     struct shepard_error *error)
{
    struct shepard_slice rest = text, word;
    int count = 0;
    while (shepard_slice_next(&rest, ',', &word))
        count++;
    if (count != FIVE)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, key->name,
                                 "%s=%.*s: it must be five numbers separated by commas", key->name,
                                 SHEPARD_SLICE(text));
    enum shepard_status status = SHEPARD_OK;
    rest = text;
    for (int i = 0; status == SHEPARD_OK && shepard_slice_next(&rest, ',', &word); i++)
        status = read_number(key, word, &five[i], error);
    return status;
}

static enum shepard_status read_value(const struct shepard_parameter_key *key,
                                      struct shepard_slice text, union value *value,
                                      struct shepard_error *error)
{
    enum shepard_status status;
    switch (key->kind) {
    case SHEPARD_PARAMETER_WORD:
    case SHEPARD_PARAMETER_NUMBER:
        return read_choice(key, text, &value->choice, error);
    case SHEPARD_PARAMETER_FIVE:
        return read_five(key, text, value->five, error);
    case SHEPARD_PARAMETER_COUNT:
        status = read_number(key, text, &value->number, error);
        if (status == SHEPARD_OK)
            value->count = (size_t)value->number;
        return status;
    case SHEPARD_PARAMETER_AREA:
    case SHEPARD_PARAMETER_GIVEN:
    case SHEPARD_PARAMETER_SYNONYM:
    case SHEPARD_PARAMETER_INVERSE:
        value->number = key->kind == SHEPARD_PARAMETER_AREA ? 0 : NAN;
        if (shepard_slice_is(text, "auto"))
            return SHEPARD_OK;
        status = read_number(key, text, &value->number, error);
        if (key->kind == SHEPARD_PARAMETER_INVERSE)
            value->number = 1 / value->number;
        return status;
    default:
        return read_number(key, text, &value->number, error);
    }
}

enum shepard_status shepard_parameter_read(const struct shepard_parameter_key *key,
                                           struct shepard_slice text,
                                           struct shepard_parameter_settings *settings,
                                           struct shepard_error *error)
{
    union value value;
    const enum shepard_status status = read_value(key, text, &value, error);
    if (status == SHEPARD_OK)
        memcpy((char *)settings + key->offset, &value, size_of(key->kind));
    return status;
}

/* ---- As text --------------------------------------------------------------------------------- */

static bool write_choice(const struct shepard_parameter_key *key, int choice, char *text)
{
    struct shepard_slice rest = shepard_slice_of(key->choices), word;
    const bool is_number = key->kind == SHEPARD_PARAMETER_NUMBER;
    for (int i = 0; shepard_slice_next(&rest, '|', &word); i++)
        if (choice == (is_number ? word.text[0] - '0' : i)) {
            memcpy(text, word.text, word.length);
            text[word.length] = '\0';
            return true;
        }
    return false;
}

static bool write_number(const struct shepard_parameter_key *key, double number, char *text)
{
    shepard_decimal_write(number, text);
    return key->kind == SHEPARD_PARAMETER_ANY || is_in_range(key, number);
}

static bool write_five(const struct shepard_parameter_key *key, const double five[FIVE], char *text)
{
    bool good = true;
    for (int i = 0; i < FIVE; i++) {
        good = good && write_number(key, five[i], text);
        text += strlen(text);
        *text++ = i + 1 < FIVE ? ',' : '\0';
    }
    return good;
}

bool shepard_parameter_write(const struct shepard_parameter_key *key,
                             const struct shepard_parameter_settings *settings,
                             char text[SHEPARD_PARAMETER_VALUE_SIZE])
{
    union value value;
    memcpy(&value, (const char *)settings + key->offset, size_of(key->kind));
    switch (key->kind) {
    case SHEPARD_PARAMETER_WORD:
    case SHEPARD_PARAMETER_NUMBER:
        return write_choice(key, value.choice, text);
    case SHEPARD_PARAMETER_FIVE:
        return write_five(key, value.five, text);
    case SHEPARD_PARAMETER_COUNT:
        snprintf(text, SHEPARD_PARAMETER_VALUE_SIZE, "%zu", value.count);
        return is_in_range(key, (double)value.count);
    case SHEPARD_PARAMETER_AREA:
        snprintf(text, SHEPARD_PARAMETER_VALUE_SIZE, "auto");
        return value.number == 0 || write_number(key, value.number, text);
    case SHEPARD_PARAMETER_GIVEN:
        snprintf(text, SHEPARD_PARAMETER_VALUE_SIZE, "auto");
        return isnan(value.number) || write_number(key, value.number, text);
    default:
        return write_number(key, value.number, text);
    }
}
