/* SPDX-License-Identifier: MIT */
#include "json.h"
#include "library_info.h"
#include "message.h"
#include "option.h"
#include "path.h"
#include "progress.h"
#include "verb.h"

#include "shepard/shepard_io.h"

#include <stdio.h>

/* ---- Command line ---------------------------------------------------------------------------- */

struct mosaic_options {
    const char *format;
    struct shepard_text_list creation_options;
    bool overwrite, quiet, help;
    struct shepard_json_target json;
};

#define AT(field) offsetof(struct mosaic_options, field)

static const struct shepard_option output_options[] = {
    {"-of", "-f", SHEPARD_OPTION_TEXT, 1, AT(format), "FORMAT",
     "GTiff, VRT or COG (default: from the extension of OUT)"},
    {"-co", NULL, SHEPARD_OPTION_LIST, 1, AT(creation_options), "NAME=VALUE",
     "creation option of a COG"},
    {"-overwrite", NULL, SHEPARD_OPTION_FLAG, 0, AT(overwrite), "",
     "replace an existing OUT whatever it holds"},
    {0}};

static const struct shepard_option report_options[] = {
    {"-q", "-quiet", SHEPARD_OPTION_FLAG, 0, AT(quiet), "", "no progress bar and no notes"},
    {"--json", NULL, SHEPARD_OPTION_JSON, 0, AT(json), "[=FILE]",
     "summary as JSON, to FILE or to standard output"},
    {"--help", "-h", SHEPARD_OPTION_FLAG, 0, AT(help), "", "this text"},
    {0}};

static const struct shepard_option_group mosaic_groups[] = {
    {"Output", output_options}, {"Reports", report_options}, {0}};

static const struct shepard_syntax mosaic_syntax = {
    .verb = "mosaic",
    .positionals = "OUT SRC...",
    .positional_count = 2,
    .several_last = true,
    .json_offset = AT(json),
    .groups = mosaic_groups,
};

static void print_help(void)
{
    printf("Usage: shepard mosaic [options] OUT SRC...\n\n"
           "Puts together the parts of a raster that shepard grid --part has computed: a VRT that\n"
           "names them, or a GeoTIFF with their compressed blocks, copied as they are.\n");
    shepard_options_help(mosaic_groups);
}

/* ---- The run --------------------------------------------------------------------------------- */

struct mosaic_run {
    struct mosaic_options options;
    struct shepard_text_list names; /* OUT and the sources */
    struct shepard_input_files *inputs;
    struct shepard_progress watch;
};

static bool check_outputs(struct mosaic_run *run)
{
    const struct shepard_json_target *const json = &run->options.json;
    const char *const out = run->names.items[0];
    const bool to_stdout = shepard_path_is_stdout(out), summary = json->set && !json->file;
    run->watch.quiet = run->options.quiet;
    run->watch.bar = !run->options.quiet && !to_stdout && !summary;
    if (to_stdout && summary) {
        return shepard_say_error("the mosaic and --json cannot both go to standard output; write "
                                 "--json=FILE");
    }
    if (json->set && !shepard_json_available()) {
        return false;
    }
    if (json->file && shepard_path_same(json->file, out)) {
        return shepard_say_error("--json: %s is another output too; give the summary another name",
                                 json->file);
    }
    return shepard_path_check_output("", out) && (!json->file || shepard_json_check(json->file));
}

/* Neither the mosaic nor the summary takes the place of a part. */
static bool name_inputs(struct mosaic_run *run)
{
    struct shepard_io_error error;
    run->inputs = shepard_input_files_new();
    if (!run->inputs) {
        return shepard_say_error("out of memory");
    }
    for (size_t i = 1; i < run->names.count; i++) {
        shepard_input_files_add(run->inputs, run->names.items[i]);
    }
    return !run->options.json.file ||
           !shepard_input_files_check(run->inputs, run->options.json.file, &error) ||
           shepard_say_error("--json: %s", error.message);
}

static bool make(struct mosaic_run *run, struct shepard_mosaic_info *info)
{
    const struct shepard_mosaic_spec spec = {
        .path = run->names.items[0],
        .format = run->options.format,
        .count = run->names.count - 1,
        .sources = (const char *const *)run->names.items + 1,
        .creation_options = (const char *const *)run->options.creation_options.items,
        .guard = {.inputs = run->inputs, .overwrite = run->options.overwrite}};
    const struct shepard_io_control control = {.progress = shepard_progress_report,
                                               .warning = shepard_progress_notice,
                                               .user = &run->watch};
    struct shepard_io_error error;
    shepard_progress_stage(&run->watch, SHEPARD_STAGE_WRITE);
    shepard_progress_part(&run->watch, 0, 1);
    if (shepard_raster_mosaic_make(&spec, info, &control, &error)) {
        return shepard_progress_error(error.message);
    }
    return shepard_progress_report(1, &run->watch) || shepard_progress_error(NULL);
}

/* Blocks without a prediction are in no part: that all parts are there shows that none is lost. */
static void note_missing(struct mosaic_run *run, const struct shepard_mosaic_info *info)
{
    if (info->missing > 0 && info->parts == 0) {
        shepard_progress_note(&run->watch, "%zu of %zu blocks are in no source and read as nodata",
                              info->missing, info->blocks);
    }
}

static bool report(struct mosaic_run *run, const struct shepard_mosaic_info *info)
{
    if (!run->options.json.set) {
        return true;
    }
    struct shepard_json *const json = shepard_json_new();
    shepard_json_text(json, "verb", "mosaic");
    shepard_json_text(json, "output", run->names.items[0]);
    shepard_json_text(json, "format", info->format);
    shepard_json_number(json, "columns", (double)info->columns);
    shepard_json_number(json, "rows", (double)info->rows);
    shepard_json_number(json, "sources", (double)(run->names.count - 1));
    shepard_json_number(json, "parts", (double)info->parts);
    shepard_json_number(json, "blocks", (double)info->blocks);
    shepard_json_number(json, "blocks_missing", (double)info->missing);
    shepard_json_number(json, "seconds", shepard_progress_total(&run->watch));
    struct shepard_json *const notes = shepard_json_array(json, "notes");
    for (size_t i = 0; i < run->watch.notes.count; i++) {
        shepard_json_text(notes, NULL, run->watch.notes.items[i]);
    }
    const bool good = shepard_json_write(json, run->options.json.file);
    shepard_json_free(json);
    return good;
}

static bool run_mosaic(struct mosaic_run *run)
{
    struct shepard_mosaic_info info;
    shepard_io_use_threads(shepard_library_threads(0));
    if (!check_outputs(run) || !name_inputs(run) || !make(run, &info)) {
        return false;
    }
    note_missing(run, &info);
    return report(run, &info);
}

int shepard_verb_mosaic(int argc, char **argv)
{
    if (shepard_option_asked(argc, argv, "--help") || shepard_option_asked(argc, argv, "-h")) {
        print_help();
        return 0;
    }
    struct mosaic_run run = {0};
    shepard_progress_start(&run.watch);
    const bool good = shepard_options_parse(&mosaic_syntax, argc, argv, &run.options, &run.names) &&
                      run_mosaic(&run);
    const int code = good ? 0 : shepard_progress_exit_code(&run.watch);
    shepard_input_files_free(run.inputs);
    shepard_text_list_free(&run.names);
    shepard_text_list_free(&run.options.creation_options);
    shepard_text_list_free(&run.watch.notes);
    return code;
}
