/* SPDX-License-Identifier: MIT */
/* The size of blocks by the distances of targets from their nearest data. */
#include "api/holdout_parts.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sides are half the extent of the data divided by powers of 2, down to their spacing, and the
 * best of these times or divided by the root of 2. */
#define ROOT_2 1.4142135623730951
#define PI 3.14159265358979323846
/* Levels at which two distributions are compared. */
#define LEVELS 1000

static int compare(const void *a, const void *b)
{
    return shepard_compare(*(const double *)a, *(const double *)b);
}

/* A sorted copy; NULL where memory is out. */
static double *sort(const double *a, size_t count, const struct shepard_allocator *allocator)
{
    double *sorted = shepard_allocate(allocator, count, sizeof *sorted);
    if (sorted == NULL)
        return NULL;
    memcpy(sorted, a, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    return sorted;
}

static double at_level(const double *sorted, size_t count, int level)
{
    return sorted[(size_t)((level + 0.5) / LEVELS * (double)count)];
}

/* The first Wasserstein distance of two samples, the first of them sorted; < 0 where memory is
 * out. */
static double wasserstein(const double *sorted, size_t count, const double *other,
                          size_t other_count, const struct shepard_allocator *allocator)
{
    double *others = sort(other, other_count, allocator), sum = 0;
    for (int level = 0; others != NULL && level < LEVELS; level++)
        sum += fabs(at_level(sorted, count, level) - at_level(others, other_count, level));
    const double distance = others != NULL ? sum / LEVELS : -1;
    shepard_release(allocator, others);
    return distance;
}

/* Sides that have been tried. */
struct side_search {
    struct shepard_holdout *holdout;
    const double *wanted; /* sorted distances of the targets */
    size_t wanted_count;
    double side, distance; /* the best; distance INFINITY at first */
};

/* A side with which there are too few squares for the folds is passed over. */
static enum shepard_status try_side(struct side_search *search, double side,
                                    struct shepard_error *error)
{
    struct shepard_holdout *holdout = search->holdout;
    const struct shepard_held_out *held_out = &holdout->held_out;
    double distance = INFINITY;
    enum shepard_status status = shepard_held_out_in_folds(&holdout->data, &holdout->validation,
                                                           side, &holdout->held_out, NULL);
    if (status == SHEPARD_ERROR_ARGUMENT)
        return SHEPARD_OK;
    if (status == SHEPARD_OK)
        status = shepard_holdout_open(holdout, NULL, error);
    if (status == SHEPARD_OK)
        distance = wasserstein(search->wanted, search->wanted_count, held_out->nearest,
                               held_out->count, holdout->allocator_used);
    shepard_holdout_close(holdout);
    if (status == SHEPARD_ERROR_MEMORY || distance < 0)
        return shepard_error_set_memory(error, "the size of the blocks");
    if (distance < search->distance) {
        search->distance = distance;
        search->side = side;
    }
    return status;
}

static enum shepard_status try_all(struct side_search *search, double extent, double spacing,
                                   struct shepard_error *error)
{
    enum shepard_status status = SHEPARD_OK;
    for (double side = extent / 2; status == SHEPARD_OK && side > spacing / 2; side /= 2)
        status = try_side(search, side, error);
    const double best = search->side;
    if (status == SHEPARD_OK && best > 0)
        status = try_side(search, best * ROOT_2, error);
    return status == SHEPARD_OK && best > 0 ? try_side(search, best / ROOT_2, error) : status;
}

/* The longer side of the data's box, on a sphere of that of longitudes and latitudes. */
static double extent_of(const struct shepard_holdout *holdout)
{
    struct shepard_points_info info = {.size = sizeof info};
    shepard_points_get_info(holdout->points, &info);
    if (holdout->data.metric != SHEPARD_METRIC_SPHERE)
        return fmax(info.x_max - info.x_min, info.y_max - info.y_min);
    const double up = (info.y_max - info.y_min) * (PI / 180) * holdout->data.sphere_radius;
    const double middle = (info.y_max + info.y_min) / 2 * (PI / 180);
    const double across = (info.x_max - info.x_min) * (PI / 180) * holdout->data.sphere_radius;
    return fmax(up, across * cos(middle));
}

enum shepard_status shepard_holdout_choose_side(struct shepard_holdout *holdout,
                                                const struct shepard_target_sample *sample,
                                                double *side, struct shepard_error *error)
{
    struct side_search search = {
        .holdout = holdout, .wanted_count = sample->count, .distance = INFINITY};
    double *wanted = sort(sample->nearest, sample->count, holdout->allocator_used);
    if (wanted == NULL)
        return shepard_error_set_memory(error, "the size of the blocks");
    const double extent = extent_of(holdout);
    search.wanted = wanted;
    enum shepard_status status =
        try_all(&search, extent, extent / sqrt((double)holdout->data.count), error);
    shepard_release(holdout->allocator_used, wanted);
    if (status == SHEPARD_OK && search.side == 0)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "validation.folds",
                                 "the data are at too few places for %zu folds of blocks: give "
                                 "fewer folds, or leave one out",
                                 holdout->validation.folds);
    *side = search.side;
    return status;
}
