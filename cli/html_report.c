/* SPDX-License-Identifier: MIT */
#include "html_report.h"

#include "error_figures.h"
#include "html_map.h"
#include "html_models.h"
#include "html_page.h"
#include "html_scores.h"
#include "message.h"
#include "path.h"
#include "whole_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEY_SIZE = 128, DOTS_MAX = 4000 };

/* The summary's key of member i of a list. */
static const char *key_of(char key[KEY_SIZE], const char *list, size_t i, const char *member)
{
    snprintf(key, KEY_SIZE, "%.60s.%zu.%.40s", list, i, member);
    return key;
}

/* ---- Heading --------------------------------------------------------------------------------- */

static bool append_title(const struct shepard_report *report, char **title)
{
    const size_t fields = report->results->count;
    size_t values = 0;
    while (values < fields && report->results->items[values].kind == SHEPARD_RESULT_VALUE) {
        values++;
    }
    return shepard_append_format(title, "%s", report->results->items[0].name) &&
           (values < 2 || shepard_append_format(title, " and %zu more", values - 1)) &&
           shepard_append_format(title, " from %s by %s",
                                 shepard_path_name(report->job->names.items[0]),
                                 shepard_algorithm_name(&report->job->algorithm));
}

static void append_srs(const struct shepard_srs_description *srs, struct shepard_html *html)
{
    shepard_html_text(html, srs->name[0] ? srs->name : "unknown");
    if (srs->code[0]) {
        shepard_html_raw(html, " (");
        shepard_html_text(html, srs->code);
        shepard_html_raw(html, ")");
    }
}

static void draw_heading(const struct shepard_report *report,
                         const struct shepard_srs_description *srs, struct shepard_html *html)
{
    const struct shepard_raster *const raster = report->raster;
    const struct shepard_point_set *const points = &report->input->layers[0];
    shepard_html_raw(html, "<p>");
    shepard_html_number(html, (double)shepard_input_used(points, 0),
                        "layers.0.fields.0.points_used");
    shepard_html_raw(html, " data points, ");
    shepard_html_number(html, (double)raster->columns, "raster.columns");
    shepard_html_raw(html, " × ");
    shepard_html_number(html, (double)raster->rows, "raster.rows");
    shepard_html_format(html, " cells of %.6g × %.6g", fabs(raster->dx), fabs(raster->dy));
    if (srs->unit[0]) {
        shepard_html_raw(html, " ");
        shepard_html_text(html, shepard_map_unit(srs));
    }
    shepard_html_raw(html, ". Coordinate system: ");
    append_srs(srs, html);
    shepard_html_raw(html, ".</p>\n");
}

/* ---- Maps ------------------------------------------------------------------------------------ */

/* What a result is of: its points, and its column among theirs. */
struct origin {
    const struct shepard_point_set *points;
    size_t column;
};

static struct origin origin_of(const struct shepard_report *report,
                               const struct shepard_result *result)
{
    const struct shepard_column_group *const group = &report->surfaces->items[result->surface];
    return (struct origin){&report->input->layers[group->layer], group->column[result->column]};
}

/* The middle 98 % of the cells, so that a few extremes do not take all colours; errors and other
 * diagnostics from 0, where they are near it. */
static bool choose_scale(const struct shepard_overview *overview, bool is_value,
                         struct shepard_color_scale *scale)
{
    static const double fractions[2] = {0.01, 0.99};
    double ends[2];
    if (!shepard_overview_quantiles(overview, 2, fractions, ends)) {
        return false;
    }
    if (!is_value && ends[0] > 0 && ends[0] < 0.5 * ends[1]) {
        ends[0] = 0;
    }
    *scale = isnan(ends[0]) ? shepard_color_scale_make(SHEPARD_RAMP_VIRIDIS, 0, 1)
                            : shepard_color_scale_make(is_value ? SHEPARD_RAMP_VIRIDIS
                                                                : SHEPARD_RAMP_UNCERTAINTY,
                                                       ends[0], ends[1]);
    return true;
}

