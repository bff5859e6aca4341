/* SPDX-License-Identifier: MIT */
/** The page of validate --report: for each column the table of scores, and figures of the errors of
 * the algorithm with the least RMSE. */
#ifndef SHEPARD_CLI_VALIDATE_PAGE_H
#define SHEPARD_CLI_VALIDATE_PAGE_H

#include "html.h"
#include "input.h"
#include "residuals.h"
#include "scores.h"

/** Begins the page. */
void shepard_validate_page_begin(struct shepard_html *html, const struct shepard_input *input,
                                 const struct shepard_job *job);

/** A validated column. */
struct shepard_validate_page_column {
    size_t number; /**< among the validations of the summary */
    const char *layer, *field;
    const char *held_out; /**< what is held out, in words */
    const struct shepard_score_table *table;
    const struct shepard_residuals *residuals; /**< of all algorithms of the table */
};

/** Adds a column; false on an error, said. */
bool shepard_validate_page_add(struct shepard_html *html,
                               const struct shepard_validate_page_column *column);

/** Ends the page and writes it where --report says; false on an error, said. */
bool shepard_validate_page_write(struct shepard_html *html, const struct shepard_job *job,
                                 const char *command);

#endif
