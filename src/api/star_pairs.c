/* SPDX-License-Identifier: MIT */
#include "api/star_pairs.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernel/star.h"

#include <stdlib.h>
#include <string.h>

/* Up to this multiple of its datum's nearest distance a target is among the data, and only the
 * datum is left out. */
#define AMONG 1.2
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
        status = shepard_holdout_open(holdout, NULL, error);
    if (status == SHEPARD_OK)
        status = pair_all(holdout, sample, error);
    if (status != SHEPARD_OK)
        return status;
    /* It is opened again, with stars. */
    held_out = holdout->held_out;
    holdout->held_out = (struct shepard_held_out){.parts = held_out.parts};
    shepard_holdout_close(holdout);
    holdout->held_out = held_out;
    return SHEPARD_OK;
}
