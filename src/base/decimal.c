/* SPDX-License-Identifier: MIT */
#include "base/decimal.h"

#include "base/c_locale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* More than any double needs: 767 digits are enough to recognise the middle of two doubles. */
#define LENGTH_MAX 800

/* Digits after at most a sign and a point: keeps out "inf" and blanks, which strtod takes. */
static bool begins_as_number(const char *text)
{
    text += *text == '-' || *text == '+';
    text += *text == '.';
    return *text >= '0' && *text <= '9';
}

bool shepard_decimal_read(struct shepard_slice text, double *value)
{
    char copy[LENGTH_MAX + 1];
    if (text.length > LENGTH_MAX)
        return false;
    memcpy(copy, text.text, text.length);
    copy[text.length] = '\0';
    if (!begins_as_number(copy) || strpbrk(copy, "xX") != NULL)
        return false;
    char *end = NULL;
    const struct shepard_c_locale locale = shepard_c_locale_begin();
    *value = strtod(copy, &end);
    shepard_c_locale_end(&locale);
    return end == copy + text.length && isfinite(*value);
}

/* Digits of the value, one before the point: as few as read back as the same bits. */
static int digits_of(double value, char text[SHEPARD_DECIMAL_SIZE])
{
    int digits = 0;
    do {
        digits++;
        snprintf(text, SHEPARD_DECIMAL_SIZE, "%.*e", digits - 1, value);
    } while (digits < 17 && strtod(text, NULL) != value);
    return digits;
}

/* "1e-05" becomes "1e-5", "1e+06" "1e6". */
static int shorten_exponent(char *text)
{
    char *e = strchr(text, 'e');
    const int exponent = atoi(e + 1);
    snprintf(e + 1, SHEPARD_DECIMAL_SIZE - (size_t)(e + 1 - text), "%d", exponent);
    return exponent;
}

/* Exponents show where they make a text shorter, but not for everyday numbers: 1e-3, 1000. */
static void write_finite(double value, char text[SHEPARD_DECIMAL_SIZE])
{
    char plain[SHEPARD_DECIMAL_SIZE];
    const int digits = digits_of(value, text);
    const int exponent = shorten_exponent(text);
    if (exponent < -6 || exponent > 15)
        return;
    const int behind = digits - 1 - exponent;
    snprintf(plain, sizeof plain, "%.*f", behind > 0 ? behind : 0, value);
    if ((exponent >= -2 && exponent < 6) || strlen(plain) <= strlen(text))
        memcpy(text, plain, sizeof plain);
}

void shepard_decimal_write(double value, char text[SHEPARD_DECIMAL_SIZE])
{
    if (!isfinite(value)) {
        snprintf(text, SHEPARD_DECIMAL_SIZE, "%s",
                 isnan(value) ? "nan"
                 : value > 0  ? "inf"
                              : "-inf");
        return;
    }
    const struct shepard_c_locale locale = shepard_c_locale_begin();
    write_finite(value, text);
    shepard_c_locale_end(&locale);
}
