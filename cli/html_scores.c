/* SPDX-License-Identifier: MIT */
#include "html_scores.h"

#include "html_trend.h"

#include <math.h>
#include <stdio.h>

void shepard_html_scores_begin(struct shepard_html *html)
{
    shepard_html_raw(html, "<ul class=\"scores\">");
}

static void end_score(struct shepard_html *html, const char *name)
{
    shepard_html_raw(html, "</b><span>");
    shepard_html_text(html, name);
    shepard_html_raw(html, "</span></li>");
}

void shepard_html_score(struct shepard_html *html, const char *name, double value, const char *key)
{
    if (isfinite(value)) {
        shepard_html_raw(html, "<li><b>");
        shepard_html_rounded(html, value, 4, key);
        end_score(html, name);
    }
}

void shepard_html_score_share(struct shepard_html *html, const char *name, double share,
                              const char *key)
{
    if (isfinite(share)) {
        shepard_html_raw(html, "<li><b>");
        shepard_html_share(html, share, key);
        end_score(html, name);
    }
}

void shepard_html_scores_end(struct shepard_html *html)
{
    shepard_html_raw(html, "</ul>\n");
}

static void add_row(struct shepard_html *html, const struct shepard_score_table *table, size_t i,
                    const char *key)
{
    const struct shepard_score_row *const row = &table->rows[i];
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
                 {"skill", shepard_score_skill(table, row)},
                 {"seconds", row->seconds}};
    shepard_html_raw(html, "<tr><th scope=\"row\">");
    shepard_html_algorithm(html, row->text);
    shepard_html_raw(html, "</th>");
    for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++) {
        char path[96];
        snprintf(path, sizeof path, "%.60s.%zu.%s", key, i, cells[c].member);
        shepard_html_raw(html, "<td>");
        if (isfinite(cells[c].value)) {
            shepard_html_rounded(html, cells[c].value, 4, path);
        } else {
            shepard_html_raw(html, "–");
        }
        shepard_html_raw(html, "</td>");
    }
    shepard_html_raw(html, "</tr>\n");
}

/* What a row was fitted to, as -a takes it for another run, and the trend that goes with it. */
static void add_fitted(struct shepard_html *html, const struct shepard_score_table *table, size_t i,
                       const char *key)
{
    const struct shepard_score_row *const row = &table->rows[i];
    if (row->fitted) {
        shepard_html_raw(html, "<p>");
        shepard_html_algorithm(html, row->text);
        shepard_html_raw(html, ": fitted to all data, <code>-a ");
        shepard_html_algorithm(html, row->fitted);
        shepard_html_raw(html, "</code></p>\n");
    }
    if (row->trend.coefficients) {
        char path[96];
        snprintf(path, sizeof path, "%.60s.%zu.trend", key, i);
        shepard_html_trend(html, "Trend with", row->text, &row->trend, 0, table->covariates, path);
    }
}

void shepard_html_score_table(struct shepard_html *html, const struct shepard_score_table *table,
                              const char *key)
{
    shepard_html_raw(html, "<div class=\"wide\"><table><thead><tr><th scope=\"col\">algorithm</th>"
                           "<th scope=\"col\">n</th><th scope=\"col\">mean error</th>"
                           "<th scope=\"col\">mean absolute error</th><th scope=\"col\">RMSE</th>"
                           "<th scope=\"col\">CRPS</th><th scope=\"col\">in 95 % interval</th>"
                           "<th scope=\"col\">skill</th><th scope=\"col\">seconds</th></tr>"
                           "</thead><tbody>\n");
    for (size_t i = 0; i < table->count; i++) {
        add_row(html, table, i, key);
    }
    shepard_html_raw(html, "</tbody></table></div><p>Errors are predicted − observed; skill is "
                           "1 − MSE / MSE of " SHEPARD_SKILL_REFERENCE ".</p>\n");
    for (size_t i = 0; i < table->count; i++) {
        add_fitted(html, table, i, key);
    }
}
