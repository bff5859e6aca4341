/* SPDX-License-Identifier: MIT */
/* Standard deviations of predictions from the distance of the nearest point and the deviation
 * (docs/math/standard-deviation.md). */
#ifndef SHEPARD_CORE_SD_MODEL_H
#define SHEPARD_CORE_SD_MODEL_H

#include "shepard/shepard.h"

/* What a model is fitted to. */
struct shepard_sd_data {
    size_t count;                                   /* n >= 1 */
    const double *residuals, *nearest, *deviations; /* [n] finite, the last two >= 0 */
    double *room;                                   /* [3 n] */
};

/* Finite in all members, whatever the data. */
struct shepard_sd_model shepard_sd_model_of(const struct shepard_sd_data *data);

/* The standard deviation (Eq. 84); nearest and deviation are >= 0. */
double shepard_sd_model_at(const struct shepard_sd_model *model, double nearest, double deviation);

#endif
