/* SPDX-License-Identifier: MIT */
/** --dry-run: what a run would take, estimated from samples of it. */
#ifndef SHEPARD_CLI_DRY_RUN_H
#define SHEPARD_CLI_DRY_RUN_H

#include "json.h"
#include "strip.h"

struct shepard_run_estimate {
    double seconds;      /**< of the whole run */
    double read;         /**< of these: until predictions can begin, as it took just now */
    double search;       /**< at most, of -a auto */
    double predict;      /**< cells, with what the first of them prepares */
    double write;        /**< the file */
    double memory_bytes; /**< the most at a time, of the process */
    double cells;        /**< to be computed: those inside the mask */
    struct shepard_raster_trial file;
};

/** Estimates a run whose strips are ready, all but the file, which spec describes. Nothing is
 * written. False on an error, said. */
bool shepard_dry_run(const struct shepard_strip_job *strips, const struct shepard_raster_spec *spec,
                     struct shepard_run_estimate *estimate);

/** Prints what would be done. */
void shepard_estimate_print(const struct shepard_run_estimate *estimate,
                            const struct shepard_strip_job *strips,
                            const struct shepard_raster_spec *spec);

/** Adds it to a summary, if there is one. */
void shepard_estimate_add(const struct shepard_run_estimate *estimate, struct shepard_json *json);

#endif
