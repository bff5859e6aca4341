/* SPDX-License-Identifier: MIT */
/** The summary of --json. */
#ifndef SHEPARD_CLI_REPORT_H
#define SHEPARD_CLI_REPORT_H

#include "auto_choice.h"
#include "cell_fit.h"
#include "column_group.h"
#include "input.h"
#include "json.h"
#include "report_data.h"
#include "result.h"

struct shepard_run_estimate;

/** What a verb has done. */
struct shepard_report {
    const char *verb;
    struct shepard_job *job;
    const struct shepard_input *input;
    const struct shepard_choice *choice; /**< of -a auto */
    const struct shepard_column_groups *surfaces;
    const struct shepard_results *results;
    const char *output;                     /**< path */
    const struct shepard_raster *raster;    /**< NULL: none was made */
    const char *type;                       /**< of the raster */
    const struct shepard_cell_fit *fits;    /**< of its bands */
    const char *srs;                        /**< of the raster, any definition; NULL: unknown */
    const struct shepard_report_data *data; /**< of --report; NULL: none */
    const char *query_srs;                  /**< of points, WKT; NULL: unknown */
    bool query_transformed;                 /**< to that of the data */
    size_t targets, targets_missing;        /**< of points */
    size_t targets_lonely;                  /**< with too few points within reach */
    size_t targets_lacking;                 /**< without a covariate */
    const struct shepard_run_estimate
        *estimate; /**< of --dry-run: nothing was done; NULL: it was */
};

/** The summary of a verb that reads points, with what all have; NULL where --json does not ask for
 * it: every function of json.h takes that. */
struct shepard_json *shepard_report_begin(const char *verb, const struct shepard_job *job,
                                          const struct shepard_input *input);

/** Adds a method with its parameters. */
void shepard_report_add_method(struct shepard_json *json,
                               const struct shepard_algorithm *algorithm);

/** Adds the trend of a column, fitted to a layer, to an object. */
void shepard_report_add_trend(struct shepard_json *json, const struct shepard_column_trend *trend,
                              size_t column, const struct shepard_covariate_list *covariates,
                              size_t layer);

/** Adds notes and costs, writes the summary where --json asks for it, and frees it; false where
 * that failed, said. */
bool shepard_report_end(struct shepard_json *json, struct shepard_job *job);

/** Writes the summary where --json asks for it; true where it does not. */
bool shepard_report_write(const struct shepard_report *report);

#endif
