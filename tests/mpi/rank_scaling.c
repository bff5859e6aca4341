/* SPDX-License-Identifier: MIT */
/* rank_scaling [--points N] [--total] [--method TEXT] [--clustered] [--check]: random points, made
 * by each rank, are spread over all; each predicts its region of a raster of as many cells, in
 * blocks of 256 x 256, from what it gets of the others. Says the most that a rank takes for each
 * stage, by the clock, and for all but making the points; of CPU time the same; and the most points
 * near a rank's cells, and bytes that it gets. Without GDAL.
 *   --points     of each rank (default 1000000); with --total of all
 *   --method     as -a of shepard grid (default idw:k=12): k nearest, AIDW with max_points, or,
 * from locally essential trees, sums over all points; what these take is in the stage tree
 *   --clustered  a third of the points in a small square, a tenth of them at one place
 *   --check      compares all cells with those that one rank predicts from all points */
#include "kept_memory.h"
#include "library_info.h"
#include "near_marks.h"
#include "near_parts.h"
#include "rank_region.h"
#include "rank_tree.h"
#include "ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIELDS = 3, STRIP_CELLS = 1 << 20, BLOCK = 256 };

enum stage { MAKE, SPREAD, MARK, BOXES, MARK_PARTS, FETCH, TREE, BUILD, PREDICT, STAGES };
static const char *const stage_names[STAGES] = {"make",  "spread", "mark",  "boxes",  "mark_parts",
                                                "fetch", "tree",   "build", "predict"};

struct scaling {
    size_t points; /* of all ranks */
    const char *method;
    bool clustered, check;
    struct shepard_raster raster;
    struct shepard_points_options options;
    struct shepard_parameters parameters;
    struct shepard_spill_info info;
    double value_min, value_max;
    double seconds[STAGES], cpu_seconds[STAGES];
    double clock, cpu_clock; /* when the stage began */
    double elapsed;          /* from spreading to the last cell */
    double near;             /* points near the region, of the rank that has most */
    uint64_t checksum;       /* of cells: a sum of hashes */
};

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void begin_stage(struct scaling *scaling)
{
    scaling->clock = now(CLOCK_MONOTONIC);
    scaling->cpu_clock = now(CLOCK_PROCESS_CPUTIME_ID);
}

static void end_stage(struct scaling *scaling, enum stage stage)
{
    scaling->seconds[stage] = now(CLOCK_MONOTONIC) - scaling->clock;
    scaling->cpu_seconds[stage] = now(CLOCK_PROCESS_CPUTIME_ID) - scaling->cpu_clock;
    begin_stage(scaling);
}

static void fail(const char *text)
{
    fprintf(stderr, "rank_scaling: %s\n", text);
    exit(1);
}

/* ---- Points ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t number)
{
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

static double unit(uint64_t number)
{
    return (double)(mix(number * UINT64_C(0x9e3779b97f4a7c15)) >> 11) * 0x1p-53;
}

/* Point i of all, whoever makes it. */
static void make_point(const struct scaling *scaling, uint64_t i, double *record)
{
    double x = unit(4 * i), y = unit(4 * i + 1);
    if (scaling->clustered && i % 3 == 0) {
        x = 0.6 + (i % 10 == 0 ? 0 : 0.01 * x);
        y = 0.3 + (i % 10 == 0 ? 0 : 0.01 * y);
    }
    record[0] = 1000 * x;
    record[1] = 1000 * y;
    record[2] = sin(7 * x) * cos(5 * y) + 0.1 * unit(4 * i + 2);
}

/* With room to spare, as what is read has. */
static double *make_points(const struct scaling *scaling, size_t first, size_t end)
{
    const size_t count = end - first;
    double *const records = malloc(((count + count / 16) * FIELDS + 1) * sizeof *records);
    if (!records) {
        fail("out of memory");
    }
    for (size_t i = first; i < end; i++) {
        make_point(scaling, i, records + (i - first) * FIELDS);
    }
    return records;
}

static void measure_points(struct scaling *scaling, const double *records, size_t count)
{
    double low[FIELDS] = {INFINITY, INFINITY, INFINITY};
    double high[FIELDS] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count * FIELDS; i++) {
        low[i % FIELDS] = fmin(low[i % FIELDS], records[i]);
        high[i % FIELDS] = fmax(high[i % FIELDS], records[i]);
    }
    shepard_ranks_least(low, FIELDS);
    shepard_ranks_most(high, FIELDS);
    scaling->info.box = (struct shepard_bounds){true, low[0], low[1], high[0], high[1]};
    scaling->value_min = low[2];
    scaling->value_max = high[2];
}

