/* SPDX-License-Identifier: MIT */
#include "json_writer.h"
#include "method.h"
#include "study.h"

#include <math.h>

static const char *text_or_null(const char *text)
{
    return text[0] ? text : NULL;
}

static void write_machine(struct shepard_json_writer *json, const struct shepard_machine *machine)
{
    shepard_json_writer_begin(json, "machine", '{');
    shepard_json_writer_text(json, "processor", machine->processor);
    shepard_json_writer_number(json, "processors", (double)machine->processors);
    shepard_json_writer_number(json, "threads", machine->threads);
    shepard_json_writer_text(json, "isa", machine->isa);
    shepard_json_writer_text(json, "gpu", text_or_null(machine->gpu));
    shepard_json_writer_text(json, "driver", text_or_null(machine->driver));
    shepard_json_writer_text(json, "cuda_runtime", text_or_null(machine->runtime));
    shepard_json_writer_text(json, "compiler", machine->compiler);
    shepard_json_writer_text(json, "cuda_compiler", text_or_null(machine->cuda_compiler));
    shepard_json_writer_end(json, '{');
}

static void write_settings(struct shepard_json_writer *json, const struct shepard_study *study)
{
    const struct shepard_study_settings *const settings = &study->settings;
    shepard_json_writer_begin(json, "settings", '{');
    shepard_json_writer_number(json, "budget", settings->options.budget);
    shepard_json_writer_number(json, "runs", settings->options.runs);
    shepard_json_writer_number(json, "seed", (double)settings->seed);
    shepard_json_writer_text(json, "arrays", study->allocator ? "pinned" : "pageable");
    shepard_json_writer_begin(json, "studies", '[');
    for (int kind = 0; kind < SHEPARD_STUDY_COUNT; kind++) {
        if (settings->studies >> kind & 1)
            shepard_json_writer_text(json, NULL, shepard_study_name(kind));
    }
    shepard_json_writer_end(json, '[');
    shepard_json_writer_begin(json, "sizes", '[');
    for (size_t i = 0; i < settings->size_count; i++)
        shepard_json_writer_number(json, NULL, (double)settings->sizes[i]);
    shepard_json_writer_end(json, '[');
    shepard_json_writer_end(json, '{');
}

static void write_left_out(struct shepard_json_writer *json)
{
    char name[SHEPARD_PAPER_NAME];
    shepard_json_writer_begin(json, "left_out", '[');
    for (size_t i = 0; i < shepard_paper_method_count(); i++) {
        const char *const reason = shepard_paper_method_refusal(i);
        if (!reason)
            continue;
        shepard_paper_method_name(i, name);
        shepard_json_writer_begin(json, NULL, '{');
        shepard_json_writer_text(json, "method", name);
        shepard_json_writer_text(json, "reason", reason);
        shepard_json_writer_end(json, '{');
    }
    shepard_json_writer_end(json, '[');
}

/* The power is null where it adapts. */
static void write_workload(struct shepard_json_writer *json, const struct shepard_workload *job)
{
    shepard_json_writer_number(json, "power", job->method == SHEPARD_METHOD_IDW ? job->power : NAN);
    shepard_json_writer_number(json, "n", (double)job->n);
    shepard_json_writer_number(json, "m", (double)job->m);
    shepard_json_writer_number(json, "columns", (double)job->columns);
    shepard_json_writer_number(json, "sets", (double)job->sets);
    shepard_json_writer_number(json, "calls", (double)shepard_workload_calls(job));
}

static void write_series(struct shepard_json_writer *json, const struct shepard_study *study)
{
    shepard_json_writer_begin(json, "series", '[');
    for (size_t s = 0; s < study->series_count; s++) {
        const struct shepard_series *const series = &study->series[s];
        shepard_json_writer_begin(json, NULL, '{');
        shepard_json_writer_text(json, "study", shepard_study_name(series->study));
        shepard_json_writer_text(json, "id", series->id);
        shepard_json_writer_text(json, "variable", shepard_series_variable_name(series->variable));
        shepard_json_writer_begin(json, "cases", '[');
        for (size_t i = 0; i < series->count; i++) {
            shepard_json_writer_begin(json, NULL, '{');
            write_workload(json, &series->cases[i]);
            shepard_json_writer_end(json, '{');
        }
        shepard_json_writer_end(json, '[');
        shepard_json_writer_end(json, '{');
    }
    shepard_json_writer_end(json, '[');
}

static void write_seconds(struct shepard_json_writer *json,
                          const struct shepard_measurement *measurement)
{
    const struct shepard_paper_times *const times = &measurement->times;
    shepard_json_writer_begin(json, "seconds", '{');
    shepard_json_writer_number(
        json, "total", measurement->state == SHEPARD_MEASUREMENT_FAILED ? NAN : times->total);
    if (measurement->state == SHEPARD_MEASUREMENT_MEASURED) {
        shepard_json_writer_number(json, "mean", measurement->mean);
        shepard_json_writer_number(json, "prepare", times->prepare);
        shepard_json_writer_number(json, "upload", times->upload);
        shepard_json_writer_number(json, "grid", times->grid);
        shepard_json_writer_number(json, "neighbours", times->neighbours);
        shepard_json_writer_number(json, "weighting", times->weighting);
        shepard_json_writer_number(json, "download", times->download);
    }
    shepard_json_writer_end(json, '{');
}

static void write_measurements(struct shepard_json_writer *json,
                               const struct shepard_paper_results *results)
{
    char name[SHEPARD_PAPER_NAME];
    shepard_json_writer_begin(json, "measurements", '[');
    for (size_t i = 0; i < results->count; i++) {
        const struct shepard_measurement *const measurement = &results->list[i];
        shepard_paper_method_name(measurement->method, name);
        shepard_json_writer_begin(json, NULL, '{');
        shepard_json_writer_text(json, "method", name);
        write_workload(json, &measurement->job);
        shepard_json_writer_text(json, "state", shepard_measurement_state_name(measurement->state));
        write_seconds(json, measurement);
        shepard_json_writer_number(json, "runs", measurement->runs);
        shepard_json_writer_number(json, "error", measurement->error);
        shepard_json_writer_number(json, "error_limit", measurement->error_limit);
        shepard_json_writer_text(json, "message", text_or_null(measurement->message));
        shepard_json_writer_end(json, '{');
    }
    shepard_json_writer_end(json, '[');
}

bool shepard_study_write_json(const struct shepard_study *study, FILE *file)
{
    struct shepard_json_writer json = {.file = file};
    shepard_json_writer_begin(&json, NULL, '{');
    shepard_json_writer_text(&json, "program", "shepard_papers");
    shepard_json_writer_text(&json, "version", shepard_version());
    shepard_json_writer_text(&json, "commit", study->settings.commit);
    write_machine(&json, &study->machine);
    write_settings(&json, study);
    write_left_out(&json);
    write_series(&json, study);
    write_measurements(&json, &study->results);
    shepard_json_writer_end(&json, '{');
    return fflush(file) == 0 && !ferror(file);
}
