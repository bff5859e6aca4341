/* SPDX-License-Identifier: MIT */
/*
 * Measures the backend cuda on device 0, through the library's interface alone, beside what was
 * promised, what the chip can do, and what else computes the same.
 *
 *   bench_cuda [--quick] [--runs N] [--skip-large] [--json FILE] [--commit TEXT]
 *              [--torch FILE]
 *
 * --quick: every part with little to do, no figure judged. --runs: of each measurement, default 5;
 * the largest get 2. --skip-large: nothing above 10,240,000 points. --commit: what the JSON is to
 * say of the source measured. --torch: torch_brute.py, where it is not where the source was.
 * Exit: 0; 1 where a figure was missed, a result not exact enough or a measurement failed; 2 for a
 * wrong command; 77 where no device can be used.
 */
#include "chip.h"
#include "pinned.h"
#include "promise.h"
#include "rival.h"
#include "stage.h"

#include "papers/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS 1e-4
#define NEIGHBOURS 12
#define EXIT_SKIPPED 77

/* What is measured with; the truth may cost so many pairs a trip. */
struct sizes {
    size_t thousand, ten, hundred, most; /* points and targets: "1,024,000" and so on */
    size_t side;                         /* cells along a side of the raster */
    double pairs;
};

static const struct sizes full = {1024000, 10240000, 100000000, 102400000, 10000, 5.3e9};
static const struct sizes quick = {20480, 204800, 400000, 2048000, 500, 1e8};

enum { ONE, TEN, HUNDRED, MOST, RASTER, CLUSTERED_ONE, CLUSTERED_TEN, BEYOND, ON_CPU, TRIPS };

struct bench {
    struct sizes sizes;
    size_t runs, runs_large;
    bool quick, skip_large;
    const char *json, *commit, *torch;
    struct shepard_record record;
    struct shepard_chip chip;
    struct shepard_trip trips[TRIPS];
    bool taken[TRIPS];
    bool failed;
};

/* ---- trips ----------------------------------------------------------------------------------- */

static struct shepard_options options_of(bool raster)
{
    struct shepard_options options;
    shepard_options_init(&options);
    options.method = raster ? SHEPARD_IDW : SHEPARD_AIDW;
    options.neighbourhood.max_points = raster ? NEIGHBOURS : 0;
    options.precision = SHEPARD_SINGLE;
    options.eps = EPS;
    options.backend = SHEPARD_BACKEND_CUDA;
    return options;
}

static void print_trip(const struct shepard_trip *trip)
{
    const double targets = (double)shepard_task_targets(&trip->task);
    const double seconds = shepard_trip_seconds(trip);
    printf("\n%s: %zu %s points to %.0f %s: %.3f ms, of which the model %.3f ms\n", trip->name,
           trip->task.cloud->n, shepard_cloud_name(trip->task.cloud->kind), targets,
           trip->task.side ? "cells" : "targets", 1e3 * seconds,
           1e3 * shepard_runs_median(&trip->create).wall);
    printf(
        "  pairs %.1f, nodes %.1f a target; bytes a point: host %.1f, device %.1f; error %.2g of "
        "the range at %zu targets\n",
        trip->work.pairs / targets, trip->work.nodes / targets, trip->bytes, trip->device_bytes,
        trip->error, trip->checked);
    if (trip->notice[0])
        printf("  notice: %s\n", trip->notice);
}

static void record_trip(const struct shepard_trip *trip, struct shepard_record *record)
{
    const struct shepard_options *options = &trip->task.options;
    shepard_record_begin(record, "trip");
    shepard_record_text(record, "trip", trip->name);
    shepard_record_text(record, "method", options->method == SHEPARD_AIDW ? "aidw" : "idw");
    shepard_record_text(record, "backend",
                        options->backend == SHEPARD_BACKEND_CUDA ? "cuda" : "cpu");
    shepard_record_text(record, "data", shepard_cloud_name(trip->task.cloud->kind));
    shepard_record_number(record, "points", (double)trip->task.cloud->n);
    shepard_record_number(record, "targets", (double)shepard_task_targets(&trip->task));
    shepard_record_number(record, "neighbours", (double)options->neighbourhood.max_points);
    shepard_record_number(record, "eps", options->eps);
    shepard_runs_record(&trip->total, record);
    shepard_record_number(record, "create_wall_median", shepard_runs_median(&trip->create).wall);
    shepard_record_number(record, "pairs", trip->work.pairs);
    shepard_record_number(record, "nodes", trip->work.nodes);
    shepard_record_number(record, "model_bytes_per_point", trip->bytes);
    shepard_record_number(record, "device_bytes_per_point", trip->device_bytes);
    shepard_record_number(record, "checked", (double)trip->checked);
    shepard_record_number(record, "error", trip->error);
    shepard_record_end(record);
}

