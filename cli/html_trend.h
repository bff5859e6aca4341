/* SPDX-License-Identifier: MIT */
/** The table of a trend: coefficients with standard errors, and the error with and without it. */
#ifndef SHEPARD_CLI_HTML_TREND_H
#define SHEPARD_CLI_HTML_TREND_H

#include "column_trend.h"
#include "html.h"

/** Appends the table of a column's trend; words: its title begins with them and ends with name.
 * key: of the trend in the summary. */
void shepard_html_trend(struct shepard_html *html, const char *words, const char *name,
                        const struct shepard_column_trend *trend, size_t column,
                        const struct shepard_covariate_list *covariates, const char *key);

#endif
