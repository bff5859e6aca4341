/* SPDX-License-Identifier: MIT */
/** The table of a validation: a row of errors for each algorithm. */
#ifndef SHEPARD_CLI_SCORES_H
#define SHEPARD_CLI_SCORES_H

#include "column_trend.h"
#include "json.h"

#include "shepard/shepard_validate.h"

struct shepard_score_row {
    const char *text;                          /**< the algorithm, as the user wrote it */
    const struct shepard_algorithm *algorithm; /**< NULL: its keys are not listed */
    struct shepard_scores scores;
    double seconds;
    struct shepard_column_trend trend; /**< that goes with the algorithm; without one, empty */
    char *fitted; /**< the algorithm with what was fitted, to be freed; NULL: nothing was */
};

/** The algorithm that skill is relative to. */
#define SHEPARD_SKILL_REFERENCE "idw:k=12"

struct shepard_score_table {
    struct shepard_score_row *rows;
    size_t count;
    const struct shepard_covariate_list *covariates; /**< of the rows' trends; NULL: none */
    size_t layer;                                    /**< of the column, for these */
    double reference_rmse; /**< of SHEPARD_SKILL_REFERENCE on the same data */
};

/** 1 - MSE / MSE of the reference (Murphy 1988). */
double shepard_score_skill(const struct shepard_score_table *table,
                           const struct shepard_score_row *row);

/** Prints the table on stdout. */
void shepard_score_table_print(const struct shepard_score_table *table);

/** Adds the rows to a JSON object. */
void shepard_score_table_add(const struct shepard_score_table *table, struct shepard_json *json);

#endif
