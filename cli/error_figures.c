/* SPDX-License-Identifier: MIT */
#include "error_figures.h"

#include "html_chart.h"
#include "html_map.h"
#include "message.h"
#include "text_list.h"
#include "ticks.h"

#include <math.h>
#include <stdlib.h>

/* Marks of a chart, and of the map of residuals. */
enum { MARKS_MAX = 3000 };

struct span {
    double low, high;
};

static struct span span_of(const double *values, size_t count)
{
    struct span span = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        span.low = fmin(span.low, values[i]);
        span.high = fmax(span.high, values[i]);
    }
    return span;
}

/* ---- Observed against predicted -------------------------------------------------------------- */

/* They are in random order: the first are a sample. */
static void draw_marks(const struct shepard_chart *chart,
                       const struct shepard_prediction_errors *errors, struct shepard_html *html)
{
    const double width = fmin(fmax(60 / sqrt((double)errors->count), 2), 5);
    shepard_html_format(html, "<path class=\"marks\" stroke-width=\"%.1f\" d=\"", width);
    for (size_t i = 0; i < errors->count && i < MARKS_MAX; i++) {
        shepard_html_format(html, "M%.1f %.1fh0", shepard_chart_x(chart, errors->predicted[i]),
                            shepard_chart_y(chart, errors->observed[i]));
    }
    shepard_html_raw(html, "\"/>");
}

static void draw_scatter(const struct shepard_error_figures *figures, struct shepard_html *html)
{
    const struct shepard_prediction_errors *const errors = figures->errors;
    const struct span observed = span_of(errors->observed, errors->count);
    const struct span predicted = span_of(errors->predicted, errors->count);
    const struct span all = {fmin(observed.low, predicted.low),
                             fmax(observed.high, predicted.high)};
    const double space = 0.03 * (all.high - all.low);
    struct shepard_chart chart = {.title = "Observed against predicted",
                                  .x_title = "predicted",
                                  .y_title = "observed",
                                  .square = true,
                                  .x_low = all.low - space,
                                  .x_high = all.high + space,
                                  .y_low = all.low - space,
                                  .y_high = all.high + space};
    shepard_chart_begin(&chart, html);
    const double from[2] = {chart.x_low, chart.x_low}, to[2] = {chart.x_high, chart.x_high};
    shepard_chart_line(&chart, html, "reference", from, to);
    draw_marks(&chart, errors, html);
    shepard_chart_end(html,
                      errors->count > MARKS_MAX
                          ? "3000 of the points are drawn, chosen at random. On the line both "
                            "are equal."
                          : "On the line both are equal.");
}

/* ---- Residuals ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The size that this share of the residuals does not pass; NaN when out of memory, said. */
static double size_of_share(const struct shepard_prediction_errors *errors, double share)
{
    double *const sizes = malloc(errors->count * sizeof *sizes);
    if (!sizes) {
        shepard_say_error("out of memory");
        return NAN;
    }
    for (size_t i = 0; i < errors->count; i++) {
        sizes[i] = fabs(errors->residual[i]);
    }
    qsort(sizes, errors->count, sizeof *sizes, compare);
    const double size = sizes[(size_t)(share * (double)(errors->count - 1) + 0.5)];
    free(sizes);
    return size;
}

static bool draw_map(const struct shepard_error_figures *figures, double size,
                     struct shepard_html *html)
{
    const struct shepard_prediction_errors *const errors = figures->errors;
    const struct span x = span_of(errors->x, errors->count), y = span_of(errors->y, errors->count);
    const struct span residuals = span_of(errors->residual, errors->count);
    char *label = NULL;
    const struct shepard_html_map map = {
        .title = "Residuals",
        .caption = "Blue: the prediction is too high; brown: too low; larger dots: farther off.",
        .box = {true, x.low, y.low, x.high, y.high},
        .srs = figures->srs,
        .scale = shepard_color_scale_make(SHEPARD_RAMP_DIVERGING, -size, size),
        .min = residuals.low,
        .max = residuals.high,
        .dots = {.count = errors->count,
                 .x = errors->x,
                 .y = errors->y,
                 .values = errors->residual,
                 .by_size = true,
                 .most = MARKS_MAX}};
    struct shepard_html_map titled = map;
    bool good = shepard_append_format(&label, "%s: observed - predicted", figures->field);
    titled.label = label;
    good = good && shepard_html_map_draw(&titled, html);
    free(label);
    return good;
}

/* Bins of a round width, a border at 0; the outermost hold what lies beyond. */
enum { BINS_MAX = 64 };

struct histogram {
    double low, width;
    size_t count;
    size_t bins[BINS_MAX];
};

static struct histogram make_histogram(const struct shepard_prediction_errors *errors, double size)
{
    struct histogram histogram = {.width = shepard_round_down(fmax(size, 1e-300) / 10)};
    const double each = fmin(ceil(fmax(size, 1e-300) / histogram.width), BINS_MAX / 2);
    histogram.low = -each * histogram.width;
    histogram.count = (size_t)(2 * each);
    for (size_t i = 0; i < errors->count; i++) {
        const double place = floor((errors->residual[i] - histogram.low) / histogram.width);
        histogram.bins[(size_t)fmin(fmax(place, 0), 2 * each - 1)]++;
    }
    return histogram;
}

