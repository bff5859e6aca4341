/* SPDX-License-Identifier: MIT */
/** --dry-run of points: what a run would take, estimated from samples of its targets. */
#ifndef SHEPARD_CLI_POINTS_DRY_RUN_H
#define SHEPARD_CLI_POINTS_DRY_RUN_H

#include "query.h"
#include "result.h"
#include "run_estimate.h"

/** A run that is ready to predict. */
struct shepard_points_job {
    struct shepard_job *job;
    const struct shepard_column_groups *surfaces;
    struct shepard_results *results;
    const struct shepard_query *query;
    const struct shepard_vector_spec *spec; /**< of the file, its columns without numbers */
};

/** Estimates it. Nothing is written. False on an error, said. */
bool shepard_points_dry_run(const struct shepard_points_job *plan,
                            struct shepard_run_estimate *estimate);

#endif
