/* SPDX-License-Identifier: MIT */
#include "ledger.h"

#include "contestant.h"

#include <math.h>
#include <stdlib.h>

bool shepard_ledger_add(struct shepard_ledger *ledger, const struct shepard_record *record)
{
    if (ledger->count == ledger->room) {
        const size_t room = ledger->room ? 2 * ledger->room : 64;
        struct shepard_record *const larger = realloc(ledger->records, room * sizeof *larger);
        if (!larger)
            return false;
        ledger->records = larger;
        ledger->room = room;
    }
    ledger->records[ledger->count++] = *record;
    return true;
}

const struct shepard_record *shepard_ledger_find(const struct shepard_ledger *ledger, size_t who,
                                                 const struct shepard_workload *job)
{
    for (size_t i = 0; i < ledger->count; i++) {
        const struct shepard_record *const record = &ledger->records[i];
        if (record->who == who && shepard_workload_same(&record->job, job))
            return record;
    }
    return NULL;
}

static bool is_alike(const struct shepard_workload *a, const struct shepard_workload *b)
{
    return a->method == b->method && a->power == b->power && a->columns == b->columns;
}

const struct shepard_record *shepard_ledger_below(const struct shepard_ledger *ledger, size_t who,
                                                  const struct shepard_workload *job)
{
    const struct shepard_record *best = NULL;
    double most = 0;
    const double limit = shepard_contestant_work(who, job);
    for (size_t i = 0; i < ledger->count; i++) {
        const struct shepard_record *const record = &ledger->records[i];
        if (record->who != who || record->state != SHEPARD_RECORD_MEASURED ||
            !is_alike(&record->job, job))
            continue;
        const double work = shepard_contestant_work(who, &record->job);
        if (work > most && work <= limit) {
            most = work;
            best = record;
        }
    }
    return best;
}

void shepard_ledger_free(struct shepard_ledger *ledger)
{
    free(ledger->records);
    *ledger = (struct shepard_ledger){0};
}

bool shepard_record_has_time(const struct shepard_record *record)
{
    return record->state == SHEPARD_RECORD_MEASURED || record->state == SHEPARD_RECORD_EXTRAPOLATED;
}

bool shepard_record_is_wrong(const struct shepard_record *record)
{
    return record->state == SHEPARD_RECORD_MEASURED && !(record->error <= record->limit);
}

double shepard_ledger_speedup(const struct shepard_ledger *ledger,
                              const struct shepard_record *record, bool *estimated)
{
    const struct shepard_record *const serial =
        shepard_ledger_find(ledger, shepard_contestant_baseline(record->who), &record->job);
    if (!serial || !shepard_record_has_time(serial) || !shepard_record_has_time(record))
        return NAN;
    if (estimated)
        *estimated = serial->state == SHEPARD_RECORD_EXTRAPOLATED ||
                     record->state == SHEPARD_RECORD_EXTRAPOLATED;
    return serial->times.total / record->times.total;
}

double shepard_ledger_ratio(const struct shepard_ledger *ledger, size_t a, size_t b,
                            const struct shepard_workload *job)
{
    const struct shepard_record *const first = shepard_ledger_find(ledger, a, job);
    const struct shepard_record *const second = shepard_ledger_find(ledger, b, job);
    if (!first || !second || first->state != SHEPARD_RECORD_MEASURED ||
        second->state != SHEPARD_RECORD_MEASURED)
        return NAN;
    return first->times.total / second->times.total;
}
