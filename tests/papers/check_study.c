/* SPDX-License-Identifier: MIT */
/* Parts of shepard_papers: sizes, methods, series, results, the error check, JSON. */
#include "papers/json_writer.h"
#include "papers/measure.h"
#include "papers/method.h"
#include "papers/series.h"
#include "papers/size.h"
#include "papers/stopwatch.h"

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
    for (size_t i = 0; i < shepard_paper_method_count(); i++) {
        shepard_paper_method_name(i, other);
        if (strcmp(name, other) == 0)
            return i;
    }
    printf("no method %s\n", name);
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
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        EXPECT(shepard_size_parse(good[i].text, &size) && size == good[i].size);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT(!shepard_size_parse(bad[i], &size));
}

static struct shepard_workload aidw(size_t n, size_t m)
{
    return (struct shepard_workload){
        .method = SHEPARD_METHOD_AIDW, .n = n, .m = m, .columns = 1, .sets = 1};
}

static void check_work(void)
{
    const struct shepard_workload one = aidw(1000, 3000), four = aidw(2000, 6000);
    const size_t serial = find_name("original-serial"), ours = find_name("new-aidw-1e-5");
    EXPECT(is_close(shepard_paper_method_work(serial, &four),
                    4 * shepard_paper_method_work(serial, &one)));
    EXPECT(shepard_paper_method_work(ours, &four) > 2 * shepard_paper_method_work(ours, &one));
    EXPECT(shepard_paper_method_work(ours, &four) < 2.5 * shepard_paper_method_work(ours, &one));
    struct shepard_workload sets = one, columns = one;
    sets.sets = 4;
    EXPECT(is_close(shepard_paper_method_work(serial, &sets),
                    4 * shepard_paper_method_work(serial, &one)));
    columns.columns = 4;
    EXPECT(shepard_paper_method_work(serial, &columns) <
           2 * shepard_paper_method_work(serial, &one));
    columns.apart = true; /* the weights are made again in each call */
    EXPECT(is_close(shepard_paper_method_work(serial, &columns),
                    4 * shepard_paper_method_work(serial, &one)));
}

/* A full name selects its method alone, the beginning of names selects all of them. */
static void check_names(void)
{
    char name[SHEPARD_PAPER_NAME];
    for (size_t i = 0; i < shepard_paper_method_count(); i++) {
        shepard_paper_method_name(i, name);
        for (size_t j = 0; j < shepard_paper_method_count(); j++)
            EXPECT(shepard_paper_method_matches(name, j) == (i == j));
    }
    EXPECT(shepard_paper_method_matches("new", find_name("new-idw-1e-4")));
    EXPECT(shepard_paper_method_matches("plain-idw2", find_name("plain-idw2-naive")));
    EXPECT(!shepard_paper_method_matches("idw2", find_name("plain-idw2-naive")));
    EXPECT(!shepard_paper_method_matches("ne", find_name("new-idw-1e-4")));
    EXPECT(!shepard_paper_method_matches("", 0));
}

static void check_results(void)
{
    struct shepard_paper_results results = {0};
    const size_t serial = find_name("original-serial"), ours = find_name("new-aidw-1e-5");
    struct shepard_measurement measurement = {.method = serial};
    const size_t sizes[] = {100, 400, 200, 800};
    for (size_t i = 0; i < 4; i++) {
        measurement.job = aidw(sizes[i], sizes[i]);
        measurement.state =
            i == 3 ? SHEPARD_MEASUREMENT_EXTRAPOLATED : SHEPARD_MEASUREMENT_MEASURED;
        EXPECT(shepard_paper_results_add(&results, &measurement));
    }
    const struct shepard_workload job = aidw(300, 300), large = aidw(9000, 9000),
                                  small = aidw(9, 9), last = aidw(800, 800);
    EXPECT(shepard_paper_results_below(&results, serial, &job)->job.n == 200);
    EXPECT(shepard_paper_results_below(&results, serial, &large)->job.n == 400); /* 800: no run */
    EXPECT(!shepard_paper_results_below(&results, serial, &small));
    EXPECT(!shepard_paper_results_below(&results, ours, &job));
    EXPECT(!shepard_paper_results_find(&results, serial, &job));
    EXPECT(shepard_paper_results_find(&results, serial, &last) == &results.list[3]);
    EXPECT(!shepard_paper_results_find(&results, ours, &last));
    struct shepard_workload sets = large, apart = last;
    sets.sets = 2;
    EXPECT(!shepard_paper_results_below(&results, serial, &sets));
    apart.apart = true;
    EXPECT(!shepard_paper_results_find(&results, serial, &apart));
    shepard_paper_results_free(&results);
}

