/* SPDX-License-Identifier: MIT */
#include "api/holdout_sds.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/sd_model.h"

#include <math.h>

/* Parts, each of which has the model of the others. */
#define PARTS 10
/* Residuals of one fit. More tell three coefficients little, and cost. */
#define RESIDUALS_MOST 2000
/* The parts are not dealt with the numbers that chose what is held out. */
#define SEED_OF_PARTS 0x5d

/* ---- parts ----------------------------------------------------------------------------------- */

static enum shepard_status deal_places(struct shepard_holdout *holdout, uint32_t *part)
{
    const struct shepard_held_out *held_out = &holdout->held_out;
    struct shepard_random random = {holdout->validation.seed ^ SEED_OF_PARTS};
    struct shepard_units units;
    enum shepard_status status =
        shepard_observations_units(&holdout->data, held_out->indices, held_out->count, 0, &units);
    if (status != SHEPARD_OK)
        return status;
    holdout->sd_parts = shepard_smaller(units.units, PARTS);
    status = shepard_folds_deal(&units, holdout->sd_parts, &random, part);
    shepard_units_free(&units);
    return status;
}

static enum shepard_status take_folds(struct shepard_holdout *holdout, uint32_t *part)
{
    const struct shepard_held_out *held_out = &holdout->held_out;
    holdout->sd_parts = shepard_smaller(held_out->parts, PARTS);
    for (size_t i = 0; i < held_out->count; i++)
        part[i] = held_out->fold[i] % (uint32_t)holdout->sd_parts;
    return SHEPARD_OK;
}

/* Folds stay whole; without any, all that stands for one place is of one part. */
static enum shepard_status provide_parts(struct shepard_holdout *holdout)
{
    const struct shepard_held_out *held_out = &holdout->held_out;
    if (holdout->sd_part != NULL)
        return SHEPARD_OK;
    uint32_t *part = shepard_allocate(holdout->allocator_used, held_out->count, sizeof *part);
    const enum shepard_status status = part == NULL             ? SHEPARD_ERROR_MEMORY
                                       : held_out->fold != NULL ? take_folds(holdout, part)
                                                                : deal_places(holdout, part);
    if (status == SHEPARD_OK)
        holdout->sd_part = part;
    else
        shepard_release(holdout->allocator_used, part);
    return status;
}

/* ---- fits ------------------------------------------------------------------------------------ */

/* Predictions, and the part that each is of. */
struct held_out_residuals {
    const struct shepard_validation_result *of;
    const double *observed;
    const uint32_t *part;
    size_t count;
    double *room; /* [6 RESIDUALS_MOST] */
};

static bool is_usable(const struct held_out_residuals *all, size_t i)
{
    return isfinite(all->of->values[i]) && isfinite(all->of->nearest[i]) &&
           isfinite(all->of->deviations[i]);
}

/* Every so many-th of the usable residuals that are not of a part. */
static struct shepard_sd_data gather(const struct held_out_residuals *all, uint32_t without)
{
    size_t usable = 0, met = 0, used = 0;
    double *const residuals = all->room, *const nearest = all->room + RESIDUALS_MOST,
                  *const deviations = all->room + 2 * (size_t)RESIDUALS_MOST;
    for (size_t i = 0; i < all->count; i++)
        usable += all->part[i] != without && is_usable(all, i);
    const size_t step = shepard_ceil_div(usable, RESIDUALS_MOST);
    for (size_t i = 0; i < all->count; i++) {
        if (all->part[i] == without || !is_usable(all, i) || met++ % step != 0)
            continue;
        residuals[used] = all->observed[i] - all->of->values[i];
        nearest[used] = all->of->nearest[i];
        deviations[used++] = all->of->deviations[i];
    }
    return (struct shepard_sd_data){.count = used,
                                    .residuals = residuals,
                                    .nearest = nearest,
                                    .deviations = deviations,
                                    .room = all->room + 3 * (size_t)RESIDUALS_MOST};
}

static void write_sds(const struct held_out_residuals *all, uint32_t part)
{
    const struct shepard_sd_data data = gather(all, part);
    if (data.count == 0)
        return;
    const struct shepard_sd_model model = shepard_sd_model_of(&data);
    for (size_t i = 0; i < all->count; i++)
        if (all->part[i] == part && is_usable(all, i))
            all->of->sds[i] =
                shepard_sd_model_at(&model, all->of->nearest[i], all->of->deviations[i]);
}

enum shepard_status shepard_holdout_fit_sds(struct shepard_holdout *holdout,
                                            const struct shepard_validation_result *of,
                                            struct shepard_error *error)
{
    const struct shepard_held_out *held_out = &holdout->held_out;
    double *room = shepard_allocate(holdout->allocator_used, RESIDUALS_MOST, 6 * sizeof *room);
    if (room == NULL || provide_parts(holdout) != SHEPARD_OK) {
        shepard_release(holdout->allocator_used, room);
        return shepard_error_set_memory(error, "the standard deviations");
    }
    const struct held_out_residuals all = {.of = of,
                                           .observed = held_out->observed,
                                           .part = holdout->sd_part,
                                           .count = held_out->count,
                                           .room = room};
    for (size_t i = 0; i < all.count; i++)
        of->sds[i] = NAN;
    for (size_t p = 0; p < holdout->sd_parts; p++)
        write_sds(&all, (uint32_t)p);
    shepard_release(holdout->allocator_used, room);
    return SHEPARD_OK;
}
