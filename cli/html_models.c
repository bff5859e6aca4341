/* SPDX-License-Identifier: MIT */
#include "html_models.h"

#include "html_trend.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_SIZE = 96 };

static const char *name_of(const struct shepard_report *report,
                           const struct shepard_column_group *surface, size_t c)
{
    return report->input->layers[surface->layer].column[surface->column[c]].name;
}

/* ---- Kriging --------------------------------------------------------------------------------- */

/* As -a takes them, for another run. */
static void add_text(const struct shepard_report *report,
                     const struct shepard_column_group *surface, struct shepard_html *html)
{
    char *text = NULL;
    if (shepard_column_group_text(surface, report->job, &text)) {
        shepard_html_row_begin(html, "for -a");
        shepard_html_algorithm(html, text);
        shepard_html_row_end(html);
    }
    free(text);
}

/* number: of the model in the summary. */
static void add_fit(const struct shepard_report *report, const struct shepard_column_group *surface,
                    size_t number, struct shepard_html *html)
{
    const struct shepard_fit_info *const fit = &surface->fit;
    const struct shepard_kriging *const kriging = &surface->parameters.kriging;
    const struct shepard_points_options *const options = &surface->options;
    const struct {
        const char *name, *member;
        double value;
    } rows[] = {{"points used", "points", (double)fit->points},
                {"partial sill", "psill", kriging->psill},
                {"nugget", "nugget", kriging->nugget},
                {"range", "range", kriging->range},
                {"range across", "range_across", fit->range_across},
                {"p", "p", kriging->p},
                {"anisotropy ratio", "anisotropy_ratio", options->anisotropy_ratio},
                {"anisotropy angle", "anisotropy_angle", options->anisotropy_angle},
                {"mean", "mean", fit->mean},
                {"extremes held nearer", "clipped", (double)fit->clipped}};
    shepard_html_table_begin_of(html, "Fitted to", name_of(report, surface, 0));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "models.%zu.fit.%s", number, rows[i].member);
        shepard_html_row_number(html, rows[i].name, rows[i].value, key);
    }
    add_text(report, surface, html);
    shepard_html_table_end(html);
}

/* The summary has a model for each search of a surface: for columns that miss other values. */
static size_t count_models(const struct shepard_column_group *surface)
{
    size_t searches = 0;
    for (size_t c = 0; surface->field && c < surface->columns; c++) {
        searches += shepard_field_search(surface->field, c) == searches;
    }
    return searches;
}

/* A surface that was fitted has one column. */
static void add_fits(const struct shepard_report *report, struct shepard_html *html)
{
    size_t number = 0;
    for (size_t s = 0; s < report->surfaces->count; s++) {
        const struct shepard_column_group *const surface = &report->surfaces->items[s];
        if (surface->fitted) {
            add_fit(report, surface, number, html);
        }
        number += count_models(surface);
    }
}

/* ---- Trends ---------------------------------------------------------------------------------- */

static void add_trends(const struct shepard_report *report, struct shepard_html *html)
{
    size_t number = 0;
    for (size_t s = 0; s < report->surfaces->count; s++) {
        for (size_t c = 0; c < report->surfaces->items[s].columns; c++) {
            const struct shepard_column_group *const surface = &report->surfaces->items[s];
            char key[KEY_SIZE];
            snprintf(key, sizeof key, "trends.%zu", number++);
            shepard_html_trend(html, "Trend of", name_of(report, surface, c), &surface->trend, c,
                               report->surfaces->covariates, key);
        }
    }
}

void shepard_html_models(const struct shepard_report *report, struct shepard_html *html)
{
    add_fits(report, html);
    if (report->surfaces->covariates->count > 0) {
        add_trends(report, html);
    }
}
