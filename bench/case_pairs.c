/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHECKED 32 /* targets compared with the backend ref */
#define COLUMNS SHEPARD_CLOUD_COLUMNS

/* One way to weigh points. */
struct formula {
    const char *name;
    enum shepard_method method;
    double power;
};

static const struct formula formulas[] = {
    {"1", SHEPARD_IDW, 1}, {"2", SHEPARD_IDW, 2},     {"3", SHEPARD_IDW, 3},
    {"4", SHEPARD_IDW, 4}, {"2.5", SHEPARD_IDW, 2.5}, {"aidw", SHEPARD_AIDW, 2},
};

struct surface {
    double *values[COLUMNS]; /* [m] each */
};

static bool allocate(struct surface *surface, size_t m)
{
    bool good = true;
    for (size_t c = 0; c < COLUMNS; c++) {
        surface->values[c] = malloc(m * sizeof *surface->values[c]);
        good = good && surface->values[c];
    }
    return good;
}

static void release(struct surface *surface)
{
    for (size_t c = 0; c < COLUMNS; c++)
        free(surface->values[c]);
}

static struct shepard_options options_of(const struct formula *formula)
{
    struct shepard_options options;
    shepard_options_init(&options);
    options.method = formula->method;
    options.power = formula->power;
    options.eps = 0;
    options.threads = 1;
    return options;
}

static bool predict(const struct shepard_model *model, const struct shepard_targets *targets,
                    const struct surface *surface)
{
    const struct shepard_output output = {.values = (double *const *)surface->values};
    struct shepard_error error;
    if (!shepard_predict_points(model, targets, &output, NULL, &error))
        return true;
    fprintf(stderr, "bench_core: %s\n", error.message);
    return false;
}

/* The truth at the first CHECKED targets, by the backend ref with all threads. */
static bool find_truth(const struct shepard_cloud *cloud, const struct formula *formula,
                       const struct surface *truth)
{
    struct shepard_options options = options_of(formula);
    options.backend = SHEPARD_BACKEND_REF;
    options.threads = 0;
    struct shepard_model *model = shepard_case_model(cloud, COLUMNS, &options);
    const struct shepard_targets targets = shepard_cloud_targets(cloud, CHECKED);
    const bool good = model && predict(model, &targets, truth);
    shepard_model_free(model);
    return good;
}

/* The largest difference from the truth in the first columns, in units of the value range. */
static double largest_error(const struct shepard_cloud *cloud, size_t columns,
                            const struct surface *surface, const struct surface *truth)
{
    double largest = 0;
    const size_t checked = cloud->m < CHECKED ? cloud->m : CHECKED;
    for (size_t c = 0; c < columns; c++) {
        const double range = shepard_cloud_range(cloud, c);
        for (size_t i = 0; i < checked; i++) {
            const double error = fabs(surface->values[c][i] - truth->values[c][i]) / range;
            largest = isnan(largest) || error <= largest ? largest : error; /* a NaN stays */
        }
    }
    return largest;
}

/* What one line of the table is about, and what came out. */
struct line {
    const struct formula *formula;
    enum shepard_precision precision;
    size_t columns;
    double pairs;
    double error;
    const char *isa;
    struct shepard_runs runs;
};

static void report(const struct line *line, struct shepard_record *record)
{
    const char *precision = line->precision == SHEPARD_SINGLE ? "single" : "double";
    const double rate = line->pairs / shepard_runs_median(&line->runs).cpu;
    const double wall_rate = line->pairs / shepard_runs_median(&line->runs).wall;
    printf("%-6s %-7s %7zu   %10.3e %10.3e %10.1e   %s\n", line->formula->name, precision,
           line->columns, rate, wall_rate, line->error, line->isa);
    shepard_record_begin(record, "pairs");
    shepard_record_text(record, "power", line->formula->name);
    shepard_record_text(record, "precision", precision);
    shepard_record_number(record, "columns", (double)line->columns);
    shepard_record_text(record, "isa", line->isa);
    shepard_record_number(record, "pairs", line->pairs);
    shepard_record_number(record, "pairs_per_cpu_second", rate);
    shepard_record_number(record, "pairs_per_second", wall_rate);
    shepard_record_number(record, "error", line->error);
    shepard_record_number(record, "checked", CHECKED);
    shepard_runs_record(&line->runs, record);
    shepard_record_end(record);
}

/* The limits that shepard.h promises. */
static bool is_accurate(const struct line *line)
{
    return line->error <= (line->precision == SHEPARD_SINGLE ? 1e-6 : 1e-12);
}

static bool measure(const struct shepard_case *bench, const struct shepard_cloud *cloud,
                    struct line *line, const struct surface *surface, const struct surface *truth)
{
    struct shepard_options options = options_of(line->formula);
    options.precision = line->precision;
    struct shepard_model *model = shepard_case_model(cloud, line->columns, &options);
    const struct shepard_targets targets = shepard_cloud_targets(cloud, cloud->m);
    bool good = model;
    for (size_t r = 0; good && r < bench->repeat; r++) {
        const struct shepard_seconds start = shepard_seconds_now();
        good = predict(model, &targets, surface);
        shepard_runs_add(&line->runs, shepard_seconds_since(start));
    }
    if (good) {
        struct shepard_model_info info;
        shepard_model_get_info(model, &info);
        line->isa = info.isa;
        line->pairs = (double)cloud->n * (double)cloud->m;
        line->error = largest_error(cloud, line->columns, surface, truth);
        report(line, bench->record);
    }
    shepard_model_free(model);
    return good && is_accurate(line);
}

static bool measure_formula(const struct shepard_case *bench, const struct shepard_cloud *cloud,
                            const struct formula *formula, const struct surface *surface,
                            const struct surface *truth)
{
    static const struct {
        enum shepard_precision precision;
        size_t columns;
    } ways[] = {{SHEPARD_SINGLE, 1},
                {SHEPARD_SINGLE, COLUMNS},
                {SHEPARD_DOUBLE, 1},
                {SHEPARD_DOUBLE, COLUMNS}};
    bool good = find_truth(cloud, formula, truth);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct line line = {
            .formula = formula, .precision = ways[i].precision, .columns = ways[i].columns};
        good = measure(bench, cloud, &line, surface, truth) && good;
    }
    return good;
}

bool shepard_case_pairs(const struct shepard_case *bench)
{
    printf("Sums over all points: %zu data points, %zu targets, one thread; pairs a processor\n"
           "second and a second, largest error as a fraction of the value range\n"
           "power  precision columns      cpu       wall      error\n",
           bench->points, bench->sums);
    struct shepard_cloud cloud = {.n = bench->points, .m = bench->sums, .columns = COLUMNS};
    struct surface surface = {{0}};
    struct surface truth = {{0}};
    bool good = shepard_cloud_draw(&cloud) && allocate(&surface, bench->sums) &&
                allocate(&truth, bench->sums);
    bool accurate = good;
    for (size_t f = 0; good && f < sizeof formulas / sizeof *formulas; f++)
        accurate = measure_formula(bench, &cloud, &formulas[f], &surface, &truth) && accurate;
    release(&surface);
    release(&truth);
    shepard_cloud_free(&cloud);
    return accurate;
}
