/* SPDX-License-Identifier: MIT */
#include "near_points.h"

#include "error_text.h"
#include "message.h"
#include "near_parts.h"
#include "result.h"
#include "together.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a loaded point: the caller's arrays, points and field, and what sorts them; of each
 * further column. */
enum { POINT_BYTES = 112, COLUMN_BYTES = 16 };

/* The share of the memory for loaded points. */
enum { POINTS_PART = 3 };

/* ---- Options --------------------------------------------------------------------------------- */

bool shepard_memory_read(const char *text, size_t *bytes)
{
    static const char units[] = "KMGT";
    static const double least = 16 * 1024 * 1024, most = 1e18;
    char *end;
    const double number = isdigit((unsigned char)text[0]) ? strtod(text, &end) : -1;
    double factor = 1;
    if (number >= 0 && *end) {
        const char *const unit = strchr(units, toupper((unsigned char)*end));
        end += unit != NULL;
        factor = unit ? ldexp(1, 10 * (int)(unit - units + 1)) : 1;
    }
    if (!(number >= 0) || *end) {
        return shepard_say_error("--memory: '%s' is no size; write a number with K, M, G or T "
                                 "behind it, as in 2G",
                                 text);
    }
    if (!(number * factor >= least && number * factor <= most)) {
        return shepard_say_error("--memory: %s is too %s; give 16M or more, as in 2G", text,
                                 number * factor < least ? "little" : "much");
    }
    *bytes = (size_t)(number * factor);
    return true;
}

/* What an option needs that a part of the points does not have; NULL: nothing. */
static const char *refused(const struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    const bool sd = shepard_diagnostics_have(&job->diagnostics, SHEPARD_RESULT_SD);
    return shepard_algorithm_by_gdal(&job->algorithm) ? "methods that GDAL computes need"
           : job->algorithm.automatic                 ? "the search of -a auto needs"
           : shepard_algorithm_is_fitted(&job->algorithm)
               ? "the fit of parameters that -a leaves out needs"
           : options->trend.count > 0 ? "-trend needs"
           : options->report          ? "--report needs"
           : options->barrier         ? "-barrier needs"
           : options->z_dimension     ? "-zdim needs"
           : options->layers.count > 1 || (options->sql && options->layers.count > 0)
               ? "several layers need"
           : sd && job->algorithm.parameters.method != SHEPARD_METHOD_KRIGE
               ? "sd of this method needs"
               : NULL;
}

static bool isotropic(const struct shepard_job *job)
{
    return job->algorithm.options.anisotropy_ratio == 1;
}

static bool is_limited(const struct shepard_neighbourhood *hood)
{
    return hood->max_points > 0 || hood->max_points_per_sector > 0;
}

bool shepard_near_suffices(const struct shepard_job *job)
{
    const struct shepard_neighbourhood *const hood = &job->algorithm.parameters.neighbourhood;
    return is_limited(hood) && (hood->sectors <= 1 || hood->radius1 > 0);
}

/* Whether the area of all points is needed, which a part of them does not have in a stretched
 * frame. */
static bool lacks_area(const struct shepard_job *job)
{
    return shepard_near_suffices(job) && job->algorithm.parameters.method == SHEPARD_METHOD_AIDW &&
           !isotropic(job) && !(job->algorithm.parameters.adaptive.area > 0);
}

/* A comma may be part of a name, but is most likely between two. */
static bool names_several(const struct shepard_text_list *fields)
{
    return fields->count > 1 || (fields->count == 1 && strchr(fields->items[0], ','));
}

bool shepard_near_may_spread(const struct shepard_job *job)
{
    return !refused(job) && !names_several(&job->options->fields);
}

bool shepard_near_can_spread(const struct shepard_job *job)
{
    return shepard_near_may_spread(job) && shepard_near_suffices(job) && !lacks_area(job);
}

bool shepard_near_check(const struct shepard_job *job)
{
    const char *const what = refused(job);
    if (what) {
        return shepard_say_error(
            "--memory: %s all points in memory; leave --memory out, or choose parameters on "
            "a part of the points and give them with -a",
            what);
    }
    if (lacks_area(job)) {
        return shepard_say_error("--memory: with an anisotropy the area of all points is not "
                                 "known; give it, as in -a aidw:area=5e6, or leave --memory out");
    }
    return job->algorithm.options.backend != SHEPARD_BACKEND_CUDA ||
           shepard_say_error("--memory computes on the CPU; leave --backend or --memory out");
}

/* ---- Beginning ------------------------------------------------------------------------------- */

static struct shepard_near_rule rule_of(const struct shepard_column_group *surface)
{
    const struct shepard_parameters *const parameters = &surface->parameters;
    const struct shepard_neighbourhood *const hood = &parameters->neighbourhood;
    const double ratio = surface->options.anisotropy_ratio;
    const size_t a = hood->max_points, b = hood->max_points_per_sector;
    const size_t k = a > 0 && (b == 0 || a < b) ? a : b;
    const bool bounded = hood->radius1 > 0;
    return (struct shepard_near_rule){
        .k = hood->sectors > 1 ? 0 : k,
        .adaptive_k = parameters->method == SHEPARD_METHOD_AIDW ? parameters->adaptive.k : 0,
        .radius = bounded ? fmax(hood->radius1, hood->radius2) * fmax(1, ratio) : INFINITY,
        .stretch = fmax(ratio, 1 / ratio)};
}

/* The frame in which an anisotropy turns them follows from all places, in use or not. */
static bool check_frame(const struct shepard_spill_info *info, const struct shepard_job *job)
{
    return isotropic(job) || info->points == info->read ||
           shepard_say_error("--memory: with an anisotropy each point needs a value and a weight, "
                             "and %zu have none; leave them out with -where, or leave --memory out",
                             info->read - info->points);
}

