/* SPDX-License-Identifier: MIT */
#include "method.h"

#include "cuda/device.h"
#include "stopwatch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    enum shepard_method method;
    double eps;
    enum shepard_backend backend;
    const char *name;
} own[] = {
    {SHEPARD_METHOD_AIDW, 1e-4, SHEPARD_BACKEND_CPU, "new-aidw-1e-4"},
    {SHEPARD_METHOD_AIDW, 1e-5, SHEPARD_BACKEND_CPU, "new-aidw-1e-5"},
    {SHEPARD_METHOD_IDW, 1e-4, SHEPARD_BACKEND_CPU, "new-idw-1e-4"},
    {SHEPARD_METHOD_IDW, 1e-5, SHEPARD_BACKEND_CPU, "new-idw-1e-5"},
    {SHEPARD_METHOD_AIDW, 1e-4, SHEPARD_BACKEND_CUDA, "gpu-aidw-1e-4"},
    {SHEPARD_METHOD_AIDW, 1e-5, SHEPARD_BACKEND_CUDA, "gpu-aidw-1e-5"},
    {SHEPARD_METHOD_IDW, 1e-4, SHEPARD_BACKEND_CUDA, "gpu-idw-1e-4"},
    {SHEPARD_METHOD_IDW, 1e-5, SHEPARD_BACKEND_CUDA, "gpu-idw-1e-5"},
};

enum { OWN_COUNT = sizeof own / sizeof own[0] };

size_t shepard_paper_method_count(void)
{
    return shepard_paper_engine_count() + OWN_COUNT;
}

struct shepard_paper_method shepard_paper_method_at(size_t i)
{
    const size_t engines = shepard_paper_engine_count();
    if (i >= engines)
        return (struct shepard_paper_method){.is_library = true,
                                             .method = own[i - engines].method,
                                             .eps = own[i - engines].eps,
                                             .backend = own[i - engines].backend};
    const struct shepard_paper_engine engine = shepard_paper_engine_at(i);
    return (struct shepard_paper_method){
        .method = engine.system == SHEPARD_PAPER_IDW ? SHEPARD_METHOD_IDW : SHEPARD_METHOD_AIDW,
        .engine = engine};
}

void shepard_paper_method_name(size_t i, char name[SHEPARD_PAPER_NAME])
{
    const struct shepard_paper_method method = shepard_paper_method_at(i);
    if (method.is_library)
        snprintf(name, SHEPARD_PAPER_NAME, "%s", own[i - shepard_paper_engine_count()].name);
    else
        shepard_paper_engine_name(&method.engine, name);
}

static bool is_name(const char *word)
{
    char name[SHEPARD_PAPER_NAME];
    for (size_t i = 0; i < shepard_paper_method_count(); i++) {
        shepard_paper_method_name(i, name);
        if (strcmp(word, name) == 0)
            return true;
    }
    return false;
}

bool shepard_paper_method_matches(const char *word, size_t i)
{
    char name[SHEPARD_PAPER_NAME];
    const size_t length = strlen(word);
    shepard_paper_method_name(i, name);
    if (strncmp(word, name, length) != 0)
        return false;
    return name[length] == '\0' || (length > 0 && name[length] == '-' && !is_name(word));
}

const char *shepard_paper_method_refusal(size_t i)
{
    const struct shepard_paper_method method = shepard_paper_method_at(i);
    if (!method.is_library)
        return shepard_paper_engine_refusal(&method.engine);
    const char *const reason =
        method.backend == SHEPARD_BACKEND_CUDA ? shepard_device_unusable() : "";
    return reason[0] != '\0' ? reason : NULL;
}

bool shepard_paper_method_is_serial(size_t i)
{
    const struct shepard_paper_method method = shepard_paper_method_at(i);
    return !method.is_library && method.engine.scheme == SHEPARD_PAPER_SERIAL;
}

