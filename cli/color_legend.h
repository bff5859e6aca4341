/* SPDX-License-Identifier: MIT */
/** The legend of a colour scale. */
#ifndef SHEPARD_CLI_COLOR_LEGEND_H
#define SHEPARD_CLI_COLOR_LEGEND_H

#include "color_scale.h"
#include "html.h"

struct shepard_color_legend {
    const struct shepard_color_scale *scale;
    const char *title;
    double min, max; /**< of the values: an end of the scale that they pass is pointed */
};

/** Draws it below y; returns where it ends. */
double shepard_color_legend_draw(const struct shepard_color_legend *legend,
                                 struct shepard_html *html, double y);

#endif
