/* SPDX-License-Identifier: MIT */
/* Parameters as text: "name:key=value:...". */
#include "api/argument.h"
#include "api/kriging.h"
#include "api/parameter_value.h"
#include "base/error.h"
#include "base/sized.h"
#include "core/methods.h"

#include <math.h>
#include <stdio.h>

/* ---- A text that grows ----------------------------------------------------------------------- */

/* A buffer that takes what has room, and counts all. */
struct printer {
    char *text;
    size_t size, length;
};

static void print(struct printer *printer, const char *piece)
{
    const size_t length = strlen(piece);
    if (printer->length < printer->size) {
        const size_t room = printer->size - 1 - printer->length;
        const size_t fits = length < room ? length : room;
        memcpy(printer->text + printer->length, piece, fits);
        printer->text[printer->length + fits] = '\0';
    }
    printer->length += length;
}

/* ---- Names ----------------------------------------------------------------------------------- */

const char *shepard_parameters_method(size_t i)
{
    const struct shepard_parameter_form *form = shepard_parameter_form(i);
    return form != NULL ? form->name : NULL;
}

static const struct shepard_parameter_form *find_form(struct shepard_slice name)
{
    size_t i = 0;
    const struct shepard_parameter_form *form;
    while ((form = shepard_parameter_form(i)) != NULL && !shepard_slice_is(name, form->name))
        i++;
    return form;
}

static const struct shepard_parameter_key *find_key(const struct shepard_parameter_form *form,
                                                    struct shepard_slice name)
{
    size_t i = 0;
    while (form->keys[i] != NULL && !shepard_slice_is(name, form->keys[i]->name))
        i++;
    return form->keys[i];
}

static bool has_key(const struct shepard_parameter_form *form, const char *name)
{
    return find_key(form, shepard_slice_of(name)) != NULL;
}

/* A name ends with a zero where the nearest one is looked for. Longer ones are near none. */
struct name {
    char text[80];
};

static struct name name_of(struct shepard_slice slice)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "%.*s", SHEPARD_SLICE(slice));
    return name;
}

static enum shepard_status unknown_method(struct shepard_slice text, struct shepard_error *error)
{
    const struct name name = name_of(text);
    const struct shepard_parameter_form *form;
    const char *nearest = NULL;
    char list[120];
    struct printer printer = {.text = list, .size = sizeof list};
    for (size_t i = 0; (form = shepard_parameter_form(i)) != NULL; i++) {
        const char *const names[] = {form->name, nearest};
        const char *const found = shepard_nearest_name(name.text, names, nearest != NULL ? 2 : 1);
        nearest = found != NULL ? found : nearest;
        print(&printer, i > 0 ? ", " : "");
        print(&printer, form->name);
    }
    const bool near = nearest != NULL;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "text",
                             "unknown method '%.*s'; %s %s%s", SHEPARD_SLICE(text),
                             near ? "did you mean" : "there are", near ? nearest : list,
                             near ? "?" : "");
}

