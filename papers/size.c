/* SPDX-License-Identifier: MIT */
#include "size.h"

#include "shepard/shepard.h"

#include <string.h>

bool shepard_size_parse(const char *text, size_t *size)
{
    const size_t digits = strspn(text, "0123456789");
    const char *const unit = text + digits;
    size_t value = 0;
    if (digits == 0 || digits > 10)
        return false;
    for (size_t i = 0; i < digits; i++)
        value = 10 * value + (size_t)(text[i] - '0');
    if (strcmp(unit, "K") == 0 || strcmp(unit, "k") == 0)
        value *= 1024;
    else if (strcmp(unit, "M") == 0 || strcmp(unit, "m") == 0)
        value *= 1024 * 1024;
    else if (*unit)
        return false;
    *size = value;
    return value >= 1 && value <= SHEPARD_POINTS_MAX;
}
