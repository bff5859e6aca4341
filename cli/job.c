/* SPDX-License-Identifier: MIT */
#include "job.h"

#include "backend_name.h"
#include "choice_file.h"
#include "general.h"
#include "json.h"
#include "library_info.h"
#include "message.h"
#include "path.h"
#include "suggest.h"
#include "whole_file.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define AT(field) offsetof(struct shepard_job_options, field)

const struct shepard_option shepard_input_options[] = {
    {"-l", NULL, SHEPARD_OPTION_LIST, 1, AT(layers), "LAYER",
     "layer to read; several: further bands or columns"},
    {"-zfield", NULL, SHEPARD_OPTION_LIST, 1, AT(fields), "FIELD[,FIELD...]",
     "value field; several, as a,b or d1-d9: one result each (default: Z of the geometry, or "
     "column z, ...)"},
    {"-xfield", NULL, SHEPARD_OPTION_TEXT, 1, AT(x_field), "FIELD",
     "x from this column (default: geometry, or columns x, lon, easting, ...)"},
    {"-yfield", NULL, SHEPARD_OPTION_TEXT, 1, AT(y_field), "FIELD", "y from this column"},
    {"-zdim", NULL, SHEPARD_OPTION_TEXT, 1, AT(z_dimension), "FIELD|Z",
     "distances in space: the third coordinate, a field or the geometry's Z"},
    {"-zfactor", NULL, SHEPARD_OPTION_POSITIVE, 1, AT(z_factor), "V",
     "multiplies the third coordinate in distances (default: 1)"},
    {"-wfield", NULL, SHEPARD_OPTION_TEXT, 1, AT(weight_field), "FIELD",
     "weight of each point, >= 0 (default: all 1)"},
    {"-a_nodata_in", NULL, SHEPARD_OPTION_NUMBERS, 1, AT(nodata), "V",
     "values equal to this are missing"},
    {"-z_increase", NULL, SHEPARD_OPTION_NUMBERS, 1, AT(z_increase), "V", "added to each value"},
    {"-z_multiply", NULL, SHEPARD_OPTION_NUMBERS, 1, AT(z_multiply), "V",
     "then each value is multiplied by this"},
    {"-decimal", NULL, SHEPARD_OPTION_TEXT, 1, AT(decimal), "auto|comma|point",
     "decimal sign of numbers in text columns (default: auto, a comma where that is clear)"},
    {"--skip-invalid", NULL, SHEPARD_OPTION_FLAG, 0, AT(skip_invalid), "",
     "skip any number of texts that are not numbers (default: at most 1 % of a column)"},
    {"-where", NULL, SHEPARD_OPTION_TEXT, 1, AT(where), "EXPRESSION",
     "only features for which this holds"},
    {"-sql", NULL, SHEPARD_OPTION_TEXT, 1, AT(sql), "STATEMENT", "read the result of this"},
    {"-class", NULL, SHEPARD_OPTION_COMMA_LIST, 1, AT(las_classes), "N[,N...]",
     "of LAS files only points of these classes, as 2,9 or 3-5"},
    {"-return", NULL, SHEPARD_OPTION_TEXT, 1, AT(las_return), "first|last|N",
     "of LAS files only these returns (default: all)"},
    {"-withheld", NULL, SHEPARD_OPTION_FLAG, 0, AT(las_withheld), "",
     "of LAS files also points that are flagged as withheld"},
    {"-spat", NULL, SHEPARD_OPTION_NUMBERS, 4, AT(spat), "xmin ymin xmax ymax",
     "only points inside this box"},
    {"-clipsrc", NULL, SHEPARD_OPTION_CLIP, 4, AT(clip),
     "xmin ymin xmax ymax|WKT|DATASOURCE|spat_extent", "only points inside this box or polygon"},
    {"-clipsrcsql", NULL, SHEPARD_OPTION_TEXT, 1, AT(clip_sql), "STATEMENT",
     "polygons of -clipsrc: the result of this"},
    {"-clipsrclayer", NULL, SHEPARD_OPTION_TEXT, 1, AT(clip_layer), "LAYER",
     "polygons of -clipsrc: this layer"},
    {"-clipsrcwhere", NULL, SHEPARD_OPTION_TEXT, 1, AT(clip_where), "EXPRESSION",
     "polygons of -clipsrc: those for which this holds"},
    {"-s_srs", NULL, SHEPARD_OPTION_TEXT, 1, AT(source_srs), "SRS",
     "coordinate system of SRC (default: its own; EPSG:4326 for columns lon and lat)"},
    {"-t_srs", NULL, SHEPARD_OPTION_TEXT, 1, AT(target_srs), "SRS",
     "transform the points to this first; DST is in it"},
    {"-geometry", NULL, SHEPARD_OPTION_TEXT, 1, AT(geometry), "vertices|centroids",
     "which points represent lines and polygons (default: they are an error)"},
    {"-oo", NULL, SHEPARD_OPTION_LIST, 1, AT(open_options), "NAME=VALUE",
     "open option of the source's format"},
    {"-barrier", NULL, SHEPARD_OPTION_TEXT, 1, AT(barrier), "LINES",
     "points behind these lines (faults, shores; rings of polygons) are not used"},
    {"-barrier_layer", NULL, SHEPARD_OPTION_TEXT, 1, AT(barrier_layer), "LAYER",
     "layer of LINES (default: its first one)"},
    {0}};

