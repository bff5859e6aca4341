/* SPDX-License-Identifier: MIT */
/*
 * Measures the core library alone: no GDAL, no other program.
 *
 *   bench_core [CASE...] [--points N] [--targets M] [--sums M] [--most N] [--k K] [--repeat R]
 *              [--threads T] [--data uniform|clustered] [--json FILE]
 *   bench_core draw uniform|clustered FILE [--points N] [--targets M]
 *
 * CASE: memory, knn, pairs, sums, raster, growth, threads; none named: all. draw writes a cloud for
 * other programs.
 * Exit: 0; 1 where a measurement failed or a result was not exact enough; 2 for a wrong command.
 */
#include "case.h"

#include <stdlib.h>
#include <string.h>

/* Data points and targets of most cases. */
enum { USUAL = 1024000 };

static const struct {
    const char *name;
    bool (*run)(const struct shepard_case *bench);
    size_t points, targets; /* where the command line names none */
} cases[] = {
    {"memory", shepard_case_memory, USUAL, USUAL},
    {"knn", shepard_case_knn, USUAL, USUAL},
    {"pairs", shepard_case_pairs, USUAL, USUAL},
    {"sums", shepard_case_sums, USUAL, USUAL},
    {"raster", shepard_case_raster, 10000, 100000000},
    {"growth", shepard_case_growth, USUAL, USUAL},
    {"threads", shepard_case_threads, USUAL, USUAL},
};
enum { CASES = sizeof cases / sizeof *cases };

struct command {
    struct shepard_case bench;
    bool wanted[CASES];
    bool draw;
    enum shepard_cloud_kind draw_kind;
    const char *draw_file;
    const char *json;
};

static bool read_count(const char *text, size_t most, size_t *value)
{
    char *end;
    const unsigned long long count = strtoull(text, &end, 10);
    *value = (size_t)count;
    return *text >= '0' && *text <= '9' && !*end && count >= 1 && count <= most;
}

static bool read_kind(const char *text, enum shepard_cloud_kind *kind)
{
    for (*kind = 0; *kind < SHEPARD_CLOUD_KINDS; (*kind)++) {
        if (!strcmp(text, shepard_cloud_name(*kind)))
            return true;
    }
    return false;
}

/* An option and its value; false where either is wrong. */
static bool read_option(struct command *command, const char *name, const char *value)
{
    struct shepard_case *bench = &command->bench;
    size_t threads = 0;
    enum shepard_cloud_kind kind;
    if (!strcmp(name, "--points"))
        return read_count(value, SHEPARD_POINTS_MAX, &bench->points);
    if (!strcmp(name, "--targets"))
        return read_count(value, SHEPARD_POINTS_MAX, &bench->targets);
    if (!strcmp(name, "--sums"))
        return read_count(value, SHEPARD_POINTS_MAX, &bench->sums);
    if (!strcmp(name, "--most"))
        return read_count(value, SHEPARD_POINTS_MAX, &bench->most);
    if (!strcmp(name, "--k"))
        return read_count(value, SHEPARD_CASE_K_MAX, &bench->k);
    if (!strcmp(name, "--repeat"))
        return read_count(value, SHEPARD_REPEAT_MAX, &bench->repeat);
    if (!strcmp(name, "--threads") && read_count(value, 4096, &threads)) {
        bench->threads = (int)threads;
        return true;
    }
    if (!strcmp(name, "--data") && read_kind(value, &kind)) {
        memset(bench->kinds, 0, sizeof bench->kinds);
        return bench->kinds[kind] = true;
    }
    if (strcmp(name, "--json"))
        return false;
    command->json = value;
    return true;
}

static bool read_case(struct command *command, const char *name)
{
    for (size_t c = 0; c < CASES; c++) {
        if (!strcmp(name, cases[c].name))
            return command->wanted[c] = true;
    }
    return false;
}

/* The words after "draw"; returns how many were taken. */
static int read_draw(struct command *command, int left, char **words)
{
    if (left < 2 || !read_kind(words[0], &command->draw_kind))
        return 0;
    command->draw = true;
    command->draw_file = words[1];
    return 2;
}

static bool read_command(struct command *command, int argc, char **argv)
{
    bool any = false;
    for (int i = 1; i < argc; i++) {
        bool good = false;
        if (!strncmp(argv[i], "--", 2)) {
            good = i + 1 < argc && read_option(command, argv[i], argv[i + 1]);
            i++;
        } else if (!strcmp(argv[i], "draw")) {
            const int taken = read_draw(command, argc - i - 1, argv + i + 1);
            good = taken > 0;
            i += taken;
        } else {
            good = any = read_case(command, argv[i]);
        }
        if (!good)
            return false;
    }
    for (size_t c = 0; !any && c < CASES; c++)
        command->wanted[c] = true;
    return true;
}

/* What is asked for, where nothing was: these numbers of points and targets. */
static struct shepard_case with_sizes(const struct shepard_case *asked, size_t points,
                                      size_t targets)
{
    struct shepard_case bench = *asked;
    bench.points = bench.points ? bench.points : points;
    bench.targets = bench.targets ? bench.targets : targets;
    return bench;
}

static bool draw(const struct command *command)
{
    const struct shepard_case bench = with_sizes(&command->bench, USUAL, USUAL);
    struct shepard_cloud cloud = {
        .kind = command->draw_kind, .n = bench.points, .m = bench.targets, .columns = 1};
    const bool good = shepard_cloud_draw(&cloud) && shepard_cloud_write(&cloud, command->draw_file);
    if (!good)
        fprintf(stderr, "bench_core: cannot write '%s'\n", command->draw_file);
    shepard_cloud_free(&cloud);
    return good;
}

static bool run_cases(struct command *command)
{
    struct shepard_record record;
    command->bench.record = &record;
    if (!shepard_record_open(&record, command->json)) {
        fprintf(stderr, "bench_core: cannot write '%s'\n", command->json);
        return false;
    }
    bool good = true;
    for (size_t c = 0; c < CASES; c++) {
        if (!command->wanted[c])
            continue;
        const struct shepard_case bench =
            with_sizes(&command->bench, cases[c].points, cases[c].targets);
        if (!cases[c].run(&bench)) {
            fprintf(stderr, "bench_core: case %s failed or was not exact enough\n", cases[c].name);
            good = false;
        }
        fflush(stdout);
    }
    return shepard_record_close(&record) && good;
}

int main(int argc, char **argv)
{
    struct command command = {
        .bench = {
            .sums = 2048, .most = 16777216, .repeat = 3, .threads = 2, .kinds = {true, true}}};
    if (!read_command(&command, argc, argv)) {
        fputs("usage: bench_core [memory|knn|pairs|sums|raster|growth|threads]...\n"
              "                  [--points N] [--targets M] [--sums M] [--most N] [--k K]\n"
              "                  [--repeat R] [--threads T] [--data uniform|clustered]\n"
              "                  [--json FILE]\n"
              "       bench_core draw uniform|clustered FILE [--points N] [--targets M]\n",
              stderr);
        return 2;
    }
    return (command.draw ? draw(&command) : run_cases(&command)) ? 0 : 1;
}
