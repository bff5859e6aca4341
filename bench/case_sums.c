/* SPDX-License-Identifier: MIT */
#include "accuracy_run.h"
#include "case.h"

#include <math.h>
#include <stdlib.h>

/* Targets compared with the truth, at least, and of growth. */
enum { CHECKED = 64, CHECKED_OF_GROWTH = 16, CHECKED_MOST = 4096 };

/* Pairs that are summed one by one, about a second's worth each: by exact sums, and by the truth.
 */
#define EXACT_PAIRS ((size_t)1 << 31)
#define CHECKED_PAIRS ((size_t)1 << 25)

/* Targets that a thread needs to be busy. */
#define EXACT_TARGETS 256

/* Cells of a window at most, 40 MB of results a column, and its rows: whole tiles of the library's
 * own, as the command's windows have. */
#define WINDOW_CELLS 5120000
#define WINDOW_ROWS 16

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

/* At least `least` targets (or all) that stand for the whole: the first ones of a list, which are
 * drawn in no order, the middle rows of a raster. At most a step. */
static struct shepard_part piece_of(const struct shepard_task *task, size_t least)
{
    const size_t side = task->side;
    if (!side)
        return (struct shepard_part){0, smaller(least, task->dataset->m)};
    const size_t wanted = (least / side / WINDOW_ROWS + 1) * WINDOW_ROWS;
    const size_t rows = smaller(wanted, step_of(task) / side);
    const size_t top = (side - rows) / 2 / WINDOW_ROWS * WINDOW_ROWS;
    return (struct shepard_part){top * side, rows * side};
}

/* The same with exact sums, at a part of the targets; the seconds are scaled to all. */
static bool run_exact(struct shepard_accuracy_run *run, struct shepard_record *record)
{
    struct shepard_task exact = run->task;
    struct shepard_preparation made;
    exact.parameters.eps = 0;
    const size_t least = EXACT_TARGETS * (size_t)exact.options.threads;
    const struct shepard_part part =
        piece_of(&exact, larger(least, EXACT_PAIRS / exact.dataset->n));
    const double start = shepard_seconds_wall();
    bool good = !shepard_task_prepare(&exact, &made);
    const double created = shepard_seconds_wall();
    good = good && !shepard_task_predict(&exact, &made, part, run->values, NULL);
    const double times = (double)shepard_task_all(&exact).count / (double)part.count;
    const double seconds = created - start + times * (shepard_seconds_wall() - created);
    shepard_preparation_free(&made);
    shepard_record_details(record, "exact_targets", (const double[]){(double)part.count});
    shepard_record_numbers(record, "exact_wall_scaled", &seconds);
    return good;
}

static enum shepard_status open(struct shepard_accuracy_run *run, const struct shepard_task *task,
                                size_t checked)
{
    const size_t cheap = smaller(CHECKED_PAIRS / task->dataset->n, CHECKED_MOST);
    *run = (struct shepard_accuracy_run){.task = *task, .step = step_of(task)};
    return shepard_accuracy_run_open(run, larger(checked, cheap));
}

static bool close(struct shepard_accuracy_run *run, const char *name, struct shepard_record *record)
{
    bool good = run->total.count > 0;
    if (good) {
        shepard_accuracy_run_finish(run);
        shepard_record_begin(record, name);
        shepard_accuracy_run_record(run, record);
        good = run_exact(run, record);
        shepard_record_end(record);
    }
    shepard_accuracy_run_close(run);
    return good && run->error <= run->task.parameters.eps; /* false for NaN */
}

static bool measure(const struct shepard_case *bench, const char *name,
                    const struct shepard_task *task)
{
    struct shepard_accuracy_run *run = malloc(sizeof *run);
    bool good = run && !open(run, task, CHECKED) && !shepard_accuracy_run_once(run);
    for (double spent = 0; good && shepard_case_goes_on(bench, run->total.count, spent);) {
        good = !shepard_accuracy_run_once(run);
        spent += good ? run->total.wall[run->total.count - 1] : 0;
    }
    good = run && close(run, name, bench->record) && good;
    free(run);
    return good;
}

bool shepard_case_sums(const struct shepard_case *bench)
{
    bool good = true;
    for (int kind = SHEPARD_DATASET_UNIFORM; kind < SHEPARD_DATASET_KINDS; kind++) {
        struct shepard_dataset dataset = {0};
        if (bench->kinds[kind] &&
            shepard_task_draw(&dataset, kind, bench->points, bench->targets, 1)) {
            struct shepard_task task = shepard_task_of(&dataset, bench->threads);
            task.parameters.method = SHEPARD_METHOD_AIDW;
            good = measure(bench, "sums", &task) && good;
        }
        shepard_dataset_free(&dataset);
    }
    return good;
}

bool shepard_case_raster(const struct shepard_case *bench)
{
    struct shepard_dataset dataset;
    bool good = shepard_task_draw(&dataset, SHEPARD_DATASET_UNIFORM, bench->points, 1,
                                  SHEPARD_TASK_COLUMNS);
    struct shepard_task task = shepard_task_of(&dataset, bench->threads);
    task.side = (size_t)ceil(sqrt((double)bench->targets));
    for (size_t columns = 1; good && columns <= SHEPARD_TASK_COLUMNS;
         columns += SHEPARD_TASK_COLUMNS - 1) {
        task.columns = columns;
        good = measure(bench, "raster", &task);
    }
    shepard_dataset_free(&dataset);
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
    struct shepard_task task = shepard_task_of(&size->dataset, bench->threads);
    task.parameters.method = SHEPARD_METHOD_AIDW;
    return !open(&size->run, &task, CHECKED_OF_GROWTH);
}

/* The median over the turns: the two runs of a turn are near each other in time. */
static void record_growth(const struct size *size, struct shepard_record *record)
{
    double ratios[SHEPARD_REPEAT_MAX];
    const struct shepard_runs *less = &size[-1].run.total, *more = &size->run.total;
    for (size_t r = 0; r < more->count; r++)
        ratios[r] = more->wall[r] / less->wall[r];
    shepard_record_begin(record, "growth_ratio");
    shepard_record_numbers(
        record, "points ratio",
        (const double[]){(double)size->dataset.n, shepard_median(ratios, more->count)});
    shepard_record_end(record);
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
        good = close(&sizes[i].run, "growth", bench->record) && good;
    for (size_t i = 1; good && i < count; i++)
        record_growth(&sizes[i], bench->record);
    for (size_t i = 0; i < count; i++)
        shepard_dataset_free(&sizes[i].dataset);
    free(sizes);
    return good;
}
