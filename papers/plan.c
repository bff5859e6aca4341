/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include "engine.h"

#include <math.h>
#include <stdio.h>

/* Sizes of what varies, and the largest of them: those of the user, or a table's own. */
struct sizes {
    const size_t *list; /* [count] */
    size_t count;
    size_t most; /* no fixed size is larger */
};

enum { K = 1024 };

/* n = m of [AIDW15], [AIDW16]; [IDW14] and the new tables take them too. */
static const size_t papers_sizes[] = {10 * K, 50 * K, 100 * K, 500 * K, 1000 * K};

/* [HAP11], Tables 1 and 2. */
static const size_t joint_points[] = {100, 1000, 10000, 100000, 1000000};
static const size_t joint_targets[] = {1000, 10000, 100000, 1000000};

static struct sizes choose(struct sizes given, const size_t *own, size_t count)
{
    return given.count ? given : (struct sizes){own, count, SIZE_MAX};
}

static size_t cap(size_t size, struct sizes sizes)
{
    return size < sizes.most ? size : sizes.most;
}

static struct shepard_series *add_series(struct shepard_plan *plan, enum shepard_table table,
                                         enum shepard_variable variable, const char *id)
{
    struct shepard_series *const series = &plan->series[plan->count++];
    *series = (struct shepard_series){.table = table, .variable = variable};
    snprintf(series->id, sizeof series->id, "%s", id);
    return series;
}

/* model: method, power, columns, and the sizes that stay fixed. */
static void add_cases(struct shepard_series *series, struct shepard_workload model,
                      struct sizes sizes)
{
    for (size_t i = 0; i < sizes.count; i++) {
        struct shepard_workload *const job = &series->cases[series->count++];
        *job = model;
        if (series->variable != SHEPARD_VARIABLE_TARGETS)
            job->n = sizes.list[i];
        if (series->variable != SHEPARD_VARIABLE_POINTS)
            job->m = sizes.list[i];
    }
}

static struct shepard_workload idw_case(double power)
{
    return (struct shepard_workload){.method = SHEPARD_METHOD_IDW, .power = power, .columns = 1};
}

static struct shepard_workload aidw_case(void)
{
    return (struct shepard_workload){.method = SHEPARD_METHOD_AIDW, .columns = 1};
}

static void plan_square(struct shepard_plan *plan, enum shepard_table table, const char *id,
                        struct shepard_workload model, struct sizes given)
{
    const struct sizes sizes =
        choose(given, papers_sizes, sizeof papers_sizes / sizeof papers_sizes[0]);
    struct shepard_series *const series = add_series(plan, table, SHEPARD_VARIABLE_SIZE, id);
    if (model.method == SHEPARD_METHOD_AIDW)
        snprintf(series->title, sizeof series->title, "AIDW, n = m");
    else
        snprintf(series->title, sizeof series->title, "IDW, power %g, n = m", model.power);
    add_cases(series, model, sizes);
}

static void plan_idw(struct shepard_plan *plan, double power, struct sizes given)
{
    const struct sizes sizes =
        choose(given, papers_sizes, sizeof papers_sizes / sizeof papers_sizes[0]);
    const size_t fixed = cap(100 * K, sizes);
    struct shepard_workload model = idw_case(power);
    char id[32], text[24];
    snprintf(id, sizeof id, "idw-p%g", power);
    plan_square(plan, SHEPARD_TABLE_IDW, id, model, given);

    snprintf(id, sizeof id, "idw-p%g-targets", power);
    struct shepard_series *series =
        add_series(plan, SHEPARD_TABLE_IDW, SHEPARD_VARIABLE_TARGETS, id);
    snprintf(series->title, sizeof series->title, "IDW, power %g, n = %s, m varies", power,
             shepard_size_text(fixed, text));
    model.n = fixed;
    add_cases(series, model, sizes);

    snprintf(id, sizeof id, "idw-p%g-points", power);
    series = add_series(plan, SHEPARD_TABLE_IDW, SHEPARD_VARIABLE_POINTS, id);
    snprintf(series->title, sizeof series->title, "IDW, power %g, m = %s, n varies", power,
             shepard_size_text(fixed, text));
    model.m = fixed;
    add_cases(series, model, sizes);
}

