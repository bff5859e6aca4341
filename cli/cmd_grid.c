/* SPDX-License-Identifier: MIT */
#include "auto_choice.h"
#include "column_group.h"
#include "command_line.h"
#include "covariate.h"
#include "disk_points.h"
#include "distance_metric.h"
#include "dry_run.h"
#include "essential_points.h"
#include "general.h"
#include "html_report.h"
#include "input.h"
#include "job.h"
#include "levels.h"
#include "message.h"
#include "near_points.h"
#include "origin.h"
#include "part.h"
#include "path.h"
#include "rank_raster.h"
#include "ranks.h"
#include "report.h"
#include "result.h"
#include "sd.h"
#include "strip.h"
#include "suggest.h"
#include "target_raster.h"
#include "together.h"
#include "trial_search.h"
#include "verb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Command line ---------------------------------------------------------------------------- */

struct grid_options {
    struct shepard_job_options job; /* first: the common tables fill it */
    const char *format, *type, *srs;
    struct shepard_text_list creation_options;
    struct shepard_mask_options mask;
    bool dry_run;
    const char *part;
    bool resume;
    const char *memory, *temp_folder;
    struct shepard_text_list levels;
};

#define AT(field) offsetof(struct grid_options, field)

static const struct shepard_option level_options[] = {
    {"-zlevels", NULL, SHEPARD_OPTION_COMMA_LIST, 1, AT(levels), "Z[,Z...]",
     "with -zdim: a band at each of these heights, in the unit of the third coordinate"},
    {0}};

static const struct shepard_option output_options[] = {
    {"-of", "-f", SHEPARD_OPTION_TEXT, 1, AT(format), "FORMAT",
     "GDAL format (default: from the extension of DST)"},
    {"-ot", NULL, SHEPARD_OPTION_TEXT, 1, AT(type), "TYPE",
     "type of the cells: Byte, Int16, Float32, ... (default: Float64)"},
    {"-co", NULL, SHEPARD_OPTION_LIST, 1, AT(creation_options), "NAME=VALUE",
     "creation option of the format"},
    {"-a_srs", NULL, SHEPARD_OPTION_TEXT, 1, AT(srs), "SRS",
     "coordinate system written to DST; transforms nothing (default: that of SRC)"},
    {"--part", NULL, SHEPARD_OPTION_TEXT, 1, AT(part), "I/N",
     "compute only part I of the N that the blocks of a GeoTIFF are cut into; see shepard mosaic"},
    {"--resume", NULL, SHEPARD_OPTION_FLAG, 0, AT(resume), "",
     "keep finished blocks of a GeoTIFF, and go on with those of a run that was killed"},
    {"--dry-run", NULL, SHEPARD_OPTION_FLAG, 0, AT(dry_run), "",
     "write nothing; say what would be done, and its time and memory"},
    {0}};

static const struct shepard_option disk_options[] = {
    {"--memory", NULL, SHEPARD_OPTION_TEXT, 1, AT(memory), "SIZE",
     "keep the points on disk and use so much memory, as 2G (default: all points in memory)"},
    {"--temp", NULL, SHEPARD_OPTION_TEXT, 1, AT(temp_folder), "FOLDER",
     "of the points that --memory keeps on disk (default: TMPDIR, else /tmp)"},
    {0}};

static const struct shepard_option mask_options[] = {
    {"-mask", NULL, SHEPARD_OPTION_TEXT, 1, AT(mask.path), "POLYGONS",
     "cells whose centre lies outside are nodata, and not computed"},
    {"-masklayer", NULL, SHEPARD_OPTION_TEXT, 1, AT(mask.layer), "LAYER",
     "polygons of -mask: this layer (default: the first one)"},
    {"-masksql", NULL, SHEPARD_OPTION_TEXT, 1, AT(mask.sql), "STATEMENT",
     "polygons of -mask: the result of this"},
    {"-maskwhere", NULL, SHEPARD_OPTION_TEXT, 1, AT(mask.where), "EXPRESSION",
     "polygons of -mask: those for which this holds"},
    {0}};

