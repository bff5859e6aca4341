/* SPDX-License-Identifier: MIT */
/** Data whose density changes more than that of real ones mostly does. */
#ifndef SHEPARD_BENCH_SHAPE_H
#define SHEPARD_BENCH_SHAPE_H

#include "papers/dataset.h"

/** decades: distances from the middle even in their logarithm, over 9 decades; line: on a straight
 * line; speck: nine tenths within a millionth of the side, the rest over the square; in each of
 * these targets lie as points do. outside: even points, targets up to three sides away. */
enum shepard_shape {
    SHEPARD_SHAPE_DECADES,
    SHEPARD_SHAPE_LINE,
    SHEPARD_SHAPE_SPECK,
    SHEPARD_SHAPE_OUTSIDE,
    SHEPARD_SHAPES
};

/** Static. */
const char *shepard_shape_name(enum shepard_shape shape);

/** Moves points and targets of a uniform dataset; values stay. */
void shepard_shape_give(enum shepard_shape shape, struct shepard_dataset *dataset);

#endif
