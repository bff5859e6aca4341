/* SPDX-License-Identifier: MIT */
#include "results.h"

#include "method.h"

#include <math.h>
#include <stdlib.h>

bool shepard_paper_results_add(struct shepard_paper_results *results,
                               const struct shepard_measurement *measurement)
{
    if (results->count == results->room) {
        const size_t room = results->room ? 2 * results->room : 64;
        struct shepard_measurement *const larger = realloc(results->list, room * sizeof *larger);
        if (!larger)
            return false;
        results->list = larger;
        results->room = room;
    }
    results->list[results->count++] = *measurement;
    return true;
}

const struct shepard_measurement *
shepard_paper_results_find(const struct shepard_paper_results *results, size_t method,
                           const struct shepard_workload *job)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct shepard_measurement *const found = &results->list[i];
        if (found->method == method && shepard_workload_same(&found->job, job))
            return found;
    }
    return NULL;
}

static bool is_alike(const struct shepard_workload *a, const struct shepard_workload *b)
{
    return a->method == b->method && a->power == b->power && a->columns == b->columns &&
           a->sets == b->sets && a->apart == b->apart;
}

const struct shepard_measurement *
shepard_paper_results_below(const struct shepard_paper_results *results, size_t method,
                            const struct shepard_workload *job)
{
    const struct shepard_measurement *best = NULL;
    double most = 0;
    const double limit = shepard_paper_method_work(method, job);
    for (size_t i = 0; i < results->count; i++) {
        const struct shepard_measurement *const found = &results->list[i];
        if (found->method != method || found->state != SHEPARD_MEASUREMENT_MEASURED ||
            !is_alike(&found->job, job))
            continue;
        const double work = shepard_paper_method_work(method, &found->job);
        if (work > most && work <= limit) {
            most = work;
            best = found;
        }
    }
    return best;
}

void shepard_paper_results_free(struct shepard_paper_results *results)
{
    free(results->list);
    *results = (struct shepard_paper_results){0};
}

const char *shepard_measurement_state_name(enum shepard_measurement_state state)
{
    static const char *const names[] = {"measured", "extrapolated", "skipped", "failed"};
    return names[state];
}

bool shepard_measurement_is_wrong(const struct shepard_measurement *measurement)
{
    const bool compared = isfinite(measurement->error_limit);
    return measurement->state == SHEPARD_MEASUREMENT_FAILED ||
           (measurement->state == SHEPARD_MEASUREMENT_MEASURED && compared &&
            !(measurement->error <= measurement->error_limit));
}
