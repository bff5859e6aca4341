/* SPDX-License-Identifier: MIT */
#include "study.h"

#include "contestant.h"
#include "listing.h"

#include <stdlib.h>

bool shepard_study_asks(const struct shepard_study *study, size_t who)
{
    const struct shepard_study_settings *const settings = &study->settings;
    for (size_t i = 0; i < settings->engine_count; i++) {
        if (shepard_contestant_means(settings->engines[i], who))
            return true;
    }
    return settings->engine_count == 0;
}

bool shepard_study_takes(const struct shepard_study *study, size_t who)
{
    return !shepard_contestant_refusal(who) && shepard_study_asks(study, who);
}

static bool is_taken(const struct shepard_study *study, const struct shepard_series *series,
                     size_t who)
{
    return shepard_study_takes(study, who) && shepard_series_takes(series, who);
}

/* Serial engines come first: others are compared with them. Then float, double, and ours. */
static int turn(size_t who)
{
    const struct shepard_contestant contestant = shepard_contestant_at(who);
    if (contestant.ours)
        return 3;
    if (contestant.engine.scheme == SHEPARD_PAPER_SERIAL)
        return 0;
    return contestant.engine.precision == SHEPARD_PRECISION_SINGLE ? 1 : 2;
}

/* Room for one case: its data, exact values, predictions. */
struct stage {
    struct shepard_dataset dataset;
    struct shepard_judge judge;
    double *values[SHEPARD_PAPER_COLUMNS_MAX];
};

static void free_stage(struct stage *stage)
{
    for (size_t c = 0; c < SHEPARD_PAPER_COLUMNS_MAX; c++)
        free(stage->values[c]);
    shepard_judge_free(&stage->judge);
    shepard_dataset_free(&stage->dataset);
}

static enum shepard_status set_stage(const struct shepard_study *study,
                                     const struct shepard_workload *job, struct stage *stage,
                                     struct shepard_error *error)
{
    *stage = (struct stage){.dataset = {.n = job->n, .m = job->m, .columns = job->columns}};
    if (!shepard_dataset_draw(&stage->dataset, study->settings.seed))
        return SHEPARD_ERROR_MEMORY;
    for (size_t c = 0; c < job->columns; c++) {
        stage->values[c] = malloc(job->m * sizeof *stage->values[c]);
        if (!stage->values[c])
            return SHEPARD_ERROR_MEMORY;
    }
    return shepard_judge_prepare(&stage->judge, job, &stage->dataset, study->settings.terms.threads,
                                 error);
}

/* Measures a contestant on a case, unless another table has done so, and prints its row. The stage
 * is set when it is needed first. */
static enum shepard_status make_row(struct shepard_study *study,
                                    const struct shepard_series *series,
                                    const struct shepard_workload *job, size_t who,
                                    struct stage *stage, struct shepard_error *error)
{
    if (!shepard_ledger_find(&study->ledger, who, job)) {
        struct shepard_record record;
        const enum shepard_status status =
            stage->dataset.x ? SHEPARD_OK : set_stage(study, job, stage, error);
        if (status)
            return status;
        const struct shepard_scene scene = {.job = *job,
                                            .dataset = &stage->dataset,
                                            .judge = &stage->judge,
                                            .values = stage->values};
        shepard_measure(who, &scene, &study->settings.terms, &study->ledger, &record);
        if (!shepard_ledger_add(&study->ledger, &record))
            return SHEPARD_ERROR_MEMORY;
    }
    shepard_listing_row(study->settings.out, series, &study->ledger,
                        shepard_ledger_find(&study->ledger, who, job));
    return SHEPARD_OK;
}

static enum shepard_status make_case(struct shepard_study *study,
                                     const struct shepard_series *series, size_t i,
                                     struct shepard_error *error)
{
    struct stage stage = {0};
    enum shepard_status status = SHEPARD_OK;
    shepard_listing_case(study->settings.out, &series->cases[i]);
    for (int now = 0; now <= 3 && !status; now++) {
        for (size_t who = 0; who < shepard_contestant_count() && !status; who++) {
            if (turn(who) == now && is_taken(study, series, who))
                status = make_row(study, series, &series->cases[i], who, &stage, error);
        }
    }
    free_stage(&stage);
    return status;
}

static bool has_rows(const struct shepard_study *study, const struct shepard_series *series)
{
    size_t who = 0;
    while (who < shepard_contestant_count() && !is_taken(study, series, who))
        who++;
    return who < shepard_contestant_count();
}

static enum shepard_status make_series(struct shepard_study *study,
                                       const struct shepard_series *series,
                                       struct shepard_error *error)
{
    FILE *const out = study->settings.out;
    enum shepard_status status = SHEPARD_OK;
    const bool rows = has_rows(study, series);
    shepard_listing_series(out, series, rows);
    if (!rows)
        return SHEPARD_OK;
    for (size_t i = 0; i < series->count && !status; i++)
        status = make_case(study, series, i, error);
    if (!status)
        shepard_listing_ratios(out, series, &study->ledger);
    return status;
}

static enum shepard_status make_tables(struct shepard_study *study, struct shepard_error *error)
{
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < study->plan.count && !status; i++) {
        const struct shepard_series *const series = &study->plan.series[i];
        if (i == 0 || series->table != study->plan.series[i - 1].table)
            shepard_listing_table(study->settings.out, series->table);
        status = make_series(study, series, error);
    }
    return status;
}

static enum shepard_status make_errata(struct shepard_study *study, struct shepard_error *error)
{
    if (!(study->settings.tables >> SHEPARD_TABLE_ERRATA & 1))
        return SHEPARD_OK;
    const enum shepard_status status =
        shepard_errata_run(study->settings.seed, study->errata, &study->errata_count, error);
    if (!status) {
        shepard_listing_table(study->settings.out, SHEPARD_TABLE_ERRATA);
        shepard_listing_errata(study->settings.out, study->errata, study->errata_count);
    }
    return status;
}

static bool has_gpu(const struct shepard_study *study)
{
    for (size_t who = 0; who < shepard_paper_engine_count(); who++) {
        if (!shepard_contestant_is_serial(who) && shepard_study_takes(study, who))
            return true;
    }
    return false;
}

struct shepard_study *shepard_study_new(void)
{
    return calloc(1, sizeof(struct shepard_study));
}

enum shepard_status shepard_study_run(struct shepard_study *study, struct shepard_error *error)
{
    const struct shepard_study_settings *const settings = &study->settings;
    *error = (struct shepard_error){0};
    shepard_machine_ask(&study->machine, settings->terms.threads, has_gpu(study));
    shepard_plan_make(&study->plan, settings->tables, settings->sizes, settings->size_count);
    shepard_listing_head(settings->out, study);
    enum shepard_status status = make_tables(study, error);
    if (!status)
        status = make_errata(study, error);
    if (!status)
        shepard_listing_faults(settings->out, study);
    if (status && !error->message[0])
        snprintf(error->message, sizeof error->message, "%s", shepard_status_text(status));
    return status;
}

bool shepard_study_is_right(const struct shepard_study *study)
{
    for (size_t i = 0; i < study->ledger.count; i++) {
        const struct shepard_record *const record = &study->ledger.records[i];
        if (record->state == SHEPARD_RECORD_FAILED || shepard_record_is_wrong(record))
            return false;
    }
    for (size_t i = 0; i < study->errata_count; i++) {
        if (study->errata[i].wrong == 0 || study->errata[i].corrected > 0)
            return false;
    }
    return true;
}

void shepard_study_free(struct shepard_study *study)
{
    if (!study)
        return;
    shepard_ledger_free(&study->ledger);
    free(study);
}
