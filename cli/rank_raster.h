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
    size_t blocks, finished;            /**< of the raster; those that earlier runs finished */
    bool whole;                         /**< the raster is there */
    struct shepard_rank_region region;  /**< blocks of this rank */
    struct shepard_part_folder *folder; /**< on rank 0 */
    struct shepard_text_list paths;     /**< of all parts, those of earlier runs, too */
    struct shepard_kept_files left;     /**< by earlier runs */
    bool ended;                         /**< one process of them had put the raster in its place */
    struct shepard_cell_fit *counted; /**< [bands] in files of earlier runs, but this rank's own */
    size_t bands;                     /**< of the raster; 0 before it is begun */
    uint64_t *numbers; /**< [number_count] of finished blocks, of this rank's files */
    size_t number_count;
};

/** Whether its blocks are in several files: several ranks work on it, or did so before. */
bool shepard_rank_raster_is_shared(const struct shepard_rank_raster *shared);

/** Whether several ranks can work on it; nothing is made yet. False, said, where an option is for
 * one process. */
bool shepard_rank_raster_check(struct shepard_rank_raster *shared, const struct shepard_job *job,
                               const char *option);

/** Of all ranks: makes the folder of the files and names them; with --resume takes over those that
 * a run of any number of ranks has left. spec: of the raster in one file. False, said. */
bool shepard_rank_raster_begin(struct shepard_rank_raster *shared,
                               const struct shepard_raster_spec *spec, struct shepard_job *job);

/** The file that this rank writes. */
const char *shepard_rank_raster_path(const struct shepard_rank_raster *shared,
                                     const struct shepard_job *job);

/** Of all ranks: divides what is left of the raster among them, at the blocks of this rank's file.
 * False, said. */
bool shepard_rank_raster_divide(struct shepard_rank_raster *shared,
                                const struct shepard_raster *raster,
                                const struct shepard_raster_file *file);

/** Of all ranks, whose files are there: rank 0 puts them together. fits [bands]: of all cells
 * afterwards. False, said. */
bool shepard_rank_raster_finish(struct shepard_rank_raster *shared, struct shepard_cell_fit *fits,
                                struct shepard_job *job);

/** Of all ranks, which write nothing any more: removes the folder, unless it is kept for another
 * run. */
void shepard_rank_raster_end(struct shepard_rank_raster *shared);

#endif
