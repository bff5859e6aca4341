/* SPDX-License-Identifier: MIT */
/** Predictions at places with a measured value, in random order, and how far they are off. */
#ifndef SHEPARD_CLI_PREDICTION_ERRORS_H
#define SHEPARD_CLI_PREDICTION_ERRORS_H

#include "shepard/shepard_validate.h"

#include <stdbool.h>

/** Arrays of one block of memory; start from {0}, free with shepard_prediction_errors_free. */
struct shepard_prediction_errors {
    size_t count; /**< places with a prediction */
    size_t room;
    double *x, *y;
    double *observed, *predicted;
    double *residual; /**< observed - predicted */
    double *sd;       /**< of the residual, as predicted; NULL: unknown */
    double *distance; /**< of the nearest point that was used; NULL: unknown */
};

/** One of them. */
struct shepard_prediction_error {
    double x, y, observed, predicted, sd, distance;
};

/** Makes room; false when out of memory, said. */
bool shepard_prediction_errors_make(struct shepard_prediction_errors *errors, size_t room,
                                    bool with_sd, bool with_distance);

void shepard_prediction_errors_free(struct shepard_prediction_errors *errors);

/** Adds one; there must be room. */
void shepard_prediction_errors_add(struct shepard_prediction_errors *errors,
                                   const struct shepard_prediction_error *error);

/** Means over all of them. */
struct shepard_scores
shepard_prediction_errors_scores(const struct shepard_prediction_errors *errors);

#endif
