/* SPDX-License-Identifier: MIT */
/** The keys of -a: name, kind of value, range, and the library's option behind each. */
#ifndef SHEPARD_CLI_KEY_H
#define SHEPARD_CLI_KEY_H

#include "shepard/shepard.h"

#include <stdbool.h>

/** Two keys may share a name where algorithms give it different ranges. */
enum shepard_key {
    SHEPARD_KEY_END, /**< ends a list of keys */
    SHEPARD_KEY_POWER,
    SHEPARD_KEY_SMOOTHING,
    SHEPARD_KEY_RADIUS1,
    SHEPARD_KEY_RADIUS2,
    SHEPARD_KEY_RADIUS_LINEAR,
    SHEPARD_KEY_ANGLE,
    SHEPARD_KEY_K,
    SHEPARD_KEY_K_ADAPTIVE,
    SHEPARD_KEY_MAX_POINTS,
    SHEPARD_KEY_MIN_POINTS,
    SHEPARD_KEY_MAX_PER_QUADRANT,
    SHEPARD_KEY_MIN_PER_QUADRANT,
    SHEPARD_KEY_SECTORS,
    SHEPARD_KEY_MAX_PER_SECTOR,
    SHEPARD_KEY_MIN_PER_SECTOR,
    SHEPARD_KEY_ANISOTROPY_RATIO,
    SHEPARD_KEY_ANISOTROPY_ANGLE,
    SHEPARD_KEY_ALPHAS,
    SHEPARD_KEY_R_MIN,
    SHEPARD_KEY_R_MAX,
    SHEPARD_KEY_AREA,
    SHEPARD_KEY_EXPECT,
    SHEPARD_KEY_DEGREE,
    SHEPARD_KEY_RIDGE,
    SHEPARD_KEY_EPS,
    SHEPARD_KEY_PRECISION,
    SHEPARD_KEY_NODATA,
    SHEPARD_KEY_COUNT
};

const char *shepard_key_name(enum shepard_key key);

/** Its default, as text. */
const char *shepard_key_standard(enum shepard_key key);

/** Checks the text of a key's value and puts the value into the options. False on a wrong one,
 * said. */
bool shepard_key_read(enum shepard_key key, const char *text, struct shepard_options *options);

#endif
