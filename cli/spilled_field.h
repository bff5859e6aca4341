/* SPDX-License-Identifier: MIT */
/** The surface of a job on points that are not those of its input: from disk, or of other ranks. */
#ifndef SHEPARD_CLI_SPILLED_FIELD_H
#define SHEPARD_CLI_SPILLED_FIELD_H

#include "column_group.h"

#include "shepard/shepard_io.h"

/** The data of points that are elsewhere: its ranges are those of info, which outlives it. */
struct shepard_whole shepard_spilled_whole(const struct shepard_spill_info *info);

/** Numbers of a point: x, y, values and, where there are weights, the weight. */
size_t shepard_spilled_fields(const struct shepard_spill_info *info);

/** Points as shepard_spill_read gives them. */
struct shepard_spilled_points {
    const struct shepard_spill_info *info; /**< of all points */
    const double *numbers;                 /**< [fields, stride] */
    size_t stride, count;
};

struct shepard_spilled_field {
    struct shepard_points *points;
    struct shepard_column_group surface; /**< of the job, on these points */
};

/** Makes both, in place of what they were; the arrays are copied. Start from {0}. */
enum shepard_status shepard_spilled_field_make(struct shepard_spilled_field *field,
                                               const struct shepard_column_group *surface,
                                               const struct shepard_points_options *options,
                                               const struct shepard_spilled_points *points,
                                               struct shepard_error *error);

void shepard_spilled_field_forget(struct shepard_spilled_field *field);

#endif
