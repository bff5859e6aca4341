/* SPDX-License-Identifier: MIT */
#include "accuracy_run.h"
#include "case.h"
#include "comparison.h"
#include "shape.h"

#include <math.h>
#include <stdlib.h>

/* Targets compared with exact predictions, at least, and of growth. */
enum { CHECKED = 64, CHECKED_OF_GROWTH = 16, CHECKED_OF_PLANES = 16, CHECKED_MOST = 4096 };

/* Pairs that exact predictions sum one by one, about a second's worth; of planes, whose every
 * operation is on pairs of doubles. */
#define CHECKED_PAIRS ((size_t)1 << 25)
#define CHECKED_PAIRS_OF_PLANES ((size_t)1 << 20)

/* Cells of a window at most, 40 MB of results a column, and its rows: whole tiles of the library's
 * own, as the command's windows have. */
#define WINDOW_CELLS 5120000
#define WINDOW_ROWS 16

static const struct shepard_variant aidw = {.method = SHEPARD_METHOD_AIDW};
static const struct shepard_variant idw = {.method = SHEPARD_METHOD_IDW};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* All targets of a list; windows of whole rows, so that the cells need not be in memory at once. */
static size_t step_of(const struct shepard_task *task)
{
    if (!task->side)
        return task->dataset->m;
    const size_t rows = WINDOW_CELLS / task->side / WINDOW_ROWS * WINDOW_ROWS;
    return task->side * smaller(larger(rows, WINDOW_ROWS), task->side);
}

static enum shepard_status open(struct shepard_accuracy_run *run, const struct shepard_task *task,
                                size_t checked)
{
    const bool planes = task->parameters.degree == 1;
    const size_t pairs = planes ? CHECKED_PAIRS_OF_PLANES : CHECKED_PAIRS;
    const size_t cheap = smaller(pairs / task->dataset->n, CHECKED_MOST);
    *run = (struct shepard_accuracy_run){.task = *task, .step = step_of(task)};
    return shepard_accuracy_run_open(run, larger(planes ? CHECKED_OF_PLANES : checked, cheap));
}

static bool close(struct shepard_accuracy_run *run, const char *name)
{
    const bool good = run->total.count > 0;
    if (good) {
        shepard_accuracy_run_finish(run);
        shepard_record_begin(name);
        shepard_accuracy_run_record(run);
        shepard_record_end();
    }
    shepard_accuracy_run_close(run);
    return good && run->error <= run->task.parameters.eps; /* false for NaN */
}

static bool measure(const struct shepard_case *bench, const char *name,
                    const struct shepard_task *task)
{
    struct shepard_accuracy_run *run = malloc(sizeof *run);
    bool good = run && !open(run, task, CHECKED) && !shepard_accuracy_run_once(run);
    for (double spent = 0; good && shepard_another_turn(bench->repeat, run->total.count, spent);) {
        good = !shepard_accuracy_run_once(run);
        spent += good ? run->total.wall[run->total.count - 1] : 0;
    }
    good = run && close(run, name) && good;
    free(run);
    return good;
}

bool shepard_case_sums(const struct shepard_case *bench)
{
    const struct shepard_task task = shepard_task_of(&bench->dataset, bench->threads, &aidw);
    return measure(bench, "sums", &task);
}

bool shepard_case_raster(const struct shepard_case *bench)
{
    struct shepard_task task = shepard_task_of(&bench->dataset, bench->threads, &idw);
    task.side = (size_t)ceil(sqrt((double)bench->targets));
    bool good = measure(bench, "raster", &task);
    task.columns = SHEPARD_TASK_COLUMNS;
    return good && measure(bench, "raster", &task);
}

/* ---- relative to a first task ---------------------------------------------------------------- */

/* Of tasks that take turns, as the sizes of growth do. */
enum { TOGETHER = 1 + SHEPARD_SHAPES };

static double seconds_a_target(const struct shepard_accuracy_run *run, size_t turn)
{
    const struct shepard_task *task = &run->task;
    return run->predict.wall[turn] /
           (double)(task->side ? task->side * task->side : task->dataset->m);
}

