/* SPDX-License-Identifier: MIT */
/*
 * Measures the backend cuda on device 0, through the library's interface alone, relative to
 * thresholds, to what the device can do, and to what else computes the same.
 *
 *   bench_cuda [--quick] [--runs N] [--skip-large] [--json FILE] [--commit TEXT]
 *              [--torch FILE]
 *
 * --quick: every part with little to do; only errors count. --runs: of each measurement, default 5;
 * the largest get 2. --skip-large: nothing above 10,240,000 points. --commit: what the JSON is to
 * say of the source measured. --torch: torch_brute.py, where it is not where the source was.
 * Exit: 0; 1 where a threshold was missed, a result not exact enough or a measurement failed; 2 for
 * a wrong command; 77 where no device can be used.
 */
#include "accuracy_run.h"
#include "case.h"
#include "device_arrays.h"
#include "gpu_peers.h"
#include "roofline.h"

#include "papers/machine.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_SKIPPED 77

static const struct shepard_variant aidw = {"aidw", SHEPARD_METHOD_AIDW, 0, 0, 0};
static const struct shepard_variant nearest = {"idw-k12", SHEPARD_METHOD_IDW, 0, 12, 0};

/* What is measured with; the truth of a run may cost so many pairs. */
struct sizes {
    size_t thousand, ten, hundred, most; /* points and targets: "1,024,000" and so on */
    size_t side;                         /* cells along a side of the raster */
    double pairs;
};

static const struct sizes full = {1024000, 10240000, 100000000, 102400000, 10000, 5.3e9};
static const struct sizes quick = {20480, 204800, 400000, 2048000, 500, 1e8};

enum { ONE, TEN, HUNDRED, MOST, RASTER, CLUSTERED_ONE, CLUSTERED_TEN, BEYOND, ON_CPU, RUNS };

struct bench {
    struct sizes sizes;
    size_t runs, runs_large;
    bool quick, skip_large, failed;
    const char *json, *commit, *torch;
    struct shepard_record record;
    struct shepard_roofline roofline;
    struct shepard_accuracy_run run; /* the one that is measured */
    /* Of each run, NAN until it was measured: medians, and the stages of the first. */
    double milliseconds[RUNS], errors[RUNS];
    double left_out, left_out_near; /* leave-one-out over other targets: AIDW, 12 nearest */
    struct shepard_timing stages;
};

/* ---- pinned memory, which a GPU reads and writes by itself, without a copy in between ---------
 */

static void *allocate(size_t size, void *user)
{
    void *block = NULL;
    (void)user;
    if (cudaHostAlloc(&block, size, cudaHostAllocPortable) == cudaSuccess)
        return block;
    (void)cudaGetLastError(); /* not left to be the error of a later call */
    return NULL;
}

static void release(void *block, void *user)
{
    (void)user;
    (void)cudaFreeHost(block);
}

static const struct shepard_allocator pinned = {allocate, release, NULL};

/* ---- runs ------------------------------------------------------------------------------------ */

static struct shepard_task task_of(const struct bench *bench, int number,
                                   const struct shepard_dataset *dataset)
{
    struct shepard_task task = shepard_task_of(dataset, 0, number == RASTER ? &nearest : &aidw);
    task.options.backend = number == ON_CPU ? SHEPARD_BACKEND_CPU : SHEPARD_BACKEND_CUDA;
    task.side = number == RASTER ? bench->sizes.side : 0;
    return task;
}

/* One run before, then the measured ones. */
static enum shepard_status measure(struct bench *bench, size_t repeat)
{
    struct shepard_accuracy_run *run = &bench->run;
    const double checked = bench->sizes.pairs / (double)run->task.dataset->n;
    enum shepard_status status =
        shepard_accuracy_run_open(run, (size_t)fmin(fmax(checked, 64), 512));
    for (size_t r = 0; !status && r <= repeat; r++)
        status = shepard_accuracy_run_once(run);
    if (!status)
        shepard_accuracy_run_finish(run);
    return status;
}

static void report(struct bench *bench, int number, const char *name)
{
    const struct shepard_accuracy_run *run = &bench->run;
    bench->milliseconds[number] = 1e3 * shepard_runs_median(&run->total).wall;
    bench->errors[number] = isnan(run->error) ? INFINITY : run->error;
    if (number == ONE)
        bench->stages = run->median;
    shepard_record_begin(&bench->record, "end_to_end");
    shepard_record_text(&bench->record, "backend", number == ON_CPU ? "cpu" : "cuda");
    shepard_accuracy_run_record(run, &bench->record);
    shepard_record_text(&bench->record, "run", name);
    shepard_record_end(&bench->record);
    if (run->notice[0])
        printf("notice: %s\n", run->notice);
    shepard_roofline_report(&bench->roofline, run, name, &bench->record);
}

