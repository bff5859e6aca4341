/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <sys/resource.h>

/* The largest resident size of the process so far, in bytes. */
static double peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024.0; /* Linux counts in KiB */
}

struct memory_layout {
    const char *name;
    enum shepard_method method;
    enum shepard_precision precision;
    size_t k; /* 0: all points */
    int degree;
    size_t columns;
};

/* Exact sums. The first is the one whose peak is read: a process's peak only grows. */
static const struct memory_layout layouts[] = {
    {"all points, single", SHEPARD_METHOD_IDW, SHEPARD_PRECISION_SINGLE, 0, 0, 1},
    {"all points, double", SHEPARD_METHOD_IDW, SHEPARD_PRECISION_DOUBLE, 0, 0, 1},
    {"aidw, single", SHEPARD_METHOD_AIDW, SHEPARD_PRECISION_SINGLE, 0, 0, 1},
    {"aidw, double, plane", SHEPARD_METHOD_AIDW, SHEPARD_PRECISION_DOUBLE, 0, 1, 1},
    {"nearest 12", SHEPARD_METHOD_IDW, SHEPARD_PRECISION_SINGLE, 12, 0, 1},
    {"all points, single", SHEPARD_METHOD_IDW, SHEPARD_PRECISION_SINGLE, 0, 0,
     SHEPARD_TASK_COLUMNS},
};

static bool measure(const struct shepard_case *bench, const struct shepard_dataset *dataset,
                    const struct memory_layout *layout)
{
    struct shepard_task task = shepard_task_of(dataset, 1);
    struct shepard_preparation made;
    task.columns = layout->columns;
    task.parameters.eps = 0;
    task.parameters.method = layout->method;
    task.parameters.precision = layout->precision;
    task.parameters.degree = layout->degree;
    task.parameters.neighbourhood.max_points = layout->k;
    const double before = peak_bytes(), n = (double)dataset->n;
    const bool good = !shepard_task_prepare(&task, &made);
    const double peak = (peak_bytes() - before) / n;
    if (good) {
        shepard_record_begin(bench->record, "memory");
        shepard_record_numbers(bench->record, "columns model_bytes_per_point",
                               (const double[]){(double)layout->columns,
                                                (double)shepard_preparation_info(&made).bytes / n});
        if (layout == layouts)
            shepard_record_numbers(bench->record, "peak_bytes_per_point", &peak);
        shepard_record_text(bench->record, "model", layout->name);
        shepard_record_end(bench->record);
    }
    shepard_preparation_free(&made);
    return good;
}

bool shepard_case_memory(const struct shepard_case *bench)
{
    struct shepard_dataset dataset;
    bool good = shepard_task_draw(&dataset, SHEPARD_DATASET_UNIFORM, bench->points, 1,
                                  SHEPARD_TASK_COLUMNS);
    for (size_t i = 0; good && i < sizeof layouts / sizeof *layouts; i++)
        good = measure(bench, &dataset, &layouts[i]);
    shepard_dataset_free(&dataset);
    return good;
}
