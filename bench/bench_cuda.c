/* SPDX-License-Identifier: MIT */
/*
 * Measures the backend cuda on device 0, through the library's interface alone, and what the
 * device can do. Prints a line of JSON for each result; bench/gpu.py calls it, compares the results
 * with the thresholds and adds PyTorch.
 *
 *   bench_cuda [--quick] [--runs N] [--skip-large] [--several]
 *
 * --quick: every part with little to do. --runs: of each measurement, default 5; the largest get 2.
 * --skip-large: nothing above 10,240,000 points. --several: instead of all this, what all devices
 * of the machine do beside one of them. Exit: 0; 1 where a measurement failed; 2 for a wrong
 * command; 77 where no device can be used.
 */
#include "accuracy_run.h"
#include "beside_cpu.h"
#include "case.h"
#include "device_arrays.h"
#include "roofline.h"
#include "shape.h"

#include "papers/machine.h"
#include "papers/pinned_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_SKIPPED 77

static const struct shepard_variant aidw = {"aidw", SHEPARD_METHOD_AIDW, 0, 0, 0};
static const struct shepard_variant nearest = {"idw-k12", SHEPARD_METHOD_IDW, 0, 12, 0};

/* What is measured with; the exact predictions of a run may cost so many pairs. */
struct sizes {
    size_t thousand, ten, fifty, hundred, most; /* points and targets: "1,024,000" and so on */
    size_t side;                                /* cells along a side of the raster */
    double pairs;
};

static const struct sizes full = {1024000, 10240000, 51200000, 100000000, 102400000, 10000, 5.3e9};
static const struct sizes quick = {20480, 204800, 1100000, 400000, 2048000, 500, 1e8};

struct bench {
    struct sizes sizes;
    size_t runs, runs_large;
    bool skip_large, several, failed;
    struct shepard_accuracy_run run; /* the one that is measured */
};

/* ---- runs ------------------------------------------------------------------------------------ */

static struct shepard_task task_of(const struct shepard_dataset *dataset,
                                   const struct shepard_variant *variant)
{
    struct shepard_task task = shepard_task_of(dataset, 0, variant);
    task.options.backend = SHEPARD_BACKEND_CUDA;
    return task;
}

/* One run before, then the measured ones. */
static enum shepard_status run_all_times(struct bench *bench)
{
    struct shepard_accuracy_run *run = &bench->run;
    const size_t n = run->task.dataset->n;
    const size_t repeat = n > bench->sizes.ten ? bench->runs_large : bench->runs;
    const double checked = bench->sizes.pairs / (double)n;
    enum shepard_status status =
        shepard_accuracy_run_open(run, (size_t)fmin(fmax(checked, 64), 512));
    for (size_t r = 0; !status && r <= repeat; r++)
        status = shepard_accuracy_run_once(run);
    if (!status)
        shepard_accuracy_run_finish(run);
    return status;
}

/* Stages by the device's clock; one that took no time did not take place. */
static void report_stages(const struct shepard_accuracy_run *run, const char *name)
{
    static const char *const names[SHEPARD_TASK_STAGES] = {"upload",  "sort", "tree",    "moments",
                                                           "nearest", "sums", "download"};
    const union shepard_task_stages stages = {run->median};
    for (int s = 0; s < SHEPARD_TASK_STAGES; s++) {
        if (stages.seconds[s] <= 0)
            continue;
        shepard_record_begin("stage");
        shepard_record_text("stage", names[s]);
        shepard_record_numbers("device_seconds", &stages.seconds[s]);
        shepard_record_text("run", name);
        shepard_record_end();
    }
}

static void report(const struct shepard_accuracy_run *run, const char *name)
{
    const bool on_cpu = run->task.options.backend == SHEPARD_BACKEND_CPU;
    shepard_record_begin("end_to_end");
    shepard_record_text("backend", on_cpu ? "cpu" : "cuda");
    shepard_accuracy_run_record(run);
    shepard_record_text("run", name);
    shepard_record_end();
    if (run->notice[0])
        fprintf(stderr, "%s: notice: %s\n", name, run->notice);
    report_stages(run, name);
}

