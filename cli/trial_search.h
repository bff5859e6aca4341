/* SPDX-License-Identifier: MIT */
/** A search for the method that predicts held-out data best, with its limit of time. */
#ifndef SHEPARD_CLI_TRIAL_SEARCH_H
#define SHEPARD_CLI_TRIAL_SEARCH_H

#include "column_group.h"

#include "shepard/shepard_tune.h"

/** Held-out data of a search without targets: leave-one-out of more costs more than it tells. */
#define SHEPARD_SEARCH_SAMPLES 5000

/** Of sd_ratio of a tuning's result. */
#define SHEPARD_SD_RATIO_TEXT "sd of kriging at the targets over that at the held-out data"

/** What to try, with the job's limit of time and, for all else, the library's defaults. */
struct shepard_tuning shepard_search_tuning(const struct shepard_job *job);

/** The trend that a search has before it has a method: that of kriging, on the first column. The
 * caller frees *surface in any case. False on an error, said. */
bool shepard_search_fit_trend(struct shepard_column_group *surface,
                              const struct shepard_input *input,
                              const struct shepard_covariate_list *covariates,
                              struct shepard_job *job);

/** Tries it, with a progress bar. Notes where the time was over first. False on an error, said. */
bool shepard_search_run(struct shepard_holdout *holdout, const struct shepard_tuning *tuning,
                        struct shepard_tuning_result *result, struct shepard_job *job);

/** Its trials and the errors of the choice, as text; the caller frees it. NULL without memory. */
char *shepard_search_text(const struct shepard_tuning_result *result,
                          const struct shepard_holdout_info *info);

#endif
