/* SPDX-License-Identifier: MIT */
#include "utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the character that begins here, 0: none does (RFC 3629). */
static size_t length_at(const unsigned char *text)
{
    const unsigned char a = text[0], b = a ? text[1] : 0;
    const size_t length = a < 0x80   ? 1
                          : a < 0xc2 ? 0
                          : a < 0xe0 ? 2
                          : a < 0xf0 ? 3
                          : a < 0xf5 ? 4
                                     : 0;
    const bool overlong = (a == 0xe0 && b < 0xa0) || (a == 0xf0 && b < 0x90);
    const bool beyond = (a == 0xed && b > 0x9f) || (a == 0xf4 && b > 0x8f);
    for (size_t i = 1; i < length; i++) {
        if (text[i] < 0x80 || text[i] > 0xbf) {
            return 0;
        }
    }
    return overlong || beyond ? 0 : length;
}

static bool is_utf8(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t length = 1;
    while (*c && length) {
        length = length_at(c);
        c += length;
    }
    return length > 0;
}

char *shepard_utf8(const char *text)
{
    if (is_utf8(text)) {
        return strdup(text);
    }
    char *const made = malloc(2 * strlen(text) + 1);
    size_t n = 0;
    for (const unsigned char *c = (const unsigned char *)text; made && *c; c++) {
        if (*c >= 0x80) {
            made[n++] = (char)(0xc0 | *c >> 6);
        }
        made[n++] = (char)(*c >= 0x80 ? 0x80 | (*c & 0x3f) : *c);
    }
    if (made) {
        made[n] = '\0';
    }
    return made;
}
