/* SPDX-License-Identifier: MIT */
/** The raster of several ranks: each writes the blocks of its region into a file of its own, and
 * one file comes of them at the end. */
#ifndef SHEPARD_CLI_RANK_RASTER_H
#define SHEPARD_CLI_RANK_RASTER_H

#include "cell_fit.h"
#include "job.h"
#include "rank_region.h"
#include "text_list.h"

/** Start from {0}, which is that of one process. */
struct shepard_rank_raster {
    struct shepard_raster_part part;    /**< of this rank: a file of so many */
    bool kept;                          /**< --resume: finished blocks survive the run */
    size_t blocks, finished;            /**< of all ranks; those that an earlier run finished */
    bool whole;                         /**< the raster is there */
    struct shepard_rank_region region;  /**< blocks of this rank */
    struct shepard_part_folder *folder; /**< on rank 0 */
    struct shepard_text_list paths;     /**< of all parts */
    struct shepard_text_list sources;   /**< where these are, if kept */
};

/** Whether several ranks work on it. */
bool shepard_rank_raster_is_shared(const struct shepard_rank_raster *shared);

/** The file of this rank, kept with --resume; nothing is made yet. False, said, where an option is
 * for one process. */
bool shepard_rank_raster_check(struct shepard_rank_raster *shared, const struct shepard_job *job,
                               bool kept, const char *option);

/** Of all ranks: makes the folder of the files and names them. False, said. */
bool shepard_rank_raster_begin(struct shepard_rank_raster *shared, struct shepard_job *job);

/** The file that this rank writes. */
const char *shepard_rank_raster_path(const struct shepard_rank_raster *shared,
                                     const struct shepard_job *job);

/** Of all ranks: divides the raster among them, at the blocks of this rank's file, and leaves out
 * what the file has. False, said. */
bool shepard_rank_raster_divide(struct shepard_rank_raster *shared,
                                const struct shepard_raster *raster,
                                const struct shepard_raster_file *file);

/** Of all ranks, whose files are there: rank 0 puts them together. fits [count]: of all cells
 * afterwards. False, said. */
bool shepard_rank_raster_finish(struct shepard_rank_raster *shared, struct shepard_cell_fit *fits,
                                size_t count, struct shepard_job *job);

/** Of all ranks, which write nothing any more: removes the folder, unless it is kept for another
 * run. */
void shepard_rank_raster_end(struct shepard_rank_raster *shared);

#endif
