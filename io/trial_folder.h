/* SPDX-License-Identifier: MIT */
/** A folder in memory, into which a part of an output is written to see what the whole will take.
 */
#ifndef SHEPARD_IO_TRIAL_FOLDER_H
#define SHEPARD_IO_TRIAL_FOLDER_H

#include <gdal.h>

struct shepard_trial_folder {
    char *folder, *path; /* path: of the output in it */
};

/** For an output that is to be written to `path` by a driver. Free it. */
struct shepard_trial_folder shepard_trial_folder_make(GDALDriverH driver, const char *path);

/** Bytes of all files in it. */
double shepard_trial_folder_bytes(const struct shepard_trial_folder *folder);

/** Removes it with what it holds. */
void shepard_trial_folder_free(struct shepard_trial_folder *folder);

/** Seconds since some moment. */
double shepard_trial_clock(void);

#endif
