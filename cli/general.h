/* SPDX-License-Identifier: MIT */
/** What is around every verb: GDAL's start and end, its general options, --help. */
#ifndef SHEPARD_CLI_GENERAL_H
#define SHEPARD_CLI_GENERAL_H

#include "text_list.h"

#include <stdbool.h>

/**
 * Starts GDAL, where it is built in, and handles its general options: *argc and *argv become the
 * list without them. *done is set where such an option was all that was asked for. False on an
 * error, said. End with shepard_general_end in every case.
 */
bool shepard_general_begin(int *argc, char ***argv, bool *done);

/** The files that --optfile named. */
const struct shepard_text_list *shepard_general_optfiles(void);

/** Frees the list that shepard_general_begin made of first, and ends GDAL. */
void shepard_general_end(char **argv, char **first);

/** GDAL's version; NULL where it is not built in. */
const char *shepard_general_gdal_version(void);

#endif