/* ---- Predicting ------------------------------------------------------------------------------ */

static struct shepard_whole whole_of(const struct scaling *scaling)
{
    const struct shepard_spill_info *const info = &scaling->info;
    return (struct shepard_whole){.size = sizeof(struct shepard_whole),
                                  .points = scaling->points,
                                  .x_min = info->box.x_min,
                                  .x_max = info->box.x_max,
                                  .y_min = info->box.y_min,
                                  .y_max = info->box.y_max,
                                  .column_count = 1,
                                  .value_min = &scaling->value_min,
                                  .value_max = &scaling->value_max};
}

/* columns: x, y and values, one behind the other. */
static struct shepard_field *make_field(const struct scaling *scaling, const double *columns,
                                        size_t count, bool all, struct shepard_points **points)
{
    const struct shepard_whole whole = whole_of(scaling);
    struct shepard_points_options options = scaling->options;
    options.part_of = all ? NULL : &whole;
    options.backend = SHEPARD_BACKEND_CPU;
    const struct shepard_coordinates at = {.size = sizeof at,
                                           .count = count,
                                           .x = shepard_doubles(columns),
                                           .y = shepard_doubles(columns + count)};
    const struct shepard_array value = shepard_doubles(columns + 2 * count);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &value};
    struct shepard_field *field = NULL;
    struct shepard_error error;
    if (shepard_points_create(&at, &options, points, &error) ||
        shepard_field_create(*points, &values, &field, &error)) {
        fail(error.message);
    }
    return field;
}

static uint64_t hash_of(size_t cell, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix(mix(cell + 1) ^ bits);
}

/* The checksum of a window. */
static uint64_t predict(const struct scaling *scaling, const struct shepard_field *field,
                        const struct shepard_window *window)
{
    const size_t strip = 64 * (1 + STRIP_CELLS / 64 / window->columns);
    double *const values = malloc(strip * window->columns * sizeof *values);
    struct shepard_targets targets = {.size = sizeof targets,
                                      .kind = SHEPARD_TARGETS_WINDOW,
                                      .raster = scaling->raster,
                                      .window = *window};
    const struct shepard_output_array column = shepard_output_doubles(values);
    const struct shepard_output output = {.size = sizeof output, .values = &column};
    uint64_t sum = 0;
    for (size_t row = 0; row < window->rows; row += strip) {
        struct shepard_error error;
        targets.window.row = window->row + row;
        targets.window.rows = window->rows - row < strip ? window->rows - row : strip;
        if (!values ||
            shepard_predict(field, &scaling->parameters, &targets, &output, NULL, &error)) {
            fail(values ? error.message : "out of memory");
        }
        for (size_t i = 0; i < targets.window.rows * window->columns; i++) {
            const size_t in_row = i % window->columns, of_rows = i / window->columns;
            const size_t cell =
                (targets.window.row + of_rows) * scaling->raster.columns + window->column + in_row;
            sum += hash_of(cell, values[i]);
        }
    }
    free(values);
    return sum;
}

static uint64_t predict_region(const struct scaling *scaling, const struct shepard_field *field,
                               const struct shepard_rank_region *region)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < region->count; i++) {
        sum += predict(scaling, field, &region->windows[i]);
    }
    return sum;
}

static uint64_t predict_from(struct scaling *scaling, const double *columns, size_t count, bool all,
                             const struct shepard_rank_region *region)
{
    struct shepard_points *points = NULL;
    begin_stage(scaling);
    struct shepard_field *const field = make_field(scaling, columns, count, all, &points);
    end_stage(scaling, BUILD);
    const uint64_t sum = predict_region(scaling, field, region);
    end_stage(scaling, PREDICT);
    shepard_field_free(field);
    shepard_points_free(points);
    return sum;
}

/* ---- The run --------------------------------------------------------------------------------- */

static struct shepard_rank_region region_of(const struct scaling *scaling, size_t rank,
                                            size_t ranks)
{
    const struct shepard_block_raster blocks = {
        .raster = scaling->raster, .columns = BLOCK, .rows = BLOCK};
    struct shepard_rank_region region = {0};
    if (!shepard_rank_region_make(&region, &blocks, rank, ranks, false)) {
        fail("out of memory");
    }
    return region;
}

