/* SPDX-License-Identifier: MIT */
/* The papers' engines against the core library's backend ref, plain double with compensated sums.
 *
 *   test_engines serial         the engines of one thread
 *   test_engines gpu            the others; exit code 77 where no device can be used
 *   test_engines gpu --small    a few small jobs, for compute-sanitizer
 *   ... --flat                  without nested engines: some of its tools do not see their kernels
 *   ... --seed N                other random jobs */
#include "cloud.h"
#include "hold.h"

#include "papers/papers_engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_SKIPPED 77
#define ENGINES_MAX 96

static const double single_limit = 1e-5, double_limit = 1e-11;

/* An engine in single precision that is never so far off computes in double. */
static const double single_least = 1e-9;

/* What an engine of one precision must agree on with another of it that does the same sums. */
static const double single_alike = 1e-6, double_alike = 1e-13;

struct tally {
    size_t faults, runs;
    double worst[ENGINES_MAX]; /* of each engine, parts of the value range */
    size_t runs_of[ENGINES_MAX];
    bool gpu;  /* engines under test: those on a GPU, or the others */
    bool flat; /* but no nested ones */
};

struct trial {
    struct cloud_plan plan;
    struct shepard_parameters parameters;
    unsigned long long seed;
};

/* Values [columns][m]. */
struct sheet {
    double *columns[CLOUD_COLUMNS_MAX];
    size_t count;
};

static void fault(struct tally *tally, const char *text)
{
    printf("FAULT: %s\n", text);
    tally->faults++;
}

static struct sheet sheet_make(size_t columns, size_t m)
{
    struct sheet sheet = {.count = columns};
    for (size_t c = 0; c < columns; c++) {
        sheet.columns[c] = malloc((m + 1) * sizeof(double));
        if (sheet.columns[c] == NULL)
            exit(1);
        for (size_t i = 0; i < m; i++)
            sheet.columns[c][i] = NAN;
    }
    return sheet;
}

static void sheet_free(struct sheet *sheet)
{
    for (size_t c = 0; c < sheet->count; c++)
        free(sheet->columns[c]);
}

/* ---- random trials --------------------------------------------------------------------------- */

#define PICK(chance, list) (list)[chance_below((chance), sizeof(list) / sizeof *(list))]

static void choose_adaptive(struct chance *chance, struct trial *trial)
{
    static const size_t ks[] = {1, 10, 15, 32};
    struct shepard_adaptive *const adaptive = &trial->parameters.adaptive;
    const bool flat = trial->plan.shape == FLAT_LINE || trial->plan.n < 4;
    adaptive->k = PICK(chance, ks);
    if (flat || chance_below(chance, 3) == 0)
        adaptive->area = chance_range(chance, 1e4, 2e6);
    if (chance_below(chance, 3) == 0)
        adaptive->expect = SHEPARD_EXPECT_KNN;
    if (chance_below(chance, 3) == 0)
        adaptive->r_max = chance_range(chance, 1, 4);
    if (chance_below(chance, 4) == 0)
        adaptive->r_min = chance_range(chance, 0, 0.9);
    for (int i = 0; i < 5 && chance_below(chance, 2) == 0; i++)
        adaptive->powers[i] = chance_range(chance, 0.1, 12);
}

static struct trial choose_trial(unsigned long long seed, bool small)
{
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 5000};
    static const size_t columns[] = {1, 1, 1, 2, 3, 5, 16, 17, 64};
    static const double powers[] = {0.1, 0.5, 1, 2, 2, 3, 3.5, 8, 20, 100};
    struct chance chance = {seed};
    struct trial trial = {.seed = seed};
    const size_t kinds = sizeof sizes / sizeof *sizes - (small ? 2 : 0);
    trial.plan =
        (struct cloud_plan){.n = sizes[chance_below(&chance, kinds)],
                            .m = sizes[chance_below(&chance, kinds)],
                            .columns = PICK(&chance, columns),
                            .shape = (enum cloud_shape)chance_below(&chance, SHAPE_COUNT),
                            .targets = (enum target_shape)chance_below(&chance, TARGET_SHAPE_COUNT),
                            .utm = chance_below(&chance, 3) == 0,
                            .constant = chance_below(&chance, 12) == 0};
    if (trial.plan.n * trial.plan.m * (trial.plan.columns + 8) > 50000000)
        trial.plan.m = 257;
    shepard_parameters_init(&trial.parameters);
    trial.parameters.power = PICK(&chance, powers);
    choose_adaptive(&chance, &trial);
    return trial;
}

