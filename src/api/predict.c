/* SPDX-License-Identifier: MIT */
#include "api/argument.h"
#include "api/array.h"
#include "api/barriers.h"
#include "api/essential.h"
#include "api/field.h"
#include "api/kriging.h"
#include "api/metric.h"
#include "api/output.h"
#include "api/parameters.h"
#include "api/sd_model.h"
#include "api/targets.h"
#include "api/whole.h"
#include "base/call_part.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/diagnostics.h"
#include "core/methods.h"
#include "core/span.h"

#include <stdlib.h>
#include <string.h>

static enum shepard_status take_output(const struct shepard_output *output,
                                       struct shepard_output *own, struct shepard_error *error)
{
    *own = (struct shepard_output){.size = sizeof *own};
    return SHEPARD_TAKE(output, own, "output", shepard_output, error);
}

/* AIDW needs an area: of the points of every group. */
static enum shepard_status check_area(const struct shepard_parameters *parameters,
                                      const struct shepard_field *field, size_t group,
                                      struct shepard_error *error)
{
    const struct shepard_geometry *points = shepard_field_group_geometry(field, group);
    const struct shepard_box *box = &points->frame.box;
    const bool flat = shepard_frame_is_3d(&points->frame)
                          ? !(points->area > 0)
                          : box->x_max == box->x_min || box->y_max == box->y_min;
    if (!shepard_method_facts(parameters->method)->adaptive || parameters->adaptive.area > 0 ||
        !flat)
        return SHEPARD_OK;
    return shepard_error_set(
        error, SHEPARD_ERROR_AREA, "parameters.adaptive.area",
        "the data points of column %zu span a box of area 0: AIDW needs the area of the study "
        "region, give parameters.adaptive.area",
        field->groups[group].column[0]);
}

/* *own: the parameters, complete. */
static enum shepard_status check(const struct shepard_field *field,
                                 const struct shepard_parameters *parameters,
                                 struct shepard_parameters *own, struct shepard_error *error)
{
    if (field == NULL)
        return shepard_argument_missing("field", error);
    enum shepard_status status = shepard_parameters_take(parameters, own, error);
    if (status == SHEPARD_OK)
        status = shepard_span_check_lengths(own, &field->points->prepared->geometry.frame, error);
    if (status == SHEPARD_OK)
        status = shepard_metric_check(field->points, own, error);
    if (status == SHEPARD_OK)
        status = shepard_barriers_check_parameters(own, &field->points->prepared->geometry, error);
    if (status == SHEPARD_OK)
        status =
            field->points->essential != NULL
                ? SHEPARD_OK
                : shepard_whole_check_parameters(own, &field->points->prepared->geometry, error);
    for (size_t g = 0; status == SHEPARD_OK && g < field->group_count; g++)
        status = check_area(own, field, g, error);
    if (status == SHEPARD_OK && shepard_method_facts(own->method)->kriging)
        status = shepard_kriging_check(field, own, error);
    return status;
}