static const struct shepard_option_group grid_groups[] = {{"Input", shepard_input_options},
                                                          {"Method", shepard_method_options},
                                                          {"Choice", shepard_choice_options},
                                                          {"Trend", shepard_trend_options},
                                                          {"Computation", shepard_compute_options},
                                                          {"Raster", shepard_raster_options},
                                                          {"Points on disk", disk_options},
                                                          {"Mask", mask_options},
                                                          {"Levels", level_options},
                                                          {"Output", output_options},
                                                          {"Replacing", shepard_replace_options},
                                                          {"Page", shepard_page_options},
                                                          {"Reports", shepard_report_options},
                                                          {0}};

static const struct shepard_syntax grid_syntax = {
    .verb = "grid",
    .positionals = "SRC DST",
    .positional_count = 2,
    .several_sources = true,
    .json_offset = AT(job.json),
    .groups = grid_groups,
};

static void print_help(void)
{
    printf("Usage: shepard grid [options] SRC DST\n\n"
           "Makes a raster from the points of SRC (anything OGR reads; - is standard input) by\n"
           "inverse distance weighting. Takes the command line of gdal_grid.\n");
    shepard_options_help(grid_groups);
    printf("\nAlgorithms and their defaults. radius=R sets radius1 and radius2; 0 means no limit.\n"
           "GDAL itself computes nearest and those that follow it:\n");
    shepard_algorithm_help(true);
    shepard_algorithm_help_eps();
    printf("\nGDAL's general options (--config KEY VALUE, --optfile FILE, --formats, --debug ON)\n"
           "work as in every GDAL program. Exit code: 0, 1 on an error, 130 after Ctrl-C.\n"
           "More: man shepard\n");
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* All that one run makes, freed together. */
struct grid_run {
    struct shepard_job job;
    struct grid_options *options;
    struct shepard_input input;
    struct shepard_covariate_list covariates;
    struct shepard_choice choice; /* of -a auto */
    struct shepard_column_groups surfaces;
    struct shepard_results results;
    struct shepard_target_raster target;
    struct shepard_raster_part part;
    struct shepard_mask mask;
    struct shepard_levels levels;
    struct shepard_near_points near;           /* of --memory, and of several ranks */
    struct shepard_disk_points disk;           /* of --memory, where all points are needed */
    struct shepard_essential_points essential; /* of several ranks, where sums are */
    struct shepard_rank_raster shared;
    struct shepard_column_groups local; /* from the points near a rank's cells, or on disk */
    struct shepard_text_list metadata;
    struct shepard_text_list inputs; /* of --resume */
    struct shepard_band *bands;
    struct shepard_cell_fit *fits; /* one for each band */
    struct shepard_raster_file *file;
    struct shepard_report_data report_data; /* of --report */
    char *command;                          /* to repeat the run */
};

static bool check_type(const char *type)
{
    struct shepard_suggestion near = {.word = type};
    const char *name;
    for (size_t i = 0; (name = shepard_raster_type_name(i)); i++) {
        if (strcasecmp(name, type) == 0) {
            return true;
        }
        shepard_suggest(&near, name);
    }
    return shepard_say_unknown(&near, "-ot: unknown type",
                               "there are Byte, Int16, Float32, Float64 and others of GDAL");
}

/* The default is a value that every wider type holds; narrow types get their largest. */
static bool choose_nodata(struct shepard_algorithm *algorithm, const char *type)
{
    static const double candidates[] = {-9999, 4294967295.0, 65535, 255};
    const double given = algorithm->parameters.nodata;
    if (shepard_raster_type_holds(type, given)) {
        return true;
    }
    if (algorithm->nodata_given) {
        return shepard_say_error("nodata=%.17g does not fit into -ot %s; choose another nodata "
                                 "value or another type",
                                 given, type);
    }
    size_t i = 0;
    while (i + 1 < sizeof candidates / sizeof candidates[0] &&
           !shepard_raster_type_holds(type, candidates[i])) {
        i++;
    }
    return shepard_algorithm_set_nodata(algorithm, candidates[i]);
}

static bool add_metadata(struct grid_run *run, const char *key, const char *value)
{
    char *pair = NULL;
    return shepard_append_format(&pair, "%s=%s", key, value) &&
           shepard_text_list_adopt(&run->metadata, pair);
}

/* The parameters that -a takes, behind the method; of one surface those fitted to it. */
static bool parameters_text(const struct grid_run *run, char **text)
{
    char *fitted = NULL;
    if (run->surfaces.count != 1 || !run->surfaces.items[0].fitted) {
        return shepard_algorithm_text(&run->job.algorithm, text);
    }
    const bool good = shepard_column_group_text(&run->surfaces.items[0], &run->job, &fitted) &&
                      shepard_append_format(text, "%s", strchr(fitted, ':') + 1);
    free(fitted);
    return good;
}

/* What was fitted for several bands: of each its own, as -a takes it. */
static bool describe_fits(struct grid_run *run)
{
    bool good = true;
    for (size_t i = 0; i < run->results.count && run->surfaces.count > 1 && good; i++) {
        const struct shepard_result *const result = &run->results.items[i];
        const struct shepard_column_group *const surface = &run->surfaces.items[result->surface];
        char *text = NULL, *key = NULL;
        if (result->kind == SHEPARD_RESULT_VALUE && surface->fitted) {
            good = shepard_column_group_text(surface, &run->job, &text) &&
                   shepard_append_format(&key, "SHEPARD_FIT_%zu", i + 1) &&
                   add_metadata(run, key, text);
        }
        free(text);
        free(key);
    }
    return good;
}

/* Of all fields, in the order of the bands. */
static bool describe_trends(struct grid_run *run)
{
    char *text = NULL;
    bool good = true;
    for (size_t i = 0; i < run->results.count && run->covariates.count > 0 && good; i++) {
        const struct shepard_result *const result = &run->results.items[i];
        const struct shepard_column_trend *const trend =
            &run->surfaces.items[result->surface].trend;
        if (result->kind == SHEPARD_RESULT_VALUE) {
            good = (!text || shepard_append_format(&text, "; ")) &&
                   shepard_column_trend_text(trend, result->column, &run->covariates, result->name,
                                             &text);
        }
    }
    good = good && (!text || add_metadata(run, "SHEPARD_TREND", text));
    free(text);
    return good;
}

/* That the method was chosen, and how well it does. */
static bool describe_choice(struct grid_run *run)
{
    char *text = NULL;
    const bool good = !run->choice.text || (shepard_choice_append(&run->choice, &text) &&
                                            add_metadata(run, "SHEPARD_AUTO", text));
    free(text);
    return good;
}

static bool describe(struct grid_run *run)
{
    char *parameters = NULL, *version = NULL;
    const char *const gdal = shepard_general_gdal_version();
    const bool good =
        parameters_text(run, &parameters) &&
        shepard_append_format(&version, "%s (GDAL %s)", shepard_version(), gdal) &&
        add_metadata(run, "SHEPARD_METHOD", shepard_algorithm_name(&run->job.algorithm)) &&
        add_metadata(run, "SHEPARD_PARAMETERS", parameters) &&
        add_metadata(run, "SHEPARD_SOURCE", run->job.source) &&
        add_metadata(run, "SHEPARD_VERSION", version) && describe_choice(run) &&
        describe_fits(run) && describe_trends(run) &&
        shepard_part_describe(&run->part, &run->input, &run->surfaces, &run->metadata);
    free(parameters);
    free(version);
    return good;
}

static const char *type_of(const struct grid_run *run)
{
    return run->options->type ? run->options->type : "Float64";
}

static bool make_bands(struct grid_run *run)
{
    const double nodata = run->job.algorithm.parameters.nodata;
    run->bands = calloc(run->results.count, sizeof *run->bands);
    run->fits = calloc(run->results.count, sizeof *run->fits);
    if (!run->bands || !run->fits) {
        return shepard_say_error("out of memory");
    }
    for (size_t i = 0; i < run->results.count; i++) {
        const struct shepard_result *const result = &run->results.items[i];
        struct shepard_cell_fit *const fit = &run->fits[i];
        run->bands[i] = (struct shepard_band){.description = result->name,
                                              .has_nodata = true,
                                              .nodata = nodata,
                                              .variable = result->variable};
        *fit = (struct shepard_cell_fit){.nodata = nodata,
                                         .nodata_is_empty =
                                             shepard_algorithm_by_gdal(&run->job.algorithm),
                                         .zero_is_zero = result->kind == SHEPARD_RESULT_COUNT};
        shepard_raster_type_range(type_of(run), &fit->range);
    }
    return true;
}

static void note_cells(struct grid_run *run)
{
    if (run->part.number == 0 && run->mask.polygons && run->fits[0].outside == run->fits[0].cells) {
        shepard_mask_note_empty(&run->mask, &run->target.raster, &run->job.watch);
    }
    for (size_t i = 0; i < run->results.count; i++) {
        struct shepard_cell_fit shown = run->fits[i];
        /* What lacks a prediction lacks its diagnostics too: said once. */
        const bool value = run->results.items[i].kind == SHEPARD_RESULT_VALUE;
        shown.empty = value ? shown.empty : 0;
        shown.lacking = value ? shown.lacking : 0;
        shepard_cells_note(&shown, type_of(run),
                           run->results.count > 1 ? run->results.items[i].name : "",
                           &run->job.watch);
    }
}

/* Of the points: as -a_srs says, or the first one that a layer has. */
static const char *points_srs(const struct grid_run *run)
{
    return run->options->srs ? run->options->srs : shepard_input_srs(&run->input);
}

/* Of the raster. */
static const char *srs_of(const struct grid_run *run)
{
    const char *const srs = points_srs(run);
    return srs ? srs : run->target.reference.srs;
}

/* Of the file that this process writes. Of a rank's that is kept any block may be next. */
static struct shepard_raster_part part_of(const struct grid_run *run)
{
    return run->shared.kept                              ? (struct shepard_raster_part){1, 1}
           : shepard_rank_raster_is_shared(&run->shared) ? run->shared.part
                                                         : run->part;
}

static struct shepard_raster_spec raster_spec(const struct grid_run *run)
{
    return (struct shepard_raster_spec){
        .path = shepard_rank_raster_path(&run->shared, &run->job),
        .format = run->options->format,
        .raster = run->target.raster,
        .bands = run->results.count,
        .band = run->bands,
        .type = run->options->type,
        .srs = srs_of(run),
        .creation_options = (const char *const *)run->options->creation_options.items,
        .metadata = (const char *const *)run->metadata.items,
        .guard = shepard_job_guard(&run->job),
        .heights = run->levels.z,
        .height_count = run->levels.count,
        .part = part_of(run),
        .resume_inputs = (const char *const *)run->inputs.items,
        .whole = run->job.names.items[1]};
}

/* What a run that goes on must have in common with the one before, and metadata do not hold. */
static bool name_resume_inputs(struct grid_run *run)
{
    const char *const place = run->job.memory > 0 ? "points=on disk" : "points=in memory";
    char *origin = NULL;
    if (!run->options->resume) {
        return true;
    }
    if (!shepard_text_list_add(&run->inputs, place, strlen(place)) ||
        !shepard_append_format(&origin, "points and backend=") ||
        !shepard_origin_append(&run->input, &run->surfaces, &origin)) {
        free(origin);
        return false;
    }
    return shepard_text_list_adopt(&run->inputs, origin) &&
           shepard_origin_add_files(&run->job, &run->options->mask, &run->inputs);
}

static void note_resumed(struct grid_run *run)
{
    size_t blocks = 0, all = 0;
    bool resumed = shepard_raster_file_resumed(
        run->file, run->fits, run->results.count * sizeof *run->fits, &blocks, &all);
    if (shepard_rank_raster_is_shared(&run->shared)) {
        blocks = run->shared.finished;
        all = blocks < run->shared.blocks ? run->shared.blocks : 0;
        resumed = blocks > 0;
    }
    if (!resumed) {
        return;
    }
    if (all > 0) {
        shepard_progress_note(
            &run->job.watch, "goes on with a run that had finished %zu of %zu blocks", blocks, all);
    } else {
        shepard_progress_note(&run->job.watch, "an earlier run had finished already");
    }
}

static bool create_file(struct grid_run *run)
{
    const struct shepard_raster_spec spec = raster_spec(run);
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(&run->job);
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_WRITE);
    return shepard_raster_file_create(&spec, &run->file, &control, &error) == SHEPARD_IO_OK ||
           shepard_progress_error(error.message);
}

