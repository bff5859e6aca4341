/* SPDX-License-Identifier: MIT */
#include "number_text.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A text that may be a plain decimal. */
struct decimal {
    size_t digits, behind; /* all digits, and those behind the decimal sign */
    char sign;             /* '.' or ','; '\0': none */
    char first;            /* digit */
};

/* Plain decimals of at most 15 digits, whatever the sign: digits and power of ten are
   exact doubles, so that one rounded division gives the nearest double (Clinger 1990). */
static bool plain_number(const char *text, size_t length, double *number, struct decimal *found)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool negative = text[0] == '-';
    size_t i = negative || text[0] == '+';
    size_t digits = 0, behind = 0;
    char sign = '\0';
    int64_t value = 0;
    const char first = i < length ? text[i] : '\0';
    for (; i < length && digits <= 15; i++) {
        if (is_digit(text[i])) {
            value = value * 10 + (text[i] - '0');
            digits++;
            behind += sign != '\0';
        } else if ((text[i] == '.' || text[i] == ',') && !sign) {
            sign = text[i];
        } else {
            return false;
        }
    }
    if (i < length || digits == 0 || digits > 15)
        return false;
    const double size = (double)value / power[behind];
    *number = negative ? -size : size;
    *found = (struct decimal){digits, behind, sign, first};
    return true;
}

/* One to three digits, not 0 first, and three behind the sign, which may separate thousands. */
static enum shepard_value plain_kind(const struct decimal *found)
{
    const bool group = found->behind == 3 && found->digits >= 4 && found->digits <= 6 &&
                       found->first >= '1' && found->first <= '9';
    if (found->sign == ',')
        return group ? SHEPARD_VALUE_COMMA_GROUP : SHEPARD_VALUE_COMMA;
    return group ? SHEPARD_VALUE_POINT_GROUP : SHEPARD_VALUE_NUMBER;
}

/* Exponents and long numbers: as strtod in the C locale takes them. */
static enum shepard_value any_number(const char *text, size_t length, double *number)
{
    char copy[128];
    if (length >= sizeof copy)
        return SHEPARD_VALUE_TEXT;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *comma = strchr(copy, ',');
    if (comma && !memchr(copy, '.', length))
        *comma = '.';
    char *end;
    *number = CPLStrtod(copy, &end);
    if (end != copy + length)
        return SHEPARD_VALUE_TEXT;
    if (!isfinite(*number))
        return SHEPARD_VALUE_NOT_FINITE;
    return comma ? SHEPARD_VALUE_COMMA : SHEPARD_VALUE_NUMBER;
}

static size_t count_digits(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && is_digit(text[n]))
        n++;
    return n;
}

/* Digits in groups of three, then perhaps a decimal sign, which is not the separator. */
static bool is_grouped(const char *text, size_t length, char separator)
{
    size_t i = text[0] == '-' || text[0] == '+';
    const size_t first = count_digits(text + i, length - i);
    size_t groups = 0;
    i += first;
    while (i < length && text[i] == separator && count_digits(text + i + 1, length - i - 1) == 3) {
        i += 4;
        groups++;
    }
    if (first < 1 || first > 3 || groups == 0)
        return false;
    if (i < length && text[i] == (separator == ',' ? '.' : ','))
        i += 1 + count_digits(text + i + 1, length - i - 1);
    return i == length;
}

static bool stands_for_null(const char *text, size_t length)
{
    static const char *const names[] = {"na",   "n/a",  "n.a.",   "#n/a",    "#nv", "nan",
                                        "null", "none", "nodata", "no data", "-",   "--"};
    if (length == 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && EQUALN(text, names[i], length))
            return true;
    return false;
}

enum shepard_value shepard_number_from_text(const char *text, size_t length, double *number)
{
    while (length > 0 && is_blank(text[0])) {
        text++;
        length--;
    }
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    struct decimal found;
    if (length > 0 && plain_number(text, length, number, &found))
        return plain_kind(&found);
    enum shepard_value kind = SHEPARD_VALUE_NULL;
    if (!stands_for_null(text, length))
        kind = any_number(text, length, number);
    if (shepard_value_is_number((unsigned char)kind))
        return kind;
    *number = NAN;
    if (kind == SHEPARD_VALUE_TEXT &&
        (is_grouped(text, length, ',') || is_grouped(text, length, '.')))
        return SHEPARD_VALUE_GROUPED;
    return kind;
}
