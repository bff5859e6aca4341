/* SPDX-License-Identifier: MIT */
/** Predictions again, by every pair of target and point, in double on all processors: quick enough
 * for a hundred million points, and none of the library's own sums. */
#ifndef SHEPARD_BENCH_TRUTH_H
#define SHEPARD_BENCH_TRUTH_H

#include "sample.h"

/** Most neighbours that AIDW or a neighbourhood may ask for. */
#define SHEPARD_TRUTH_K_MAX 64

/**
 * The largest difference of a sample from the truth, as a fraction of the range of the values; NaN
 * where a prediction is NaN or was not kept. One value column; AIDW with r_exp of the nearest
 * neighbour, or IDW, over all points or the nearest max_points; nothing else of the options.
 * area: of AIDW. False where memory ran out.
 */
bool shepard_truth_error(const struct shepard_sample *sample, double area, double *error);

#endif
