/* SPDX-License-Identifier: MIT */
#include "key.h"

#include "message.h"
#include "number.h"
#include "words.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum kind {
    REAL,          /* double */
    NODATA_VALUE,  /* double, NaN allowed */
    COUNT,         /* size_t */
    CHOICE,        /* int or enum: the number of the word among the choices */
    NUMBER_CHOICE, /* int: the word itself, a number */
    AREA_OR_AUTO,  /* double, 0 for "auto" */
    FIVE           /* double[5] */
};

struct key_form {
    const char *name;
    const char *standard; /* the default */
    enum kind kind;
    double above, least, most; /* value > above, least <= value <= most */
    size_t offset;       /* in struct shepard_options; GDAL_ONLY where it has no place there */
    const char *choices; /* of the choices: "a|b" */
};

#define GDAL_ONLY SIZE_MAX
#define PLACE(field) offsetof(struct shepard_options, field)
#define ANY -INFINITY, -DBL_MAX, DBL_MAX
#define POSITIVE 0, 0, DBL_MAX
#define NOT_NEGATIVE -1, 0, DBL_MAX
#define POINTS -1, 0, SHEPARD_POINTS_MAX

static const struct key_form keys[SHEPARD_KEY_COUNT] = {
    [SHEPARD_KEY_POWER] = {"power", "2", REAL, 0, 0, 100, PLACE(power), NULL},
    [SHEPARD_KEY_SMOOTHING] = {"smoothing", "0", REAL, NOT_NEGATIVE, PLACE(smoothing), NULL},
    [SHEPARD_KEY_RADIUS1] = {"radius1", "0", REAL, NOT_NEGATIVE, PLACE(neighbourhood.radius1),
                             NULL},
    [SHEPARD_KEY_RADIUS2] = {"radius2", "0", REAL, NOT_NEGATIVE, PLACE(neighbourhood.radius2),
                             NULL},
    [SHEPARD_KEY_RADIUS_LINEAR] = {"radius", "-1", REAL, ANY, GDAL_ONLY, NULL},
    [SHEPARD_KEY_ANGLE] = {"angle", "0", REAL, ANY, PLACE(neighbourhood.angle), NULL},
    [SHEPARD_KEY_K] = {"k", "0", COUNT, POINTS, PLACE(neighbourhood.max_points), NULL},
    [SHEPARD_KEY_K_ADAPTIVE] = {"k", "10", COUNT, 0, 1, SHEPARD_POINTS_MAX, PLACE(adaptive.k),
                                NULL},
    [SHEPARD_KEY_MAX_POINTS] = {"max_points", "0", COUNT, POINTS, PLACE(neighbourhood.max_points),
                                NULL},
    [SHEPARD_KEY_MIN_POINTS] = {"min_points", "0", COUNT, POINTS, PLACE(neighbourhood.min_points),
                                NULL},
    [SHEPARD_KEY_MAX_PER_QUADRANT] = {"max_points_per_quadrant", "0", COUNT, POINTS,
                                      PLACE(neighbourhood.max_points_per_sector), NULL},
    [SHEPARD_KEY_MIN_PER_QUADRANT] = {"min_points_per_quadrant", "0", COUNT, POINTS,
                                      PLACE(neighbourhood.min_points_per_sector), NULL},
    [SHEPARD_KEY_SECTORS] = {"sectors", "1", NUMBER_CHOICE, ANY, PLACE(neighbourhood.sectors),
                             "1|4|8"},
    [SHEPARD_KEY_MAX_PER_SECTOR] = {"max_points_per_sector", "0", COUNT, POINTS,
                                    PLACE(neighbourhood.max_points_per_sector), NULL},
    [SHEPARD_KEY_MIN_PER_SECTOR] = {"min_points_per_sector", "0", COUNT, POINTS,
                                    PLACE(neighbourhood.min_points_per_sector), NULL},
    [SHEPARD_KEY_ANISOTROPY_RATIO] = {"anisotropy_ratio", "1", REAL, -1, 1e-6, 1e6,
                                      PLACE(anisotropy_ratio), NULL},
    [SHEPARD_KEY_ANISOTROPY_ANGLE] = {"anisotropy_angle", "0", REAL, ANY, PLACE(anisotropy_angle),
                                      NULL},
    [SHEPARD_KEY_ALPHAS] = {"alphas", "1.5,2,2.5,3,3.5", FIVE, 0, 0, 100, PLACE(adaptive.alphas),
                            NULL},
    [SHEPARD_KEY_R_MIN] = {"rmin", "0", REAL, NOT_NEGATIVE, PLACE(adaptive.r_min), NULL},
    [SHEPARD_KEY_R_MAX] = {"rmax", "2", REAL, POSITIVE, PLACE(adaptive.r_max), NULL},
    [SHEPARD_KEY_AREA] = {"area", "auto", AREA_OR_AUTO, POSITIVE, PLACE(adaptive.area), NULL},
    [SHEPARD_KEY_EXPECT] = {"expect", "nn", CHOICE, ANY, PLACE(adaptive.expect), "nn|knn"},
    [SHEPARD_KEY_DEGREE] = {"degree", "0", NUMBER_CHOICE, ANY, PLACE(degree), "0|1"},
    [SHEPARD_KEY_RIDGE] = {"ridge", "1e-3", REAL, NOT_NEGATIVE, PLACE(ridge), NULL},
    [SHEPARD_KEY_EPS] = {"eps", "1e-5", REAL, -1, 0, 0.01, PLACE(eps), NULL},
    [SHEPARD_KEY_PRECISION] = {"precision", "single", CHOICE, ANY, PLACE(precision),
                               "single|double"},
    [SHEPARD_KEY_NODATA] = {"nodata", "-9999", NODATA_VALUE, ANY, PLACE(nodata), NULL},
};