/* ---- one engine, one trial ------------------------------------------------------------------- */

/* The answer of the backend ref. */
static bool reference(const struct papers_cloud *cloud, struct shepard_parameters parameters,
                      enum shepard_method method, const struct sheet *sheet)
{
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error;
    struct shepard_points_options options;
    struct shepard_output_array columns[SHEPARD_PAPER_COLUMNS_MAX];
    for (size_t c = 0; c < sheet->count; c++)
        columns[c] = shepard_output_doubles(sheet->columns[c]);
    const struct shepard_output output = {.size = sizeof output, .values = columns};
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_REF;
    parameters.method = method;
    parameters.precision = SHEPARD_PRECISION_DOUBLE;
    parameters.eps = 0;
    bool good =
        shepard_points_create(&cloud->coordinates, &options, &points, &error) == SHEPARD_OK &&
        shepard_field_create(points, &cloud->values, &field, &error) == SHEPARD_OK &&
        shepard_predict(field, &parameters, &cloud->targets, &output, NULL, &error) == SHEPARD_OK;
    if (!good)
        printf("ref: %s\n", error.message);
    shepard_field_free(field);
    shepard_points_free(points);
    return good;
}

/* The largest difference, in parts of each column's range, beyond the rounding of the values
 * themselves; infinite for what is not a number. */
static double difference(const struct papers_cloud *cloud, const struct sheet *a,
                         const struct sheet *b)
{
    double worst = 0;
    for (size_t c = 0; c < cloud->values.column_count; c++)
        for (size_t i = 0; i < cloud->targets.count; i++) {
            const double d = fabs(a->columns[c][i] - b->columns[c][i]);
            const double beyond = (d - 4 * 0x1p-52 * cloud->largest[c]) / cloud->range[c];
            worst = isnan(d) ? INFINITY : fmax(worst, beyond);
        }
    return worst;
}

static void print_trial(const char *name, const struct trial *trial)
{
    const struct cloud_plan *const plan = &trial->plan;
    const struct shepard_adaptive *const adaptive = &trial->parameters.adaptive;
    printf("  %s, seed %llu: n %zu, m %zu, columns %zu, %s, targets %s%s%s, power %g, k %zu\n",
           name, trial->seed, plan->n, plan->m, plan->columns, cloud_shape_names[plan->shape],
           target_shape_names[plan->targets], plan->utm ? ", utm" : "",
           plan->constant ? ", constant" : "", trial->parameters.power, adaptive->k);
}

static bool check_times(const struct shepard_paper_times *times)
{
    const double stages = times->prepare + times->upload + times->grid + times->neighbours +
                          times->weighting + times->download;
    return times->total > 0 && times->prepare >= 0 && times->upload >= 0 && times->grid >= 0 &&
           times->neighbours >= 0 && times->weighting >= 0 && times->download >= 0 &&
           stages <= 1.01 * times->total + 1e-4;
}

static double limit_of(const struct shepard_paper_engine *engine, size_t n)
{
    if (engine->precision == SHEPARD_PRECISION_DOUBLE)
        return double_limit;
    /* n float additions, one after another, of weights and of weights times values. */
    const bool adds_plainly = engine->plain || engine->scheme == SHEPARD_PAPER_SERIAL;
    return single_limit + (adds_plainly ? (double)n * 0x1p-24 : 0);
}