static void check_limits(void)
{
    struct shepard_measurement measurement = {
        .state = SHEPARD_MEASUREMENT_MEASURED, .error = 1e-5, .error_limit = 1e-5};
    EXPECT(!shepard_measurement_is_wrong(&measurement));
    measurement.error = 1.01e-5;
    EXPECT(shepard_measurement_is_wrong(&measurement));
    measurement.error = NAN;
    EXPECT(shepard_measurement_is_wrong(&measurement));
    measurement.error_limit = INFINITY;
    EXPECT(!shepard_measurement_is_wrong(&measurement));
    measurement.state = SHEPARD_MEASUREMENT_SKIPPED;
    EXPECT(!shepard_measurement_is_wrong(&measurement));
    measurement.state = SHEPARD_MEASUREMENT_FAILED;
    EXPECT(shepard_measurement_is_wrong(&measurement));
    EXPECT(shepard_paper_method_error_limit(find_name("original-serial"), 1000) == 1e-10);
    EXPECT(shepard_paper_method_error_limit(find_name("improved-tiled"), 1000) == 1e-5);
    EXPECT(shepard_paper_method_error_limit(find_name("improved-tiled-double"), 1000) == 1e-10);
    EXPECT(shepard_paper_method_error_limit(find_name("new-idw-1e-4"), 1000) == 1e-4);
    EXPECT(isinf(shepard_paper_method_error_limit(find_name("idw2-nested-open"), 1000)));
    EXPECT(shepard_paper_method_error_limit(find_name("idw2-nested-tail"), 1000) == 1e-5);
    EXPECT(is_close(shepard_paper_method_error_limit(find_name("idw-serial-single"), 16384),
                    1e-5 + 1.0 / 1024));
    EXPECT(shepard_paper_method_error_limit(find_name("plain-original-tiled-double"), 1000) ==
           1e-10);
    const size_t plain = find_name("plain-improved-tiled-aoas");
    EXPECT(is_close(shepard_paper_method_error_limit(plain, 1 << 14), 1e-5 + 0x1p-10));
}

/* IDW of one target, straight from the formula, in long double. */
static double formula(const struct shepard_dataset *dataset, size_t target, long double power)
{
    long double sum = 0, weights = 0;
    for (size_t i = 0; i < dataset->n; i++) {
        const long double dx = dataset->x[i] - dataset->target_x[target];
        const long double dy = dataset->y[i] - dataset->target_y[target];
        const long double w = powl(dx * dx + dy * dy, -power / 2);
        sum += w * dataset->values[0][i];
        weights += w;
    }
    return (double)(sum / weights);
}

/* The error check against sums of the test's own, and against values spoilt on purpose. */
static void check_error_check(uint64_t seed)
{
    enum { N = 500, M = 2500 };
    const struct shepard_workload job = {
        .method = SHEPARD_METHOD_IDW, .power = 3, .n = N, .m = M, .columns = 2, .sets = 1};
    struct shepard_dataset dataset = {.n = N, .m = M, .columns = 2};
    struct shepard_error_check check;
    struct shepard_error error;
    double *const values[2] = {malloc(M * sizeof(double)), malloc(M * sizeof(double))};
    EXPECT(shepard_dataset_draw(&dataset, seed));
    EXPECT(!shepard_error_check_prepare(&check, &job, &dataset, 1, &error));
    EXPECT(check.count == SHEPARD_ERROR_CHECK_SAMPLE);
    EXPECT(check.index[0] == 0 && check.index[check.count - 1] == M - 1);
    for (size_t i = 0; i < M; i++)
        values[0][i] = values[1][i] = formula(&dataset, i, 3);
    for (size_t i = 0; i < check.count; i++)
        values[1][check.index[i]] = check.exact[check.count + i];
    EXPECT(shepard_error_check_largest(&check, values) < 1e-12);
    const size_t spoilt = check.index[check.count / 3];
    const double right = values[1][spoilt];
    values[1][spoilt] += 0.25 * check.range[1];
    EXPECT(fabs(shepard_error_check_largest(&check, values) - 0.25) < 1e-9);
    values[1][spoilt] = right;
    size_t unseen = 1; /* a target that is not in the sample */
    while (check.index[unseen] == unseen)
        unseen++;
    values[0][unseen] = NAN;
    EXPECT(isnan(shepard_error_check_largest(&check, values)));
    shepard_error_check_free(&check);
    shepard_dataset_free(&dataset);
    free(values[0]);
    free(values[1]);
}

