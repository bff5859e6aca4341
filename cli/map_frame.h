/* SPDX-License-Identifier: MIT */
/** The frame of a drawn map: where places lie in the drawing, its coordinates and its scale bar. */
#ifndef SHEPARD_CLI_MAP_FRAME_H
#define SHEPARD_CLI_MAP_FRAME_H

#include "html.h"

#include "shepard/shepard_io.h"

/** Drawings are this wide, in units of their own; a page stretches them to its columns. */
enum { SHEPARD_DRAWING_WIDTH = 420 };

struct shepard_map_frame {
    struct shepard_bounds box; /**< in map units */
    const struct shepard_srs_description *srs;
    double left, top, width, height; /**< of the box in the drawing */
    double metres;                   /**< of a map unit along x; 0: unknown */
};

/** Fits a box of places into a drawing; in degrees as wide as it is in its middle latitude. */
struct shepard_map_frame shepard_map_frame_fit(const struct shepard_bounds *box,
                                               const struct shepard_srs_description *srs);

/** The unit of the coordinates as maps write it: "m", "°", or its name; "" where it is unknown. */
const char *shepard_map_unit(const struct shepard_srs_description *srs);

/** A place in the drawing. */
double shepard_map_frame_x(const struct shepard_map_frame *frame, double x);
double shepard_map_frame_y(const struct shepard_map_frame *frame, double y);

/** Draws the edge with coordinates, and the scale bar below; returns where that ends. */
double shepard_map_frame_draw(const struct shepard_map_frame *frame, struct shepard_html *html);

#endif