static struct shepard_near_rule rule_of(const struct scaling *scaling)
{
    const struct shepard_parameters *const parameters = &scaling->parameters;
    const bool adaptive = parameters->method == SHEPARD_METHOD_AIDW;
    return (struct shepard_near_rule){.k = parameters->neighbourhood.max_points,
                                      .adaptive_k = adaptive ? parameters->adaptive.k : 0,
                                      .radius = INFINITY,
                                      .stretch = 1};
}

/* Of all ranks: what is near a region, field by field. */
static double *fetch(struct scaling *scaling, struct shepard_spread_points *spread,
                     const struct shepard_rank_region *region, size_t *count)
{
    const struct shepard_near_rule rule = rule_of(scaling);
    struct shepard_near_marks near = {.points = 0}, near_parts = {.points = 0};
    struct shepard_near_parts parts = {0};
    begin_stage(scaling);
    bool good = shepard_near_marks_make(&near, &rule, spread->buckets, spread->bucket_count,
                                        &scaling->info.box);
    if (good) {
        shepard_near_marks_set(&near, &scaling->raster, region->windows, region->count);
    }
    end_stage(scaling, MARK);
    good = good && shepard_near_parts_make(&parts, spread, near.marks);
    end_stage(scaling, BOXES);
    good = good && shepard_near_marks_make(&near_parts, &rule, parts.boxes, parts.count,
                                           &scaling->info.box);
    if (good) {
        shepard_near_marks_set(&near_parts, &scaling->raster, region->windows, region->count);
    }
    end_stage(scaling, MARK_PARTS);
    double *const columns =
        good ? shepard_near_parts_fetch(&parts, spread, near_parts.marks, count) : NULL;
    end_stage(scaling, FETCH);
    if (!columns) {
        fail("out of memory");
    }
    shepard_near_marks_free(&near);
    shepard_near_marks_free(&near_parts);
    shepard_near_parts_free(&parts);
    return columns;
}

/* Of all ranks: from the points near a region. */
static void run_near(struct scaling *scaling, struct shepard_spread_points *spread,
                     const struct shepard_rank_region *region)
{
    size_t count = 0;
    double *const columns = fetch(scaling, spread, region, &count);
    scaling->near = (double)count;
    scaling->checksum = predict_from(scaling, columns, count, false, region);
    free(columns);
}

/* Of all ranks: from a locally essential tree. */
static void run_tree(struct scaling *scaling, struct shepard_spread_points *spread,
                     const struct shepard_rank_region *region)
{
    const struct shepard_whole whole = whole_of(scaling);
    struct shepard_points_options points = scaling->options;
    points.part_of = &whole;
    const struct shepard_essential_options options = {.size = sizeof options,
                                                      .points = &points,
                                                      .parameters = &scaling->parameters,
                                                      .raster = scaling->raster,
                                                      .windows = region->windows,
                                                      .window_count = region->count};
    struct shepard_rank_tree tree = {0};
    struct shepard_error error;
    begin_stage(scaling);
    if (!shepard_rank_tree_make(&tree, spread, &options, &error)) {
        fail(error.status ? error.message : "another rank failed");
    }
    end_stage(scaling, TREE);
    scaling->near = (double)tree.most;
    spread->bytes += tree.bytes;
    scaling->checksum = predict_region(scaling, tree.field, region);
    end_stage(scaling, PREDICT);
    shepard_rank_tree_free(&tree);
}

static bool uses_all(const struct scaling *scaling)
{
    return scaling->parameters.neighbourhood.max_points == 0;
}

static void run(struct scaling *scaling, struct shepard_spread_points *spread)
{
    const size_t rank = (size_t)shepard_rank(), ranks = (size_t)shepard_rank_count();
    const size_t first = scaling->points * rank / ranks;
    const size_t end = scaling->points * (rank + 1) / ranks;
    begin_stage(scaling);
    double *const made = make_points(scaling, first, end);
    measure_points(scaling, made, end - first);
    end_stage(scaling, MAKE);
    shepard_ranks_first(false);
    begin_stage(scaling);
    const double begin = scaling->clock;
    *spread =
        (struct shepard_spread_points){.fields = FIELDS, .threads = shepard_library_threads(0)};
    if (!shepard_spread_make(spread, &scaling->info.box, made, end - first)) {
        fail("out of memory");
    }
    end_stage(scaling, SPREAD);
    struct shepard_rank_region region = region_of(scaling, rank, ranks);
    (uses_all(scaling) ? run_tree : run_near)(scaling, spread, &region);
    scaling->elapsed = scaling->clock - begin;
    shepard_rank_region_free(&region);
}

