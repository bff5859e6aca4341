/* SPDX-License-Identifier: MIT */
#include "papers_engine.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "cuda/device.h"
#include "gpu.h"
#include "problem.h"
#include "serial.h"
#include "stopwatch.h"

#include <stdio.h>

/* ---- the list -------------------------------------------------------------------------------- */

#define ENGINE_OR_PLAIN(system, scheme, layout, precision, square, plain)                          \
    {                                                                                              \
        SHEPARD_PAPER_##system, SHEPARD_PAPER_##scheme, SHEPARD_PAPER_##layout,                    \
            SHEPARD_PRECISION_##precision, (square), (plain), SHEPARD_PAPER_GRID_DENSE             \
    }
#define ENGINE(system, scheme, layout, precision, square)                                          \
    ENGINE_OR_PLAIN(system, scheme, layout, precision, square, false)
#define PRECISIONS(system, scheme, layout, square)                                                 \
    ENGINE(system, scheme, layout, SINGLE, square), ENGINE(system, scheme, layout, DOUBLE, square)
#define LAYOUTS(system, scheme, square)                                                            \
    PRECISIONS(system, scheme, SOA, square), PRECISIONS(system, scheme, AOAS, square)
#define SCHEMES(system, square) LAYOUTS(system, NAIVE, square), LAYOUTS(system, TILED, square)

#define PLAIN_SCHEMES(system, layout, precision, square)                                           \
    ENGINE_OR_PLAIN(system, NAIVE, layout, precision, square, true),                               \
        ENGINE_OR_PLAIN(system, TILED, layout, precision, square, true)
#define OWN_GRID(scheme)                                                                           \
    {                                                                                              \
        SHEPARD_PAPER_IMPROVED, SHEPARD_PAPER_##scheme, SHEPARD_PAPER_SOA,                         \
            SHEPARD_PRECISION_SINGLE, false, false, SHEPARD_PAPER_GRID_OWN                         \
    }

static const struct shepard_paper_engine engines[] = {
    PRECISIONS(IDW, SERIAL, SOA, true),
    PRECISIONS(IDW, SERIAL, SOA, false),
    ENGINE(ORIGINAL, SERIAL, SOA, DOUBLE, false),
    SCHEMES(IDW, true),
    PRECISIONS(IDW, NESTED, SOA, true),
    ENGINE(IDW, NESTED_TAIL, SOA, SINGLE, true),
    ENGINE(IDW, NESTED_OPEN, SOA, SINGLE, true),
    SCHEMES(IDW, false),
    PRECISIONS(IDW, NESTED, SOA, false),
    ENGINE(IDW, NESTED_TAIL, SOA, SINGLE, false),
    ENGINE(IDW, NESTED_OPEN, SOA, SINGLE, false),
    SCHEMES(ORIGINAL, false),
    SCHEMES(IMPROVED, false),
    PLAIN_SCHEMES(IDW, SOA, SINGLE, true),
    PLAIN_SCHEMES(IDW, SOA, SINGLE, false),
    PLAIN_SCHEMES(ORIGINAL, SOA, SINGLE, false),
    PLAIN_SCHEMES(ORIGINAL, AOAS, SINGLE, false),
    PLAIN_SCHEMES(ORIGINAL, SOA, DOUBLE, false),
    PLAIN_SCHEMES(ORIGINAL, AOAS, DOUBLE, false),
    PLAIN_SCHEMES(IMPROVED, SOA, SINGLE, false),
    PLAIN_SCHEMES(IMPROVED, AOAS, SINGLE, false),
    OWN_GRID(NAIVE),
    OWN_GRID(TILED),
};

#define ENGINE_COUNT (sizeof engines / sizeof *engines)

size_t shepard_paper_engine_count(void)
{
    return ENGINE_COUNT;
}

struct shepard_paper_engine shepard_paper_engine_at(size_t i)
{
    return engines[i];
}

