/* SPDX-License-Identifier: MIT */
/* Whether a segment of a barrier hides one place from another, without rounding (Eq. 14a of
 * docs/math.md). Coordinates are frame units: finite, and multiples of 2^-492 within 2^241
 * of 0, so that no product of two overflows or vanishes. */
#ifndef SHEPARD_KERNEL_SEGMENT_H
#define SHEPARD_KERNEL_SEGMENT_H

#include <stdbool.h>

struct shepard_plane_point {
    double x, y;
};

/* From a to b, both included; they may be one place. */
struct shepard_segment {
    struct shepard_plane_point a, b;
};

/* The sign of the area of the triangle (a, b, c): above 0 where it runs counter-clockwise, 0 where
 * the three lie on one line. Exact. */
int shepard_turn_of(struct shepard_plane_point a, struct shepard_plane_point b,
                    struct shepard_plane_point c);

/* Whether the line of sight from s to t, its two ends not counted, has a place in common with the
 * segment. The same for t and s. Exact. */
bool shepard_segment_hides(const struct shepard_segment *segment, struct shepard_plane_point s,
                           struct shepard_plane_point t);

#endif
