/* SPDX-License-Identifier: MIT */
#include "levels.h"

#include "message.h"
#include "number.h"

#include <stdlib.h>

static bool add(struct shepard_levels *levels, const char *text)
{
    double z;
    if (!shepard_number(text, &z)) {
        return shepard_say_error("-zlevels: '%s' is not a number; write -zlevels 0,10,20", text);
    }
    for (size_t i = 0; i < levels->count; i++) {
        if (levels->z[i] == z) {
            return shepard_say_error("-zlevels: %s is given twice", text);
        }
    }
    levels->z[levels->count++] = z;
    return true;
}

bool shepard_levels_read(struct shepard_levels *levels, const struct shepard_text_list *texts)
{
    bool good = true;
    levels->z = calloc(texts->count + 1, sizeof *levels->z);
    if (!levels->z) {
        return shepard_say_error("out of memory");
    }
    for (size_t i = 0; i < texts->count && good; i++) {
        good = add(levels, texts->items[i]);
    }
    return good;
}

void shepard_levels_free(struct shepard_levels *levels)
{
    free(levels->z);
    *levels = (struct shepard_levels){0};
}
