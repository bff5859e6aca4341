/* SPDX-License-Identifier: MIT */
#include "algorithm.h"

#include "key.h"
#include "message.h"
#include "number.h"
#include "suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Algorithms ------------------------------------------------------------------------------ */

struct shepard_algorithm_form {
    const char *name;
    bool by_gdal;
    enum shepard_method method;
    const char *standard;      /* where the defaults differ from the keys' own: "key=value:..." */
    enum shepard_key keys[20]; /* ends with SHEPARD_KEY_END */
};

/* Of GDAL's figures about the points within reach. */
#define METRIC_KEYS                                                                                \
    {                                                                                              \
        SHEPARD_KEY_RADIUS1, SHEPARD_KEY_RADIUS2, SHEPARD_KEY_ANGLE, SHEPARD_KEY_MIN_POINTS,       \
            SHEPARD_KEY_MAX_PER_QUADRANT, SHEPARD_KEY_MIN_PER_QUADRANT, SHEPARD_KEY_NODATA         \
    }

static const struct shepard_algorithm_form forms[] = {
    {"invdist",
     false,
     SHEPARD_IDW,
     "",
     {SHEPARD_KEY_POWER, SHEPARD_KEY_SMOOTHING, SHEPARD_KEY_RADIUS1, SHEPARD_KEY_RADIUS2,
      SHEPARD_KEY_ANGLE, SHEPARD_KEY_MAX_POINTS, SHEPARD_KEY_MIN_POINTS,
      SHEPARD_KEY_MAX_PER_QUADRANT, SHEPARD_KEY_MIN_PER_QUADRANT, SHEPARD_KEY_ANISOTROPY_RATIO,
      SHEPARD_KEY_ANISOTROPY_ANGLE, SHEPARD_KEY_DEGREE, SHEPARD_KEY_RIDGE, SHEPARD_KEY_EPS,
      SHEPARD_KEY_PRECISION, SHEPARD_KEY_NODATA}},
    {"invdistnn",
     false,
     SHEPARD_IDW,
     "radius=1:max_points=12",
     {SHEPARD_KEY_POWER, SHEPARD_KEY_SMOOTHING, SHEPARD_KEY_RADIUS1, SHEPARD_KEY_RADIUS2,
      SHEPARD_KEY_ANGLE, SHEPARD_KEY_MAX_POINTS, SHEPARD_KEY_MIN_POINTS,
      SHEPARD_KEY_MAX_PER_QUADRANT, SHEPARD_KEY_MIN_PER_QUADRANT, SHEPARD_KEY_ANISOTROPY_RATIO,
      SHEPARD_KEY_ANISOTROPY_ANGLE, SHEPARD_KEY_DEGREE, SHEPARD_KEY_RIDGE, SHEPARD_KEY_EPS,
      SHEPARD_KEY_PRECISION, SHEPARD_KEY_NODATA}},
    {"idw",
     false,
     SHEPARD_IDW,
     "",
     {SHEPARD_KEY_POWER, SHEPARD_KEY_SMOOTHING, SHEPARD_KEY_K, SHEPARD_KEY_RADIUS1,
      SHEPARD_KEY_RADIUS2, SHEPARD_KEY_ANGLE, SHEPARD_KEY_SECTORS, SHEPARD_KEY_MIN_POINTS,
      SHEPARD_KEY_MAX_PER_SECTOR, SHEPARD_KEY_MIN_PER_SECTOR, SHEPARD_KEY_ANISOTROPY_RATIO,
      SHEPARD_KEY_ANISOTROPY_ANGLE, SHEPARD_KEY_DEGREE, SHEPARD_KEY_RIDGE, SHEPARD_KEY_EPS,
      SHEPARD_KEY_PRECISION, SHEPARD_KEY_NODATA}},
    {"aidw",
     false,
     SHEPARD_AIDW,
     "",
     {SHEPARD_KEY_K_ADAPTIVE, SHEPARD_KEY_ALPHAS, SHEPARD_KEY_R_MIN, SHEPARD_KEY_R_MAX,
      SHEPARD_KEY_AREA, SHEPARD_KEY_EXPECT, SHEPARD_KEY_SMOOTHING, SHEPARD_KEY_ANISOTROPY_RATIO,
      SHEPARD_KEY_ANISOTROPY_ANGLE, SHEPARD_KEY_DEGREE, SHEPARD_KEY_RIDGE, SHEPARD_KEY_EPS,
      SHEPARD_KEY_PRECISION, SHEPARD_KEY_NODATA}},
    {"nearest",
     true,
     SHEPARD_IDW,
     "",
     {SHEPARD_KEY_RADIUS1, SHEPARD_KEY_RADIUS2, SHEPARD_KEY_ANGLE, SHEPARD_KEY_NODATA}},
    {"linear", true, SHEPARD_IDW, "", {SHEPARD_KEY_RADIUS_LINEAR, SHEPARD_KEY_NODATA}},
    {"average",
     true,
     SHEPARD_IDW,
     "",
     {SHEPARD_KEY_RADIUS1, SHEPARD_KEY_RADIUS2, SHEPARD_KEY_ANGLE, SHEPARD_KEY_MAX_POINTS,
      SHEPARD_KEY_MIN_POINTS, SHEPARD_KEY_MAX_PER_QUADRANT, SHEPARD_KEY_MIN_PER_QUADRANT,
      SHEPARD_KEY_NODATA}},
    {"minimum", true, SHEPARD_IDW, "", METRIC_KEYS},
    {"maximum", true, SHEPARD_IDW, "", METRIC_KEYS},
    {"range", true, SHEPARD_IDW, "", METRIC_KEYS},
    {"count", true, SHEPARD_IDW, "", METRIC_KEYS},
    {"average_distance", true, SHEPARD_IDW, "", METRIC_KEYS},
    {"average_distance_pts", true, SHEPARD_IDW, "", METRIC_KEYS},
};

