/* SPDX-License-Identifier: MIT */
/*
 * Measures the core library alone: no GDAL, no other program. "bench_core help" says how.
 * Exit: 0; 1 where a measurement failed or a result was not exact enough; 2 for a wrong command.
 */
#include "case.h"

#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static const char usage[] =
    "usage: bench_core [CASE...] [--points N] [--targets M] [--sums M] [--most N] [--k K]\n"
    "                  [--repeat R] [--threads T] [--data uniform|clustered]\n"
    "       bench_core draw uniform|clustered FILE [--points N] [--targets M]\n"
    "CASE: memory, knn, pairs, sums, raster, coarse, smoothing, planes, shapes, growth,\n"
    "      parameters, sectors, distances, gaps, krige, leave_one_out, threads; none named: all.\n"
    "Prints JSON, a line a result.\n"
    "draw writes a dataset for other programs.\n";

/* Data points and targets of most cases. */
enum { USUAL = 1024000 };

/* Targets that are drawn: one, as they are not used; those asked for; few; as many as points. */
enum drawn { ONE, TARGETS, SUMS, POINTS };

static const struct measurement {
    const char *name;
    bool (*run)(const struct shepard_case *bench);
    size_t points, targets; /* where the command line names none */
    enum drawn drawn;
    size_t columns;  /* 0: no data are drawn */
    bool every_kind; /* measured on each kind of data; else on uniform ones */
} cases[] = {
    {"memory", shepard_case_memory, USUAL, USUAL, ONE, SHEPARD_TASK_COLUMNS, false},
    {"knn", shepard_case_knn, USUAL, USUAL, TARGETS, 1, true},
    {"pairs", shepard_case_pairs, USUAL, USUAL, SUMS, SHEPARD_TASK_COLUMNS, false},
    {"sums", shepard_case_sums, USUAL, USUAL, TARGETS, 1, true},
    {"raster", shepard_case_raster, 10000, 100000000, ONE, SHEPARD_TASK_COLUMNS, false},
    {"coarse", shepard_case_coarse, USUAL, USUAL, ONE, 1, true},
    {"smoothing", shepard_case_smoothing, USUAL, USUAL, TARGETS, 1, false},
    {"planes", shepard_case_planes, USUAL, USUAL, TARGETS, 1, false},
    {"shapes", shepard_case_shapes, USUAL, USUAL, TARGETS, 1, false},
    {"growth", shepard_case_growth, USUAL, USUAL, ONE, 0, false},
    {"parameters", shepard_case_parameters, USUAL, USUAL, TARGETS, 1, false},
    {"sectors", shepard_case_sectors, USUAL, 1000000, TARGETS, 1, true},
    {"distances", shepard_case_distances, 300000, 300000, TARGETS, 1, false},
    {"leave_one_out", shepard_case_leave_one_out, 300000, 300000, POINTS, 1, false},
    {"gaps", shepard_case_gaps, 1000, 100000, TARGETS, SHEPARD_TASK_COLUMNS, false},
    {"krige", shepard_case_krige, 1000000, USUAL, TARGETS, 2, false},
    {"threads", shepard_case_threads, 4000000, 4000000, TARGETS, 1, true},
};
enum { CASES = sizeof cases / sizeof *cases };

struct command {
    struct shepard_case bench;
    bool wanted[CASES];
    enum shepard_dataset_kind kind; /* of draw */
    const char *draw_file;
};

/* Options that are a number, and the largest it may be. */
static const struct {
    const char *name;
    size_t offset, most;
} counts[] = {
    {"--points", offsetof(struct shepard_case, points), SHEPARD_POINTS_MAX},
    {"--targets", offsetof(struct shepard_case, targets), SHEPARD_POINTS_MAX},
    {"--sums", offsetof(struct shepard_case, sums), SHEPARD_POINTS_MAX},
    {"--most", offsetof(struct shepard_case, most), SHEPARD_POINTS_MAX},
    {"--k", offsetof(struct shepard_case, k), SHEPARD_CASE_K_MAX},
    {"--repeat", offsetof(struct shepard_case, repeat), SHEPARD_REPEAT_MAX},
    {"--threads", offsetof(struct shepard_case, threads), 4096},
};

static bool read_kind(const char *text, enum shepard_dataset_kind *kind)
{
    *kind = SHEPARD_DATASET_UNIFORM;
    while (*kind < SHEPARD_DATASET_KINDS && strcmp(text, shepard_dataset_name(*kind)))
        (*kind)++;
    return *kind < SHEPARD_DATASET_KINDS;
}