/* What a method does not give, or not at these targets, which may be NULL. */
static enum shepard_status check_method(const struct shepard_field *field,
                                        const struct shepard_parameters *parameters,
                                        const struct shepard_targets_view *targets,
                                        const struct shepard_output *output,
                                        struct shepard_error *error)
{
    if (field->points->essential != NULL)
        return shepard_essential_check(field->points->essential, parameters, targets, output,
                                       error);
    if (shepard_method_facts(parameters->method)->kriging)
        return shepard_kriging_check_points(
            field, parameters, targets != NULL && shepard_targets_leave_out(targets), error);
    return output->sds == NULL || targets == NULL ? SHEPARD_OK
                                                  : shepard_sd_models_check(output, error);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* How a group is predicted. */
enum way { NOT_AT_ALL, ALONE, TOGETHER };

/* One call over all groups. */
struct api_call {
    const struct shepard_field *field;
    const struct shepard_parameters *parameters;
    const struct shepard_targets_view *targets; /* NULL: prepare only */
    const struct shepard_output *output;        /* resolved */
    const struct shepard_control *control;
    struct shepard_control own_control; /* passes on progress and notices of a part */
    double start, length;               /* of the part at work, fractions of the progress */
    double reached;                     /* the largest fraction reported */
    bool noticed;
    bool all_values;                       /* of a preparation that says no output */
    const struct shepard_sd_model *models; /* [columns] of sds that are wanted; NULL: the method's
                                              own, or a preparation */
    enum way *ways;                        /* [groups] */
    struct shepard_output_array *room; /* [SHEPARD_COLUMN_RESULTS, columns] for those of a group */
};

/* Sums of the parts' lengths round: the fraction never falls all the same. */
static bool progress_of_part(double fraction, void *user)
{
    struct api_call *call = user;
    call->reached = fmax(call->reached, fmin(call->start + fraction * call->length, 1));
    return call->control->progress(call->reached, call->control->user);
}

static void notice_of_part(const char *text, void *user)
{
    struct api_call *call = user;
    if (!call->noticed)
        call->control->notice(text, call->control->user);
    call->noticed = true;
}

/* What parts of the call are watched with. */
static const struct shepard_control *control_of_part(struct api_call *call)
{
    if (call->field->group_count == 1)
        return call->control;
    call->own_control = *call->control;
    call->own_control.user = call;
    if (call->control->progress != NULL)
        call->own_control.progress = progress_of_part;
    if (call->control->notice != NULL)
        call->own_control.notice = notice_of_part;
    return &call->own_control;
}

static const struct shepard_output_array *pick(const struct shepard_output_array *columns,
                                               const struct shepard_field_group *group,
                                               struct shepard_output_array *room)
{
    for (size_t c = 0; columns != NULL && c < group->count; c++)
        room[c] = columns[group->column[c]];
    return columns != NULL ? room : NULL;
}

/* Room for columns of a group. */
static struct shepard_output_array *room_of(const struct api_call *call, int result)
{
    return call->room + (size_t)result * call->field->columns;
}

static bool any(const struct shepard_output_array *columns, const struct shepard_field_group *group)
{
    for (size_t c = 0; columns != NULL && c < group->count; c++)
        if (columns[group->column[c]].data != NULL)
            return true;
    return false;
}

/* The columns of a kind of result that a call asks for. */
static const struct shepard_output_array *columns_of(const struct api_call *call, int result)
{
    struct shepard_output output = *call->output;
    return *shepard_output_columns(&output, result);
}

/* Whether a prediction asks for anything of a group. */
static bool is_wanted(const struct api_call *call, size_t group)
{
    bool wanted =
        call->all_values || (group == 0 && shepard_output_describes_targets(call->output));
    for (int r = 0; r < SHEPARD_COLUMN_RESULTS; r++)
        wanted = wanted || any(columns_of(call, r), &call->field->groups[group]);
    return wanted;
}

static struct shepard_rules rules_of(const struct api_call *call, size_t group)
{
    return shepard_rules_of(call->parameters, shepard_field_group_geometry(call->field, group));
}

/* Predicts, or prepares, one group at targets, into arrays of its own columns. */
static enum shepard_status run_on(struct api_call *call, size_t group,
                                  const struct shepard_targets_view *targets,
                                  const struct shepard_output *output,
                                  const struct shepard_control *control,
                                  struct shepard_error *error)
{
    const struct shepard_field *field = call->field;
    const struct shepard_backend_table *backend = field->points->backend;
    enum shepard_status status = shepard_field_provide(field, group, error);
    if (status != SHEPARD_OK)
        return status;
    const struct shepard_rules rules = rules_of(call, group);
    const struct shepard_predict_job job = {.parameters = call->parameters,
                                            .rules = &rules,
                                            .targets = targets,
                                            .places = field->points->prepared,
                                            .output = output,
                                            .control = control};
    return targets != NULL ? backend->predict(field->groups[group].prepared, &job, error)
                           : backend->prepare(field->groups[group].prepared, &job, error);
}

/* The same, with sds from models. */
static enum shepard_status run_with_models(struct api_call *call, size_t group,
                                           const struct shepard_output *output,
                                           struct shepard_error *error)
{
    const struct shepard_points *points = call->field->points;
    struct shepard_sd_pass pass = {.wanted = output,
                                   .group = &call->field->groups[group],
                                   .models = call->models,
                                   .targets = call->targets != NULL ? call->targets->count : 0,
                                   .allocator = points->allocator_used};
    enum shepard_status status = shepard_sd_pass_begin(&pass, error);
    if (status == SHEPARD_OK)
        status = run_on(call, group, call->targets, &pass.asked, control_of_part(call), error);
    if (status == SHEPARD_OK)
        shepard_sd_pass_finish(&pass, points->prepared->geometry.threads);
    shepard_sd_pass_end(&pass);
    return status;
}

static enum shepard_status run_alone(struct api_call *call, size_t group,
                                     struct shepard_error *error)
{
    const struct shepard_field *field = call->field;
    const struct shepard_field_group *of = &field->groups[group];
    struct shepard_output output = *call->output;
    if (field->group_count > 1) {
        for (int r = 0; r < SHEPARD_COLUMN_RESULTS; r++) {
            const struct shepard_output_array **columns = shepard_output_columns(&output, r);
            *columns = any(*columns, of) ? pick(*columns, of, room_of(call, r)) : NULL;
        }
        if (group > 0)
            shepard_output_forget_targets(&output);
    }
    if (output.sds != NULL && !shepard_method_facts(call->parameters->method)->kriging)
        return run_with_models(call, group, &output, error);
    return run_on(call, group, call->targets, &output, control_of_part(call), error);
}

/* ---- groups together ------------------------------------------------------------------------- */

/* Of these places in a list of what is left: one group's. */
struct part_left {
    size_t group, count;
    const struct shepard_left *left; /* [count] */
    double *x, *y;                   /* [count] */
    double *results;                 /* [SHEPARD_COLUMN_RESULTS, group's columns, count] */
};

static void put_left(const struct shepard_output_array *columns,
                     const struct shepard_field_group *group, const struct part_left *part,
                     const double *results)
{
    for (size_t c = 0; columns != NULL && c < group->count; c++)
        for (size_t i = 0; i < part->count; i++)
            shepard_output_put(columns[group->column[c]], part->left[i].target,
                               results[c * part->count + i]);
}

/* Where the caller has arrays, those of the part. */
static const struct shepard_output_array *point_to(const struct shepard_output_array *columns,
                                                   const struct shepard_field_group *group,
                                                   const struct part_left *part, double *results,
                                                   struct shepard_output_array *room)
{
    for (size_t c = 0; columns != NULL && c < group->count; c++)
        room[c] = (struct shepard_output_array){
            columns[group->column[c]].data != NULL ? results + c * part->count : NULL,
            SHEPARD_FLOAT64, sizeof(double)};
    return columns != NULL ? room : NULL;
}

static enum shepard_status run_left(struct api_call *call, const struct part_left *part,
                                    struct shepard_error *error)
{
    const struct shepard_field_group *group = &call->field->groups[part->group];
    const struct shepard_targets_view targets = {.count = part->count,
                                                 .x = {part->x, SHEPARD_FLOAT64, sizeof(double)},
                                                 .y = {part->y, SHEPARD_FLOAT64, sizeof(double)}};
    const size_t each = group->count * part->count;
    struct shepard_output output = {.size = sizeof output};
    for (size_t i = 0; i < part->count; i++)
        shepard_targets_at(call->targets, part->left[i].target, &part->x[i], &part->y[i]);
    for (int r = 0; r < SHEPARD_COLUMN_RESULTS; r++)
        *shepard_output_columns(&output, r) = point_to(
            columns_of(call, r), group, part, part->results + (size_t)r * each, room_of(call, r));
    enum shepard_status status =
        run_on(call, part->group, &targets, &output, control_of_part(call), error);
    for (int r = 0; r < SHEPARD_COLUMN_RESULTS && status == SHEPARD_OK; r++)
        put_left(columns_of(call, r), group, part, part->results + (size_t)r * each);
    return status;
}

static int compare_left(const void *a, const void *b)
{
    const struct shepard_left *first = a, *second = b;
    if (first->group != second->group)
        return first->group < second->group ? -1 : 1;
    return (first->target > second->target) - (first->target < second->target);
}

/* One group's run of the sorted list. */
static enum shepard_status run_part_left(struct api_call *call, const struct shepard_left *left,
                                         size_t count, struct shepard_error *error)
{
    const struct shepard_allocator *allocator = call->field->points->allocator_used;
    const size_t group = left->group, columns = call->field->groups[group].count;
    double *numbers =
        shepard_allocate(allocator, SHEPARD_COLUMN_RESULTS * columns + 2, count * sizeof *numbers);
    if (numbers == NULL)
        return shepard_error_set_memory(error, "the predictions");
    const struct part_left part = {group,   count,           left,
                                   numbers, numbers + count, numbers + 2 * count};
    enum shepard_status status = run_left(call, &part, error);
    shepard_release(allocator, numbers);
    return status;
}

static enum shepard_status run_all_left(struct api_call *call, const struct shepard_gapped_job *job,
                                        struct shepard_error *error)
{
    enum shepard_status status = SHEPARD_OK;
    /* No progress from here on, but a call that is cancelled ends. */
    call->start += call->length;
    call->length = 0;
    if (job->left_count > 0)
        qsort(job->left, job->left_count, sizeof *job->left, compare_left);
    for (size_t first = 0, end; first < job->left_count && status == SHEPARD_OK; first = end) {
        for (end = first + 1;
             end < job->left_count && job->left[end].group == job->left[first].group;)
            end++;
        if (job->wanted[job->left[first].group])
            status = run_part_left(call, job->left + first, end - first, error);
    }
    return status;
}

/* Groups that the search of all did not serve are to be predicted alone. */
static void give_up(struct api_call *call, const struct shepard_gapped_job *job)
{
    for (size_t g = 0; g < call->field->group_count; g++)
        if (call->ways[g] != TOGETHER)
            call->ways[g] = NOT_AT_ALL;
        else if (!job->wanted[g])
            call->ways[g] = ALONE;
}

static enum shepard_status run_job(struct api_call *call, struct shepard_gapped_job *job,
                                   struct shepard_rules *rules, struct shepard_error *error)
{
    const struct shepard_field *field = call->field;
    for (size_t g = 0; g < field->group_count; g++) {
        job->wanted[g] = call->ways[g] == TOGETHER;
        rules[g] = rules_of(call, g);
    }
    job->rules = rules;
    job->control = control_of_part(call);
    enum shepard_status status =
        field->points->backend->predict_gapped(field->points->prepared, job, error);
    if (status == SHEPARD_OK)
        status = run_all_left(call, job, error);
    if (status == SHEPARD_OK)
        give_up(call, job);
    return status;
}

static enum shepard_status run_together(struct api_call *call, struct shepard_error *error)
{
    const struct shepard_field *field = call->field;
    const struct shepard_allocator *allocator = field->points->allocator_used;
    struct shepard_rules *rules = shepard_allocate(allocator, field->group_count, sizeof *rules);
    bool *wanted = shepard_allocate(allocator, field->group_count, sizeof *wanted);
    const struct shepard_output output = {.size = sizeof output,
                                          .values = call->output->values,
                                          .deviations = call->output->deviations};
    struct shepard_gapped_job job = {
        .gapped = field->gapped, .wanted = wanted, .targets = call->targets, .output = &output};
    enum shepard_status status = rules != NULL && wanted != NULL
                                     ? run_job(call, &job, rules, error)
                                     : shepard_error_set_memory(error, "the predictions");
    shepard_release(allocator, job.left);
    shepard_release(allocator, wanted);
    shepard_release(allocator, rules);
    return status;
}

/* ---- all groups ------------------------------------------------------------------------------ */

/* Whether a group may take part in a search over the points of all: where it has half of them, and
 * only values and deviations are asked for. */
static bool can_share(const struct api_call *call, size_t group)
{
    const struct shepard_field *field = call->field;
    const size_t all = field->points->prepared->geometry.count;
    for (int r = 0; r < SHEPARD_COLUMN_RESULTS; r++)
        if (r != SHEPARD_COLUMN_VALUE && r != SHEPARD_COLUMN_DEVIATION &&
            any(columns_of(call, r), &field->groups[group]))
            return false;
    return (group != 0 || !shepard_output_describes_targets(call->output)) &&
           2 * shepard_field_group_geometry(field, group)->count >= all;
}

/* Decides how each group is predicted; *together: how many of them with others. */
static void choose_ways(struct api_call *call, size_t *together)
{
    const struct shepard_field *field = call->field;
    const bool leaves_out = call->targets != NULL && shepard_targets_leave_out(call->targets);
    const bool may_share = shepard_method_facts(call->parameters->method)->by_power &&
                           field->gapped != NULL && !rules_of(call, 0).search.all && !leaves_out &&
                           shepard_gapped_is_distinct(field->gapped);
    /* A preparation cannot know at which targets a group will be needed alone. */
    const bool shared = may_share && call->targets != NULL;
    *together = 0;
    for (size_t g = 0; g < field->group_count; g++) {
        call->ways[g] = is_wanted(call, g) ? ALONE : NOT_AT_ALL;
        if (shared && call->ways[g] == ALONE && can_share(call, g)) {
            call->ways[g] = TOGETHER;
            ++*together;
        }
    }
    for (size_t g = 0; g < field->group_count && *together == 1; g++)
        if (call->ways[g] == TOGETHER)
            call->ways[g] = ALONE;
    *together = *together == 1 ? 0 : *together;
}

static size_t count_alone(const struct api_call *call)
{
    size_t alone = 0;
    for (size_t g = 0; g < call->field->group_count; g++)
        alone += call->ways[g] == ALONE;
    return alone;
}

/* The groups that are predicted alone, as so much of the progress. */
static enum shepard_status run_each(struct api_call *call, double length,
                                    struct shepard_error *error)
{
    enum shepard_status status = SHEPARD_OK;
    call->length = length / fmax(1, (double)count_alone(call));
    for (size_t g = 0; g < call->field->group_count && status == SHEPARD_OK; g++)
        if (call->ways[g] == ALONE) {
            status = run_alone(call, g, error);
            call->start += call->length;
        }
    return status;
}

static enum shepard_status report(struct api_call *call, double fraction)
{
    call->reached = fmax(call->reached, fraction);
    return shepard_control_report(call->control, call->reached) ? SHEPARD_OK
                                                                : SHEPARD_ERROR_CANCELLED;
}

/* Backends may prepare without a report. */
static enum shepard_status prepare_each(struct api_call *call, struct shepard_error *error)
{
    const double alone = (double)count_alone(call);
    enum shepard_status status = report(call, 0);
    call->length = 1 / alone;
    for (size_t g = 0, done = 0; g < call->field->group_count && status == SHEPARD_OK; g++)
        if (call->ways[g] == ALONE) {
            status = run_alone(call, g, error);
            call->start = (double)++done / alone;
            if (status == SHEPARD_OK && call->start < 1)
                status = report(call, call->start);
        }
    return status == SHEPARD_OK ? report(call, 1) : status;
}

static enum shepard_status run_ways(struct api_call *call, size_t together,
                                    struct shepard_error *error)
{
    const double alone = (double)count_alone(call);
    if (together == 0)
        return run_each(call, 1, error);
    /* A part for each that is alone, one for those together, one for what they leave. */
    const double part = 1 / (alone + 2);
    enum shepard_status status = run_each(call, alone * part, error);
    call->length = part;
    if (status == SHEPARD_OK)
        status = run_together(call, error);
    call->start = 1 - part;
    if (status == SHEPARD_OK)
        status = run_each(call, part, error);
    return status == SHEPARD_OK && count_alone(call) == 0 ? report(call, 1) : status;
}

static enum shepard_status run_resolved(struct api_call *call, struct shepard_error *error)
{
    size_t together;
    choose_ways(call, &together);
    return call->targets != NULL ? run_ways(call, together, error) : prepare_each(call, error);
}

/* Whether sds of a resolved output come from models. */
static bool takes_models(const struct api_call *call)
{
    return call->targets != NULL && call->output->sds != NULL &&
           !shepard_method_facts(call->parameters->method)->kriging;
}

/* A target without a prediction is NaN until the end, which no deviation is. */
static enum shepard_status run_modelled(struct api_call *call, struct shepard_error *error)
{
    const struct shepard_allocator *allocator = call->field->points->allocator_used;
    const size_t columns = call->field->columns;
    const double nodata = call->parameters->nodata;
    struct shepard_parameters parameters = *call->parameters;
    struct shepard_sd_model *models = shepard_allocate(allocator, columns, sizeof *models);
    if (models == NULL)
        return shepard_error_set_memory(error, "the models of standard deviations");
    parameters.nodata = NAN;
    call->parameters = &parameters;
    call->models = models;
    enum shepard_status status = shepard_sd_models_take(call->output, columns, models, error);
    if (status == SHEPARD_OK)
        status = run_resolved(call, error);
    if (status == SHEPARD_OK && !isnan(nodata))
        shepard_output_name_missing(call->output, columns, call->targets->count, nodata);
    shepard_release(allocator, models);
    return status;
}

/* Resolves the output and runs the call; what a preparation is told of arrays is which it has. */
static enum shepard_status run(struct api_call *call, struct shepard_error *error)
{
    const struct shepard_field *field = call->field;
    const struct shepard_allocator *allocator = field->points->allocator_used;
    const size_t columns = field->columns, m = call->targets != NULL ? call->targets->count : 0;
    struct shepard_output resolved;
    const size_t results = SHEPARD_COLUMN_RESULTS * columns;
    struct shepard_output_array *room = shepard_allocate(allocator, 2 * results, sizeof *room);
    call->ways = shepard_allocate(allocator, field->group_count, sizeof *call->ways);
    enum shepard_status status = SHEPARD_OK;
    if (room == NULL || call->ways == NULL) {
        status = shepard_error_set_memory(error, "the predictions");
    } else {
        call->room = room + results;
        status =
            shepard_output_resolve(call->output, field->points, columns, m, room, &resolved, error);
        call->output = &resolved;
        if (status == SHEPARD_OK)
            status = takes_models(call) ? run_modelled(call, error) : run_resolved(call, error);
    }
    shepard_release(allocator, call->ways);
    shepard_release(allocator, room);
    if (status == SHEPARD_ERROR_CANCELLED)
        shepard_error_set(error, status, "control",
                          call->targets != NULL
                              ? "the progress callback cancelled the prediction"
                              : "the progress callback cancelled the preparation");
    return status;
}

/* ---- the interface --------------------------------------------------------------------------- */

enum shepard_status
shepard_predict(const struct shepard_field *field, const struct shepard_parameters *parameters,
                const struct shepard_targets *targets, const struct shepard_output *output,
                const struct shepard_control *control, struct shepard_error *error)
{
    struct shepard_parameters own;
    struct shepard_targets places;
    struct shepard_targets_view view;
    struct shepard_output results;
    struct shepard_control watch;
    enum shepard_status status = check(field, parameters, &own, error);
    if (status == SHEPARD_OK)
        status = shepard_targets_take(targets, field->points, &places, &view, error);
    if (status == SHEPARD_OK)
        status = take_output(output, &results, error);
    if (status == SHEPARD_OK)
        status = check_method(field, &own, &view, &results, error);
    if (status == SHEPARD_OK)
        status = shepard_control_take(control, &watch, error);
    if (status != SHEPARD_OK || view.count == 0)
        return status;
    struct api_call call = {.field = field,
                            .parameters = &own,
                            .targets = &view,
                            .output = &results,
                            .control = &watch};
    return run(&call, error);
}

enum shepard_status shepard_prepare(const struct shepard_field *field,
                                    const struct shepard_parameters *parameters,
                                    const struct shepard_output *output,
                                    const struct shepard_control *control,
                                    struct shepard_error *error)
{
    struct shepard_parameters own;
    struct shepard_output results = {.size = sizeof results};
    struct shepard_control watch;
    enum shepard_status status = check(field, parameters, &own, error);
    if (status == SHEPARD_OK && output != NULL)
        status = take_output(output, &results, error);
    if (status == SHEPARD_OK)
        status = check_method(field, &own, NULL, &results, error);
    if (status == SHEPARD_OK)
        status = shepard_control_take(control, &watch, error);
    if (status != SHEPARD_OK)
        return status;
    struct api_call call = {.field = field,
                            .parameters = &own,
                            .output = &results,
                            .control = &watch,
                            .all_values = output == NULL};
    return run(&call, error);
}

/* *job: what output says, resolved, for m targets. */
static enum shepard_status check_nearest_output(const struct shepard_nearest_output *output,
                                                const struct shepard_points *points, size_t m,
                                                struct shepard_nearest_job *job,
                                                struct shepard_error *error)
{
    job->indices = output->indices;
    job->distances = output->distances;
    job->memory = output->memory;
    const size_t count = m * job->k;
    /* Elements of 4 bytes. */
    const struct shepard_array indices = {job->indices, SHEPARD_FLOAT32, sizeof *job->indices};
    enum shepard_status status =
        shepard_memory_check(&output->memory, points->backend, "output.memory", error);
    if (status == SHEPARD_OK)
        status = shepard_output_array_check(&job->distances, count, "output.distances", error);
    if (status == SHEPARD_OK)
        status = shepard_output_array_check_place(&job->distances, count, &job->memory,
                                                  points->backend, "output.distances", error);
    if (status == SHEPARD_OK)
        status = shepard_array_check_place(&indices, count, &job->memory, points->backend,
                                           "output.indices", error);
    const void *any = job->indices != NULL ? (const void *)job->indices : job->distances.data;
    return status == SHEPARD_OK ? shepard_memory_check_stream(&job->memory, any, points->backend,
                                                              "output.memory.stream", error)
                                : status;
}

enum shepard_status shepard_nearest(const struct shepard_points *points,
                                    const struct shepard_targets *targets, size_t k,
                                    const struct shepard_nearest_output *output,
                                    const struct shepard_control *control,
                                    struct shepard_error *error)
{
    struct shepard_targets places;
    struct shepard_targets_view view;
    struct shepard_nearest_output found = {.size = sizeof found};
    struct shepard_control watch;
    struct shepard_nearest_job job = {.targets = &view, .k = k, .control = &watch};
    if (points == NULL)
        return shepard_argument_missing("points", error);
    if (k == 0)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "k", "k is 0: ask for at least 1");
    enum shepard_status status = shepard_targets_take(targets, points, &places, &view, error);
    if (status == SHEPARD_OK)
        status = SHEPARD_TAKE(output, &found, "output", shepard_nearest_output, error);
    if (status == SHEPARD_OK)
        status = shepard_control_take(control, &watch, error);
    if (status != SHEPARD_OK || view.count == 0)
        return status;
    if (k > SIZE_MAX / sizeof(double) / view.count)
        return shepard_error_set(error, SHEPARD_ERROR_SIZE, "k",
                                 "%zu neighbours of %zu targets are more than memory holds", k,
                                 view.count);
    if (view.star_radii != NULL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "targets.star_radii",
                                 "targets.star_radii is for predictions: searches for the nearest "
                                 "points leave it at NULL");
    status = check_nearest_output(&found, points, view.count, &job, error);
    if (status == SHEPARD_OK)
        status = points->backend->nearest(points->prepared, &job, error);
    if (status == SHEPARD_ERROR_CANCELLED)
        shepard_error_set(error, status, "control", "the progress callback cancelled the search");
    return status;
}