static bool is_all_nan(const struct sheet *sheet, size_t m)
{
    bool nan = true;
    for (size_t c = 0; c < sheet->count; c++)
        for (size_t i = 0; i < m; i++)
            nan = nan && isnan(sheet->columns[c][i]);
    return nan;
}

/* Values against the answer; an engine that does not add up has none. */
static void check_values(struct tally *tally, size_t number, const struct trial *trial,
                         const struct papers_cloud *cloud, const struct sheet *exact,
                         const struct sheet *found)
{
    const struct shepard_paper_engine engine = shepard_paper_engine_at(number);
    char name[SHEPARD_PAPER_NAME];
    shepard_paper_engine_name(&engine, name);
    if (engine.scheme == SHEPARD_PAPER_NESTED_OPEN) {
        if (!is_all_nan(found, trial->plan.m)) {
            fault(tally, "an engine that does not add up gives numbers");
            print_trial(name, trial);
        }
        return;
    }
    const double worst = difference(cloud, exact, found);
    tally->worst[number] = fmax(tally->worst[number], worst);
    if (!(worst <= limit_of(&engine, trial->plan.n))) {
        printf("error %g of the range\n", worst);
        fault(tally, "an engine is off");
        print_trial(name, trial);
    }
}

static void check_engine(struct tally *tally, size_t number, const struct trial *trial,
                         const struct papers_cloud *cloud, const struct sheet *exact,
                         const struct sheet *found)
{
    const struct shepard_paper_engine engine = shepard_paper_engine_at(number);
    const struct shepard_paper_job job = {&cloud->coordinates, &cloud->values, &cloud->targets,
                                          &trial->parameters};
    char name[SHEPARD_PAPER_NAME];
    struct shepard_error error = {0};
    struct shepard_paper_times times = {0};
    shepard_paper_engine_name(&engine, name);
    tally->runs++;
    tally->runs_of[number]++;
    if (shepard_paper_run(&engine, &job, found->columns, &times, &error) != SHEPARD_OK) {
        fault(tally, error.message);
        print_trial(name, trial);
        return;
    }
    check_values(tally, number, trial, cloud, exact, found);
    if (!check_times(&times)) {
        fault(tally, "stage times do not fit the total");
        print_trial(name, trial);
    }
}

static bool is_under_test(const struct tally *tally, const struct shepard_paper_engine *engine)
{
    return (engine->scheme != SHEPARD_PAPER_SERIAL) == tally->gpu &&
           !(tally->flat && shepard_paper_scheme_is_nested(engine->scheme));
}

/* The improved engines' neighbours are the original ones': so are powers, and sums. */
static void check_alike(struct tally *tally, const struct trial *trial,
                        const struct papers_cloud *cloud, const struct sheet *sheets)
{
    for (size_t i = 0; i < shepard_paper_engine_count(); i++) {
        const struct shepard_paper_engine a = shepard_paper_engine_at(i);
        for (size_t j = 0; j < shepard_paper_engine_count(); j++) {
            const struct shepard_paper_engine b = shepard_paper_engine_at(j);
            if (a.system != SHEPARD_PAPER_IMPROVED || b.system != SHEPARD_PAPER_ORIGINAL ||
                a.scheme != b.scheme || a.layout != b.layout || a.precision != b.precision ||
                a.plain != b.plain || (a.plain && trial->plan.columns > 1))
                continue;
            const double limit =
                a.precision == SHEPARD_PRECISION_SINGLE ? single_alike : double_alike;
            if (!(difference(cloud, &sheets[i], &sheets[j]) <= limit)) {
                fault(tally, "improved and original engines differ");
                print_trial("improved", trial);
            }
        }
    }
}

