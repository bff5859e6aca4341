/* SPDX-License-Identifier: MIT */
/** Numbers written as text. */
#ifndef SHEPARD_IO_NUMBER_TEXT_H
#define SHEPARD_IO_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** What a value turned out to be. The numbers come first; all of them are finite. */
enum shepard_value {
    SHEPARD_VALUE_NUMBER,      /* with a decimal point, or whole */
    SHEPARD_VALUE_POINT_GROUP, /* the same, but "1.234" may have been meant as 1234 */
    SHEPARD_VALUE_COMMA,       /* with a decimal comma, as "12,5" */
    SHEPARD_VALUE_COMMA_GROUP, /* the same, but "1,234" may have been meant as 1234 */
    SHEPARD_VALUE_NULL,        /* NULL, or a text that stands for it */
    SHEPARD_VALUE_NODATA,      /* a number that the user declared to be missing */
    SHEPARD_VALUE_NOT_FINITE,  /* NaN or infinite */
    SHEPARD_VALUE_GROUPED,     /* a text with thousands separators, as "1,234,567" or "1.234,5" */
    SHEPARD_VALUE_TEXT,        /* any other text */
    SHEPARD_VALUE_KINDS
};

/** Whether a value of this kind is a number. */
static inline bool shepard_value_is_number(unsigned char kind)
{
    return kind < SHEPARD_VALUE_NULL;
}

/**
 * Reads text[length] (no terminator needed, blanks around allowed) into *number: the nearest
 * double, with a decimal point or a single decimal comma whatever the locale; NaN where the text is
 * not a number. "1,234" and "1.234", which may hold a thousands separator, have kinds of their own.
 */
enum shepard_value shepard_number_from_text(const char *text, size_t length, double *number);

#endif
