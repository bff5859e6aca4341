/* SPDX-License-Identifier: MIT */
#include "api/argument.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum shepard_status shepard_argument_missing(const char *argument, struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                             "%s is NULL: give a valid pointer", argument);
}

enum shepard_status shepard_argument_check(const void *given, size_t size, const char *argument,
                                           const char *type, struct shepard_error *error)
{
    size_t own;
    char field[64];
    if (given == NULL)
        return shepard_argument_missing(argument, error);
    memcpy(&own, given, sizeof own);
    if (own == size)
        return SHEPARD_OK;
    snprintf(field, sizeof field, "%s.size", argument);
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, field,
        "%s is %zu: set it to sizeof(struct %s), which is %zu in this version of "
        "the library",
        field, own, type, size);
}