static void plan_joint_sizes(struct shepard_plan *plan, struct sizes given)
{
    struct sizes sizes = choose(given, joint_points, sizeof joint_points / sizeof joint_points[0]);
    struct shepard_workload model = idw_case(2);
    char text[24];
    struct shepard_series *series =
        add_series(plan, SHEPARD_TABLE_JOINT, SHEPARD_VARIABLE_POINTS, "joint-points");
    model.m = cap(10000, sizes);
    snprintf(series->title, sizeof series->title, "IDW, power 2, m = %s, n varies",
             shepard_size_text(model.m, text));
    add_cases(series, model, sizes);

    sizes = choose(given, joint_targets, sizeof joint_targets / sizeof joint_targets[0]);
    series = add_series(plan, SHEPARD_TABLE_JOINT, SHEPARD_VARIABLE_TARGETS, "joint-targets");
    model.n = cap(1000, sizes);
    snprintf(series->title, sizeof series->title, "IDW, power 2, n = %s, m varies",
             shepard_size_text(model.n, text));
    add_cases(series, model, sizes);
}

/* n / m from 1/10000 to 10000 at one product of the two. */
static void plan_ratio(struct shepard_plan *plan, double product, const char *id)
{
    struct shepard_series *const series =
        add_series(plan, SHEPARD_TABLE_JOINT, SHEPARD_VARIABLE_RATIO, id);
    snprintf(series->title, sizeof series->title,
             "IDW, power 2, n m = %.0e, the ratio n / m varies", product);
    for (int e = -4; e <= 4; e += 2) {
        struct shepard_workload job = idw_case(2);
        job.n = (size_t)llround(sqrt(product * pow(10, e)));
        job.m = (size_t)llround(product / (double)job.n);
        series->cases[series->count++] = job;
    }
}

static void plan_columns(struct shepard_plan *plan, struct sizes given)
{
    const struct sizes sizes =
        choose(given, papers_sizes, sizeof papers_sizes / sizeof papers_sizes[0]);
    const size_t size = cap(10 * K, sizes);
    char text[24];
    struct shepard_series *const series =
        add_series(plan, SHEPARD_TABLE_JOINT, SHEPARD_VARIABLE_COLUMNS, "joint-columns");
    snprintf(series->title, sizeof series->title,
             "IDW, power 2, n = m = %s, several value columns in one call",
             shepard_size_text(size, text));
    for (size_t columns = 1; columns <= SHEPARD_PAPER_COLUMNS_MAX; columns *= 2) {
        struct shepard_workload job = idw_case(2);
        job.n = job.m = size;
        job.columns = columns;
        series->cases[series->count++] = job;
    }
}

static void plan_joint(struct shepard_plan *plan, struct sizes given)
{
    static const struct {
        double product;
        const char *id;
    } products[] = {{1e6, "joint-ratio-1e6"}, {1e7, "joint-ratio-1e7"}, {5e7, "joint-ratio-5e7"}};
    plan_joint_sizes(plan, given);
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        const double most = (double)given.most;
        if (i == 0 || products[i].product <= most * most)
            plan_ratio(plan, products[i].product, products[i].id);
    }
    plan_columns(plan, given);
}

static void plan_table(struct shepard_plan *plan, enum shepard_table table, struct sizes given)
{
    switch (table) {
    case SHEPARD_TABLE_AIDW:
        plan_square(plan, table, "aidw", aidw_case(), given);
        break;
    case SHEPARD_TABLE_STAGES:
        plan_square(plan, table, "stages", aidw_case(), given);
        break;
    case SHEPARD_TABLE_IDW:
        plan_idw(plan, 2, given);
        plan_idw(plan, 3, given);
        break;
    case SHEPARD_TABLE_JOINT:
        plan_joint(plan, given);
        break;
    case SHEPARD_TABLE_DOUBLE:
        plan_square(plan, table, "double-aidw", aidw_case(), given);
        plan_square(plan, table, "double-idw-p2", idw_case(2), given);
        plan_square(plan, table, "double-idw-p3", idw_case(3), given);
        break;
    case SHEPARD_TABLE_NEW:
        plan_square(plan, table, "new-aidw", aidw_case(), given);
        plan_square(plan, table, "new-idw", idw_case(2), given);
        break;
    case SHEPARD_TABLE_ERRATA:
    case SHEPARD_TABLES:
        break;
    }
}

void shepard_plan_make(struct shepard_plan *plan, unsigned tables, const size_t *sizes,
                       size_t count)
{
    const struct sizes given = {sizes, count, count ? sizes[count - 1] : SIZE_MAX};
    plan->count = 0;
    for (int table = 0; table < SHEPARD_TABLES; table++) {
        if (tables >> table & 1)
            plan_table(plan, table, given);
    }
}
