/* SPDX-License-Identifier: MIT */
#include "holdout.h"

#include "column_group.h"
#include "error_text.h"
#include "message.h"
#include "number.h"
#include "path.h"

#include <math.h>
#include <strings.h>

/* ---- Options --------------------------------------------------------------------------------- */

static bool asks_for_raster(const struct shepard_extent_options *extent)
{
    return extent->like || extent->txe.set || extent->tye.set || extent->tr.set ||
           extent->outsize.set || extent->tap;
}

bool shepard_holdout_has_targets(const struct shepard_job_options *options)
{
    return options->at || asks_for_raster(&options->extent);
}

static bool check_blocks(const struct shepard_job_options *options, double *size)
{
    if (strcasecmp(options->blocks, "auto") == 0) {
        *size = 0;
        return shepard_holdout_has_targets(options) ||
               shepard_say_error("--blocks auto looks at the distances from targets to data; give "
                                 "the targets with --at or --like, or the side of the blocks");
    }
    return (shepard_number(options->blocks, size) && *size > 0) ||
           shepard_say_error("--blocks: '%s' is neither a number greater than 0 nor auto",
                             options->blocks);
}

static bool choose_kind(const struct shepard_job_options *options,
                        struct shepard_validation *validation)
{
    if (options->blocks) {
        validation->kind = SHEPARD_VALIDATION_BLOCKS;
        return check_blocks(options, &validation->block_size);
    }
    if (options->folds.set) {
        validation->kind = SHEPARD_VALIDATION_K_FOLD;
        return !shepard_holdout_has_targets(options) ||
               shepard_say_error("--folds deals out the data wherever the targets are; leave it "
                                 "out, or add --blocks auto");
    }
    validation->kind = shepard_holdout_has_targets(options) ? SHEPARD_VALIDATION_STARS
                                                            : SHEPARD_VALIDATION_LEAVE_ONE_OUT;
    return true;
}

bool shepard_holdout_plan_check(struct shepard_holdout_plan *plan, struct shepard_job *job)
{
    const struct shepard_job_options *const options = job->options;
    struct shepard_validation *const validation = &plan->validation;
    shepard_validation_init(validation);
    validation->folds = options->folds.set ? (size_t)options->folds.v[0] : 0;
    validation->seed = options->seed.set ? (uint64_t)options->seed.v[0] : 0;
    if (validation->folds == 1) {
        return shepard_say_error("--folds 1 leaves nothing to predict from; give 2 or more");
    }
    if (options->at && asks_for_raster(&options->extent)) {
        return shepard_say_error("--at gives the targets; leave out the options of a raster");
    }
    if (options->at) {
        shepard_input_files_add(job->inputs, options->at);
        if (shepard_path_is_stdin(job->names.items[0]) && shepard_path_is_stdin(options->at)) {
            return shepard_say_error("SRC and --at cannot both be standard input; put one of them "
                                     "into a file");
        }
    }
    return choose_kind(options, validation) && shepard_query_check(&plan->query, job) &&
           shepard_target_raster_read(&plan->raster, job);
}

/* ---- Targets --------------------------------------------------------------------------------- */

static bool place_query(struct shepard_holdout_plan *plan, const struct shepard_input *input,
                        struct shepard_job *job)
{
    const struct shepard_target_layer_targets *const places = &plan->query.targets;
    if (!shepard_query_open(&plan->query, job->options->at, input, job)) {
        return false;
    }
    plan->targets = shepard_input_targets(places->count, places->x, places->y, places->z);
    return places->missing < places->count ||
           shepard_say_error("--at: no query point has usable coordinates");
}

bool shepard_holdout_plan_place(struct shepard_holdout_plan *plan,
                                const struct shepard_input *input, struct shepard_job *job)
{
    if (!shepard_holdout_has_targets(job->options)) {
        return true;
    }
    plan->validation.targets = &plan->targets;
    if (job->options->at) {
        return place_query(plan, input, job);
    }
    if (!shepard_target_raster_place(&plan->raster, shepard_input_srs(input), input, job)) {
        return false;
    }
    plan->targets = (struct shepard_targets){.size = sizeof plan->targets,
                                             .kind = SHEPARD_TARGETS_RASTER,
                                             .raster = plan->raster.raster};
    return true;
}

/* ---- Data ------------------------------------------------------------------------------------ */

bool shepard_column_is_constant(const struct shepard_point_set *points, size_t column,
                                double *value)
{
    const double *const values = points->values[column];
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < points->count; i++) {
        if (shepard_column_is_used(points, column, i)) {
            low = fmin(low, values[i]);
            high = fmax(high, values[i]);
        }
    }
    *value = low;
    return low == high;
}

/* One value everywhere: every method would look perfect. */
static bool check_values(const struct shepard_point_set *points, size_t column)
{
    double value;
    return !shepard_column_is_constant(points, column, &value) ||
           shepard_say_error("layer %s, field %s: every value is %.12g; there is nothing to tell "
                             "methods apart, each predicts it",
                             points->layer, points->column[column].name, value);
}

