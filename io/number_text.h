/* SPDX-License-Identifier: MIT */
/** Numbers written as text. */
#ifndef SHEPARD_IO_NUMBER_TEXT_H
#define SHEPARD_IO_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** What a value turned out to be. */
enum shepard_value {
    SHEPARD_VALUE_NUMBER, /* finite */
    SHEPARD_VALUE_NULL,   /* NULL, or a text that stands for it */
    SHEPARD_VALUE_BAD     /* NaN, infinite, or a text that is no number */
};

/**
 * Reads text[length] (no terminator needed, blanks around allowed) into *number: the nearest
 * double, with a decimal point whatever the locale; NaN where it is none.
 */
enum shepard_value shepard_number_from_text(const char *text, size_t length, double *number);

#endif
