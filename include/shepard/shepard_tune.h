/* SPDX-License-Identifier: MIT */
/**
 * Tuning: which method and parameters predict held-out data best.
 *
 *     shepard_tuning_init(&tuning);
 *     tuning.seconds = 10;
 *     result.parameters = &parameters; // both are set
 *     result.options = &options;
 *     if (shepard_tune(holdout, &tuning, &result, NULL, &error)) { puts(error.message); return 1; }
 *     printf("%s: RMSE %g\n", result.text, result.honest_rmse);
 *     ... make points with options and predict with parameters ...
 */
#ifndef SHEPARD_SHEPARD_TUNE_H
#define SHEPARD_SHEPARD_TUNE_H

#include "shepard/shepard_validate.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One candidate, validated. Everything lives as long as the call of the callback. */
struct shepard_trial {
    size_t number;                       /**< from 0 */
    const char *text;                    /**< as shepard_parameters_parse reads it */
    enum shepard_status status;          /**< of its validation; SHEPARD_OK, or why it is out */
    const char *message;                 /**< the error's; "" without */
    const struct shepard_scores *scores; /**< NULL after an error */
    double seconds;
    bool best; /**< the choice of all until now. After a later trial it can be an earlier one again,
                    of which no call is made: result.text is the choice */
};

/** What to try. Start from shepard_tuning_init. */
struct shepard_tuning {
    size_t size;    /**< sizeof(struct shepard_tuning) */
    double seconds; /**< no trial begins later, and one that runs then is given up; 0 (default): no
                         limit */
    const char *const *candidates; /**< [candidate_count] texts; NULL (default): some hundred, of
                                        all methods, and variants of the best ones */
    size_t candidate_count;
    double power_min, power_max;   /**< of IDW among the library's candidates; default 1, 4 */
    size_t points_min, points_max; /**< of a neighbourhood; default 4, 32 */
    bool (*trial)(const struct shepard_trial *trial, void *user); /**< called on the calling thread
                                        after each; false ends the search, with the best until
                                        then. NULL (default): not called */
    void *user;
};

/** Sets every field of *tuning, a struct of so many bytes, to its default. */
SHEPARD_API void shepard_tuning_init_sized(struct shepard_tuning *tuning, size_t size);

static inline void shepard_tuning_init(struct shepard_tuning *tuning)
{
    shepard_tuning_init_sized(tuning, sizeof *tuning);
}

/** What a tuning finds. */
struct shepard_tuning_result {
    size_t size; /**< sizeof(struct shepard_tuning_result), set by the caller */
    struct shepard_parameters *parameters;  /**< where the choice goes, complete; nodata is NaN */
    struct shepard_points_options *options; /**< where its anisotropy goes, and nothing else */
    char text[512];                         /**< the choice; of kriging with all its numbers */
    size_t trials;                          /**< made, those that failed included */
    bool complete;                          /**< all that there is to try was tried */
    /** Of choosing so: each tenth of the held-out data is scored with the candidate that the other
     * nine tenths choose, and that is multiplied by sd_ratio. The least of many RMSE is too small
     * for itself. */
    double honest_rmse;
    double sd_ratio; /**< of stars the root mean square standard deviation that kriging with the
                        fitted covariance states at the targets over that at the held-out data;
                        else, and where there is no number, 1 */
    struct shepard_scores scores; /**< of the choice; stays the last member, so that it can grow
                                       with size */
};

/**
 * Validates candidates on the data of holdout, and chooses one. Of the caller's candidates it is
 * the one with the least RMSE, of equal ones the first. Of the library's it is kriging with the
 * fitted covariance, unless the mean squared error of another one is less by two standard errors of
 * the difference; a variant with an anisotropy is chosen only where it is so much better than the
 * others: of many candidates the best is better by chance, too. One that predicts more of the
 * held-out data goes before one that predicts less.
 * The same holdout and tuning give the same trials in the same order, and the same choice, for any
 * number of threads. The limit of time decides only after which trial the search ends; the choice
 * is then the best of those made. control and error may be NULL; its progress rises to 1.
 * Kriging among the library's candidates has the covariance that shepard_fit finds, once, from all
 * data of holdout, in four digits; or a linear semivariogram, whose slope is that with which
 * squared errors are the variances stated on average. What the caller's texts of kriging leave open
 * is fitted so for each. What is held out has a part in these few numbers, and none in the
 * predictions. Errors: SHEPARD_ERROR_ARGUMENT (a limit upside down, a candidate that is no text of
 * parameters, a limit of time too short for one trial), _CANCELLED (by control), _MEMORY, and that
 * of the last candidate where none could be validated.
 */
SHEPARD_API enum shepard_status shepard_tune(struct shepard_holdout *holdout,
                                             const struct shepard_tuning *tuning,
                                             struct shepard_tuning_result *result,
                                             const struct shepard_control *control,
                                             struct shepard_error *error);

#ifdef __cplusplus
}
#endif

#endif
