/* SPDX-License-Identifier: MIT */
#include "api/validation.h"

#include "api/argument.h"
#include "base/error.h"
#include "base/sized.h"

#include <math.h>

/* Folds of k-fold validation (Kohavi 1995) and of blocks; targets of the star hold-out. */
#define FOLDS 10
#define BLOCK_FOLDS 5
#define STARS 2000

void shepard_validation_init_sized(struct shepard_validation *validation, size_t size)
{
    const struct shepard_validation defaults = {.size = size,
                                                .kind = SHEPARD_VALIDATION_LEAVE_ONE_OUT};
    shepard_sized_give(&defaults, sizeof defaults, validation, size);
}

static enum shepard_status check_kind(const struct shepard_validation *validation,
                                      struct shepard_error *error)
{
    if ((int)validation->kind >= SHEPARD_VALIDATION_LEAVE_ONE_OUT &&
        validation->kind <= SHEPARD_VALIDATION_STARS)
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "validation.kind",
                             "validation.kind is %d: it must be SHEPARD_VALIDATION_LEAVE_ONE_OUT, "
                             "_K_FOLD, _BLOCKS or _STARS",
                             (int)validation->kind);
}

static enum shepard_status check_numbers(const struct shepard_validation *validation,
                                         struct shepard_error *error)
{
    if (validation->folds == 1)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "validation.folds",
                                 "validation.folds is 1: nothing would be left to predict from, "
                                 "give 2 or more, or 0 for the default");
    if (validation->samples > SHEPARD_POINTS_MAX)
        return shepard_error_set(error, SHEPARD_ERROR_SIZE, "validation.samples",
                                 "validation.samples is %zu: it must be at most %u",
                                 validation->samples, SHEPARD_POINTS_MAX);
    return shepard_argument_require(validation->block_size >= 0 && isfinite(validation->block_size),
                                    "validation.block_size", validation->block_size,
                                    "> 0 and finite, or 0 for that of the targets", error);
}

static enum shepard_status check_targets(const struct shepard_validation *validation,
                                         struct shepard_error *error)
{
    const bool stars = validation->kind == SHEPARD_VALIDATION_STARS;
    const bool sizeless =
        validation->kind == SHEPARD_VALIDATION_BLOCKS && validation->block_size == 0;
    if (validation->targets == NULL && (stars || sizeless))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "validation.targets",
                                 "validation.targets is NULL: %s",
                                 stars ? "stars need the targets whose error is wanted"
                                       : "give the targets, or a block_size");
    return SHEPARD_OK;
}

enum shepard_status shepard_validation_take(const struct shepard_validation *given,
                                            struct shepard_validation *validation,
                                            struct shepard_error *error)
{
    shepard_validation_init(validation);
    enum shepard_status status =
        SHEPARD_TAKE(given, validation, "validation", shepard_validation, error);
    if (status == SHEPARD_OK)
        status = check_kind(validation, error);
    if (status == SHEPARD_OK)
        status = check_numbers(validation, error);
    if (status == SHEPARD_OK)
        status = check_targets(validation, error);
    if (validation->folds == 0)
        validation->folds = validation->kind == SHEPARD_VALIDATION_BLOCKS ? BLOCK_FOLDS : FOLDS;
    if (validation->samples == 0 && validation->kind == SHEPARD_VALIDATION_STARS)
        validation->samples = STARS;
    return status;
}
