/* SPDX-License-Identifier: MIT */
/* conformance [--seed N] [GROUP...]: runs all groups, or those named, on every usable backend. */
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

static int usage(void)
{
    puts("usage: conformance [--seed N] [GROUP...]\ngroups:");
    for (size_t g = 0; g < GROUP_COUNT; g++)
        printf("  %-10s %s\n", groups[g].name, groups[g].text);
    return 2;
}

static struct suite suite_of(uint64_t seed)
{
    struct suite suite = {.seed = seed};
    struct shepard_backend_info info;
    for (size_t i = 0; shepard_backend_get_info(i, &info); i++) {
        printf("backend %s: %s%s%s\n", info.name, info.usable ? "usable" : "not usable: ",
               info.usable ? ", instruction set: " : info.reason, info.usable ? info.isa : "");
        if (info.usable && suite.count < SUITE_BACKENDS_MAX)
            suite.backends[suite.count++] = info;
    }
    return suite;
}

static bool wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
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
    int first = 1;
    if (count > 2 && strcmp(arguments[1], "--seed") == 0) {
        seed = strtoull(arguments[2], NULL, 10);
        first = 3;
    }
    for (int i = first; i < count; i++)
        if (!known(arguments[i]))
            return usage();
    const struct suite suite = suite_of(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (size_t g = 0; g < GROUP_COUNT; g++)
        if (wanted(groups[g].name, count - first, arguments + first))
            groups[g].run(&suite);
    return check_finish("conformance");
}