const struct shepard_option shepard_method_options[] = {
    {"-a", NULL, SHEPARD_OPTION_TEXT, 1, AT(algorithm), "ALGORITHM[:KEY=VALUE...]",
     "see below; auto: the best of some hundred trials; @FILE of `shepard tune --write` "
     "(default: invdist)"},
    {"--diagnostics", NULL, SHEPARD_OPTION_COMMA_LIST, 1, AT(diagnostics), "NAME[,NAME...]",
     "further results, commas between:" SHEPARD_DIAGNOSTIC_NAMES},
    {0}};

const struct shepard_option shepard_trend_options[] = {
    {"-trend", NULL, SHEPARD_OPTION_COMMA_LIST, 1, AT(trend), "NAME[,NAME...]",
     "covariates that values depend on: rasters, or fields of SRC and QUERY"},
    {0}};

const struct shepard_option shepard_choice_options[] = {
    {"--seconds", NULL, SHEPARD_OPTION_POSITIVE, 1, AT(seconds), "N",
     "no trial of -a auto begins later (default: 60)"},
    {"--seed", NULL, SHEPARD_OPTION_SEED, 1, AT(seed), "N",
     "of the random choice of the data that -a auto holds out (default: 0)"},
    {0}};

const struct shepard_option shepard_compute_options[] = {
    {"--backend", NULL, SHEPARD_OPTION_TEXT, 1, AT(backend), "auto|ref|cpu|cuda[:N|:all]",
     "where to compute; cuda:N: on GPU N; see `shepard info` (default: auto)"},
    {"--threads", NULL, SHEPARD_OPTION_THREADS, 1, AT(threads), "N",
     "threads to use (default: all)"},
    {"-planar", NULL, SHEPARD_OPTION_FLAG, 0, AT(planar), "",
     "longitude and latitude are plane coordinates (default: distances along great circles)"},
    {0}};

const struct shepard_option shepard_raster_options[] = {
    {"-txe", NULL, SHEPARD_OPTION_NUMBERS, 2, AT(extent.txe), "xmin xmax",
     "outer edges in x (default: extent of the first layer's selected points)"},
    {"-tye", NULL, SHEPARD_OPTION_NUMBERS, 2, AT(extent.tye), "ymin ymax", "outer edges in y"},
    {"-tr", NULL, SHEPARD_OPTION_POSITIVE, 2, AT(extent.tr), "xres yres",
     "cell size, kept exactly; the extent grows right and down to whole cells"},
    {"-tap", NULL, SHEPARD_OPTION_FLAG, 0, AT(extent.tap), "",
     "with -tr: edges at multiples of the cell size"},
    {"-outsize", NULL, SHEPARD_OPTION_SIZES, 2, AT(extent.outsize), "columns rows",
     "number of cells (default: 256 256)"},
    {"-like", NULL, SHEPARD_OPTION_TEXT, 1, AT(extent.like), "RASTER",
     "edges, size and coordinate system of this raster"},
    {0}};

