/* SPDX-License-Identifier: MIT */
/* Frame units (Eq. 20 of docs/math.md): the user's coordinates times a power of two, so that the
 * data's box has a size near 1 and no square of a distance overflows or vanishes. The product is
 * exact, so distances keep their bits. */
#ifndef SHEPARD_CORE_FRAME_H
#define SHEPARD_CORE_FRAME_H

#include "shepard/shepard.h"

/* Squared distances from here on may be those of a target that is held nearer than it is. */
#define SHEPARD_FRAME_FAR2 0x1p478

struct shepard_box {
    double x_min, x_max, y_min, y_max;
};

struct shepard_frame {
    double scale;           /* frame = user * scale, a power of two */
    struct shepard_box box; /* of the data, frame units */
};

/* The frame for data with this box (user units, finite). */
struct shepard_frame shepard_frame_of(const struct shepard_box *box);

/* A target's coordinates in frame units, held within 2^240 of the data: farther away all weights
 * are equal to double precision whatever the power in (0, 100], and squares stay finite. */
void shepard_frame_target(const struct shepard_frame *frame, double *x, double *y);

/* A length in frame units, at most 2^245. */
double shepard_frame_length(const struct shepard_frame *frame, double length);

#endif
