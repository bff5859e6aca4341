/* SPDX-License-Identifier: MIT */
#include "contestant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct {
    enum shepard_method method;
    double eps;
    const char *name;
} ours[] = {
    {SHEPARD_AIDW, 1e-4, "new-aidw-1e-4"},
    {SHEPARD_AIDW, 1e-5, "new-aidw-1e-5"},
    {SHEPARD_IDW, 1e-4, "new-idw-1e-4"},
    {SHEPARD_IDW, 1e-5, "new-idw-1e-5"},
};

enum { OURS = sizeof ours / sizeof ours[0] };

size_t shepard_contestant_count(void)
{
    return shepard_paper_engine_count() + OURS;
}

struct shepard_contestant shepard_contestant_at(size_t i)
{
    const size_t engines = shepard_paper_engine_count();
    if (i >= engines)
        return (struct shepard_contestant){
            .ours = true, .method = ours[i - engines].method, .eps = ours[i - engines].eps};
    const struct shepard_paper_engine engine = shepard_paper_engine_at(i);
    return (struct shepard_contestant){.method = engine.system == SHEPARD_PAPER_IDW ? SHEPARD_IDW
                                                                                    : SHEPARD_AIDW,
                                       .engine = engine};
}

void shepard_contestant_name(size_t i, char name[SHEPARD_PAPER_NAME])
{
    const struct shepard_contestant who = shepard_contestant_at(i);
    if (who.ours)
        snprintf(name, SHEPARD_PAPER_NAME, "%s", ours[i - shepard_paper_engine_count()].name);
    else
        shepard_paper_engine_name(&who.engine, name);
}

static bool is_name(const char *word)
{
    char name[SHEPARD_PAPER_NAME];
    for (size_t i = 0; i < shepard_contestant_count(); i++) {
        shepard_contestant_name(i, name);
        if (strcmp(word, name) == 0)
            return true;
    }
    return false;
}

bool shepard_contestant_means(const char *word, size_t i)
{
    char name[SHEPARD_PAPER_NAME];
    const size_t length = strlen(word);
    shepard_contestant_name(i, name);
    if (strncmp(word, name, length) != 0)
        return false;
    return name[length] == '\0' || (length > 0 && name[length] == '-' && !is_name(word));
}

const char *shepard_contestant_refusal(size_t i)
{
    const struct shepard_contestant who = shepard_contestant_at(i);
    return who.ours ? NULL : shepard_paper_engine_refusal(&who.engine);
}

bool shepard_contestant_is_serial(size_t i)
{
    const struct shepard_contestant who = shepard_contestant_at(i);
    return !who.ours && who.engine.scheme == SHEPARD_PAPER_SERIAL;
}

double shepard_contestant_limit(size_t i)
{
    const struct shepard_contestant who = shepard_contestant_at(i);
    if (who.ours)
        return who.eps;
    return who.engine.precision == SHEPARD_DOUBLE ? 1e-10 : 1e-5;
}

double shepard_contestant_work(size_t i, const struct shepard_workload *job)
{
    const double n = (double)job->n, m = (double)job->m;
    /* A column adds a multiplication and an addition to some eight operations of a pair. */
    const double columns = (7.0 + (double)job->columns) / 8.0;
    return columns * (shepard_contestant_at(i).ours ? (n + m) * log2(n + 2.0) : n * m);
}

size_t shepard_contestant_find(const struct shepard_paper_engine *engine)
{
    for (size_t i = 0; i < shepard_paper_engine_count(); i++) {
        const struct shepard_paper_engine other = shepard_paper_engine_at(i);
        if (other.system == engine->system && other.scheme == engine->scheme &&
            other.layout == engine->layout && other.precision == engine->precision &&
            other.square == engine->square)
            return i;
    }
    return SHEPARD_CONTESTANT_NONE;
}

size_t shepard_contestant_baseline(size_t i)
{
    const struct shepard_contestant who = shepard_contestant_at(i);
    struct shepard_paper_engine serial = {
        .system = who.method == SHEPARD_IDW ? SHEPARD_PAPER_IDW : SHEPARD_PAPER_ORIGINAL,
        .scheme = SHEPARD_PAPER_SERIAL,
        .layout = SHEPARD_PAPER_SOA,
        .precision = SHEPARD_DOUBLE,
        .square = who.method == SHEPARD_IDW && (who.ours || who.engine.square)};
    size_t found = shepard_contestant_find(&serial);
    if (found == SHEPARD_CONTESTANT_NONE) {
        serial.square = false;
        found = shepard_contestant_find(&serial);
    }
    return found;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static enum shepard_status run_ours(double eps, const struct shepard_paper_job *job,
                                    double *const *values, struct shepard_paper_times *times,
                                    struct shepard_error *error)
{
    struct shepard_options options = *job->options;
    struct shepard_model *model = NULL;
    const double start = now();
    options.eps = eps;
    options.backend = SHEPARD_BACKEND_CPU;
    enum shepard_status status = shepard_model_create(job->data, &options, &model, error);
    const double built = now();
    if (status)
        return status;
    const struct shepard_output output = {.values = values};
    status = shepard_predict_points(model, job->targets, &output, NULL, error);
    shepard_model_free(model);
    const double end = now();
    *times = (struct shepard_paper_times){
        .total = end - start, .prepare = built - start, .weighting = end - built};
    return status;
}

enum shepard_status shepard_contestant_run(size_t i, const struct shepard_paper_job *job,
                                           double *const *values, struct shepard_paper_times *times,
                                           struct shepard_error *error)
{
    const struct shepard_contestant who = shepard_contestant_at(i);
    if (who.ours)
        return run_ours(who.eps, job, values, times, error);
    /* Threads are of no account to the engines, and so at their default. */
    struct shepard_options options = *job->options;
    options.threads = 0;
    const struct shepard_paper_job alone = {job->data, job->targets, &options};
    return shepard_paper_run(&who.engine, &alone, values, times, error);
}
