/* SPDX-License-Identifier: MIT */
/** What a run would take: time, memory and the size of its file. */
#ifndef SHEPARD_CLI_RUN_ESTIMATE_H
#define SHEPARD_CLI_RUN_ESTIMATE_H

#include "column_group.h"
#include "job.h"
#include "json.h"

struct shepard_run_estimate {
    double seconds;      /**< of the whole run */
    double read;         /**< of these: until predictions can begin, as it took just now */
    double search;       /**< at most, of -a auto */
    double predict;      /**< cells or targets, with what the first of them prepares */
    double write;        /**< the file */
    double memory_bytes; /**< the most at a time, of the process */
    double cells;        /**< to be computed: those inside the mask; -1: no raster */
    double file_bytes;   /**< 0: not known */
    double disk_bytes;   /**< of points on disk; 0: none */
    char format[40];     /**< GDAL's short name */
    char options[400];   /**< creation options of a raster, those by default too */
};

/** Sets the memory of a run that will hold so much more than the process does now. */
void shepard_run_estimate_add_memory(struct shepard_run_estimate *estimate, double bytes);

/** Prints the method, where it is computed, the output at `path`, time and memory. */
void shepard_run_estimate_print(const struct shepard_run_estimate *estimate,
                                const struct shepard_job *job,
                                const struct shepard_column_groups *surfaces, const char *path);

/** Adds it to a summary, if there is one. */
void shepard_run_estimate_add(const struct shepard_run_estimate *estimate,
                              struct shepard_json *json);

#endif
