/* SPDX-License-Identifier: MIT */
/** Scores of validations on a page: as single figures, and as a table. */
#ifndef SHEPARD_CLI_HTML_SCORES_H
#define SHEPARD_CLI_HTML_SCORES_H

#include "html.h"
#include "scores.h"

/** A list of scores, each large above its name; one that is not finite is left out. key: as in
 * shepard_html_number. */
void shepard_html_scores_begin(struct shepard_html *html);
void shepard_html_score(struct shepard_html *html, const char *name, double value, const char *key);
void shepard_html_score_share(struct shepard_html *html, const char *name, double share,
                              const char *key);
void shepard_html_scores_end(struct shepard_html *html);

/** The table, a row for each algorithm, and what was fitted; key: of the list of its rows in the
 * summary. */
void shepard_html_score_table(struct shepard_html *html, const struct shepard_score_table *table,
                              const char *key);

#endif
