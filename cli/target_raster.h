/* SPDX-License-Identifier: MIT */
/** The raster that the command line asks for, placed by the data. */
#ifndef SHEPARD_CLI_TARGET_RASTER_H
#define SHEPARD_CLI_TARGET_RASTER_H

#include "input.h"
#include "job.h"
#include "reference.h"

struct shepard_target_raster {
    struct shepard_reference reference;
    struct shepard_raster raster;
};

/** Checks the options of the extent and reads the raster of -like. False on an error, said. */
bool shepard_target_raster_read(struct shepard_target_raster *target, struct shepard_job *job);

/** Places the raster, and notes one that is most likely not meant. srs: that of the points, NULL:
 * unknown. False on an error, said. */
bool shepard_target_raster_place(struct shepard_target_raster *target, const char *srs,
                                 const struct shepard_input *input, struct shepard_job *job);

/** Its outer edges. */
struct shepard_bounds shepard_raster_box(const struct shepard_raster *raster);

void shepard_target_raster_free(struct shepard_target_raster *target);

#endif
