/* SPDX-License-Identifier: MIT */
#include "api/argument.h"

#include "base/arithmetic.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the least and of the largest struct that can be meant: the size and a member more, and
 * far more than any struct has. A size between is no number that just lay there. */
#define SIZE_LEAST (2 * sizeof(size_t))
#define SIZE_MOST 4096

enum shepard_status shepard_argument_missing(const char *argument, struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                             "%s is NULL: give a valid pointer", argument);
}

enum shepard_status shepard_argument_require(bool valid, const char *argument, double value,
                                             const char *rule, struct shepard_error *error)
{
    if (valid)
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument, "%s is %.17g: it must be %s",
                             argument, value, rule);
}

static bool is_size(size_t size)
{
    return size >= SIZE_LEAST && size <= SIZE_MOST && size % sizeof(size_t) == 0;
}

/* The first byte from `first` on that is not 0, or `end`. */
static size_t find_byte(const unsigned char *bytes, size_t first, size_t end)
{
    while (first < end && bytes[first] == 0)
        first++;
    return first;
}

enum shepard_status shepard_argument_take(const void *given, void *own, size_t size,
                                          const char *argument, const char *type,
                                          struct shepard_error *error)
{
    size_t given_size;
    char field[64];
    if (given == NULL)
        return shepard_argument_missing(argument, error);
    memcpy(&given_size, given, sizeof given_size);
    snprintf(field, sizeof field, "%s.size", argument);
    if (!is_size(given_size))
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, field,
            "%s is %zu: set it to sizeof(struct %s), which is %zu in this version of "
            "the library",
            field, given_size, type, size);
    const size_t unknown = find_byte(given, size, given_size);
    if (unknown < given_size)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, field,
            "%s is %zu, but struct %s has %zu bytes in this version of the "
            "library, " SHEPARD_VERSION
            ", and byte %zu is not 0: leave the members that it does not know at 0, or use the "
            "library that the header is of",
            field, given_size, type, size, unknown);
    memcpy(own, given, shepard_smaller(size, given_size));
    memcpy(own, &size, sizeof size);
    return SHEPARD_OK;
}

enum shepard_status shepard_control_take(const struct shepard_control *control,
                                         struct shepard_control *own, struct shepard_error *error)
{
    *own = (struct shepard_control){.size = sizeof *own};
    return control == NULL ? SHEPARD_OK
                           : SHEPARD_TAKE(control, own, "control", shepard_control, error);
}
