/* SPDX-License-Identifier: MIT */
#include "case.h"

struct memory_layout {
    struct shepard_variant variant;
    enum shepard_precision precision;
    size_t columns;
};

/* Exact sums. */
static const struct memory_layout layouts[] = {
    {{"all points, single", SHEPARD_METHOD_IDW, 0, 0, 0}, SHEPARD_PRECISION_SINGLE, 1},
    {{"all points, double", SHEPARD_METHOD_IDW, 0, 0, 0}, SHEPARD_PRECISION_DOUBLE, 1},
    {{"aidw, single", SHEPARD_METHOD_AIDW, 0, 0, 0}, SHEPARD_PRECISION_SINGLE, 1},
    {{"aidw, double, plane", SHEPARD_METHOD_AIDW, 0, 0, 1}, SHEPARD_PRECISION_DOUBLE, 1},
    {{"nearest 12", SHEPARD_METHOD_IDW, 0, 12, 0}, SHEPARD_PRECISION_SINGLE, 1},
    {{"all points, single", SHEPARD_METHOD_IDW, 0, 0, 0},
     SHEPARD_PRECISION_SINGLE,
     SHEPARD_TASK_COLUMNS},
};

static bool measure(const struct shepard_case *bench, const struct memory_layout *layout)
{
    struct shepard_task task = shepard_task_of(&bench->dataset, 1, &layout->variant);
    struct shepard_preparation made;
    task.columns = layout->columns;
    task.parameters.eps = 0;
    task.parameters.precision = layout->precision;
    const bool good = !shepard_task_prepare(&task, &made);
    if (good) {
        const double bytes = (double)shepard_preparation_info(&made).bytes;
        shepard_record_begin("memory");
        shepard_record_numbers(
            "columns model_bytes_per_point",
            (const double[]){(double)layout->columns, bytes / (double)bench->dataset.n});
        shepard_record_text("model", layout->variant.name);
        shepard_record_end();
    }
    shepard_preparation_free(&made);
    return good;
}

bool shepard_case_memory(const struct shepard_case *bench)
{
    bool good = true;
    for (size_t i = 0; good && i < sizeof layouts / sizeof *layouts; i++)
        good = measure(bench, &layouts[i]);
    return good;
}
