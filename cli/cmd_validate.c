/* SPDX-License-Identifier: MIT */
#include "choice_file.h"
#include "column_fit.h"
#include "command_line.h"
#include "distance_metric.h"
#include "error_text.h"
#include "holdout.h"
#include "input.h"
#include "job.h"
#include "json.h"
#include "message.h"
#include "path.h"
#include "report.h"
#include "residuals.h"
#include "scores.h"
#include "validate_page.h"
#include "verb.h"
#include "withheld.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Command line ---------------------------------------------------------------------------- */

struct validate_options {
    struct shepard_job_options job; /* first: the common tables fill it */
    struct shepard_text_list algorithms;
    const char *truth, *residuals, *format;
};

#define AT(field) offsetof(struct validate_options, field)

static const struct shepard_option method_options[] = {
    {"-a", NULL, SHEPARD_OPTION_LIST, 1, AT(algorithms), "ALGORITHM[:KEY=VALUE...]",
     "see below; repeat it to compare several (default: invdist)"},
    {0}};

static const struct shepard_option truth_options[] = {
    {"--truth", NULL, SHEPARD_OPTION_TEXT, 1, AT(truth), "LAYER",
     "predict at this layer of SRC, or other source, and compare with its values"},
    {0}};

static const struct shepard_option residual_options[] = {
    {"--residuals", NULL, SHEPARD_OPTION_TEXT, 1, AT(residuals), "OUT",
     "write what was observed and predicted at each point that was held out"},
    {"-f", "-of", SHEPARD_OPTION_TEXT, 1, AT(format), "FORMAT",
     "GDAL format of OUT (default: from its extension)"},
    {0}};

static const struct shepard_option_group validate_groups[] = {
    {"Data points (SRC)", shepard_input_options},
    {"Method", method_options},
    {"Trend", shepard_trend_options},
    {"Computation", shepard_compute_options},
    {"What is held out (default: each point in turn, predicted from the others)",
     shepard_holdout_options},
    {"Withheld measurements", truth_options},
    {"Query points (QUERY of --at)", shepard_query_options},
    {"Targets: the raster that grid would make", shepard_raster_options},
    {"Residuals", residual_options},
    {"Replacing", shepard_replace_options},
    {"Page", shepard_page_options},
    {"Reports", shepard_report_options},
    {0}};

static const struct shepard_syntax validate_syntax = {
    .verb = "validate",
    .positionals = "SRC",
    .positional_count = 1,
    .several_sources = true,
    .json_offset = AT(job.json),
    .output_offset = AT(residuals),
    .groups = validate_groups,
};

static void print_help(void)
{
    printf("Usage: shepard validate [options] SRC\n\n"
           "Predicts points of SRC from the others, and prints how far the predictions are from\n"
           "the values: for each -a n, mean error (predicted - observed), mean absolute error,\n"
           "root mean squared error, CRPS, the share of values in the 95 %% intervals, skill\n"
           "(1 - MSE / MSE of " SHEPARD_SKILL_REFERENCE
           ") and seconds. With targets, by --at or the options of\n"
           "a raster, data are held out so that the error is that at the targets.\n");
    shepard_options_help(validate_groups);
    printf("\nAlgorithms and their defaults (radius=R sets radius1 and radius2; 0 is no limit):\n");
    shepard_algorithm_help(false);
    shepard_algorithm_help_eps();
    printf("\nExit code: 0, 1 on an error, 130 after Ctrl-C. More: man shepard\n");
}

/* ---- The run --------------------------------------------------------------------------------- */

/* All that one run makes, freed together. */
struct validate_run {
    struct shepard_job job;
    struct validate_options *options;
    struct shepard_input input;
    struct shepard_covariate_list covariates;
    struct shepard_holdout_plan plan;
    struct shepard_withheld_layer truth;
    struct shepard_algorithm *algorithms; /* the last one is the reference of skill */
    struct shepard_score_row *rows;       /* the same */
    size_t count;                         /* without the reference */
    bool table;                           /* standard output is free for it */
    struct shepard_json *json, *validations;
    size_t step, steps;       /* validations made, and to be made */
    char *command;            /* to repeat the run */
    struct shepard_html page; /* of --report, as far as columns are validated */
    size_t columns;           /* validated */
};

/* A column, and what its predictions are compared with. */
struct validated_column {
    const struct shepard_point_set *points;
    size_t layer, column;
    struct shepard_holdout *holdout; /* NULL: withheld measurements */
    struct shepard_withheld withheld;
    struct shepard_holdout_info info;
    struct shepard_residuals residuals;
};

