/* SPDX-License-Identifier: MIT */
/** The summary of --json. */
#ifndef SHEPARD_CLI_REPORT_H
#define SHEPARD_CLI_REPORT_H

#include "cell_fit.h"
#include "column_group.h"
#include "input.h"
#include "json.h"
#include "result.h"

/** What a verb has done. */
struct shepard_report {
    const char *verb;
    struct shepard_job *job;
    const struct shepard_input *input;
    const struct shepard_column_groups *surfaces;
    const struct shepard_results *results;
    const char *output;                  /**< path */
    const struct shepard_raster *raster; /**< NULL: none was made */
    const char *type;                    /**< of the raster */
    const struct shepard_cell_fit *fits; /**< of its bands */
    const char *query_srs;               /**< of points, WKT; NULL: unknown */
    bool query_transformed;              /**< to that of the data */
    size_t targets, targets_missing;     /**< of points */
    size_t targets_lonely;               /**< with too few points within reach */
};

/** Writes the summary where --json asks for it; true where it does not. */
bool shepard_report_write(const struct shepard_report *report);

#endif