void shepard_paper_engine_name(const struct shepard_paper_engine *engine,
                               char name[SHEPARD_PAPER_NAME])
{
    static const char *const systems[] = {"idw", "original", "improved"};
    static const char *const schemes[] = {"serial", "naive",       "tiled",
                                          "nested", "nested-tail", "nested-open"};
    const bool serial = engine->scheme == SHEPARD_PAPER_SERIAL;
    const bool is_double = engine->precision == SHEPARD_PRECISION_DOUBLE;
    const char *const unusual = serial ? "-single" : "-double";
    snprintf(name, SHEPARD_PAPER_NAME, "%s%s%s-%s%s%s%s", engine->plain ? "plain-" : "",
             systems[engine->system], engine->square ? "2" : "", schemes[engine->scheme],
             engine->layout == SHEPARD_PAPER_AOAS ? "-aoas" : "",
             engine->grid == SHEPARD_PAPER_GRID_OWN ? "-own-grid" : "",
             serial == is_double ? "" : unusual);
}

size_t shepard_paper_engine_find(const struct shepard_paper_engine *engine)
{
    size_t i = 0;
    while (i < ENGINE_COUNT &&
           !(engines[i].system == engine->system && engines[i].scheme == engine->scheme &&
             engines[i].layout == engine->layout && engines[i].precision == engine->precision &&
             engines[i].square == engine->square && engines[i].plain == engine->plain &&
             engines[i].grid == engine->grid))
        i++;
    return i;
}

bool shepard_paper_engine_takes_sets(const struct shepard_paper_engine *engine)
{
    const bool is_flat = !engine->plain && (engine->scheme == SHEPARD_PAPER_NAIVE ||
                                            engine->scheme == SHEPARD_PAPER_TILED);
    return engine->scheme == SHEPARD_PAPER_SERIAL ||
           (is_flat && engine->square && engine->layout == SHEPARD_PAPER_SOA &&
            engine->precision == SHEPARD_PRECISION_SINGLE);
}

const char *shepard_paper_engine_refusal(const struct shepard_paper_engine *engine)
{
    if (shepard_paper_engine_find(engine) == ENGINE_COUNT)
        return "there is no such engine";
    if (engine->scheme == SHEPARD_PAPER_SERIAL)
        return NULL;
    const char *const reason = shepard_device_unusable();
    return reason[0] != '\0' ? reason : NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Data sets that one call computes, and what they become in the engine's units. */
struct call {
    const struct shepard_paper_engine *engine;
    const struct shepard_paper_job *jobs;   /* [count] */
    struct shepard_paper_problem *problems; /* [count] */
    size_t count;
};

/* count: of columns or data sets. */
static enum shepard_status check_values(const struct shepard_paper_job *job, double *const *values,
                                        size_t count, struct shepard_error *error)
{
    if (values == NULL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values",
                                 "values is NULL: give an array for each column or data set");
    const bool has_targets = job != NULL && job->targets != NULL && job->targets->count > 0;
    for (size_t c = 0; has_targets && c < count; c++)
        if (values[c] == NULL)
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values",
                                     "values[%zu] is NULL: give an array of targets.count numbers",
                                     c);
    return SHEPARD_OK;
}

static enum shepard_status check_engine(const struct shepard_paper_engine *engine,
                                        struct shepard_error *error)
{
    if (engine == NULL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "engine",
                                 "engine is NULL: give one of shepard_paper_engine_at");
    const char *const refusal = shepard_paper_engine_refusal(engine);
    if (refusal != NULL)
        return shepard_error_set(error, SHEPARD_ERROR_BACKEND, "engine",
                                 "the engine cannot run here: %s", refusal);
    return SHEPARD_OK;
}

/* What several sets of one call need of the engine, and of one another. */
static enum shepard_status check_sets(const struct call *call, struct shepard_error *error)
{
    const struct shepard_paper_problem *const first = &call->problems[0];
    if (call->count > 1 && !shepard_paper_engine_takes_sets(call->engine))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "count",
                                 "this engine takes one data set a call, not %zu: use "
                                 "idw2-naive, idw2-tiled or a serial one",
                                 call->count);
    for (size_t i = 0; i < call->count && call->count > 1; i++) {
        const struct shepard_paper_problem *const set = &call->problems[i];
        if (set->n != first->n || set->m != first->m || set->columns != 1)
            return shepard_error_set(
                error, SHEPARD_ERROR_ARGUMENT, "jobs",
                "jobs[%zu] has %zu points, %zu targets, %zu columns, the first %zu and %zu: "
                "sets of one call have as many of each, and one column",
                i, set->n, set->m, set->columns, first->n, first->m);
    }
    return SHEPARD_OK;
}

static enum shepard_status make_problem(void *context, size_t i, int thread)
{
    const struct call *const call = context;
    (void)thread;
    return shepard_paper_problem_of(call->engine, &call->jobs[i], &call->problems[i], NULL);
}