/* What a key of another name is called here; NULL: it has no name here. */
static const char *name_here(const struct shepard_parameter_form *form, struct shepard_slice name)
{
    static const char *const pairs[][2] = {
        {"max_points", "k"},
        {"max_points_per_quadrant", "max_points_per_sector"},
        {"min_points_per_quadrant", "min_points_per_sector"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        for (int side = 0; side < 2; side++)
            if (shepard_slice_is(name, pairs[i][side]) && has_key(form, pairs[i][1 - side]))
                return pairs[i][1 - side];
    return NULL;
}

/* The names of its keys, and their number. */
static size_t list_keys(const struct shepard_parameter_form *form,
                        const char *names[SHEPARD_PARAMETER_KEYS_MAX], char *list, size_t size)
{
    struct printer printer = {.text = list, .size = size};
    size_t count = 0;
    for (; form->keys[count] != NULL; count++) {
        names[count] = form->keys[count]->name;
        print(&printer, count > 0 ? ", " : "");
        print(&printer, names[count]);
    }
    return count;
}

static enum shepard_status unknown_key(const struct shepard_parameter_form *form,
                                       struct shepard_slice name, struct shepard_error *error)
{
    const char *names[SHEPARD_PARAMETER_KEYS_MAX], *here = name_here(form, name);
    const struct name word = name_of(name);
    char list[320];
    const size_t count = list_keys(form, names, list, sizeof list);
    const char *nearest = shepard_nearest_name(word.text, names, count);
    const char *hint = "its keys are", *hinted = list, *end = "";
    if (here != NULL) {
        hint = "here it is called";
        hinted = here;
    } else if (nearest != NULL) {
        hint = "did you mean";
        hinted = nearest;
        end = "?";
    }
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "text",
                             "%s: unknown key '%.*s'; %s %s%s", form->name, SHEPARD_SLICE(name),
                             hint, hinted, end);
}

/* ---- Parsing --------------------------------------------------------------------------------- */

struct parser {
    const struct shepard_parameter_form *form;
    struct shepard_parameter_settings settings;
    bool with_points; /* keys of points are allowed */
    struct shepard_error *error;
};

static enum shepard_status set_key(struct parser *parser, struct shepard_slice name,
                                   struct shepard_slice value)
{
    const struct shepard_parameter_key *key = find_key(parser->form, name);
    if (key == NULL)
        return unknown_key(parser->form, name, parser->error);
    if (key->of_points && !parser->with_points)
        return shepard_error_set(
            parser->error, SHEPARD_ERROR_ARGUMENT, "options",
            "%s: %s belongs to points, not to parameters: leave it out, or give "
            "options for it",
            parser->form->name, key->name);
    return shepard_parameter_read(key, value, &parser->settings, parser->error);
}

static enum shepard_status set_pair(struct parser *parser, struct shepard_slice pair)
{
    const struct shepard_slice name = shepard_slice_before(pair, '=');
    if (name.length == 0 || name.length == pair.length)
        return shepard_error_set(parser->error, SHEPARD_ERROR_ARGUMENT, "text",
                                 "%s: '%.*s' is not of the form key=value", parser->form->name,
                                 SHEPARD_SLICE(pair));
    const struct shepard_slice value = {name.text + name.length + 1, pair.length - name.length - 1};
    if (!shepard_slice_is(name, "radius") || !has_key(parser->form, "radius1"))
        return set_key(parser, name, value);
    const enum shepard_status status = set_key(parser, shepard_slice_of("radius1"), value);
    return status == SHEPARD_OK ? set_key(parser, shepard_slice_of("radius2"), value) : status;
}

static bool is_same_key(struct shepard_slice a, struct shepard_slice b)
{
    return shepard_slice_same(shepard_slice_before(a, '='), shepard_slice_before(b, '='));
}

/* Whether two pairs set the same number, by one name or two. */
static bool sets_same(const struct parser *parser, struct shepard_slice a, struct shepard_slice b)
{
    const struct shepard_parameter_key *one = find_key(parser->form, shepard_slice_before(a, '='));
    const struct shepard_parameter_key *other =
        find_key(parser->form, shepard_slice_before(b, '='));
    return is_same_key(a, b) || (one != NULL && other != NULL && one->offset == other->offset);
}

static enum shepard_status check_pairs(const struct parser *parser, struct shepard_slice pairs)
{
    struct shepard_slice rest = pairs, pair, earlier;
    while (shepard_slice_next(&rest, ':', &pair)) {
        struct shepard_slice before = {pairs.text, (size_t)(pair.text - pairs.text)};
        while (shepard_slice_next(&before, ':', &earlier))
            if (sets_same(parser, earlier, pair))
                return shepard_error_set(
                    parser->error, SHEPARD_ERROR_ARGUMENT, "text",
                    "%s: '%.*s' and '%.*s': the key is given twice; give it once",
                    parser->form->name, SHEPARD_SLICE(earlier), SHEPARD_SLICE(pair));
    }
    return SHEPARD_OK;
}

/* As with gdal_grid, radius wins over radius1 and radius2, whatever the order. */
static enum shepard_status set_pairs(struct parser *parser, struct shepard_slice pairs)
{
    const struct shepard_slice radius = shepard_slice_of("radius");
    enum shepard_status status = check_pairs(parser, pairs);
    for (int last = 0; last < 2; last++) {
        struct shepard_slice rest = pairs, pair;
        while (status == SHEPARD_OK && shepard_slice_next(&rest, ':', &pair))
            if (is_same_key(pair, radius) == (last == 1))
                status = set_pair(parser, pair);
    }
    return status;
}

/* Whether any pair has one of these names, which end with NULL. */
static bool names_any(struct shepard_slice pairs, const char *const *names)
{
    struct shepard_slice pair;
    while (shepard_slice_next(&pairs, ':', &pair))
        for (size_t i = 0; names[i] != NULL; i++)
            if (shepard_slice_is(shepard_slice_before(pair, '='), names[i]))
                return true;
    return false;
}

/* A limit that does not depend on sectors. */
static bool limits_points(struct shepard_slice pairs)
{
    static const char *const names[] = {"k", "radius", "radius1", "radius2", NULL};
    return names_any(pairs, names);
}

/* An anisotropy that is not given is fitted with the range; that of a given range is none. */
static void complete_anisotropy(struct parser *parser, struct shepard_slice pairs)
{
    static const char *const names[] = {"anisotropy_ratio", "ratio", NULL};
    struct shepard_parameter_settings *settings = &parser->settings;
    if (!isnan(settings->parameters.kriging.range) && !names_any(pairs, names))
        settings->anisotropy_ratio = 1;
    if (!isnan(settings->anisotropy_ratio) && isnan(settings->anisotropy_angle))
        settings->anisotropy_angle = 0;
}

/* What no single key shows. */
static enum shepard_status check_together(struct parser *parser)
{
    struct shepard_neighbourhood *hood = &parser->settings.parameters.neighbourhood;
    const struct shepard_adaptive *adaptive = &parser->settings.parameters.adaptive;
    if ((hood->radius1 > 0) != (hood->radius2 > 0))
        return shepard_error_set(parser->error, SHEPARD_ERROR_ARGUMENT, "radius1",
                                 "%s: radius1 and radius2 go together; give both, or radius for a "
                                 "circle",
                                 parser->form->name);
    if (adaptive->r_min >= adaptive->r_max)
        return shepard_error_set(parser->error, SHEPARD_ERROR_ARGUMENT, "rmin",
                                 "%s: rmin must be smaller than rmax", parser->form->name);
    if (parser->form->has_quadrants &&
        (hood->max_points_per_sector > 0 || hood->min_points_per_sector > 0))
        hood->sectors = 4;
    const struct shepard_kriging_unused unused =
        shepard_kriging_find_unused(&parser->settings.parameters.kriging);
    if (unused.key != NULL)
        return shepard_error_set(parser->error, SHEPARD_ERROR_ARGUMENT, unused.key,
                                 "%s: only %s uses %s; give that, or leave %s out",
                                 parser->form->name, unused.user, unused.key, unused.key);
    return SHEPARD_OK;
}

static enum shepard_status parse(struct parser *parser, struct shepard_slice text)
{
    struct shepard_slice name;
    if (!shepard_slice_next(&text, ':', &name))
        return shepard_error_set(parser->error, SHEPARD_ERROR_ARGUMENT, "text",
                                 "the method is missing; example: idw:power=2");
    parser->form = find_form(name);
    if (parser->form == NULL)
        return unknown_method(name, parser->error);
    parser->settings.parameters.method = parser->form->method;
    const bool fits = shepard_method_facts(parser->form->method)->kriging;
    if (fits)
        parser->settings.anisotropy_ratio = parser->settings.anisotropy_angle = NAN;
    enum shepard_status status = set_pairs(parser, shepard_slice_of(parser->form->preset));
    if (status == SHEPARD_OK && parser->form->limits != NULL && !limits_points(text))
        status = set_pairs(parser, shepard_slice_of(parser->form->limits));
    if (status == SHEPARD_OK)
        status = set_pairs(parser, text);
    if (status == SHEPARD_OK && fits)
        complete_anisotropy(parser, text);
    return status == SHEPARD_OK ? check_together(parser) : status;
}

enum shepard_status
shepard_parameters_parse_sized(const char *text, struct shepard_parameters *parameters, size_t size,
                               struct shepard_points_options *options, struct shepard_error *error)
{
    if (text == NULL || parameters == NULL) {
        const char *missing = text == NULL ? "text" : "parameters";
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, missing,
                                 "%s is NULL: give a valid pointer", missing);
    }
    struct parser parser = {
        .settings = {.anisotropy_ratio = 1}, .with_points = options != NULL, .error = error};
    shepard_parameters_init(&parser.settings.parameters);
    const enum shepard_status status = parse(&parser, shepard_slice_of(text));
    if (status != SHEPARD_OK)
        return status;
    parser.settings.parameters.size = size;
    shepard_sized_give(&parser.settings.parameters, sizeof parser.settings.parameters, parameters,
                       size);
    if (options != NULL) {
        options->anisotropy_ratio = parser.settings.anisotropy_ratio;
        options->anisotropy_angle = parser.settings.anisotropy_angle;
    }
    return SHEPARD_OK;
}

