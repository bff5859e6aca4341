/* SPDX-License-Identifier: MIT */
/** The query layer: places to predict at. */
#ifndef SHEPARD_CLI_QUERY_H
#define SHEPARD_CLI_QUERY_H

#include "input.h"
#include "job.h"

struct shepard_query {
    struct shepard_source *source;
    struct shepard_target_layer *layer;
    struct shepard_target_layer_targets targets;
    enum shepard_geometry_use geometry;     /**< of lines and polygons */
    const struct shepard_text_list *fields; /**< to be read too; NULL: none */
};

/** Checks the options of the query. False on a wrong one, said. */
bool shepard_query_check(struct shepard_query *query, struct shepard_job *job);

/** Reads the places of the layer at path, in the coordinate system of the data. Notes what has no
 * usable place. False on an error, said. */
bool shepard_query_open(struct shepard_query *query, const char *path,
                        const struct shepard_input *input, struct shepard_job *job);

void shepard_query_free(struct shepard_query *query);

#endif