static void measure(struct bench *bench, const char *name, struct shepard_task task)
{
    bench->run = (struct shepard_accuracy_run){.task = task, .pinned = task.dataset->allocator};
    bench->run.step = shepard_task_all(&task).count;
    const enum shepard_status status = run_all_times(bench);
    if (status)
        fprintf(stderr, "%s: %s\n", name, status == SHEPARD_ERROR_MEMORY ? "left out" : "failed");
    else
        report(&bench->run, name);
    bench->failed = bench->failed || (status && status != SHEPARD_ERROR_MEMORY);
    shepard_accuracy_run_close(&bench->run);
}

/* ---- data ------------------------------------------------------------------------------------ */

static bool draw(struct shepard_dataset *dataset, enum shepard_dataset_kind kind, size_t n)
{
    *dataset = (struct shepard_dataset){
        .kind = kind, .allocator = shepard_pinned_memory(), .n = n, .m = n, .columns = 1};
    if (shepard_dataset_draw(dataset, 0))
        return true;
    fprintf(stderr, "no pinned memory for %zu points and targets\n", n);
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
    measure(bench, "aidw-10m-beyond", task_of(dataset, &aidw));
}

/* From arrays of the device, as pinned ones give it. */
static void measure_on_device(struct bench *bench, const struct shepard_dataset *dataset)
{
    const struct shepard_task task = task_of(dataset, &aidw);
    struct shepard_runs runs = {0};
    bool same = false;
    if (!shepard_device_arrays_measure(&task, bench->runs, &runs, &same)) {
        shepard_record_begin("device_arrays");
        shepard_record_numbers("points targets milliseconds",
                               (const double[]){(double)dataset->n, (double)dataset->m,
                                                1e3 * shepard_runs_median(&runs).wall});
        shepard_record_text("bits", same ? "those of the host's arrays" : "OTHERS");
        shepard_record_end();
    }
    bench->failed = bench->failed || !same;
}

/* The papers' improved AIDW with tiles in shared memory, float, one run: all pairs. */
static void measure_papers(const struct shepard_dataset *dataset, double *values)
{
    const struct shepard_paper_engine engine = {.system = SHEPARD_PAPER_IMPROVED,
                                                .scheme = SHEPARD_PAPER_TILED,
                                                .layout = SHEPARD_PAPER_SOA,
                                                .precision = SHEPARD_PRECISION_SINGLE};
    const struct shepard_coordinates coordinates = shepard_dataset_coordinates(dataset, dataset->n);
    const struct shepard_values column = shepard_dataset_values(dataset);
    const struct shepard_targets targets = shepard_dataset_targets(dataset, dataset->m);
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    const struct shepard_paper_job job = {&coordinates, &column, &targets, &parameters};
    struct shepard_paper_times times;
    struct shepard_error error;
    if (shepard_paper_run(&engine, &job, &values, &times, &error)) {
        fprintf(stderr, "papers' improved tiled engine: left out: %s\n", error.message);
        return;
    }
    shepard_record_begin("peer");
    shepard_record_numbers("points targets wall_seconds sums_device_seconds error",
                           (const double[]){(double)dataset->n, (double)dataset->m, times.total,
                                            times.weighting, NAN});
    shepard_record_text("version", shepard_version());
    shepard_record_text("peer", "papers-improved-tiled");
    shepard_record_end();
}

static void measure_leave_one_out(struct bench *bench, const struct shepard_dataset *dataset,
                                  const struct shepard_variant *variant, double *values)
{
    const struct shepard_task task = task_of(dataset, variant);
    const bool good = shepard_leave_one_out_measure(&task, variant->name, bench->runs, values);
    bench->failed = bench->failed || !good;
}

static void measure_on_cpu(struct bench *bench, const struct shepard_dataset *dataset)
{
    struct shepard_task task = task_of(dataset, &aidw);
    task.options.backend = SHEPARD_BACKEND_CPU;
    measure(bench, "aidw-1m-cpu", task);
}

/* Fits the covariance that kriging has, and the anisotropy. */
static bool fit(struct shepard_task *task)
{
    const struct shepard_coordinates coordinates =
        shepard_dataset_coordinates(task->dataset, task->dataset->n);
    const struct shepard_values values = shepard_dataset_values(task->dataset);
    const struct shepard_fit_data data = {
        .size = sizeof data, .coordinates = &coordinates, .values = &values};
    struct shepard_error error;
    task->options.anisotropy_ratio = task->options.anisotropy_angle = NAN;
    if (!shepard_fit(&data, &task->parameters, &task->options, NULL, NULL, &error))
        return true;
    fprintf(stderr, "bench_cuda: %s\n", error.message);
    return false;
}

