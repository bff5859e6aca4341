/* SPDX-License-Identifier: MIT */
#include "column_group.h"
#include "input.h"
#include "job.h"
#include "message.h"
#include "path.h"
#include "report.h"
#include "result.h"
#include "verb.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Command line ---------------------------------------------------------------------------- */

struct points_options {
    struct shepard_job_options job; /* first: the common tables fill it */
    const char *query_layer, *query_sql, *query_where;
    const char *query_x_field, *query_y_field;
    const char *query_srs, *query_geometry;
    struct shepard_text_list query_open_options;
    const char *format, *new_layer;
    struct shepard_text_list dataset_options, layer_options;
};

#define AT(field) offsetof(struct points_options, field)

static const struct shepard_option query_options[] = {
    {"-ql", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_layer), "LAYER",
     "layer of QUERY (default: its only one)"},
    {"-qwhere", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_where), "EXPRESSION",
     "only features for which this holds"},
    {"-qsql", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_sql), "STATEMENT",
     "query points are the result of this"},
    {"-qxfield", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_x_field), "FIELD",
     "x from this column (default: geometry, or columns x, lon, easting, ...)"},
    {"-qyfield", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_y_field), "FIELD", "y from this column"},
    {"-q_srs", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_srs), "SRS",
     "coordinate system of QUERY (default: its own; EPSG:4326 for columns lon and lat)"},
    {"-qgeometry", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_geometry), "centroids",
     "predict at the centroids of lines and polygons (default: as -geometry says)"},
    {"-qoo", NULL, SHEPARD_OPTION_LIST, 1, AT(query_open_options), "NAME=VALUE",
     "open option of QUERY's format"},
    {0}};

static const struct shepard_option output_options[] = {
    {"-f", "-of", SHEPARD_OPTION_TEXT, 1, AT(format), "FORMAT",
     "GDAL format (default: from the extension of DST)"},
    {"-nln", NULL, SHEPARD_OPTION_TEXT, 1, AT(new_layer), "NAME",
     "name of the layer (default: the file's name)"},
    {"-lco", NULL, SHEPARD_OPTION_LIST, 1, AT(layer_options), "NAME=VALUE",
     "layer creation option of the format"},
    {"-dsco", NULL, SHEPARD_OPTION_LIST, 1, AT(dataset_options), "NAME=VALUE",
     "dataset creation option of the format"},
    {0}};

static const struct shepard_option_group points_groups[] = {
    {"Data points (SRC)", shepard_input_options},
    {"Method", shepard_method_options},
    {"Query points (QUERY)", query_options},
    {"Output (DST)", output_options},
    {"Replacing", shepard_replace_options},
    {"Reports", shepard_report_options},
    {0}};

static const struct shepard_syntax points_syntax = {
    .verb = "points",
    .positionals = "SRC QUERY DST",
    .positional_count = 3,
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
    struct shepard_column_groups surfaces;
    struct shepard_results results;
    struct shepard_source *source; /* of the query */
    struct shepard_target_layer *query;
    struct shepard_target_layer_targets targets;
    enum shepard_geometry_use geometry; /* of lines and polygons of QUERY */
    size_t lonely;                      /* targets with too few points within reach */
    double **buffers;                   /* one for each result; the first is the block of all */
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
    shepard_input_files_add(run->job.inputs, run->options->query_srs);
    shepard_input_files_add_sql(run->job.inputs, run->options->query_sql);
    run->geometry = run->job.geometry;
    return shepard_job_check_srs("-q_srs", run->options->query_srs) &&
           shepard_job_read_geometry("-qgeometry", run->options->query_geometry, &run->geometry) &&
           shepard_job_check_output(
               &run->job,
               (struct shepard_output_spec){
                   .format = run->options->format,
                   .vector = true,
                   .layer_name = run->options->new_layer,
                   .creation_options = (const char *const *)run->options->dataset_options.items,
                   .layer_options = (const char *const *)run->options->layer_options.items});
}

/* All query points outside the data's extent: most likely in another coordinate system. */
static void note_far(struct points_run *run)
{
    const struct shepard_bounds *const data = &run->input.layers[0].extent;
    if (run->targets.missing < run->targets.count &&
        !shepard_bounds_have_any(data, run->targets.count, run->targets.x, run->targets.y)) {
        shepard_progress_note(
            &run->job.watch,
            "none of the %zu query points lies within the data's extent (x %.12g to "
            "%.12g, y %.12g to %.12g): are both in the same coordinate system?",
            run->targets.count, data->x_min, data->x_max, data->y_min, data->y_max);
    }
}

/* One side is known to be in degrees, and the other, of unknown system, cannot be. */
static bool check_srs(struct points_run *run)
{
    const struct shepard_target_layer_targets *const targets = &run->targets;
    const struct shepard_point_set *const data = &run->input.layers[0];
    if (!data->srs && targets->geographic &&
        !shepard_io_are_degrees(data->count, data->x, data->y)) {
        return shepard_say_error("the query points are longitude and latitude, the data are not, "
                                 "and their coordinate system is unknown; give it with -s_srs");
    }
    if (!targets->srs && data->geographic &&
        !shepard_io_are_degrees(targets->count, targets->x, targets->y)) {
        return shepard_say_error("the data are longitude and latitude, the query points are not, "
                                 "and their coordinate system is unknown; give it with -q_srs");
    }
    if (!data->srs && targets->srs) {
        shepard_progress_note(
            &run->job.watch,
            "the coordinate system of the data is unknown; that of the query points is assumed");
    }
    return true;
}