static bool commit(struct grid_run *run)
{
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(&run->job);
    struct shepard_raster_file *const file = run->file;
    run->file = NULL;
    shepard_progress_stage(&run->job.watch, SHEPARD_STAGE_WRITE);
    const enum shepard_io_status status = run->shared.kept
                                              ? shepard_raster_file_leave(file, &control, &error)
                                              : shepard_raster_file_commit(file, &control, &error);
    return status == SHEPARD_IO_OK || shepard_progress_error(error.message);
}

/* ---- The run --------------------------------------------------------------------------------- */

static bool open_covariates(struct grid_run *run)
{
    const struct shepard_text_list *const fields = &run->covariates.fields;
    return shepard_covariates_open(&run->covariates, &run->job) &&
           (fields->count == 0 ||
            shepard_say_error("-trend: %s is no raster that can be read, and the cells of DST have "
                              "no fields; give a raster for each covariate, or use shepard points",
                              fields->items[0]));
}

static bool read_levels(struct grid_run *run)
{
    const struct shepard_text_list *const texts = &run->options->levels;
    if (run->options->job.z_dimension && texts->count == 0) {
        return shepard_say_error("-zdim: name the heights of the raster's bands with -zlevels, as "
                                 "in -zlevels 0,10,20");
    }
    if (!run->options->job.z_dimension && texts->count > 0) {
        return shepard_say_error("-zlevels needs -zdim, which says what the third coordinate of "
                                 "the points is");
    }
    return shepard_levels_read(&run->levels, texts);
}

