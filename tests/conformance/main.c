/* SPDX-License-Identifier: MIT */
/*
 * conformance [--seed N] [--backend NAME] [--repeat] [GROUP...]: runs all groups, or those named,
 * on every usable backend, or on ref and the one named.
 *
 * SHEPARD_TEST_ONE_IN=N: of the random trials of the long groups one in N, for builds that are slow
 * (sanitizers, emulators) or repeat what another build has shown.
 *
 * --repeat: the arithmetic once more, on an instruction set that SHEPARD_ISA names, or on another
 * processor. Backends that this changes nothing of are left out, but for ref in the group whose
 * reference it is. Where SHEPARD_ISA leaves the best set in use, the program ends with 77: the
 * groups run on it anyway.
 */
#include "check.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct group {
    const char *name, *text;
    void (*run)(const struct suite *suite);
};

#define GROUP(name, text) {#name, text, suite_##name},
static const struct group groups[] = {SUITE_GROUPS(GROUP)};
#undef GROUP
#define GROUP_COUNT (sizeof groups / sizeof groups[0])

#define EXIT_SKIPPED 77

static int usage(void)
{
    puts("usage: conformance [--seed N] [--backend NAME] [--repeat] [GROUP...]\ngroups:");
    for (size_t g = 0; g < GROUP_COUNT; g++)
        printf("  %-12s %s\n", groups[g].name, groups[g].text);
    return 2;
}

/* ref is among them in any case; others are compared with it. */
static bool is_chosen(const struct shepard_backend_info *info, const char *backend)
{
    return backend == NULL || info->backend == SHEPARD_BACKEND_REF ||
           strcmp(info->name, backend) == 0;
}

static size_t one_in(void)
{
    const char *given = getenv("SHEPARD_TEST_ONE_IN");
    return given != NULL ? strtoull(given, NULL, 10) : 1;
}

static struct suite suite_of(uint64_t seed, const char *backend, bool repeat)
{
    struct suite suite = {.seed = seed, .repeat = repeat, .one_in = one_in()};
    struct shepard_backend_info info;
    for (size_t i = 0; shepard_backend_get_info(i, &info); i++) {
        if (!is_chosen(&info, backend))
            continue;
        printf("backend %s: %s%s%s\n", info.name, info.usable ? "usable" : "not usable: ",
               info.usable ? ", instruction set: " : info.reason, info.usable ? info.isa : "");
        if (info.usable && suite.count < SUITE_BACKENDS_MAX)
            suite.backends[suite.count++] = info;
    }
    return suite;
}

static bool runs_on(const struct suite *suite, const char *backend)
{
    for (size_t b = 0; b < suite->count; b++)
        if (backend == NULL || strcmp(suite->backends[b].name, backend) == 0)
            return true;
    return false;
}

/* The instruction set that the backend cpu uses, static. */
static const char *isa_in_use(void)
{
    struct shepard_backend_info info;
    for (size_t i = 0; shepard_backend_get_info(i, &info); i++)
        if (info.backend == SHEPARD_BACKEND_CPU)
            return info.isa;
    return "";
}

static bool is_best_isa(void)
{
    const char *limit = getenv("SHEPARD_ISA"), *limited = isa_in_use();
    char kept[32];
    if (limit == NULL)
        return false;
    snprintf(kept, sizeof kept, "%s", limit);
    unsetenv("SHEPARD_ISA");
    const char *best = isa_in_use();
    setenv("SHEPARD_ISA", kept, 1);
    if (strcmp(best, limited) == 0)
        printf("skipped: with SHEPARD_ISA=%s and without it the instruction set is %s\n", kept,
               best);
    return strcmp(best, limited) == 0;
}

static bool wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
}

/* The suite of a repeated group. */
static struct suite without_others(const struct suite *suite, const char *group)
{
    struct suite rest = {.seed = suite->seed, .repeat = true, .one_in = suite->one_in};
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        const bool reference = on->backend == SHEPARD_BACKEND_REF && strcmp(group, "large") == 0;
        if (on->isa[0] != '\0' || reference)
            rest.backends[rest.count++] = *on;
    }
    return rest;
}

static void run_group(const struct group *group, const struct suite *suite)
{
    const struct suite rest = suite->repeat ? without_others(suite, group->name) : *suite;
    group->run(&rest);
}

static bool known(const char *name)
{
    for (size_t g = 0; g < GROUP_COUNT; g++)
        if (strcmp(groups[g].name, name) == 0)
            return true;
    return false;
}

int main(int count, char **arguments)
{
    const char *given = getenv("SHEPARD_TEST_SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : 20150131;
    const char *backend = NULL;
    int first = 1;
    bool repeat = false;
    for (; first < count && strncmp(arguments[first], "--", 2) == 0; first++) {
        if (strcmp(arguments[first], "--repeat") == 0)
            repeat = true;
        else if (first + 1 == count)
            return usage();
        else if (strcmp(arguments[first], "--seed") == 0)
            seed = strtoull(arguments[++first], NULL, 10);
        else if (strcmp(arguments[first], "--backend") == 0)
            backend = arguments[++first];
        else
            return usage();
    }
    for (int i = first; i < count; i++)
        if (!known(arguments[i]))
            return usage();
    if (repeat && is_best_isa())
        return EXIT_SKIPPED;
    const struct suite suite = suite_of(seed, backend, repeat);
    if (!runs_on(&suite, backend)) {
        printf("backend %s cannot be used here\n", backend);
        return 2;
    }
    printf("seed %llu\n", (unsigned long long)seed);
    if (suite.one_in > 1)
        printf("one in %zu random trials\n", suite.one_in);
    for (size_t g = 0; g < GROUP_COUNT; g++)
        if (wanted(groups[g].name, count - first, arguments + first))
            run_group(&groups[g], &suite);
    return check_finish("conformance");
}
