/* SPDX-License-Identifier: MIT */
/** The page of tune --report: the choice, its error and figures of it, and the table of trials. */
#ifndef SHEPARD_CLI_TUNE_PAGE_H
#define SHEPARD_CLI_TUNE_PAGE_H

#include "column_trend.h"
#include "input.h"
#include "residuals.h"
#include "scores.h"

#include "shepard/shepard_tune.h"

struct shepard_tune_page {
    const struct shepard_job *job;
    const struct shepard_point_set *points; /**< their first column was tuned */
    const char *held_out;                   /**< what is held out, in words */
    const struct shepard_tuning_result *result;
    const struct shepard_score_table *table;   /**< of the trials, the best first */
    const struct shepard_residuals *residuals; /**< of the choice */
    const struct shepard_column_trend *trend;  /**< of the points, where there are covariates */
    const struct shepard_covariate_list *covariates;
    const char *command; /**< to repeat the run */
};

/** Writes the page where --report says; false on an error, said. */
bool shepard_tune_page_write(const struct shepard_tune_page *page);

#endif
