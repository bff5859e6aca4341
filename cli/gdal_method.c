/* SPDX-License-Identifier: MIT */
#include "gdal_method.h"

#include "algorithm.h"
#include "message.h"
#include "number.h"
#include "suggest.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Keys ------------------------------------------------------------------------------------ */

enum key {
    KEY_END, /* ends a list of keys */
    KEY_RADIUS1,
    KEY_RADIUS2,
    KEY_RADIUS_LINEAR,
    KEY_ANGLE,
    KEY_MAX_POINTS,
    KEY_MIN_POINTS,
    KEY_MAX_PER_QUADRANT,
    KEY_MIN_PER_QUADRANT,
    KEY_NODATA,
    KEY_COUNT
};

enum kind {
    REAL,         /* a finite number */
    NODATA_VALUE, /* NaN too */
    COUNT         /* a whole number */
};

struct key_form {
    const char *name;
    const char *standard; /* the default */
    enum kind kind;
    double least, most;
};

#define ANY -DBL_MAX, DBL_MAX
#define NOT_NEGATIVE 0, DBL_MAX
#define POINTS 0, SHEPARD_POINTS_MAX

static const struct key_form key_forms[KEY_COUNT] = {
    [KEY_RADIUS1] = {"radius1", "0", REAL, NOT_NEGATIVE},
    [KEY_RADIUS2] = {"radius2", "0", REAL, NOT_NEGATIVE},
    [KEY_RADIUS_LINEAR] = {"radius", "-1", REAL, ANY},
    [KEY_ANGLE] = {"angle", "0", REAL, ANY},
    [KEY_MAX_POINTS] = {"max_points", "0", COUNT, POINTS},
    [KEY_MIN_POINTS] = {"min_points", "0", COUNT, POINTS},
    [KEY_MAX_PER_QUADRANT] = {"max_points_per_quadrant", "0", COUNT, POINTS},
    [KEY_MIN_PER_QUADRANT] = {"min_points_per_quadrant", "0", COUNT, POINTS},
    [KEY_NODATA] = {"nodata", SHEPARD_ALGORITHM_NODATA, NODATA_VALUE, ANY},
};

static bool out_of_range(const struct key_form *key, const char *text)
{
    char least[32], most[32];
    shepard_number_text(key->least, least);
    shepard_number_text(key->most, most);
    if (key->most == DBL_MAX) {
        return shepard_say_error("-a: %s=%s is out of range, it must be at least %s", key->name,
                                 text, least);
    }
    return shepard_say_error("-a: %s=%s is out of range, it must be at least %s and at most %s",
                             key->name, text, least, most);
}

static bool read_key(enum key key, const char *text, double *value)
{
    const struct key_form *const form = &key_forms[key];
    const bool is_number = form->kind == NODATA_VALUE ? shepard_number_or_nan(text, value)
                                                      : shepard_number(text, value);
    if (!is_number) {
        return shepard_say_error("-a: %s=%s: '%s' is not a number", form->name, text, text);
    }
    if (form->kind == COUNT && *value != floor(*value)) {
        return shepard_say_error("-a: %s=%s: it must be a whole number", form->name, text);
    }
    return isnan(*value) || (*value >= form->least && *value <= form->most) ||
           out_of_range(form, text);
}

/* ---- Methods --------------------------------------------------------------------------------- */

struct shepard_gdal_method {
    const char *name;
    enum key keys[10]; /* ends with KEY_END */
};

/* Of GDAL's figures about the points within reach. */
#define METRIC_KEYS                                                                                \
    {                                                                                              \
        KEY_RADIUS1, KEY_RADIUS2, KEY_ANGLE, KEY_MIN_POINTS, KEY_MAX_PER_QUADRANT,                 \
            KEY_MIN_PER_QUADRANT, KEY_NODATA                                                       \
    }

static const struct shepard_gdal_method forms[] = {
    {"nearest", {KEY_RADIUS1, KEY_RADIUS2, KEY_ANGLE, KEY_NODATA}},
    {"linear", {KEY_RADIUS_LINEAR, KEY_NODATA}},
    {"average",
     {KEY_RADIUS1, KEY_RADIUS2, KEY_ANGLE, KEY_MAX_POINTS, KEY_MIN_POINTS, KEY_MAX_PER_QUADRANT,
      KEY_MIN_PER_QUADRANT, KEY_NODATA}},
    {"minimum", METRIC_KEYS},
    {"maximum", METRIC_KEYS},
    {"range", METRIC_KEYS},
    {"count", METRIC_KEYS},
    {"average_distance", METRIC_KEYS},
    {"average_distance_pts", METRIC_KEYS},
};

enum { FORM_COUNT = sizeof forms / sizeof forms[0] };

const struct shepard_gdal_method *shepard_gdal_method_find(const char *name)
{
    size_t i = 0;
    while (i < FORM_COUNT && strcasecmp(name, forms[i].name) != 0) {
        i++;
    }
    return i < FORM_COUNT ? &forms[i] : NULL;
}

/* The place of a key in the form, or of the end of its list. */
static size_t find_key(const struct shepard_gdal_method *form, const char *name)
{
    size_t i = 0;
    while (form->keys[i] != KEY_END && strcasecmp(key_forms[form->keys[i]].name, name) != 0) {
        i++;
    }
    return i;
}

static bool has_key(const struct shepard_gdal_method *form, const char *name)
{
    return form->keys[find_key(form, name)] != KEY_END;
}