/* From points in octants: weighted means, kriging with sd. room: [3] of one for each target. */
static void measure_octants(struct bench *bench, const struct shepard_dataset *dataset,
                            double *const room[3])
{
    struct shepard_task task = task_of(dataset, &nearest);
    task.parameters.neighbourhood =
        (struct shepard_neighbourhood){.sectors = 8, .max_points_per_sector = 2};
    bool good = shepard_beside_cpu_measure(&task, "idw-octants", bench->runs, room);
    task.parameters.method = SHEPARD_METHOD_KRIGE;
    task.sds = room[2];
    good =
        good && fit(&task) && shepard_beside_cpu_measure(&task, "krige-octants", bench->runs, room);
    bench->failed = bench->failed || !good;
}

static void measure_beside_cpu(struct bench *bench, const struct shepard_task *task,
                               const char *name, double *const room[2])
{
    const bool good = shepard_beside_cpu_measure(task, name, bench->runs, room);
    bench->failed = bench->failed || !good;
}

/* From more and more nearest points: those a lane's list holds, then a warp's. Planes over all
 * points, of one power and of AIDW. */
static void measure_variants_beside(struct bench *bench, const struct shepard_dataset *dataset,
                                    double *const room[2])
{
    static const struct shepard_variant variants[] = {
        {"idw-k24", SHEPARD_METHOD_IDW, 0, 24, 0},   {"idw-k25", SHEPARD_METHOD_IDW, 0, 25, 0},
        {"idw-k32", SHEPARD_METHOD_IDW, 0, 32, 0},   {"idw-k64", SHEPARD_METHOD_IDW, 0, 64, 0},
        {"idw-k100", SHEPARD_METHOD_IDW, 0, 100, 0}, {"idw-k256", SHEPARD_METHOD_IDW, 0, 256, 0},
        {"planes-idw", SHEPARD_METHOD_IDW, 3, 0, 1}, {"planes-aidw", SHEPARD_METHOD_AIDW, 0, 0, 1}};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const struct shepard_task task = task_of(dataset, &variants[i]);
        measure_beside_cpu(bench, &task, variants[i].name, room);
    }
}

/* From all points of a circle, so many on average; from 64 points in an ellipse, and of each
 * quadrant. */
static void measure_neighbourhoods(struct bench *bench, const struct shepard_dataset *dataset,
                                   double *const room[2])
{
    const double share = 1 / (double)dataset->n; /* of the square for each point */
    const double radius = SHEPARD_DATASET_SIDE * sqrt(share / acos(-1)); /* for one on average */
    const struct {
        const char *name;
        int degree;
        struct shepard_neighbourhood hood;
    } runs[] = {
        {"idw-circle64", 0, {.sectors = 1, .radius1 = 8 * radius, .radius2 = 8 * radius}},
        {"idw-circle64-plane", 1, {.sectors = 1, .radius1 = 8 * radius, .radius2 = 8 * radius}},
        {"idw-circle1024", 0, {.sectors = 1, .radius1 = 32 * radius, .radius2 = 32 * radius}},
        {"idw-ellipse64",
         0,
         {.sectors = 1, .radius1 = 32 * radius, .radius2 = 16 * radius, .max_points = 64}},
        {"idw-quadrants64", 0, {.sectors = 4, .max_points_per_sector = 64}}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct shepard_task task = task_of(dataset, &nearest);
        task.parameters.degree = runs[i].degree;
        task.parameters.neighbourhood = runs[i].hood;
        measure_beside_cpu(bench, &task, runs[i].name, room);
    }
}

/* Every pair of a tenth of the points and targets, on the sphere and in space. */
static void measure_distances(struct bench *bench, const struct shepard_dataset *dataset,
                              double *values)
{
    const struct shepard_dataset tenth = prefix_of(dataset, bench->sizes.thousand / 10);
    const struct shepard_task task = task_of(&tenth, &nearest);
    const bool good = shepard_distances_measure_sums(&task, bench->runs, values);
    bench->failed = bench->failed || !good;
}

static void measure_raster(struct bench *bench, const struct shepard_dataset *dataset)
{
    struct shepard_task task = task_of(dataset, &nearest);
    task.side = bench->sizes.side;
    measure(bench, "idw-raster", task);
}