enum { FORM_COUNT = sizeof forms / sizeof forms[0] };

static const struct shepard_algorithm_form *find_form(const char *name)
{
    struct shepard_suggestion near = {.word = name};
    for (size_t i = 0; i < FORM_COUNT; i++) {
        if (strcasecmp(name, forms[i].name) == 0) {
            return &forms[i];
        }
        shepard_suggest(&near, forms[i].name);
    }
    if (near.best) {
        shepard_say_error("-a: unknown algorithm '%s'; did you mean %s?", name, near.best);
    } else {
        shepard_say_error("-a: unknown algorithm '%s'; `shepard grid --help` lists them", name);
    }
    return NULL;
}

/* The place of a key in the form, or of the end of its list. */
static size_t find_key(const struct shepard_algorithm_form *form, const char *name)
{
    size_t i = 0;
    while (form->keys[i] != SHEPARD_KEY_END &&
           strcasecmp(shepard_key_name(form->keys[i]), name) != 0) {
        i++;
    }
    return i;
}

static bool has_key(const struct shepard_algorithm_form *form, const char *name)
{
    return form->keys[find_key(form, name)] != SHEPARD_KEY_END;
}

/* What a key of another algorithm is called here; NULL: it has no name here. The k of adaptive IDW
 * is another idea: it measures the density and limits no sum. */
