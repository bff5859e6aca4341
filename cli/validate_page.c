/* SPDX-License-Identifier: MIT */
#include "validate_page.h"

#include "html_page.h"
#include "html_scores.h"
#include "message.h"
#include "path.h"
#include "residual_figures.h"
#include "whole_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void shepard_validate_page_begin(struct shepard_html *html, const struct shepard_input *input,
                                 const struct shepard_job *job)
{
    char *title = NULL;
    if (!shepard_append_format(&title, "Validation of %s",
                               shepard_path_name(job->names.items[0]))) {
        html->failed = true;
        return;
    }
    shepard_html_page_begin(html, title);
    free(title);
    shepard_html_raw(html, "<p>");
    shepard_html_number(html, (double)input->layers[0].count, "layers.0.points_read");
    shepard_html_raw(html, " points read. Data are held out, predicted from the others, and "
                           "compared with what was measured.</p>\n");
    shepard_html_page_body(html);
}

static size_t best_of(const struct shepard_score_table *table)
{
    size_t best = 0;
    for (size_t i = 1; i < table->count; i++) {
        const double rmse = table->rows[i].scores.rmse, least = table->rows[best].scores.rmse;
        best = isnan(least) || rmse < least ? i : best;
    }
    return best;
}

bool shepard_validate_page_add(struct shepard_html *html,
                               const struct shepard_validate_page_column *column)
{
    const size_t best = best_of(column->table);
    const struct shepard_residual_figures figures = {.residuals = column->residuals,
                                                     .algorithm = best,
                                                     .text = column->table->rows[best].text,
                                                     .why = "which has the least RMSE",
                                                     .field = column->field};
    char key[64];
    snprintf(key, sizeof key, "validations.%zu.scores", column->number);
    shepard_html_raw(html, "<h2>");
    shepard_html_text(html, column->field);
    shepard_html_raw(html, " of layer ");
    shepard_html_text(html, column->layer);
    shepard_html_raw(html, "</h2><p>");
    shepard_html_text(html, column->held_out);
    shepard_html_raw(html, "</p>\n");
    shepard_html_score_table(html, column->table, key);
    return shepard_residual_figures_draw(&figures, html);
}

bool shepard_validate_page_write(struct shepard_html *html, const struct shepard_job *job,
                                 const char *command)
{
    shepard_html_notes(html, &job->watch.notes);
    shepard_html_page_end(html, command);
    return (!html->failed || shepard_say_error("out of memory")) &&
           shepard_whole_file_write("--report", job->options->report, html->text, html->length);
}