static void run_trial(struct tally *tally, const struct trial *trial)
{
    const size_t m = trial->plan.m, columns = trial->plan.columns;
    const size_t count = shepard_paper_engine_count();
    struct chance chance = {trial->seed ^ 0x5eed};
    struct papers_cloud cloud;
    struct sheet sheets[ENGINES_MAX];
    cloud_make(&trial->plan, &chance, &cloud);
    struct sheet idw = sheet_make(columns, m), aidw = sheet_make(columns, m);
    if (!reference(&cloud, trial->parameters, SHEPARD_METHOD_IDW, &idw) ||
        !reference(&cloud, trial->parameters, SHEPARD_METHOD_AIDW, &aidw))
        fault(tally, "ref refused");
    for (size_t i = 0; i < count; i++) {
        const struct shepard_paper_engine engine = shepard_paper_engine_at(i);
        const bool fits =
            (!engine.square || trial->parameters.power == 2) && (!engine.plain || columns == 1);
        sheets[i] = sheet_make(columns, m);
        if (is_under_test(tally, &engine) && fits)
            check_engine(tally, i, trial, &cloud, engine.system == SHEPARD_PAPER_IDW ? &idw : &aidw,
                         &sheets[i]);
    }
    if (tally->gpu)
        check_alike(tally, trial, &cloud, sheets);
    for (size_t i = 0; i < count; i++)
        sheet_free(&sheets[i]);
    sheet_free(&idw);
    sheet_free(&aidw);
    cloud_free(&cloud);
}

/* An engine without the rounding errors of single precision is not in single precision. */
static void check_precision(struct tally *tally)
{
    for (size_t i = 0; i < shepard_paper_engine_count(); i++) {
        const struct shepard_paper_engine engine = shepard_paper_engine_at(i);
        if (is_under_test(tally, &engine) && engine.precision == SHEPARD_PRECISION_SINGLE &&
            engine.scheme != SHEPARD_PAPER_NESTED_OPEN && tally->worst[i] < single_least)
            fault(tally, "an engine in single precision makes no rounding errors of it");
    }
}

/* ---- separate sets in one call ----------------------------------------------------------------
 */

/* Sets of one trial: as many points and targets, but places of other shapes. */
struct set_list {
    size_t count;
    struct papers_cloud clouds[SHEPARD_PAPER_SETS_MAX];
    struct shepard_paper_job jobs[SHEPARD_PAPER_SETS_MAX];
    struct sheet truth; /* a column for each set */
};

static void make_sets(struct tally *tally, const struct trial *trial, struct set_list *sets)
{
    struct chance chance = {trial->seed ^ 0x5e75};
    struct cloud_plan plan = trial->plan;
    sets->truth = sheet_make(sets->count, plan.m);
    for (size_t i = 0; i < sets->count; i++) {
        struct papers_cloud *const cloud = &sets->clouds[i];
        struct sheet one = {{sets->truth.columns[i]}, 1};
        plan.shape = (enum cloud_shape)chance_below(&chance, SHAPE_COUNT);
        plan.targets = (enum target_shape)chance_below(&chance, TARGET_SHAPE_COUNT);
        plan.utm = chance_below(&chance, 3) == 0;
        cloud_make(&plan, &chance, cloud);
        sets->jobs[i] = (struct shepard_paper_job){&cloud->coordinates, &cloud->values,
                                                   &cloud->targets, &trial->parameters};
        if (!reference(cloud, trial->parameters, SHEPARD_METHOD_IDW, &one))
            fault(tally, "ref refused");
    }
}

static void check_sets_of(struct tally *tally, size_t number, const struct trial *trial,
                          const struct set_list *sets)
{
    const struct shepard_paper_engine engine = shepard_paper_engine_at(number);
    struct sheet found = sheet_make(sets->count, trial->plan.m);
    struct shepard_error error = {0};
    struct shepard_paper_times times = {0};
    char name[SHEPARD_PAPER_NAME];
    shepard_paper_engine_name(&engine, name);
    tally->runs++;
    tally->runs_of[number]++;
    if (shepard_paper_run_sets(&engine, sets->jobs, sets->count, found.columns, &times, &error))
        fault(tally, error.message);
    for (size_t i = 0; i < sets->count; i++) {
        const struct sheet truth = {{sets->truth.columns[i]}, 1}, own = {{found.columns[i]}, 1};
        const double worst = difference(&sets->clouds[i], &truth, &own);
        tally->worst[number] = fmax(tally->worst[number], worst);
        if (worst <= limit_of(&engine, trial->plan.n))
            continue;
        printf("set %zu of %zu, error %g of the range\n", i, sets->count, worst);
        fault(tally, "a set is off");
        print_trial(name, trial);
    }
    if (!check_times(&times))
        fault(tally, "stage times of sets do not fit the total");
    sheet_free(&found);
}