static void take(struct bench *bench, int number, const char *name,
                 const struct shepard_cloud *cloud, struct shepard_options options)
{
    struct shepard_trip *trip = &bench->trips[number];
    const bool large = cloud->n > bench->sizes.ten;
    *trip = (struct shepard_trip){.name = name,
                                  .repeat = large ? bench->runs_large : bench->runs,
                                  .task = {.cloud = cloud,
                                           .options = options,
                                           .columns = 1,
                                           .side = number == RASTER ? bench->sizes.side : 0}};
    const enum shepard_status status = shepard_trip_take(trip, bench->sizes.pairs);
    bench->taken[number] = !status;
    bench->failed = bench->failed || (status && status != SHEPARD_ERROR_MEMORY);
    if (status)
        return;
    print_trip(trip);
    record_trip(trip, &bench->record);
    shepard_stage_report(trip, &bench->chip, &bench->record);
    fflush(stdout);
}

static bool draw(struct shepard_cloud *cloud, enum shepard_cloud_kind kind, size_t n)
{
    *cloud = (struct shepard_cloud){
        .kind = kind, .allocator = shepard_pinned_allocator(), .n = n, .m = n, .columns = 1};
    if (shepard_cloud_draw(cloud))
        return true;
    shepard_cloud_free(cloud);
    return false;
}

/* The largest cloud that there is memory for. */
static bool draw_uniform(const struct bench *bench, struct shepard_cloud *cloud)
{
    if (!bench->skip_large && draw(cloud, SHEPARD_CLOUD_UNIFORM, bench->sizes.most))
        return true;
    if (!bench->skip_large)
        puts("the largest sizes: left out: no pinned memory for them");
    return draw(cloud, SHEPARD_CLOUD_UNIFORM, bench->sizes.ten);
}

static void measure_cpu(struct bench *bench, const struct shepard_cloud *cloud)
{
    struct shepard_options options = options_of(false);
    options.backend = SHEPARD_BACKEND_CPU;
    take(bench, ON_CPU, "aidw-1m-cpu", cloud, options);
}

/* Targets over a square larger by a tenth of its side all round, as those of a raster with a margin
 * are: three in ten lie where there are no data. Moves the cloud's own: comes last. */
static void measure_beyond(struct bench *bench, const struct shepard_cloud *cloud)
{
    const double x = SHEPARD_CLOUD_X0 + SHEPARD_CLOUD_SIDE / 2;
    const double y = SHEPARD_CLOUD_Y0 + SHEPARD_CLOUD_SIDE / 2;
    for (size_t i = 0; i < cloud->m; i++) {
        cloud->target_x[i] = x + 1.2 * (cloud->target_x[i] - x);
        cloud->target_y[i] = y + 1.2 * (cloud->target_y[i] - y);
    }
    take(bench, BEYOND, "aidw-10m-beyond", cloud, options_of(false));
}

/* Every trip keeps a view of its cloud, alive as long as its report. */
static void measure_uniform(struct bench *bench)
{
    const struct sizes *sizes = &bench->sizes;
    struct shepard_cloud cloud;
    if (!draw_uniform(bench, &cloud)) {
        puts("no pinned memory");
        bench->failed = true;
        return;
    }
    const struct shepard_cloud one = shepard_cloud_prefix(&cloud, sizes->thousand);
    const struct shepard_cloud ten = shepard_cloud_prefix(&cloud, sizes->ten);
    const struct shepard_cloud hundred = shepard_cloud_prefix(&cloud, sizes->hundred);
    take(bench, ONE, "aidw-1m", &one, options_of(false));
    take(bench, TEN, "aidw-10m", &ten, options_of(false));
    take(bench, RASTER, "idw-raster", &ten, options_of(true));
    if (cloud.n == sizes->most) {
        take(bench, HUNDRED, "aidw-100m", &hundred, options_of(false));
        take(bench, MOST, "aidw-102m", &cloud, options_of(false));
    }
    puts("\nBeside:");
    measure_cpu(bench, &one);
    shepard_rival_papers(&one, &bench->record);
    measure_beyond(bench, &ten);
    shepard_cloud_free(&cloud);
}

