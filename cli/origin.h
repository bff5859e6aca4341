/* SPDX-License-Identifier: MIT */
/** What decides the bits of predictions, as text: two runs with the same origin, method and
 * parameters have the same cells. */
#ifndef SHEPARD_CLI_ORIGIN_H
#define SHEPARD_CLI_ORIGIN_H

#include "column_group.h"
#include "input.h"
#include "job.h"
#include "mask.h"

/** Appends a checksum of all points, with the backend and the instruction set that sum them. False
 * when out of memory, said. */
bool shepard_origin_append(const struct shepard_input *input,
                           const struct shepard_column_groups *surfaces, char **text);

/** Adds everything else that cells depend on and metadata do not hold, "NAME=VALUE" each: barriers,
 * rasters of -trend, the mask; of files size and time of the last change. False when out of
 * memory, said. */
bool shepard_origin_add_files(const struct shepard_job *job,
                              const struct shepard_mask_options *mask,
                              struct shepard_text_list *items);

#endif
