/* SPDX-License-Identifier: MIT */
/**
 * Temporary folders, each locked by the run that made it: one whose lock is free was left by a run
 * that was killed.
 */
#ifndef SHEPARD_IO_TEMP_FOLDER_H
#define SHEPARD_IO_TEMP_FOLDER_H

#include "io_error.h"

/** Start from {0}. */
struct shepard_temp_folder {
    char *path; /* NULL: not made */
    int lock;   /* descriptor of the owner file, locked if the file system has locks; < 0: none */
};

/** The file in a folder that says whose it is; not part of any output. */
extern const char shepard_temp_folder_owner[];

/** Makes a folder in the parent: 0, or errno. */
int shepard_temp_folder_make(struct shepard_temp_folder *folder, const char *parent);

/** Makes a folder of this path, or takes one that a run left, with what is in it: 0, or errno,
 * which is EWOULDBLOCK where another run has it. */
int shepard_temp_folder_take(struct shepard_temp_folder *folder, const char *path);

/** Leaves the folder to another run. Without one nothing is done. */
void shepard_temp_folder_leave(struct shepard_temp_folder *folder);

/** Removes the folder, with all in it, and its lock. Without one nothing is done. */
void shepard_temp_folder_remove(struct shepard_temp_folder *folder);

/**
 * Removes the folders in the parent that killed runs of this user on this host left there, with a
 * note each. One that may belong to a run on another host, whose locks do not show here, is only
 * named. Those of living runs stay.
 */
void shepard_temp_folder_sweep(const char *parent, const struct shepard_io_control *control);

#endif