/* Fewer points are the beginning of more; places fill the square; streams differ. */
static void check_dataset(uint64_t seed)
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

/* What a series keeps and what it varies. */
static void check_one_series(const struct shepard_series *series)
{
    const struct shepard_workload *const first = &series->cases[0];
    EXPECT(series->count > 0);
    for (size_t i = 0; i < series->count; i++) {
        const struct shepard_workload *const job = &series->cases[i];
        const enum shepard_series_variable v = series->variable;
        EXPECT(job->n >= 1 && job->m >= 1 && job->columns >= 1);
        EXPECT(job->method == first->method && job->power == first->power);
        EXPECT(v != SHEPARD_VARIABLE_SIZE || job->n == job->m);
        EXPECT(v != SHEPARD_VARIABLE_POINTS || job->m == first->m);
        EXPECT(v != SHEPARD_VARIABLE_TARGETS || job->n == first->n);
        EXPECT(v == SHEPARD_VARIABLE_COLUMNS || job->columns == 1);
        EXPECT(v == SHEPARD_VARIABLE_SETS || job->sets == 1);
        EXPECT(job->apart == (strstr(series->id, "-calls") && shepard_workload_arrays(job) > 1));
        EXPECT(v == SHEPARD_VARIABLE_RATIO || (job->n <= 2048 && job->m <= 2048));
        EXPECT(v != SHEPARD_VARIABLE_RATIO ||
               fabs((double)job->n * (double)job->m / 1e6 - 1) < 0.01);
        EXPECT(i == 0 || !shepard_workload_same(job, &series->cases[i - 1]));
        /* Steps of 10, but for the rounding of n and m. */
        EXPECT(v != SHEPARD_VARIABLE_RATIO || i == 0 ||
               fabs((double)job->n / (double)job->m / 10 * (double)job[-1].m / (double)job[-1].n -
                    1) < 0.1);
    }
}

static void check_series(void)
{
    static const size_t sizes[] = {512, 2048};
    const unsigned all = (1u << SHEPARD_STUDY_COUNT) - 1;
    struct shepard_series series[SHEPARD_SERIES_MAX];
    size_t count = shepard_series_make(all, sizes, 2, series);
    EXPECT(count <= SHEPARD_SERIES_MAX);
    for (size_t s = 0; s < count; s++) {
        check_one_series(&series[s]);
        for (size_t t = 0; t < s; t++)
            EXPECT(strcmp(series[s].id, series[t].id) != 0);
    }
    count = shepard_series_make(all, NULL, 0, series);
    EXPECT(count == 16 && series[0].count == 5 && series[0].cases[4].n == 1024000);
    EXPECT(shepard_series_make(0, NULL, 0, series) == 0);
}

/* Every method has a series; a series takes the form of its power only, and plain engines with
 * n = m only. */
