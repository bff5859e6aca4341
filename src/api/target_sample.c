/* SPDX-License-Identifier: MIT */
#include "api/target_sample.h"

#include "api/targets.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/random_sample.h"
#include "core/targets.h"
#include "kernel/star.h"

#include <math.h>
#include <string.h>

static enum shepard_status fail(const char *text, struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "validation.targets",
                             "validation.targets %s", text);
}

static bool allocate(struct shepard_target_sample *sample, size_t count, bool with_stars,
                     bool with_z)
{
    const struct shepard_allocator *allocator = sample->allocator;
    sample->x = shepard_allocate(allocator, count, sizeof *sample->x);
    sample->y = shepard_allocate(allocator, count, sizeof *sample->y);
    sample->nearest = shepard_allocate(allocator, count, sizeof *sample->nearest);
    if (with_stars)
        sample->star_radii =
            shepard_allocate(allocator, count, SHEPARD_OCTANTS * sizeof *sample->star_radii);
    if (with_z)
        sample->z = shepard_allocate(allocator, count, sizeof *sample->z);
    return sample->x != NULL && sample->y != NULL && sample->nearest != NULL &&
           (!with_z || sample->z != NULL) && (!with_stars || sample->star_radii != NULL);
}

static void draw(const struct shepard_targets_view *view, size_t count, uint64_t seed,
                 struct shepard_target_sample *sample)
{
    struct shepard_random random = {seed};
    for (size_t i = 0; i < count; i++) {
        const size_t at = shepard_random_sample(&random, i, count, view->count);
        double x, y;
        shepard_targets_at(view, at, &x, &y);
        const double z = sample->z != NULL ? shepard_targets_z(view, at) : 0;
        if (!isfinite(x) || !isfinite(y) || !isfinite(z))
            continue;
        if (sample->z != NULL)
            sample->z[sample->count] = z;
        sample->x[sample->count] = x;
        sample->y[sample->count++] = y;
    }
}

struct shepard_targets shepard_target_sample_list(const struct shepard_target_sample *sample)
{
    struct shepard_targets targets = {.size = sizeof targets,
                                      .count = sample->count,
                                      .x = shepard_doubles(sample->x),
                                      .y = shepard_doubles(sample->y)};
    if (sample->z != NULL)
        targets.z = shepard_doubles(sample->z);
    return targets;
}

/* Distances of the nearest datum that the stars leave, INFINITY where there is none. */
static enum shepard_status find_nearest(const struct shepard_target_sample *sample,
                                        const struct shepard_field *field, const double *star_radii,
                                        double *nearest, struct shepard_error *error)
{
    struct shepard_parameters parameters;
    const struct shepard_output output = {.size = sizeof output,
                                          .nearest = shepard_output_doubles(nearest)};
    struct shepard_targets targets = shepard_target_sample_list(sample);
    targets.star_radii = star_radii;
    shepard_parameters_init(&parameters);
    parameters.neighbourhood.max_points = 1;
    parameters.nodata = INFINITY;
    return shepard_predict(field, &parameters, &targets, &output, NULL, error);
}

/* The nearest of an octant is the nearest that a star of the others leaves. */
static enum shepard_status find_stars(const struct shepard_target_sample *sample,
                                      const struct shepard_field *field,
                                      struct shepard_error *error)
{
    const size_t m = sample->count;
    double *others = shepard_allocate(sample->allocator, m, SHEPARD_OCTANTS * sizeof *others);
    double *nearest = shepard_allocate(sample->allocator, m, sizeof *nearest);
    enum shepard_status status = others != NULL && nearest != NULL
                                     ? SHEPARD_OK
                                     : shepard_error_set_memory(error, "the stars");
    for (size_t o = 0; o < SHEPARD_OCTANTS && status == SHEPARD_OK; o++) {
        for (size_t i = 0; i < SHEPARD_OCTANTS * m; i++)
            others[i] = i % SHEPARD_OCTANTS == o ? 0 : INFINITY;
        status = find_nearest(sample, field, others, nearest, error);
        for (size_t i = 0; i < m && status == SHEPARD_OK; i++)
            sample->star_radii[SHEPARD_OCTANTS * i + o] = nearest[i];
    }
    shepard_release(sample->allocator, nearest);
    shepard_release(sample->allocator, others);
    return status;
}

/* The targets, checked. */
static enum shepard_status take(const struct shepard_targets *given,
                                const struct shepard_points *points, struct shepard_targets *own,
                                struct shepard_targets_view *view, struct shepard_error *error)
{
    const enum shepard_status status = shepard_targets_take(given, points, own, view, error);
    if (status != SHEPARD_OK)
        return status;
    if (shepard_targets_leave_out(view))
        return fail("leave points out: give a list, a raster or a window", error);
    if (view->memory.kind != SHEPARD_MEMORY_HOST)
        return fail("are not in the host's memory: copy them", error);
    return view->count > 0 ? SHEPARD_OK : fail("are none: give at least one", error);
}

enum shepard_status shepard_target_sample_create(const struct shepard_targets *targets,
                                                 const struct shepard_points *points,
                                                 const struct shepard_field *field, size_t count,
                                                 uint64_t seed, bool with_stars,
                                                 struct shepard_target_sample *sample,
                                                 struct shepard_error *error)
{
    struct shepard_targets own;
    struct shepard_targets_view view;
    *sample = (struct shepard_target_sample){.allocator = points->allocator_used};
    enum shepard_status status = take(targets, points, &own, &view, error);
    if (status != SHEPARD_OK)
        return status;
    const bool with_z = points->prepared->geometry.frame.space.metric == SHEPARD_METRIC_SPACE;
    if (!allocate(sample, count, with_stars, with_z))
        status = shepard_error_set_memory(error, "the sample of the targets");
    if (status == SHEPARD_OK)
        draw(&view, count, seed, sample);
    if (status == SHEPARD_OK && sample->count == 0)
        status = fail("have no finite coordinates", error);
    if (status == SHEPARD_OK)
        status = find_nearest(sample, field, NULL, sample->nearest, error);
    if (status == SHEPARD_OK && with_stars)
        status = find_stars(sample, field, error);
    if (status != SHEPARD_OK)
        shepard_target_sample_free(sample);
    return status;
}

void shepard_target_sample_free(struct shepard_target_sample *sample)
{
    const struct shepard_allocator *allocator = sample->allocator;
    shepard_release(allocator, sample->star_radii);
    shepard_release(allocator, sample->nearest);
    shepard_release(allocator, sample->z);
    shepard_release(allocator, sample->y);
    shepard_release(allocator, sample->x);
    *sample = (struct shepard_target_sample){0};
}
