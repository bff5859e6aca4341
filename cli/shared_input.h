/* SPDX-License-Identifier: MIT */
/** The points of a layer, read by several ranks and spread over them. */
#ifndef SHEPARD_CLI_SHARED_INPUT_H
#define SHEPARD_CLI_SHARED_INPUT_H

#include "spread.h"

#include "shepard/shepard_io.h"

struct shepard_shared_layer {
    struct shepard_source *source;
    const struct shepard_read_options *options;
    const struct shepard_io_control *control;
    int threads;    /**< as of --threads */
    bool essential; /**< for locally essential trees: along the curve through the box of all places,
                         those without a value too; else through that of the points */
};

/** Of all ranks: *points, which is {0}, gets the corners of their extent, *info what is known of
 * all of them. False on all ranks on an error, said. */
bool shepard_shared_input_read(const struct shepard_shared_layer *layer,
                               struct shepard_point_set *points, struct shepard_spill_info *info,
                               struct shepard_spread_points *spread);

#endif
