/* SPDX-License-Identifier: MIT */
/** Leave-one-out: data points of a column, each predicted from the others. */
#ifndef SHEPARD_CLI_LEFT_OUT_POINTS_H
#define SHEPARD_CLI_LEFT_OUT_POINTS_H

#include "column_group.h"
#include "prediction_errors.h"

struct shepard_leave_one_out {
    const char *field;
    size_t points; /**< that have a value */
    size_t tried;  /**< of these, chosen at random: all, SHEPARD_LEAVE_ONE_OUT_MOST, or what could
                        be done in SHEPARD_LEAVE_ONE_OUT_SECONDS */
    bool anisotropic;                        /**< distances are those of the group's anisotropy */
    struct shepard_prediction_errors errors; /**< of those that have a prediction */
    struct shepard_scores scores;
};

enum { SHEPARD_LEAVE_ONE_OUT_MOST = 10000, SHEPARD_LEAVE_ONE_OUT_SECONDS = 10 };

/** Predicts for a column of a group; false on an error, said. Not for methods of GDAL. Start from
 * {0}; free with shepard_leave_one_out_free. */
bool shepard_leave_one_out_run(struct shepard_leave_one_out *held_out,
                               const struct shepard_column_group *group, size_t column,
                               const struct shepard_point_set *points, struct shepard_job *job);

void shepard_leave_one_out_free(struct shepard_leave_one_out *held_out);

#endif