/* Points on disk, or spread over ranks. */
static bool is_elsewhere(const struct grid_run *run)
{
    return run->job.memory > 0 || run->job.spread;
}

/* Arrays on disk, of methods that predict from all points. Where a point lacks some columns'
 * values, those near a tile are not the same for all columns. */
static bool needs_disk_points(const struct grid_run *run)
{
    return run->job.memory > 0 && (!shepard_near_suffices(&run->job) || run->input.info.gaps > 0);
}

static bool read_memory(struct grid_run *run)
{
    const struct grid_options *const options = run->options;
    run->job.temp_folder = options->temp_folder;
    run->job.sampled = options->dry_run;
    if (!options->memory && options->temp_folder) {
        return shepard_say_error("--temp needs --memory SIZE, which keeps points on disk");
    }
    return !options->memory || (shepard_memory_read(options->memory, &run->job.memory) &&
                                shepard_near_check(&run->job));
}

/* Each rank has one GPU of its machine, in turn, unless one is named. */
static void choose_device(struct grid_run *run)
{
    const char *const backend = run->options->job.backend;
    struct shepard_cuda_info cuda;
    shepard_cuda_get_info(&cuda);
    if (cuda.devices > 0 && !(backend && strchr(backend, ':'))) {
        run->job.algorithm.options.device = shepard_rank_on_machine() % (int)cuda.devices;
    }
}