static const char *name_here(const struct shepard_algorithm_form *form, const char *name)
{
    static const char *const pairs[][2] = {
        {"max_points", "k"},
        {"max_points_per_quadrant", "max_points_per_sector"},
        {"min_points_per_quadrant", "min_points_per_sector"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        for (int side = 0; side < 2; side++) {
            if (form->method != SHEPARD_AIDW && strcasecmp(name, pairs[i][side]) == 0 &&
                has_key(form, pairs[i][1 - side])) {
                return pairs[i][1 - side];
            }
        }
    }
    return NULL;
}

static bool unknown_key(const struct shepard_algorithm_form *form, const char *name)
{
    const char *const here = name_here(form, name);
    if (here) {
        return shepard_say_error("-a %s: unknown key '%s'; here it is called %s", form->name, name,
                                 here);
    }
    struct shepard_suggestion near = {.word = name};
    char *list = NULL;
    bool complete = true;
    for (const enum shepard_key *key = form->keys; *key != SHEPARD_KEY_END; key++) {
        shepard_suggest(&near, shepard_key_name(*key));
        complete = complete &&
                   shepard_append_format(&list, "%s%s", list ? ", " : "", shepard_key_name(*key));
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

static bool set_text(struct shepard_algorithm *algorithm, size_t i, const char *text)
{
    char *const copy = strdup(text);
    if (!copy) {
        return shepard_say_error("out of memory");
    }
    free(algorithm->texts.items[i]);
    algorithm->texts.items[i] = copy;
    return true;
}

static bool set_key(struct shepard_algorithm *algorithm, const char *name, const char *text)
{
    const size_t i = find_key(algorithm->form, name);
    const enum shepard_key key = algorithm->form->keys[i];
    if (key == SHEPARD_KEY_END) {
        return unknown_key(algorithm->form, name);
    }
    algorithm->nodata_given = algorithm->nodata_given || key == SHEPARD_KEY_NODATA;
    return shepard_key_read(key, text, &algorithm->options) && set_text(algorithm, i, text);
}

/* "radius" is both semi-axes, but for linear, which has a radius of its own. */
static bool is_both_radii(const struct shepard_algorithm_form *form, const char *name)
{
    return strcasecmp(name, "radius") == 0 && !has_key(form, "radius") && has_key(form, "radius1");
}

static bool set_pair(struct shepard_algorithm *algorithm, const char *pair)
{
    const char *const equals = strchr(pair, '=');
    if (!equals || equals == pair) {
        return shepard_say_error("-a %s: '%s' is not of the form key=value", algorithm->form->name,
                                 pair);
    }
    char *const name = strndup(pair, (size_t)(equals - pair));
    bool good = name || shepard_say_error("out of memory");
    if (good && is_both_radii(algorithm->form, name)) {
        good =
            set_key(algorithm, "radius1", equals + 1) && set_key(algorithm, "radius2", equals + 1);
    } else if (good) {
        good = set_key(algorithm, name, equals + 1);
    }
    free(name);
    return good;
}

/* Length of the key in "key=value". */
static size_t key_length(const char *pair)
{
    return strcspn(pair, "=");
}

static bool same_key(const char *a, const char *b)
{
    return key_length(a) == key_length(b) && strncasecmp(a, b, key_length(a)) == 0;
}

static bool check_pairs(const struct shepard_algorithm *algorithm,
                        const struct shepard_words *pairs, size_t first)
{
    for (size_t i = first; i < pairs->count; i++) {
        for (size_t k = first; k < i; k++) {
            if (same_key(pairs->items[k], pairs->items[i])) {
                return shepard_say_error("-a %s: '%s' and '%s': the key stands twice; give it once",
                                         algorithm->form->name, pairs->items[k], pairs->items[i]);
            }
        }
    }
    return true;
}

/* As with gdal_grid, radius wins over radius1 and radius2, whatever the order. */
static bool set_pairs(struct shepard_algorithm *algorithm, const struct shepard_words *pairs,
                      size_t first)
{
    if (!check_pairs(algorithm, pairs, first)) {
        return false;
    }
    for (int last = 0; last < 2; last++) {
        for (size_t i = first; i < pairs->count; i++) {
            const bool is_radius = same_key(pairs->items[i], "radius=");
            if (is_radius == (last == 1) && !set_pair(algorithm, pairs->items[i])) {
                return false;
            }
        }
    }
    return true;
}

static bool set_defaults(struct shepard_algorithm *algorithm)
{
    shepard_options_init(&algorithm->options);
    algorithm->options.method = algorithm->form->method;
    for (const enum shepard_key *key = algorithm->form->keys; *key != SHEPARD_KEY_END; key++) {
        const char *const text = shepard_key_standard(*key);
        if (!shepard_words_add(&algorithm->texts, text, strlen(text)) ||
            !shepard_key_read(*key, text, &algorithm->options)) {
            return false;
        }
    }
    struct shepard_words pairs = {0};
    const bool good = shepard_words_split(&pairs, algorithm->form->standard, ':') &&
                      set_pairs(algorithm, &pairs, 0);
    shepard_words_free(&pairs);
    return good;
}

/* What no single key shows. */
static bool check_together(struct shepard_algorithm *algorithm)
{
    struct shepard_neighbourhood *const near = &algorithm->options.neighbourhood;
    const struct shepard_adaptive *const adaptive = &algorithm->options.adaptive;
    const struct shepard_algorithm_form *const form = algorithm->form;
    if ((near->radius1 > 0) != (near->radius2 > 0)) {
        return shepard_say_error("-a %s: radius1 and radius2 go together; give both, or radius for "
                                 "a circle",
                                 form->name);
    }
    if (form->method == SHEPARD_AIDW && adaptive->r_min >= adaptive->r_max) {
        return shepard_say_error("-a %s: rmin must be smaller than rmax", form->name);
    }
    if (has_key(form, "max_points_per_quadrant") &&
        (near->max_points_per_sector > 0 || near->min_points_per_sector > 0)) {
        near->sectors = 4;
    }
    return true;
}

bool shepard_algorithm_parse(const char *text, struct shepard_algorithm *algorithm)
{
    struct shepard_words words = {0};
    *algorithm = (struct shepard_algorithm){0};
    bool good = shepard_words_split(&words, text, ':');
    if (good && words.count == 0) {
        good = shepard_say_error("-a: an algorithm is missing; write for example -a idw:power=2");
    }
    algorithm->form = good ? find_form(words.items[0]) : NULL;
    good = algorithm->form && set_defaults(algorithm);
    good = good && set_pairs(algorithm, &words, 1) && check_together(algorithm);
    shepard_words_free(&words);
    if (!good) {
        shepard_algorithm_free(algorithm);
    }
    return good;
}

void shepard_algorithm_free(struct shepard_algorithm *algorithm)
{
    shepard_words_free(&algorithm->texts);
    *algorithm = (struct shepard_algorithm){0};
}

/* ---- Reading back ---------------------------------------------------------------------------- */

const char *shepard_algorithm_name(const struct shepard_algorithm *algorithm)
{
    return algorithm->form->name;
}

bool shepard_algorithm_by_gdal(const struct shepard_algorithm *algorithm)
{
    return algorithm->form->by_gdal;
}

bool shepard_algorithm_has(const struct shepard_algorithm *algorithm, const char *key)
{
    return has_key(algorithm->form, key);
}

bool shepard_algorithm_set_nodata(struct shepard_algorithm *algorithm, double nodata)
{
    char text[32];
    algorithm->options.nodata = nodata;
    return set_text(algorithm, find_key(algorithm->form, "nodata"),
                    shepard_number_text(nodata, text));
}

const char *shepard_algorithm_key(const struct shepard_algorithm *algorithm, size_t i)
{
    return i < algorithm->texts.count ? shepard_key_name(algorithm->form->keys[i]) : NULL;
}

bool shepard_algorithm_number(const struct shepard_algorithm *algorithm, size_t i, double *number)
{
    return shepard_number(algorithm->texts.items[i], number);
}

bool shepard_algorithm_text(const struct shepard_algorithm *algorithm, char **text)
{
    for (size_t i = 0; i < algorithm->texts.count; i++) {
        if (!shepard_append_format(text, "%s%s=%s", i > 0 ? ":" : "",
                                   shepard_algorithm_key(algorithm, i),
                                   algorithm->texts.items[i])) {
            return false;
        }
    }
    return true;
}

static void print_form(const struct shepard_algorithm *algorithm)
{
    size_t column = (size_t)printf("  %s", algorithm->form->name);
    for (size_t i = 0; i < algorithm->texts.count; i++) {
        const char *const name = shepard_algorithm_key(algorithm, i);
        const char *const text = algorithm->texts.items[i];
        if (column + strlen(name) + strlen(text) + 2 > 98) {
            column = (size_t)printf("\n     ") - 1;
        }
        column += (size_t)printf(":%s=%s", name, text);
    }
    putchar('\n');
}

void shepard_algorithm_help(bool with_gdal)
{
    for (size_t i = 0; i < FORM_COUNT; i++) {
        struct shepard_algorithm algorithm;
        if ((with_gdal || !forms[i].by_gdal) &&
            shepard_algorithm_parse(forms[i].name, &algorithm)) {
            print_form(&algorithm);
            shepard_algorithm_free(&algorithm);
        }
    }
}