/* Side by side, without messages. If one fails, a second pass in order gives the first's message.
 */
static enum shepard_status make_problems(struct call *call, struct shepard_error *error)
{
    const struct shepard_loop loop = {.threads = shepard_threads(0),
                                      .blocks = call->count,
                                      .body = make_problem,
                                      .context = call};
    enum shepard_status status = SHEPARD_OK;
    if (shepard_loop_run(&loop) == SHEPARD_OK)
        return check_sets(call, error);
    for (size_t i = 0; i < call->count && status == SHEPARD_OK; i++)
        status = shepard_paper_problem_of(call->engine, &call->jobs[i], &call->problems[i], error);
    return status;
}

/* What the clock does not see: the context, and the loading of kernels. */
static enum shepard_status warm(struct call *call, struct shepard_error *error)
{
    const enum shepard_status status = make_problems(call, error);
    if (status != SHEPARD_OK || call->engine->scheme == SHEPARD_PAPER_SERIAL)
        return status;
    return shepard_paper_gpu_warm(call->engine, call->problems, call->count, error);
}

static enum shepard_status run_serial(const struct call *call, double *const *values,
                                      struct shepard_paper_times *times,
                                      struct shepard_error *error)
{
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < call->count && status == SHEPARD_OK; i++)
        status =
            shepard_paper_serial_run(call->engine, &call->problems[i], values + i, times, error);
    return status;
}

static enum shepard_status run(struct call *call, double *const *values,
                               struct shepard_paper_times *times, struct shepard_error *error)
{
    const double started = shepard_seconds_wall();
    enum shepard_status status = make_problems(call, error);
    if (status != SHEPARD_OK)
        return status;
    times->prepare = shepard_seconds_wall() - started;
    status = call->engine->scheme == SHEPARD_PAPER_SERIAL
                 ? run_serial(call, values, times, error)
                 : shepard_paper_gpu_run(call->engine, call->problems, call->count, values, times,
                                         error);
    times->total = shepard_seconds_wall() - started;
    return status;
}

static enum shepard_status warm_and_run(struct call *call, double *const *values,
                                        struct shepard_paper_times *times,
                                        struct shepard_error *error)
{
    struct shepard_paper_times own = {0};
    call->problems = shepard_allocate(NULL, call->count, sizeof *call->problems);
    if (call->problems == NULL)
        return shepard_error_set_memory(error, "the data sets of a call");
    enum shepard_status status = warm(call, error);
    if (status == SHEPARD_OK)
        status = run(call, values, &own, error);
    if (status == SHEPARD_OK && times != NULL)
        *times = own;
    shepard_release(NULL, call->problems);
    return status;
}

enum shepard_status shepard_paper_run(const struct shepard_paper_engine *engine,
                                      const struct shepard_paper_job *job, double *const *values,
                                      struct shepard_paper_times *times,
                                      struct shepard_error *error)
{
    struct call call = {.engine = engine, .jobs = job, .count = 1};
    const size_t given = job != NULL && job->values != NULL ? job->values->column_count : 0;
    const size_t columns = given < SHEPARD_PAPER_COLUMNS_MAX ? given : SHEPARD_PAPER_COLUMNS_MAX;
    enum shepard_status status = check_values(job, values, columns, error);
    if (status == SHEPARD_OK)
        status = check_engine(engine, error);
    return status == SHEPARD_OK ? warm_and_run(&call, values, times, error) : status;
}

enum shepard_status shepard_paper_run_sets(const struct shepard_paper_engine *engine,
                                           const struct shepard_paper_job *jobs, size_t count,
                                           double *const *values, struct shepard_paper_times *times,
                                           struct shepard_error *error)
{
    struct call call = {.engine = engine, .jobs = jobs, .count = count};
    if (jobs == NULL || count == 0 || count > SHEPARD_PAPER_SETS_MAX)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, jobs == NULL ? "jobs" : "count",
                                 "%zu data sets at %s: give an array of 1 to %d", count,
                                 jobs == NULL ? "NULL" : "jobs", SHEPARD_PAPER_SETS_MAX);
    enum shepard_status status = check_values(jobs, values, count, error);
    if (status == SHEPARD_OK)
        status = check_engine(engine, error);
    return status == SHEPARD_OK ? warm_and_run(&call, values, times, error) : status;
}