const struct shepard_option shepard_query_options[] = {
    {"-ql", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_layer), "LAYER",
     "layer of QUERY (default: its only one)"},
    {"-qwhere", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_where), "EXPRESSION",
     "only features for which this holds"},
    {"-qsql", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_sql), "STATEMENT",
     "query points are the result of this"},
    {"-qxfield", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_x_field), "FIELD",
     "x from this column (default: geometry, or columns x, lon, easting, ...)"},
    {"-qyfield", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_y_field), "FIELD", "y from this column"},
    {"-qzdim", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_z_dimension), "FIELD|Z",
     "third coordinate (default: as -zdim says)"},
    {"-q_srs", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_srs), "SRS",
     "coordinate system of QUERY (default: its own; EPSG:4326 for columns lon and lat)"},
    {"-qgeometry", NULL, SHEPARD_OPTION_TEXT, 1, AT(query_geometry), "centroids",
     "predict at the centroids of lines and polygons (default: as -geometry says)"},
    {"-qoo", NULL, SHEPARD_OPTION_LIST, 1, AT(query_open_options), "NAME=VALUE",
     "open option of QUERY's format"},
    {0}};

const struct shepard_option shepard_holdout_options[] = {
    {"--at", NULL, SHEPARD_OPTION_TEXT, 1, AT(at), "QUERY",
     "targets: these points; the error stated is that at the targets"},
    {"--folds", NULL, SHEPARD_OPTION_SIZES, 1, AT(folds), "N",
     "hold out the places in N random parts, with --blocks the blocks (there 5 by default)"},
    {"--blocks", NULL, SHEPARD_OPTION_TEXT, 1, AT(blocks), "SIZE|auto",
     "hold out squares of this side; auto: by the distances from targets to data"},
    {"--seed", NULL, SHEPARD_OPTION_SEED, 1, AT(seed), "N",
     "of the random choice of what is held out (default: 0)"},
    {0}};

const struct shepard_option shepard_replace_options[] = {
    {"-overwrite", NULL, SHEPARD_OPTION_FLAG, 0, AT(overwrite), "",
     "replace DST though it holds other layers or rasters (GPKG, SQLite, XLSX, ODS)"},
    {0}};

const struct shepard_option shepard_page_options[] = {
    {"--report", NULL, SHEPARD_OPTION_TEXT, 1, AT(report), "FILE.html",
     "page with figures, errors, parameters and the command"},
    {0}};

const struct shepard_option shepard_report_options[] = {
    {"-q", "-quiet", SHEPARD_OPTION_FLAG, 0, AT(quiet), "", "no progress, no notes"},
    {"--json", NULL, SHEPARD_OPTION_JSON, 0, AT(json), "[FILE]",
     "summary of the run to FILE, or to standard output"},
    {"--help", "-h", SHEPARD_OPTION_FLAG, 0, AT(help), "", "this text"},
    {0}};

static bool add_diagnostic(struct shepard_diagnostics *diagnostics, const char *word)
{
    struct shepard_suggestion near = {.word = word};
    int kind = SHEPARD_RESULT_VALUE + 1;
    while (kind < SHEPARD_RESULT_KINDS && strcasecmp(shepard_result_kind_name(kind), word) != 0) {
        shepard_suggest(&near, shepard_result_kind_name(kind++));
    }
    if (kind == SHEPARD_RESULT_KINDS) {
        return shepard_say_error("--diagnostics: unknown name '%s'; %s%s%s", word,
                                 near.best ? "did you mean " : "the names are",
                                 near.best ? near.best : SHEPARD_DIAGNOSTIC_NAMES,
                                 near.best ? "?" : "");
    }
    size_t i = 0;
    while (i < diagnostics->count && (int)diagnostics->kinds[i] != kind) {
        i++;
    }
    if (i == diagnostics->count) {
        diagnostics->kinds[diagnostics->count++] = (enum shepard_result_kind)kind;
    }
    return true;
}

