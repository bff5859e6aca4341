/* SPDX-License-Identifier: MIT */
/**
 * Validation: how far predictions are from data that they do not use.
 *
 * Data are held out once; predictions with any number of parameters are then scored at the same
 * data. docs/math/validation.md has the equations and their sources.
 *
 *     struct shepard_validation validation;
 *     struct shepard_holdout *holdout = NULL;
 *     struct shepard_validation_result result = {.size = sizeof result};
 *     shepard_validation_init(&validation); // leave-one-out
 *     if (shepard_holdout_create(&coordinates, &values, &options, &validation, NULL, &holdout,
 *                                &error)) { puts(error.message); return 1; }
 *     shepard_holdout_validate(holdout, &parameters, NULL, &result, NULL, &error);
 *     printf("RMSE %g\n", result.scores.rmse);
 *     parameters.power = 3; // the same data are held out
 *     shepard_holdout_validate(holdout, &parameters, NULL, &result, NULL, &error);
 *     shepard_holdout_free(holdout);
 *
 * Points at one place are held out together: one would tell nearly all of another's value.
 *
 * Which kind. Leave-one-out suffices to choose among parameters. Its error is that of targets
 * which lie among the data: where targets lie in gaps or beside the data, the star hold-out states
 * theirs. It needs the targets.
 */
#ifndef SHEPARD_SHEPARD_VALIDATE_H
#define SHEPARD_SHEPARD_VALIDATE_H

#include "shepard/shepard.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Scores ---------------------------------------------------------------------------------- */

/** How far predictions are from observations. NaN where there is nothing to average. */
struct shepard_scores {
    size_t count;   /**< n: pairs with an observation and a prediction; means are over these */
    size_t missing; /**< observations without a prediction (NaN) */
    double me;      /**< mean error, predicted - observed */
    double mae;     /**< mean absolute error */
    double rmse;    /**< root mean squared error */
    size_t
        sd_count; /**< of the n, those with a standard deviation >= 0: what follows is over them */
    double crps;  /**< mean continuous ranked probability score of normal distributions */
    double coverage; /**< share of observations in the 95 % intervals, predicted +- 1.96 sd */
    double interval; /**< mean interval score of the 95 % intervals */
};

/** Scores count pairs into *scores, a struct of so many bytes. An observation that is NaN or
 * infinite does not count. sds NULL: none. */
SHEPARD_API void shepard_scores_compute_sized(const double *observed, const double *predicted,
                                              const double *sds, size_t count,
                                              struct shepard_scores *scores, size_t size);

static inline void shepard_scores_compute(const double *observed, const double *predicted,
                                          const double *sds, size_t count,
                                          struct shepard_scores *scores)
{
    shepard_scores_compute_sized(observed, predicted, sds, count, scores, sizeof *scores);
}

/* ---- What is held out ------------------------------------------------------------------------ */

enum shepard_validation_kind {
    SHEPARD_VALIDATION_LEAVE_ONE_OUT, /**< each datum is predicted from those at other places */
    SHEPARD_VALIDATION_K_FOLD,        /**< places are dealt to folds at random; each fold is
                                           predicted from the others */
    SHEPARD_VALIDATION_BLOCKS,        /**< squares of the map are dealt to folds */
    SHEPARD_VALIDATION_STARS          /**< each datum stands for a target: it is predicted without
                                           the data nearer than those that the target has, octant
                                           by octant */
};

/** What to hold out. Start from shepard_validation_init. Deterministic for a seed. */
struct shepard_validation {
    size_t size;                       /**< sizeof(struct shepard_validation) */
    enum shepard_validation_kind kind; /**< default SHEPARD_VALIDATION_LEAVE_ONE_OUT */
    size_t samples;    /**< of leave-one-out and stars: held-out data, a random sample of them. 0
                            (default): all of leave-one-out, 2000 stars. A datum stands for several
                            targets where there are more stars than data */
    size_t folds;      /**< of k-fold and blocks: 2 or more; 0 (default): 10, of blocks 5 */
    double block_size; /**< of blocks: side of a square, > 0. 0 (default): that with which distances
                            to the nearest datum are most like those of the targets. In space
                          squares are of x and y; on a sphere they are cells of rows of latitude */
    uint64_t seed;     /**< of random numbers, default 0 */
    const struct shepard_targets *targets; /**< where predictions are wanted: a list, raster or
                                                window, on the host; of stars, and of blocks
                                                without block_size. NULL (default): none */
};

