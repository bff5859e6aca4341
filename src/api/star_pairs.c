/* SPDX-License-Identifier: MIT */
#include "api/star_pairs.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernel/star.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to this multiple of its datum's nearest distance a target is among the data, and only the
 * datum is left out. */
#define AMONG 1.2
/* A target's datum is one of so many nearest to it: values vary round it as they do round the
 * target, and one that lies apart from others is drawn hardly more often than these. */
#define NEAR 16
/* Data are not drawn with the numbers that drew the targets. */
#define SEED_OF_DATA 0x57a2
/* Stars are scaled by no less than this, in so many halvings of its logarithm: to 1 %. */
#define SCALE_LEAST 0.125
#define HALVINGS 8
/* Fewer pairs with stars than this part of all say too little of a scale. */
#define STARS_LEAST 0.05
/* Radii are that much smaller: data at the distance of the target's nearest are not nearer, but for
 * rounding. */
#define ROUNDING 1e-9

/* A distance of a datum or target, to be sorted; in random order where they are equal. */
struct ranked {
    double distance;
    uint64_t chance;
    uint32_t index;
};

static int compare(const void *a, const void *b)
{
    const struct ranked *first = a, *second = b;
    const int by_distance = shepard_compare(first->distance, second->distance);
    return by_distance != 0 ? by_distance
                            : (first->chance > second->chance) - (first->chance < second->chance);
}

static void rank(const double *distances, size_t count, struct shepard_random *random,
                 struct ranked *ranked)
{
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){distances[i], shepard_random_bits(random), (uint32_t)i};
    qsort(ranked, count, sizeof *ranked, compare);
}

/* Of a pair: the target's star, or none where the target is among the data. */
static void set_star(const struct shepard_target_sample *sample, const struct ranked *target,
                     const struct ranked *datum, double *radii)
{
    const double *from = sample->star_radii + SHEPARD_OCTANTS * (size_t)target->index;
    const bool among = target->distance <= AMONG * datum->distance;
    for (size_t o = 0; o < SHEPARD_OCTANTS; o++)
        radii[o] = among ? 0 : from[o] * (1 - ROUNDING);
}

/* targets and data: as many as are held out. */
static void pair(struct shepard_held_out *held_out, const struct shepard_target_sample *sample,
                 struct shepard_random *random, struct ranked *targets, struct ranked *data)
{
    rank(sample->nearest, held_out->count, random, targets);
    rank(held_out->nearest, held_out->count, random, data);
    for (size_t i = 0; i < held_out->count; i++)
        set_star(sample, &targets[i], &data[i],
                 held_out->star_radii + SHEPARD_OCTANTS * (size_t)data[i].index);
}

/* What is held out has the distances of leave-one-out. */
static enum shepard_status pair_all(struct shepard_holdout *holdout,
                                    const struct shepard_target_sample *sample,
                                    struct shepard_error *error)
{
    const struct shepard_allocator *allocator = holdout->allocator_used;
    struct shepard_held_out *held_out = &holdout->held_out;
    const size_t m = held_out->count;
    struct shepard_random random = {holdout->validation.seed};
    struct ranked *room = shepard_allocate(allocator, m, 2 * sizeof *room);
    held_out->star_radii =
        shepard_allocate(allocator, m, SHEPARD_OCTANTS * sizeof *held_out->star_radii);
    const bool complete = room != NULL && held_out->star_radii != NULL;
    if (complete)
        pair(held_out, sample, &random, room, room + m);
    shepard_release(allocator, room);
    return complete ? SHEPARD_OK : shepard_error_set_memory(error, "the stars");
}

/* ---- scale ----------------------------------------------------------------------------------- */

/* How much farther the nearest data of held-out data with stars are than those of their targets:
 * the mean logarithm, of stars [m, 8] times a scale. 0 where there are few. */
static enum shepard_status find_excess(struct shepard_holdout *holdout, const double *stars,
                                       double scale, double *excess, struct shepard_error *error)
{
    struct shepard_held_out *held_out = &holdout->held_out;
    double sum = 0, count = 0;
    for (size_t i = 0; i < SHEPARD_OCTANTS * held_out->count; i++)
        held_out->star_radii[i] = scale * stars[i];
    const enum shepard_status status = shepard_holdout_find_nearest(holdout, NULL, error);
    for (size_t i = 0; i < held_out->count; i++) {
        double wanted = INFINITY;
        for (size_t o = 0; o < SHEPARD_OCTANTS; o++)
            wanted = fmin(wanted, stars[SHEPARD_OCTANTS * i + o]);
        const double ratio = held_out->nearest[i] / wanted;
        if (wanted > 0 && ratio > 0 && isfinite(ratio)) {
            sum += log(ratio);
            count++;
        }
    }
    *excess = count > STARS_LEAST * (double)held_out->count ? sum / count : 0;
    return status;
}

/* The scale, at most 1, with which the nearest data that stars leave are as far as those of the
 * targets. A star as large as the target's leaves data only beyond its rim, which are farther than
 * the target's own, as these are the rim. */
static enum shepard_status find_scale(struct shepard_holdout *holdout, const double *stars,
                                      double *scale, struct shepard_error *error)
{
    double least = SCALE_LEAST, excess;
    *scale = 1;
    enum shepard_status status = find_excess(holdout, stars, 1, &excess, error);
    const bool too_far = excess > 0;
    for (int i = 0; i < HALVINGS && too_far && status == SHEPARD_OK; i++) {
        const double middle = sqrt(least * *scale);
        status = find_excess(holdout, stars, middle, &excess, error);
        *(excess > 0 ? scale : &least) = middle;
    }
    return status;
}

