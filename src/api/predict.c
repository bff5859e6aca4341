/* SPDX-License-Identifier: MIT */
#include "api/argument.h"
#include "api/field.h"
#include "api/parameters.h"
#include "api/targets.h"
#include "base/fault.h"
#include "base/memory.h"
#include "core/span.h"

#include <string.h>

static enum shepard_status check_control(const struct shepard_control *control,
                                         struct shepard_error *error)
{
    return control == NULL ? SHEPARD_OK : SHEPARD_ARGUMENT(control, shepard_control, error);
}

/* AIDW needs an area: of the points of every group. */
static enum shepard_status check_area(const struct shepard_parameters *parameters,
                                      const struct shepard_field_group *group,
                                      struct shepard_error *error)
{
    const struct shepard_geometry *points = &shepard_field_group_points(group)->geometry;
    const struct shepard_box *box = &points->frame.box;
    const bool flat = box->x_max == box->x_min || box->y_max == box->y_min;
    if (parameters->method != SHEPARD_METHOD_AIDW || parameters->adaptive.area > 0 || !flat)
        return SHEPARD_OK;
    return shepard_fail(error, SHEPARD_ERROR_AREA, "parameters.adaptive.area",
                        "the %zu data points of column %zu span a box of area 0: AIDW needs the "
                        "area of the study region, give parameters.adaptive.area",
                        points->count, group->column[0]);
}