bool shepard_near_check_points(const struct shepard_input *input,
                               const struct shepard_column_groups *surfaces,
                               const struct shepard_job *job)
{
    const bool one =
        surfaces->count == 1 &&
        (input->info.gaps == 0 || shepard_diagnostics_are_of_columns(&job->diagnostics));
    return one ? check_frame(&input->info, job)
               : shepard_say_error(
                     "--memory: points have a value in one field and none in another, "
                     "and --diagnostics asks for what differs then; leave such "
                     "points out with -where, run once for each field, or leave "
                     "--memory out");
}

bool shepard_near_begin(struct shepard_near_points *near, struct shepard_input *input,
                        const struct shepard_column_groups *surfaces, struct shepard_job *job)
{
    near->spill = input->spill;
    near->spread = job->memory == 0 ? &input->spread : NULL;
    near->info = input->info;
    near->all = &surfaces->items[0];
    const struct shepard_spill_info *const info = &near->info;
    near->points_max =
        job->memory / POINTS_PART / (POINT_BYTES + COLUMN_BYTES * (info->columns - 1));
    near->whole = shepard_spilled_whole(info);
    const struct shepard_near_rule rule = rule_of(near->all);
    return shepard_near_marks_make(&near->marks, &rule, info->buckets, info->bucket_count,
                                   &info->box);
}

/* ---- Loading --------------------------------------------------------------------------------- */

size_t shepard_near_mark(struct shepard_near_points *near, const struct shepard_raster *raster,
                         const struct shepard_window *windows, size_t count)
{
    shepard_near_marks_set(&near->marks, raster, windows, count);
    return near->marks.points;
}

static size_t marked_points(const struct shepard_near_points *near, size_t first, size_t *end)
{
    size_t points = 0;
    for (*end = first; *end < near->info.bucket_count && near->marks.marks[*end]; ++*end) {
        points += near->info.buckets[*end].count;
    }
    return points;
}

/* The marked points; returns how many, 0: false, said. */
static size_t read_marked(const struct shepard_near_points *near, double *numbers)
{
    size_t at = 0;
    for (size_t first = 0, end; first < near->info.bucket_count; first = end + 1) {
        const size_t points = marked_points(near, first, &end);
        struct shepard_io_error error;
        if (shepard_spill_read(near->spill, first, end - first, numbers + at, near->marks.points,
                               &error)) {
            shepard_progress_error(error.message);
            return 0;
        }
        at += points;
    }
    return at;
}

static bool make_field(struct shepard_near_points *near, const double *numbers, size_t count,
                       const struct shepard_job *job)
{
    const struct shepard_spilled_points points = {&near->info, numbers, count, count};
    struct shepard_points_options options = near->all->options;
    struct shepard_error error;
    options.part_of = &near->whole;
    return shepard_spilled_field_make(&near->loaded, near->all, &options, &points, &error) ==
               SHEPARD_OK ||
           shepard_say_library_error(&job->algorithm, error.message);
}

bool shepard_near_load(struct shepard_near_points *near, struct shepard_job *job)
{
    const size_t points = near->marks.points;
    const size_t fields = shepard_spilled_fields(&near->info);
    double *const numbers = malloc(fields * points * sizeof *numbers);
    shepard_spilled_field_forget(&near->loaded);
    if (!numbers) {
        return shepard_say_error("out of memory for the points near a part of the raster");
    }
    const bool good =
        read_marked(near, numbers) == points && make_field(near, numbers, points, job);
    free(numbers);
    return good;
}

/* Of all ranks: first the parts of buckets near the region, then the points near it of these parts.
 * NULL on all ranks, said, where memory is out. */
static double *fetch_region(struct shepard_near_points *near, const struct shepard_raster *raster,
                            const struct shepard_rank_region *region, size_t *points)
{
    struct shepard_near_parts parts = {0};
    struct shepard_near_marks marks = {0};
    double *numbers = NULL;
    shepard_near_marks_set(&near->marks, raster, region->windows, region->count);
    if (!shepard_near_parts_make(&parts, near->spread, near->marks.marks)) {
        shepard_say_error("out of memory for the boxes of points");
    } else if (shepard_together(shepard_near_marks_make(&marks, &near->marks.rule, parts.boxes,
                                                        parts.count, &near->info.box))) {
        shepard_near_marks_set(&marks, raster, region->windows, region->count);
        numbers = shepard_near_parts_fetch(&parts, near->spread, marks.marks, points);
        if (!numbers) {
            shepard_say_error("out of memory for the points near this rank's blocks of the "
                              "raster; start more ranks");
        }
    }
    shepard_near_marks_free(&marks);
    shepard_near_parts_free(&parts);
    return numbers;
}

bool shepard_near_fetch(struct shepard_near_points *near, const struct shepard_raster *raster,
                        const struct shepard_rank_region *region, struct shepard_job *job)
{
    size_t points = 0;
    double *const numbers = fetch_region(near, raster, region, &points);
    shepard_spread_forget(near->spread);
    if (!numbers) {
        return false;
    }
    const bool good = make_field(near, numbers, points, job);
    free(numbers);
    return good;
}

bool shepard_near_refuse(const struct shepard_near_points *near, size_t points)
{
    return shepard_say_error("--memory: a part of the raster needs %zu points, and there is room "
                             "for %zu; give more memory, %sfewer neighbours or a smaller radius",
                             points, near->points_max,
                             near->info.columns > 1 ? "fewer fields, " : "");
}

void shepard_near_end(struct shepard_near_points *near)
{
    shepard_spilled_field_forget(&near->loaded);
    shepard_near_marks_free(&near->marks);
    *near = (struct shepard_near_points){0};
}
