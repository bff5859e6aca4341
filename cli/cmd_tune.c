/* SPDX-License-Identifier: MIT */
#include "choice_file.h"
#include "command_line.h"
#include "error_text.h"
#include "holdout.h"
#include "input.h"
#include "job.h"
#include "json.h"
#include "message.h"
#include "path.h"
#include "report.h"
#include "scores.h"
#include "trial_search.h"
#include "tune_page.h"
#include "verb.h"
#include "whole_file.h"

#include "shepard/shepard_tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Command line ---------------------------------------------------------------------------- */

struct tune_options {
    struct shepard_job_options job; /* first: the common tables fill it */
    struct shepard_text_list algorithms;
    struct shepard_numbers power, points;
    const char *choice;
};

#define AT(field) offsetof(struct tune_options, field)

static const struct shepard_option search_options[] = {
    {"--seconds", NULL, SHEPARD_OPTION_POSITIVE, 1, AT(job.seconds), "N",
     "no trial begins later (default: 60)"},
    {"--write", NULL, SHEPARD_OPTION_TEXT, 1, AT(choice), "FILE",
     "write the choice to FILE, which -a @FILE takes"},
    {"--power", NULL, SHEPARD_OPTION_POSITIVE, 2, AT(power), "LEAST MOST",
     "powers of idw to try (default: 1 4)"},
    {"--points", NULL, SHEPARD_OPTION_SIZES, 2, AT(points), "LEAST MOST",
     "points of neighbourhoods to try (default: 4 32)"},
    {"-a", NULL, SHEPARD_OPTION_LIST, 1, AT(algorithms), "ALGORITHM[:KEY=VALUE...]",
     "try this; repeat it for each candidate (default: some hundred of all methods)"},
    {0}};

static const struct shepard_option_group tune_groups[] = {
    {"Data points (SRC)", shepard_input_options},
    {"Search", search_options},
    {"Trend", shepard_trend_options},
    {"Computation", shepard_compute_options},
    {"What is held out (default: points in turn, each predicted from the others)",
     shepard_holdout_options},
    {"Query points (QUERY of --at)", shepard_query_options},
    {"Targets: the raster that grid would make", shepard_raster_options},
    {"Page", shepard_page_options},
    {"Reports", shepard_report_options},
    {0}};

static const struct shepard_syntax tune_syntax = {
    .verb = "tune",
    .positionals = "SRC",
    .positional_count = 1,
    .several_sources = true,
    .json_offset = AT(job.json),
    .output_offset = AT(choice),
    .groups = tune_groups,
};

static void print_help(void)
{
    printf("Usage: shepard tune [options] SRC\n\n"
           "Tries methods and parameters on points of SRC that are held out, and prints all\n"
           "trials, that with the least error first. With targets, by --at or the options of a\n"
           "raster, data are held out so that the error is that at the targets.\n");
    shepard_options_help(tune_groups);
    printf("\nExit code: 0, 1 on an error, 130 after Ctrl-C. More: man shepard\n");
}

/* ---- The run --------------------------------------------------------------------------------- */

/* All that one run makes, freed together. */
struct tune_run {
    struct shepard_job job;
    struct tune_options *options;
    struct shepard_input input;
    struct shepard_covariate_list covariates;
    struct shepard_column_group trend; /* of -trend: the values are what it leaves */
    struct shepard_holdout_plan plan;
    struct shepard_holdout *holdout;
    struct shepard_holdout_info info;
    struct shepard_score_row *rows; /* of the trials; their texts are those of the list */
    struct shepard_text_list texts;
    struct shepard_tuning_result result;
    struct shepard_parameters chosen; /* of the choice */
    struct shepard_points_options chosen_options;
    double reference_rmse;
    char *command; /* to repeat the run */
};

static bool check_range(const char *option, const struct shepard_numbers *range)
{
    return !range->set || range->v[0] <= range->v[1] ||
           shepard_say_error("%s %.12g %.12g: the range is upside down; give the smaller number "
                             "first",
                             option, range->v[0], range->v[1]);
}

static bool check_options(struct tune_run *run)
{
    const struct tune_options *const options = run->options;
    if (options->choice && shepard_path_is_stdout(options->choice)) {
        return shepard_say_error("--write takes a file; the choice is the last line of the table");
    }
    return shepard_job_check_stdout(&run->job, "choice") &&
           check_range("--power", &options->power) && check_range("--points", &options->points) &&
           shepard_holdout_plan_check(&run->plan, &run->job) &&
           shepard_covariates_open(&run->covariates, &run->job) &&
           (!options->choice || shepard_whole_file_check("--write", options->choice));
}

static bool fit_trend(struct tune_run *run)
{
    return shepard_covariates_read(&run->covariates, &run->input, shepard_input_srs(&run->input),
                                   &run->job) &&
           (run->covariates.count == 0 ||
            shepard_search_fit_trend(&run->trend, &run->input, &run->covariates, &run->job));
}