bool shepard_paper_method_is_on_gpu(size_t i)
{
    const struct shepard_paper_method method = shepard_paper_method_at(i);
    return method.is_library ? method.backend == SHEPARD_BACKEND_CUDA
                             : method.engine.scheme != SHEPARD_PAPER_SERIAL;
}

double shepard_paper_method_error_limit(size_t i, size_t n)
{
    const struct shepard_paper_method method = shepard_paper_method_at(i);
    if (method.is_library)
        return method.eps;
    if (method.engine.scheme == SHEPARD_PAPER_NESTED_OPEN)
        return INFINITY;
    if (method.engine.precision == SHEPARD_PRECISION_DOUBLE)
        return 1e-10;
    const bool adds_plainly = method.engine.plain || method.engine.scheme == SHEPARD_PAPER_SERIAL;
    return adds_plainly ? 1e-5 + (double)n * 0x1p-24 : 1e-5;
}

double shepard_paper_method_work(size_t i, const struct shepard_workload *job)
{
    const double n = (double)job->n, m = (double)job->m, sets = (double)job->sets;
    /* A column adds a multiplication and an addition to some eight operations of a pair. */
    const double columns = job->apart ? (double)job->columns : (7.0 + (double)job->columns) / 8.0;
    return sets * columns *
           (shepard_paper_method_at(i).is_library ? (n + m) * log2(n + 2.0) : n * m);
}

bool shepard_paper_method_takes_sets(size_t i)
{
    const struct shepard_paper_method method = shepard_paper_method_at(i);
    return !method.is_library && shepard_paper_engine_takes_sets(&method.engine);
}

/* Points, field, and what predictions with these parameters need. */
static enum shepard_status prepare(const struct shepard_paper_job *job,
                                   const struct shepard_points_options *options,
                                   struct shepard_points **points, struct shepard_field **field,
                                   struct shepard_error *error)
{
    enum shepard_status status = shepard_points_create(job->coordinates, options, points, error);
    if (!status)
        status = shepard_field_create(*points, job->values, field, error);
    if (!status)
        status = shepard_prepare(*field, job->parameters, NULL, NULL, error);
    return status;
}

static enum shepard_status run_library(enum shepard_backend backend,
                                       const struct shepard_paper_job *job, int threads,
                                       double *const *values, struct shepard_paper_times *times,
                                       struct shepard_error *error)
{
    struct shepard_points_options options;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    shepard_points_options_init(&options);
    options.backend = backend;
    options.threads = threads;
    const double start = shepard_seconds_wall();
    enum shepard_status status = prepare(job, &options, &points, &field, error);
    const double prepared = shepard_seconds_wall();
    struct shepard_output_array columns[SHEPARD_PAPER_COLUMNS_MAX];
    for (size_t c = 0; c < job->values->column_count; c++)
        columns[c] = shepard_output_doubles(values[c]);
    const struct shepard_output output = {.size = sizeof output, .values = columns};
    if (!status)
        status = shepard_predict(field, job->parameters, job->targets, &output, NULL, error);
    shepard_field_free(field);
    shepard_points_free(points);
    const double end = shepard_seconds_wall();
    *times = (struct shepard_paper_times){
        .total = end - start, .prepare = prepared - start, .weighting = end - prepared};
    return status;
}

enum shepard_status shepard_paper_method_run(size_t i, const struct shepard_paper_call *call,
                                             double *const *values,
                                             struct shepard_paper_times *times,
                                             struct shepard_error *error)
{
    const struct shepard_paper_method method = shepard_paper_method_at(i);
    if (call->count > 1)
        return shepard_paper_run_sets(&method.engine, call->jobs, call->count, values, times,
                                      error);
    if (!method.is_library)
        return shepard_paper_run(&method.engine, call->jobs, values, times, error);
    struct shepard_parameters parameters = *call->jobs->parameters;
    struct shepard_paper_job within = *call->jobs;
    parameters.eps = method.eps;
    within.parameters = &parameters;
    return run_library(method.backend, &within, call->threads, values, times, error);
}