static const char *map_title(const struct shepard_result *result)
{
    return result->kind == SHEPARD_RESULT_VALUE ? "Predictions"
           : result->kind == SHEPARD_RESULT_SD  ? "Standard deviation of the prediction"
                                                : "Diagnostic";
}

static bool draw_band(const struct shepard_html_report *page, size_t band,
                      const struct shepard_srs_description *srs, struct shepard_html *html)
{
    const struct shepard_report *const report = page->report;
    const struct shepard_result *const result = &report->results->items[band];
    const struct shepard_cell_fit *const fit = &report->fits[band];
    const struct origin origin = origin_of(report, result);
    const bool is_value = result->kind == SHEPARD_RESULT_VALUE;
    char *title = NULL;
    struct shepard_html_map map = {.label = result->name,
                                   .caption = fit->empty == fit->cells ? "No cell has a prediction."
                                              : fit->empty > 0
                                                  ? "Cells without a prediction are grey."
                                                  : "",
                                   .overview = &page->data->overviews[band],
                                   .raster = report->raster,
                                   .srs = srs,
                                   .min = fit->min,
                                   .max = fit->max,
                                   .dots = {.count = origin.points->count,
                                            .x = origin.points->x,
                                            .y = origin.points->y,
                                            .values = origin.points->values[origin.column],
                                            .plain = !is_value,
                                            .most = DOTS_MAX}};
    const bool good = shepard_append_format(&title, "%s: %s", map_title(result), result->name) &&
                      choose_scale(map.overview, is_value, &map.scale);
    map.title = title;
    const bool drawn = good && shepard_html_map_draw(&map, html);
    free(title);
    return drawn;
}

static bool draw_maps(const struct shepard_html_report *page,
                      const struct shepard_srs_description *srs, struct shepard_html *html)
{
    const size_t bands = page->report->results->count, drawn = page->data->overview_count;
    shepard_html_raw(html, "<h2>Maps</h2>\n");
    if (drawn < bands) {
        shepard_html_format(html, "<p>The first %zu of %zu bands.</p>\n", drawn, bands);
    }
    shepard_html_raw(html, "<div class=\"figures\">\n");
    bool good = true;
    for (size_t band = 0; good && band < drawn; band++) {
        good = draw_band(page, band, srs, html);
    }
    shepard_html_raw(html, "</div>\n");
    return good;
}

/* ---- Leave-one-out --------------------------------------------------------------------------- */

static void add_scores(const struct shepard_leave_one_out *held_out, size_t number,
                       struct shepard_html *html)
{
    const struct shepard_scores *const scores = &held_out->scores;
    const struct {
        const char *name, *member;
        double value;
    } rows[] = {{"points predicted", "predicted", (double)scores->count},
                {"RMSE", "rmse", scores->rmse},
                {"mean absolute error", "mae", scores->mae},
                {"mean error (predicted − observed)", "me", scores->me},
                {"CRPS", "crps", scores->crps}};
    char key[KEY_SIZE];
    shepard_html_scores_begin(html);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        shepard_html_score(html, rows[i].name, rows[i].value,
                           key_of(key, "leave_one_out", number, rows[i].member));
    }
    shepard_html_score_share(html, "of the points lie in their 95 % interval", scores->coverage,
                             key_of(key, "leave_one_out", number, "coverage"));
    shepard_html_scores_end(html);
}

static void explain(const struct shepard_leave_one_out *held_out, struct shepard_html *html)
{
    shepard_html_raw(html, "<p>");
    if (held_out->tried < held_out->points) {
        shepard_html_format(html, "%zu of the %zu data points, chosen at random, are each ",
                            held_out->tried, held_out->points);
    } else {
        shepard_html_format(html, "Each of the %zu data points is ", held_out->points);
    }
    shepard_html_raw(html, "predicted from the others. This is the error among the data; far from "
                           "them it is larger.</p>\n");
}