/* What a key of another algorithm is called here; NULL: it has no name here. */
static const char *name_here(const struct shepard_gdal_method *form, const char *name)
{
    static const char *const pairs[][2] = {
        {"k", "max_points"},
        {"max_points_per_sector", "max_points_per_quadrant"},
        {"min_points_per_sector", "min_points_per_quadrant"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (strcasecmp(name, pairs[i][0]) == 0 && has_key(form, pairs[i][1])) {
            return pairs[i][1];
        }
    }
    return NULL;
}

static bool unknown_key(const struct shepard_gdal_method *form, const char *name)
{
    const char *const here = name_here(form, name);
    if (here) {
        return shepard_say_error("-a %s: unknown key '%s'; here it is called %s", form->name, name,
                                 here);
    }
    struct shepard_suggestion near = {.word = name};
    char *list = NULL;
    bool complete = true;
    for (const enum key *key = form->keys; *key != KEY_END; key++) {
        shepard_suggest(&near, key_forms[*key].name);
        complete = complete &&
                   shepard_append_format(&list, "%s%s", list ? ", " : "", key_forms[*key].name);
    }
    if (near.best) {
        shepard_say_error("-a %s: unknown key '%s'; did you mean %s?", form->name, name, near.best);
    } else if (complete) {
        shepard_say_error("-a %s: unknown key '%s'; its keys are %s", form->name, name, list);
    }
    free(list);
    return false;
}

/* ---- Parsing --------------------------------------------------------------------------------- */

/* What -a leaves to GDAL is only checked, but for what is needed here. */
static bool set_key(struct shepard_algorithm *algorithm, const char *name, const char *text)
{
    const size_t i = find_key(algorithm->gdal_method, name);
    const enum key key = algorithm->gdal_method->keys[i];
    struct shepard_parameters *const parameters = &algorithm->parameters;
    double value;
    if (key == KEY_END) {
        return unknown_key(algorithm->gdal_method, name);
    }
    if (!read_key(key, text, &value)) {
        return false;
    }
    if (key == KEY_NODATA) {
        parameters->nodata = value;
        algorithm->nodata_given = true;
    } else if (key == KEY_RADIUS1) {
        parameters->neighbourhood.radius1 = value;
    } else if (key == KEY_RADIUS2) {
        parameters->neighbourhood.radius2 = value;
    }
    return shepard_algorithm_set_text(algorithm, i, text);
}

/* "radius" is both semi-axes, but for linear, which has a radius of its own. */
static bool is_both_radii(const struct shepard_gdal_method *form, const char *name)
{
    return strcasecmp(name, "radius") == 0 && !has_key(form, "radius") && has_key(form, "radius1");
}

static bool set_pair(struct shepard_algorithm *algorithm, const char *pair)
{
    const char *const equals = strchr(pair, '=');
    if (!equals || equals == pair) {
        return shepard_say_error("-a %s: '%s' is not of the form key=value",
                                 algorithm->gdal_method->name, pair);
    }
    char *const name = strndup(pair, (size_t)(equals - pair));
    bool good = name || shepard_say_error("out of memory");
    if (good && is_both_radii(algorithm->gdal_method, name)) {
        good =
            set_key(algorithm, "radius1", equals + 1) && set_key(algorithm, "radius2", equals + 1);
    } else if (good) {
        good = set_key(algorithm, name, equals + 1);
    }
    free(name);
    return good;
}

static bool check_pairs(const struct shepard_algorithm *algorithm,
                        const struct shepard_text_list *pairs, size_t first)
{
    for (size_t i = first; i < pairs->count; i++) {
        for (size_t k = first; k < i; k++) {
            if (shepard_same_key(pairs->items[k], pairs->items[i])) {
                return shepard_say_error(
                    "-a %s: '%s' and '%s': the key is given twice; give it once",
                    algorithm->gdal_method->name, pairs->items[k], pairs->items[i]);
            }
        }
    }
    return true;
}

/* As with gdal_grid, radius wins over radius1 and radius2, whatever the order. */
static bool set_pairs(struct shepard_algorithm *algorithm, const struct shepard_text_list *pairs,
                      size_t first)
{
    if (!check_pairs(algorithm, pairs, first)) {
        return false;
    }
    for (int last = 0; last < 2; last++) {
        for (size_t i = first; i < pairs->count; i++) {
            const bool is_radius = shepard_same_key(pairs->items[i], "radius=");
            if (is_radius == (last == 1) && !set_pair(algorithm, pairs->items[i])) {
                return false;
            }
        }
    }
    return true;
}

bool shepard_gdal_method_parse(struct shepard_algorithm *algorithm,
                               const struct shepard_text_list *words)
{
    const struct shepard_neighbourhood *const near = &algorithm->parameters.neighbourhood;
    algorithm->name = algorithm->gdal_method->name;
    for (const enum key *key = algorithm->gdal_method->keys; *key != KEY_END; key++) {
        const struct key_form *const form = &key_forms[*key];
        if (!shepard_algorithm_add_key(algorithm, form->name, strlen(form->name), form->standard)) {
            return false;
        }
    }
    shepard_number(SHEPARD_ALGORITHM_NODATA, &algorithm->parameters.nodata);
    if (!set_pairs(algorithm, words, 1)) {
        return false;
    }
    return (near->radius1 > 0) == (near->radius2 > 0) ||
           shepard_say_error("-a %s: radius1 and radius2 go together; give both, or radius for "
                             "a circle",
                             algorithm->name);
}

const char *shepard_gdal_method_name(size_t i)
{
    return i < FORM_COUNT ? forms[i].name : NULL;
}