/* Adds to *sum how much farther data are than those of the targets in an octant, as logarithms.
 * Pairs without a star count as well: the targets lie among the data. */
static enum shepard_status add_octant(struct shepard_holdout *holdout, const double *stars,
                                      double scale, size_t octant, double *sum, double *count,
                                      struct shepard_error *error)
{
    struct shepard_held_out *held_out = &holdout->held_out;
    for (size_t i = 0; i < SHEPARD_OCTANTS * held_out->count; i++)
        held_out->star_radii[i] = i % SHEPARD_OCTANTS == octant ? scale * stars[i] : INFINITY;
    const enum shepard_status status = shepard_holdout_find_nearest(holdout, NULL, error);
    for (size_t i = 0; i < held_out->count; i++) {
        const double wanted = stars[SHEPARD_OCTANTS * i + octant];
        const double excess = wanted > 0 ? log(held_out->nearest[i] / wanted) : 0;
        if (isfinite(excess)) {
            *sum += excess;
            (*count)++;
        }
    }
    return status;
}

/* Scales the stars, and compares what they leave with the surroundings of the targets. */
static enum shepard_status scale_stars(struct shepard_holdout *holdout, struct shepard_error *error)
{
    struct shepard_held_out *held_out = &holdout->held_out;
    const size_t size = SHEPARD_OCTANTS * held_out->count * sizeof *held_out->star_radii;
    double *stars = shepard_allocate(holdout->allocator_used, 1, size);
    double scale, sum = 0, count = 0;
    if (stars == NULL)
        return shepard_error_set_memory(error, "the stars");
    memcpy(stars, held_out->star_radii, size);
    enum shepard_status status = find_scale(holdout, stars, &scale, error);
    for (size_t o = 0; o < SHEPARD_OCTANTS && status == SHEPARD_OK; o++)
        status = add_octant(holdout, stars, scale, o, &sum, &count, error);
    holdout->octant_ratio = count > 0 ? exp(sum / count) : 1;
    /* Smaller stars would say too little of the error; these say too much, as the notice warns. */
    if (holdout->octant_ratio > SHEPARD_OCTANT_RATIO_MOST)
        scale = 1;
    for (size_t i = 0; i < SHEPARD_OCTANTS * held_out->count; i++)
        held_out->star_radii[i] = scale * stars[i];
    shepard_release(holdout->allocator_used, stars);
    return status;
}

/* ---- data ------------------------------------------------------------------------------------ */

static bool is_datum(const struct shepard_observations *data, uint32_t index)
{
    return index != SHEPARD_NO_POINT && isfinite(data->z[index]) &&
           (data->weights == NULL || data->weights[index] > 0);
}

/* One of the points near [NEAR] a target that are data; any datum where none is. */
static uint32_t draw_datum(const struct shepard_observations *data, const uint32_t *near,
                           struct shepard_random *random)
{
    const size_t count = data->count;
    uint32_t found[NEAR];
    size_t n = 0;
    for (size_t i = 0; i < NEAR; i++)
        if (is_datum(data, near[i]))
            found[n++] = near[i];
    const double chance = shepard_random_uniform(random);
    return n > 0 ? found[(size_t)(chance * (double)n)]
                 : data->indices[(size_t)(chance * (double)count)];
}

/* Holds out for each target a datum near it. */
static enum shepard_status draw_data(struct shepard_holdout *holdout,
                                     const struct shepard_target_sample *sample,
                                     struct shepard_error *error)
{
    const size_t m = sample->count;
    struct shepard_held_out *held_out = &holdout->held_out;
    struct shepard_random random = {holdout->validation.seed ^ SEED_OF_DATA};
    uint32_t *near = shepard_allocate(holdout->allocator_used, m, NEAR * sizeof *near);
    if (near == NULL)
        return shepard_error_set_memory(error, "the stars");
    const struct shepard_targets targets = shepard_target_sample_list(sample);
    const struct shepard_nearest_output output = {.size = sizeof output, .indices = near};
    const enum shepard_status status =
        shepard_nearest(holdout->points, &targets, NEAR, &output, NULL, error);
    for (size_t i = 0; i < m && status == SHEPARD_OK; i++) {
        held_out->indices[i] = draw_datum(&holdout->data, near + NEAR * i, &random);
        held_out->observed[i] = holdout->data.z[held_out->indices[i]];
    }
    shepard_release(holdout->allocator_used, near);
    return status;
}

enum shepard_status shepard_star_pairs_hold_out(struct shepard_holdout *holdout,
                                                const struct shepard_target_sample *sample,
                                                struct shepard_error *error)
{
    struct shepard_validation validation = holdout->validation;
    struct shepard_held_out held_out;
    validation.samples = sample->count;
    enum shepard_status status =
        shepard_held_out_singly(&holdout->data, &validation, &holdout->held_out, error);
    if (status == SHEPARD_OK)
        status = draw_data(holdout, sample, error);
    if (status == SHEPARD_OK)
        status = shepard_holdout_open(holdout, NULL, error);
    if (status == SHEPARD_OK)
        status = pair_all(holdout, sample, error);
    if (status == SHEPARD_OK)
        status = scale_stars(holdout, error);
    if (status != SHEPARD_OK)
        return status;
    /* It is opened again, with stars. */
    held_out = holdout->held_out;
    holdout->held_out = (struct shepard_held_out){.parts = held_out.parts};
    shepard_holdout_close(holdout);
    holdout->held_out = held_out;
    return SHEPARD_OK;
}
