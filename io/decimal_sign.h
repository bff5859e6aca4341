/* SPDX-License-Identifier: MIT */
/** Which sign is the decimal one in columns of text. */
#ifndef SHEPARD_IO_DECIMAL_SIGN_H
#define SHEPARD_IO_DECIMAL_SIGN_H

#include "point_reader.h"
#include "value_tally.h"

/** A column of text and what an error says about it. */
struct shepard_text_column {
    const char *name;
    const char *argument; /**< of struct shepard_read_options */
    const struct shepard_value_tally *tally;
};

/** Fails where it is not clear, of the columns of one table, unless the options say it. */
enum shepard_io_status shepard_decimal_sign_check(const struct shepard_reading *reading,
                                                  const struct shepard_text_column *columns,
                                                  size_t count);

#endif