/* Where the points near its cells are not enough, and on a GPU, each rank has all points. */
static bool spread_points(struct grid_run *run)
{
    struct shepard_points_options *const options = &run->job.algorithm.options;
    if (!shepard_rank_raster_is_shared(&run->shared)) {
        return true;
    }
    const bool parts = run->job.memory == 0 && options->backend != SHEPARD_BACKEND_CUDA;
    run->job.essential = parts && shepard_essential_suits(&run->job);
    run->job.spread = run->job.essential || (parts && shepard_near_can_spread(&run->job));
    if (run->job.spread && options->backend == SHEPARD_BACKEND_AUTO) {
        options->backend = SHEPARD_BACKEND_CPU;
    }
    if (options->backend == SHEPARD_BACKEND_CUDA || options->backend == SHEPARD_BACKEND_AUTO) {
        choose_device(run);
    }
    return shepard_part_check_method(&run->job, "mpirun");
}

static bool check_ranks(struct grid_run *run)
{
    const struct grid_options *const options = run->options;
    return shepard_rank_raster_check(&run->shared, &run->job,
                                     options->part      ? "--part"
                                     : options->dry_run ? "--dry-run"
                                                        : NULL);
}

static bool check_options(struct grid_run *run)
{
    const struct grid_options *const options = run->options;
    if (!check_ranks(run) || !shepard_job_check_stdout(&run->job, "raster")) {
        return false;
    }
    run->job.watch.bar = run->job.watch.bar && !options->dry_run && run->shared.part.number <= 1;
    run->job.watch.share = run->shared.part.count > 1 ? "the cells of rank 0" : NULL;
    if (options->srs && options->job.target_srs) {
        return shepard_say_error("-a_srs and -t_srs exclude each other: -t_srs transforms the "
                                 "points, -a_srs only writes another name");
    }
    /* It may be the name of a file. */
    shepard_input_files_add(run->job.inputs, options->srs);
    const char *const type = type_of(run);
    return shepard_part_read(options->part, &run->job, &run->part) &&
           (!options->resume || shepard_part_check_method(&run->job, "--resume")) &&
           shepard_choice_check(&run->job) && read_memory(run) && spread_points(run) &&
           shepard_job_check_srs("-a_srs", options->srs) && open_covariates(run) &&
           shepard_target_raster_read(&run->target, &run->job) && read_levels(run) &&
           shepard_mask_open(&run->mask, &options->mask, &run->job) && check_type(type) &&
           choose_nodata(&run->job.algorithm, type) &&
           shepard_job_check_output(
               &run->job,
               (struct shepard_output_spec){
                   .format = options->format,
                   .creation_options = (const char *const *)options->creation_options.items,
                   .part = part_of(run),
                   .resume = options->resume});
}

