/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "leave_one_out.h"

#include <stdlib.h>

static const struct {
    const char *name;
    enum shepard_method method;
    size_t neighbours; /* 0: all points */
    int degree;
} ways[] = {
    {"idw-k12", SHEPARD_METHOD_IDW, 12, 0},  {"idw", SHEPARD_METHOD_IDW, 0, 0},
    {"aidw", SHEPARD_METHOD_AIDW, 0, 0},     {"idw-k12-plane", SHEPARD_METHOD_IDW, 12, 1},
    {"idw-plane", SHEPARD_METHOD_IDW, 0, 1},
};
enum { WAYS = sizeof ways / sizeof *ways };

bool shepard_case_leave_one_out(const struct shepard_case *bench)
{
    struct shepard_dataset dataset;
    const size_t n = bench->points;
    double *values = malloc(n * sizeof *values);
    bool good = shepard_task_draw(&dataset, SHEPARD_DATASET_UNIFORM, n, n, 1) && values;
    for (size_t i = 0; i < WAYS && good; i++) {
        struct shepard_task task = shepard_task_of(&dataset, bench->threads);
        double ratio;
        task.parameters.method = ways[i].method;
        task.parameters.degree = ways[i].degree;
        task.parameters.neighbourhood.max_points = ways[i].neighbours;
        good = shepard_leave_one_out_measure(&task, ways[i].name, bench->repeat, values,
                                             bench->record, &ratio);
    }
    free(values);
    shepard_dataset_free(&dataset);
    return good;
}