static void run_sets(struct tally *tally, const struct trial *trial, size_t count)
{
    static struct set_list sets;
    sets.count = count;
    make_sets(tally, trial, &sets);
    for (size_t i = 0; i < shepard_paper_engine_count(); i++) {
        const struct shepard_paper_engine engine = shepard_paper_engine_at(i);
        const bool fits =
            engine.system == SHEPARD_PAPER_IDW && (!engine.square || trial->parameters.power == 2);
        if (is_under_test(tally, &engine) && fits && shepard_paper_engine_takes_sets(&engine))
            check_sets_of(tally, i, trial, &sets);
    }
    for (size_t i = 0; i < count; i++)
        cloud_free(&sets.clouds[i]);
    sheet_free(&sets.truth);
}

static void check_sets(struct tally *tally, unsigned long long seed, bool small)
{
    static const size_t sizes[] = {1, 33, 255, 257, 1000, 5000};
    static const size_t counts[] = {1, 2, 3, 7, SHEPARD_PAPER_SETS_MAX};
    for (unsigned long long i = 0; i < (small ? 4 : 30); i++) {
        struct chance chance = {seed + i};
        struct trial trial = {.seed = seed + i};
        const size_t count = PICK(&chance, counts);
        trial.plan.n = PICK(&chance, sizes);
        trial.plan.m = sizes[chance_below(&chance, 4)];
        trial.plan.columns = 1;
        shepard_parameters_init(&trial.parameters);
        run_sets(tally, &trial, count);
    }
    /* Four targets a thread, and the data in parts or whole. */
    struct trial wide = {.seed = seed, .plan = {.n = 2100, .m = 34000, .columns = 1}};
    shepard_parameters_init(&wide.parameters);
    if (tally->gpu && !small)
        run_sets(tally, &wide, 2);
    wide.plan.n = 100000;
    wide.plan.m = 50;
    if (tally->gpu && !small)
        run_sets(tally, &wide, 5);
}

/* ---- wrong arguments ------------------------------------------------------------------------- */

struct wrong {
    const char *argument;
    enum shepard_status status;
    struct shepard_coordinates coordinates;
    struct shepard_values values;
    struct shepard_targets targets;
    struct shepard_parameters parameters;
};

static void expect(struct tally *tally, const struct shepard_paper_engine *engine,
                   const struct wrong *wrong)
{
    double room[4] = {0};
    double *const columns[2] = {room, room};
    const struct shepard_paper_job job = {&wrong->coordinates, &wrong->values, &wrong->targets,
                                          &wrong->parameters};
    struct shepard_error error = {0};
    const enum shepard_status status = shepard_paper_run(engine, &job, columns, NULL, &error);
    tally->runs++;
    if (status == wrong->status && strcmp(error.argument, wrong->argument) == 0 &&
        strlen(error.message) > 20 &&
        shepard_paper_run(engine, &job, columns, NULL, NULL) == status)
        return;
    printf("expected %s: %s; found %s: %s: %s\n", wrong->argument,
           shepard_status_text(wrong->status), error.argument, shepard_status_text(status),
           error.message);
    fault(tally, "a wrong argument");
}