static bool choose_diagnostics(struct shepard_job *job)
{
    const struct shepard_text_list *const words = &job->options->diagnostics;
    char methods[SHEPARD_METHOD_NAMES_SIZE];
    for (size_t i = 0; i < words->count; i++) {
        if (!add_diagnostic(&job->diagnostics, words->items[i])) {
            return false;
        }
    }
    if (job->diagnostics.count > 0 && shepard_algorithm_by_gdal(&job->algorithm)) {
        return shepard_say_error("--diagnostics: %s is computed by GDAL, which has none; use %s",
                                 shepard_algorithm_name(&job->algorithm),
                                 shepard_algorithm_own_methods(methods));
    }
    return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* The one check of all outputs. */
static bool spare_inputs(const struct shepard_job *job)
{
    struct shepard_io_error error;
    const char *const json = job->options->json.file;
    if (job->destination && shepard_input_files_check(job->inputs, job->destination, &error)) {
        return shepard_progress_error(error.message);
    }
    if (json && shepard_input_files_check(job->inputs, json, &error)) {
        return shepard_say_error("--json: %s", error.message);
    }
    const char *const report = job->options->report;
    return !report || !shepard_input_files_check(job->inputs, report, &error) ||
           shepard_say_error("--report: %s", error.message);
}

/* What is known before a source is open. */
static bool name_inputs(struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    const struct shepard_text_list *const optfiles = shepard_general_optfiles();
    job->inputs = shepard_input_files_new();
    if (!job->inputs) {
        return shepard_say_error("out of memory");
    }
    for (size_t i = 0; i < job->names.count; i++) {
        if (job->names.items[i] != job->destination) {
            shepard_input_files_add(job->inputs, job->names.items[i]);
        }
    }
    for (size_t i = 0; i < job->more.count; i++) {
        shepard_input_files_add(job->inputs, job->more.items[i]);
    }
    for (size_t i = 0; i < optfiles->count; i++) {
        shepard_input_files_add(job->inputs, optfiles->items[i]);
    }
    shepard_input_files_add(job->inputs, shepard_choice_file(options->algorithm));
    shepard_input_files_add_dataset(job->inputs, options->clip.text);
    shepard_input_files_add_dataset(job->inputs, options->barrier);
    shepard_input_files_add(job->inputs, options->source_srs);
    shepard_input_files_add(job->inputs, options->target_srs);
    shepard_input_files_add_sql(job->inputs, options->sql);
    shepard_input_files_add_sql(job->inputs, options->clip_sql);
    return spare_inputs(job);
}

static bool try_output(struct shepard_job *job)
{
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    return !job->output.path || !shepard_output_check(&job->output, &control, &error) ||
           shepard_progress_error(error.message);
}

/* With a source's files known, side-car files of the output may meet one. */
bool shepard_job_add_source(struct shepard_job *job, const struct shepard_source *source)
{
    shepard_input_files_add_source(job->inputs, source);
    return spare_inputs(job) && try_output(job);
}

/* The summary comes last: what would only fail then is tried first. */
static bool check_json(const struct shepard_job *job)
{
    const struct shepard_json_target *const json = &job->options->json;
    if (!json->set) {
        return true;
    }
    if (json->file && job->destination && shepard_path_same(json->file, job->destination)) {
        return shepard_say_error("--json: %s is the output too; give the summary another name",
                                 json->file);
    }
    return shepard_json_available() && shepard_json_check(json->file);
}

static bool check_report(const struct shepard_job *job)
{
    const char *const report = job->options->report, *const json = job->options->json.file;
    if (!report) {
        return true;
    }
    if (!report[0] || shepard_path_is_stdout(report)) {
        return shepard_say_error("--report: the page needs a file; write --report FILE.html");
    }
    if ((job->destination && shepard_path_same(report, job->destination)) ||
        (json && shepard_path_same(report, json))) {
        return shepard_say_error("--report: %s is another output too; give the page another name",
                                 report);
    }
    return shepard_whole_file_check("--report", report);
}

bool shepard_job_check_stdout(struct shepard_job *job, const char *what)
{
    const struct shepard_json_target *const json = &job->options->json;
    const bool output = job->destination && shepard_path_is_stdout(job->destination);
    const bool summary = json->set && !json->file;
    job->watch.bar = !job->options->quiet && !output && !summary;
    return !(output && summary) ||
           shepard_say_error("%s and --json cannot both go to standard output; write --json=FILE",
                             what);
}

static bool choose_decimal(struct shepard_job *job)
{
    static const char *const names[] = {[SHEPARD_DECIMAL_AUTO] = "auto",
                                        [SHEPARD_DECIMAL_COMMA] = "comma",
                                        [SHEPARD_DECIMAL_POINT] = "point"};
    const char *const name = job->options->decimal ? job->options->decimal : "auto";
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++) {
        if (strcasecmp(name, names[i]) == 0) {
            job->decimal = (enum shepard_decimal)i;
            return true;
        }
    }
    return shepard_say_error("-decimal: '%s' is unknown; it takes auto|comma|point", name);
}

/* ---- Points of LAS files --------------------------------------------------------------------- */