static void check_members(void)
{
    struct shepard_series series[SHEPARD_SERIES_MAX];
    const size_t count = shepard_series_make((1u << SHEPARD_STUDY_COUNT) - 1, NULL, 0, series);
    for (size_t method = 0; method < shepard_paper_method_count(); method++) {
        size_t taken = 0;
        for (size_t s = 0; s < count; s++)
            taken += shepard_series_takes(&series[s], method);
        EXPECT(taken > 0);
    }
    for (size_t s = 0; s < count; s++) {
        const bool square = series[s].cases[0].power == 2;
        const bool idw = series[s].cases[0].method == SHEPARD_METHOD_IDW;
        const struct shepard_workload *const last = &series[s].cases[series[s].count - 1];
        EXPECT(shepard_series_takes(&series[s], find_name("idw2-tiled")) == (idw && square));
        EXPECT(shepard_series_takes(&series[s], find_name("idw2-serial")) ==
               (idw && square && !last->apart));
        EXPECT(shepard_series_takes(&series[s], find_name("idw-tiled")) == (idw && !square));
        EXPECT(shepard_series_takes(&series[s], find_name("improved-tiled")) == !idw);
        const bool joint = series[s].study == SHEPARD_STUDY_JOINT;
        EXPECT(shepard_series_takes(&series[s], find_name("idw2-serial-single")) ==
               (idw && square && !joint));
        EXPECT(shepard_series_takes(&series[s], find_name("idw2-nested-tail")) ==
               (idw && square && !joint));
        EXPECT(shepard_series_takes(&series[s], find_name("idw-nested-open")) == (idw && !square));
        const bool even = series[s].variable == SHEPARD_VARIABLE_SIZE;
        EXPECT(shepard_series_takes(&series[s], find_name("plain-idw2-naive")) ==
               (idw && square && even));
        EXPECT(shepard_series_takes(&series[s], find_name("plain-idw-tiled")) ==
               (idw && !square && even));
        EXPECT(shepard_series_takes(&series[s], find_name("plain-original-naive-aoas-double")) ==
               !idw);
        const bool in_calls = last->sets == 1 || last->apart;
        EXPECT(shepard_series_takes(&series[s], find_name("new-idw-1e-4")) == (idw && in_calls));
        EXPECT(shepard_series_takes(&series[s], find_name("gpu-idw-1e-4")) == (idw && in_calls));
        EXPECT(shepard_series_takes(&series[s], find_name("gpu-aidw-1e-4")) == !idw);
        EXPECT(shepard_series_takes(&series[s], find_name("improved-tiled-own-grid")) == !idw);
    }
}

