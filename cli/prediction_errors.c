/* SPDX-License-Identifier: MIT */
#include "prediction_errors.h"

#include "message.h"

#include <stdlib.h>

bool shepard_prediction_errors_make(struct shepard_prediction_errors *errors, size_t room,
                                    bool with_sd, bool with_distance)
{
    double *const numbers = malloc((7 * room + 1) * sizeof *numbers);
    if (!numbers) {
        return shepard_say_error("out of memory");
    }
    *errors =
        (struct shepard_prediction_errors){.room = room,
                                           .x = numbers,
                                           .y = numbers + room,
                                           .observed = numbers + 2 * room,
                                           .predicted = numbers + 3 * room,
                                           .residual = numbers + 4 * room,
                                           .sd = with_sd ? numbers + 5 * room : NULL,
                                           .distance = with_distance ? numbers + 6 * room : NULL};
    return true;
}

void shepard_prediction_errors_free(struct shepard_prediction_errors *errors)
{
    free(errors->x);
    *errors = (struct shepard_prediction_errors){0};
}

void shepard_prediction_errors_add(struct shepard_prediction_errors *errors,
                                   const struct shepard_prediction_error *error)
{
    const size_t i = errors->count++;
    errors->x[i] = error->x;
    errors->y[i] = error->y;
    errors->observed[i] = error->observed;
    errors->predicted[i] = error->predicted;
    errors->residual[i] = error->observed - error->predicted;
    if (errors->sd) {
        errors->sd[i] = error->sd;
    }
    if (errors->distance) {
        errors->distance[i] = error->distance;
    }
}

struct shepard_scores
shepard_prediction_errors_scores(const struct shepard_prediction_errors *errors)
{
    struct shepard_scores scores;
    shepard_scores_compute(errors->observed, errors->predicted, errors->sd, errors->count, &scores);
    return scores;
}