static void take(struct bench *bench, int number, const char *name,
                 const struct shepard_dataset *dataset)
{
    bench->run =
        (struct shepard_accuracy_run){.task = task_of(bench, number, dataset), .pinned = &pinned};
    bench->run.step = shepard_task_all(&bench->run.task).count;
    const bool large = dataset->n > bench->sizes.ten;
    const enum shepard_status status = measure(bench, large ? bench->runs_large : bench->runs);
    if (status)
        printf("%s: %s\n", name, status == SHEPARD_ERROR_MEMORY ? "left out" : "failed");
    else
        report(bench, number, name);
    bench->failed = bench->failed || (status && status != SHEPARD_ERROR_MEMORY);
    shepard_accuracy_run_close(&bench->run);
}

/* ---- data ------------------------------------------------------------------------------------ */

static bool draw(struct shepard_dataset *dataset, enum shepard_dataset_kind kind, size_t n)
{
    *dataset =
        (struct shepard_dataset){.kind = kind, .allocator = &pinned, .n = n, .m = n, .columns = 1};
    if (shepard_dataset_draw(dataset, 0))
        return true;
    printf("no pinned memory for %zu points and targets\n", n);
    shepard_dataset_free(dataset);
    return false;
}

/* The dataset that would have been drawn with n points and targets: a view, never freed. */
static struct shepard_dataset prefix_of(const struct shepard_dataset *dataset, size_t n)
{
    struct shepard_dataset prefix = *dataset;
    prefix.n = prefix.m = n;
    return prefix;
}

/* Targets over a square larger by a tenth of its side all round, as those of a raster with a margin
 * are: three in ten lie where there are no data. Moves the dataset's own: comes last. */
static void measure_beyond(struct bench *bench, const struct shepard_dataset *dataset)
{
    const double x = SHEPARD_DATASET_X0 + SHEPARD_DATASET_SIDE / 2;
    const double y = SHEPARD_DATASET_Y0 + SHEPARD_DATASET_SIDE / 2;
    for (size_t i = 0; i < dataset->m; i++) {
        dataset->target_x[i] = x + 1.2 * (dataset->target_x[i] - x);
        dataset->target_y[i] = y + 1.2 * (dataset->target_y[i] - y);
    }
    take(bench, BEYOND, "aidw-10m-beyond", dataset);
}

/* From arrays of the device, beside the pinned ones. */
static void measure_on_device(struct bench *bench, const struct shepard_dataset *dataset)
{
    const struct shepard_task task = task_of(bench, ONE, dataset);
    struct shepard_runs runs = {0};
    bool same = false;
    if (shepard_device_arrays_measure(&task, bench->runs, &runs, &same)) {
        bench->failed = true;
        return;
    }
    const double milliseconds = 1e3 * shepard_runs_median(&runs).wall;
    shepard_record_begin(&bench->record, "device_arrays");
    shepard_record_numbers(&bench->record, "points targets milliseconds pinned_milliseconds",
                           (const double[]){(double)dataset->n, (double)dataset->m, milliseconds,
                                            bench->milliseconds[ONE]});
    shepard_record_text(&bench->record, "bits", same ? "those of the host's arrays" : "OTHERS");
    shepard_record_end(&bench->record);
    bench->failed = bench->failed || !same;
}

static void measure_papers(struct bench *bench, const struct shepard_dataset *dataset)
{
    double *values = allocate(dataset->m * sizeof *values, NULL);
    if (values)
        shepard_gpu_peer_papers(dataset, values, &bench->record);
    release(values, NULL);
}

static bool leave_one_out(struct bench *bench, const struct shepard_dataset *dataset,
                          const struct shepard_variant *variant, double *values, double *ratio)
{
    struct shepard_task task = shepard_task_of(dataset, 0, variant);
    task.options.backend = SHEPARD_BACKEND_CUDA;
    return values && shepard_leave_one_out_measure(&task, variant->name, bench->runs, values,
                                                   &bench->record, ratio);
}

