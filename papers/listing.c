/* SPDX-License-Identifier: MIT */
#include "listing.h"

#include "contestant.h"
#include "printed.h"
#include "ratio.h"

#include <math.h>
#include <string.h>

/* Cases that stand beside one another in a table of comparisons. */
enum { RATIOS_IN_A_LINE = 5 };

/* A number in a column: about four digits, "-" where there is none. */
static const char *number_text(double value, char text[16])
{
    if (isnan(value))
        snprintf(text, 16, "-");
    else if (value != 0 && fabs(value) < 1e-3)
        snprintf(text, 16, "%.1e", value);
    else if (fabs(value) < 1e3)
        snprintf(text, 16, "%.*f", value < 0.1 ? 5 : value < 10 ? 3 : 1, value);
    else
        snprintf(text, 16, "%.0f", value);
    return text;
}

/* The same, with "~" before what is extrapolated. */
static const char *marked_text(double value, bool estimated, char text[16])
{
    char plain[16];
    snprintf(text, 16, "%s%.14s", estimated && !isnan(value) ? "~" : "", number_text(value, plain));
    return text;
}

/* Times that are estimates have no more than two digits. */
static const char *rough_text(double seconds, char text[16])
{
    if (seconds < 10)
        snprintf(text, 16, "%.2g", seconds);
    else
        snprintf(text, 16, "%.0f", seconds);
    return text;
}

/* Why an engine that is asked for cannot run here; NULL where it can, or nobody asks. */
static const char *reason_of(const struct shepard_study *study, size_t who)
{
    return shepard_study_asks(study, who) ? shepard_contestant_refusal(who) : NULL;
}

/* One line for each reason. */
static void print_refusals(FILE *out, const struct shepard_study *study)
{
    const size_t count = shepard_contestant_count();
    for (size_t i = 0; i < count; i++) {
        const char *const reason = reason_of(study, i);
        bool first = reason;
        size_t alike = 0;
        for (size_t j = 0; reason && j < count; j++) {
            const char *const other = reason_of(study, j);
            const bool same = other && strcmp(other, reason) == 0;
            first = first && !(same && j < i);
            alike += same;
        }
        if (first)
            fprintf(out, "%zu GPU engines left out: %s\n", alike, reason);
    }
}

static void print_machine(FILE *out, const struct shepard_machine *machine)
{
    fprintf(out, "processor  %s, %ld logical\n", machine->processor, machine->processors);
    fprintf(out, "threads    %d for shepard itself (%s), 1 for serial engines\n", machine->threads,
            machine->isa);
    if (machine->gpu[0])
        fprintf(out, "GPU        %s, driver %s, CUDA runtime %s\n", machine->gpu, machine->driver,
                machine->runtime[0] ? machine->runtime : "unknown");
    fprintf(out, "compiler   %s%s%s\n", machine->compiler, machine->cuda_compiler[0] ? "; " : "",
            machine->cuda_compiler);
}

void shepard_listing_head(FILE *out, const struct shepard_study *study)
{
    const struct shepard_terms *const terms = &study->settings.terms;
    if (!out)
        return;
    fprintf(out, "shepard %s, the papers' tables made again\n", shepard_version());
    print_machine(out, &study->machine);
    fprintf(out,
            "data       uniform random points and targets in a square of side %g, seed %llu,\n"
            "           1K = 1024; values: a smooth surface of range 100 with noise, sd 5\n",
            SHEPARD_DATASET_PAPERS_SIDE, (unsigned long long)study->settings.seed);
    fprintf(out,
            "seconds    wall clock of a whole run, transfers included, data generation not;\n"
            "           median of %d (1 where a run takes over 5 s), after a small run untimed;\n"
            "           ~ is extrapolated from smaller sizes where a run would pass the budget of "
            "%g s\n",
            terms->repeat, terms->budget);
    fprintf(out,
            "error      largest |engine - exact| / value range over up to %d targets; exact: all "
            "pairs\n"
            "           summed in double by shepard's backend cpu. ! is above 1e-5 (float), 1e-10 "
            "(double),\n"
            "           eps (shepard itself: new-METHOD-EPS)\n"
            "printed    what the papers print, on their machines; speed-ups are over the serial "
            "engine\n",
            SHEPARD_JUDGE_SAMPLE);
    print_refusals(out, study);
    fflush(out);
}

void shepard_listing_table(FILE *out, enum shepard_table table)
{
    if (out)
        fprintf(out, "\n==== %s: %s\n%s", shepard_table_name(table), shepard_table_title(table),
                shepard_table_note(table));
}

static void print_time_heads(FILE *out)
{
    fprintf(out, "  %-27s %10s %11s %10s %11s %9s\n", "engine", "seconds", "(printed)", "speed-up",
            "(printed)", "error");
}

