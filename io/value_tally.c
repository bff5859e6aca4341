/* SPDX-License-Identifier: MIT */
#include "value_tally.h"

#include <string.h>

static void keep_first(struct shepard_value_tally *tally, unsigned char kind,
                       const struct shepard_arrow_column *column, size_t row, size_t before)
{
    size_t length;
    const unsigned char *text = shepard_arrow_bytes(column, (int64_t)row, &length);
    char *copy = tally->first[kind].text;
    const size_t size = sizeof tally->first[kind].text;
    tally->first[kind].row = before + row + 1;
    if (length >= size)
        length = size - 1;
    if (text)
        memcpy(copy, text, length);
    copy[length] = '\0';
}

void shepard_tally_add(struct shepard_value_tally *tally, unsigned char kind,
                       const struct shepard_arrow_column *column, size_t row, size_t before)
{
    tally->count[kind]++;
    if (kind != SHEPARD_VALUE_NUMBER && tally->count[kind] == 1 && shepard_arrow_is_text(column))
        keep_first(tally, kind, column, row, before);
}

size_t shepard_tally_numbers(const struct shepard_value_tally *tally)
{
    size_t numbers = 0;
    for (unsigned char kind = 0; shepard_value_is_number(kind); kind++)
        numbers += tally->count[kind];
    return numbers;
}

size_t shepard_tally_missing(const struct shepard_value_tally *tally)
{
    return tally->count[SHEPARD_VALUE_NULL] + tally->count[SHEPARD_VALUE_NODATA];
}

size_t shepard_tally_bad(const struct shepard_value_tally *tally)
{
    return tally->count[SHEPARD_VALUE_NOT_FINITE] + tally->count[SHEPARD_VALUE_GROUPED] +
           tally->count[SHEPARD_VALUE_TEXT];
}

struct shepard_text_loss shepard_tally_loss(const struct shepard_value_tally *tally)
{
    const size_t grouped = tally->first[SHEPARD_VALUE_GROUPED].row;
    const size_t other = tally->first[SHEPARD_VALUE_TEXT].row;
    const enum shepard_value kind =
        grouped && (!other || grouped < other) ? SHEPARD_VALUE_GROUPED : SHEPARD_VALUE_TEXT;
    struct shepard_text_loss loss = {.count = tally->count[SHEPARD_VALUE_GROUPED] +
                                              tally->count[SHEPARD_VALUE_TEXT],
                                     .row = tally->first[kind].row};
    memcpy(loss.text, tally->first[kind].text, sizeof loss.text);
    return loss;
}