static bool parse_algorithm(struct validate_run *run, const char *text)
{
    char methods[SHEPARD_METHOD_NAMES_SIZE];
    struct shepard_algorithm *const algorithm = &run->algorithms[run->count];
    if (!shepard_algorithm_parse(text, algorithm)) {
        return false;
    }
    /* Its backend, threads and barriers are those of the job. */
    algorithm->options.backend = run->job.algorithm.options.backend;
    algorithm->options.device = run->job.algorithm.options.device;
    algorithm->options.threads = run->job.algorithm.options.threads;
    algorithm->options.barriers = run->job.algorithm.options.barriers;
    shepard_input_files_add(run->job.inputs, shepard_choice_file(text));
    run->rows[run->count] = (struct shepard_score_row){.text = text, .algorithm = algorithm};
    run->count++;
    if (algorithm->automatic) {
        return shepard_say_error(
            "-a auto: validate compares methods that are named; `shepard tune` "
            "chooses one and states its error");
    }
    return !shepard_algorithm_by_gdal(algorithm) ||
           shepard_say_error("-a %s is computed by GDAL, for rasters only; validate takes %s",
                             shepard_algorithm_name(algorithm),
                             shepard_algorithm_own_methods(methods));
}

static bool parse_algorithms(struct validate_run *run)
{
    const struct shepard_text_list *const texts = &run->options->algorithms;
    run->algorithms = calloc(texts->count + 2, sizeof *run->algorithms);
    run->rows = calloc(texts->count + 2, sizeof *run->rows);
    if (!run->algorithms || !run->rows) {
        return shepard_say_error("out of memory");
    }
    for (size_t i = 0; i < texts->count; i++) {
        if (!parse_algorithm(run, texts->items[i])) {
            return false;
        }
    }
    if (texts->count == 0 && !parse_algorithm(run, "invdist")) {
        return false;
    }
    const bool good = parse_algorithm(run, SHEPARD_SKILL_REFERENCE);
    run->count -= good;
    return good;
}

static bool check_truth(const struct validate_run *run)
{
    const struct shepard_job_options *const options = run->job.options;
    if (shepard_holdout_has_targets(options) || options->blocks || options->folds.set) {
        return shepard_say_error("--truth says what is compared; leave out --at, --folds, --blocks "
                                 "and the options of a raster");
    }
    return options->layers.count <= 1 ||
           shepard_say_error("--truth goes with one layer; name one with -l");
}

static bool check_options(struct validate_run *run)
{
    const char *const residuals = run->options->residuals;
    if (!parse_algorithms(run) || !shepard_job_check_stdout(&run->job, "residuals") ||
        !(run->options->truth ? check_truth(run)
                              : shepard_holdout_plan_check(&run->plan, &run->job))) {
        return false;
    }
    if (!shepard_covariates_open(&run->covariates, &run->job)) {
        return false;
    }
    const struct shepard_json_target *const json = &run->job.options->json;
    run->table = !(json->set && !json->file) && !(residuals && shepard_path_is_stdout(residuals));
    if (run->options->truth) {
        shepard_input_files_add(run->job.inputs, run->options->truth);
    }
    return !residuals ||
           shepard_job_check_output(&run->job, (struct shepard_output_spec){
                                                   .format = run->options->format, .vector = true});
}

static size_t column_count(const struct shepard_input *input)
{
    size_t columns = 0;
    for (size_t i = 0; i < input->count; i++) {
        columns += input->layers[i].columns;
    }
    return columns;
}

static bool read_truth(struct validate_run *run)
{
    run->truth.name = run->options->truth;
    run->truth.also = &run->covariates.fields;
    return shepard_input_read_withheld(&run->input, &run->truth, &run->job) &&
           shepard_covariates_read_withheld(&run->covariates, &run->truth, &run->job);
}

static bool read_data(struct validate_run *run)
{
    if (!shepard_input_read(&run->input, run->job.names.items[0], &run->job) ||
        !(run->options->truth || shepard_holdout_plan_place(&run->plan, &run->input, &run->job)) ||
        !shepard_covariates_read(&run->covariates, &run->input, shepard_input_srs(&run->input),
                                 &run->job) ||
        !(!run->options->truth || read_truth(run))) {
        return false;
    }
    for (size_t i = 0; i <= run->count; i++) {
        shepard_distance_metric_share(&run->job, &run->algorithms[i]);
    }
    const size_t columns = column_count(&run->input);
    run->steps = columns * (run->count + 1);
    run->json = shepard_report_begin("validate", &run->job, &run->input);
    run->validations = shepard_json_array(run->json, "validations");
    return !run->options->residuals || columns == 1 ||
           shepard_say_error("--residuals takes one field of one layer, %zu are read; name one "
                             "with -zfield and -l",
                             columns);
}

