/* SPDX-License-Identifier: MIT */
#include "validate_page.h"

#include "error_figures.h"
#include "html_page.h"
#include "message.h"
#include "path.h"
#include "shuffle.h"
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

/* ---- The table ------------------------------------------------------------------------------- */

static void add_row(struct shepard_html *html, const struct shepard_validate_page_column *column,
                    size_t i)
{
    const struct shepard_score_row *const row = &column->table->rows[i];
    const struct shepard_scores *const scores = &row->scores;
    const struct {
        const char *member;
        double value;
    } cells[] = {{"n", (double)scores->count},
                 {"me", scores->me},
                 {"mae", scores->mae},
                 {"rmse", scores->rmse},
                 {"crps", scores->crps},
                 {"coverage_95", scores->coverage},
                 {"skill", shepard_score_skill(column->table, row)},
                 {"seconds", row->seconds}};
    shepard_html_raw(html, "<tr><th scope=\"row\">");
    shepard_html_text(html, row->text);
    shepard_html_raw(html, "</th>");
    for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++) {
        char key[96];
        snprintf(key, sizeof key, "validations.%zu.scores.%zu.%s", column->number, i,
                 cells[c].member);
        shepard_html_raw(html, "<td>");
        shepard_html_rounded(html, cells[c].value, 4, key);
        shepard_html_raw(html, "</td>");
    }
    shepard_html_raw(html, "</tr>\n");
}

static void add_table(struct shepard_html *html, const struct shepard_validate_page_column *column)
{
    shepard_html_raw(html, "<div class=\"wide\"><table><thead><tr><th scope=\"col\">algorithm</th>"
                           "<th scope=\"col\">n</th><th scope=\"col\">mean error</th>"
                           "<th scope=\"col\">mean absolute error</th><th scope=\"col\">RMSE</th>"
                           "<th scope=\"col\">CRPS</th><th scope=\"col\">in 95 % interval</th>"
                           "<th scope=\"col\">skill</th><th scope=\"col\">seconds</th></tr>"
                           "</thead><tbody>\n");
    for (size_t i = 0; i < column->table->count; i++) {
        add_row(html, column, i);
    }
    shepard_html_raw(html, "</tbody></table></div><p>Errors are predicted − observed; skill is "
                           "1 − MSE / MSE of " SHEPARD_SKILL_REFERENCE ".</p>\n");
}

/* ---- The figures ----------------------------------------------------------------------------- */

static size_t best_of(const struct shepard_score_table *table)
{
    size_t best = 0;
    for (size_t i = 1; i < table->count; i++) {
        const double rmse = table->rows[i].scores.rmse, least = table->rows[best].scores.rmse;
        best = isnan(least) || rmse < least ? i : best;
    }
    return best;
}

/* Those with an observation and a prediction, in random order. */
static bool collect(const struct shepard_residuals *residuals, size_t algorithm,
                    struct shepard_prediction_errors *errors)
{
    const size_t m = residuals->count;
    const double *const predicted = residuals->predicted + algorithm * m;
    size_t *const items = malloc((m + 1) * sizeof *items);
    if (!items) {
        return shepard_say_error("out of memory");
    }
    size_t count = 0;
    for (size_t i = 0; i < m; i++) {
        if (isfinite(residuals->observed[i]) && isfinite(predicted[i])) {
            items[count++] = i;
        }
    }
    shepard_shuffle_sample(items, count, count);
    const bool good = shepard_prediction_errors_make(errors, count, false, residuals->nearest);
    for (size_t k = 0; good && k < count; k++) {
        const size_t i = items[k];
        const struct shepard_prediction_error error = {residuals->x[i],
                                                       residuals->y[i],
                                                       residuals->observed[i],
                                                       predicted[i],
                                                       NAN,
                                                       residuals->nearest ? residuals->nearest[i]
                                                                          : NAN};
        shepard_prediction_errors_add(errors, &error);
    }
    free(items);
    return good;
}

static bool add_figures(struct shepard_html *html,
                        const struct shepard_validate_page_column *column,
                        const struct shepard_prediction_errors *errors)
{
    struct shepard_srs_description srs;
    const struct shepard_error_figures figures = {
        .errors = errors, .field = column->field, .srs = &srs};
    shepard_io_describe_srs(column->residuals->srs, &srs, NULL);
    shepard_html_raw(html, "<div class=\"figures\">\n");
    const bool good = shepard_error_figures_draw(&figures, html);
    shepard_html_raw(html, "</div>\n");
    return good;
}

bool shepard_validate_page_add(struct shepard_html *html,
                               const struct shepard_validate_page_column *column)
{
    const size_t best = best_of(column->table);
    struct shepard_prediction_errors errors = {0};
    shepard_html_raw(html, "<h2>");
    shepard_html_text(html, column->field);
    shepard_html_raw(html, " of layer ");
    shepard_html_text(html, column->layer);
    shepard_html_raw(html, "</h2><p>");
    shepard_html_text(html, column->held_out);
    shepard_html_raw(html, "</p>\n");
    add_table(html, column);
    bool good = collect(column->residuals, best, &errors);
    if (good && errors.count > 0) {
        shepard_html_raw(html, "<p>The figures show <code>");
        shepard_html_text(html, column->table->rows[best].text);
        shepard_html_raw(html, "</code>, which has the least RMSE.</p>\n");
        good = add_figures(html, column, &errors);
    }
    shepard_prediction_errors_free(&errors);
    return good;
}

bool shepard_validate_page_write(struct shepard_html *html, const struct shepard_job *job,
                                 const char *command)
{
    shepard_html_notes(html, &job->watch.notes);
    shepard_html_page_end(html, command);
    return (!html->failed || shepard_say_error("out of memory")) &&
           shepard_whole_file_write("--report", job->options->report, html->text, html->length);
}