/* ---- Printing -------------------------------------------------------------------------------- */

/* Whether angle is the ellipse's. */
static bool has_ellipse_angle(const struct shepard_parameter_form *form)
{
    const struct shepard_parameter_key *key = find_key(form, shepard_slice_of("angle"));
    return key != NULL && !key->of_points;
}

/* Whether the keys of the form say all that the method uses. */
static bool says_all(const struct shepard_parameter_form *form,
                     const struct shepard_parameters *parameters)
{
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const bool limits_sectors = hood->max_points_per_sector > 0 || hood->min_points_per_sector > 0;
    if (form->method != parameters->method)
        return false;
    if (!has_ellipse_angle(form) && hood->radius1 != hood->radius2 && hood->angle != 0)
        return false;
    return !form->has_quadrants || hood->sectors == (limits_sectors ? 4 : 1);
}

static const struct shepard_parameter_form *form_for(const char *method,
                                                     const struct shepard_parameters *parameters)
{
    const struct shepard_method_facts *facts = shepard_method_facts(parameters->method);
    if (facts == NULL)
        return NULL;
    const char *name = method != NULL ? method : facts->name;
    const struct shepard_parameter_form *form = find_form(shepard_slice_of(name));
    return form != NULL && says_all(form, parameters) ? form : NULL;
}

