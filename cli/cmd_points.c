/* SPDX-License-Identifier: MIT */
#include "auto_choice.h"
#include "column_group.h"
#include "covariate.h"
#include "input.h"
#include "job.h"
#include "message.h"
#include "path.h"
#include "points_dry_run.h"
#include "query.h"
#include "report.h"
#include "result.h"
#include "sd.h"
#include "trial_search.h"
#include "verb.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Command line ---------------------------------------------------------------------------- */

struct points_options {
    struct shepard_job_options job; /* first: the common tables fill it */
    const char *format, *new_layer;
    struct shepard_text_list dataset_options, layer_options;
    bool dry_run;
};

#define AT(field) offsetof(struct points_options, field)

static const struct shepard_option output_options[] = {
    {"-f", "-of", SHEPARD_OPTION_TEXT, 1, AT(format), "FORMAT",
     "GDAL format (default: from the extension of DST)"},
    {"-nln", NULL, SHEPARD_OPTION_TEXT, 1, AT(new_layer), "NAME",
     "name of the layer (default: the file's name)"},
    {"-lco", NULL, SHEPARD_OPTION_LIST, 1, AT(layer_options), "NAME=VALUE",
     "layer creation option of the format"},
    {"-dsco", NULL, SHEPARD_OPTION_LIST, 1, AT(dataset_options), "NAME=VALUE",
     "dataset creation option of the format"},
    {"--dry-run", NULL, SHEPARD_OPTION_FLAG, 0, AT(dry_run), "",
     "write nothing; say what would be done, and its time and memory"},
    {0}};

static const struct shepard_option_group points_groups[] = {
    {"Data points (SRC)", shepard_input_options},
    {"Method", shepard_method_options},
    {"Choice", shepard_choice_options},
    {"Trend", shepard_trend_options},
    {"Computation", shepard_compute_options},
    {"Query points (QUERY)", shepard_query_options},
    {"Output (DST)", output_options},
    {"Replacing", shepard_replace_options},
    {"Reports", shepard_report_options},
    {0}};

static const struct shepard_syntax points_syntax = {
    .verb = "points",
    .positionals = "SRC QUERY DST",
    .positional_count = 3,
    .several_sources = true,
    .json_offset = AT(job.json),
    .groups = points_groups,
};

static void print_help(void)
{
    printf(
        "Usage: shepard points [options] SRC QUERY DST\n\n"
        "Predicts at the points of QUERY from the points of SRC, and writes QUERY's features in\n"
        "their order, attributes kept, with a column FIELD_pred for each value field (z_pred\n"
        "for the geometry's Z) and the diagnostics asked for. - is standard input or output.\n");
    shepard_options_help(points_groups);
    printf("\nAlgorithms and their defaults (radius=R sets radius1 and radius2; 0 is no limit):\n");
    shepard_algorithm_help(false);
    shepard_algorithm_help_eps();
    printf("\nExit code: 0, 1 on an error, 130 after Ctrl-C. More: man shepard\n");
}

/* ---- The run --------------------------------------------------------------------------------- */

/* All that one run makes, freed together. */
struct points_run {
    struct shepard_job job;
    struct points_options *options;
    struct shepard_input input;
    struct shepard_covariate_list covariates;
    struct shepard_choice choice; /* of -a auto */
    struct shepard_column_groups surfaces;
    struct shepard_results results;
    struct shepard_query query;
    size_t lonely;    /* targets with too few points within reach */
    size_t lacking;   /* targets without a covariate */
    double **buffers; /* one for each result; the first is the block of all */
    struct shepard_new_column *columns;
};

static bool check_options(struct points_run *run)
{
    char *const *const names = run->job.names.items;
    char methods[SHEPARD_METHOD_NAMES_SIZE];
    if (shepard_algorithm_by_gdal(&run->job.algorithm)) {
        return shepard_say_error("-a %s is computed by GDAL, for rasters only; points takes %s",
                                 shepard_algorithm_name(&run->job.algorithm),
                                 shepard_algorithm_own_methods(methods));
    }
    if (shepard_path_is_stdin(names[0]) && shepard_path_is_stdin(names[1])) {
        return shepard_say_error("SRC and QUERY cannot both be standard input; put one of them "
                                 "into a file");
    }
    if (!shepard_job_check_stdout(&run->job, "points")) {
        return false;
    }
    run->job.watch.bar = run->job.watch.bar && !run->options->dry_run;
    run->query.fields = &run->covariates.fields;
    return shepard_choice_check(&run->job) && shepard_query_check(&run->query, &run->job) &&
           shepard_covariates_open(&run->covariates, &run->job) &&
           shepard_job_check_output(
               &run->job,
               (struct shepard_output_spec){
                   .format = run->options->format,
                   .vector = true,
                   .layer_name = run->options->new_layer,
                   .creation_options = (const char *const *)run->options->dataset_options.items,
                   .layer_options = (const char *const *)run->options->layer_options.items});
}

