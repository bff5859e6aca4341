/* SPDX-License-Identifier: MIT */
#include "option.h"

#include "message.h"
#include "number.h"
#include "path.h"
#include "suggest.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Where the parser stands. */
struct cursor {
    const struct shepard_syntax *syntax;
    char **argv;
    int argc, next;       /* the next argument to read */
    const char *attached; /* the value of "--name=value" until it is taken; NULL: none */
    void *target;
    struct shepard_text_list *positionals;
};

static const char *without_dashes(const char *text)
{
    text += *text == '-';
    return text + (*text == '-');
}

bool shepard_option_matches(const char *text, const char *name)
{
    return name && text[0] == '-' && strcasecmp(without_dashes(text), without_dashes(name)) == 0;
}

bool shepard_option_asked(int argc, char **argv, const char *name)
{
    for (int i = 0; i < argc; i++) {
        if (shepard_option_matches(argv[i], name)) {
            return true;
        }
    }
    return false;
}

/* The option after this one in the verb's groups, or, for NULL, the first. */
static const struct shepard_option *next_option(const struct shepard_syntax *syntax,
                                                const struct shepard_option *option, size_t *group)
{
    if (option) {
        option++;
    } else {
        *group = 0;
        option = syntax->groups[0].options;
    }
    while (!option->name && syntax->groups[*group + 1].title) {
        option = syntax->groups[++*group].options;
    }
    return option->name ? option : NULL;
}

static const struct shepard_option *find_option(const struct shepard_syntax *syntax,
                                                const char *text)
{
    size_t group = 0;
    const struct shepard_option *option = next_option(syntax, NULL, &group);
    while (option && !shepard_option_matches(text, option->name) &&
           !shepard_option_matches(text, option->alias)) {
        option = next_option(syntax, option, &group);
    }
    return option;
}

/* Options of other programs for rasters that are at hand, and what is meant by them here. */
static const char *habit(const char *text)
{
    static const char *const habits[][2] = {
        {"-te", "-txe xmin xmax -tye ymin ymax"},
        {"-ts", "-outsize columns rows"},
        {"-a_nodata", "nodata=VALUE in -a, as in -a idw:nodata=-1"},
        {"-dstnodata", "nodata=VALUE in -a, as in -a idw:nodata=-1"},
        {"-srcnodata", "-a_nodata_in V"},
        {"-t_srs", "-a_srs SRS, which does not transform the points"},
    };
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; i++) {
        if (shepard_option_matches(text, habits[i][0])) {
            return habits[i][1];
        }
    }
    return NULL;
}

static bool unknown_option(const struct shepard_syntax *syntax, const char *text)
{
    if (strcmp(syntax->verb, "grid") == 0 && habit(text)) {
        return shepard_say_error("unknown option %s; write %s", text, habit(text));
    }
    struct shepard_suggestion near = {.word = without_dashes(text)};
    const char *best = NULL;
    size_t group = 0;
    for (const struct shepard_option *option = next_option(syntax, NULL, &group); option;
         option = next_option(syntax, option, &group)) {
        const char *const before = near.best;
        shepard_suggest(&near, without_dashes(option->name));
        best = near.best == before ? best : option->name;
    }
    if (best) {
        return shepard_say_error("unknown option %s; did you mean %s?", text, best);
    }
    return shepard_say_error("unknown option %s; `shepard %s --help` lists them all", text,
                             syntax->verb);
}

static const char *take(struct cursor *cursor, const struct shepard_option *option)
{
    const char *value = cursor->attached;
    cursor->attached = NULL;
    if (!value && cursor->next < cursor->argc) {
        value = cursor->argv[cursor->next++];
    }
    if (!value) {
        shepard_say_error("option %s needs more arguments: %s %s", option->name, option->name,
                          option->operands);
    }
    return value;
}

static bool in_range(enum shepard_option_kind kind, double value)
{
    if (kind == SHEPARD_OPTION_THREADS) {
        return value >= 1 && value <= 4096 && value == floor(value);
    }
    if (kind == SHEPARD_OPTION_SIZES || kind == SHEPARD_OPTION_SEED) {
        const double least = kind == SHEPARD_OPTION_SIZES;
        return value >= least && value <= INT_MAX && value == floor(value);
    }
    return kind != SHEPARD_OPTION_POSITIVE || value > 0;
}