/* A whole number up to most at the start of a text; NULL: none. */
static const char *read_number(const char *text, unsigned long most, unsigned long *number)
{
    char *end;
    if (!isdigit((unsigned char)text[0])) {
        return NULL;
    }
    *number = strtoul(text, &end, 10);
    return *number <= most ? end : NULL;
}

/* "2", "3-5". */
static bool add_classes(struct shepard_job *job, const char *text)
{
    enum { CLASS_MAX = 255 };
    unsigned long first = 0, last = 0;
    const char *rest = read_number(text, CLASS_MAX, &first);
    last = first;
    if (rest && *rest == '-') {
        rest = read_number(rest + 1, CLASS_MAX, &last);
    }
    if (!rest || *rest || last < first) {
        return shepard_say_error("-class: '%s' is no class; write numbers from 0 to 255, as 2,9 or "
                                 "3-5",
                                 text);
    }
    for (unsigned long i = first; i <= last; i++) {
        job->las_classes[i] = true;
    }
    return true;
}

static bool choose_return(struct shepard_job *job)
{
    enum { RETURN_MAX = 15 };
    const char *const text = job->options->las_return;
    unsigned long number = 0;
    if (!text) {
        return true;
    }
    if (strcasecmp(text, "first") == 0) {
        number = 1;
    } else if (strcasecmp(text, "last") != 0) {
        const char *const rest = read_number(text, RETURN_MAX, &number);
        if (!rest || *rest || number == 0) {
            return shepard_say_error("-return: '%s' is no return; write first, last or a number "
                                     "from 1 to 15",
                                     text);
        }
    }
    job->las.return_number = number > 0 ? (int)number : SHEPARD_LAS_LAST;
    return true;
}

static bool choose_las(struct shepard_job *job)
{
    const struct shepard_text_list *const classes = &job->options->las_classes;
    for (size_t i = 0; i < classes->count; i++) {
        if (!add_classes(job, classes->items[i])) {
            return false;
        }
    }
    job->las.classes = classes->count > 0 ? job->las_classes : NULL;
    job->las.withheld = job->options->las_withheld;
    return choose_return(job);
}

bool shepard_job_check_srs(const char *option, const char *definition)
{
    struct shepard_io_error error;
    char *wkt = NULL;
    if (definition && shepard_io_srs(definition, &wkt, NULL, &error)) {
        return shepard_say_error("%s: %s", option, error.message);
    }
    shepard_io_free(wkt);
    return true;
}

bool shepard_job_read_geometry(const char *option, const char *text, enum shepard_geometry_use *use)
{
    if (text && strcasecmp(text, "vertices") == 0) {
        *use = SHEPARD_GEOMETRY_VERTICES;
    } else if (text && strcasecmp(text, "centroids") == 0) {
        *use = SHEPARD_GEOMETRY_CENTROIDS;
    } else if (text) {
        return shepard_say_error("%s: unknown name '%s'; there are vertices and centroids", option,
                                 text);
    }
    return true;
}

static bool check_barrier(const struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    char methods[SHEPARD_METHOD_NAMES_SIZE];
    if (options->barrier_layer && !options->barrier) {
        return shepard_say_error("-barrier_layer needs -barrier LINES");
    }
    return !options->barrier || !shepard_algorithm_by_gdal(&job->algorithm) ||
           shepard_say_error("-barrier: %s is computed by GDAL, which has no barriers; use %s",
                             shepard_algorithm_name(&job->algorithm),
                             shepard_algorithm_own_methods(methods));
}

static bool check_z_options(const struct shepard_job_options *options)
{
    const char *const orphan = options->z_factor.set        ? "-zfactor"
                               : options->query_z_dimension ? "-qzdim"
                                                            : NULL;
    return options->z_dimension || !orphan ||
           shepard_say_error("%s needs -zdim, which says what the third coordinate is", orphan);
}

