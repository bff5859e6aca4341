/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A day of a year, each with gaps of its own: one value in GAP is missing. */
enum { COLUMNS = 365, NEIGHBOURS = 12, GAP = 10 };

/* Methods that are compared. */
static const struct {
    const char *name;
    enum shepard_method method;
    double power;
    int degree;
} methods[] = {
    {"idw", SHEPARD_METHOD_IDW, 2, 0},
    {"idw power 2.5", SHEPARD_METHOD_IDW, 2.5, 0},
    {"idw degree 1", SHEPARD_METHOD_IDW, 2, 1},
    {"aidw", SHEPARD_METHOD_AIDW, 2, 0},
};
enum { METHODS = sizeof methods / sizeof *methods };

struct table {
    double *numbers;                            /* [COLUMNS, n], then results [2, COLUMNS, m] */
    const double *values[COLUMNS];              /* of [n] */
    double *together[COLUMNS], *alone[COLUMNS]; /* of [m] */
};

static bool draw(const struct shepard_dataset *dataset, struct table *table)
{
    const size_t n = dataset->n, m = dataset->m;
    struct shepard_random random = {COLUMNS};
    table->numbers = malloc(COLUMNS * (n + 2 * m) * sizeof *table->numbers);
    if (!table->numbers) {
        fputs("bench: no memory for the columns\n", stderr);
        return false;
    }
    memset(table->numbers, 0, COLUMNS * (n + 2 * m) * sizeof *table->numbers); /* touches memory */
    for (size_t c = 0; c < COLUMNS; c++) {
        double *values = table->numbers + c * n;
        for (size_t i = 0; i < n; i++)
            values[i] = shepard_random_uniform(&random) * GAP < 1
                            ? NAN
                            : dataset->values[c % SHEPARD_TASK_COLUMNS][i];
        table->values[c] = values;
        table->together[c] = table->numbers + COLUMNS * n + c * m;
        table->alone[c] = table->numbers + COLUMNS * (n + m) + c * m;
    }
    return true;
}

/* One field of some columns on points, and its prediction. */
static bool predict(const struct shepard_task *task, const struct shepard_points *points,
                    const double *const *columns, size_t count, double *const *results)
{
    struct shepard_array given[COLUMNS];
    struct shepard_output_array wanted[COLUMNS];
    for (size_t c = 0; c < count; c++) {
        given[c] = shepard_doubles(columns[c]);
        wanted[c] = shepard_output_doubles(results[c]);
    }
    const struct shepard_values values = {
        .size = sizeof values, .column_count = count, .columns = given};
    const struct shepard_targets targets = shepard_dataset_targets(task->dataset, task->dataset->m);
    const struct shepard_output output = {.size = sizeof output, .values = wanted};
    struct shepard_field *field = NULL;
    struct shepard_error error;
    const bool good = !shepard_field_create(points, &values, &field, &error) &&
                      !shepard_predict(field, &task->parameters, &targets, &output, NULL, &error);
    if (!good)
        fprintf(stderr, "bench: %s\n", error.message);
    shepard_field_free(field);
    return good;
}

static bool run(const struct shepard_task *task, const struct shepard_points *points,
                const struct table *table, struct shepard_runs *together,
                struct shepard_runs *alone)
{
    struct shepard_seconds start = shepard_seconds_now();
    bool good = predict(task, points, table->values, COLUMNS, table->together);
    shepard_runs_add(together, shepard_seconds_since(start));
    start = shepard_seconds_now();
    for (size_t c = 0; good && c < COLUMNS; c++)
        good = predict(task, points, table->values + c, 1, table->alone + c);
    shepard_runs_add(alone, shepard_seconds_since(start));
    return good;
}

static size_t other_bits(const struct table *table, size_t m)
{
    size_t other = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t i = 0; i < m; i++)
            other += memcmp(&table->together[c][i], &table->alone[c][i], sizeof(double)) != 0;
    return other;
}

static bool compare(const struct shepard_case *bench, struct shepard_task *task,
                    const struct shepard_points *points, const struct table *table, size_t method)
{
    const size_t m = task->dataset->m;
    struct shepard_runs together = {0}, alone = {0};
    task->parameters.method = methods[method].method;
    task->parameters.power = methods[method].power;
    task->parameters.degree = methods[method].degree;
    bool good = true;
    for (double spent = 0; good && shepard_case_goes_on(bench, together.count, spent);) {
        good = run(task, points, table, &together, &alone);
        spent += together.wall[together.count - 1] + alone.wall[together.count - 1];
    }
    if (!good)
        return false;
    const double wall = shepard_runs_median(&together).wall;
    const double more = shepard_runs_median(&alone).wall;
    const size_t other = other_bits(table, m);
    shepard_record_begin(bench->record, "gaps");
    shepard_record_text(bench->record, "method", methods[method].name);
    shepard_record_numbers(
        bench->record, "points targets columns neighbours missing",
        (const double[]){(double)task->dataset->n, (double)m, COLUMNS, NEIGHBOURS, 1.0 / GAP});
    shepard_record_runs(bench->record, &together);
    shepard_record_numbers(bench->record, "alone_wall_median ratio other_bits",
                           (const double[]){more, more / wall, (double)other});
    shepard_record_end(bench->record);
    if (other > 0)
        fprintf(stderr, "bench: %zu results have other bits than alone\n", other);
    return other == 0;
}

bool shepard_case_gaps(const struct shepard_case *bench)
{
    struct shepard_dataset dataset;
    struct table table = {.numbers = NULL};
    struct shepard_preparation made = {NULL, NULL};
    bool good = shepard_task_draw(&dataset, SHEPARD_DATASET_UNIFORM, bench->points, bench->targets,
                                  SHEPARD_TASK_COLUMNS);
    struct shepard_task task = shepard_task_of(&dataset, bench->threads);
    task.parameters.neighbourhood.max_points = NEIGHBOURS;
    good = good && draw(&dataset, &table) && !shepard_task_put_points(&task, &made);
    for (size_t i = 0; good && i < METHODS; i++)
        good = compare(bench, &task, made.points, &table, i);
    shepard_preparation_free(&made);
    free(table.numbers);
    shepard_dataset_free(&dataset);
    return good;
}