/* One block of numbers for all results, and the columns that show it to the writer. */
static bool make_columns(struct points_run *run)
{
    const size_t count = run->results.count, m = run->query.targets.count;
    run->buffers = calloc(count, sizeof *run->buffers);
    run->columns = calloc(count, sizeof *run->columns);
    double *const numbers = run->buffers && m < SIZE_MAX / sizeof(double) / count
                                ? malloc((count * m + 1) * sizeof *numbers)
                                : NULL;
    if (numbers) {
        run->buffers[0] = numbers;
    }
    if (!run->columns || !numbers) {
        return shepard_say_error("out of memory for %zu predictions", m);
    }
    for (size_t i = 0; i < count; i++) {
        const bool is_count = run->results.items[i].kind == SHEPARD_RESULT_COUNT;
        run->buffers[i] = numbers + i * m;
        run->columns[i] = (struct shepard_new_column){.name = run->results.items[i].name,
                                                      .values = run->buffers[i],
                                                      .integer = is_count,
                                                      .nodata = NAN};
    }
    return true;
}

/* After note_lonely, since predictions without a covariate become NaN. */
static bool add_trends(struct points_run *run, const struct shepard_targets *targets)
{
    const struct shepard_covariate_list *const covariates = &run->covariates;
    const size_t rasters = covariates->count - covariates->field_count;
    const double **const at = calloc(covariates->count + 1, sizeof *at);
    double **const room = calloc(rasters + 1, sizeof *room);
    bool good = at && room;
    for (size_t r = 0; r < rasters && good; r++) {
        room[r] = calloc(targets->count + 1, sizeof **room);
        good = room[r] != NULL;
    }
    good =
        good ? shepard_covariates_at(covariates, targets, run->query.targets.column, room, at,
                                     &run->job)
             : shepard_say_error("out of memory for the covariates of %zu targets", targets->count);
    if (good) {
        run->lacking = shepard_column_groups_add_trends(&run->surfaces, &run->results, at,
                                                        targets->count, run->buffers);
    }
    for (size_t r = 0; room && r < rasters; r++) {
        free(room[r]);
    }
    free(room);
    free(at);
    return good;
}

static void note_lacking(struct points_run *run)
{
    if (run->lacking > 0) {
        shepard_progress_note(&run->job.watch,
                              "%zu of %zu query points lack a covariate: no prediction",
                              run->lacking, run->query.targets.count);
    }
}

/* Targets with coordinates but without a prediction, of the result that has most of them. */
static void note_lonely(struct points_run *run)
{
    for (size_t i = 0; i < run->results.count; i++) {
        size_t lonely = 0;
        for (size_t t = 0; t < run->query.targets.count; t++) {
            lonely += isfinite(run->query.targets.x[t]) && isnan(run->buffers[i][t]);
        }
        run->lonely = lonely > run->lonely ? lonely : run->lonely;
    }
    if (run->lonely > 0) {
        shepard_progress_note(
            &run->job.watch,
            "%zu of %zu query points have too few points within reach: no prediction", run->lonely,
            run->query.targets.count);
    }
}

static struct shepard_targets targets_of(const struct points_run *run)
{
    const struct shepard_target_layer_targets *const places = &run->query.targets;
    return shepard_input_targets(places->count, places->x, places->y, places->z);
}

static bool choose(struct points_run *run)
{
    const struct shepard_targets targets = targets_of(run);
    if (run->options->dry_run) {
        return shepard_choice_skip(&run->choice, &run->input, &run->job);
    }
    return shepard_choice_make(&run->choice, &run->input, &targets, &run->covariates, &run->job);
}

static bool predict(struct points_run *run)
{
    if (run->job.watch.bar) {
        shepard_input_print(&run->input);
        const size_t targets = run->query.targets.count;
        printf(", %zu query point%s\n", targets, targets == 1 ? "" : "s");
        shepard_column_groups_print(&run->surfaces, &run->input, &run->job);
        shepard_column_groups_print_trends(&run->surfaces, &run->input);
    }
    const struct shepard_targets targets = targets_of(run);
    const double part = 1.0 / (double)run->surfaces.count;
    if (!shepard_sd_fit(&run->surfaces, &run->input, &targets, &run->job)) {
        return false;
    }
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_PREDICT);
    for (size_t s = 0; s < run->surfaces.count; s++) {
        struct shepard_output output;
        shepard_results_output(&run->results, s, 0, run->buffers, &output);
        shepard_progress_part(&run->job.watch, (double)s * part, (double)(s + 1) * part);
        if (!shepard_column_group_predict(&run->surfaces.items[s], &targets, &output, &run->job)) {
            return false;
        }
    }
    const bool going = shepard_progress_report(1, &run->job.watch);
    shepard_progress_part(&run->job.watch, 0, 0);
    note_lonely(run);
    if (!going) {
        return shepard_progress_error(NULL);
    }
    if (run->covariates.count > 0 && !add_trends(run, &targets)) {
        return false;
    }
    note_lacking(run);
    return true;
}

