/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include "contestant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A run as long as this is made once: its share of noise is small. */
static const double long_run = 5.0;

/* Times below these may be of launches and allocations more than of pairs: of a pilot, and of a
 * measurement. */
static const double telling_pilot = 0.05, telling = 1.0;

/* Points and targets of the first pilot run. */
static const size_t pilot_size = 1024;

/* A time and the work it was for. */
struct estimate {
    double seconds;
    double work;
};

static enum shepard_status run_once(size_t who, const struct shepard_scene *scene,
                                    const struct shepard_workload *job, int threads,
                                    struct shepard_paper_times *times, struct shepard_error *error)
{
    const struct shepard_coordinates coordinates =
        shepard_dataset_coordinates(scene->dataset, job->n);
    const struct shepard_values values = shepard_dataset_values(scene->dataset);
    const struct shepard_targets targets = shepard_dataset_targets(scene->dataset, job->m);
    const struct shepard_parameters parameters = shepard_workload_parameters(job);
    const struct shepard_paper_job run = {&coordinates, &values, &targets, &parameters};
    /* What an engine does not write is to be seen as wrong. */
    for (size_t c = 0; c < job->columns; c++) {
        for (size_t i = 0; i < job->m; i++)
            scene->values[c][i] = NAN;
    }
    *error = (struct shepard_error){0};
    return shepard_contestant_run(who, &run, threads, scene->values, times, error);
}

/* The case with no more than so many points and targets. */
static struct shepard_workload smaller_problem(const struct shepard_workload *job, size_t size)
{
    struct shepard_workload pilot = *job;
    pilot.n = job->n < size ? job->n : size;
    pilot.m = job->m < size ? job->m : size;
    return pilot;
}

static double scale(const struct estimate *known, double work)
{
    return known->seconds * work / known->work;
}

/* The shorter of two runs: something else may have had the machine for a moment. */
static enum shepard_status run_pilot(size_t who, const struct shepard_scene *scene,
                                     const struct shepard_workload *pilot, int threads,
                                     struct estimate *found, struct shepard_error *error)
{
    struct shepard_paper_times first = {0}, second = {0};
    enum shepard_status status = run_once(who, scene, pilot, threads, &first, error);
    if (!status)
        status = run_once(who, scene, pilot, threads, &second, error);
    *found =
        (struct estimate){fmin(first.total, second.total), shepard_contestant_work(who, pilot)};
    return status;
}

/* Whether the time grew with the work from a smaller run to a larger one. */
static bool has_grown(const struct estimate *small, const struct estimate *large)
{
    return large->seconds >= telling_pilot &&
           large->seconds / small->seconds >= 0.6 * large->work / small->work;
}

/* The time of the scene: from the ledger's nearest measurement, or, where there is none or it is
 * too short to tell, from pilots of growing size, until they fit the budget or tell. */
static enum shepard_status estimate_time(size_t who, const struct shepard_scene *scene,
                                         const struct shepard_terms *terms,
                                         const struct shepard_record *near, double *seconds,
                                         struct shepard_error *error)
{
    const double work = shepard_contestant_work(who, &scene->job);
    struct estimate known = {INFINITY, 0};
    if (near)
        known = (struct estimate){near->times.total, shepard_contestant_work(who, &near->job)};
    bool tells = near && near->times.total >= telling;
    for (size_t size = pilot_size; known.work < work && !tells; size *= 2) {
        const struct shepard_workload pilot = smaller_problem(&scene->job, size);
        struct estimate next;
        if (shepard_contestant_work(who, &pilot) <= known.work)
            continue;
        if (known.work > 0 && scale(&known, work) <= terms->budget)
            break;
        const enum shepard_status status =
            run_pilot(who, scene, &pilot, terms->threads, &next, error);
        if (status)
            return status;
        tells = known.work > 0 && has_grown(&known, &next);
        known = next;
    }
    *seconds = scale(&known, work);
    return SHEPARD_OK;
}

static int compare_totals(const void *a, const void *b)
{
    const double u = ((const struct shepard_paper_times *)a)->total;
    const double v = ((const struct shepard_paper_times *)b)->total;
    return (u > v) - (u < v);
}

/* Runs the scene as often as the terms say; keeps the run with the median total, so that its stages
 * belong together. */
static enum shepard_status run_often(size_t who, const struct shepard_scene *scene,
                                     const struct shepard_terms *terms,
                                     struct shepard_record *record, struct shepard_error *error)
{
    struct shepard_paper_times times[SHEPARD_REPEAT_MAX] = {{0}};
    const int most = terms->repeat < SHEPARD_REPEAT_MAX ? terms->repeat : SHEPARD_REPEAT_MAX;
    int runs = 0;
    record->error = 0;
    while (runs < most && (runs == 0 || times[runs - 1].total <= long_run)) {
        const enum shepard_status status =
            run_once(who, scene, &scene->job, terms->threads, &times[runs], error);
        if (status)
            return status;
        const double off = shepard_judge_error(scene->judge, scene->values);
        record->error = isnan(record->error) || off <= record->error ? record->error : off;
        runs++;
    }
    qsort(times, (size_t)runs, sizeof times[0], compare_totals);
    record->times = times[(runs - 1) / 2];
    record->runs = runs;
    return SHEPARD_OK;
}

static enum shepard_status warm_up(size_t who, const struct shepard_scene *scene,
                                   const struct shepard_terms *terms, struct shepard_error *error)
{
    struct shepard_paper_times times;
    const struct shepard_workload pilot = smaller_problem(&scene->job, pilot_size);
    return run_once(who, scene, &pilot, terms->threads, &times, error);
}

static enum shepard_status measure(size_t who, const struct shepard_scene *scene,
                                   const struct shepard_terms *terms,
                                   const struct shepard_record *near, struct shepard_record *record,
                                   struct shepard_error *error)
{
    double seconds = 0;
    enum shepard_status status = warm_up(who, scene, terms, error);
    if (!status)
        status = estimate_time(who, scene, terms, near, &seconds, error);
    if (status)
        return status;
    if (seconds <= terms->budget) {
        record->state = SHEPARD_RECORD_MEASURED;
        return run_often(who, scene, terms, record, error);
    }
    record->state =
        shepard_contestant_is_serial(who) ? SHEPARD_RECORD_EXTRAPOLATED : SHEPARD_RECORD_SKIPPED;
    record->times.total = seconds;
    return SHEPARD_OK;
}

void shepard_measure(size_t who, const struct shepard_scene *scene,
                     const struct shepard_terms *terms, const struct shepard_ledger *ledger,
                     struct shepard_record *record)
{
    struct shepard_error error = {0};
    *record = (struct shepard_record){
        .who = who, .job = scene->job, .error = NAN, .limit = shepard_contestant_limit(who)};
    const struct shepard_record *const near = shepard_ledger_below(ledger, who, &scene->job);
    const enum shepard_status status = measure(who, scene, terms, near, record, &error);
    if (!status)
        return;
    record->state = SHEPARD_RECORD_FAILED;
    record->error = NAN;
    record->runs = 0;
    snprintf(record->message, sizeof record->message, "%s",
             error.message[0] ? error.message : shepard_status_text(status));
}
