/* SPDX-License-Identifier: MIT */
/** What a verb holds out of its data, by --at, --folds, --blocks, --seed and the raster's options.
 */
#ifndef SHEPARD_CLI_HOLDOUT_H
#define SHEPARD_CLI_HOLDOUT_H

#include "json.h"
#include "query.h"
#include "target_raster.h"

#include "shepard/shepard_validate.h"

struct shepard_holdout_plan {
    struct shepard_validation validation;
    struct shepard_query query;          /**< of --at */
    struct shepard_target_raster raster; /**< of the raster's options */
    struct shepard_targets targets;
};

/** Whether the options say where the targets are: --at or a raster. */
bool shepard_holdout_has_targets(const struct shepard_job_options *options);

/** Reads the options. False, said, where they exclude each other or one is wrong. */
bool shepard_holdout_plan_check(struct shepard_holdout_plan *plan, struct shepard_job *job);

/** Reads or places the targets, if there are any. False on an error, said. */
bool shepard_holdout_plan_place(struct shepard_holdout_plan *plan,
                                const struct shepard_input *input, struct shepard_job *job);

/** Holds data of a column out; values: its own, or what a trend leaves of them. Says where the data
 * cannot tell the error at the targets. False on an error, said; a column of one value is one. */
bool shepard_holdout_plan_create(const struct shepard_holdout_plan *plan,
                                 const struct shepard_point_set *points, size_t column,
                                 const struct shepard_array *values, struct shepard_job *job,
                                 struct shepard_holdout **holdout);

/** What of a column is held out for the targets of a prediction. */
struct shepard_holdout_samples {
    const char *purpose;  /**< stands before notes: "sd of field zinc" */
    size_t stars, others; /**< how many, as targets ask for, and else; as in shepard_validation */
    uint64_t seed;
};

/** Holds data of a column, with these values, out as the targets ask for; where they lie so far out
 * that no datum can stand for one, among the data, with a note. Errors are not said. */
enum shepard_status shepard_holdout_at_targets(
    const struct shepard_point_set *points, const struct shepard_array *values,
    const struct shepard_targets *targets, const struct shepard_holdout_samples *samples,
    struct shepard_job *job, struct shepard_holdout **holdout, struct shepard_error *error);

/** Whether the points that a column uses have one value. *value: the least; INFINITY: no point. */
bool shepard_column_is_constant(const struct shepard_point_set *points, size_t column,
                                double *value);

void shepard_holdout_plan_free(struct shepard_holdout_plan *plan);

/** Adds what is held out to a JSON object. */
void shepard_holdout_add(const struct shepard_holdout_info *info, struct shepard_json *json);

/** What is held out, as the table's heading says it, to be freed; NULL: out of memory. */
char *shepard_holdout_text(const struct shepard_holdout_info *info);

#endif
