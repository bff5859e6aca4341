/* SPDX-License-Identifier: MIT */
/** Paths on the command line. */
#ifndef SHEPARD_CLI_PATH_H
#define SHEPARD_CLI_PATH_H

#include <stdbool.h>

/** Whether an output path means standard output. */
bool shepard_path_is_stdout(const char *path);

/** Whether an input path means standard input. */
bool shepard_path_is_stdin(const char *path);

/** The last part of a path. */
const char *shepard_path_name(const char *path);

/** Whether two paths mean the same file, there already or not. Standard output is no file. */
bool shepard_path_same(const char *a, const char *b);

/** Whether a folder stands there. */
bool shepard_path_is_folder(const char *path);

/**
 * False, said, where something stands at the path of an output that is no file: a device, a FIFO,
 * a socket, a folder. It is not opened. before: the start of the message, such as "--json: ".
 */
bool shepard_path_check_output(const char *before, const char *path);

#endif