static void check_json(void)
{
    static const char wanted[] =
        "{\n  \"a\\\"\\\\\": \"\\u0001\\u000a\xc3\xa9\",\n  \"none\": [],\n  \"list\": [\n"
        "    {\"n\": 1024000, \"none\": null, \"deep\": [0.5, -2]},\n    null\n  ]\n}\n";
    char found[sizeof wanted + 100] = "";
    FILE *const file = tmpfile();
    struct shepard_json_writer json = {.file = file};
    EXPECT(file);
    shepard_json_writer_begin(&json, NULL, '{');
    shepard_json_writer_text(&json, "a\"\\", "\x01\n\xc3\xa9");
    shepard_json_writer_begin(&json, "none", '[');
    shepard_json_writer_end(&json, '[');
    shepard_json_writer_begin(&json, "list", '[');
    shepard_json_writer_begin(&json, NULL, '{');
    shepard_json_writer_number(&json, "n", 1024000);
    shepard_json_writer_number(&json, "none", NAN);
    shepard_json_writer_begin(&json, "deep", '[');
    shepard_json_writer_number(&json, NULL, 0.5);
    shepard_json_writer_number(&json, NULL, -2);
    shepard_json_writer_end(&json, '[');
    shepard_json_writer_end(&json, '{');
    shepard_json_writer_text(&json, NULL, NULL);
    shepard_json_writer_end(&json, '[');
    shepard_json_writer_end(&json, '{');
    rewind(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    EXPECT(strcmp(found, wanted) == 0);
    fclose(file);
}

/* A measurement in full: within a budget, past it, and a failure. */
static void check_measure(uint64_t seed)
{
    const struct shepard_workload job = aidw(3000, 2000);
    struct shepard_dataset dataset = {.n = 3000, .m = 2000, .columns = 1};
    struct shepard_error_check check;
    struct shepard_error error;
    struct shepard_paper_results results = {0};
    struct shepard_measurement found;
    double *values[1] = {malloc(2000 * sizeof(double))};
    struct shepard_measure_options options = {.budget = 60, .runs = 4, .threads = 1};
    const size_t serial = find_name("original-serial"), ours = find_name("new-aidw-1e-5");
    EXPECT(shepard_dataset_draw(&dataset, seed));
    EXPECT(!shepard_error_check_prepare(&check, &job, &dataset, 1, &error));
    const struct shepard_measure_case on = {job, &dataset, &check, values};
    const double started = shepard_seconds_wall();
    shepard_measure(serial, &on, &options, &results, &found);
    EXPECT(found.state == SHEPARD_MEASUREMENT_MEASURED && found.runs == 4);
    EXPECT(found.times.total > 0 && found.error < 1e-10 && !shepard_measurement_is_wrong(&found));
    /* The second of four runs is the median: two are no shorter. */
    EXPECT(4 * found.mean >= 3 * found.times.total);
    EXPECT(4 * found.mean <= shepard_seconds_wall() - started);
    /* Known: 1000 x 1000 points took 12 s. 3000 x 2000 are then 72 s. */
    const struct shepard_measurement known = {.method = serial,
                                              .job = aidw(1000, 1000),
                                              .state = SHEPARD_MEASUREMENT_MEASURED,
                                              .times = {.total = 12}};
    EXPECT(shepard_paper_results_add(&results, &known));
    shepard_measure(serial, &on, &options, &results, &found);
    EXPECT(found.state == SHEPARD_MEASUREMENT_EXTRAPOLATED && is_close(found.times.total, 72));
    EXPECT(found.runs == 0 && found.mean == 0 && isnan(found.error));
    options.budget = 1e-9;
    shepard_measure(ours, &on, &options, &results, &found);
    EXPECT(found.state == SHEPARD_MEASUREMENT_SKIPPED && found.times.total > 1e-9);
    options.threads = 5000; /* more than the library takes */
    shepard_measure(ours, &on, &options, &results, &found);
    EXPECT(found.state == SHEPARD_MEASUREMENT_FAILED && strstr(found.message, "threads"));
    shepard_paper_results_free(&results);
    shepard_error_check_free(&check);
    shepard_dataset_free(&dataset);
    free(values[0]);
}

/* Sets in one call and in calls, columns in calls: predictions of each of them are its own. */
static void check_measure_several(uint64_t seed)
{
    enum { N = 600, M = 300, ARRAYS = 5 };
    const size_t serial = find_name("idw2-serial"), ours = find_name("new-idw-1e-4");
    static const struct {
        size_t sets, columns;
        bool apart;
    } cases[] = {{ARRAYS, 1, false}, {ARRAYS, 1, true}, {1, ARRAYS, false}, {1, ARRAYS, true}};
    double *values[ARRAYS];
    for (size_t a = 0; a < ARRAYS; a++)
        values[a] = malloc(M * sizeof(double));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct shepard_workload job = {.method = SHEPARD_METHOD_IDW,
                                             .power = 2,
                                             .n = N,
                                             .m = M,
                                             .columns = cases[i].columns,
                                             .sets = cases[i].sets,
                                             .apart = cases[i].apart};
        struct shepard_dataset dataset = {
            .n = N * job.sets, .m = M * job.sets, .columns = job.columns};
        struct shepard_error_check check;
        struct shepard_error error;
        struct shepard_paper_results none = {0};
        struct shepard_measurement found;
        const struct shepard_measure_options options = {.budget = 60, .runs = 2, .threads = 1};
        EXPECT(shepard_dataset_draw(&dataset, seed));
        EXPECT(!shepard_error_check_prepare(&check, &job, &dataset, 1, &error));
        const struct shepard_measure_case on = {job, &dataset, &check, values};
        shepard_measure(serial, &on, &options, &none, &found);
        EXPECT(found.state == SHEPARD_MEASUREMENT_MEASURED && found.error < 1e-10);
        if (job.sets == 1 || job.apart) {
            shepard_measure(ours, &on, &options, &none, &found);
            EXPECT(found.state == SHEPARD_MEASUREMENT_MEASURED && found.error < 1e-4);
        }
        /* The last target of the last set, by the formula. */
        const struct shepard_dataset last = shepard_dataset_part(&dataset, job.sets - 1, job.sets);
        EXPECT(last.n == N && last.target_x + M == dataset.target_x + dataset.m);
        const double exact = formula(&last, M - 1, 2);
        EXPECT(job.columns > 1 || fabs(values[ARRAYS - 1][M - 1] - exact) < 1e-2);
        EXPECT(job.columns > 1 || fabs(check.exact[ARRAYS * check.count - 1] - exact) < 1e-10);
        shepard_error_check_free(&check);
        shepard_dataset_free(&dataset);
    }
    for (size_t a = 0; a < ARRAYS; a++)
        free(values[a]);
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    check_sizes();
    check_work();
    check_names();
    check_results();
    check_limits();
    check_error_check(seed);
    check_dataset(seed);
    check_series();
    check_members();
    check_json();
    check_measure(seed);
    check_measure_several(seed);
    printf("%d faults\n", faults);
    return faults ? 1 : 0;
}
