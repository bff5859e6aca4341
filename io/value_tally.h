/* SPDX-License-Identifier: MIT */
/** What the values of one column turned out to be: how many of each kind, and the first of each. */
#ifndef SHEPARD_IO_VALUE_TALLY_H
#define SHEPARD_IO_VALUE_TALLY_H

#include "batch_column.h"

#include "shepard/shepard_io.h"

/** Start from {0}. */
struct shepard_value_tally {
    size_t count[SHEPARD_VALUE_KINDS];
    struct {
        size_t row; /* from 1, in the order of reading; 0: none so far */
        char text[sizeof((struct shepard_text_loss *)NULL)->text];
    } first[SHEPARD_VALUE_KINDS]; /* of text columns */
};

/** Adds a text of this kind, which stands in a row, from 1. */
void shepard_tally_add_text(struct shepard_value_tally *tally, unsigned char kind, const char *text,
                            size_t length, size_t row);

/** Adds a value of this kind, which stands in a row of the batch; `before`: rows before it. */
void shepard_tally_add(struct shepard_value_tally *tally, unsigned char kind,
                       const struct shepard_batch_column *column, size_t row, size_t before);

/** How many values are numbers. */
size_t shepard_tally_numbers(const struct shepard_value_tally *tally);

/** How many are missing: NULL or nodata. */
size_t shepard_tally_missing(const struct shepard_value_tally *tally);

/** How many are not finite, or texts that are not numbers. */
size_t shepard_tally_bad(const struct shepard_value_tally *tally);

/** The texts that are not numbers. */
struct shepard_text_loss shepard_tally_loss(const struct shepard_value_tally *tally);

#endif