static void report(struct scaling *scaling, const struct shepard_spread_points *spread)
{
    enum { CPU = STAGES, ELAPSED = 2 * STAGES, NEAR, BYTES, NUMBERS };
    double most[NUMBERS] = {[ELAPSED] = scaling->elapsed, scaling->near, (double)spread->bytes};
    memcpy(most, scaling->seconds, sizeof scaling->seconds);
    memcpy(most + CPU, scaling->cpu_seconds, sizeof scaling->cpu_seconds);
    shepard_ranks_most(most, NUMBERS);
    shepard_ranks_sum(&scaling->checksum, 1);
    if (shepard_rank() > 0) {
        return;
    }
    printf("ranks %d points %zu cells %zu method %s", shepard_rank_count(), scaling->points,
           scaling->raster.columns * scaling->raster.rows, scaling->method);
    for (int i = 0; i < STAGES; i++) {
        printf(" %s %.4f", stage_names[i], most[i]);
    }
    printf(" all %.4f", most[ELAPSED]);
    double total = 0;
    for (int i = 0; i < STAGES; i++) {
        total += i == MAKE ? 0 : most[CPU + i];
        printf(" cpu %s %.4f", stage_names[i], most[CPU + i]);
    }
    printf(" cpu total %.4f near %.0f bytes %.0f checksum %016llx\n", total, most[NEAR],
           most[BYTES], (unsigned long long)scaling->checksum);
}

/* On rank 0, from all points, as if there were no ranks. */
static bool check(struct scaling *scaling)
{
    const size_t count = scaling->points;
    double *const records = make_points(scaling, 0, count);
    double *const columns = malloc(FIELDS * count * sizeof *columns);
    if (!columns) {
        fail("out of memory");
    }
    for (size_t i = 0; i < count * FIELDS; i++) {
        columns[i % FIELDS * count + i / FIELDS] = records[i];
    }
    struct shepard_rank_region all = region_of(scaling, 0, 1);
    const uint64_t sum = predict_from(scaling, columns, count, true, &all);
    free(columns);
    free(records);
    shepard_rank_region_free(&all);
    if (sum != scaling->checksum) {
        printf("the cells of one rank differ: checksum %016llx\n", (unsigned long long)sum);
    }
    return sum == scaling->checksum;
}

static void read_arguments(struct scaling *scaling, int argc, char **argv)
{
    bool total = false;
    scaling->points = 1000000;
    scaling->method = "idw:k=12";
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--points") == 0 && more) {
            scaling->points = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--method") == 0 && more) {
            scaling->method = argv[++i];
        } else if (strcmp(argv[i], "--total") == 0) {
            total = true;
        } else if (strcmp(argv[i], "--clustered") == 0) {
            scaling->clustered = true;
        } else if (strcmp(argv[i], "--check") == 0) {
            scaling->check = true;
        } else {
            fail(
                "the arguments are [--points N] [--total] [--method TEXT] [--clustered] [--check]");
        }
    }
    scaling->points *= total ? 1 : (size_t)shepard_rank_count();
}

static void prepare(struct scaling *scaling)
{
    struct shepard_error error;
    shepard_points_options_init(&scaling->options);
    if (shepard_parameters_parse(scaling->method, &scaling->parameters, &scaling->options,
                                 &error)) {
        fail(error.message);
    }
    if (scaling->points == 0) {
        fail("give a number of points above 0");
    }
    const size_t side = (size_t)ceil(sqrt((double)scaling->points));
    scaling->raster = (struct shepard_raster){.y0 = 1000,
                                              .dx = 1000 / (double)side,
                                              .dy = -1000 / (double)side,
                                              .columns = side,
                                              .rows = side};
}

int main(int argc, char **argv)
{
    static struct scaling scaling;
    struct shepard_spread_points spread = {0};
    shepard_memory_keep(); /* one rank as several */
    if (!shepard_ranks_begin()) {
        fail("built without MPI");
    }
    read_arguments(&scaling, argc, argv);
    prepare(&scaling);
    run(&scaling, &spread);
    report(&scaling, &spread);
    const bool same = shepard_rank() > 0 || !scaling.check || check(&scaling);
    shepard_spread_free(&spread);
    const bool good = shepard_ranks_first(!same) == shepard_rank_count();
    shepard_ranks_end();
    return good ? 0 : 1;
}