/* An option and its value; false where either is wrong. */
static bool read_option(struct command *command, const char *name, const char *value)
{
    struct shepard_case *bench = &command->bench;
    enum shepard_dataset_kind kind;
    if (!strcmp(name, "--data") && read_kind(value, &kind)) {
        memset(bench->kinds, 0, sizeof bench->kinds);
        return bench->kinds[kind] = true;
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char *end;
        const unsigned long long count = strtoull(value, &end, 10);
        if (!strcmp(name, counts[i].name)) {
            *(size_t *)((char *)bench + counts[i].offset) = (size_t)count;
            return *value >= '0' && *value <= '9' && !*end && count >= 1 && count <= counts[i].most;
        }
    }
    return false;
}

static bool read_case(struct command *command, const char *name)
{
    size_t c = 0;
    while (c < CASES && strcmp(name, cases[c].name))
        c++;
    return c < CASES && (command->wanted[c] = true);
}

static bool read_command(struct command *command, int argc, char **argv)
{
    bool good = true, any = false;
    for (int i = 1; good && i < argc; i++) {
        if (!strncmp(argv[i], "--", 2)) {
            good = i + 1 < argc && read_option(command, argv[i], argv[i + 1]);
            i++;
        } else if (!strcmp(argv[i], "draw")) {
            good = i + 2 < argc && read_kind(argv[i + 1], &command->kind);
            command->draw_file = good ? argv[i + 2] : NULL;
            i += 2;
        } else {
            good = any = read_case(command, argv[i]);
        }
    }
    for (size_t c = 0; !any && c < CASES; c++)
        command->wanted[c] = true;
    return good;
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

/* n and m (64-bit integers), then x, y, target_x, target_y and the values (doubles), in the
 * machine's byte order. */
static bool draw(const struct command *command)
{
    const struct shepard_case bench = with_sizes(&command->bench, USUAL, USUAL);
    struct shepard_dataset dataset;
    FILE *out = fopen(command->draw_file, "wb");
    bool good = shepard_task_draw(&dataset, command->kind, bench.points, bench.targets, 1) && out;
    const uint64_t sizes[2] = {dataset.n, dataset.m};
    const double *const arrays[] = {dataset.x, dataset.y, dataset.target_x, dataset.target_y,
                                    dataset.values[0]};
    good = good && fwrite(sizes, sizeof sizes, 1, out) == 1;
    for (size_t a = 0; good && a < sizeof arrays / sizeof *arrays; a++) {
        const size_t count = a == 2 || a == 3 ? dataset.m : dataset.n;
        good = fwrite(arrays[a], sizeof **arrays, count, out) == count;
    }
    good = out && fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "bench_core: cannot write '%s'\n", command->draw_file);
    shepard_dataset_free(&dataset);
    return good;
}

/* Draws what the case measures with, and runs it. */
static bool run_case(const struct measurement *one, struct shepard_case bench,
                     enum shepard_dataset_kind kind)
{
    const size_t sizes[] = {
        [ONE] = 1, [TARGETS] = bench.targets, [SUMS] = bench.sums, [POINTS] = bench.points};
    const size_t m = sizes[one->drawn], size = one->columns * m * sizeof(double);
    double *const room = malloc(size);
    bool good = !one->columns ||
                (room && shepard_task_draw(&bench.dataset, kind, bench.points, m, one->columns));
    if (room)
        memset(room, 0, size); /* in memory before any clock starts */
    for (size_t c = 0; c < one->columns; c++)
        bench.values[c] = room + c * m;
    good = good && one->run(&bench);
    if (!good)
        fprintf(stderr, "bench_core: case %s failed or was not exact enough\n", one->name);
    shepard_dataset_free(&bench.dataset);
    free(room);
    return good;
}

static bool run_kinds(const struct measurement *one, const struct shepard_case *asked)
{
    const struct shepard_case bench = with_sizes(asked, one->points, one->targets);
    bool good = true;
    if (!one->every_kind)
        return run_case(one, bench, SHEPARD_DATASET_UNIFORM);
    for (int kind = 0; kind < SHEPARD_DATASET_KINDS; kind++)
        good = (!bench.kinds[kind] || run_case(one, bench, kind)) && good;
    return good;
}

static bool run_cases(const struct command *command)
{
    bool good = true;
    for (size_t c = 0; c < CASES; c++)
        good = (!command->wanted[c] || run_kinds(&cases[c], &command->bench)) && good;
    return shepard_record_finish() && good;
}

/* What is freed stays with the process: runs after the first meet memory that was touched before,
 * and do not wait for the system to clear it. */
static void keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

int main(int argc, char **argv)
{
    struct command command = {.bench = {.sums = 2048,
                                        .most = 16777216,
                                        .repeat = 3,
                                        .threads = 2,
                                        .kinds = {false, true, true}}};
    if (!read_command(&command, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    keep_memory();
    return (command.draw_file ? draw(&command) : run_cases(&command)) ? 0 : 1;
}