static const char *range_text(enum shepard_option_kind kind)
{
    if (kind == SHEPARD_OPTION_THREADS) {
        return "whole numbers from 1 to 4096";
    }
    if (kind == SHEPARD_OPTION_SEED) {
        return "whole numbers from 0 to 2147483647";
    }
    return kind == SHEPARD_OPTION_SIZES ? "whole numbers from 1 to 2147483647"
                                        : "numbers greater than 0";
}

static bool take_number(struct cursor *cursor, const struct shepard_option *option, double *value)
{
    const char *const text = take(cursor, option);
    if (!text) {
        return false;
    }
    if (!shepard_number(text, value)) {
        return shepard_say_error("option %s: '%s' is not a number; write %s %s", option->name, text,
                                 option->name, option->operands);
    }
    if (!in_range(option->kind, *value)) {
        return shepard_say_error("option %s: %s is not allowed, it takes %s", option->name, text,
                                 range_text(option->kind));
    }
    return true;
}

static bool take_numbers(struct cursor *cursor, const struct shepard_option *option,
                         struct shepard_numbers *numbers)
{
    numbers->set = true;
    for (int i = 0; i < option->arguments; i++) {
        if (!take_number(cursor, option, &numbers->v[i])) {
            return false;
        }
    }
    return true;
}

static bool take_list(struct cursor *cursor, const struct shepard_option *option,
                      struct shepard_text_list *words)
{
    const char *const text = take(cursor, option);
    if (!text) {
        return false;
    }
    if (option->kind == SHEPARD_OPTION_COMMA_LIST) {
        const size_t before = words->count;
        return shepard_text_list_split(words, text, ',') &&
               (words->count > before ||
                shepard_say_error("option %s: '%s' names nothing; write "
                                  "%s %s, or leave it out",
                                  option->name, text, option->name, option->operands));
    }
    return shepard_text_list_add(words, text, strlen(text));
}

static bool take_clip(struct cursor *cursor, const struct shepard_option *option,
                      struct shepard_clip_option *clip)
{
    *clip = (struct shepard_clip_option){0};
    double first;
    if (cursor->next + 4 <= cursor->argc && shepard_number(cursor->argv[cursor->next], &first)) {
        const struct shepard_option box = {.name = option->name,
                                           .kind = SHEPARD_OPTION_NUMBERS,
                                           .arguments = 4,
                                           .operands = option->operands};
        return take_numbers(cursor, &box, &clip->box);
    }
    clip->text = take(cursor, option);
    return clip->text != NULL;
}

static const char *file_or_stdout(const char *text)
{
    return shepard_path_is_stdout(text) ? NULL : text;
}

/* Whether the word behind --json is its file shows only when all positionals are known. */
static bool take_json(struct cursor *cursor, struct shepard_json_target *json)
{
    json->set = true;
    if (cursor->attached) {
        json->file = file_or_stdout(cursor->attached);
        cursor->attached = NULL;
    } else if (cursor->next < cursor->argc &&
               (cursor->argv[cursor->next][0] != '-' || !cursor->argv[cursor->next][1])) {
        json->behind = cursor->argv[cursor->next];
        json->behind_index = cursor->positionals->count;
    }
    return true;
}

static bool take_option(struct cursor *cursor, const struct shepard_option *option)
{
    void *const field = (char *)cursor->target + option->offset;
    switch (option->kind) {
    case SHEPARD_OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case SHEPARD_OPTION_TEXT:
        *(const char **)field = take(cursor, option);
        return *(const char **)field != NULL;
    case SHEPARD_OPTION_LIST:
    case SHEPARD_OPTION_COMMA_LIST:
        return take_list(cursor, option, field);
    case SHEPARD_OPTION_NUMBERS:
    case SHEPARD_OPTION_POSITIVE:
    case SHEPARD_OPTION_SIZES:
    case SHEPARD_OPTION_SEED:
    case SHEPARD_OPTION_THREADS:
        return take_numbers(cursor, option, field);
    case SHEPARD_OPTION_CLIP:
        return take_clip(cursor, option, field);
    case SHEPARD_OPTION_JSON:
        return take_json(cursor, field);
    }
    return false;
}

