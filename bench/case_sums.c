/* SPDX-License-Identifier: MIT */
#include "accuracy_run.h"
#include "case.h"
#include "comparison.h"

#include <math.h>
#include <stdlib.h>

/* Targets compared with exact predictions, at least, and of growth. */
enum { CHECKED = 64, CHECKED_OF_GROWTH = 16, CHECKED_MOST = 4096 };

/* Pairs that exact predictions sum one by one, about a second's worth. */
#define CHECKED_PAIRS ((size_t)1 << 25)

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
    const size_t cheap = smaller(CHECKED_PAIRS / task->dataset->n, CHECKED_MOST);
    *run = (struct shepard_accuracy_run){.task = *task, .step = step_of(task)};
    return shepard_accuracy_run_open(run, larger(checked, cheap));
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

/* ---- coarse rasters -------------------------------------------------------------------------- */

/* As many cells as points, a tenth, a hundredth. */
enum { COARSE = 3 };

static double seconds_a_cell(const struct shepard_accuracy_run *run, size_t turn)
{
    return run->predict.wall[turn] / (double)(run->task.side * run->task.side);
}

static void record_coarse(const struct shepard_accuracy_run *runs)
{
    double ratios[COARSE][SHEPARD_REPEAT_MAX];
    const size_t turns = runs->predict.count;
    for (int i = 0; i < COARSE; i++)
        for (size_t r = 0; r < turns; r++)
            ratios[i][r] = seconds_a_cell(&runs[i], r) / seconds_a_cell(&runs[0], r);
    shepard_record_begin("coarse_ratio");
    shepard_record_text("data", shepard_dataset_name(runs->task.dataset->kind));
    shepard_record_numbers("tenth hundredth", (const double[]){shepard_median(ratios[1], turns),
                                                               shepard_median(ratios[2], turns)});
    shepard_record_end();
}

/* Sizes take turns, as those of growth. */
bool shepard_case_coarse(const struct shepard_case *bench)
{
    struct shepard_accuracy_run *runs = calloc(COARSE, sizeof *runs);
    double cells = (double)bench->targets;
    bool good = runs;
    for (int i = 0; good && i < COARSE; i++, cells /= 10) {
        struct shepard_task task = shepard_task_of(&bench->dataset, bench->threads, &aidw);
        task.side = (size_t)ceil(sqrt(cells));
        good = !open(&runs[i], &task, CHECKED);
    }
    for (size_t turn = 0; good && turn <= bench->repeat; turn++)
        for (int i = 0; good && i < COARSE; i++)
            good = !shepard_accuracy_run_once(&runs[i]);
    if (good)
        record_coarse(runs);
    for (int i = 0; runs && i < COARSE; i++)
        good = close(&runs[i], "coarse") && good;
    free(runs);
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
