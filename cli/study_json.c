/* SPDX-License-Identifier: MIT */
#include "study_json.h"

#include "json.h"
#include "papers/contestant.h"
#include "papers/printed.h"

#include <math.h>

static const char *text_or_null(const char *text)
{
    return text[0] ? text : NULL;
}

static void add_machine(struct shepard_json *json, const struct shepard_machine *machine)
{
    struct shepard_json *const item = shepard_json_object(json, "machine");
    shepard_json_text(item, "processor", machine->processor);
    shepard_json_number(item, "processors", (double)machine->processors);
    shepard_json_number(item, "threads", machine->threads);
    shepard_json_text(item, "isa", machine->isa);
    shepard_json_text(item, "gpu", text_or_null(machine->gpu));
    shepard_json_text(item, "driver", text_or_null(machine->driver));
    shepard_json_text(item, "cuda_runtime", text_or_null(machine->runtime));
    shepard_json_text(item, "compiler", machine->compiler);
    shepard_json_text(item, "cuda_compiler", text_or_null(machine->cuda_compiler));
}

static void add_settings(struct shepard_json *json, const struct shepard_study_settings *settings)
{
    struct shepard_json *const item = shepard_json_object(json, "settings");
    shepard_json_number(item, "budget", settings->terms.budget);
    shepard_json_number(item, "repeat", settings->terms.repeat);
    shepard_json_number(item, "seed", (double)settings->seed);
    struct shepard_json *const tables = shepard_json_array(item, "tables");
    for (int table = 0; table < SHEPARD_TABLES; table++) {
        if (settings->tables >> table & 1) {
            shepard_json_text(tables, NULL, shepard_table_name(table));
        }
    }
    struct shepard_json *const sizes = shepard_json_array(item, "sizes");
    for (size_t i = 0; i < settings->size_count; i++) {
        shepard_json_number(sizes, NULL, (double)settings->sizes[i]);
    }
}

static void add_left_out(struct shepard_json *json)
{
    struct shepard_json *const list = shepard_json_array(json, "left_out");
    for (size_t i = 0; i < shepard_contestant_count(); i++) {
        char name[SHEPARD_PAPER_NAME];
        const char *const reason = shepard_contestant_refusal(i);
        if (reason) {
            struct shepard_json *const item = shepard_json_object(list, NULL);
            shepard_contestant_name(i, name);
            shepard_json_text(item, "engine", name);
            shepard_json_text(item, "reason", reason);
        }
    }
}

static void add_seconds(struct shepard_json *json, const struct shepard_record *record)
{
    const struct shepard_paper_times *const times = &record->times;
    struct shepard_json *const item = shepard_json_object(json, "seconds");
    const bool failed = record->state == SHEPARD_RECORD_FAILED;
    shepard_json_number(item, "total", failed ? NAN : times->total);
    if (record->state == SHEPARD_RECORD_MEASURED) {
        shepard_json_number(item, "prepare", times->prepare);
        shepard_json_number(item, "upload", times->upload);
        shepard_json_number(item, "grid", times->grid);
        shepard_json_number(item, "neighbours", times->neighbours);
        shepard_json_number(item, "weighting", times->weighting);
        shepard_json_number(item, "download", times->download);
    }
}

static void add_printed(struct shepard_json *json, enum shepard_table table,
                        const struct shepard_record *record)
{
    const struct shepard_paper_times stages = shepard_printed_stages(record->who, &record->job);
    struct shepard_json *const item = shepard_json_object(json, "printed");
    shepard_json_number(item, "seconds", shepard_printed_seconds(table, record->who, &record->job));
    shepard_json_number(item, "speedup", shepard_printed_speedup(table, record->who, &record->job));
    shepard_json_number(item, "neighbours", stages.neighbours);
    shepard_json_number(item, "weighting", stages.weighting);
}

