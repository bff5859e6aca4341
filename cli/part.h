/* SPDX-License-Identifier: MIT */
/** --part: the share of a raster's blocks that one run computes. */
#ifndef SHEPARD_CLI_PART_H
#define SHEPARD_CLI_PART_H

#include "column_group.h"
#include "input.h"
#include "job.h"

/** Whether several runs can share a raster of this method, for an option that lets them: false,
 * said, with what each run would have for itself: a page, a method that is searched for, digits
 * that depend on the part. */
bool shepard_part_check_method(const struct shepard_job *job, const char *option);

/** Reads "i/n"; NULL is the whole raster. False, said, on another text, and where
 * shepard_part_check_method is. */
bool shepard_part_read(const char *text, const struct shepard_job *job,
                       struct shepard_raster_part *part);

/** Adds to the file's metadata which part it is and a checksum of what it was computed from, so
 * that parts of two rasters are not put together. Nothing of a whole raster. False when out of
 * memory, said. */
bool shepard_part_describe(const struct shepard_raster_part *part,
                           const struct shepard_input *input,
                           const struct shepard_column_groups *surfaces,
                           struct shepard_text_list *metadata);

/** Notes a part without a block. */
void shepard_part_note_empty(const struct shepard_raster_part *part, size_t windows,
                             struct shepard_progress *watch);

#endif
