/* SPDX-License-Identifier: MIT */
#include "check_error.h"

#include "check.h"

#include <string.h>

void check_error(enum shepard_status got, const struct shepard_error *error,
                 enum shepard_status want, const char *argument)
{
    check(got == want && error->status == want, "%s: status %d (%d in the error), not %d", argument,
          got, error->status, want);
    const size_t whole = strlen(argument), room = sizeof error->argument - 1;
    check(strncmp(error->argument, argument, whole < room ? whole : room) == 0,
          "%s: argument \"%s\"", argument, error->argument);
    check(strlen(error->message) > 10, "%s: message \"%s\"", argument, error->message);
    const bool named = want != SHEPARD_ERROR_ARGUMENT || strstr(error->message, argument) != NULL;
    check(named, "%s is not named in \"%s\"", argument, error->message);
}
