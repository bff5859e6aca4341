/* SPDX-License-Identifier: MIT */
/** A raster computed and written in strips, so that memory stays bounded. */
#ifndef SHEPARD_CLI_STRIP_H
#define SHEPARD_CLI_STRIP_H

#include "cell_fit.h"
#include "column_group.h"
#include "levels.h"
#include "mask.h"
#include "near_points.h"
#include "overview.h"
#include "rank_region.h"
#include "result.h"

/** What is computed, and where it goes. */
struct shepard_strip_job {
    struct shepard_job *job;
    const struct shepard_column_groups *surfaces;
    const struct shepard_results *results; /**< one band each */
    struct shepard_raster raster;
    const struct shepard_mask *mask;
    const struct shepard_levels *levels; /**< none: the plane */
    struct shepard_raster_file *file;
    const struct shepard_rank_region *region; /**< of the file; NULL: all windows that it has */
    struct shepard_cell_fit *fits;            /**< one for each band */
    struct shepard_near_points *near;         /**< points on disk; NULL: all are in memory */
    size_t numbers_max;                       /**< that all bands of a strip hold together */
    size_t blocks_max; /**< whole ones of the file in a strip; 0: what fits into the buffers */
    bool whole_blocks; /**< a strip has whole blocks, whether they fit or not */
    struct shepard_overview *overviews; /**< of the first bands; NULL: none */
    size_t overview_count;
};

/** Numbers that all bands of a strip hold together, at most, with all points in memory: 64 MiB of
 * them. */
#define SHEPARD_STRIP_NUMBERS (8 * 1024 * 1024)

/** Computes a window as a strip would be, without the file, to which nothing is written: all
 * results, one behind the other, row-major; free them. NULL on an error, said. */
double *shepard_strip_values(const struct shepard_strip_job *strips,
                             const struct shepard_window *window);

/** Computes and writes all strips of the region, or of the file's windows; false on an error, said.
 */
bool shepard_strips_run(const struct shepard_strip_job *strips);

#endif