/* A job without a fault: three points, three targets. */
static struct wrong right_job(void)
{
    static const double x[] = {0, 1, 2}, y[] = {0, 2, 1};
    static const struct shepard_array columns[] = {{.data = x}};
    struct wrong good = {
        .argument = "",
        .status = SHEPARD_ERROR_ARGUMENT,
        .coordinates = {.size = sizeof good.coordinates,
                        .count = 3,
                        .x = {.data = x},
                        .y = {.data = y}},
        .values = {.size = sizeof good.values, .column_count = 1, .columns = columns},
        .targets = {.size = sizeof good.targets,
                    .kind = SHEPARD_TARGETS_LIST,
                    .count = 3,
                    .x = {.data = x},
                    .y = {.data = y}},
    };
    shepard_parameters_init(&good.parameters);
    return good;
}

static void check_arguments(struct tally *tally, const struct shepard_paper_engine *engine)
{
    static const double ones[] = {1, 1, 1}, flat[] = {5, 5, 5}, bad[] = {0, NAN, 1};
    static const struct shepard_array bad_columns[] = {{.data = bad}};
    const bool idw = engine->system == SHEPARD_PAPER_IDW;
    struct wrong good = right_job(), wrong = good;
#define WRONG(name, field, value)                                                                  \
    do {                                                                                           \
        wrong = good;                                                                              \
        wrong.argument = name;                                                                     \
        wrong.field = value;                                                                       \
        expect(tally, engine, &wrong);                                                             \
    } while (0)
    WRONG("coordinates.x", coordinates.x.data, NULL);
    WRONG("coordinates.y", coordinates.y.data, bad);
    WRONG("coordinates.y", coordinates.y.type, SHEPARD_FLOAT32);
    WRONG("coordinates.y", coordinates.y.stride, 16);
    WRONG("values.columns", values.columns, bad_columns);
    WRONG("values.columns", values.columns, NULL);
    WRONG("values.weights", values.weights.data, ones);
    WRONG("values.column_count", values.column_count, 0);
    WRONG("targets.x", targets.x.data, bad);
    WRONG("targets.y", targets.y.data, NULL);
    WRONG("targets.kind", targets.kind, SHEPARD_TARGETS_RASTER);
    WRONG("parameters.power", parameters.power, 0);
    WRONG("parameters.power", parameters.power, 101);
    WRONG("parameters.smoothing", parameters.smoothing, 1);
    WRONG("parameters.degree", parameters.degree, 1);
    WRONG("parameters.neighbourhood", parameters.neighbourhood.max_points, 5);
    WRONG("parameters.adaptive.k", parameters.adaptive.k, 0);
    if (!idw)
        WRONG("parameters.adaptive.k", parameters.adaptive.k, SHEPARD_PAPER_NEIGHBOURS_MAX + 1);
    if (engine->square)
        WRONG("parameters.power", parameters.power, 3);
    if (engine->plain)
        WRONG("values.column_count", values.column_count, 2);
    good.status = SHEPARD_ERROR_NO_POINTS;
    WRONG("coordinates.count", coordinates.count, 0);
    good.status = SHEPARD_ERROR_AREA;
    if (!idw)
        WRONG("parameters.adaptive.area", coordinates.y.data, flat);
#undef WRONG
}

static void check_none(struct tally *tally, const struct shepard_paper_engine *engine)
{
    struct wrong good = right_job();
    const struct shepard_paper_job job = {&good.coordinates, &good.values, &good.targets,
                                          &good.parameters};
    double *const nowhere[1] = {NULL};
    struct shepard_error error;
    good.targets.count = 0;
    good.targets.x.data = good.targets.y.data = NULL;
    if (shepard_paper_run(engine, &job, nowhere, NULL, &error) != SHEPARD_OK)
        fault(tally, error.message);
    if (shepard_paper_run(engine, NULL, nowhere, NULL, &error) != SHEPARD_ERROR_ARGUMENT ||
        shepard_paper_run(engine, &job, NULL, NULL, NULL) != SHEPARD_ERROR_ARGUMENT)
        fault(tally, "NULL was taken");
}

