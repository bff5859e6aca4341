/* SPDX-License-Identifier: MIT */
/* Parts of the study: sizes, work, the ledger's choices, the judge, the plan, the lattice. */
#include "papers/contestant.h"
#include "papers/judge.h"
#include "papers/lattice.h"
#include "papers/ledger.h"
#include "papers/measure.h"
#include "papers/plan.h"
#include "papers/printed.h"

#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int faults;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                         \
            faults++;                                                                              \
        }                                                                                          \
    } while (0)

static bool is_close(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static size_t find_name(const char *name)
{
    char other[SHEPARD_PAPER_NAME];
    for (size_t i = 0; i < shepard_contestant_count(); i++) {
        shepard_contestant_name(i, other);
        if (strcmp(name, other) == 0)
            return i;
    }
    printf("no contestant %s\n", name);
    faults++;
    return 0;
}

static void check_sizes(void)
{
    static const struct {
        const char *text;
        size_t size;
    } good[] = {{"1", 1},
                {"10K", 10240},
                {"10k", 10240},
                {"1M", 1048576},
                {"500", 500},
                {"1000K", 1024000},
                {"4000000000", 4000000000},
                {"007", 7}};
    static const char *const bad[] = {
        "",   "0",  "0K",   "-1",  "+1",         "K",      "1.5K",        "1e3",
        " 1", "1 ", "10KK", "10G", "4000000001", "3907K5", "99999999999", "3906251K"};
    size_t size = 0;
    char text[24];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        EXPECT(shepard_size_parse(good[i].text, &size) && size == good[i].size);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT(!shepard_size_parse(bad[i], &size));
    /* What is printed reads back. */
    for (size_t n = 1; n < 5000000; n = n * 3 / 2 + 1) {
        EXPECT(shepard_size_parse(shepard_size_text(n, text), &size) && size == n);
        EXPECT(shepard_size_parse(shepard_size_text(1024 * n, text), &size) && size == 1024 * n);
    }
}

static struct shepard_workload aidw(size_t n, size_t m)
{
    return (struct shepard_workload){.method = SHEPARD_METHOD_AIDW, .n = n, .m = m, .columns = 1};
}

static void check_work(void)
{
    const struct shepard_workload one = aidw(1000, 3000), four = aidw(2000, 6000);
    const size_t serial = find_name("original-serial"), ours = find_name("new-aidw-1e-5");
    EXPECT(is_close(shepard_contestant_work(serial, &four),
                    4 * shepard_contestant_work(serial, &one)));
    EXPECT(shepard_contestant_work(ours, &four) > 2 * shepard_contestant_work(ours, &one));
    EXPECT(shepard_contestant_work(ours, &four) < 2.5 * shepard_contestant_work(ours, &one));
}

/* Every word of --engine means somebody, a full name nobody else. */
static void check_names(void)
{
    char name[SHEPARD_PAPER_NAME];
    for (size_t i = 0; i < shepard_contestant_count(); i++) {
        shepard_contestant_name(i, name);
        for (size_t j = 0; j < shepard_contestant_count(); j++)
            EXPECT(shepard_contestant_means(name, j) == (i == j));
        const size_t baseline = shepard_contestant_baseline(i);
        EXPECT(baseline != SHEPARD_CONTESTANT_NONE && shepard_contestant_is_serial(baseline));
        EXPECT(shepard_contestant_at(baseline).method == shepard_contestant_at(i).method);
    }
    EXPECT(shepard_contestant_means("new", find_name("new-idw-1e-4")));
    EXPECT(!shepard_contestant_means("ne", find_name("new-idw-1e-4")));
    EXPECT(!shepard_contestant_means("", 0));
}

static void check_ledger(void)
{
    struct shepard_ledger ledger = {0};
    const size_t serial = find_name("original-serial"), ours = find_name("new-aidw-1e-5");
    struct shepard_record record = {.who = serial, .state = SHEPARD_RECORD_MEASURED};
    const size_t sizes[] = {100, 400, 200, 800};
    for (size_t i = 0; i < 4; i++) {
        record.job = aidw(sizes[i], sizes[i]);
        record.times.total = (double)sizes[i];
        record.state = i == 3 ? SHEPARD_RECORD_EXTRAPOLATED : SHEPARD_RECORD_MEASURED;
        EXPECT(shepard_ledger_add(&ledger, &record));
    }
    const struct shepard_workload job = aidw(300, 300), large = aidw(9000, 9000),
                                  small = aidw(9, 9);
    EXPECT(shepard_ledger_below(&ledger, serial, &job)->job.n == 200);
    EXPECT(shepard_ledger_below(&ledger, serial, &large)->job.n == 400); /* 800 is no measurement */
    EXPECT(!shepard_ledger_below(&ledger, serial, &small));
    EXPECT(!shepard_ledger_below(&ledger, ours, &job));
    EXPECT(!shepard_ledger_find(&ledger, serial, &job));
    bool estimated = false;
    record = (struct shepard_record){.who = ours, .job = aidw(800, 800), .times = {.total = 4}};
    EXPECT(shepard_ledger_speedup(&ledger, &record, &estimated) == 200 && estimated);
    record.job = aidw(400, 400);
    EXPECT(shepard_ledger_speedup(&ledger, &record, &estimated) == 100 && !estimated);
    record.job = aidw(300, 300);
    EXPECT(isnan(shepard_ledger_speedup(&ledger, &record, NULL)));
    shepard_ledger_free(&ledger);
}

static void check_limits(void)
{
    struct shepard_record record = {.state = SHEPARD_RECORD_MEASURED, .error = 1e-5, .limit = 1e-5};
    EXPECT(!shepard_record_is_wrong(&record));
    record.error = 1.01e-5;
    EXPECT(shepard_record_is_wrong(&record));
    record.error = NAN;
    EXPECT(shepard_record_is_wrong(&record));
    record.state = SHEPARD_RECORD_SKIPPED;
    EXPECT(!shepard_record_is_wrong(&record));
    EXPECT(shepard_contestant_limit(find_name("original-serial")) == 1e-10);
    EXPECT(shepard_contestant_limit(find_name("new-idw-1e-4")) == 1e-4);
}

/* IDW of power 3 of one target, straight from the formula, in long double. */
static double formula(const struct shepard_dataset *dataset, size_t target)
{
    long double sum = 0, weights = 0;
    for (size_t i = 0; i < dataset->n; i++) {
        const long double dx = dataset->x[i] - dataset->target_x[target];
        const long double dy = dataset->y[i] - dataset->target_y[target];
        const long double w = powl(dx * dx + dy * dy, -1.5L);
        sum += w * dataset->values[0][i];
        weights += w;
    }
    return (double)(sum / weights);
}

/* The judge against sums of the test's own, and against values spoilt on purpose. */
static void check_judge(uint64_t seed)
{
    enum { N = 500, M = 2500 };
    const struct shepard_workload job = {
        .method = SHEPARD_METHOD_IDW, .power = 3, .n = N, .m = M, .columns = 2};
    struct shepard_dataset dataset = {.n = N, .m = M, .columns = 2};
    struct shepard_judge judge;
    struct shepard_error error;
    double *const values[2] = {malloc(M * sizeof(double)), malloc(M * sizeof(double))};
    EXPECT(shepard_dataset_draw(&dataset, seed));
    EXPECT(!shepard_judge_prepare(&judge, &job, &dataset, 1, &error));
    EXPECT(judge.count == SHEPARD_JUDGE_SAMPLE);
    EXPECT(judge.index[0] == 0 && judge.index[judge.count - 1] == M - 1);
    for (size_t i = 0; i < M; i++)
        values[0][i] = values[1][i] = formula(&dataset, i);
    for (size_t i = 0; i < judge.count; i++)
        values[1][judge.index[i]] = judge.exact[judge.count + i];
    EXPECT(shepard_judge_error(&judge, values) < 1e-12);
    const size_t spoilt = judge.index[judge.count / 3];
    const double right = values[1][spoilt];
    values[1][spoilt] += 0.25 * judge.range[1];
    EXPECT(fabs(shepard_judge_error(&judge, values) - 0.25) < 1e-9);
    values[1][spoilt] = right;
    size_t unseen = 1; /* a target that is not in the sample */
    while (judge.index[unseen] == unseen)
        unseen++;
    values[0][unseen] = NAN;
    EXPECT(isnan(shepard_judge_error(&judge, values)));
    shepard_judge_free(&judge);
    shepard_dataset_free(&dataset);
    free(values[0]);
    free(values[1]);
}

/* Fewer points are the beginning of more; places fill the square; streams differ. */
static void check_recipe(uint64_t seed)
{
    struct shepard_dataset few = {.n = 1000, .m = 10, .columns = 2};
    struct shepard_dataset many = {.n = 4000, .m = 4000, .columns = 2};
    double x = 0, y = 0;
    EXPECT(shepard_dataset_draw(&few, seed) && shepard_dataset_draw(&many, seed));
    EXPECT(memcmp(few.x, many.x, few.n * sizeof *few.x) == 0);
    EXPECT(memcmp(few.values[1], many.values[1], few.n * sizeof *few.x) == 0);
    EXPECT(memcmp(few.target_y, many.target_y, few.m * sizeof *few.x) == 0);
    EXPECT(memcmp(many.x, many.target_x, many.n * sizeof *few.x) != 0);
    EXPECT(memcmp(many.values[0], many.values[1], many.n * sizeof *few.x) != 0);
    for (size_t i = 0; i < many.n; i++) {
        x += many.x[i] / SHEPARD_DATASET_PAPERS_SIDE - 0.5;
        y += many.target_y[i] / SHEPARD_DATASET_PAPERS_SIDE - 0.5;
        EXPECT(many.x[i] >= 0 && many.x[i] < SHEPARD_DATASET_PAPERS_SIDE);
    }
    /* The mean of uniform numbers has a standard deviation of 1 / sqrt(12 n). */
    EXPECT(fabs(x / 4000) < 6 / sqrt(12 * 4000.0) && fabs(y / 4000) < 6 / sqrt(12 * 4000.0));
    shepard_dataset_free(&few);
    shepard_dataset_free(&many);
}

static void check_plan(void)
{
    static const size_t sizes[] = {512, 2048};
    struct shepard_plan plan;
    shepard_plan_make(&plan, (1u << SHEPARD_TABLES) - 1, sizes, 2);
    for (size_t s = 0; s < plan.count; s++) {
        const struct shepard_series *const series = &plan.series[s];
        EXPECT(series->count > 0 && series->title[0]);
        for (size_t t = 0; t < s; t++)
            EXPECT(strcmp(series->id, plan.series[t].id) != 0);
        for (size_t i = 0; i < series->count; i++) {
            const struct shepard_workload *const job = &series->cases[i];
            EXPECT(job->n >= 1 && job->m >= 1 && job->columns >= 1);
            EXPECT(i == 0 || shepard_series_at(series, i) > shepard_series_at(series, i - 1));
            if (series->variable != SHEPARD_VARIABLE_RATIO)
                EXPECT(job->n <= 2048 && job->m <= 2048);
            else
                EXPECT(fabs((double)job->n * (double)job->m / 1e6 - 1) < 0.01);
        }
    }
    shepard_plan_make(&plan, (1u << SHEPARD_TABLES) - 1, NULL, 0);
    EXPECT(plan.series[0].count == 5 && plan.series[0].cases[4].n == 1024000);
    shepard_plan_make(&plan, 1u << SHEPARD_TABLE_ERRATA, NULL, 0);
    EXPECT(plan.count == 0);
}

/* Numbers of the papers' texts that follow from those of their tables. */
static void check_printed(void)
{
    const struct shepard_workload full = aidw(1024000, 1024000), odd = aidw(1024000, 1000000);
    const size_t serial = find_name("original-serial");
    EXPECT(is_close(shepard_printed_seconds(SHEPARD_TABLE_AIDW, serial, &full), 67471.402));
    EXPECT(isnan(shepard_printed_seconds(SHEPARD_TABLE_AIDW, serial, &odd)));
    const size_t tiled = find_name("improved-tiled");
    /* [AIDW16] abstract: speed-ups of up to 1017 times. */
    EXPECT(round(shepard_printed_speedup(SHEPARD_TABLE_AIDW, tiled, &full)) == 1017);
    const struct shepard_paper_times stages = shepard_printed_stages(tiled, &full);
    EXPECT(is_close(stages.neighbours + stages.weighting,
                    shepard_printed_seconds(SHEPARD_TABLE_AIDW, tiled, &full)));
    const struct shepard_workload joint = {
        .method = SHEPARD_METHOD_IDW, .power = 2, .n = 1000000, .m = 10000, .columns = 1};
    const size_t idw = shepard_contestant_baseline(find_name("new-idw-1e-5"));
    EXPECT(is_close(shepard_printed_seconds(SHEPARD_TABLE_JOINT, idw, &joint), 53.18));
    EXPECT(isnan(shepard_printed_seconds(SHEPARD_TABLE_IDW, idw, &joint)));
}

/* The search with the right rule against a look at every point. */
static void check_lattice(uint64_t seed)
{
    enum { N = 300, K = 7 };
    struct shepard_random random = {seed};
    double x[N], y[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = 20 * pow(shepard_random_uniform(&random), 3);
        y[i] = 13 * shepard_random_uniform(&random);
    }
    struct shepard_lattice lattice = {.w = 0.9, .columns = 23, .rows = 15, .n = N, .x = x, .y = y};
    EXPECT(shepard_lattice_build(&lattice));
    for (size_t t = 0; t < 500; t++) {
        const double qx = 20 * shepard_random_uniform(&random);
        const double qy = 13 * shepard_random_uniform(&random);
        double sum = 0, last = -1;
        for (size_t k = 0; k < K; k++) { /* distances differ: the next larger one each time */
            double next = INFINITY;
            for (size_t i = 0; i < N; i++) {
                const double d = hypot(x[i] - qx, y[i] - qy);
                next = d > last && d < next ? d : next;
            }
            sum += last = next;
        }
        const double found =
            shepard_lattice_mean(&lattice, (struct shepard_lattice_rule){0}, qx, qy, K, NULL);
        EXPECT(fabs(found - sum / K) <= 1e-12 * found);
    }
    shepard_lattice_free(&lattice);
}

/* A measurement in full: within a budget, past it, and a contestant who fails. */
static void check_measure(uint64_t seed)
{
    const struct shepard_workload job = aidw(3000, 2000);
    struct shepard_dataset dataset = {.n = 3000, .m = 2000, .columns = 1};
    struct shepard_judge judge;
    struct shepard_error error;
    struct shepard_ledger ledger = {0};
    struct shepard_record record;
    double *values[1] = {malloc(2000 * sizeof(double))};
    struct shepard_terms terms = {.budget = 60, .repeat = 4, .threads = 1};
    const size_t serial = find_name("original-serial"), ours = find_name("new-aidw-1e-5");
    EXPECT(shepard_dataset_draw(&dataset, seed));
    EXPECT(!shepard_judge_prepare(&judge, &job, &dataset, 1, &error));
    const struct shepard_scene scene = {job, &dataset, &judge, values};
    shepard_measure(serial, &scene, &terms, &ledger, &record);
    EXPECT(record.state == SHEPARD_RECORD_MEASURED && record.runs == 4);
    EXPECT(record.times.total > 0 && record.error < 1e-10 && !shepard_record_is_wrong(&record));
    /* Known: 1000 x 1000 points took 12 s. 3000 x 2000 are then 72 s. */
    const struct shepard_record known = {.who = serial,
                                         .job = aidw(1000, 1000),
                                         .state = SHEPARD_RECORD_MEASURED,
                                         .times = {.total = 12}};
    EXPECT(shepard_ledger_add(&ledger, &known));
    shepard_measure(serial, &scene, &terms, &ledger, &record);
    EXPECT(record.state == SHEPARD_RECORD_EXTRAPOLATED && is_close(record.times.total, 72));
    EXPECT(record.runs == 0 && isnan(record.error));
    terms.budget = 1e-9;
    shepard_measure(ours, &scene, &terms, &ledger, &record);
    EXPECT(record.state == SHEPARD_RECORD_SKIPPED && record.times.total > 1e-9);
    terms.threads = 5000; /* more than the library takes */
    shepard_measure(ours, &scene, &terms, &ledger, &record);
    EXPECT(record.state == SHEPARD_RECORD_FAILED && strstr(record.message, "threads"));
    shepard_ledger_free(&ledger);
    shepard_judge_free(&judge);
    shepard_dataset_free(&dataset);
    free(values[0]);
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    check_sizes();
    check_work();
    check_names();
    check_ledger();
    check_limits();
    check_judge(seed);
    check_recipe(seed);
    check_plan();
    check_printed();
    check_lattice(seed);
    check_measure(seed);
    printf("%d faults\n", faults);
    return faults ? 1 : 0;
}
