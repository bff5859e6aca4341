/* SPDX-License-Identifier: MIT */
#include "error_text.h"

#include "progress.h"
#include "text_list.h"

#include <stdlib.h>
#include <string.h>

/* A name in the library's messages, and what the user writes: the first one whose key the
   algorithm has; a name with a dash is an option. Longer names stand before their beginnings. */
static const struct {
    const char *field;
    const char *key[2];
} names[] = {
    {"parameters.neighbourhood.max_points_per_sector",
     {"max_points_per_sector", "max_points_per_quadrant"}},
    {"parameters.neighbourhood.min_points_per_sector",
     {"min_points_per_sector", "min_points_per_quadrant"}},
    {"parameters.neighbourhood.max_points", {"k", "max_points"}},
    {"parameters.neighbourhood.", {"", NULL}},
    {"parameters.adaptive.r_min", {"rmin", NULL}},
    {"parameters.adaptive.r_max", {"rmax", NULL}},
    {"parameters.adaptive.area", {"area= in -a", NULL}},
    {"parameters.adaptive.", {"", NULL}},
    {"parameters.kriging.covariance", {"model", NULL}},
    {"parameters.kriging.", {"", NULL}},
    {"tuning.candidates", {"-a", NULL}},
    {"validation.folds", {"--folds", NULL}},
    {"validation.block_size", {"--blocks", NULL}},
    {"block_size", {"--blocks", NULL}},
    {"data.values->weights", {"-wfield", NULL}},
    {"values.weights", {"-wfield: weight", NULL}},
    {"options.threads", {"--threads", NULL}},
    {"options.backend", {"--backend", NULL}},
    {"options.device is ", {"--backend cuda:", NULL}},
    {"SHEPARD_BACKEND_AUTO", {"--backend auto", NULL}},
    {"SHEPARD_DEVICE_ALL", {"cuda:all", NULL}},
    {"SHEPARD_METRIC_PLANE", {"-planar", NULL}},
    {"coordinates.", {"", NULL}},
    {"options.", {"", NULL}},
    {"parameters.", {"", NULL}},
    {"max_points_per_sector", {"max_points_per_sector", "max_points_per_quadrant"}},
    {"min_points_per_sector", {"min_points_per_sector", "min_points_per_quadrant"}},
    {"max_points", {"k", "max_points"}},
};

enum { NAMES = sizeof names / sizeof names[0] };

static const char *users_word(const struct shepard_algorithm *algorithm, size_t i)
{
    const char *const second = names[i].key[1];
    return second && shepard_algorithm_has(algorithm, second) ? second : names[i].key[0];
}

/* The number of the name that the text begins with; NAMES: none. */
static size_t name_at(const char *text)
{
    size_t i = 0;
    while (i < NAMES && strncmp(text, names[i].field, strlen(names[i].field)) != 0) {
        i++;
    }
    return i;
}

char *shepard_error_with_fields(const char *message, const struct shepard_point_set *points,
                                const size_t *column)
{
    static const char name[] = "values.columns[";
    char *text = NULL;
    bool good = true;
    const char *at;
    while (good && (at = strstr(message, name)) != NULL) {
        char *end;
        const size_t c = column[strtoul(at + strlen(name), &end, 10)];
        good = shepard_append_format(&text, "%.*sfield %s", (int)(at - message), message,
                                     points->column[c].name);
        message = end + strlen("]");
    }
    return good && shepard_append_format(&text, "%s", message) ? text : NULL;
}

bool shepard_say_library_error(const struct shepard_algorithm *algorithm, const char *message)
{
    char *text = NULL;
    bool good = true;
    for (const char *c = message; good && *c;) {
        const size_t i = name_at(c);
        good = i < NAMES ? shepard_append_format(&text, "%s", users_word(algorithm, i))
                         : shepard_append_format(&text, "%c", *c);
        c += i < NAMES ? strlen(names[i].field) : 1;
    }
    shepard_progress_error(good && text ? text : message);
    free(text);
    return false;
}
