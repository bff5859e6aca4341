/* SPDX-License-Identifier: MIT */
#include "series.h"

#include "method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { K = 1024 };

/* Sizes of what varies: those of the user, or a series' own. */
struct size_list {
    const size_t *v; /* [count] */
    size_t count;
    size_t most; /* no fixed size is larger */
};

/* Series under construction. */
struct series_maker {
    struct shepard_series *series;
    size_t count;
    struct size_list given;
};

/* [AIDW15], [AIDW16]: n = m. [IDW14] has these too. */
static const size_t papers_sizes[] = {10 * K, 50 * K, 100 * K, 500 * K, 1000 * K};

/* [HAP11], Tables 1 and 2. */
static const size_t joint_points[] = {100, 1000, 10000, 100000, 1000000};
static const size_t joint_targets[] = {1000, 10000, 100000, 1000000};

#define OWN_SIZES(list) ((struct size_list){list, sizeof(list) / sizeof(list)[0], SIZE_MAX})

const char *shepard_study_name(enum shepard_study_kind study)
{
    static const char *const names[SHEPARD_STUDY_COUNT] = {"aidw", "idw", "joint"};
    return names[study];
}

const char *shepard_series_variable_name(enum shepard_series_variable variable)
{
    static const char *const names[] = {"size", "points", "targets", "ratio", "columns", "sets"};
    return names[variable];
}

static size_t fixed_size(const struct series_maker *maker, size_t size)
{
    return size < maker->given.most ? size : maker->given.most;
}

static struct shepard_series *add_series(struct series_maker *maker, enum shepard_study_kind study,
                                         enum shepard_series_variable variable, const char *id)
{
    struct shepard_series *const series = &maker->series[maker->count++];
    *series = (struct shepard_series){.study = study, .variable = variable};
    snprintf(series->id, sizeof series->id, "%s", id);
    return series;
}

static void add_case(struct shepard_series *series, struct shepard_workload job)
{
    series->cases[series->count++] = job;
}

/* A case for each size, the user's or own; job has what stays fixed. */
static void add_sizes(struct series_maker *maker, enum shepard_study_kind study,
                      enum shepard_series_variable variable, const char *id,
                      struct shepard_workload job, struct size_list own)
{
    struct shepard_series *const series = add_series(maker, study, variable, id);
    const struct size_list sizes = maker->given.count ? maker->given : own;
    for (size_t i = 0; i < sizes.count; i++) {
        if (variable != SHEPARD_VARIABLE_TARGETS)
            job.n = sizes.v[i];
        if (variable != SHEPARD_VARIABLE_POINTS)
            job.m = sizes.v[i];
        add_case(series, job);
    }
}

static struct shepard_workload idw_case(double power, size_t n, size_t m, size_t columns)
{
    return (struct shepard_workload){.method = SHEPARD_METHOD_IDW,
                                     .power = power,
                                     .n = n,
                                     .m = m,
                                     .columns = columns,
                                     .sets = 1};
}

static void make_aidw(struct series_maker *maker)
{
    const struct shepard_workload job = {.method = SHEPARD_METHOD_AIDW, .columns = 1, .sets = 1};
    add_sizes(maker, SHEPARD_STUDY_AIDW, SHEPARD_VARIABLE_SIZE, "aidw", job,
              OWN_SIZES(papers_sizes));
}

static void make_idw(struct series_maker *maker)
{
    static const struct {
        const char *id;
        double power;
        enum shepard_series_variable variable;
    } list[] = {{"idw-p2", 2, SHEPARD_VARIABLE_SIZE},
                {"idw-p2-targets", 2, SHEPARD_VARIABLE_TARGETS},
                {"idw-p2-points", 2, SHEPARD_VARIABLE_POINTS},
                {"idw-p3", 3, SHEPARD_VARIABLE_SIZE},
                {"idw-p3-targets", 3, SHEPARD_VARIABLE_TARGETS},
                {"idw-p3-points", 3, SHEPARD_VARIABLE_POINTS}};
    const size_t size = fixed_size(maker, 100 * K);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        add_sizes(maker, SHEPARD_STUDY_IDW, list[i].variable, list[i].id,
                  idw_case(list[i].power, size, size, 1), OWN_SIZES(papers_sizes));
}

/* n / m from 1/10000 to 10000; the product holds, as far as whole numbers do. */
static void make_ratio(struct series_maker *maker, double product, const char *id)
{
    struct shepard_series *const series =
        add_series(maker, SHEPARD_STUDY_JOINT, SHEPARD_VARIABLE_RATIO, id);
    for (int e = -4; e <= 4; e++) {
        const size_t fewer = (size_t)llround(sqrt(product * pow(10, -abs(e))));
        const size_t more = (size_t)llround(product / (double)fewer);
        add_case(series, idw_case(2, e < 0 ? fewer : more, e < 0 ? more : fewer, 1));
    }
}