/** Sets every field of *validation, a struct of so many bytes, to its default. */
SHEPARD_API void shepard_validation_init_sized(struct shepard_validation *validation, size_t size);

static inline void shepard_validation_init(struct shepard_validation *validation)
{
    shepard_validation_init_sized(validation, sizeof *validation);
}

/** Data with a plan of what is held out. One call at a time may use it. */
struct shepard_holdout;

/**
 * Prepares a validation; copies what it needs. values has one column, and may have weights;
 * coordinates and values are the host's. A datum without a finite value, finite coordinates and a
 * weight > 0 is neither held out nor used. control and error may be NULL.
 * Cost: that of points and a field; of stars besides O(samples log n); of blocks without
 * block_size besides that of the points of each fold for some 15 sizes.
 * Errors: those of shepard_points_create and shepard_field_create, SHEPARD_ERROR_ARGUMENT,
 * _NO_POINTS (fewer than two places with data), _CANCELLED. *holdout is set on success only.
 */
SHEPARD_API enum shepard_status shepard_holdout_create(
    const struct shepard_coordinates *coordinates, const struct shepard_values *values,
    const struct shepard_points_options *options, const struct shepard_validation *validation,
    const struct shepard_control *control, struct shepard_holdout **holdout,
    struct shepard_error *error);

/** Frees it; NULL is allowed. */
SHEPARD_API void shepard_holdout_free(struct shepard_holdout *holdout);

/** What is held out. */
struct shepard_holdout_info {
    size_t size;  /**< sizeof(struct shepard_holdout_info), set by the caller */
    size_t count; /**< m: predictions of one validation */
    size_t data;  /**< data in use */
    enum shepard_validation_kind kind;
    size_t folds;            /**< of k-fold and blocks, else 0 */
    double block_size;       /**< of blocks, else 0 */
    const uint32_t *indices; /**< [m] held-out data, into the coordinates; with stars the same may
                                  stand twice. Lives as long as the holdout, as the arrays below */
    const double *observed;  /**< [m] their values */
    const double *nearest;   /**< [m] distance of the nearest datum that is not held out with it */
    const uint32_t *fold;    /**< [m] of k-fold and blocks, else NULL */
    double held_out_nearest; /**< median of nearest */
    double target_nearest;   /**< median distance of the targets' nearest datum; NaN without */
    bool representative; /**< held_out_nearest / target_nearest is in [0.7, 1.4], and with stars the
                              nearest data of the eight octants are within 25 % as far as those of
                              the targets: the data can tell the error at the targets. true without
                              targets */
    const char *notice;  /**< a sentence on what was done differently from what was asked, or why
                              the data cannot tell; "" if nothing. As the arrays */
};

/** Fills *info, whose size the caller has set; O(1). */
SHEPARD_API void shepard_holdout_get_info(const struct shepard_holdout *holdout,
                                          struct shepard_holdout_info *info);

/* ---- Validation ------------------------------------------------------------------------------ */

/** What one validation finds: arrays of the caller, each may be NULL, and scores. NaN where there
 * is no prediction. */
struct shepard_validation_result {
    size_t size;    /**< sizeof(struct shepard_validation_result), set by the caller */
    double *values; /**< [m] predictions */
    double *sds;    /**< [m] their standard deviations; NaN where there is none. Other methods than
                         SHEPARD_METHOD_KRIGE have them from models, as shepard_sd_model_fit makes
                         them. A model is fitted to residuals of other folds. Without folds it is
                         fitted to those at other places, nine tenths of them, at most 2000 */
    double *deviations;           /**< [m] as shepard_output.deviations */
    double *nearest;              /**< [m] as shepard_output.nearest */
    struct shepard_scores scores; /**< written; stays the last member, so that it can grow with
                                       size */
};

/**
 * Predicts the held-out data with parameters that are complete, and scores the predictions.
 * options: its anisotropy is used, and nothing else; NULL: that of the holdout's creation. What has
 * been prepared for the last anisotropy is kept for the next call. The tolerance eps is that of
 * shepard_predict. control and error may be NULL.
 * Predictions are those of shepard_predict from points and a field that were made without what is
 * held out; with leave-one-out and stars n and the area of AIDW are those of all data.
 * Errors: those of shepard_points_create, shepard_field_create and shepard_predict.
 */
SHEPARD_API enum shepard_status shepard_holdout_validate(
    struct shepard_holdout *holdout, const struct shepard_parameters *parameters,
    const struct shepard_points_options *options, struct shepard_validation_result *result,
    const struct shepard_control *control, struct shepard_error *error);

#ifdef __cplusplus
}
#endif

#endif