/* The median over the turns: the runs of a turn are near each other in time. */
static double ratio_of(const struct shepard_accuracy_run *run,
                       const struct shepard_accuracy_run *first)
{
    double ratios[SHEPARD_REPEAT_MAX];
    for (size_t r = 0; r < run->predict.count; r++)
        ratios[r] = seconds_a_target(run, r) / seconds_a_target(first, r);
    return shepard_median(ratios, run->predict.count);
}

/* ratios: [count - 1], each of a task to the first one, seconds a target. */
static bool measure_together(const struct shepard_case *bench, const char *name,
                             const struct shepard_task *tasks, int count, double *ratios)
{
    struct shepard_accuracy_run *runs = calloc(TOGETHER, sizeof *runs);
    bool good = runs;
    for (int i = 0; good && i < count; i++)
        good = !open(&runs[i], &tasks[i], CHECKED);
    for (size_t turn = 0; good && turn <= bench->repeat; turn++)
        for (int i = 0; good && i < count; i++)
            good = !shepard_accuracy_run_once(&runs[i]);
    for (int i = 1; good && i < count; i++)
        ratios[i - 1] = ratio_of(&runs[i], runs);
    for (int i = 0; runs && i < count; i++)
        good = close(&runs[i], name) && good;
    free(runs);
    return good;
}

static void record_ratios(const struct shepard_case *bench, const char *name, const char *method,
                          const char *keys, const double *ratios)
{
    shepard_record_begin(name);
    shepard_record_text("data", shepard_dataset_name(bench->dataset.kind));
    shepard_record_text("method", method);
    shepard_record_numbers(keys, ratios);
    shepard_record_end();
}

struct method {
    const struct shepard_variant *variant;
    const char *name;
};

static const struct method methods[] = {{&idw, "idw"}, {&aidw, "aidw"}};

static bool measure_coarse(const struct shepard_case *bench, const struct method *method)
{
    enum { SIZES = 3 };
    struct shepard_task tasks[SIZES];
    double cells = (double)bench->targets, ratios[SIZES - 1];
    for (int i = 0; i < SIZES; i++, cells /= 10) {
        tasks[i] = shepard_task_of(&bench->dataset, bench->threads, method->variant);
        tasks[i].side = (size_t)ceil(sqrt(cells));
    }
    const bool good = measure_together(bench, "coarse", tasks, SIZES, ratios);
    if (good)
        record_ratios(bench, "coarse_ratio", method->name, "tenth hundredth", ratios);
    return good;
}

/* As many cells as points, a tenth, a hundredth. */
bool shepard_case_coarse(const struct shepard_case *bench)
{
    return measure_coarse(bench, &methods[0]) && measure_coarse(bench, &methods[1]);
}

/* Of IDW and AIDW, each as it is and changed. */
static bool measure_changed(const struct shepard_case *bench, const char *name,
                            const char *ratio_name,
                            void (*change)(const struct shepard_case *, struct shepard_task *))
{
    bool good = true;
    for (size_t m = 0; good && m < sizeof methods / sizeof *methods; m++) {
        struct shepard_task tasks[2];
        double ratio;
        for (int i = 0; i < 2; i++)
            tasks[i] = shepard_task_of(&bench->dataset, bench->threads, methods[m].variant);
        change(bench, &tasks[1]);
        good = measure_together(bench, name, tasks, 2, &ratio);
        if (good)
            record_ratios(bench, ratio_name, methods[m].name, "ratio", &ratio);
    }
    return good;
}

/* A smoothing of the mean spacing of the points. */
static void smooth(const struct shepard_case *bench, struct shepard_task *task)
{
    task->parameters.smoothing = SHEPARD_DATASET_SIDE / sqrt((double)bench->dataset.n);
}

bool shepard_case_smoothing(const struct shepard_case *bench)
{
    return measure_changed(bench, "smoothing", "smoothing_ratio", smooth);
}