/* -a_srs may say of the points what the source did not, but not the contrary. */
static bool check_srs(struct grid_run *run)
{
    const char *const label = run->options->srs;
    struct shepard_io_error error;
    char *wkt = NULL;
    bool geographic = false, known = false;
    if (!label) {
        return true;
    }
    for (size_t i = 0; i < run->input.count; i++) {
        if (shepard_point_set_check_srs(&run->input.layers[i], label, &error)) {
            return shepard_say_error("-a_srs: %s", error.message);
        }
        known = known || run->input.layers[i].geographic;
    }
    if (shepard_io_srs(label, &wkt, &geographic, &error)) {
        return shepard_say_error("-a_srs: %s", error.message);
    }
    shepard_io_free(wkt);
    return known || shepard_distance_metric_choose(&run->job, "-a_srs", geographic);
}

static void print_plan(const struct grid_run *run)
{
    char *parameters = NULL;
    if (run->job.watch.bar && shepard_algorithm_text(&run->job.algorithm, &parameters)) {
        shepard_input_print(&run->input);
        printf(", %zu x %zu cells of %.12g x %.12g, %zu band%s\n%s:%s\n",
               run->target.raster.columns, run->target.raster.rows, fabs(run->target.raster.dx),
               fabs(run->target.raster.dy), run->results.count, run->results.count == 1 ? "" : "s",
               shepard_algorithm_name(&run->job.algorithm), parameters);
        if (run->essential.tree.most > 0) {
            printf("%zu processes, each with at most %zu of %zu points in memory\n",
                   run->shared.part.count, run->essential.tree.most, run->input.info.points);
        }
        shepard_column_groups_print(&run->surfaces, &run->input, &run->job);
        shepard_column_groups_print_trends(&run->surfaces, &run->input);
    }
    free(parameters);
}

static bool make_report_data(struct grid_run *run)
{
    return !run->options->job.report ||
           shepard_report_data_make(&run->report_data, &run->results, &run->target.raster);
}

static bool hold_out(struct grid_run *run)
{
    return !run->options->job.report ||
           shepard_report_data_hold_out(&run->report_data, &run->results, &run->surfaces,
                                        &run->input, &run->job);
}

static bool write_report(struct grid_run *run, const struct shepard_run_estimate *estimate)
{
    const struct shepard_report report = {
        .verb = "grid",
        .job = &run->job,
        .input = &run->input,
        .choice = &run->choice,
        .surfaces = &run->surfaces,
        .results = &run->results,
        .output = run->job.names.items[1],
        .raster = &run->target.raster,
        .type = type_of(run),
        .fits = run->fits,
        .srs = srs_of(run),
        .estimate = estimate,
        .data = run->options->job.report && !estimate ? &run->report_data : NULL};
    const struct shepard_html_report page = {&report, &run->report_data, run->command};
    return (!report.data || shepard_html_report_write(&page)) && shepard_report_write(&report);
}

static bool read_covariates(struct grid_run *run)
{
    return shepard_covariates_read(&run->covariates, &run->input, srs_of(run), &run->job);
}

