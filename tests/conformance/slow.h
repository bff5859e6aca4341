/* SPDX-License-Identifier: MIT */
/* Predictions written a second time, straight from the equations (docs/math.md; Shepard 1968; Lu &
 * Wong 2008, Mei, Xu & Xu 2015 Eq. 2 to 6), in long double and without a thought for speed. Shares
 * nothing with the library. */
#ifndef SHEPARD_TESTS_SLOW_H
#define SHEPARD_TESTS_SLOW_H

#include "model.h"
#include "scene.h"

#define SLOW_NOT(id, array, name)
#define SLOW_NUMBER(id, array, name) double array;

struct slow_prediction {
    bool met;
    /* Diagnostics; nearest is NaN where count is 0. */
    SHEPARD_DIAGNOSTIC_LIST(SLOW_NUMBER, SLOW_NOT)
    double values[SCENE_COLUMNS_MAX], deviations[SCENE_COLUMNS_MAX];
    double sds[SCENE_COLUMNS_MAX]; /* of kriging */
};

/* Predicts at a finite place. */
struct slow_prediction slow_predict(const struct scene *scene, const struct model_options *options,
                                    double x, double y);

/* Eq. 3: the mean distance from (x, y) to the k nearest points. */
long double slow_mean_distance(const struct scene *scene, size_t k, double x, double y);

/* Eq. 2 or its form for the mean of k distances; n points in the area. */
long double slow_expected_distance(const struct scene *scene,
                                   const struct shepard_adaptive *adaptive);

/* Eq. 5. */
long double slow_mu(const struct shepard_adaptive *adaptive, long double r);

/* Eq. 6, its branches one by one. */
long double slow_power(const double powers[5], long double mu);

/* The indices of the k nearest points, nearest first, those at equal distances by x, y and index;
 * returns how many there are. Of the options only the anisotropy counts; NULL: no anisotropy. */
size_t slow_nearest(const struct scene *scene, const struct model_options *options, size_t k,
                    double x, double y, uint32_t *indices);

#endif
