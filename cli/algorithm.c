/* SPDX-License-Identifier: MIT */
#include "algorithm.h"

#include "choice_file.h"
#include "gdal_method.h"
#include "message.h"
#include "number.h"
#include "suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char automatic_name[] = "auto";

/* ---- Parsing --------------------------------------------------------------------------------- */

/* The library's messages are about one key, "power=...", or begin with the method, "idw: ...". */
static bool say_of_library(const char *message)
{
    const bool names_method = message[strcspn(message, ":= ")] == ':';
    return shepard_say_error("-a%s %s", names_method ? "" : ":", message);
}

const char *shepard_algorithm_own_methods(char text[SHEPARD_METHOD_NAMES_SIZE])
{
    const char *method, *join = "";
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; (method = shepard_parameters_method(i)); i++) {
        const size_t room = SHEPARD_METHOD_NAMES_SIZE - length;
        snprintf(text + length, room, "%s%s", join, method);
        length += strlen(text + length);
        join = shepard_parameters_method(i + 2) ? ", " : " or ";
    }
    return text;
}

/* All keys with their values, as the library writes them. */
static bool list_keys(struct shepard_algorithm *algorithm)
{
    const size_t size = shepard_parameters_print(&algorithm->parameters, &algorithm->options,
                                                 algorithm->name, NULL, 0) +
                        1;
    struct shepard_text_list pairs = {0};
    char *const text = malloc(size);
    bool good = text || shepard_say_error("out of memory");
    if (good) {
        shepard_parameters_print(&algorithm->parameters, &algorithm->options, algorithm->name, text,
                                 size);
        good = shepard_text_list_split(&pairs, text, ':');
    }
    for (size_t i = 1; good && i < pairs.count; i++) {
        const char *const pair = pairs.items[i];
        const size_t length = strcspn(pair, "=");
        good = shepard_algorithm_add_key(algorithm, pair, length, pair + length + 1);
    }
    shepard_text_list_free(&pairs);
    free(text);
    return good;
}

/* The text of a key, "nodata="; NULL: it is not given. */
static const char *given(const struct shepard_text_list *words, const char *key)
{
    for (size_t i = 1; i < words->count; i++) {
        if (shepard_same_key(words->items[i], key)) {
            return words->items[i] + strlen(key);
        }
    }
    return NULL;
}

static bool parse_library(struct shepard_algorithm *algorithm, const char *text,
                          const struct shepard_text_list *words)
{
    struct shepard_error error;
    const char *const nodata = given(words, "nodata=");
    if (shepard_parameters_parse(text, &algorithm->parameters, &algorithm->options, &error)) {
        return say_of_library(error.message);
    }
    algorithm->nodata_given = nodata != NULL;
    algorithm->eps_given = given(words, "eps=") != NULL;
    if (!nodata) {
        shepard_number(SHEPARD_ALGORITHM_NODATA, &algorithm->parameters.nodata);
    } else if (isinf(algorithm->parameters.nodata)) {
        return shepard_say_error("-a: nodata=%s: '%s' is not a number", nodata, nodata);
    }
    return list_keys(algorithm);
}

static bool check_automatic(const struct shepard_text_list *words)
{
    for (size_t i = 1; i < words->count; i++) {
        if (!shepard_same_key(words->items[i], "nodata=")) {
            return shepard_say_error("-a auto: '%s': auto takes no key but nodata, since it "
                                     "chooses the others; name a method to give them yourself, or "
                                     "limits of the search to `shepard tune`",
                                     words->items[i]);
        }
    }
    return words->count <= 2 || shepard_say_error("-a auto: nodata is given twice; give it once");
}

/* The library reads nodata, for a method that takes it as all do. */
static bool parse_automatic(struct shepard_algorithm *algorithm,
                            const struct shepard_text_list *words)
{
    struct shepard_algorithm own = *algorithm;
    char *text = NULL;
    own.name = shepard_parameters_method(0);
    bool good = check_automatic(words) && shepard_append_format(&text, "%s", own.name);
    for (size_t i = 1; good && i < words->count; i++) {
        good = shepard_append_format(&text, ":%s", words->items[i]);
    }
    good = good && parse_library(&own, text, words) &&
           shepard_algorithm_add_key(algorithm, "nodata", strlen("nodata"), "") &&
           shepard_algorithm_set_nodata(algorithm, own.parameters.nodata);
    algorithm->nodata_given = own.nodata_given;
    shepard_algorithm_free(&own);
    free(text);
    return good;
}

static bool unknown_name(const char *name)
{
    struct shepard_suggestion near = {.word = name};
    shepard_suggest(&near, automatic_name);
    const char *method;
    for (size_t i = 0; (method = shepard_parameters_method(i)); i++) {
        shepard_suggest(&near, method);
    }
    for (size_t i = 0; (method = shepard_gdal_method_name(i)); i++) {
        shepard_suggest(&near, method);
    }
    return shepard_say_unknown(&near, "-a: unknown algorithm", "`shepard grid --help` lists them");
}

static bool parse_words(struct shepard_algorithm *algorithm, const char *text,
                        const struct shepard_text_list *words)
{
    const char *method;
    if (words->count == 0) {
        return shepard_say_error("-a: the algorithm is missing; example: -a idw:power=2");
    }
    if (strcasecmp(words->items[0], automatic_name) == 0) {
        algorithm->name = automatic_name;
        algorithm->automatic = true;
        return parse_automatic(algorithm, words);
    }
    for (size_t i = 0; (method = shepard_parameters_method(i)); i++) {
        if (strcasecmp(words->items[0], method) == 0) {
            algorithm->name = method;
            return parse_library(algorithm, text, words);
        }
    }
    algorithm->gdal_method = shepard_gdal_method_find(words->items[0]);
    return algorithm->gdal_method ? shepard_gdal_method_parse(algorithm, words)
                                  : unknown_name(words->items[0]);
}

