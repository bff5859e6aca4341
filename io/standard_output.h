/* SPDX-License-Identifier: MIT */
/** Standard output as the place of an output. */
#ifndef SHEPARD_IO_STANDARD_OUTPUT_H
#define SHEPARD_IO_STANDARD_OUTPUT_H

#include <stdbool.h>

/** Whether an output path means standard output. */
bool shepard_is_stdout(const char *path);

#endif