/* Sums to rasters of as many cells as points, a tenth, a hundredth. */
static void measure_coarse(struct bench *bench, const struct shepard_dataset *dataset)
{
    const struct shepard_variant variants[] = {aidw, {"idw", SHEPARD_METHOD_IDW, 2, 0, 0}};
    static const char *const parts[] = {"all", "tenth", "hundredth"};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        double cells = (double)dataset->n;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++, cells /= 10) {
            char name[40];
            struct shepard_task task = task_of(dataset, &variants[v]);
            task.side = (size_t)ceil(sqrt(cells));
            snprintf(name, sizeof name, "%s-cells-%s", variants[v].name, parts[i]);
            measure(bench, name, task);
        }
    }
}

/* A smaller tolerance, whose sums are in double; a smoothing of the mean spacing with either. */
static void measure_slower_sums(struct bench *bench, const struct shepard_dataset *dataset)
{
    struct shepard_task task = task_of(dataset, &aidw);
    task.parameters.smoothing = SHEPARD_DATASET_SIDE / sqrt((double)dataset->n);
    measure(bench, "aidw-1m-smoothed", task);
    task.parameters.eps = 1e-5;
    measure(bench, "aidw-1m-double-smoothed", task);
    task.parameters.smoothing = 0;
    measure(bench, "aidw-1m-double", task);
}

/* With one GPU and with all of the machine, where there are several. */
static void measure_beside_all(struct bench *bench, const char *name, struct shepard_task task)
{
    char all[40];
    snprintf(all, sizeof all, "%s-all", name);
    measure(bench, name, task);
    task.options.device = SHEPARD_DEVICE_ALL;
    measure(bench, all, task);
}

static void measure_several(struct bench *bench)
{
    struct shepard_dataset dataset;
    if (!draw(&dataset, SHEPARD_DATASET_UNIFORM, bench->sizes.fifty)) {
        bench->failed = true;
        return;
    }
    const struct shepard_dataset one = prefix_of(&dataset, bench->sizes.thousand);
    const struct shepard_dataset ten = prefix_of(&dataset, bench->sizes.ten);
    struct shepard_task searched = task_of(&ten, &nearest), summed = task_of(&ten, &aidw);
    searched.side = summed.side = bench->sizes.side;
    measure_beside_all(bench, "aidw-1m", task_of(&one, &aidw));
    measure_beside_all(bench, "aidw-10m", task_of(&ten, &aidw));
    measure_beside_all(bench, "aidw-51m", task_of(&dataset, &aidw));
    measure_beside_all(bench, "aidw-raster", summed);
    measure_beside_all(bench, "idw-raster", searched);
    shepard_dataset_free(&dataset);
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
    const struct shepard_allocator *const pinned = shepard_pinned_memory();
    double *const values = pinned->allocate(3 * one.m * sizeof *values, pinned->user);
    bench->failed = bench->failed || !values;
    measure(bench, "aidw-1m", task_of(&one, &aidw));
    if (values) {
        measure_leave_one_out(bench, &one, &aidw, values);
        measure_leave_one_out(bench, &one, &nearest, values);
        measure_octants(bench, &one, (double *const[]){values, values + one.m, values + 2 * one.m});
        measure_variants_beside(bench, &one, (double *const[]){values, values + one.m});
        measure_neighbourhoods(bench, &one, (double *const[]){values, values + one.m});
        measure_distances(bench, &one, values);
    }
    measure_on_device(bench, &one);
    measure_slower_sums(bench, &one);
    measure(bench, "aidw-10m", task_of(&ten, &aidw));
    measure_raster(bench, &ten);
    measure_coarse(bench, &ten);
    if (large) {
        const struct shepard_dataset hundred = prefix_of(&dataset, sizes->hundred);
        measure(bench, "aidw-100m", task_of(&hundred, &aidw));
        measure(bench, "aidw-102m", task_of(&dataset, &aidw));
    }
    measure_on_cpu(bench, &one);
    if (values)
        measure_papers(&one, values);
    measure_beyond(bench, &ten);
    pinned->release(values, pinned->user);
    shepard_dataset_free(&dataset);
}

static void measure_clustered(struct bench *bench)
{
    struct shepard_dataset dataset;
    if (!draw(&dataset, SHEPARD_DATASET_CLUSTERED, bench->sizes.ten))
        return;
    const struct shepard_dataset one = prefix_of(&dataset, bench->sizes.thousand);
    measure(bench, "aidw-1m-clustered", task_of(&one, &aidw));
    measure(bench, "aidw-10m-clustered", task_of(&dataset, &aidw));
    shepard_dataset_free(&dataset);
}