static void measure_leave_one_out(struct bench *bench, const struct shepard_dataset *dataset)
{
    double *values = allocate(dataset->m * sizeof *values, NULL);
    const bool good = leave_one_out(bench, dataset, &aidw, values, &bench->left_out) &&
                      leave_one_out(bench, dataset, &nearest, values, &bench->left_out_near);
    bench->failed = bench->failed || !good;
    release(values, NULL);
}

static void measure_uniform(struct bench *bench)
{
    const struct sizes *sizes = &bench->sizes;
    struct shepard_dataset dataset;
    const bool large = !bench->skip_large && draw(&dataset, SHEPARD_DATASET_UNIFORM, sizes->most);
    if (!large && !draw(&dataset, SHEPARD_DATASET_UNIFORM, sizes->ten)) {
        bench->failed = true;
        return;
    }
    const struct shepard_dataset one = prefix_of(&dataset, sizes->thousand);
    const struct shepard_dataset ten = prefix_of(&dataset, sizes->ten);
    take(bench, ONE, "aidw-1m", &one);
    measure_leave_one_out(bench, &one);
    measure_on_device(bench, &one);
    take(bench, TEN, "aidw-10m", &ten);
    take(bench, RASTER, "idw-raster", &ten);
    if (large) {
        const struct shepard_dataset hundred = prefix_of(&dataset, sizes->hundred);
        take(bench, HUNDRED, "aidw-100m", &hundred);
        take(bench, MOST, "aidw-102m", &dataset);
    }
    take(bench, ON_CPU, "aidw-1m-cpu", &one);
    measure_papers(bench, &one);
    measure_beyond(bench, &ten);
    shepard_dataset_free(&dataset);
}

static void measure_clustered(struct bench *bench)
{
    struct shepard_dataset dataset;
    if (!draw(&dataset, SHEPARD_DATASET_CLUSTERED, bench->sizes.ten))
        return;
    const struct shepard_dataset one = prefix_of(&dataset, bench->sizes.thousand);
    take(bench, CLUSTERED_ONE, "aidw-1m-clustered", &one);
    take(bench, CLUSTERED_TEN, "aidw-10m-clustered", &dataset);
    shepard_dataset_free(&dataset);
}

/* ---- thresholds ------------------------------------------------------------------------------ */

/* The measured figure is to be at most `most`, and, better, `aim`; NAN: no aim; not measured. */
struct threshold {
    const char *text; /* with the unit */
    double most, aim, measured;
};

static bool judge(const struct threshold *threshold, struct shepard_record *record)
{
    const bool missed = threshold->measured > threshold->most;
    shepard_record_begin(record, "figure");
    shepard_record_numbers(record, "at_most aim measured",
                           (const double[]){threshold->most, threshold->aim, threshold->measured});
    shepard_record_text(record, "verdict",
                        isnan(threshold->measured) ? "not measured"
                        : missed                   ? "MISS"
                                                   : "pass");
    shepard_record_text(record, "figure", threshold->text);
    shepard_record_end(record);
    return !missed;
}

/* A stage that took no time did not take place. */
static double stage_milliseconds(double seconds)
{
    return seconds > 0 ? 1e3 * seconds : NAN;
}