static struct shepard_targets targets_of(const struct grid_run *run)
{
    return (struct shepard_targets){.size = sizeof(struct shepard_targets),
                                    .kind = SHEPARD_TARGETS_RASTER,
                                    .raster = run->target.raster};
}

static bool choose(struct grid_run *run)
{
    const struct shepard_targets targets = targets_of(run);
    if (run->options->dry_run) {
        return shepard_choice_skip(&run->choice, &run->input, &run->job);
    }
    return shepard_choice_make(&run->choice, &run->input, &targets, &run->covariates, &run->job);
}

static bool fit_sds(struct grid_run *run)
{
    const struct shepard_targets targets = targets_of(run);
    return shepard_sd_fit(&run->surfaces, &run->input, &targets, &run->job);
}

static bool load_disk_points(struct grid_run *run)
{
    run->local = run->surfaces;
    run->local.items = &run->disk.field.surface;
    return shepard_disk_points_load(&run->disk, &run->input, &run->surfaces, &run->job);
}

/* Of several ranks: gets what is near the cells of this one. */
static bool fetch_near(struct grid_run *run)
{
    run->local = run->surfaces;
    run->local.items = &run->near.loaded.surface;
    return shepard_near_fetch(&run->near, &run->target.raster, &run->shared.region, &run->job);
}

static bool begin_shared(struct grid_run *run)
{
    const struct shepard_raster_spec spec = raster_spec(run);
    return shepard_rank_raster_begin(&run->shared, &spec, &run->job);
}

static bool divide(struct grid_run *run)
{
    return !shepard_rank_raster_is_shared(&run->shared) ||
           shepard_rank_raster_divide(&run->shared, &run->target.raster, run->file);
}

/* Of several ranks: gets what sums at the cells of this one need. */
static bool fetch_essential(struct grid_run *run)
{
    run->local = run->surfaces;
    run->local.items = &run->essential.surface;
    return shepard_essential_fetch(&run->essential, &run->input, &run->surfaces.items[0],
                                   &run->target.raster, &run->shared.region, &run->job);
}

/* What predicts from points that are not in memory; the points near a tile are loaded with it. */
static bool get_points(struct grid_run *run)
{
    return needs_disk_points(run) ? load_disk_points(run)
           : run->job.essential   ? fetch_essential(run)
           : run->job.spread      ? fetch_near(run)
                                  : true;
}

/* The share of --memory for a strip. */
enum { STRIP_PART = 8 };

static struct shepard_strip_job strips_of(struct grid_run *run)
{
    const bool on_disk = run->job.memory > 0, loaded = run->local.count > 0;
    const struct shepard_points *const points =
        run->surfaces.count > 0
            ? shepard_column_group_points(&run->surfaces, &run->surfaces.items[0])
            : NULL;
    struct shepard_points_info info = {.size = sizeof info};
    if (run->options->resume && points && (!on_disk || loaded)) {
        shepard_points_get_info(points, &info);
    }
    return (struct shepard_strip_job){
        .job = &run->job,
        .surfaces = loaded ? &run->local : &run->surfaces,
        .results = &run->results,
        .raster = run->target.raster,
        .levels = &run->levels,
        .mask = &run->mask,
        .file = run->file,
        .region = run->shared.part.number > 0 ? &run->shared.region : NULL,
        .fits = run->fits,
        .near = on_disk && !loaded ? &run->near : NULL,
        .numbers_max =
            on_disk ? run->job.memory / STRIP_PART / sizeof(double) : SHEPARD_STRIP_NUMBERS,
        .blocks_max = info.threads > 0 ? (size_t)info.threads : 0,
        .whole_blocks = run->options->resume,
        .overviews = run->report_data.overviews,
        .overview_count = run->report_data.overview_count};
}

/* All that comes before the file. */
static bool prepare(struct grid_run *run)
{
    const struct shepard_result_naming naming = {"", -1, &run->levels};
    return shepard_input_read(&run->input, run->job.names.items[0], &run->job) && check_srs(run) &&
           shepard_target_raster_place(&run->target, points_srs(run), &run->input, &run->job) &&
           shepard_mask_place(&run->mask, srs_of(run), &run->job) && read_covariates(run) &&
           choose(run) &&
           shepard_column_groups_build(&run->surfaces, &run->input, &run->covariates, &run->job) &&
           fit_sds(run) &&
           (!is_elsewhere(run) ||
            shepard_near_check_points(&run->input, &run->surfaces, &run->job)) &&
           (!is_elsewhere(run) || needs_disk_points(run) || run->job.essential ||
            shepard_near_begin(&run->near, &run->input, &run->surfaces, &run->job)) &&
           shepard_results_plan(&run->results, &run->input, &run->surfaces, &run->job.diagnostics,
                                &naming) &&
           describe(run) && name_resume_inputs(run) && make_bands(run);
}

