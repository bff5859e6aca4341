/* SPDX-License-Identifier: MIT */
/** A raster computed and written in strips of rows, so that memory stays bounded. */
#ifndef SHEPARD_CLI_STRIP_H
#define SHEPARD_CLI_STRIP_H

#include "cell_fit.h"
#include "column_group.h"
#include "overview.h"
#include "result.h"

/** What is computed, and where it goes. */
struct shepard_strip_job {
    struct shepard_job *job;
    const struct shepard_column_groups *surfaces;
    const struct shepard_results *results; /**< one band each */
    struct shepard_raster raster;
    struct shepard_raster_file *file;
    struct shepard_cell_fit *fits;      /**< one for each band */
    struct shepard_overview *overviews; /**< of the first bands; NULL: none */
    size_t overview_count;
};

/** Computes and writes all strips; false on an error, said. */
bool shepard_strips_run(const struct shepard_strip_job *strips);

#endif
