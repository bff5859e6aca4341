/* SPDX-License-Identifier: MIT */
/** Data points drawn on a map. */
#ifndef SHEPARD_CLI_MAP_DOTS_H
#define SHEPARD_CLI_MAP_DOTS_H

#include "color_scale.h"
#include "map_frame.h"

struct shepard_map_dots {
    size_t count;
    const double *x, *y;
    const double *values; /**< those that are not finite are left out */
    bool plain;           /**< in one dark colour */
    bool by_size;         /**< the farther from the middle of the scale, the larger, and on top */
    size_t most;          /**< that many are drawn at most, chosen at random */
};

/** Draws the points that lie in the frame; returns how many. *inside: of how many. */
size_t shepard_map_dots_draw(const struct shepard_map_dots *dots,
                             const struct shepard_map_frame *frame,
                             const struct shepard_color_scale *scale, struct shepard_html *html,
                             size_t *inside);

#endif
