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

struct layout {
    const char *name;
    enum shepard_method method;
    enum shepard_precision precision;
    size_t k; /* 0: all points */
    int degree;
    size_t columns;
};

/* The first is the one whose peak is read: a process's peak only grows. */
static const struct layout layouts[] = {
    {"all points, single", SHEPARD_IDW, SHEPARD_SINGLE, 0, 0, 1},
    {"all points, double", SHEPARD_IDW, SHEPARD_DOUBLE, 0, 0, 1},
    {"aidw, single", SHEPARD_AIDW, SHEPARD_SINGLE, 0, 0, 1},
    {"aidw, double, plane", SHEPARD_AIDW, SHEPARD_DOUBLE, 0, 1, 1},
    {"nearest 12", SHEPARD_IDW, SHEPARD_SINGLE, 12, 0, 1},
    {"all points, single", SHEPARD_IDW, SHEPARD_SINGLE, 0, 0, SHEPARD_CLOUD_COLUMNS},
};

static struct shepard_options options_of(const struct layout *layout)
{
    struct shepard_options options;
    shepard_options_init(&options);
    options.threads = 1;
    options.eps = 0;
    options.method = layout->method;
    options.precision = layout->precision;
    options.degree = layout->degree;
    options.neighbourhood.max_points = layout->k;
    return options;
}

static void report(const struct layout *layout, double held, double peak,
                   struct shepard_record *record)
{
    printf("%-20s %7zu %9.2f", layout->name, layout->columns, held);
    if (peak > 0)
        printf(" %9.2f", peak);
    puts("");
    shepard_record_begin(record, "memory");
    shepard_record_text(record, "model", layout->name);
    shepard_record_number(record, "columns", (double)layout->columns);
    shepard_record_number(record, "model_bytes_per_point", held);
    if (peak > 0)
        shepard_record_number(record, "peak_bytes_per_point", peak);
    shepard_record_end(record);
}

static bool measure(const struct shepard_case *bench, const struct shepard_cloud *cloud,
                    const struct layout *layout)
{
    const struct shepard_options options = options_of(layout);
    const double before = peak_bytes();
    struct shepard_model *model = shepard_case_model(cloud, layout->columns, &options);
    if (!model)
        return false;
    struct shepard_model_info info;
    shepard_model_get_info(model, &info);
    const double points = (double)info.points;
    const double peak = layout == layouts ? (peak_bytes() - before) / points : 0;
    report(layout, (double)info.bytes / points, peak, bench->record);
    shepard_model_free(model);
    return true;
}

bool shepard_case_memory(const struct shepard_case *bench)
{
    printf("Memory of a model of exact sums: %zu data points; bytes a point held, and resident at "
           "the peak of\n"
           "building\n"
           "model                columns      held      peak\n",
           bench->points);
    struct shepard_cloud cloud = {.n = bench->points, .m = 1, .columns = SHEPARD_CLOUD_COLUMNS};
    bool good = shepard_cloud_draw(&cloud);
    for (size_t i = 0; good && i < sizeof layouts / sizeof *layouts; i++)
        good = measure(bench, &cloud, &layouts[i]);
    shepard_cloud_free(&cloud);
    return good;
}
