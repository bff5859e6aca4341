/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

enum shepard_status shepard_error_set(struct shepard_error *error, enum shepard_status status,
                                      const char *argument, const char *format, ...)
{
    if (error == NULL)
        return status;
    error->status = status;
    snprintf(error->argument, sizeof error->argument, "%s", argument);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

enum shepard_status shepard_error_set_memory(struct shepard_error *error, const char *what)
{
    return shepard_error_set(
        error, SHEPARD_ERROR_MEMORY, "",
        "out of memory for %s: use fewer points, targets or columns, or a machine "
        "with more memory",
        what);
}