/* ---- A column -------------------------------------------------------------------------------- */

static bool hold_out(struct validate_run *run, struct validated_column *column)
{
    const struct shepard_array values = shepard_doubles(column->points->values[column->column]);
    if (run->options->truth) {
        struct shepard_error error;
        column->withheld = (struct shepard_withheld){.points = column->points,
                                                     .truth = &run->truth.points,
                                                     .column = column->column,
                                                     .values = values};
        /* What a trend leaves is another with each algorithm. */
        return run->covariates.count > 0 ||
               !shepard_withheld_begin(&column->withheld, &run->job, &error) ||
               shepard_say_library_error(&run->job.algorithm, error.message);
    }
    if (!shepard_holdout_plan_create(&run->plan, column->points, column->column, &values, &run->job,
                                     &column->holdout)) {
        return false;
    }
    shepard_holdout_get_info(column->holdout, &column->info);
    return true;
}

static bool fill_rows(const struct validate_run *run, struct validated_column *column)
{
    const bool held_out = column->holdout != NULL;
    return shepard_residuals_of_points(
        &column->residuals, held_out ? column->points : &run->truth.points, column->column,
        held_out ? &column->info : NULL, run->count + 1);
}

static bool refuse(const struct validated_column *column, const struct shepard_score_row *row,
                   const char *message)
{
    char *text = NULL;
    char *const named = shepard_error_with_fields(message, column->points, &column->column);
    shepard_append_format(&text, "-a %s: %s", row->text, named ? named : message);
    shepard_say_library_error(row->algorithm, text ? text : message);
    free(named);
    free(text);
    return false;
}

/* What a row predicts with: its algorithm's, or fitted to the column. */
struct used_parameters {
    struct shepard_parameters parameters;
    struct shepard_points_options options;
};

/* Part of a row's progress that is its fit. */
#define FIT_PART 0.2

static void show_progress(struct validate_run *run, double from, double to)
{
    const double step = (double)run->step, steps = (double)run->steps;
    shepard_progress_part(&run->job.watch, (step + from) / steps, (step + to) / steps);
}

/* Once, to all data of the column. */
static bool fit(struct validate_run *run, const struct validated_column *column,
                struct shepard_score_row *row, struct used_parameters *used)
{
    const struct shepard_array values = shepard_doubles(column->points->values[column->column]);
    struct shepard_fit_info info;
    struct shepard_error error;
    show_progress(run, 0, FIT_PART);
    if (shepard_column_fit(column->points, &values, NULL, &used->parameters, &used->options, &info,
                           &run->job, &error)) {
        return refuse(column, row, error.message);
    }
    shepard_column_fit_note(&info, column->points->column[column->column].name, &run->job);
    return shepard_algorithm_print(row->algorithm, &used->parameters, &used->options, &row->fitted);
}

/* Predictions of what a trend leaves become those of the values. */
static void add_trend(const struct validated_column *column, const double *rest,
                      struct shepard_validation_result *result)
{
    const double *const values = column->points->values[column->column];
    const struct shepard_holdout_info *const info = &column->info;
    shepard_column_trend_add_back(values, rest, info->indices, info->count, result->values);
    shepard_scores_compute(info->observed, result->values, result->sds, info->count,
                           &result->scores);
}

/* Holds data out of what a surface's trend leaves, and predicts them. */
static bool score_held_out(struct validate_run *run, const struct validated_column *column,
                           struct shepard_score_row *row,
                           const struct shepard_column_group *surface,
                           struct shepard_validation_result *result)
{
    const struct shepard_array rest = shepard_column_group_values(surface, column->points, 0);
    const struct shepard_control control = shepard_job_control(&run->job);
    struct shepard_holdout *holdout = NULL;
    struct shepard_error error;
    const bool good = shepard_holdout_plan_create(&run->plan, column->points, column->column, &rest,
                                                  &run->job, &holdout) &&
                      (shepard_holdout_validate(holdout, &surface->parameters, &surface->options,
                                                result, &control, &error) == SHEPARD_OK ||
                       refuse(column, row, error.message));
    shepard_holdout_free(holdout);
    if (good) {
        add_trend(column, surface->trend.residuals, result);
    }
    return good;
}