static void add_record(struct shepard_json *list, const struct shepard_study *study,
                       enum shepard_table table, const struct shepard_record *record)
{
    static const char *const states[] = {"measured", "extrapolated", "skipped", "failed"};
    struct shepard_json *const item = shepard_json_object(list, NULL);
    const struct shepard_workload *const job = &record->job;
    char name[SHEPARD_PAPER_NAME];
    shepard_contestant_name(record->who, name);
    shepard_json_text(item, "engine", name);
    shepard_json_text(item, "method", job->method == SHEPARD_METHOD_IDW ? "idw" : "aidw");
    shepard_json_number(item, "power", job->method == SHEPARD_METHOD_IDW ? job->power : NAN);
    shepard_json_number(item, "n", (double)job->n);
    shepard_json_number(item, "m", (double)job->m);
    shepard_json_number(item, "columns", (double)job->columns);
    shepard_json_text(item, "state", states[record->state]);
    shepard_json_bool(item, "estimated",
                      record->state == SHEPARD_RECORD_EXTRAPOLATED ||
                          record->state == SHEPARD_RECORD_SKIPPED);
    shepard_json_bool(item, "skipped", record->state == SHEPARD_RECORD_SKIPPED);
    add_seconds(item, record);
    shepard_json_number(item, "runs", record->runs);
    shepard_json_number(item, "error", record->error);
    shepard_json_number(item, "error_limit", record->limit);
    shepard_json_bool(item, "wrong", shepard_record_is_wrong(record));
    shepard_json_number(item, "speedup", shepard_ledger_speedup(&study->ledger, record, NULL));
    add_printed(item, table, record);
    if (record->message[0]) {
        shepard_json_text(item, "message", record->message);
    }
}

static void add_series(struct shepard_json *list, const struct shepard_study *study,
                       const struct shepard_series *series)
{
    struct shepard_json *const item = shepard_json_object(list, NULL);
    shepard_json_text(item, "table", shepard_table_name(series->table));
    shepard_json_text(item, "id", series->id);
    shepard_json_text(item, "title", series->title);
    struct shepard_json *const records = shepard_json_array(item, "records");
    for (size_t i = 0; i < series->count; i++) {
        for (size_t who = 0; who < shepard_contestant_count(); who++) {
            const struct shepard_record *const record =
                shepard_series_takes(series, who)
                    ? shepard_ledger_find(&study->ledger, who, &series->cases[i])
                    : NULL;
            if (record) {
                add_record(records, study, series->table, record);
            }
        }
    }
}

static void add_errata(struct shepard_json *json, const struct shepard_study *study)
{
    struct shepard_json *const list = shepard_json_array(json, "errata");
    for (size_t i = 0; i < study->errata_count; i++) {
        const struct shepard_erratum *const erratum = &study->errata[i];
        struct shepard_json *const item = shepard_json_object(list, NULL);
        shepard_json_text(item, "id", erratum->id);
        shepard_json_text(item, "where", erratum->where);
        shepard_json_text(item, "printed", erratum->printed);
        shepard_json_text(item, "effect", erratum->effect);
        shepard_json_number(item, "tried", (double)erratum->tried);
        shepard_json_number(item, "wrong_as_printed", (double)erratum->wrong);
        shepard_json_number(item, "wrong_as_corrected", (double)erratum->corrected);
    }
}

bool shepard_study_json_write(const struct shepard_study *study, const char *commit,
                              const char *file)
{
    struct shepard_json *const json = shepard_json_new();
    shepard_json_text(json, "command", "bench papers");
    shepard_json_text(json, "version", shepard_version());
    shepard_json_text(json, "commit", commit);
    add_machine(json, &study->machine);
    add_settings(json, &study->settings);
    add_left_out(json);
    struct shepard_json *const list = shepard_json_array(json, "series");
    for (size_t i = 0; i < study->plan.count; i++) {
        add_series(list, study, &study->plan.series[i]);
    }
    add_errata(json, study);
    shepard_json_bool(json, "right", shepard_study_is_right(study));
    const bool good = shepard_json_write(json, file);
    shepard_json_free(json);
    return good;
}
