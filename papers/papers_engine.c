/* SPDX-License-Identifier: MIT */
#include "papers_engine.h"

#include "base/error.h"
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
            SHEPARD_PRECISION_##precision, (square), (plain)                                       \
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
    snprintf(name, SHEPARD_PAPER_NAME, "%s%s%s-%s%s%s", engine->plain ? "plain-" : "",
             systems[engine->system], engine->square ? "2" : "", schemes[engine->scheme],
             engine->layout == SHEPARD_PAPER_AOAS ? "-aoas" : "",
             serial == is_double ? "" : unusual);
}

size_t shepard_paper_engine_find(const struct shepard_paper_engine *engine)
{
    size_t i = 0;
    while (i < ENGINE_COUNT &&
           !(engines[i].system == engine->system && engines[i].scheme == engine->scheme &&
             engines[i].layout == engine->layout && engines[i].precision == engine->precision &&
             engines[i].square == engine->square && engines[i].plain == engine->plain))
        i++;
    return i;
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

static enum shepard_status check_call(const struct shepard_paper_engine *engine,
                                      const struct shepard_paper_job *job, double *const *values,
                                      struct shepard_error *error)
{
    const bool has_columns = job != NULL && job->values != NULL && job->targets != NULL;
    if (engine == NULL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "engine",
                                 "engine is NULL: give one of shepard_paper_engine_at");
    if (values == NULL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values",
                                 "values is NULL: give a pointer to values.column_count arrays");
    for (size_t c = 0; has_columns && job->targets->count > 0 && c < job->values->column_count &&
                       c < SHEPARD_PAPER_COLUMNS_MAX;
         c++)
        if (values[c] == NULL)
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values",
                                     "values[%zu] is NULL: give an array of targets.count numbers",
                                     c);
    const char *const refusal = shepard_paper_engine_refusal(engine);
    if (refusal != NULL)
        return shepard_error_set(error, SHEPARD_ERROR_BACKEND, "engine",
                                 "the engine cannot run here: %s", refusal);
    return SHEPARD_OK;
}

/* What the clock does not see: the context, and the loading of kernels. */
static enum shepard_status warm(const struct shepard_paper_engine *engine,
                                const struct shepard_paper_job *job, struct shepard_error *error)
{
    struct shepard_paper_problem problem;
    const enum shepard_status status = shepard_paper_problem_of(engine, job, &problem, error);
    if (status != SHEPARD_OK || engine->scheme == SHEPARD_PAPER_SERIAL)
        return status;
    return shepard_paper_gpu_warm(engine, &problem, error);
}

static enum shepard_status run(const struct shepard_paper_engine *engine,
                               const struct shepard_paper_job *job, double *const *values,
                               struct shepard_paper_times *times, struct shepard_error *error)
{
    const double started = shepard_seconds_wall();
    struct shepard_paper_problem problem;
    enum shepard_status status = shepard_paper_problem_of(engine, job, &problem, error);
    if (status != SHEPARD_OK)
        return status;
    times->prepare = shepard_seconds_wall() - started;
    status = engine->scheme == SHEPARD_PAPER_SERIAL
                 ? shepard_paper_serial_run(engine, &problem, values, times, error)
                 : shepard_paper_gpu_run(engine, &problem, values, times, error);
    times->total = shepard_seconds_wall() - started;
    return status;
}

enum shepard_status shepard_paper_run(const struct shepard_paper_engine *engine,
                                      const struct shepard_paper_job *job, double *const *values,
                                      struct shepard_paper_times *times,
                                      struct shepard_error *error)
{
    struct shepard_paper_times own = {0};
    enum shepard_status status = check_call(engine, job, values, error);
    if (status == SHEPARD_OK)
        status = warm(engine, job, error);
    if (status == SHEPARD_OK)
        status = run(engine, job, values, &own, error);
    if (status == SHEPARD_OK && times != NULL)
        *times = own;
    return status;
}