static bool check_options(struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    struct shepard_points_options *const resolved = &job->algorithm.options;
    char methods[SHEPARD_METHOD_NAMES_SIZE];
    resolved->threads = options->threads.set ? (int)options->threads.v[0] : 0;
    shepard_io_use_threads(shepard_library_threads(resolved->threads));
    job->barriers = (struct shepard_barriers){.size = sizeof job->barriers};
    resolved->barriers = &job->barriers;
    if (!name_inputs(job) || !check_json(job) || !check_report(job)) {
        return false;
    }
    if ((options->x_field == NULL) != (options->y_field == NULL)) {
        return shepard_say_error("-xfield and -yfield go together; give both");
    }
    if (options->weight_field && shepard_algorithm_by_gdal(&job->algorithm)) {
        return shepard_say_error("-wfield: %s is computed by GDAL, which has no weights; use "
                                 "%s",
                                 shepard_algorithm_name(&job->algorithm),
                                 shepard_algorithm_own_methods(methods));
    }
    return check_barrier(job) && shepard_job_check_srs("-s_srs", options->source_srs) &&
           shepard_job_check_srs("-t_srs", options->target_srs) &&
           shepard_job_read_geometry("-geometry", options->geometry, &job->geometry) &&
           shepard_backend_name_read(options->backend ? options->backend : "auto",
                                     !shepard_algorithm_by_gdal(&job->algorithm), resolved) &&
           check_z_options(options) && choose_diagnostics(job) && choose_decimal(job) &&
           choose_las(job);
}

static const char *output_of(const struct shepard_job *job, const struct shepard_syntax *syntax)
{
    const char *const options = (const char *)job->options;
    return syntax->output_offset > 0
               ? *(const char *const *)(const void *)(options + syntax->output_offset)
               : job->names.items[job->names.count - 1];
}

/* The parser lets more names through only where they are sources, which come first. */
static bool take_sources(struct shepard_job *job, const struct shepard_syntax *syntax)
{
    while (job->names.count > syntax->positional_count) {
        const char *const name = job->names.items[1];
        if (!shepard_text_list_add(&job->more, name, strlen(name))) {
            return false;
        }
        shepard_text_list_remove(&job->names, 1);
    }
    if (job->names.count == 0) {
        return true;
    }
    return shepard_append_format(&job->source, "%s", job->names.items[0]) &&
           (job->more.count == 0 ||
            shepard_append_format(&job->source, " and %zu more", job->more.count));
}

bool shepard_job_begin(struct shepard_job *job, const struct shepard_syntax *syntax, int argc,
                       char **argv, struct shepard_job_options *options)
{
    *job = (struct shepard_job){.options = options};
    shepard_progress_start(&job->watch);
    if (!shepard_options_parse(syntax, argc, argv, options, &job->names)) {
        return false;
    }
    if (!take_sources(job, syntax)) {
        return false;
    }
    job->destination = output_of(job, syntax);
    if (!shepard_algorithm_parse(options->algorithm ? options->algorithm : "invdist",
                                 &job->algorithm) ||
        !check_options(job)) {
        return false;
    }
    job->watch.quiet = options->quiet;
    return true;
}

struct shepard_control shepard_job_control(struct shepard_job *job)
{
    return (struct shepard_control){.size = sizeof(struct shepard_control),
                                    .progress = shepard_progress_report,
                                    .user = &job->watch,
                                    .notice = shepard_progress_notice,
                                    .timing = &job->watch.gpu};
}

struct shepard_io_control shepard_job_io_control(struct shepard_job *job)
{
    return (struct shepard_io_control){.progress = shepard_progress_report,
                                       .warning = shepard_progress_notice,
                                       .user = &job->watch};
}

struct shepard_output_guard shepard_job_guard(const struct shepard_job *job)
{
    return (struct shepard_output_guard){.inputs = job->inputs,
                                         .overwrite = job->options->overwrite};
}

bool shepard_job_check_output(struct shepard_job *job, struct shepard_output_spec spec)
{
    job->output = spec;
    job->output.path = job->destination;
    job->output.guard = shepard_job_guard(job);
    /* Which folders may be replaced the format knows. */
    return (shepard_path_is_folder(job->output.path) ||
            shepard_path_check_output("", job->output.path)) &&
           try_output(job);
}

void shepard_job_end(struct shepard_job *job, struct shepard_job_options *options)
{
    shepard_algorithm_free(&job->algorithm);
    shepard_input_files_free(job->inputs);
    shepard_line_set_clear(&job->lines);
    shepard_text_list_free(&job->names);
    shepard_text_list_free(&job->more);
    free(job->source);
    shepard_text_list_free(&options->las_classes);
    shepard_text_list_free(&job->watch.notes);
    shepard_text_list_free(&options->layers);
    shepard_text_list_free(&options->fields);
    shepard_text_list_free(&options->open_options);
    shepard_text_list_free(&options->query_open_options);
    shepard_text_list_free(&options->diagnostics);
    shepard_text_list_free(&options->trend);
}