static bool hold_out(struct tune_run *run)
{
    struct shepard_job *const job = &run->job;
    if (!shepard_input_read(&run->input, job->names.items[0], job) ||
        !shepard_holdout_plan_place(&run->plan, &run->input, job)) {
        return false;
    }
    if (run->input.count > 1 || run->input.layers[0].columns > 1) {
        return shepard_say_error("tune takes one field of one layer; name one with -zfield and -l");
    }
    if (run->plan.validation.kind == SHEPARD_VALIDATION_LEAVE_ONE_OUT) {
        run->plan.validation.samples = SHEPARD_SEARCH_SAMPLES;
    }
    shepard_progress_stage(&job->watch, SHEPARD_STAGE_BUILD);
    if (!fit_trend(run)) {
        return false;
    }
    const struct shepard_point_set *const points = &run->input.layers[0];
    const struct shepard_array values = run->covariates.count > 0
                                            ? shepard_column_group_values(&run->trend, points, 0)
                                            : shepard_doubles(points->values[0]);
    if (!shepard_holdout_plan_create(&run->plan, points, 0, &values, job, &run->holdout)) {
        return false;
    }
    run->info.size = sizeof run->info;
    shepard_holdout_get_info(run->holdout, &run->info);
    return true;
}

/* ---- Trials ---------------------------------------------------------------------------------- */

static bool take_trial(const struct shepard_trial *trial, void *user)
{
    static const struct shepard_scores failed = {
        .me = NAN, .mae = NAN, .rmse = NAN, .crps = NAN, .coverage = NAN, .interval = NAN};
    struct tune_run *const run = user;
    const size_t count = run->texts.count;
    struct shepard_score_row *const rows = realloc(run->rows, (count + 1) * sizeof *rows);
    if (!rows || !shepard_text_list_add(&run->texts, trial->text, strlen(trial->text))) {
        run->rows = rows ? rows : run->rows;
        return false;
    }
    run->rows = rows;
    rows[count] = (struct shepard_score_row){.text = run->texts.items[count],
                                             .scores = trial->scores ? *trial->scores : failed,
                                             .seconds = trial->seconds};
    if (!trial->scores) {
        shepard_progress_note(&run->job.watch, "%s: %s", trial->text, trial->message);
    }
    return true;
}

static struct shepard_tuning tuning_of(struct tune_run *run)
{
    const struct tune_options *const options = run->options;
    struct shepard_tuning tuning = shepard_search_tuning(&run->job);
    if (options->algorithms.count > 0) {
        tuning.candidates = (const char *const *)options->algorithms.items;
        tuning.candidate_count = options->algorithms.count;
    }
    if (options->power.set) {
        tuning.power_min = options->power.v[0];
        tuning.power_max = options->power.v[1];
    }
    if (options->points.set) {
        tuning.points_min = (size_t)options->points.v[0];
        tuning.points_max = (size_t)options->points.v[1];
    }
    tuning.trial = take_trial;
    tuning.user = run;
    return tuning;
}

static bool score_reference(struct tune_run *run)
{
    struct shepard_algorithm reference;
    struct shepard_validation_result result = {.size = sizeof result};
    struct shepard_error error;
    if (!shepard_algorithm_parse(SHEPARD_SKILL_REFERENCE, &reference)) {
        return false;
    }
    const bool good =
        shepard_holdout_validate(run->holdout, &reference.parameters, &reference.options, &result,
                                 NULL, &error) == SHEPARD_OK;
    shepard_algorithm_free(&reference);
    run->reference_rmse = result.scores.rmse;
    return good || shepard_say_library_error(&run->job.algorithm, error.message);
}

static bool search(struct tune_run *run)
{
    const struct shepard_tuning tuning = tuning_of(run);
    run->result = (struct shepard_tuning_result){
        .size = sizeof run->result, .parameters = &run->chosen, .options = &run->chosen_options};
    shepard_points_options_init(&run->chosen_options);
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_PREDICT);
    return shepard_search_run(run->holdout, &tuning, &run->result, &run->job);
}

/* ---- Results --------------------------------------------------------------------------------- */

static int by_error(const void *a, const void *b)
{
    const struct shepard_scores *const first = &((const struct shepard_score_row *)a)->scores;
    const struct shepard_scores *const second = &((const struct shepard_score_row *)b)->scores;
    const double x = isnan(first->rmse) ? INFINITY : first->rmse;
    const double y = isnan(second->rmse) ? INFINITY : second->rmse;
    return first->missing != second->missing ? (first->missing > second->missing ? 1 : -1)
                                             : (x > y) - (x < y);
}

static void print(const struct tune_run *run, const struct shepard_score_table *table)
{
    const struct shepard_point_set *const points = &run->input.layers[0];
    char *const held_out = shepard_holdout_text(&run->info);
    const size_t used = shepard_input_used(points, 0);
    printf("layer %s, field %s: %zu point%s; %s\n", points->layer, points->column[0].name, used,
           used == 1 ? "" : "s", held_out ? held_out : "");
    if (run->covariates.count > 0) {
        shepard_column_trend_print(&run->trend.trend, 0, &run->covariates, points->column[0].name);
    }
    shepard_score_table_print(table);
    char *const errors = shepard_search_text(&run->result, &run->info);
    printf("choice of %s\n%s\n", errors ? errors : "", run->result.text);
    free(errors);
    free(held_out);
}