static bool draw_held_out(const struct shepard_report_data *data, size_t number,
                          const struct shepard_srs_description *srs, struct shepard_html *html)
{
    const struct shepard_leave_one_out *const held_out = &data->held_out[number];
    const struct shepard_error_figures figures = {.errors = &held_out->errors,
                                                  .field = held_out->field,
                                                  .anisotropic = held_out->anisotropic,
                                                  .srs = srs};
    shepard_html_raw(html, "<h2>Leave-one-out: ");
    shepard_html_text(html, held_out->field);
    shepard_html_raw(html, "</h2>\n");
    explain(held_out, html);
    add_scores(held_out, number, html);
    if (held_out->errors.count == 0) {
        shepard_html_raw(html, "<p>No point has a prediction without its own value.</p>\n");
        return true;
    }
    shepard_html_raw(html, "<div class=\"figures\">\n");
    const bool good = shepard_error_figures_draw(&figures, html);
    shepard_html_raw(html, "</div>\n");
    return good;
}

static bool draw_all_held_out(const struct shepard_report_data *data,
                              const struct shepard_srs_description *srs, struct shepard_html *html)
{
    bool good = true;
    for (size_t i = 0; good && i < data->held_out_count; i++) {
        good = draw_held_out(data, i, srs, html);
    }
    return good;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void add_method(const struct shepard_algorithm *algorithm, struct shepard_html *html)
{
    const char *key;
    shepard_html_table_begin(html, "Method");
    shepard_html_row_text(html, "method", shepard_algorithm_name(algorithm));
    for (size_t i = 0; (key = shepard_algorithm_key(algorithm, i)); i++) {
        char path[KEY_SIZE];
        double number = 0;
        snprintf(path, sizeof path, "parameters.%s", key);
        if (shepard_algorithm_number(algorithm, i, &number)) {
            shepard_html_row_number(html, key, number, path);
        } else {
            shepard_html_row_text(html, key, algorithm->texts.items[i]);
        }
    }
    shepard_html_table_end(html);
}

static void add_column(const struct shepard_point_set *points, size_t layer, size_t column,
                       struct shepard_html *html)
{
    const struct shepard_column *const field = &points->column[column];
    const size_t skipped = points->count - shepard_input_used(points, column);
    char list[KEY_SIZE], key[KEY_SIZE];
    snprintf(list, sizeof list, "layers.%zu.fields", layer);
    shepard_html_row_begin(html, field->name);
    shepard_html_number(html, (double)shepard_input_used(points, column),
                        key_of(key, list, column, "points_used"));
    shepard_html_raw(html, " points used");
    if (skipped > 0) {
        shepard_html_format(html, ", %zu without a value or weight", skipped);
    }
    shepard_html_row_end(html);
}

static void add_input(const struct shepard_report *report, struct shepard_html *html)
{
    shepard_html_table_begin(html, "Data");
    shepard_html_row_text(html, "source", report->job->source);
    shepard_html_row_text(html, "format", shepard_source_format(report->input->source));
    for (size_t i = 0; i < report->input->count; i++) {
        const struct shepard_point_set *const points = &report->input->layers[i];
        char key[KEY_SIZE];
        shepard_html_row_text(html, "layer", points->layer);
        shepard_html_row_number(html, "points read", (double)points->count,
                                key_of(key, "layers", i, "points_read"));
        for (size_t c = 0; c < points->columns; c++) {
            add_column(points, i, c, html);
        }
        shepard_html_row_begin(html, "extent");
        shepard_html_format(html, "x %.10g to %.10g<br>y %.10g to %.10g", points->extent.x_min,
                            points->extent.x_max, points->extent.y_min, points->extent.y_max);
        shepard_html_row_end(html);
    }
    shepard_html_table_end(html);
}

static void add_band(const struct shepard_report *report, size_t band, struct shepard_html *html)
{
    const struct shepard_cell_fit *const fit = &report->fits[band];
    const bool any = fit->cells > fit->empty;
    const struct {
        const char *name, *member;
        double value;
    } rows[] = {{"least", "min", any ? fit->min : NAN},
                {"mean", "mean", shepard_cells_mean(fit)},
                {"largest", "max", any ? fit->max : NAN},
                {"cells without a prediction", "cells_without_prediction", (double)fit->empty}};
    shepard_html_row_begin(html, report->results->items[band].name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char key[KEY_SIZE];
        shepard_html_format(html, "%s%s ", i > 0 ? ", " : "", rows[i].name);
        shepard_html_number(html, rows[i].value, key_of(key, "raster.bands", band, rows[i].member));
    }
    shepard_html_row_end(html);
}

static void add_raster(const struct shepard_report *report,
                       const struct shepard_srs_description *srs, struct shepard_html *html)
{
    const struct shepard_raster *const raster = report->raster;
    shepard_html_table_begin(html, "Raster");
    shepard_html_row_text(html, "file", report->output);
    shepard_html_row_number(html, "columns", (double)raster->columns, "raster.columns");
    shepard_html_row_number(html, "rows", (double)raster->rows, "raster.rows");
    shepard_html_row_number(html, "cell width", raster->dx, "raster.dx");
    shepard_html_row_number(html, "cell height", raster->dy, "raster.dy");
    shepard_html_row_text(html, "type", report->type);
    shepard_html_row_begin(html, "coordinate system");
    append_srs(srs, html);
    shepard_html_row_end(html);
    for (size_t band = 0; band < report->results->count; band++) {
        add_band(report, band, html);
    }
    shepard_html_table_end(html);
}

/* The time of writing is not over yet. */
static void add_seconds(const struct shepard_report *report, struct shepard_html *html)
{
    const double *const seconds = report->job->watch.seconds;
    shepard_html_table_begin(html, "Seconds");
    shepard_html_row_number(html, "read", seconds[SHEPARD_STAGE_READ], "seconds.read");
    shepard_html_row_number(html, "build", seconds[SHEPARD_STAGE_BUILD], "seconds.build");
    shepard_html_row_number(html, "predict", seconds[SHEPARD_STAGE_PREDICT], "seconds.predict");
    shepard_html_table_end(html);
}

static void draw_tables(const struct shepard_report *report,
                        const struct shepard_srs_description *srs, struct shepard_html *html)
{
    shepard_html_notes(html, &report->job->watch.notes);
    shepard_html_raw(html, "<h2>Details</h2><div class=\"tables\">\n");
    add_input(report, html);
    add_raster(report, srs, html);
    add_method(&report->job->algorithm, html);
    shepard_choice_draw(report->choice, html);
    shepard_html_models(report, html);
    add_seconds(report, html);
    shepard_html_raw(html, "</div>\n");
}

/* ---- The page -------------------------------------------------------------------------------- */

static bool draw_page(const struct shepard_html_report *page, struct shepard_html *html)
{
    const struct shepard_report *const report = page->report;
    struct shepard_srs_description srs;
    char *title = NULL;
    shepard_io_describe_srs(report->srs, &srs, NULL);
    if (!append_title(report, &title)) {
        return false;
    }
    shepard_html_page_begin(html, title);
    free(title);
    draw_heading(report, &srs, html);
    shepard_html_page_body(html);
    if (!draw_maps(page, &srs, html) || !draw_all_held_out(page->data, &srs, html)) {
        return false;
    }
    draw_tables(report, &srs, html);
    shepard_html_page_end(html, page->command);
    return !html->failed || shepard_say_error("out of memory");
}

bool shepard_html_report_write(const struct shepard_html_report *page)
{
    struct shepard_html html = {0};
    const bool good = draw_page(page, &html) &&
                      shepard_whole_file_write("--report", page->report->job->options->report,
                                               html.text, html.length);
    shepard_html_free(&html);
    return good;
}