static void draw_bars(const struct shepard_chart *chart, const struct histogram *histogram,
                      struct shepard_html *html)
{
    const double floor_y = shepard_chart_y(chart, 0);
    for (size_t i = 0; i < histogram->count; i++) {
        const double x = shepard_chart_x(chart, histogram->low + (double)i * histogram->width);
        const double next =
            shepard_chart_x(chart, histogram->low + (double)(i + 1) * histogram->width);
        const double y = shepard_chart_y(chart, (double)histogram->bins[i]);
        shepard_html_format(html,
                            "<rect class=\"bar\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                            "height=\"%.2f\"><title>%zu</title></rect>",
                            x + 0.3, y, fmax(next - x - 0.6, 0.3), floor_y - y, histogram->bins[i]);
    }
}

static void draw_histogram(const struct shepard_error_figures *figures, double size,
                           struct shepard_html *html)
{
    const struct histogram histogram = make_histogram(figures->errors, size);
    size_t highest = 0;
    for (size_t i = 0; i < histogram.count; i++) {
        highest = histogram.bins[i] > highest ? histogram.bins[i] : highest;
    }
    struct shepard_chart chart = {.title = "Histogram of the residuals",
                                  .x_title = "observed - predicted",
                                  .y_title = "points",
                                  .x_low = histogram.low,
                                  .x_high = -histogram.low,
                                  .y_high = 1.06 * (double)highest};
    shepard_chart_begin(&chart, html);
    draw_bars(&chart, &histogram, html);
    const double from[2] = {0, 0}, to[2] = {0, chart.y_high};
    shepard_chart_line(&chart, html, "reference", from, to);
    shepard_chart_end(html, "The first and the last bar hold what lies beyond them too.");
}

/* ---- Error by distance ----------------------------------------------------------------------- */

struct pair {
    double distance, residual;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *const x = a, *const y = b;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

enum { GROUPS_MAX = 12, GROUP_LEAST = 12 };

struct distance_groups {
    size_t count;
    double distance[GROUPS_MAX], rmse[GROUPS_MAX];
};

/* Groups of as many points each: middle distance and RMSE. */
static struct distance_groups group(const struct pair *pairs, size_t count)
{
    struct distance_groups groups = {.count = count / GROUP_LEAST};
    groups.count = groups.count < GROUPS_MAX ? groups.count : GROUPS_MAX;
    for (size_t g = 0; g < groups.count; g++) {
        const size_t from = g * count / groups.count, to = (g + 1) * count / groups.count;
        double squares = 0;
        for (size_t i = from; i < to; i++) {
            squares += pairs[i].residual * pairs[i].residual;
        }
        groups.distance[g] = pairs[from + (to - from) / 2].distance;
        groups.rmse[g] = sqrt(squares / (double)(to - from));
    }
    return groups;
}

static void draw_groups(const struct shepard_error_figures *figures,
                        const struct distance_groups *groups, struct shepard_html *html)
{
    const double highest = span_of(groups->rmse, groups->count).high;
    const double farthest = groups->distance[groups->count - 1];
    const char *const unit = shepard_map_unit(figures->srs);
    char *x_title = NULL;
    const bool good =
        shepard_append_format(&x_title, "%s to the nearest other point%s%s%s",
                              figures->anisotropic ? "anisotropic distance" : "distance",
                              unit[0] ? " (" : "", unit, unit[0] ? ")" : "");
    html->failed = html->failed || !good;
    struct shepard_chart chart = {.title = "Error by distance",
                                  .x_title = good ? x_title : "",
                                  .y_title = "RMSE",
                                  .x_high = 1.04 * farthest,
                                  .y_high = 1.08 * highest};
    shepard_chart_begin(&chart, html);
    shepard_html_raw(html, "<path class=\"line\" d=\"");
    for (size_t g = 0; g < groups->count; g++) {
        shepard_html_format(html, "%c%.1f %.1f", g == 0 ? 'M' : 'L',
                            shepard_chart_x(&chart, groups->distance[g]),
                            shepard_chart_y(&chart, groups->rmse[g]));
    }
    shepard_html_raw(html, "\"/>");
    for (size_t g = 0; g < groups->count; g++) {
        shepard_html_format(html, "<circle class=\"knot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>",
                            shepard_chart_x(&chart, groups->distance[g]),
                            shepard_chart_y(&chart, groups->rmse[g]));
    }
    shepard_chart_end(html, "Each dot stands for the same number of points.");
    free(x_title);
}

static bool draw_distances(const struct shepard_error_figures *figures, struct shepard_html *html)
{
    const struct shepard_prediction_errors *const errors = figures->errors;
    if (!errors->distance || errors->count < 2 * GROUP_LEAST) {
        return true;
    }
    struct pair *const pairs = malloc(errors->count * sizeof *pairs);
    size_t count = 0;
    if (!pairs) {
        return shepard_say_error("out of memory");
    }
    for (size_t i = 0; i < errors->count; i++) {
        if (isfinite(errors->distance[i])) {
            pairs[count++] = (struct pair){errors->distance[i], errors->residual[i]};
        }
    }
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    const struct distance_groups groups = group(pairs, count);
    if (groups.count > 1) {
        draw_groups(figures, &groups, html);
    }
    free(pairs);
    return true;
}

bool shepard_error_figures_draw(const struct shepard_error_figures *figures,
                                struct shepard_html *html)
{
    const double size = size_of_share(figures->errors, 0.98);
    if (isnan(size)) {
        return false;
    }
    draw_scatter(figures, html);
    if (!draw_map(figures, size, html)) {
        return false;
    }
    draw_histogram(figures, size, html);
    return draw_distances(figures, html);
}
