/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "exact.h"

enum { CHECKED = 32 }; /* targets compared with exact predictions */

static const struct shepard_variant variants[] = {
    {"1", SHEPARD_METHOD_IDW, 1, 0, 0},     {"2", SHEPARD_METHOD_IDW, 2, 0, 0},
    {"3", SHEPARD_METHOD_IDW, 3, 0, 0},     {"4", SHEPARD_METHOD_IDW, 4, 0, 0},
    {"2.5", SHEPARD_METHOD_IDW, 2.5, 0, 0}, {"aidw", SHEPARD_METHOD_AIDW, 2, 0, 0},
};

static void report(const char *name, const struct shepard_task *task, const char *isa, double error,
                   const struct shepard_runs *runs)
{
    const double pairs = (double)task->dataset->n * (double)task->dataset->m;
    const struct shepard_seconds median = shepard_runs_median(runs);
    const bool single = task->parameters.precision == SHEPARD_PRECISION_SINGLE;
    shepard_record_begin("pairs");
    shepard_record_text("power", name);
    shepard_record_text("precision", single ? "single" : "double");
    shepard_record_text("isa", isa);
    shepard_record_numbers("columns pairs pairs_per_cpu_second pairs_per_second error checked",
                           (const double[]){(double)task->columns, pairs, pairs / median.cpu,
                                            pairs / median.wall, error, CHECKED});
    shepard_record_runs(runs);
    shepard_record_end();
}

/* One precision and number of columns; the sample, of all columns, is solved. */
static bool measure(const struct shepard_case *bench, const char *name,
                    const struct shepard_task *task, struct shepard_sample *sample)
{
    const struct shepard_part all = shepard_task_all(task);
    struct shepard_runs runs = {0};
    struct shepard_preparation made;
    bool good = !shepard_task_prepare(task, &made);
    for (size_t r = 0; good && r < bench->repeat; r++) {
        const struct shepard_seconds start = shepard_seconds_now();
        good = !shepard_task_predict(task, &made, all, bench->values, NULL);
        shepard_runs_add(&runs, shepard_seconds_since(start));
    }
    shepard_sample_keep(sample, all, task->columns, bench->values);
    const double error = shepard_sample_error(sample, task->columns);
    if (good)
        report(name, task, shepard_preparation_info(&made).isa, error, &runs);
    shepard_preparation_free(&made);
    /* The limits that shepard.h promises. */
    return good && error <= (task->parameters.precision == SHEPARD_PRECISION_SINGLE ? 1e-6 : 1e-12);
}

static bool measure_variant(const struct shepard_case *bench, const struct shepard_variant *variant)
{
    struct shepard_task task = shepard_task_of(&bench->dataset, 1, variant);
    struct shepard_sample sample;
    task.parameters.eps = 0;
    task.columns = SHEPARD_TASK_COLUMNS;
    const struct shepard_task whole = task;
    const bool drawn = shepard_sample_draw(&sample, &whole, CHECKED);
    bool good = drawn;
    if (drawn)
        shepard_sample_solve(&sample);
    for (int way = 0; drawn && way < 4; way++) {
        task.parameters.precision = way < 2 ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
        task.columns = way % 2 ? SHEPARD_TASK_COLUMNS : 1;
        good = measure(bench, variant->name, &task, &sample) && good;
    }
    shepard_sample_free(&sample);
    return good;
}

bool shepard_case_pairs(const struct shepard_case *bench)
{
    bool good = true;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        good = measure_variant(bench, &variants[v]) && good;
    return good;
}