static bool choose(const struct key_form *key, const char *text, int *choice)
{
    const size_t length = strlen(text);
    *choice = 0;
    for (const char *word = key->choices; word; (*choice)++) {
        const char *const end = strchr(word, '|');
        const size_t word_length = end ? (size_t)(end - word) : strlen(word);
        if (length == word_length && strncasecmp(word, text, length) == 0) {
            *choice = key->kind == NUMBER_CHOICE ? atoi(text) : *choice;
            return true;
        }
        word = end ? end + 1 : NULL;
    }
    return shepard_say_error("-a: %s=%s is not possible, it takes one of %s", key->name, text,
                             key->choices);
}

static bool in_range(const struct key_form *key, double value)
{
    return isnan(value) || (value > key->above && value >= key->least && value <= key->most);
}

static bool out_of_range(const struct key_form *key, const char *text)
{
    char least[32], most[32];
    const bool open = key->above >= key->least;
    shepard_number_text(key->least, least);
    shepard_number_text(key->most, most);
    if (key->most == DBL_MAX) {
        return shepard_say_error("-a: %s=%s is out of range, it must be %s %s", key->name, text,
                                 open ? "greater than" : "at least", least);
    }
    return shepard_say_error("-a: %s=%s is out of range, it must be %s %s and at most %s",
                             key->name, text, open ? "greater than" : "at least", least, most);
}

static bool read_number(const struct key_form *key, const char *text, double *value)
{
    const bool is_number = key->kind == NODATA_VALUE ? shepard_number_or_nan(text, value)
                                                     : shepard_number(text, value);
    if (!is_number) {
        return shepard_say_error("-a: %s=%s: '%s' is not a number", key->name, text, text);
    }
    if (key->kind == COUNT && *value != floor(*value)) {
        return shepard_say_error("-a: %s=%s: it takes a whole number", key->name, text);
    }
    return in_range(key, *value) ? true : out_of_range(key, text);
}

static bool read_five(const struct key_form *key, const char *text, double five[5])
{
    struct shepard_words words = {0};
    bool good = shepard_words_split(&words, text, ',');
    if (good && words.count != 5) {
        good = shepard_say_error("-a: %s=%s: it takes five numbers with commas between them",
                                 key->name, text);
    }
    for (size_t i = 0; good && i < 5; i++) {
        good = read_number(key, words.items[i], &five[i]);
    }
    shepard_words_free(&words);
    return good;
}

union value {
    double number;
    int choice;
    double five[5];
};

static bool read_value(const struct key_form *key, const char *text, union value *value)
{
    switch (key->kind) {
    case CHOICE:
    case NUMBER_CHOICE:
        return choose(key, text, &value->choice);
    case FIVE:
        return read_five(key, text, value->five);
    case AREA_OR_AUTO:
        value->number = 0;
        return strcasecmp(text, "auto") == 0 || read_number(key, text, &value->number);
    default:
        return read_number(key, text, &value->number);
    }
}

static void store_value(const struct key_form *key, const union value *value, void *place)
{
    switch (key->kind) {
    case COUNT:
        *(size_t *)place = (size_t)value->number;
        break;
    case CHOICE:
    case NUMBER_CHOICE:
        *(int *)place = value->choice;
        break;
    case FIVE:
        memcpy(place, value->five, sizeof value->five);
        break;
    default:
        *(double *)place = value->number;
        break;
    }
}

const char *shepard_key_name(enum shepard_key key)
{
    return keys[key].name;
}

const char *shepard_key_standard(enum shepard_key key)
{
    return keys[key].standard;
}

bool shepard_key_read(enum shepard_key key, const char *text, struct shepard_options *options)
{
    const struct key_form *const form = &keys[key];
    union value value;
    if (!read_value(form, text, &value)) {
        return false;
    }
    if (form->offset != GDAL_ONLY) {
        store_value(form, &value, (char *)options + form->offset);
    }
    return true;
}