static bool parse_text(const char *text, struct shepard_algorithm *algorithm)
{
    struct shepard_text_list words = {0};
    *algorithm = (struct shepard_algorithm){0};
    shepard_points_options_init(&algorithm->options);
    shepard_parameters_init(&algorithm->parameters);
    const bool good =
        shepard_text_list_split(&words, text, ':') && parse_words(algorithm, text, &words);
    shepard_text_list_free(&words);
    if (!good) {
        shepard_algorithm_free(algorithm);
    }
    return good;
}

static bool parse_file(const char *file, struct shepard_algorithm *algorithm)
{
    char *text = NULL;
    const bool good = shepard_choice_read(file, &text) && parse_text(text, algorithm);
    free(text);
    return good;
}

bool shepard_algorithm_parse(const char *text, struct shepard_algorithm *algorithm)
{
    const char *const file = shepard_choice_file(text);
    *algorithm = (struct shepard_algorithm){0};
    return file ? parse_file(file, algorithm) : parse_text(text, algorithm);
}

bool shepard_algorithm_choose(struct shepard_algorithm *algorithm, const char *text)
{
    struct shepard_algorithm chosen;
    if (!parse_text(text, &chosen) ||
        !shepard_algorithm_set_nodata(&chosen, algorithm->parameters.nodata)) {
        return false;
    }
    const double ratio = chosen.options.anisotropy_ratio, angle = chosen.options.anisotropy_angle;
    chosen.options = algorithm->options;
    chosen.options.anisotropy_ratio = ratio;
    chosen.options.anisotropy_angle = angle;
    chosen.nodata_given = algorithm->nodata_given;
    shepard_algorithm_free(algorithm);
    *algorithm = chosen;
    return true;
}

void shepard_algorithm_free(struct shepard_algorithm *algorithm)
{
    shepard_text_list_free(&algorithm->keys);
    shepard_text_list_free(&algorithm->texts);
    *algorithm = (struct shepard_algorithm){0};
}

/* ---- Reading back ---------------------------------------------------------------------------- */

const char *shepard_algorithm_name(const struct shepard_algorithm *algorithm)
{
    return algorithm->name;
}

bool shepard_algorithm_by_gdal(const struct shepard_algorithm *algorithm)
{
    return algorithm->gdal_method != NULL;
}

bool shepard_algorithm_is_fitted(const struct shepard_algorithm *algorithm)
{
    const struct shepard_kriging *const kriging = &algorithm->parameters.kriging;
    const bool needs_p = kriging->covariance == SHEPARD_COVARIANCE_STABLE;
    const bool needs_mean = kriging->kind == SHEPARD_KRIGING_SIMPLE;
    return algorithm->parameters.method == SHEPARD_METHOD_KRIGE &&
           (isnan(kriging->psill) || isnan(kriging->range) || isnan(kriging->nugget) ||
            (needs_p && isnan(kriging->p)) || (needs_mean && isnan(kriging->mean)) ||
            isnan(algorithm->options.anisotropy_ratio));
}

/* The number of the key of this name, or the number of keys if no key has it. */
static size_t key_index(const struct shepard_algorithm *algorithm, const char *name)
{
    size_t i = 0;
    while (i < algorithm->keys.count && strcasecmp(algorithm->keys.items[i], name) != 0) {
        i++;
    }
    return i;
}

bool shepard_algorithm_has(const struct shepard_algorithm *algorithm, const char *key)
{
    return key_index(algorithm, key) < algorithm->keys.count;
}

bool shepard_algorithm_set_nodata(struct shepard_algorithm *algorithm, double nodata)
{
    char text[32];
    algorithm->parameters.nodata = nodata;
    return shepard_algorithm_set_text(algorithm, key_index(algorithm, "nodata"),
                                      shepard_number_text(nodata, text));
}

const char *shepard_algorithm_key(const struct shepard_algorithm *algorithm, size_t i)
{
    return i < algorithm->keys.count ? algorithm->keys.items[i] : NULL;
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

bool shepard_algorithm_print(const struct shepard_algorithm *algorithm,
                             const struct shepard_parameters *parameters,
                             const struct shepard_points_options *options, char **text)
{
    struct shepard_parameters shown = *parameters;
    shown.nodata = algorithm->parameters.nodata;
    const size_t size = shepard_parameters_print(&shown, options, algorithm->name, NULL, 0) + 1;
    char *const printed = malloc(size);
    if (!printed) {
        return shepard_say_error("out of memory");
    }
    shepard_parameters_print(&shown, options, algorithm->name, printed, size);
    const bool good = shepard_append_format(text, "%s", printed);
    free(printed);
    return good;
}

static void print_form(const struct shepard_algorithm *algorithm)
{
    size_t column = (size_t)printf("  %s", algorithm->name);
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

static void print_defaults(const char *name)
{
    struct shepard_algorithm algorithm;
    if (shepard_algorithm_parse(name, &algorithm)) {
        print_form(&algorithm);
        shepard_algorithm_free(&algorithm);
    }
}

void shepard_algorithm_help(bool with_gdal)
{
    const char *method;
    for (size_t i = 0; (method = shepard_parameters_method(i)); i++) {
        print_defaults(method);
    }
    for (size_t i = 0; with_gdal && (method = shepard_gdal_method_name(i)); i++) {
        print_defaults(method);
    }
}

void shepard_algorithm_help_eps(void)
{
    printf("\nSums over all points are within eps of the exact ones, a fraction of the range of\n"
           "the values. More digits: eps=1e-5, or precision=double:eps=1e-9; exact: eps=0.\n");
}
