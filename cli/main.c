/* SPDX-License-Identifier: MIT */
#include "general.h"
#include "message.h"
#include "option.h"
#include "ranks.h"
#include "suggest.h"
#include "verb.h"

#include "shepard/shepard.h"

#include <stdio.h>
#include <string.h>

struct verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
};

#define VERB(name, help) {#name, shepard_verb_##name, help},
static const struct verb verbs[] = {SHEPARD_VERB_LIST(VERB)};
#undef VERB

#define NAME(name, help) " " #name
static const char choice[] = "the verbs are" SHEPARD_VERB_LIST(NAME) ", see `shepard --help`";
#undef NAME

enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

static void print_help(void)
{
    printf("shepard: surfaces from scattered measurements by inverse distance weighting\n\n"
           "Usage: shepard VERB [options] ...\n\nVerbs:\n");
    for (size_t i = 0; i < VERB_COUNT; i++) {
        printf("  %-8s %s\n", verbs[i].name, verbs[i].help);
    }
    printf("\n  shepard VERB --help    options of a verb\n"
           "  shepard --version      version\n\n"
           "Example: shepard grid -zfield zinc -tr 40 40 -a idw:k=12 meuse.csv zinc.tif\n");
}

static void print_version(void)
{
    const char *const gdal = shepard_general_gdal_version();
    printf("shepard %s", shepard_version());
    if (gdal) {
        printf(" (GDAL %s)", gdal);
    }
    putchar('\n');
}

/* Of several processes the first one says it. */
static int refuse_ranks(const char *verb)
{
    if (shepard_rank() == 0) {
        shepard_say_error("%s is done by one process, and mpirun started %d; only grid shares its "
                          "work: run `shepard %s` without mpirun",
                          verb, shepard_rank_count(), verb);
    }
    return 1;
}

static int run_verb(int argc, char **argv)
{
    if (shepard_rank_count() > 1 && strcmp(argv[1], "grid") != 0) {
        return refuse_ranks(argv[1]);
    }
    struct shepard_suggestion near = {.word = argv[1]};
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strcmp(argv[1], verbs[i].name) == 0) {
            return verbs[i].run(argc - 2, argv + 2);
        }
        shepard_suggest(&near, verbs[i].name);
    }
    if (strcmp(argv[1], "bench") == 0) {
        shepard_say_error("there is no verb bench; the program shepard_papers measures the papers' "
                          "programs (not installed; in the folder papers of a build)");
    } else {
        shepard_say_unknown(&near, "unknown verb", choice);
    }
    return 1;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        shepard_say_error("a verb is missing; %s", choice);
        return 1;
    }
    if (strcmp(argv[1], "help") == 0 && argc > 2) {
        char help[] = "--help";
        char *asked[] = {argv[0], argv[2], help, NULL};
        return run_verb(3, asked);
    }
    if (shepard_option_matches(argv[1], "--help") || shepard_option_matches(argv[1], "-h") ||
        strcmp(argv[1], "help") == 0) {
        print_help();
        return 0;
    }
    return run_verb(argc, argv);
}

int main(int argc, char **argv)
{
    char **const first = argv;
    bool done = false;
    if (shepard_option_asked(argc, argv, "--version")) {
        print_version();
        return 0;
    }
    int code = 1;
    if (!shepard_ranks_begin()) {
        shepard_say_error(
            "mpirun started %d processes, and this shepard is built without MPI: each "
            "would do all; start one, or build with -DSHEPARD_WITH_MPI=ON",
            shepard_ranks_started());
        return code;
    }
    if (shepard_general_begin(&argc, &argv, &done)) {
        code = done ? 0 : run(argc, argv);
    }
    shepard_general_end(argv, first);
    shepard_ranks_end();
    if (fflush(stdout) != 0 && code == 0) {
        shepard_say_error("cannot write to standard output");
        code = 1;
    }
    return code;
}