/* Milliseconds. */
#define STAGE_COLUMNS "  %-26s %7s %8s %6s %6s %8s %6s  %6s %8s %6s%s\n"

static void print_stage_heads(FILE *out)
{
    fprintf(out, STAGE_COLUMNS, "engine", "total", "transfer", "grid", "kNN", "sums", "share",
            "(kNN", "sums", "share)", "");
}

void shepard_listing_series(FILE *out, const struct shepard_series *series, bool rows)
{
    if (!out)
        return;
    fprintf(out, "\n-- %s\n", series->title);
    if (!rows)
        fprintf(out, "  none of its engines is asked for and can run here\n");
    else if (series->table == SHEPARD_TABLE_STAGES)
        print_stage_heads(out);
    else
        print_time_heads(out);
    fflush(out);
}

void shepard_listing_case(FILE *out, const struct shepard_workload *job)
{
    char n[24], m[24];
    if (!out)
        return;
    fprintf(out, "n = %s, m = %s", shepard_size_text(job->n, n), shepard_size_text(job->m, m));
    if (job->columns > 1)
        fprintf(out, ", %zu columns", job->columns);
    fputc('\n', out);
    fflush(out);
}

static void print_times(FILE *out, const struct shepard_series *series,
                        const struct shepard_ledger *ledger, const struct shepard_record *record,
                        const char *name)
{
    char seconds[16], printed[16], speedup[16], printed_speedup[16], error[16];
    bool estimated = false;
    const double faster = shepard_ledger_speedup(ledger, record, &estimated);
    const bool serial = shepard_contestant_is_serial(record->who);
    const bool known = record->state == SHEPARD_RECORD_MEASURED;
    if (known)
        snprintf(error, sizeof error, "%.1e%s", record->error,
                 shepard_record_is_wrong(record) ? "!" : "");
    else
        snprintf(error, sizeof error, "-");
    fprintf(out, "  %-27s %10s %11s %10s %11s %9s\n", name,
            marked_text(record->times.total, !known, seconds),
            number_text(shepard_printed_seconds(series->table, record->who, &record->job), printed),
            marked_text(serial ? NAN : faster, estimated, speedup),
            number_text(serial ? NAN
                               : shepard_printed_speedup(series->table, record->who, &record->job),
                        printed_speedup),
            error);
}

static const char *share_text(double part, double rest, char text[16])
{
    const double share = 100 * part / (part + rest);
    if (isnan(share))
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "%.1f%%", share);
    return text;
}

static void print_stages(FILE *out, const struct shepard_record *record, const char *name)
{
    const struct shepard_paper_times *const times = &record->times;
    const struct shepard_paper_times printed = shepard_printed_stages(record->who, &record->job);
    char text[9][16];
    fprintf(out, STAGE_COLUMNS, name, number_text(1e3 * times->total, text[0]),
            number_text(1e3 * (times->upload + times->download), text[1]),
            number_text(1e3 * times->grid, text[2]), number_text(1e3 * times->neighbours, text[3]),
            number_text(1e3 * times->weighting, text[4]),
            share_text(times->grid + times->neighbours, times->weighting, text[5]),
            number_text(1e3 * printed.neighbours, text[6]),
            number_text(1e3 * printed.weighting, text[7]),
            share_text(printed.neighbours, printed.weighting, text[8]),
            shepard_record_is_wrong(record) ? " !" : "");
}

void shepard_listing_row(FILE *out, const struct shepard_series *series,
                         const struct shepard_ledger *ledger, const struct shepard_record *record)
{
    char name[SHEPARD_PAPER_NAME], rough[16];
    if (!out)
        return;
    shepard_contestant_name(record->who, name);
    if (record->state == SHEPARD_RECORD_FAILED)
        fprintf(out, "  %-27s failed: %s\n", name, record->message);
    else if (record->state == SHEPARD_RECORD_SKIPPED)
        fprintf(out, "  %-27s skipped: about %s s\n", name, rough_text(record->times.total, rough));
    else if (series->table == SHEPARD_TABLE_STAGES)
        print_stages(out, record, name);
    else
        print_times(out, series, ledger, record, name);
    fflush(out);
}

static void print_ratio(FILE *out, const struct shepard_ratio *ratio,
                        const struct shepard_series *series, size_t i,
                        const struct shepard_ledger *ledger)
{
    char cell[40], measured[16];
    const double value = shepard_ratio_measured(ratio, series, i, ledger);
    const struct shepard_range printed =
        ratio->a == ratio->b
            ? (struct shepard_range){NAN, NAN}
            : shepard_printed_ratio(series->table, ratio->a, ratio->b, &series->cases[i]);
    if (isnan(value))
        snprintf(measured, sizeof measured, "-");
    else
        snprintf(measured, sizeof measured, "%.*f", value < 100 ? 2 : 0, value);
    if (isnan(printed.low))
        snprintf(cell, sizeof cell, "%s", measured);
    else if (printed.low < printed.high)
        snprintf(cell, sizeof cell, "%s (%.2g-%.2g)", measured, printed.low, printed.high);
    else
        snprintf(cell, sizeof cell, "%s (%.2f)", measured, printed.low);
    fprintf(out, " %11s", cell);
}

