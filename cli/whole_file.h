/* SPDX-License-Identifier: MIT */
/** A file of text that appears whole or not at all: it is written next to its place and renamed. */
#ifndef SHEPARD_CLI_WHOLE_FILE_H
#define SHEPARD_CLI_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/** Whether a file can be written; else false, said. Leaves nothing there. option: the one that
 * named the file, for messages. */
bool shepard_whole_file_check(const char *option, const char *file);

/** Writes length bytes; false where that failed, said. A file of that name from before then stays.
 */
bool shepard_whole_file_write(const char *option, const char *file, const char *text,
                              size_t length);

#endif
