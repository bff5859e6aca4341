/* SPDX-License-Identifier: MIT */
/** A map as a figure of a page: a picture of a band, data points, scale bar, legend. */
#ifndef SHEPARD_CLI_HTML_MAP_H
#define SHEPARD_CLI_HTML_MAP_H

#include "color_legend.h"
#include "map_dots.h"
#include "overview.h"

struct shepard_html_map {
    const char *title;                       /**< heading of the figure */
    const char *label;                       /**< of the legend */
    const char *caption;                     /**< behind what is said of the points; "": nothing */
    const struct shepard_overview *overview; /**< NULL: points only */
    const struct shepard_raster *raster;     /**< of the overview */
    struct shepard_bounds box;               /**< without an overview */
    const struct shepard_srs_description *srs;
    struct shepard_color_scale scale;
    double min, max; /**< of what is drawn */
    struct shepard_map_dots dots;
};

/** Appends the figure; false on an error, said. */
bool shepard_html_map_draw(const struct shepard_html_map *map, struct shepard_html *html);

#endif
