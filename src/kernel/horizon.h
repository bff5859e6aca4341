/* SPDX-License-Identifier: MIT */
/* How far a target sees at most in each of a few directions, by the segments of barriers round it:
 * a bound that only tells what is hidden for certain. Offsets are those from the target. A
 * distance here is the larger of |dx| and |dy|. */
#ifndef SHEPARD_KERNEL_HORIZON_H
#define SHEPARD_KERNEL_HORIZON_H

#include <stdbool.h>

/* Wedges between the rays of slopes -1, -1 + 1/8 ... 1 to the east, and so to the other sides. */
#define SHEPARD_SIDE_WEDGES 16
#define SHEPARD_WEDGES (4 * SHEPARD_SIDE_WEDGES)

struct shepard_horizon {
    double reach[SHEPARD_WEDGES]; /* nothing farther is seen in the wedge; infinite: unknown */
    double most;                  /* the largest of them */
};

/* A box of offsets. */
struct shepard_offsets {
    double x_min, x_max, y_min, y_max;
};

/* Nothing is known. */
void shepard_horizon_clear(struct shepard_horizon *horizon);

/* Takes the segment from (ax, ay) to (bx, by) into account, all rounded; but for `most`. */
void shepard_horizon_add(struct shepard_horizon *horizon, double ax, double ay, double bx,
                         double by);

/* Brings `most` up to date. */
void shepard_horizon_sum_up(struct shepard_horizon *horizon);

/* Whether a place is hidden for certain. */
bool shepard_horizon_hides(const struct shepard_horizon *horizon, double dx, double dy);

/* Whether all of a box is. */
bool shepard_horizon_hides_box(const struct shepard_horizon *horizon,
                               const struct shepard_offsets *box);

#endif