/* Columns of one set, or sets of one column, in one call or each in its own. */
static void make_several(struct series_maker *maker, enum shepard_series_variable variable,
                         const char *id, size_t step, bool apart)
{
    struct shepard_series *const series = add_series(maker, SHEPARD_STUDY_JOINT, variable, id);
    const size_t size = fixed_size(maker, 10 * K);
    for (size_t count = 1; count <= SHEPARD_PAPER_COLUMNS_MAX; count *= step) {
        struct shepard_workload job = idw_case(2, size, size, 1);
        *(variable == SHEPARD_VARIABLE_SETS ? &job.sets : &job.columns) = count;
        job.apart = apart && count > 1;
        add_case(series, job);
    }
}

static void make_joint(struct series_maker *maker)
{
    static const struct {
        double product;
        const char *id;
    } ratios[] = {{1e6, "joint-ratio-1e6"}, {1e7, "joint-ratio-1e7"}, {5e7, "joint-ratio-5e7"}};
    const double most = (double)maker->given.most;
    add_sizes(maker, SHEPARD_STUDY_JOINT, SHEPARD_VARIABLE_POINTS, "joint-points",
              idw_case(2, 0, fixed_size(maker, 10000), 1), OWN_SIZES(joint_points));
    add_sizes(maker, SHEPARD_STUDY_JOINT, SHEPARD_VARIABLE_TARGETS, "joint-targets",
              idw_case(2, fixed_size(maker, 1000), 0, 1), OWN_SIZES(joint_targets));
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        if (i == 0 || ratios[i].product <= most * most)
            make_ratio(maker, ratios[i].product, ratios[i].id);
    }
    make_several(maker, SHEPARD_VARIABLE_COLUMNS, "joint-columns", 2, false);
    make_several(maker, SHEPARD_VARIABLE_COLUMNS, "joint-calls", 2, true);
    make_several(maker, SHEPARD_VARIABLE_SETS, "joint-sets", 4, false);
    make_several(maker, SHEPARD_VARIABLE_SETS, "joint-sets-calls", 4, true);
}

size_t shepard_series_make(unsigned studies, const size_t *sizes, size_t count,
                           struct shepard_series series[SHEPARD_SERIES_MAX])
{
    struct series_maker maker = {series, 0, {sizes, count, count ? sizes[count - 1] : SIZE_MAX}};
    if (studies >> SHEPARD_STUDY_AIDW & 1)
        make_aidw(&maker);
    if (studies >> SHEPARD_STUDY_IDW & 1)
        make_idw(&maker);
    if (studies >> SHEPARD_STUDY_JOINT & 1)
        make_joint(&maker);
    return maker.count;
}

/* Whether an IDW engine is the one for a power: the square form for 2, if there is one. */
static bool fits_power(struct shepard_paper_engine engine, double power)
{
    if (power != 2)
        return !engine.square;
    if (engine.square)
        return true;
    engine.square = true;
    return shepard_paper_engine_find(&engine) == shepard_paper_engine_count();
}

/* Sets in one call need a method that takes them. Calls of a serial method take their times' sum.
 */
static bool fits_calls(const struct shepard_workload *job, size_t method)
{
    if (job->apart)
        return !shepard_paper_method_is_serial(method);
    return job->sets == 1 || shepard_paper_method_takes_sets(method);
}

bool shepard_series_takes(const struct shepard_series *series, size_t method)
{
    const struct shepard_paper_method taken = shepard_paper_method_at(method);
    const struct shepard_paper_engine *const engine = &taken.engine;
    const struct shepard_workload *const job = &series->cases[series->count - 1];
    if (taken.method != job->method || !fits_calls(job, method))
        return false;
    if (taken.is_library)
        return true;
    if (taken.method == SHEPARD_METHOD_IDW && !fits_power(*engine, job->power))
        return false;
    if (engine->plain)
        return series->study != SHEPARD_STUDY_JOINT && series->variable == SHEPARD_VARIABLE_SIZE;
    /* [HAP11]: the processor in double, the GPU in single precision. */
    const bool serial = engine->scheme == SHEPARD_PAPER_SERIAL;
    return series->study != SHEPARD_STUDY_JOINT ||
           (serial == (engine->precision == SHEPARD_PRECISION_DOUBLE) &&
            !shepard_paper_scheme_is_nested(engine->scheme) && engine->layout == SHEPARD_PAPER_SOA);
}
