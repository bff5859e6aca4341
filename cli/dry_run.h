/* SPDX-License-Identifier: MIT */
/** --dry-run of grid: what a run would take, estimated from samples of it. */
#ifndef SHEPARD_CLI_DRY_RUN_H
#define SHEPARD_CLI_DRY_RUN_H

#include "run_estimate.h"
#include "strip.h"

/** Estimates a run whose strips are ready, all but the file, which spec describes. Nothing is
 * written. False on an error, said. */
bool shepard_dry_run(const struct shepard_strip_job *strips, const struct shepard_raster_spec *spec,
                     struct shepard_run_estimate *estimate);

/** Prints what would be done. */
void shepard_dry_run_print(const struct shepard_run_estimate *estimate,
                           const struct shepard_strip_job *strips,
                           const struct shepard_raster_spec *spec);

#endif