/* Sets that do not fit together, or the engine. */
static void check_wrong_sets(struct tally *tally, const struct shepard_paper_engine *engine)
{
    struct wrong good = right_job(), other = right_job();
    double room[2][4];
    double *const values[SHEPARD_PAPER_SETS_MAX + 1] = {room[0], room[1]};
    const struct shepard_paper_job one = {&good.coordinates, &good.values, &good.targets,
                                          &good.parameters};
    const struct shepard_paper_job two = {&other.coordinates, &other.values, &other.targets,
                                          &other.parameters};
    const struct shepard_paper_job jobs[SHEPARD_PAPER_SETS_MAX + 1] = {one, two};
    const bool takes = shepard_paper_engine_takes_sets(engine);
    struct shepard_error error = {0};
    tally->runs++;
    if (shepard_paper_run_sets(engine, jobs, 2, values, NULL, &error) !=
        (takes ? SHEPARD_OK : SHEPARD_ERROR_ARGUMENT))
        fault(tally, "two sets were refused by an engine that takes them, or taken by another");
    other.coordinates.count = 2;
    if (shepard_paper_run_sets(engine, jobs, 2, values, NULL, &error) != SHEPARD_ERROR_ARGUMENT ||
        strcmp(error.argument, takes ? "jobs" : "count") != 0)
        fault(tally, "sets of two sizes were taken");
    other.parameters.smoothing = 1;
    if (shepard_paper_run_sets(engine, jobs, 2, values, NULL, &error) != SHEPARD_ERROR_ARGUMENT ||
        strcmp(error.argument, "parameters.smoothing") != 0)
        fault(tally, "a fault of the second set was not named");
    if (!shepard_paper_run_sets(engine, jobs, 0, values, NULL, &error) ||
        !shepard_paper_run_sets(engine, NULL, 2, values, NULL, &error) ||
        !shepard_paper_run_sets(engine, jobs, SHEPARD_PAPER_SETS_MAX + 1, values, NULL, &error))
        fault(tally, "a wrong number of sets was taken");
}