static bool open_query(struct points_run *run)
{
    const struct points_options *const options = run->options;
    const struct shepard_source_options from = {
        .path = run->job.names.items[1],
        .open_options = (const char *const *)options->query_open_options.items};
    const struct shepard_target_layer_options what = {
        .layer = options->query_layer,
        .sql = options->query_sql,
        .where = options->query_where,
        .x_field = options->query_x_field,
        .y_field = options->query_y_field,
        .decimal = run->job.decimal,
        .skip_invalid = options->job.skip_invalid,
        .srs = options->query_srs,
        .geometry = run->geometry,
        .default_srs = run->input.layers[0].source_srs,
        .target_srs = run->input.layers[0].srs,
        .write_target_srs = options->job.target_srs != NULL};
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(&run->job);
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_READ);
    if (shepard_source_open(&from, &run->source, &control, &error)) {
        return shepard_progress_error(error.message);
    }
    if (!shepard_job_add_source(&run->job, run->source)) {
        return false;
    }
    if (shepard_target_layer_open(run->source, &what, &run->query, &control, &error)) {
        return shepard_progress_error(error.message);
    }
    shepard_target_layer_get_targets(run->query, &run->targets);
    run->job.algorithm.options.expected_targets = run->targets.count;
    shepard_input_note_query(&run->targets, &run->job.watch);
    if (run->targets.missing > 0) {
        shepard_progress_note(&run->job.watch,
                              "%zu of %zu query points have no usable coordinates; they get no "
                              "prediction",
                              run->targets.missing, run->targets.count);
    }
    if (!check_srs(run)) {
        return false;
    }
    note_far(run);
    return true;
}

/* One block of numbers for all results, and the columns that show it to the writer. */
static bool make_columns(struct points_run *run)
{
    const size_t count = run->results.count, m = run->targets.count;
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

/* Targets with coordinates but without a prediction, of the result that has most of them. */
static void note_lonely(struct points_run *run)
{
    for (size_t i = 0; i < run->results.count; i++) {
        size_t lonely = 0;
        for (size_t t = 0; t < run->targets.count; t++) {
            lonely += isfinite(run->targets.x[t]) && isnan(run->buffers[i][t]);
        }
        run->lonely = lonely > run->lonely ? lonely : run->lonely;
    }
    if (run->lonely > 0) {
        shepard_progress_note(
            &run->job.watch,
            "%zu of %zu query points have too few points within reach: no prediction", run->lonely,
            run->targets.count);
    }
}

static bool predict(struct points_run *run)
{
    if (run->job.watch.bar) {
        shepard_input_print(&run->input);
        printf(", %zu query points\n", run->targets.count);
    }
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LIST,
                                            .count = run->targets.count,
                                            .x = shepard_doubles(run->targets.x),
                                            .y = shepard_doubles(run->targets.y)};
    const double part = 1.0 / (double)run->surfaces.count;
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_PREDICT);
    for (size_t s = 0; s < run->surfaces.count; s++) {
        struct shepard_output output;
        shepard_results_output(&run->results, s, run->buffers, &output);
        shepard_progress_part(&run->job.watch, (double)s * part, (double)(s + 1) * part);
        if (!shepard_column_group_predict(&run->surfaces.items[s], &targets, &output, &run->job)) {
            return false;
        }
    }
    const bool going = shepard_progress_report(1, &run->job.watch);
    shepard_progress_part(&run->job.watch, 0, 0);
    note_lonely(run);
    return going || shepard_progress_error(NULL);
}

static bool write_points(struct points_run *run)
{
    const struct points_options *const options = run->options;
    const struct shepard_vector_spec spec = {
        .path = run->job.names.items[2],
        .format = options->format,
        .layer_name = options->new_layer,
        .creation_options = (const char *const *)options->dataset_options.items,
        .layer_options = (const char *const *)options->layer_options.items,
        .columns = run->results.count,
        .column = run->columns,
        .guard = shepard_job_guard(&run->job)};
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(&run->job);
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_WRITE);
    return shepard_target_layer_write(run->query, &spec, &control, &error) == SHEPARD_IO_OK ||
           shepard_progress_error(error.message);
}

static bool write_report(struct points_run *run)
{
    const struct shepard_report report = {.verb = "points",
                                          .job = &run->job,
                                          .input = &run->input,
                                          .surfaces = &run->surfaces,
                                          .results = &run->results,
                                          .output = run->job.names.items[2],
                                          .query_srs = run->targets.srs,
                                          .query_transformed = run->targets.transformed,
                                          .targets = run->targets.count,
                                          .targets_missing = run->targets.missing,
                                          .targets_lonely = run->lonely};
    return shepard_report_write(&report);
}

static bool make_points(struct points_run *run)
{
    static const struct shepard_result_naming naming = {"_pred", 3};
    return shepard_input_read(&run->input, run->job.names.items[0], &run->job) && open_query(run) &&
           shepard_column_groups_build(&run->surfaces, &run->input, &run->job) &&
           shepard_results_plan(&run->results, &run->input, &run->surfaces, &run->job.diagnostics,
                                &naming) &&
           make_columns(run) && predict(run) && write_points(run) && write_report(run);
}

static void free_run(struct points_run *run)
{
    if (run->buffers) {
        free(run->buffers[0]);
    }
    free(run->buffers);
    free(run->columns);
    shepard_target_layer_free(run->query);
    shepard_source_close(run->source);
    shepard_results_free(&run->results);
    shepard_column_groups_free(&run->surfaces);
    shepard_input_free(&run->input);
    shepard_text_list_free(&run->options->query_open_options);
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