static bool write_report(struct tune_run *run, const struct shepard_score_table *table)
{
    struct shepard_json *const json = shepard_report_begin("tune", &run->job, &run->input);
    shepard_holdout_add(&run->info, json);
    shepard_json_number(json, "seed", (double)run->plan.validation.seed);
    shepard_json_number(json, "trials", (double)run->result.trials);
    if (run->covariates.count > 0) {
        shepard_report_add_trend(shepard_json_object(json, "trend"), &run->trend.trend, 0,
                                 &run->covariates, 0);
    }
    shepard_json_text(json, "choice", run->result.text);
    shepard_json_number(json, "rmse", run->result.scores.rmse);
    shepard_json_number(json, "honest_rmse", run->result.honest_rmse);
    shepard_json_number(json, "sd_ratio", run->result.sd_ratio);
    shepard_json_bool(json, "complete", run->result.complete);
    shepard_score_table_add(table, json);
    return shepard_report_end(json, &run->job);
}

static bool write_choice(const struct tune_run *run)
{
    char comment[160];
    snprintf(comment, sizeof comment, "shepard tune %s: RMSE %.6g, honest %.6g, of %zu trials",
             run->input.layers[0].column[0].name, run->result.scores.rmse, run->result.honest_rmse,
             run->result.trials);
    return !run->options->choice ||
           shepard_choice_write(run->options->choice, run->result.text, comment);
}

/* Predicts the held-out data with the choice, as its trial did. */
static bool predict_choice(struct tune_run *run, struct shepard_residuals *residuals)
{
    struct shepard_validation_result result = {.size = sizeof result};
    struct shepard_error error;
    if (!shepard_residuals_of_points(residuals, &run->input.layers[0], 0, &run->info, 1)) {
        return false;
    }
    result.values = residuals->predicted;
    if (shepard_holdout_validate(run->holdout, &run->chosen, &run->chosen_options, &result, NULL,
                                 &error)) {
        return shepard_say_library_error(&run->job.algorithm, error.message);
    }
    if (run->covariates.count > 0) {
        shepard_column_trend_add_back(run->input.layers[0].values[0], run->trend.trend.residuals,
                                      run->info.indices, run->info.count, residuals->predicted);
    }
    return true;
}

static bool write_page(struct tune_run *run, const struct shepard_score_table *table)
{
    if (!run->job.options->report) {
        return true;
    }
    struct shepard_residuals residuals = {0};
    char *const held_out = shepard_holdout_text(&run->info);
    const struct shepard_tune_page page = {.job = &run->job,
                                           .points = &run->input.layers[0],
                                           .held_out = held_out ? held_out : "",
                                           .result = &run->result,
                                           .table = table,
                                           .residuals = &residuals,
                                           .trend = &run->trend.trend,
                                           .covariates = &run->covariates,
                                           .command = run->command};
    const bool good = predict_choice(run, &residuals) && shepard_tune_page_write(&page);
    shepard_residuals_free(&residuals);
    free(held_out);
    return good;
}

static bool tune(struct tune_run *run)
{
    const struct shepard_json_target *const json = &run->job.options->json;
    if (!hold_out(run) || !score_reference(run) || !search(run)) {
        return false;
    }
    qsort(run->rows, run->texts.count, sizeof *run->rows, by_error);
    const struct shepard_score_table table = {
        .rows = run->rows, .count = run->texts.count, .reference_rmse = run->reference_rmse};
    if (!json->set || json->file) {
        print(run, &table);
    }
    return write_choice(run) && write_page(run, &table) && write_report(run, &table);
}

static void free_run(struct tune_run *run)
{
    free(run->rows);
    free(run->command);
    shepard_text_list_free(&run->texts);
    shepard_holdout_free(run->holdout);
    shepard_holdout_plan_free(&run->plan);
    shepard_column_group_free(&run->trend);
    shepard_covariates_free(&run->covariates);
    shepard_input_free(&run->input);
    shepard_text_list_free(&run->options->algorithms);
    shepard_job_end(&run->job, &run->options->job);
}

int shepard_verb_tune(int argc, char **argv)
{
    if (shepard_option_asked(argc, argv, "--help") || shepard_option_asked(argc, argv, "-h")) {
        print_help();
        return 0;
    }
    struct tune_options options = {0};
    /* Parsing changes the arguments. */
    struct tune_run run = {.options = &options,
                           .command = shepard_command_line("tune", argc, argv)};
    const bool good = run.command &&
                      shepard_job_begin(&run.job, &tune_syntax, argc, argv, &options.job) &&
                      check_options(&run) && tune(&run);
    const int code = good ? 0 : shepard_progress_exit_code(&run.job.watch);
    free_run(&run);
    return code;
}
