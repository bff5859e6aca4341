/* SPDX-License-Identifier: MIT */
/** The data points of a job: one set for each layer or SQL result. */
#ifndef SHEPARD_CLI_INPUT_H
#define SHEPARD_CLI_INPUT_H

#include "job.h"

#include "shepard/shepard_io.h"

struct shepard_input {
    struct shepard_source *source;
    struct shepard_point_set *layers;
    size_t count; /**< layers, >= 1 */
};

/** Opens the source and reads all layers; false on an error, said. Notes what was left out. */
bool shepard_input_read(struct shepard_input *input, const char *path, struct shepard_job *job);

/** Notes that who ("layer a") has longitude and latitude. */
void shepard_input_note_geographic(const char *who, struct shepard_watch *watch);

void shepard_input_free(struct shepard_input *input);

#endif
