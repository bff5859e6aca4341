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

/* Plain decimals of at most 15 digits, whatever the point: digits and power of ten are
   exact doubles, so that one rounded division gives the nearest double (Clinger 1990). */
static bool plain_number(const char *text, size_t length, double *number)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool negative = text[0] == '-';
    size_t i = negative || text[0] == '+';
    size_t digits = 0, behind = 0;
    bool point = false;
    int64_t value = 0;
    for (; i < length && digits <= 15; i++) {
        if (is_digit(text[i])) {
            value = value * 10 + (text[i] - '0');
            digits++;
            behind += point;
        } else if (text[i] == '.' && !point) {
            point = true;
        } else {
            return false;
        }
    }
    if (i < length || digits == 0 || digits > 15)
        return false;
    const double size = (double)value / power[behind];
    *number = negative ? -size : size;
    return true;
}

static bool any_number(const char *text, size_t length, double *number)
{
    char copy[128];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end;
    *number = CPLStrtod(copy, &end);
    return end == copy + length && isfinite(*number);
}

static bool stands_for_null(const char *text, size_t length)
{
    static const char *const names[] = {"na", "n/a", "nan", "null", "none", "-"};
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
    if (length > 0 && plain_number(text, length, number))
        return SHEPARD_VALUE_NUMBER;
    if (!stands_for_null(text, length) && any_number(text, length, number))
        return SHEPARD_VALUE_NUMBER;
    *number = NAN;
    return stands_for_null(text, length) ? SHEPARD_VALUE_NULL : SHEPARD_VALUE_BAD;
}
