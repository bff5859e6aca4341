/* SPDX-License-Identifier: MIT */
/*
 * Property: shepard_options_parse of any argument vector
 *  - says one error that is not empty where it refuses the vector, and none where it takes it;
 *  - decides the same about the same arguments once more;
 *  - gives numbers in the range of their option, texts that stand in the arguments, and two
 *    positionals, or one and the file of --json.
 *
 * An input is the arguments, with a zero byte between them. The table has an option of each kind.
 */
#include "fuzz.h"
#include "option.h"
#include "said.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ARGUMENTS_MAX = 64 };

struct target {
    bool flag;
    const char *text;
    struct shepard_text_list list, commas;
    struct shepard_numbers numbers, positive, sizes, seed, threads;
    struct shepard_clip_option clip;
    struct shepard_json_target json;
};

#define AT(field) offsetof(struct target, field)

static const struct shepard_option first[] = {
    {"-tap", NULL, SHEPARD_OPTION_FLAG, 0, AT(flag), "", ""},
    {"-where", NULL, SHEPARD_OPTION_TEXT, 1, AT(text), "EXPRESSION", ""},
    {"-l", NULL, SHEPARD_OPTION_LIST, 1, AT(list), "LAYER", ""},
    {"--diagnostics", NULL, SHEPARD_OPTION_COMMA_LIST, 1, AT(commas), "NAME[,NAME...]", ""},
    {"-spat", NULL, SHEPARD_OPTION_NUMBERS, 4, AT(numbers), "xmin ymin xmax ymax", ""},
    {"-tr", "-res", SHEPARD_OPTION_POSITIVE, 2, AT(positive), "xres yres", ""},
    {0}};

static const struct shepard_option second[] = {
    {"-outsize", NULL, SHEPARD_OPTION_SIZES, 2, AT(sizes), "columns rows", ""},
    {"--seed", NULL, SHEPARD_OPTION_SEED, 1, AT(seed), "N", ""},
    {"--threads", NULL, SHEPARD_OPTION_THREADS, 1, AT(threads), "N", ""},
    {"-clipsrc", NULL, SHEPARD_OPTION_CLIP, 4, AT(clip), "xmin ymin xmax ymax|WKT", ""},
    {"--json", NULL, SHEPARD_OPTION_JSON, 0, AT(json), "[=FILE]", ""},
    {0}};

static const struct shepard_option_group groups[] = {{"First", first}, {"Second", second}, {0}};

static const struct shepard_syntax syntax = {.verb = "grid",
                                             .positionals = "SRC DST",
                                             .positional_count = 2,
                                             .json_offset = AT(json),
                                             .groups = groups};

/* Arguments in one block, for free. */
struct vector {
    char *block;
    size_t size;
    char *argument[ARGUMENTS_MAX + 1];
    int count;
};

static bool make_vector(const uint8_t *bytes, size_t size, struct vector *vector)
{
    *vector = (struct vector){.block = malloc(size + 1), .size = size + 1};
    if (!vector->block)
        return false;
    memcpy(vector->block, bytes, size);
    vector->block[size] = '\0';
    for (size_t at = 0; at < size && vector->count < ARGUMENTS_MAX;
         at += strlen(vector->block + at) + 1)
        vector->argument[vector->count++] = vector->block + at;
    return true;
}

static void require_numbers(const struct shepard_numbers *numbers, int count, double low,
                            double high, bool whole)
{
    for (int i = 0; numbers->set && i < count; i++)
        FUZZ_REQUIRE(numbers->v[i] >= low && numbers->v[i] <= high &&
                         (!whole || numbers->v[i] == floor(numbers->v[i])),
                     "number %d is %.17g", i, numbers->v[i]);
}

static void require_inside(const struct vector *vector, const char *text)
{
    FUZZ_REQUIRE(!text || (text >= vector->block && text < vector->block + vector->size),
                 "a text that is no argument");
}

static void require_target(const struct vector *vector, const struct target *target,
                           const struct shepard_text_list *positionals)
{
    require_numbers(&target->numbers, 4, -HUGE_VAL, HUGE_VAL, false);
    require_numbers(&target->positive, 2, 5e-324, HUGE_VAL, false);
    require_numbers(&target->sizes, 2, 1, INT_MAX, true);
    require_numbers(&target->seed, 1, 0, INT_MAX, true);
    require_numbers(&target->threads, 1, 1, 4096, true);
    require_numbers(&target->clip.box, 4, -HUGE_VAL, HUGE_VAL, false);
    require_inside(vector, target->text);
    require_inside(vector, target->clip.text);
    require_inside(vector, target->json.file);
    FUZZ_REQUIRE(positionals->count == syntax.positional_count, "%zu names", positionals->count);
    for (size_t i = 0; i < target->commas.count; i++)
        FUZZ_REQUIRE(target->commas.items[i][0], "an empty name");
}

static bool parse(const uint8_t *bytes, size_t size)
{
    struct vector vector;
    if (!make_vector(bytes, size, &vector))
        return false;
    struct target target = {0};
    struct shepard_text_list positionals = {0};
    said_clear();
    const bool good =
        shepard_options_parse(&syntax, vector.count, vector.argument, &target, &positionals);
    FUZZ_REQUIRE(good ? said.count == 0 : said.count == 1 && said.text[0], "%s, with %d errors: %s",
                 good ? "taken" : "refused", said.count, said.text);
    if (good)
        require_target(&vector, &target, &positionals);
    shepard_text_list_free(&target.list);
    shepard_text_list_free(&target.commas);
    shepard_text_list_free(&positionals);
    free(vector.block);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const bool good = parse(bytes, size);
    FUZZ_REQUIRE(parse(bytes, size) == good, "decided otherwise the second time");
    return 0;
}
