/* SPDX-License-Identifier: MIT */
/** The library's errors in the words of the command line. */
#ifndef SHEPARD_CLI_ERROR_TEXT_H
#define SHEPARD_CLI_ERROR_TEXT_H

#include "algorithm.h"

#include <stdbool.h>

/** Says a library call's error with keys and options in place of field names; returns false. */
bool shepard_say_library_error(const struct shepard_algorithm *algorithm, const char *message);

#endif