/* Predicts withheld measurements from what a surface's trend leaves of the data, and the trend. */
static bool score_withheld(struct validate_run *run, const struct validated_column *column,
                           struct shepard_score_row *row,
                           const struct shepard_column_group *surface,
                           struct shepard_validation_result *result)
{
    struct shepard_withheld withheld = column->withheld;
    struct shepard_parameters parameters = surface->parameters;
    struct shepard_error error;
    withheld.values = shepard_column_group_values(surface, column->points, 0);
    withheld.trend = &surface->trend;
    withheld.covariates = &run->covariates;
    parameters.nodata = NAN;
    const bool good = (!shepard_withheld_begin(&withheld, &run->job, &error) &&
                       shepard_withheld_validate(&withheld, &parameters, &surface->options,
                                                 &run->job, result, &error)) ||
                      refuse(column, row, error.message);
    shepard_withheld_end(&withheld);
    return good;
}

/* Fits the trend that goes with the row's algorithm, and validates what it leaves. */
static bool score_rest(struct validate_run *run, const struct validated_column *column,
                       struct shepard_score_row *row, struct shepard_validation_result *result)
{
    const struct shepard_column_place place = {column->layer, column->column};
    struct shepard_column_group surface = {0};
    show_progress(run, 0, FIT_PART);
    bool good = shepard_column_group_fit(&surface, row->algorithm, &run->input, &place,
                                         &run->covariates, &run->job);
    if (good) {
        show_progress(run, FIT_PART, 1);
        good = run->options->truth ? score_withheld(run, column, row, &surface, result)
                                   : score_held_out(run, column, row, &surface, result);
        good =
            good && (!surface.fitted || shepard_algorithm_print(row->algorithm, &surface.parameters,
                                                                &surface.options, &row->fitted));
    }
    if (good) {
        row->trend = surface.trend;
        surface.trend = (struct shepard_column_trend){0};
    }
    shepard_column_group_free(&surface);
    return good;
}

static bool score_values(struct validate_run *run, const struct validated_column *column,
                         struct shepard_score_row *row, struct shepard_validation_result *result)
{
    const struct shepard_control control = shepard_job_control(&run->job);
    struct used_parameters used = {row->algorithm->parameters, row->algorithm->options};
    struct shepard_error error;
    used.parameters.nodata = NAN;
    if (shepard_algorithm_is_fitted(row->algorithm) && !fit(run, column, row, &used)) {
        return false;
    }
    show_progress(run, row->fitted ? FIT_PART : 0, 1);
    const bool good =
        column->holdout ? shepard_holdout_validate(column->holdout, &used.parameters, &used.options,
                                                   result, &control, &error) == SHEPARD_OK
                        : shepard_withheld_validate(&column->withheld, &used.parameters,
                                                    &used.options, &run->job, result, &error);
    return good || refuse(column, row, error.message);
}

/* Scores algorithm i. */
static bool score(struct validate_run *run, const struct validated_column *column, size_t i)
{
    struct shepard_score_row *const row = &run->rows[i];
    const size_t m = column->residuals.count;
    struct shepard_validation_result result = {.size = sizeof result,
                                               .values = column->residuals.predicted + i * m,
                                               .sds = column->residuals.sds + i * m};
    const double begin = shepard_progress_clock();
    const bool good = run->covariates.count > 0 ? score_rest(run, column, row, &result)
                                                : score_values(run, column, row, &result);
    row->seconds = shepard_progress_clock() - begin;
    row->scores = result.scores;
    run->step++;
    return good;
}

static void free_fits(struct validate_run *run)
{
    for (size_t i = 0; run->rows && i <= run->count; i++) {
        free(run->rows[i].fitted);
        run->rows[i].fitted = NULL;
        shepard_column_trend_free(&run->rows[i].trend);
    }
}

/* What is held out, in words, to be freed; NULL: out of memory. */
static char *held_out_text(const struct validate_run *run, const struct validated_column *column)
{
    char *text = NULL;
    if (column->holdout) {
        return shepard_holdout_text(&column->info);
    }
    shepard_append_format(&text, "%zu withheld measurement%s of layer %s", run->truth.points.count,
                          run->truth.points.count == 1 ? "" : "s", run->truth.points.layer);
    return text;
}

static bool add_to_page(struct validate_run *run, const struct validated_column *column,
                        const struct shepard_score_table *table)
{
    if (!run->job.options->report) {
        return true;
    }
    char *const held_out = held_out_text(run, column);
    const struct shepard_validate_page_column shown = {
        .number = run->columns++,
        .layer = column->points->layer,
        .field = column->points->column[column->column].name,
        .held_out = held_out ? held_out : "",
        .table = table,
        .residuals = &column->residuals};
    const bool good = held_out && shepard_validate_page_add(&run->page, &shown);
    free(held_out);
    return good;
}