static bool estimate(struct grid_run *run)
{
    const struct shepard_raster_spec spec = raster_spec(run);
    const struct shepard_job_options *const options = &run->options->job;
    struct shepard_run_estimate result;
    if (!get_points(run)) {
        return false;
    }
    const struct shepard_strip_job strips = strips_of(run);
    if (!shepard_dry_run(&strips, &spec, &result)) {
        return false;
    }
    if (run->input.spill) {
        result.disk_bytes = (double)run->input.info.bytes + run->disk.bytes;
    }
    if (run->choice.text) {
        result.search = shepard_search_tuning(&run->job).seconds;
        result.seconds += result.search;
    }
    if (!options->json.set || options->json.file) {
        shepard_input_print(&run->input);
        shepard_dry_run_print(&result, &strips, &spec);
    }
    return write_report(run, &result);
}

static bool make_raster(struct grid_run *run)
{
    if (!prepare(run)) {
        return false;
    }
    if (run->options->dry_run) {
        return estimate(run);
    }
    if (!make_report_data(run) || !begin_shared(run) || !create_file(run) || !divide(run)) {
        return false;
    }
    note_resumed(run);
    if (!get_points(run)) {
        return false;
    }
    print_plan(run);
    if (run->part.number > 0) {
        struct shepard_window windows[SHEPARD_PART_WINDOWS];
        shepard_part_note_empty(&run->part, shepard_raster_file_windows(run->file, windows),
                                &run->job.watch);
    }
    const struct shepard_strip_job strips = strips_of(run);
    if (!shepard_strips_run(&strips) || !hold_out(run) || !commit(run) ||
        !shepard_rank_raster_finish(&run->shared, run->fits, &run->job)) {
        return false;
    }
    note_cells(run);
    return run->shared.part.number > 1 || write_report(run, NULL);
}

static void free_run(struct grid_run *run)
{
    shepard_raster_file_abandon(run->file);
    shepard_rank_raster_end(&run->shared);
    shepard_report_data_free(&run->report_data);
    free(run->command);
    shepard_results_free(&run->results);
    shepard_near_end(&run->near);
    shepard_disk_points_free(&run->disk);
    shepard_essential_points_free(&run->essential);
    shepard_column_groups_free(&run->surfaces);
    shepard_choice_free(&run->choice);
    shepard_covariates_free(&run->covariates);
    shepard_input_free(&run->input);
    shepard_target_raster_free(&run->target);
    shepard_mask_free(&run->mask);
    shepard_text_list_free(&run->metadata);
    shepard_text_list_free(&run->inputs);
    free(run->bands);
    free(run->fits);
    shepard_levels_free(&run->levels);
    shepard_text_list_free(&run->options->creation_options);
    shepard_text_list_free(&run->options->levels);
    shepard_job_end(&run->job, &run->options->job);
}

int shepard_verb_grid(int argc, char **argv)
{
    if (shepard_option_asked(argc, argv, "--help") || shepard_option_asked(argc, argv, "-h")) {
        print_help();
        return 0;
    }
    struct grid_options options = {0};
    /* Parsing changes the arguments. */
    struct grid_run run = {.options = &options,
                           .command = shepard_command_line("grid", argc, argv)};
    shepard_together_begin();
    const bool begun = run.command &&
                       shepard_job_begin(&run.job, &grid_syntax, argc, argv, &options.job) &&
                       check_options(&run);
    const bool good = shepard_together(shepard_together(begun) && make_raster(&run));
    if (!good && options.resume && run.file) {
        shepard_progress_note(&run.job.watch,
                              "finished blocks are kept: the same command goes on with them");
    }
    const int code = good ? 0 : shepard_progress_exit_code(&run.job.watch);
    free_run(&run);
    return code;
}
