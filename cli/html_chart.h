/* SPDX-License-Identifier: MIT */
/** A chart as a figure of a page: axes, and marks that the caller draws. */
#ifndef SHEPARD_CLI_HTML_CHART_H
#define SHEPARD_CLI_HTML_CHART_H

#include "html.h"

struct shepard_chart {
    const char *title;
    const char *x_title, *y_title;
    bool square; /**< as high as wide */
    double x_low, x_high, y_low, y_high;
};

/** Appends the figure's begin and the axes. Each end gets a little width where both are equal. */
void shepard_chart_begin(struct shepard_chart *chart, struct shepard_html *html);

/** A place in the drawing. */
double shepard_chart_x(const struct shepard_chart *chart, double x);
double shepard_chart_y(const struct shepard_chart *chart, double y);

/** Draws a line between two places, of a class of the page's style. */
void shepard_chart_line(const struct shepard_chart *chart, struct shepard_html *html,
                        const char *style, const double from[2], const double to[2]);

/** Appends the figure's end. */
void shepard_chart_end(struct shepard_html *html, const char *caption);

#endif
