/* SPDX-License-Identifier: MIT */
#include "tune_page.h"

#include "html_page.h"
#include "html_scores.h"
#include "html_trend.h"
#include "message.h"
#include "path.h"
#include "residual_figures.h"
#include "trial_search.h"
#include "whole_file.h"

#include <stdlib.h>

static bool begin(const struct shepard_tune_page *page, struct shepard_html *html)
{
    char *title = NULL;
    if (!shepard_append_format(&title, "Choice of an algorithm for %s from %s",
                               page->points->column[0].name,
                               shepard_path_name(page->job->names.items[0]))) {
        return false;
    }
    shepard_html_page_begin(html, title);
    free(title);
    shepard_html_raw(html, "<p>");
    shepard_html_number(html, (double)shepard_input_used(page->points, 0),
                        "layers.0.fields.0.points_used");
    shepard_html_raw(html, " points of layer ");
    shepard_html_text(html, page->points->layer);
    shepard_html_raw(html, "; ");
    shepard_html_text(html, page->held_out);
    shepard_html_raw(html, ".</p>\n");
    shepard_html_page_body(html);
    return true;
}

static void add_choice(const struct shepard_tune_page *page, struct shepard_html *html)
{
    const struct shepard_tuning_result *const result = page->result;
    shepard_html_raw(html, "<h2>Choice</h2><p><code>-a ");
    shepard_html_algorithm(html, result->text);
    shepard_html_raw(html, "</code></p>\n");
    shepard_html_scores_begin(html);
    shepard_html_score(html, "trials", (double)result->trials, "trials");
    shepard_html_score(html, "RMSE", result->scores.rmse, "rmse");
    shepard_html_score(html, "honest RMSE", result->honest_rmse, "honest_rmse");
    shepard_html_score(html, "sd ratio", result->sd_ratio, "sd_ratio");
    shepard_html_score(html, "RMSE of " SHEPARD_SKILL_REFERENCE, page->table->reference_rmse,
                       "skill_reference_rmse");
    shepard_html_scores_end(html);
    shepard_html_raw(
        html, "<p>The least RMSE of many trials is too small, because it was chosen. "
              "For the honest RMSE each tenth of the held-out data is scored with the "
              "trial that the other nine tenths choose, times the sd ratio: " SHEPARD_SD_RATIO_TEXT
              "; 1 without targets.</p>\n");
    if (!result->complete) {
        shepard_html_raw(html, "<p>The time was over before all was tried.</p>\n");
    }
    if (page->covariates->count > 0) {
        shepard_html_raw(html, "<p>What the trend leaves is predicted, and compared.</p>\n");
        shepard_html_trend(html, "Trend of", page->points->column[0].name, page->trend, 0,
                           page->covariates, "trend");
    }
}

static bool draw(const struct shepard_tune_page *page, struct shepard_html *html)
{
    const struct shepard_residual_figures figures = {.residuals = page->residuals,
                                                     .algorithm = 0,
                                                     .text = page->result->text,
                                                     .why = "the choice",
                                                     .field = page->points->column[0].name};
    if (!begin(page, html)) {
        return false;
    }
    add_choice(page, html);
    if (!shepard_residual_figures_draw(&figures, html)) {
        return false;
    }
    shepard_html_raw(html, "<h2>Trials</h2>\n");
    shepard_html_score_table(html, page->table, "scores");
    shepard_html_notes(html, &page->job->watch.notes);
    shepard_html_page_end(html, page->command);
    return !html->failed || shepard_say_error("out of memory");
}

bool shepard_tune_page_write(const struct shepard_tune_page *page)
{
    struct shepard_html html = {0};
    const bool good =
        draw(page, &html) &&
        shepard_whole_file_write("--report", page->job->options->report, html.text, html.length);
    shepard_html_free(&html);
    return good;
}