static enum shepard_status check(const struct shepard_field *field,
                                 const struct shepard_parameters *parameters,
                                 struct shepard_error *error)
{
    if (field == NULL)
        return shepard_argument_missing("field", error);
    enum shepard_status status = shepard_parameters_check(parameters, error);
    if (status == SHEPARD_OK)
        status =
            shepard_span_check_lengths(parameters, &field->points->prepared->geometry.frame, error);
    for (size_t g = 0; status == SHEPARD_OK && g < field->group_count; g++)
        status = check_area(parameters, &field->groups[g], error);
    return status;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* One call over all groups. */
struct call {
    const struct shepard_field *field;
    const struct shepard_parameters *parameters;
    const struct shepard_targets_view *targets; /* NULL: prepare only */
    const struct shepard_output *output;
    const struct shepard_control *control;
    size_t group; /* at work */
    bool noticed;
    double **values, **deviations; /* [columns] room for those of a group */
};

/* The progress of a group as a part of that of all. */
static bool progress_of_group(double fraction, void *user)
{
    const struct call *call = user;
    const double groups = (double)call->field->group_count;
    return call->control->progress(((double)call->group + fraction) / groups, call->control->user);
}

static void notice_of_group(const char *text, void *user)
{
    struct call *call = user;
    if (!call->noticed)
        call->control->notice(text, call->control->user);
    call->noticed = true;
}

static double *const *pick(double *const *columns, const struct shepard_field_group *group,
                           double **room)
{
    for (size_t c = 0; columns != NULL && c < group->count; c++)
        room[c] = columns[group->column[c]];
    return columns != NULL ? room : NULL;
}

static bool any(double *const *columns, const struct shepard_field_group *group)
{
    for (size_t c = 0; columns != NULL && c < group->count; c++)
        if (columns[group->column[c]] != NULL)
            return true;
    return false;
}

/* Whether a prediction asks for anything of the group at work. */
static bool is_wanted(const struct call *call, const struct shepard_field_group *group)
{
    const struct shepard_output *output = call->output;
    const bool first = output->count != NULL || output->nearest != NULL || output->power != NULL ||
                       output->effective != NULL;
    return (call->group == 0 && first) || any(output->values, group) ||
           any(output->deviations, group);
}

static enum shepard_status run_group(struct call *call, struct shepard_error *error)
{
    const struct shepard_field *field = call->field;
    const struct shepard_backend_table *backend = field->points->backend;
    const struct shepard_field_group *group = &field->groups[call->group];
    const struct shepard_rules rules =
        shepard_rules_of(call->parameters, &shepard_field_group_points(group)->geometry);
    struct shepard_output output = *call->output;
    struct shepard_control control = {.size = sizeof control};
    struct shepard_job job = {.parameters = call->parameters,
                              .rules = &rules,
                              .targets = call->targets,
                              .places = field->points->prepared,
                              .output = &output,
                              .control = call->control};
    if (call->targets != NULL && field->group_count > 1) {
        if (!is_wanted(call, group))
            return SHEPARD_OK;
        output.values = pick(output.values, group, call->values);
        output.deviations = pick(output.deviations, group, call->deviations);
        if (call->group > 0)
            output.count = output.nearest = output.power = output.effective = NULL;
    }
    if (field->group_count > 1 && call->control != NULL) {
        control = *call->control;
        control.user = call;
        control.progress = control.progress != NULL ? progress_of_group : NULL;
        control.notice = control.notice != NULL ? notice_of_group : NULL;
        job.control = &control;
    }
    return call->targets != NULL ? backend->predict(group->prepared, &job, error)
                                 : backend->prepare(group->prepared, &job, error);
}

static enum shepard_status run(struct call *call, struct shepard_error *error)
{
    const struct shepard_field *field = call->field;
    const struct shepard_allocator *allocator = field->points->allocator_used;
    enum shepard_status status = SHEPARD_OK;
    if (field->group_count > 1) {
        call->values = shepard_allocate(allocator, 2 * field->columns, sizeof *call->values);
        if (call->values == NULL)
            return shepard_fail_memory(error, "the predictions");
        call->deviations = call->values + field->columns;
    }
    for (; status == SHEPARD_OK && call->group < field->group_count; call->group++)
        status = run_group(call, error);
    shepard_release(allocator, call->values);
    if (status == SHEPARD_ERROR_CANCELLED)
        shepard_fail(error, status, "control", "the progress callback cancelled the prediction");
    return status;
}

/* ---- the interface --------------------------------------------------------------------------- */

enum shepard_status
shepard_predict(const struct shepard_field *field, const struct shepard_parameters *parameters,
                const struct shepard_targets *targets, const struct shepard_output *output,
                const struct shepard_control *control, struct shepard_error *error)
{
    struct shepard_targets_view view;
    enum shepard_status status = check(field, parameters, error);
    if (status == SHEPARD_OK)
        status = shepard_targets_check(targets, field->points->given, &view, error);
    if (status == SHEPARD_OK)
        status = SHEPARD_ARGUMENT(output, shepard_output, error);
    if (status == SHEPARD_OK)
        status = check_control(control, error);
    if (status != SHEPARD_OK || view.count == 0)
        return status;
    struct call call = {.field = field,
                        .parameters = parameters,
                        .targets = &view,
                        .output = output,
                        .control = control};
    return run(&call, error);
}

enum shepard_status shepard_prepare(const struct shepard_field *field,
                                    const struct shepard_parameters *parameters,
                                    const struct shepard_output *output,
                                    struct shepard_error *error)
{
    const struct shepard_output values_only = {.size = sizeof values_only};
    enum shepard_status status = check(field, parameters, error);
    if (status == SHEPARD_OK && output != NULL)
        status = SHEPARD_ARGUMENT(output, shepard_output, error);
    if (status != SHEPARD_OK)
        return status;
    struct call call = {
        .field = field, .parameters = parameters, .output = output != NULL ? output : &values_only};
    return run(&call, error);
}

enum shepard_status shepard_nearest(const struct shepard_points *points,
                                    const struct shepard_targets *targets, size_t k,
                                    uint32_t *indices, double *distances,
                                    const struct shepard_control *control,
                                    struct shepard_error *error)
{
    struct shepard_targets_view view;
    if (points == NULL)
        return shepard_argument_missing("points", error);
    if (k == 0)
        return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "k", "k is 0: ask for at least 1");
    enum shepard_status status = shepard_targets_check(targets, points->given, &view, error);
    if (status == SHEPARD_OK)
        status = check_control(control, error);
    if (status != SHEPARD_OK || view.count == 0)
        return status;
    if (k > SIZE_MAX / sizeof(double) / view.count)
        return shepard_fail(error, SHEPARD_ERROR_SIZE, "k",
                            "%zu neighbours of %zu targets are more than memory holds", k,
                            view.count);
    const struct shepard_nearest_job job = {&view, k, indices, distances, control};
    status = points->backend->nearest(points->prepared, &job, error);
    if (status == SHEPARD_ERROR_CANCELLED)
        shepard_fail(error, status, "control", "the progress callback cancelled the search");
    return status;
}
