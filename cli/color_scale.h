/* SPDX-License-Identifier: MIT */
/** Colours of values: ramps that are even to the eye and safe for the colour-blind. */
#ifndef SHEPARD_CLI_COLOR_SCALE_H
#define SHEPARD_CLI_COLOR_SCALE_H

#include <stdbool.h>

enum shepard_color_ramp {
    SHEPARD_RAMP_VIRIDIS,     /**< dark violet, green, yellow: values */
    SHEPARD_RAMP_UNCERTAINTY, /**< nearly white to dark red-brown: how large an error may be */
    SHEPARD_RAMP_DIVERGING    /**< blue, nearly white, red-brown: signed errors */
};

struct shepard_color_scale {
    enum shepard_color_ramp ramp;
    double low, high; /**< low < high; values beyond get the colours of the ends */
};

/** A scale that has at least a little width. */
struct shepard_color_scale shepard_color_scale_make(enum shepard_color_ramp ramp, double low,
                                                    double high);

/** The place of a value, from 0 to 1. */
double shepard_color_scale_place(const struct shepard_color_scale *scale, double value);

/** Red, green and blue of a place on a ramp. */
void shepard_color_at(enum shepard_color_ramp ramp, double place, unsigned char color[3]);

#endif
