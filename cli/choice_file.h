/* SPDX-License-Identifier: MIT */
/** The file with the choice of a tuning: what -a @FILE reads. Lines that begin with # are comments,
 * another one is an algorithm as -a takes it. */
#ifndef SHEPARD_CLI_CHOICE_FILE_H
#define SHEPARD_CLI_CHOICE_FILE_H

#include <stdbool.h>

/** The file of -a @FILE; NULL: the text is an algorithm itself, or NULL. */
const char *shepard_choice_file(const char *text);

/** Reads the algorithm, *text is to be freed; false on an error, said. */
bool shepard_choice_read(const char *file, char **text);

/** Writes it behind a comment of one line. The file appears whole or not at all. False on an error,
 * said. */
bool shepard_choice_write(const char *file, const char *text, const char *comment);

#endif