static bool take_argument(struct cursor *cursor)
{
    char *const text = cursor->argv[cursor->next++];
    if (text[0] != '-' || !text[1]) {
        return shepard_text_list_add(cursor->positionals, text, strlen(text));
    }
    const struct shepard_option *option = find_option(cursor->syntax, text);
    char *const equals = strncmp(text, "--", 2) == 0 ? strchr(text, '=') : NULL;
    if (!option && equals) {
        *equals = '\0';
        option = find_option(cursor->syntax, text);
        cursor->attached = equals + 1;
    }
    if (!option) {
        return unknown_option(cursor->syntax, text);
    }
    if (!take_option(cursor, option)) {
        return false;
    }
    return cursor->attached ? shepard_say_error("option %s takes no value", option->name) : true;
}

static bool names_las(const char *name)
{
    const char *const ending = strrchr(name, '.');
    return ending && (strcasecmp(ending, ".las") == 0 || strcasecmp(ending, ".laz") == 0);
}

/* How many of the positionals, word `skip` apart, are sources behind the first one. */
static size_t count_more_sources(const struct shepard_syntax *syntax,
                                 const struct shepard_text_list *words, size_t skip)
{
    size_t sources = 0, others = 0;
    if (syntax->several_last) {
        return words->count > syntax->positional_count ? words->count - syntax->positional_count
                                                       : 0;
    }
    for (size_t i = 0; i < words->count; i++) {
        if (i != skip) {
            sources += others == 0 && names_las(words->items[i]);
            others += !names_las(words->items[i]);
        }
    }
    const size_t count = words->count - (skip < words->count);
    const size_t excess = count > syntax->positional_count ? count - syntax->positional_count : 0;
    const size_t most = sources > 0 && syntax->several_sources ? sources - 1 : 0;
    return excess < most ? excess : most;
}

/* With one positional more than the verb takes, the one behind --json was its file, but not if it
 * is a LAS file, which nobody wants a summary in place of. */
static void settle_json(const struct cursor *cursor)
{
    struct shepard_json_target *const json =
        (struct shepard_json_target *)((char *)cursor->target + cursor->syntax->json_offset);
    struct shepard_text_list *const words = cursor->positionals;
    const size_t more = count_more_sources(cursor->syntax, words, json->behind_index);
    if (json->behind && !names_las(json->behind) &&
        words->count == cursor->syntax->positional_count + more + 1) {
        json->file = file_or_stdout(json->behind);
        shepard_text_list_remove(words, json->behind_index);
    }
}

bool shepard_options_parse(const struct shepard_syntax *syntax, int argc, char **argv, void *target,
                           struct shepard_text_list *positionals)
{
    struct cursor cursor = {
        .syntax = syntax, .argv = argv, .argc = argc, .target = target, .positionals = positionals};
    while (cursor.next < argc) {
        if (!take_argument(&cursor)) {
            return false;
        }
    }
    settle_json(&cursor);
    const size_t more = count_more_sources(syntax, positionals, positionals->count);
    if (positionals->count != syntax->positional_count + more) {
        return shepard_say_error("%s takes %zu name%s (%s), %zu given; see `shepard %s --help`",
                                 syntax->verb, syntax->positional_count,
                                 syntax->positional_count == 1 ? "" : "s", syntax->positionals,
                                 positionals->count, syntax->verb);
    }
    return true;
}

static void print_option(const struct shepard_option *option)
{
    char head[120];
    snprintf(head, sizeof head, "%s%s%s%s%s", option->name, option->alias ? ", " : "",
             option->alias ? option->alias : "", option->operands[0] ? " " : "", option->operands);
    printf("  %-30s", head);
    if (strlen(head) > 29) {
        printf("\n  %-30s", "");
    }
    printf("%s\n", option->help);
}

void shepard_options_help(const struct shepard_option_group *groups)
{
    for (const struct shepard_option_group *group = groups; group->title; group++) {
        printf("\n%s:\n", group->title);
        for (const struct shepard_option *option = group->options; option->name; option++) {
            print_option(option);
        }
    }
}