static struct shepard_vector_spec vector_spec(const struct points_run *run)
{
    const struct points_options *const options = run->options;
    return (struct shepard_vector_spec){
        .path = run->job.names.items[2],
        .format = options->format,
        .layer_name = options->new_layer,
        .creation_options = (const char *const *)options->dataset_options.items,
        .layer_options = (const char *const *)options->layer_options.items,
        .columns = run->results.count,
        .column = run->columns,
        .guard = shepard_job_guard(&run->job)};
}

static bool write_points(struct points_run *run)
{
    const struct shepard_vector_spec spec = vector_spec(run);
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(&run->job);
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_WRITE);
    return shepard_target_layer_write(run->query.layer, &spec, &control, &error) == SHEPARD_IO_OK ||
           shepard_progress_error(error.message);
}

static bool write_report(struct points_run *run, const struct shepard_run_estimate *estimate)
{
    const struct shepard_report report = {.verb = "points",
                                          .job = &run->job,
                                          .input = &run->input,
                                          .choice = &run->choice,
                                          .surfaces = &run->surfaces,
                                          .results = &run->results,
                                          .output = run->job.names.items[2],
                                          .query_srs = run->query.targets.srs,
                                          .query_transformed = run->query.targets.transformed,
                                          .targets = run->query.targets.count,
                                          .targets_missing = run->query.targets.missing,
                                          .targets_lonely = run->lonely,
                                          .targets_lacking = run->lacking,
                                          .estimate = estimate};
    return shepard_report_write(&report);
}

static void print_estimate(const struct points_run *run,
                           const struct shepard_run_estimate *estimate)
{
    const size_t targets = run->query.targets.count;
    shepard_input_print(&run->input);
    printf(", %zu query point%s\ncolumns:", targets, targets == 1 ? "" : "s");
    for (size_t i = 0; i < run->results.count; i++) {
        printf("%s %s", i > 0 ? "," : "", run->results.items[i].name);
    }
    printf("\n");
    shepard_run_estimate_print(estimate, &run->job, &run->surfaces, run->job.names.items[2]);
}

static bool estimate(struct points_run *run)
{
    const struct shepard_targets targets = targets_of(run);
    const struct shepard_vector_spec spec = vector_spec(run);
    const struct shepard_points_job plan = {&run->job, &run->surfaces, &run->results, &run->query,
                                            &spec};
    const struct shepard_job_options *const options = &run->options->job;
    struct shepard_run_estimate result;
    if (!shepard_sd_fit(&run->surfaces, &run->input, &targets, &run->job) ||
        !shepard_points_dry_run(&plan, &result)) {
        return false;
    }
    if (run->choice.text) {
        result.search = shepard_search_tuning(&run->job).seconds;
        result.seconds += result.search;
    }
    if (!options->json.set || options->json.file) {
        print_estimate(run, &result);
    }
    return write_report(run, &result);
}

static bool make_points(struct points_run *run)
{
    static const struct shepard_result_naming naming = {"_pred", 3, NULL};
    return shepard_input_read(&run->input, run->job.names.items[0], &run->job) &&
           shepard_covariates_read(&run->covariates, &run->input, run->input.layers[0].srs,
                                   &run->job) &&
           shepard_query_open(&run->query, run->job.names.items[1], &run->input, &run->job) &&
           choose(run) &&
           shepard_column_groups_build(&run->surfaces, &run->input, &run->covariates, &run->job) &&
           shepard_results_plan(&run->results, &run->input, &run->surfaces, &run->job.diagnostics,
                                &naming) &&
           make_columns(run) &&
           (run->options->dry_run ? estimate(run)
                                  : predict(run) && write_points(run) && write_report(run, NULL));
}

static void free_run(struct points_run *run)
{
    if (run->buffers) {
        free(run->buffers[0]);
    }
    free(run->buffers);
    free(run->columns);
    shepard_query_free(&run->query);
    shepard_results_free(&run->results);
    shepard_column_groups_free(&run->surfaces);
    shepard_choice_free(&run->choice);
    shepard_covariates_free(&run->covariates);
    shepard_input_free(&run->input);
    shepard_text_list_free(&run->options->dataset_options);
    shepard_text_list_free(&run->options->layer_options);
    shepard_job_end(&run->job, &run->options->job);
}

int shepard_verb_points(int argc, char **argv)
{
    if (shepard_option_asked(argc, argv, "--help") || shepard_option_asked(argc, argv, "-h")) {
        print_help();
        return 0;
    }
    struct points_options options = {0};
    struct points_run run = {.options = &options};
    const bool good = shepard_job_begin(&run.job, &points_syntax, argc, argv, &options.job) &&
                      check_options(&run) && make_points(&run);
    const int code = good ? 0 : shepard_progress_exit_code(&run.job.watch);
    free_run(&run);
    return code;
}
