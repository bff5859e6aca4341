/* SPDX-License-Identifier: MIT */
/** The library's errors in the words of the command line. */
#ifndef SHEPARD_CLI_ERROR_TEXT_H
#define SHEPARD_CLI_ERROR_TEXT_H

#include "algorithm.h"

#include "shepard/shepard_io.h"

#include <stdbool.h>

/** Says a library call's error with keys and options in place of field names; returns false. */
bool shepard_say_library_error(const struct shepard_algorithm *algorithm, const char *message);

/** The message of the library with "field NAME" in place of "values.columns[c]", column[c] being
 * the number of c among the fields of the points; to be freed. NULL: out of memory. */
char *shepard_error_with_fields(const char *message, const struct shepard_point_set *points,
                                const size_t *column);

#endif
