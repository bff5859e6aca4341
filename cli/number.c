/* SPDX-License-Identifier: MIT */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * The command never calls setlocale: strtod and printf work in the "C" locale, in which every C
 * program starts, whatever the user's environment says.
 */

/* Digits after at most a sign and a point. */
static bool begins_as_number(const char *text)
{
    text += *text == '-' || *text == '+';
    text += *text == '.';
    return *text >= '0' && *text <= '9';
}

bool shepard_number(const char *text, double *value)
{
    /* Keeps out "0x1p3", "inf" and leading blanks, all of which strtod would take. */
    if (!begins_as_number(text) || strpbrk(text, "xX")) {
        return false;
    }
    char *end = NULL;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

bool shepard_number_or_nan(const char *text, double *value)
{
    if (strcasecmp(text, "nan") == 0) {
        *value = NAN;
        return true;
    }
    return shepard_number(text, value);
}

const char *shepard_number_text(double value, char buffer[32])
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, value);
        if (isnan(value) || strtod(buffer, NULL) == value) {
            break;
        }
    }
    return buffer;
}