static bool has_ratio(const struct shepard_ratio *ratio, const struct shepard_series *series,
                      const struct shepard_ledger *ledger)
{
    for (size_t i = 0; i < series->count; i++) {
        if (!isnan(shepard_ratio_measured(ratio, series, i, ledger)))
            return true;
    }
    return false;
}

/* Comparisons of the cases from first on, as many as fit in a line. */
static void print_ratio_lines(FILE *out, const struct shepard_series *series, size_t first,
                              const struct shepard_ratio *ratios, size_t count,
                              const struct shepard_ledger *ledger)
{
    char at[24];
    size_t end = first + RATIOS_IN_A_LINE;
    end = end < series->count ? end : series->count;
    fprintf(out, "  %-38s",
            series->variable == SHEPARD_VARIABLE_COLUMNS ? "value columns: time in units of one's"
                                                         : "ratio of times (printed)");
    for (size_t i = first; i < end; i++)
        fprintf(out, " %11s", shepard_series_label(series, i, at));
    fputc('\n', out);
    for (size_t r = 0; r < count; r++) {
        char label[100];
        if (!has_ratio(&ratios[r], series, ledger))
            continue;
        shepard_ratio_label(&ratios[r], label);
        if (strlen(label) > 38)
            fprintf(out, "  %s\n  %-38s", label, "");
        else
            fprintf(out, "  %-38s", label);
        for (size_t i = first; i < end; i++)
            print_ratio(out, &ratios[r], series, i, ledger);
        fputc('\n', out);
    }
}

void shepard_listing_ratios(FILE *out, const struct shepard_series *series,
                            const struct shepard_ledger *ledger)
{
    struct shepard_ratio ratios[SHEPARD_RATIOS_MAX];
    const size_t count = shepard_ratio_list(series, ratios);
    bool any = false;
    for (size_t r = 0; r < count; r++)
        any = any || has_ratio(&ratios[r], series, ledger);
    if (!out || !any)
        return;
    for (size_t first = 0; first < series->count; first += RATIOS_IN_A_LINE)
        print_ratio_lines(out, series, first, ratios, count, ledger);
    fflush(out);
}

void shepard_listing_errata(FILE *out, const struct shepard_erratum *errata, size_t count)
{
    if (!out)
        return;
    fprintf(out, "\n  %-22s %9s %20s %20s\n", "erratum", "tried", "wrong as printed",
            "wrong as corrected");
    for (size_t i = 0; i < count; i++) {
        const struct shepard_erratum *const erratum = &errata[i];
        const double tried = (double)erratum->tried;
        fprintf(out, "  %-22s %9zu %10zu (%5.1f %%) %10zu (%5.1f %%)%s\n", erratum->id,
                erratum->tried, erratum->wrong, 100 * (double)erratum->wrong / tried,
                erratum->corrected, 100 * (double)erratum->corrected / tried,
                erratum->corrected > 0 || erratum->wrong == 0 ? " !" : "");
        fprintf(out, "      %s: %s\n      %s\n", erratum->where, erratum->printed, erratum->effect);
    }
    fflush(out);
}

static void print_fault(FILE *out, const struct shepard_record *record)
{
    char name[SHEPARD_PAPER_NAME], n[24], m[24];
    shepard_contestant_name(record->who, name);
    fprintf(out, "! %s, n = %s, m = %s: ", name, shepard_size_text(record->job.n, n),
            shepard_size_text(record->job.m, m));
    if (record->state == SHEPARD_RECORD_FAILED)
        fprintf(out, "failed: %s\n", record->message);
    else
        fprintf(out, "error %.1e of the value range, above %g\n", record->error, record->limit);
}

void shepard_listing_faults(FILE *out, const struct shepard_study *study)
{
    if (!out)
        return;
    fputc('\n', out);
    for (size_t i = 0; i < study->ledger.count; i++) {
        const struct shepard_record *const record = &study->ledger.records[i];
        if (record->state == SHEPARD_RECORD_FAILED || shepard_record_is_wrong(record))
            print_fault(out, record);
    }
    fprintf(out, "%s\n",
            shepard_study_is_right(study) ? "Nothing failed; all errors are within their limits."
                                          : "What is marked ! or failed is not as it must be.");
    fflush(out);
}