static enum shepard_status create(const struct shepard_point_set *points,
                                  const struct shepard_array *column,
                                  const struct shepard_validation *validation,
                                  struct shepard_job *job, struct shepard_holdout **holdout,
                                  struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = shepard_input_coordinates(points);
    const struct shepard_values values = shepard_input_column(points, column);
    const struct shepard_control control = shepard_job_control(job);
    struct shepard_points_options options = job->algorithm.options;
    options.expected_targets = 0;
    return shepard_holdout_create(&coordinates, &values, &options, validation, &control, holdout,
                                  error);
}

bool shepard_holdout_plan_create(const struct shepard_holdout_plan *plan,
                                 const struct shepard_point_set *points, size_t column,
                                 const struct shepard_array *values, struct shepard_job *job,
                                 struct shepard_holdout **holdout)
{
    struct shepard_holdout_info info = {.size = sizeof info};
    struct shepard_error error;
    if (!check_values(points, column)) {
        return false;
    }
    if (create(points, values, &plan->validation, job, holdout, &error)) {
        return shepard_say_library_error(&job->algorithm, error.message);
    }
    shepard_holdout_get_info(*holdout, &info);
    shepard_progress_notice(info.notice, &job->watch);
    return true;
}

enum shepard_status shepard_holdout_at_targets(
    const struct shepard_point_set *points, const struct shepard_array *values,
    const struct shepard_targets *targets, const struct shepard_holdout_samples *samples,
    struct shepard_job *job, struct shepard_holdout **holdout, struct shepard_error *error)
{
    struct shepard_validation validation;
    struct shepard_holdout_info info = {.size = sizeof info};
    shepard_validation_init(&validation);
    validation.kind = SHEPARD_VALIDATION_STARS;
    validation.samples = samples->stars;
    validation.seed = samples->seed;
    validation.targets = targets;
    enum shepard_status status = create(points, values, &validation, job, holdout, error);
    if (status == SHEPARD_ERROR_NO_POINTS) {
        validation.kind = SHEPARD_VALIDATION_LEAVE_ONE_OUT;
        validation.samples = samples->others;
        status = create(points, values, &validation, job, holdout, error);
        if (status == SHEPARD_OK) {
            shepard_progress_note(&job->watch,
                                  "%s: no datum can stand for a target, as all lie far outside the "
                                  "data; errors are those of targets among the data",
                                  samples->purpose);
        }
    }
    if (status == SHEPARD_OK) {
        shepard_holdout_get_info(*holdout, &info);
        if (info.notice[0] != '\0') {
            shepard_progress_note(&job->watch, "%s: %s", samples->purpose, info.notice);
        }
    }
    return status;
}

void shepard_holdout_plan_free(struct shepard_holdout_plan *plan)
{
    shepard_query_free(&plan->query);
    shepard_target_raster_free(&plan->raster);
}

/* ---- Words ----------------------------------------------------------------------------------- */

char *shepard_holdout_text(const struct shepard_holdout_info *info)
{
    char *text = NULL;
    switch (info->kind) {
    case SHEPARD_VALIDATION_LEAVE_ONE_OUT:
        shepard_append_format(&text, "leave-one-out");
        break;
    case SHEPARD_VALIDATION_K_FOLD:
        shepard_append_format(&text, "%zu folds", info->folds);
        break;
    case SHEPARD_VALIDATION_BLOCKS:
        shepard_append_format(&text, "blocks of side %.4g in %zu folds", info->block_size,
                              info->folds);
        break;
    case SHEPARD_VALIDATION_STARS:
        shepard_append_format(&text, "%zu dat%s held out as the targets lie", info->count,
                              info->count == 1 ? "um" : "a");
        break;
    }
    shepard_append_format(&text, "; median distance to the nearest datum %.4g",
                          info->held_out_nearest);
    if (!isnan(info->target_nearest)) {
        shepard_append_format(&text, ", of the targets %.4g", info->target_nearest);
    }
    return text;
}

void shepard_holdout_add(const struct shepard_holdout_info *info, struct shepard_json *json)
{
    static const char *const kinds[] = {[SHEPARD_VALIDATION_LEAVE_ONE_OUT] = "leave-one-out",
                                        [SHEPARD_VALIDATION_K_FOLD] = "k-fold",
                                        [SHEPARD_VALIDATION_BLOCKS] = "blocks",
                                        [SHEPARD_VALIDATION_STARS] = "stars"};
    shepard_json_text(json, "kind", kinds[info->kind]);
    shepard_json_number(json, "data", (double)info->data);
    shepard_json_number(json, "held_out", (double)info->count);
    if (info->folds > 0) {
        shepard_json_number(json, "folds", (double)info->folds);
    }
    if (info->block_size > 0) {
        shepard_json_number(json, "block_size", info->block_size);
    }
    shepard_json_number(json, "held_out_nearest", info->held_out_nearest);
    shepard_json_number(json, "target_nearest", info->target_nearest);
    shepard_json_bool(json, "representative", info->representative);
}
