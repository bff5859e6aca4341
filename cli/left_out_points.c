/* SPDX-License-Identifier: MIT */
#include "left_out_points.h"

#include "message.h"
#include "shuffle.h"

#include <math.h>
#include <stdlib.h>

/* What a run works with. */
struct left_out_run {
    struct shepard_leave_one_out *held_out;
    const struct shepard_column_group *group;
    size_t column; /* of the group */
    const struct shepard_point_set *points;
    struct shepard_job *job;
    size_t *items;                                   /* points with a value, the sample first */
    uint32_t *indices;                               /* [most] of a part */
    double *values, *sds, *nearest;                  /* [most] of a part */
    struct shepard_output_array *of_values, *of_sds; /* [columns] */
};

/* The library gives the distance for the points of the group's first column. */
static bool has_distance(const struct left_out_run *run)
{
    return shepard_field_search(run->group->field, run->column) ==
           shepard_field_search(run->group->field, 0);
}

static bool make(struct left_out_run *run)
{
    const size_t most = SHEPARD_LEAVE_ONE_OUT_MOST, columns = run->group->columns;
    run->items = malloc(run->points->count * sizeof *run->items);
    run->indices = malloc(most * sizeof *run->indices);
    run->values = malloc(3 * most * sizeof *run->values);
    run->of_values = calloc(2 * columns, sizeof *run->of_values);
    if (!run->items || !run->indices || !run->values || !run->of_values) {
        return shepard_say_error("out of memory");
    }
    run->sds = run->values + most;
    run->nearest = run->values + 2 * most;
    run->of_sds = run->of_values + columns;
    return shepard_prediction_errors_make(
        &run->held_out->errors, most,
        shepard_diagnostics_have(&run->job->diagnostics, SHEPARD_RESULT_SD), has_distance(run));
}

static void end(struct left_out_run *run)
{
    free(run->items);
    free(run->indices);
    free(run->values);
    free(run->of_values);
}

static size_t choose(struct left_out_run *run)
{
    const size_t column = run->group->column[run->column];
    size_t count = 0;
    for (size_t i = 0; i < run->points->count; i++) {
        if (shepard_column_is_used(run->points, column, i)) {
            run->items[count++] = i;
        }
    }
    run->held_out->points = count;
    return shepard_shuffle_sample(run->items, count, SHEPARD_LEAVE_ONE_OUT_MOST);
}

/* The prediction includes the trend, so a point that lacks a covariate has none. */
static void add(struct left_out_run *run, size_t count)
{
    const double *const observed = run->points->values[run->group->column[run->column]];
    const double *const interpolated =
        shepard_column_group_values(run->group, run->points, run->column).data;
    for (size_t i = 0; i < count; i++) {
        const size_t point = run->indices[i];
        const double predicted = run->values[i] + (observed[point] - interpolated[point]);
        if (isfinite(predicted)) {
            const struct shepard_prediction_error error = {
                run->points->x[point], run->points->y[point], observed[point], predicted,
                run->sds[i],           run->nearest[i]};
            shepard_prediction_errors_add(&run->held_out->errors, &error);
        }
    }
}

static bool predict(struct left_out_run *run, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        run->indices[i] = (uint32_t)run->items[first + i];
    }
    run->of_values[run->column] = shepard_output_doubles(run->values);
    run->of_sds[run->column] = shepard_output_doubles(run->sds);
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT,
                                            .count = count,
                                            .indices = run->indices};
    struct shepard_output output = {.size = sizeof output, .values = run->of_values};
    if (run->held_out->errors.sd) {
        output.sds = run->of_sds;
    }
    if (run->held_out->errors.distance) {
        output.nearest = shepard_output_doubles(run->nearest);
    }
    if (!shepard_column_group_predict(run->group, &targets, &output, run->job)) {
        return false;
    }
    add(run, count);
    return true;
}

/* In parts, each as large as all before, until the time is over. */
static bool predict_all(struct left_out_run *run, size_t count)
{
    const double until = shepard_progress_clock() + SHEPARD_LEAVE_ONE_OUT_SECONDS;
    size_t *const tried = &run->held_out->tried;
    while (*tried < count && shepard_progress_clock() < until) {
        const size_t left = count - *tried, part = *tried > 0 ? *tried : 1;
        const size_t next = part < left ? part : left;
        if (!predict(run, *tried, next)) {
            return false;
        }
        *tried += next;
    }
    return true;
}

bool shepard_leave_one_out_run(struct shepard_leave_one_out *held_out,
                               const struct shepard_column_group *group, size_t column,
                               const struct shepard_point_set *points, struct shepard_job *job)
{
    struct left_out_run run = {
        .held_out = held_out, .group = group, .column = column, .points = points, .job = job};
    held_out->field = points->column[group->column[column]].name;
    held_out->anisotropic = group->options.anisotropy_ratio != 1;
    shepard_progress_stage(&job->watch, SHEPARD_STAGE_PREDICT);
    const bool good = make(&run) && predict_all(&run, choose(&run));
    if (good) {
        held_out->scores = shepard_prediction_errors_scores(&held_out->errors);
    }
    end(&run);
    return good;
}

void shepard_leave_one_out_free(struct shepard_leave_one_out *held_out)
{
    shepard_prediction_errors_free(&held_out->errors);
}