static void measure_clustered(struct bench *bench)
{
    struct shepard_cloud cloud;
    if (!draw(&cloud, SHEPARD_CLOUD_CLUSTERED, bench->sizes.ten)) {
        puts("clustered data: left out: no pinned memory");
        return;
    }
    const struct shepard_cloud one = shepard_cloud_prefix(&cloud, bench->sizes.thousand);
    take(bench, CLUSTERED_ONE, "aidw-1m-clustered", &one, options_of(false));
    take(bench, CLUSTERED_TEN, "aidw-10m-clustered", &cloud, options_of(false));
    shepard_cloud_free(&cloud);
}

/* ---- figures --------------------------------------------------------------------------------- */

static double milliseconds(const struct bench *bench, int number)
{
    return bench->taken[number] ? 1e3 * shepard_trip_seconds(&bench->trips[number]) : NAN;
}

/* A stage that took no time did not take place. */
static double stage_milliseconds(double seconds)
{
    return seconds > 0 ? 1e3 * seconds : NAN;
}

static double quotient(const struct bench *bench, int a, int b)
{
    return milliseconds(bench, a) / milliseconds(bench, b);
}

/* The largest error of sums within eps, over eps; infinite where a result is no number. */
static double largest_error(const struct bench *bench)
{
    double most = NAN;
    for (int t = 0; t < TRIPS; t++) {
        const double error = bench->trips[t].error / EPS;
        if (bench->taken[t] && t != RASTER)
            most = isnan(error) ? INFINITY : fmax(most, error);
    }
    return most;
}

static double raster_error(const struct bench *bench)
{
    if (!bench->taken[RASTER])
        return NAN;
    return isnan(bench->trips[RASTER].error) ? INFINITY : bench->trips[RASTER].error;
}

