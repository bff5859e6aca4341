/* SPDX-License-Identifier: MIT */
/** All points of a job in arrays on disk: for methods that predict from all of them. */
#ifndef SHEPARD_CLI_DISK_POINTS_H
#define SHEPARD_CLI_DISK_POINTS_H

#include "file_memory.h"
#include "input.h"
#include "spilled_field.h"

struct shepard_disk_points {
    struct shepard_file_memory *memory; /**< NULL: a sample, in plain memory */
    struct shepard_allocator allocator; /**< of the file memory */
    struct shepard_spilled_field field;
    double bytes; /**< that all points take on disk, of a sample an estimate */
};

/** Makes the field of the only surface of a job from the points of its spill, with a bar of its
 * own. False, said. Start from {0}. */
bool shepard_disk_points_load(struct shepard_disk_points *disk, const struct shepard_input *input,
                              const struct shepard_column_groups *surfaces,
                              struct shepard_job *job);

void shepard_disk_points_free(struct shepard_disk_points *disk);

#endif