static void check_list(struct tally *tally)
{
    char names[ENGINES_MAX][SHEPARD_PAPER_NAME];
    const size_t count = shepard_paper_engine_count();
    for (size_t i = 0; i < count; i++) {
        const struct shepard_paper_engine engine = shepard_paper_engine_at(i);
        shepard_paper_engine_name(&engine, names[i]);
        for (size_t j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
                fault(tally, "two engines have one name");
        if (!is_under_test(tally, &engine))
            continue;
        check_arguments(tally, &engine);
        check_none(tally, &engine);
        check_wrong_sets(tally, &engine);
    }
    struct shepard_paper_engine no_such = shepard_paper_engine_at(0);
    no_such.layout = SHEPARD_PAPER_AOAS;
    if (shepard_paper_engine_refusal(&no_such) == NULL)
        fault(tally, "an unknown engine was not refused");
}

/* ---- on the device --------------------------------------------------------------------------- */

/* Many points and few targets on them, so that a float sum of plain additions would show. */
static void check_many(struct tally *tally)
{
    struct trial trial = {.plan = {.n = 1024000, .m = 64, .columns = 1, .targets = INSIDE}};
    shepard_parameters_init(&trial.parameters);
    run_trial(tally, &trial);
    trial.plan.n = 33;
    trial.plan.m = 600000;
    run_trial(tally, &trial);
}

static void check_memory(struct tally *tally)
{
    const struct cloud_plan plan = {.n = 1000000, .m = 1000000, .columns = 1, .targets = INSIDE};
    struct chance chance = {1};
    struct shepard_parameters parameters;
    struct papers_cloud cloud;
    struct sheet sheet = sheet_make(1, plan.m);
    void *const held = hold_memory();
    shepard_parameters_init(&parameters);
    cloud_make(&plan, &chance, &cloud);
    const struct shepard_paper_job job = {&cloud.coordinates, &cloud.values, &cloud.targets,
                                          &parameters};
    for (size_t i = 0; held != NULL && i < shepard_paper_engine_count(); i++) {
        const struct shepard_paper_engine engine = shepard_paper_engine_at(i);
        struct shepard_error error = {0};
        if (!is_under_test(tally, &engine) || engine.precision == SHEPARD_PRECISION_SINGLE)
            continue;
        const enum shepard_status status =
            shepard_paper_run(&engine, &job, sheet.columns, NULL, &error);
        if (status != SHEPARD_ERROR_MEMORY || strstr(error.message, "memory") == NULL)
            fault(tally, "a full device did not give SHEPARD_ERROR_MEMORY");
        if (i + 1 == shepard_paper_engine_count())
            printf("full device: %s\n", error.message);
    }
    if (held == NULL)
        fault(tally, "the device's memory could not be taken");
    release_memory(held);
    cloud_free(&cloud);
    sheet_free(&sheet);
}

/* Last of all: no engine runs after it. */
static void check_lost(struct tally *tally)
{
    const struct cloud_plan plan = {.n = 1000, .m = 100, .columns = 1, .targets = INSIDE};
    struct chance chance = {1};
    struct shepard_parameters parameters;
    struct papers_cloud cloud;
    struct sheet sheet = sheet_make(1, plan.m);
    struct shepard_error error = {0};
    shepard_parameters_init(&parameters);
    cloud_make(&plan, &chance, &cloud);
    const struct shepard_paper_job job = {&cloud.coordinates, &cloud.values, &cloud.targets,
                                          &parameters};
    if (!lose_device())
        fault(tally, "the device could not be lost");
    for (size_t i = 0; i < shepard_paper_engine_count(); i++) {
        const struct shepard_paper_engine engine = shepard_paper_engine_at(i);
        if (!is_under_test(tally, &engine))
            continue;
        const enum shepard_status status =
            shepard_paper_run(&engine, &job, sheet.columns, NULL, &error);
        if (status != SHEPARD_ERROR_BACKEND || strstr(error.message, "lost") == NULL)
            fault(tally, "a lost device did not give SHEPARD_ERROR_BACKEND");
    }
    printf("lost device: %s\n", error.message);
    cloud_free(&cloud);
    sheet_free(&sheet);
}

/* ---- main ------------------------------------------------------------------------------------ */

static void report(const struct tally *tally)
{
    for (size_t i = 0; i < shepard_paper_engine_count(); i++) {
        const struct shepard_paper_engine engine = shepard_paper_engine_at(i);
        char name[SHEPARD_PAPER_NAME];
        shepard_paper_engine_name(&engine, name);
        if (tally->runs_of[i] > 0)
            printf("%-32s %4zu runs, largest error %.2e of the value range\n", name,
                   tally->runs_of[i], tally->worst[i]);
    }
    printf("%zu runs, %zu faults\n", tally->runs, tally->faults);
}

static bool has_argument(int argc, char **argv, const char *text)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], text) == 0)
            return true;
    return false;
}

static unsigned long long seed_of(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--seed") == 0)
            return strtoull(argv[i + 1], NULL, 10);
    return 20160106;
}

int main(int argc, char **argv)
{
    const bool small = has_argument(argc, argv, "--small");
    const unsigned long long seed = seed_of(argc, argv);
    struct tally tally = {.gpu = has_argument(argc, argv, "gpu"),
                          .flat = has_argument(argc, argv, "--flat")};
    struct shepard_cuda_info cuda;
    shepard_cuda_get_info(&cuda);
    if (tally.gpu && cuda.reason[0] != '\0') {
        printf("skipped: %s\n", cuda.reason);
        return EXIT_SKIPPED;
    }
    if (shepard_paper_engine_count() > ENGINES_MAX)
        return 1;
    printf("seed %llu\n", seed);
    check_list(&tally);
    for (unsigned long long i = 0; i < (small ? 12 : 150); i++) {
        const struct trial trial = choose_trial(seed + i, small);
        run_trial(&tally, &trial);
    }
    check_sets(&tally, seed, small);
    if (tally.gpu && !small) {
        check_many(&tally);
        check_memory(&tally);
        check_lost(&tally);
    }
    check_precision(&tally);
    report(&tally);
    return tally.faults == 0 ? 0 : 1;
}
