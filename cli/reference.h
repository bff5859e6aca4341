/* SPDX-License-Identifier: MIT */
/** The reference raster of -like: another raster's georeference, size and coordinate system. */
#ifndef SHEPARD_CLI_REFERENCE_H
#define SHEPARD_CLI_REFERENCE_H

#include "input.h"

struct shepard_reference {
    const char *path; /**< NULL: none was asked for */
    struct shepard_raster raster;
    char *srs; /**< NULL: unknown */
};

/** Reads the raster at path; NULL: no reference. False on an error, said. */
bool shepard_reference_read(struct shepard_reference *reference, const char *path);

/**
 * Checks that the points are in the raster's coordinate system; srs: that of the points, NULL:
 * unknown. Where one system is unknown both are taken to be the same, with a note. False, said,
 * where they are not.
 */
bool shepard_reference_check(const struct shepard_reference *reference, const char *srs,
                             const struct shepard_input *input, struct shepard_progress *watch);

void shepard_reference_free(struct shepard_reference *reference);

#endif