static void print_heading(const struct validate_run *run, const struct validated_column *column)
{
    const struct shepard_point_set *const points = column->points;
    char *const held_out = held_out_text(run, column);
    const size_t used = shepard_input_used(points, column->column);
    printf("layer %s, field %s: %zu point%s; ", points->layer, points->column[column->column].name,
           used, used == 1 ? "" : "s");
    puts(held_out ? held_out : "");
    free(held_out);
}

static void add_validation(struct validate_run *run, const struct validated_column *column,
                           const struct shepard_score_table *table)
{
    struct shepard_json *const item = shepard_json_object(run->validations, NULL);
    shepard_json_text(item, "layer", column->points->layer);
    shepard_json_text(item, "field", column->points->column[column->column].name);
    if (column->holdout) {
        shepard_holdout_add(&column->info, item);
        shepard_json_number(item, "seed", (double)run->plan.validation.seed);
    } else {
        shepard_json_text(item, "kind", "withheld");
        shepard_json_number(item, "held_out", (double)run->truth.points.count);
    }
    shepard_score_table_add(table, item);
}

static bool score_all(struct validate_run *run, struct validated_column *column)
{
    if (!hold_out(run, column) || !fill_rows(run, column)) {
        return false;
    }
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_PREDICT);
    for (size_t i = 0; i <= run->count; i++) {
        if (!score(run, column, i)) {
            return false;
        }
    }
    column->residuals.algorithms = run->count;
    return shepard_progress_report(1, &run->job.watch) || shepard_progress_error(NULL);
}

static bool validate_column(struct validate_run *run, size_t layer, size_t number)
{
    struct validated_column column = {.points = &run->input.layers[layer],
                                      .layer = layer,
                                      .column = number,
                                      .info = {.size = sizeof column.info}};
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_BUILD);
    bool good = score_all(run, &column);
    const struct shepard_score_table table = {.rows = run->rows,
                                              .count = run->count,
                                              .covariates = &run->covariates,
                                              .layer = layer,
                                              .reference_rmse = run->rows[run->count].scores.rmse};
    if (good && run->table) {
        print_heading(run, &column);
        shepard_score_table_print(&table);
    }
    if (good) {
        add_validation(run, &column, &table);
    }
    good = good && add_to_page(run, &column, &table);
    good =
        good && (!run->options->residuals || shepard_residuals_write(&column.residuals, &run->job));
    shepard_residuals_free(&column.residuals);
    shepard_holdout_free(column.holdout);
    shepard_withheld_end(&column.withheld);
    free_fits(run);
    return good;
}

static bool validate(struct validate_run *run)
{
    bool good = read_data(run);
    if (good && run->job.options->report) {
        shepard_validate_page_begin(&run->page, &run->input, &run->job);
    }
    for (size_t i = 0; good && i < run->input.count; i++) {
        for (size_t c = 0; good && c < run->input.layers[i].columns; c++) {
            good = validate_column(run, i, c);
        }
    }
    struct shepard_json *const json = run->json;
    if (!good || (run->job.options->report &&
                  !shepard_validate_page_write(&run->page, &run->job, run->command))) {
        return false;
    }
    run->json = NULL;
    return shepard_report_end(json, &run->job);
}

static void free_run(struct validate_run *run)
{
    for (size_t i = 0; run->algorithms && i <= run->count; i++) {
        shepard_algorithm_free(&run->algorithms[i]);
    }
    free(run->algorithms);
    free(run->rows);
    shepard_json_free(run->json);
    shepard_html_free(&run->page);
    free(run->command);
    shepard_holdout_plan_free(&run->plan);
    shepard_covariates_free(&run->covariates);
    shepard_point_set_clear(&run->truth.points);
    shepard_point_set_clear(&run->truth.fields);
    shepard_input_free(&run->input);
    shepard_text_list_free(&run->options->algorithms);
    shepard_job_end(&run->job, &run->options->job);
}

int shepard_verb_validate(int argc, char **argv)
{
    if (shepard_option_asked(argc, argv, "--help") || shepard_option_asked(argc, argv, "-h")) {
        print_help();
        return 0;
    }
    struct validate_options options = {0};
    /* Parsing changes the arguments. */
    struct validate_run run = {.options = &options,
                               .command = shepard_command_line("validate", argc, argv)};
    const bool good = run.command &&
                      shepard_job_begin(&run.job, &validate_syntax, argc, argv, &options.job) &&
                      check_options(&run) && validate(&run);
    const int code = good ? 0 : shepard_progress_exit_code(&run.job.watch);
    free_run(&run);
    return code;
}
