/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "comparison.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A day of a year, each with gaps of its own: one value in GAP is missing. */
enum { COLUMNS = 365, NEIGHBOURS = 12, GAP = 10 };

static const struct shepard_variant variants[] = {
    {"idw", SHEPARD_METHOD_IDW, 2, NEIGHBOURS, 0},
    {"idw power 2.5", SHEPARD_METHOD_IDW, 2.5, NEIGHBOURS, 0},
    {"idw degree 1", SHEPARD_METHOD_IDW, 2, NEIGHBOURS, 1},
    {"aidw", SHEPARD_METHOD_AIDW, 2, NEIGHBOURS, 0},
};

struct gap_columns {
    struct shepard_task task;
    struct shepard_preparation made;            /* points */
    const double *values[COLUMNS];              /* of [n] */
    double *together[COLUMNS], *alone[COLUMNS]; /* of [m] */
};

/* One field of some columns on the points, and its prediction. */
static bool predict(const struct gap_columns *columns, size_t first, size_t count,
                    double *const *results)
{
    const struct shepard_task *const task = &columns->task;
    struct shepard_array given[COLUMNS];
    struct shepard_output_array wanted[COLUMNS];
    for (size_t c = 0; c < count; c++) {
        given[c] = shepard_doubles(columns->values[first + c]);
        wanted[c] = shepard_output_doubles(results[c]);
    }
    const struct shepard_values values = {
        .size = sizeof values, .column_count = count, .columns = given};
    const struct shepard_targets targets = shepard_dataset_targets(task->dataset, task->dataset->m);
    const struct shepard_output output = {.size = sizeof output, .values = wanted};
    struct shepard_field *field = NULL;
    struct shepard_error error;
    const bool good = !shepard_field_create(columns->made.points, &values, &field, &error) &&
                      !shepard_predict(field, &task->parameters, &targets, &output, NULL, &error);
    if (!good)
        fprintf(stderr, "bench: %s\n", error.message);
    shepard_field_free(field);
    return good;
}

/* Sets the columns, and room for results, in numbers [COLUMNS, n + 2 m]. */
static void draw(struct gap_columns *columns, double *numbers)
{
    const struct shepard_dataset *const dataset = columns->task.dataset;
    const size_t n = dataset->n, m = dataset->m;
    struct shepard_random random = {COLUMNS};
    memset(numbers, 0, COLUMNS * (n + 2 * m) * sizeof *numbers); /* touches memory */
    for (size_t c = 0; c < COLUMNS; c++) {
        double *const values = numbers + c * (n + 2 * m);
        for (size_t i = 0; i < n; i++)
            values[i] = shepard_random_uniform(&random) * GAP < 1
                            ? NAN
                            : dataset->values[c % SHEPARD_TASK_COLUMNS][i];
        columns->values[c] = values;
        columns->together[c] = values + n;
        columns->alone[c] = values + n + m;
    }
}

static bool run(void *context, bool alone)
{
    struct gap_columns *const columns = context;
    bool good = alone || predict(columns, 0, COLUMNS, columns->together);
    for (size_t c = 0; alone && good && c < COLUMNS; c++)
        good = predict(columns, c, 1, columns->alone + c);
    return good;
}

static size_t other_bits(const struct gap_columns *columns)
{
    size_t other = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t i = 0; i < columns->task.dataset->m; i++)
            other += memcmp(&columns->together[c][i], &columns->alone[c][i], sizeof(double)) != 0;
    return other;
}

static bool measure(const struct shepard_case *bench, struct gap_columns *columns, const char *name)
{
    struct shepard_comparison comparison;
    if (!shepard_compare(run, columns, bench->repeat, &comparison))
        return false;
    const double other = (double)other_bits(columns);
    const double ns = 1e9 / COLUMNS / (double)bench->dataset.m; /* of a column and a target */
    shepard_record_begin("gaps");
    shepard_record_text("method", name);
    shepard_record_numbers("points targets columns neighbours missing",
                           (const double[]){(double)bench->dataset.n, (double)bench->dataset.m,
                                            COLUMNS, NEIGHBOURS, 1.0 / GAP});
    shepard_record_runs(&comparison.own);
    shepard_record_numbers("alone_wall_median ratio cpu_ns alone_cpu_ns other_bits",
                           (const double[]){shepard_runs_median(&comparison.other).wall,
                                            1 / shepard_comparison_ratio(&comparison),
                                            ns * shepard_runs_median(&comparison.own).cpu,
                                            ns * shepard_runs_median(&comparison.other).cpu,
                                            other});
    shepard_record_end();
    return other == 0;
}

bool shepard_case_gaps(const struct shepard_case *bench)
{
    struct gap_columns columns = {
        .task = shepard_task_of(&bench->dataset, bench->threads, &variants[0])};
    double *const numbers =
        malloc(COLUMNS * (bench->dataset.n + 2 * bench->dataset.m) * sizeof *numbers);
    bool good = numbers && !shepard_task_put_points(&columns.task, &columns.made);
    if (numbers)
        draw(&columns, numbers);
    for (size_t v = 0; good && v < sizeof variants / sizeof *variants; v++) {
        columns.task = shepard_task_of(&bench->dataset, bench->threads, &variants[v]);
        good = measure(bench, &columns, variants[v].name);
    }
    shepard_preparation_free(&columns.made);
    free(numbers);
    return good;
}