static void promise_times(const struct bench *bench, struct shepard_promises *promises)
{
    const struct shepard_timing *device = &bench->trips[ONE].device;
    const double before = device->sort + device->tree + device->moments;
    const struct shepard_promise list[] = {
        {"AIDW 1,024,000 x 1,024,000, ms", 10, 5, milliseconds(bench, ONE)},
        {"  of which sort, tree, moments, ms", 1.5, 1, stage_milliseconds(before)},
        {"  of which kNN (k = 10), ms", 1.5, 1, stage_milliseconds(device->nearest)},
        {"  of which sums, ms", 4, 2, stage_milliseconds(device->sums)},
        {"AIDW 10,240,000 x 10,240,000, ms", 110, 55, milliseconds(bench, TEN)},
        {"AIDW 100,000,000 x 100,000,000, ms", 1300, 650, milliseconds(bench, HUNDRED)},
        {"IDW k = 12, 10,240,000 points to 10,000 x 10,000 cells, ms", 200, 80,
         milliseconds(bench, RASTER)}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        shepard_promises_add(promises, list[i]);
}

static void promise_ratios(const struct bench *bench, struct shepard_promises *promises)
{
    const struct shepard_promise list[] = {
        {"clustered over uniform, 1,024,000", 1.5, 1, quotient(bench, CLUSTERED_ONE, ONE)},
        {"clustered over uniform, 10,240,000", 1.5, 1, quotient(bench, CLUSTERED_TEN, TEN)},
        {"targets 10 % beyond the data over within, 10,240,000", 1.5, 1,
         quotient(bench, BEYOND, TEN)},
        {"time(10n) / time(n), n = 1,024,000", 12, NAN, quotient(bench, TEN, ONE)},
        {"time(10n) / time(n), n = 10,240,000", 12, NAN, quotient(bench, MOST, TEN)},
        {"sums with eps 1e-4: largest error over eps", 1, NAN, largest_error(bench)},
        {"12 nearest: largest error over the value range", 1e-6, NAN, raster_error(bench)}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        shepard_promises_add(promises, list[i]);
}

static bool judge(struct bench *bench)
{
    struct shepard_promises promises = {0};
    promise_times(bench, &promises);
    promise_ratios(bench, &promises);
    const bool kept = shepard_promises_report(&promises, &bench->record);
    if (!bench->quick)
        return kept;
    puts("quick: the sizes are other ones, and no time is judged");
    return !(largest_error(bench) > 1) && !(raster_error(bench) > 1e-6);
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void tell_machine(struct bench *bench)
{
    struct shepard_record *record = &bench->record;
    struct shepard_machine machine;
    struct shepard_device_info device = {.name = ""};
    shepard_machine_ask(&machine, 0, true);
    shepard_device_get_info(0, &device);
    printf("%s, driver %s, CUDA %s; %s, %ld cores\n", device.name, machine.driver, machine.runtime,
           machine.processor, machine.processors);
    shepard_record_begin(record, "machine");
    shepard_record_text(record, "gpu", device.name);
    shepard_record_number(record, "multiprocessors", device.multiprocessors);
    shepard_record_number(record, "memory_bytes", (double)device.memory_bytes);
    shepard_record_text(record, "driver", machine.driver);
    shepard_record_text(record, "cuda_runtime", machine.runtime);
    shepard_record_text(record, "cuda_compiler", machine.cuda_compiler);
    shepard_record_text(record, "processor", machine.processor);
    shepard_record_number(record, "processors", (double)machine.processors);
    shepard_record_text(record, "isa", machine.isa);
    shepard_record_text(record, "compiler", machine.compiler);
    shepard_record_text(record, "version", shepard_version());
    shepard_record_text(record, "commit", bench->commit);
    shepard_record_end(record);
}

static bool measure_chip(struct bench *bench)
{
    struct shepard_record *record = &bench->record;
    struct shepard_chip *chip = &bench->chip;
    if (!shepard_chip_measure(chip))
        return false;
    printf("limits: copy %.0f GB/s (read + written), to device %.1f, from device %.1f GB/s;\n"
           "  special functions %.3g, multiply-adds %.3g (float), %.3g (double) a second\n",
           1e-9 * chip->copy, 1e-9 * chip->to_device, 1e-9 * chip->from_device, chip->special,
           chip->fma_single, chip->fma_double);
    shepard_record_begin(record, "chip");
    shepard_record_number(record, "copy_bytes_per_second", chip->copy);
    shepard_record_number(record, "to_device_bytes_per_second", chip->to_device);
    shepard_record_number(record, "from_device_bytes_per_second", chip->from_device);
    shepard_record_number(record, "special_per_second", chip->special);
    shepard_record_number(record, "fma_single_per_second", chip->fma_single);
    shepard_record_number(record, "fma_double_per_second", chip->fma_double);
    shepard_record_end(record);
    return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool read_runs(const char *text, size_t *runs)
{
    char *end;
    const unsigned long count = strtoul(text, &end, 10);
    *runs = count;
    return *text >= '0' && *text <= '9' && !*end && count >= 1 && count <= SHEPARD_REPEAT_MAX;
}

static bool read_flag(struct bench *bench, const char *word)
{
    if (!strcmp(word, "--quick"))
        return bench->quick = true;
    return !strcmp(word, "--skip-large") && (bench->skip_large = true);
}

static bool read_option(struct bench *bench, const char *name, const char *value)
{
    if (!strcmp(name, "--runs"))
        return read_runs(value, &bench->runs);
    if (!strcmp(name, "--json"))
        bench->json = value;
    else if (!strcmp(name, "--commit"))
        bench->commit = value;
    else if (!strcmp(name, "--torch"))
        bench->torch = value;
    else
        return false;
    return true;
}

static bool read_command(struct bench *bench, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (read_flag(bench, argv[i]))
            continue;
        if (i + 1 == argc || !read_option(bench, argv[i], argv[i + 1]))
            return false;
        i++;
    }
    bench->sizes = bench->quick ? quick : full;
    bench->runs_large = bench->runs < 2 ? bench->runs : 2;
    return true;
}

static bool run(struct bench *bench)
{
    tell_machine(bench);
    if (!measure_chip(bench))
        return false;
    measure_uniform(bench);
    puts("");
    measure_clustered(bench);
    shepard_rival_torch(bench->torch, bench->sizes.thousand, bench->sizes.thousand, &bench->record);
    return judge(bench) && !bench->failed;
}

int main(int argc, char **argv)
{
    struct bench bench = {.runs = 5, .commit = "", .torch = SHEPARD_BENCH_FOLDER "/torch_brute.py"};
    struct shepard_cuda_info cuda;
    if (!read_command(&bench, argc, argv)) {
        fputs("usage: bench_cuda [--quick] [--runs N] [--skip-large] [--json FILE]\n"
              "                  [--commit TEXT] [--torch FILE]\n",
              stderr);
        return 2;
    }
    shepard_cuda_get_info(&cuda);
    if (cuda.devices == 0) {
        printf("skipped: %s\n", cuda.reason);
        return EXIT_SKIPPED;
    }
    if (!shepard_record_open(&bench.record, bench.json)) {
        fprintf(stderr, "bench_cuda: cannot write '%s'\n", bench.json);
        return 1;
    }
    const bool good = run(&bench);
    return shepard_record_close(&bench.record) && good ? 0 : 1;
}