static bool judge_all(struct bench *bench)
{
    const double *ms = bench->milliseconds, *errors = bench->errors;
    const struct shepard_timing *stages = &bench->stages;
    double error = NAN; /* of sums within eps */
    for (int r = 0; r < RUNS; r++)
        error = r == RASTER ? error : fmax(error, errors[r]);
    const struct threshold list[] = {
        {"sums with eps 1e-4: largest error over eps", 1, NAN, error / 1e-4},
        {"12 nearest: largest error over the value range", 1e-6, NAN, errors[RASTER]},
        {"AIDW 1,024,000 x 1,024,000, ms", 10, 5, ms[ONE]},
        {"  of which sort, tree, moments, ms", 1.5, 1,
         stage_milliseconds(stages->sort + stages->tree + stages->moments)},
        {"  of which kNN (k = 10), ms", 1.5, 1, stage_milliseconds(stages->nearest)},
        {"  of which sums, ms", 4, 2, stage_milliseconds(stages->sums)},
        {"AIDW 10,240,000 x 10,240,000, ms", 110, 55, ms[TEN]},
        {"AIDW 100,000,000 x 100,000,000, ms", 1300, 650, ms[HUNDRED]},
        {"IDW k = 12, 10,240,000 points to 10,000 x 10,000 cells, ms", 200, 80, ms[RASTER]},
        {"AIDW at the points, each left out, over other targets, 1,024,000", 1.15, NAN,
         bench->left_out},
        {"12 nearest at the points, each left out, over other targets, 1,024,000", 1.15, NAN,
         bench->left_out_near},
        {"clustered over uniform, 1,024,000", 1.5, 1, ms[CLUSTERED_ONE] / ms[ONE]},
        {"clustered over uniform, 10,240,000", 1.5, 1, ms[CLUSTERED_TEN] / ms[TEN]},
        {"targets 10 % beyond the data over within, 10,240,000", 1.5, 1, ms[BEYOND] / ms[TEN]},
        {"time(10n) / time(n), n = 1,024,000", 12, NAN, ms[TEN] / ms[ONE]},
        {"time(10n) / time(n), n = 10,240,000", 12, NAN, ms[MOST] / ms[TEN]}};
    const size_t errors_only = 2, count = sizeof list / sizeof *list;
    bool good = true;
    for (size_t i = 0; i < (bench->quick ? errors_only : count); i++)
        good = judge(&list[i], &bench->record) && good;
    return good;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void record_machine(struct bench *bench)
{
    struct shepard_record *record = &bench->record;
    struct shepard_machine machine;
    struct shepard_device_info device = {.name = ""};
    shepard_machine_ask(&machine, 0, true);
    shepard_device_get_info(0, &device);
    shepard_record_begin(record, "machine");
    shepard_record_numbers(record, "multiprocessors memory_bytes processors",
                           (const double[]){device.multiprocessors, (double)device.memory_bytes,
                                            (double)machine.processors});
    const char *const texts[][2] = {{"gpu", device.name},
                                    {"driver", machine.driver},
                                    {"cuda_runtime", machine.runtime},
                                    {"cuda_compiler", machine.cuda_compiler},
                                    {"processor", machine.processor},
                                    {"isa", machine.isa},
                                    {"compiler", machine.compiler},
                                    {"version", shepard_version()},
                                    {"commit", bench->commit}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        shepard_record_text(record, texts[i][0], texts[i][1]);
    shepard_record_end(record);
}

static bool measure_roofline(struct bench *bench)
{
    const struct shepard_roofline *limits = &bench->roofline;
    if (shepard_roofline_measure(&bench->roofline))
        return false;
    shepard_record_begin(&bench->record, "roofline");
    shepard_record_numbers(
        &bench->record,
        "copy_bytes_per_second to_device_bytes_per_second from_device_bytes_per_second "
        "special_per_second fma_single_per_second fma_double_per_second",
        (const double[]){limits->copy, limits->to_device, limits->from_device, limits->special,
                         limits->fma_single, limits->fma_double});
    shepard_record_end(&bench->record);
    return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool read_option(struct bench *bench, const char *name, const char *value)
{
    char *end;
    if (!strcmp(name, "--json"))
        bench->json = value;
    else if (!strcmp(name, "--commit"))
        bench->commit = value;
    else if (!strcmp(name, "--torch"))
        bench->torch = value;
    else if (strcmp(name, "--runs"))
        return false;
    else
        return (bench->runs = strtoul(value, &end, 10)) >= 1 && !*end && *value != '-' &&
               bench->runs < SHEPARD_REPEAT_MAX;
    return true;
}

static bool read_command(struct bench *bench, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            bench->quick = true;
        else if (!strcmp(argv[i], "--skip-large"))
            bench->skip_large = true;
        else if (i + 1 == argc || !read_option(bench, argv[i], argv[i + 1]))
            return false;
        else
            i++;
    }
    bench->sizes = bench->quick ? quick : full;
    bench->runs_large = bench->runs < 2 ? bench->runs : 2;
    return true;
}

static bool run_all(struct bench *bench)
{
    record_machine(bench);
    if (!measure_roofline(bench))
        return false;
    measure_uniform(bench);
    measure_clustered(bench);
    shepard_gpu_peer_torch(bench->torch, bench->sizes.thousand, bench->sizes.thousand,
                           &bench->record);
    return judge_all(bench) && !bench->failed;
}

int main(int argc, char **argv)
{
    static struct bench bench = {
        .runs = 5, .commit = "", .torch = SHEPARD_BENCH_FOLDER "/torch_brute.py"};
    struct shepard_cuda_info cuda;
    for (int r = 0; r < RUNS; r++)
        bench.milliseconds[r] = bench.errors[r] = NAN;
    bench.left_out = bench.left_out_near = NAN;
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
    const bool good = run_all(&bench);
    return shepard_record_close(&bench.record) && good ? 0 : 1;
}