/* Arrays of malloc, as most callers' are. */
static void measure_pageable(struct bench *bench)
{
    const size_t n = bench->sizes.thousand;
    struct shepard_dataset dataset;
    if (shepard_task_draw(&dataset, SHEPARD_DATASET_UNIFORM, n, n, 1))
        measure(bench, "aidw-1m-pageable", task_of(&dataset, &aidw));
    else
        bench->failed = true;
    shepard_dataset_free(&dataset);
}

static void measure_shapes(struct bench *bench)
{
    for (enum shepard_shape shape = 0; shape < SHEPARD_SHAPES; shape++) {
        struct shepard_dataset dataset;
        char name[40];
        if (!draw(&dataset, SHEPARD_DATASET_UNIFORM, bench->sizes.thousand))
            return;
        shepard_shape_give(shape, &dataset);
        snprintf(name, sizeof name, "aidw-1m-%s", shepard_shape_name(shape));
        measure(bench, name, task_of(&dataset, &aidw));
        shepard_dataset_free(&dataset);
    }
}

static void measure_one(struct bench *bench)
{
    measure_uniform(bench);
    measure_clustered(bench);
    measure_pageable(bench);
    measure_shapes(bench);
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void record_machine(size_t devices)
{
    struct shepard_machine machine;
    struct shepard_device_info device = {.name = ""};
    shepard_machine_ask(&machine, 0, true);
    shepard_device_get_info(0, &device);
    shepard_record_begin("machine");
    shepard_record_numbers("devices multiprocessors memory_bytes processors",
                           (const double[]){(double)devices, device.multiprocessors,
                                            (double)device.memory_bytes,
                                            (double)machine.processors});
    const char *const texts[][2] = {{"gpu", device.name},
                                    {"driver", machine.driver},
                                    {"cuda_runtime", machine.runtime},
                                    {"cuda_compiler", machine.cuda_compiler},
                                    {"processor", machine.processor},
                                    {"isa", machine.isa},
                                    {"compiler", machine.compiler},
                                    {"version", shepard_version()}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        shepard_record_text(texts[i][0], texts[i][1]);
    shepard_record_end();
}

static bool measure_roofline(void)
{
    struct shepard_roofline limits;
    if (shepard_roofline_measure(&limits))
        return false;
    shepard_record_begin("roofline");
    shepard_record_numbers(
        "copy_bytes_per_second to_device_bytes_per_second from_device_bytes_per_second "
        "special_per_second fma_single_per_second fma_double_per_second",
        (const double[]){limits.copy, limits.to_device, limits.from_device, limits.special,
                         limits.fma_single, limits.fma_double});
    shepard_record_end();
    return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool read_runs(const char *text, size_t *runs)
{
    char *end;
    *runs = strtoul(text, &end, 10);
    return *runs >= 1 && *runs < SHEPARD_REPEAT_MAX && !*end && *text != '-';
}

static bool read_command(struct bench *bench, int argc, char **argv)
{
    bool good = true;
    for (int i = 1; good && i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            bench->sizes = quick;
        else if (!strcmp(argv[i], "--skip-large"))
            bench->skip_large = true;
        else if (!strcmp(argv[i], "--several"))
            bench->several = true;
        else
            good = !strcmp(argv[i], "--runs") && ++i < argc && read_runs(argv[i], &bench->runs);
    }
    bench->runs_large = bench->runs < 2 ? bench->runs : 2;
    return good;
}

int main(int argc, char **argv)
{
    static struct bench bench = {.runs = 5};
    struct shepard_cuda_info cuda;
    bench.sizes = full;
    if (!read_command(&bench, argc, argv)) {
        fputs("usage: bench_cuda [--quick] [--runs N] [--skip-large] [--several]\n", stderr);
        return 2;
    }
    shepard_cuda_get_info(&cuda);
    if (cuda.devices == 0) {
        fprintf(stderr, "skipped: %s\n", cuda.reason);
        return EXIT_SKIPPED;
    }
    record_machine(cuda.devices);
    if (!measure_roofline())
        return 1;
    if (bench.several)
        measure_several(&bench);
    else
        measure_one(&bench);
    return shepard_record_finish() && !bench.failed ? 0 : 1;
}