static bool is_printed(const struct shepard_parameter_key *key, bool with_points)
{
    return key->kind != SHEPARD_PARAMETER_SYNONYM && key->kind != SHEPARD_PARAMETER_INVERSE &&
           (with_points || !key->of_points);
}

static bool print_pair(struct printer *printer, const struct shepard_parameter_key *key,
                       const struct shepard_parameter_settings *settings)
{
    char value[SHEPARD_PARAMETER_VALUE_SIZE];
    const bool good = shepard_parameter_write(key, settings, value);
    print(printer, ":");
    print(printer, key->name);
    print(printer, "=");
    print(printer, good ? value : "");
    return good;
}

size_t shepard_parameters_print(const struct shepard_parameters *parameters,
                                const struct shepard_points_options *options, const char *method,
                                char *text, size_t size)
{
    struct shepard_parameter_settings settings;
    struct printer printer = {.text = text, .size = size};
    const struct shepard_parameter_form *form = NULL;
    shepard_parameters_init(&settings.parameters);
    if (SHEPARD_TAKE(parameters, &settings.parameters, "parameters", shepard_parameters, NULL) ==
        SHEPARD_OK)
        form = form_for(method, &settings.parameters);
    bool good = form != NULL;
    if (options != NULL) {
        settings.anisotropy_ratio = options->anisotropy_ratio;
        settings.anisotropy_angle = options->anisotropy_angle;
    }
    print(&printer, good ? form->name : "");
    for (size_t i = 0; good && form->keys[i] != NULL; i++)
        if (is_printed(form->keys[i], options != NULL))
            good = print_pair(&printer, form->keys[i], &settings);
    if (!good && size > 0)
        text[0] = '\0';
    return good ? printer.length : 0;
}
