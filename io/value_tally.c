/* SPDX-License-Identifier: MIT */
#include "value_tally.h"

#include <string.h>

void shepard_tally_add_text(struct shepard_value_tally *tally, unsigned char kind, const char *text,
                            size_t length, size_t row)
{
    tally->count[kind]++;
    if (kind == SHEPARD_VALUE_NUMBER || tally->count[kind] > 1)
        return;
    char *copy = tally->first[kind].text;
    const size_t size = sizeof tally->first[kind].text;
    tally->first[kind].row = row;
    if (length >= size)
        length = size - 1;
    memcpy(copy, text, length);
    copy[length] = '\0';
}

void shepard_tally_add(struct shepard_value_tally *tally, unsigned char kind,
                       const struct shepard_batch_column *column, size_t row, size_t before)
{
    if (kind == SHEPARD_VALUE_NUMBER || !shepard_column_is_text(column)) {
        tally->count[kind]++;
        return;
    }
    size_t length;
    const unsigned char *text = shepard_column_bytes(column, (int64_t)row, &length);
    shepard_tally_add_text(tally, kind, text ? (const char *)text : "", length, before + row + 1);
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
