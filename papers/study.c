/* SPDX-License-Identifier: MIT */
#include "study.h"

#include "base/memory.h"
#include "method.h"
#include "pinned_memory.h"

/* One case: its data, exact values, and room for predictions. */
struct study_case {
    struct shepard_dataset dataset;
    struct shepard_error_check check;
    double *values[SHEPARD_PAPER_COLUMNS_MAX];
};

static bool is_asked(const struct shepard_study_settings *settings, size_t method)
{
    for (size_t i = 0; i < settings->method_count; i++) {
        if (shepard_paper_method_matches(settings->methods[i], method))
            return true;
    }
    return settings->method_count == 0;
}

/* A method that is asked for and can run here. */
static bool is_taken(const struct shepard_study *study, size_t method)
{
    return is_asked(&study->settings, method) && !shepard_paper_method_refusal(method);
}

/* GPU methods have one reason in common. */
static void log_left_out(const struct shepard_study *study)
{
    const char *reason = NULL;
    size_t count = 0;
    for (size_t method = 0; method < shepard_paper_method_count(); method++) {
        if (is_asked(&study->settings, method) && shepard_paper_method_refusal(method)) {
            reason = shepard_paper_method_refusal(method);
            count++;
        }
    }
    if (reason)
        fprintf(study->settings.log, "%zu methods left out: %s\n", count, reason);
}

static void free_case(const struct shepard_study *study, struct study_case *on)
{
    for (size_t a = 0; a < SHEPARD_PAPER_COLUMNS_MAX; a++)
        shepard_release(study->allocator, on->values[a]);
    shepard_error_check_free(&on->check);
    shepard_dataset_free(&on->dataset);
}

static enum shepard_status prepare_case(const struct shepard_study *study,
                                        const struct shepard_workload *job, struct study_case *on,
                                        struct shepard_error *error)
{
    on->dataset = (struct shepard_dataset){.allocator = study->allocator,
                                           .n = job->sets * job->n,
                                           .m = job->sets * job->m,
                                           .columns = job->columns};
    if (!shepard_dataset_draw(&on->dataset, study->settings.seed))
        return SHEPARD_ERROR_MEMORY;
    for (size_t a = 0; a < shepard_workload_arrays(job); a++) {
        on->values[a] = shepard_allocate(study->allocator, job->m, sizeof *on->values[a]);
        if (!on->values[a])
            return SHEPARD_ERROR_MEMORY;
    }
    return shepard_error_check_prepare(&on->check, job, &on->dataset,
                                       study->settings.options.threads, error);
}

static void log_measurement(FILE *log, const struct shepard_measurement *measurement)
{
    const struct shepard_workload *const job = &measurement->job;
    char name[SHEPARD_PAPER_NAME], power[24] = "", calls[64] = "";
    shepard_paper_method_name(measurement->method, name);
    if (job->method == SHEPARD_METHOD_IDW)
        snprintf(power, sizeof power, " power=%g", job->power);
    if (job->sets > 1 || job->apart)
        snprintf(calls, sizeof calls, " sets=%zu calls=%zu", job->sets,
                 shepard_workload_calls(job));
    fprintf(log, "%-33s n=%zu m=%zu columns=%zu%s%s: %s", name, job->n, job->m, job->columns, calls,
            power, shepard_measurement_state_name(measurement->state));
    if (measurement->state == SHEPARD_MEASUREMENT_FAILED)
        fprintf(log, ": %s\n", measurement->message);
    else if (measurement->state == SHEPARD_MEASUREMENT_MEASURED && measurement->message[0])
        fprintf(log, " %.4g s; %s\n", measurement->times.total, measurement->message);
    else if (measurement->state == SHEPARD_MEASUREMENT_MEASURED)
        fprintf(log, " %.4g s, error %.1e%s\n", measurement->times.total, measurement->error,
                shepard_measurement_is_wrong(measurement) ? ": above its limit" : "");
    else
        fprintf(log, ", about %.2g s\n", measurement->times.total);
    fflush(log);
}

/* Measures a method on a case; the case is prepared by the first method that needs it. */
static enum shepard_status run_method(struct shepard_study *study,
                                      const struct shepard_workload *job, size_t method,
                                      struct study_case *on, struct shepard_error *error)
{
    const enum shepard_status status =
        on->dataset.x ? SHEPARD_OK : prepare_case(study, job, on, error);
    if (status)
        return status;
    const struct shepard_measure_case prepared = {*job, &on->dataset, &on->check, on->values};
    struct shepard_measurement measurement;
    shepard_measure(method, &prepared, &study->settings.options, &study->results, &measurement);
    log_measurement(study->settings.log, &measurement);
    return shepard_paper_results_add(&study->results, &measurement) ? SHEPARD_OK
                                                                    : SHEPARD_ERROR_MEMORY;
}

/* All methods of a series on one case, but for those that another series has measured on it. */
static enum shepard_status run_case(struct shepard_study *study,
                                    const struct shepard_series *series,
                                    const struct shepard_workload *job, struct shepard_error *error)
{
    struct study_case on = {0};
    enum shepard_status status = SHEPARD_OK;
    for (size_t method = 0; method < shepard_paper_method_count() && !status; method++) {
        if (is_taken(study, method) && shepard_series_takes(series, method) &&
            !shepard_paper_results_find(&study->results, method, job))
            status = run_method(study, job, method, &on, error);
    }
    free_case(study, &on);
    return status;
}

static enum shepard_status run_series(struct shepard_study *study, struct shepard_error *error)
{
    for (size_t s = 0; s < study->series_count; s++) {
        const struct shepard_series *const series = &study->series[s];
        for (size_t i = 0; i < series->count; i++) {
            const enum shepard_status status = run_case(study, series, &series->cases[i], error);
            if (status)
                return status;
        }
    }
    return SHEPARD_OK;
}

static bool has_gpu(const struct shepard_study *study)
{
    for (size_t method = 0; method < shepard_paper_method_count(); method++) {
        if (shepard_paper_method_is_on_gpu(method) && is_taken(study, method))
            return true;
    }
    return false;
}

enum shepard_status shepard_study_run(struct shepard_study *study, struct shepard_error *error)
{
    const struct shepard_study_settings *const settings = &study->settings;
    *error = (struct shepard_error){0};
    const bool gpu = has_gpu(study);
    study->allocator = gpu ? shepard_pinned_memory() : NULL;
    shepard_machine_ask(&study->machine, settings->options.threads, gpu);
    log_left_out(study);
    study->series_count = shepard_series_make(settings->studies, settings->sizes,
                                              settings->size_count, study->series);
    const enum shepard_status status = run_series(study, error);
    if (status && !error->message[0])
        snprintf(error->message, sizeof error->message, "%s", shepard_status_text(status));
    return status;
}

bool shepard_study_is_right(const struct shepard_study *study)
{
    for (size_t i = 0; i < study->results.count; i++) {
        if (shepard_measurement_is_wrong(&study->results.list[i]))
            return false;
    }
    return true;
}

void shepard_study_free(struct shepard_study *study)
{
    shepard_paper_results_free(&study->results);
    *study = (struct shepard_study){0};
}