static void fit_planes(const struct shepard_case *bench, struct shepard_task *task)
{
    (void)bench;
    task->parameters.degree = 1;
}

bool shepard_case_planes(const struct shepard_case *bench)
{
    return measure_changed(bench, "planes", "planes_ratio", fit_planes);
}

static bool draw_shapes(const struct shepard_case *bench, struct shepard_dataset *shapes)
{
    bool good = true;
    for (enum shepard_shape shape = 0; good && shape < SHEPARD_SHAPES; shape++) {
        good = shepard_task_draw(&shapes[shape], SHEPARD_DATASET_UNIFORM, bench->points,
                                 bench->targets, 1);
        if (good)
            shepard_shape_give(shape, &shapes[shape]);
    }
    return good;
}

bool shepard_case_shapes(const struct shepard_case *bench)
{
    struct shepard_dataset shapes[SHEPARD_SHAPES] = {0};
    struct shepard_task tasks[TOGETHER] = {shepard_task_of(&bench->dataset, bench->threads, &aidw)};
    double ratios[SHEPARD_SHAPES];
    bool good = draw_shapes(bench, shapes);
    for (int i = 0; i < SHEPARD_SHAPES; i++)
        tasks[1 + i] = shepard_task_of(&shapes[i], bench->threads, &aidw);
    good = good && measure_together(bench, "shapes", tasks, TOGETHER, ratios);
    if (good)
        record_ratios(bench, "shapes_ratio", "aidw", "decades line speck outside", ratios);
    for (int i = 0; i < SHEPARD_SHAPES; i++)
        shepard_dataset_free(&shapes[i]);
    return good;
}

/* ---- growth ---------------------------------------------------------------------------------- */

#define LEAST 262144 /* points of the first size that the threshold is about */
#define FACTOR 4
#define SIZES_MAX 16

/* One size, n points to as many targets. */
struct size {
    struct shepard_dataset dataset;
    struct shepard_accuracy_run run;
};

/* LEAST, or less where growth could not be seen. */
static size_t first_size(size_t most)
{
    return smaller(LEAST, larger(most / (FACTOR * FACTOR), 1));
}

static bool open_size(struct size *size, size_t n, const struct shepard_case *bench)
{
    if (!shepard_task_draw(&size->dataset, SHEPARD_DATASET_UNIFORM, n, n, 1))
        return false;
    const struct shepard_task task = shepard_task_of(&size->dataset, bench->threads, &aidw);
    return !open(&size->run, &task, CHECKED_OF_GROWTH);
}

/* The median over the turns: the two runs of a turn are near each other in time. */
static void record_growth(const struct size *size)
{
    double ratios[SHEPARD_REPEAT_MAX];
    const struct shepard_runs *less = &size[-1].run.total, *more = &size->run.total;
    for (size_t r = 0; r < more->count; r++)
        ratios[r] = more->wall[r] / less->wall[r];
    shepard_record_begin("growth_ratio");
    shepard_record_numbers("points ratio", (const double[]){(double)size->dataset.n,
                                                            shepard_median(ratios, more->count)});
    shepard_record_end();
}

/* Sizes take turns, so that what else the machine does meets all alike. */
bool shepard_case_growth(const struct shepard_case *bench)
{
    struct size *sizes = calloc(SIZES_MAX, sizeof *sizes);
    size_t count = 0;
    bool good = sizes;
    for (size_t n = first_size(bench->most); good && n <= bench->most && count < SIZES_MAX;
         n *= FACTOR)
        good = open_size(&sizes[count++], n, bench);
    for (size_t turn = 0; good && turn <= bench->repeat; turn++)
        for (size_t i = 0; good && i < count; i++)
            good = !shepard_accuracy_run_once(&sizes[i].run);
    for (size_t i = 0; i < count; i++)
        good = close(&sizes[i].run, "growth") && good;
    for (size_t i = 1; good && i < count; i++)
        record_growth(&sizes[i]);
    for (size_t i = 0; i < count; i++)
        shepard_dataset_free(&sizes[i].dataset);
    free(sizes);
    return good;
}
