/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

static void say(const char *kind, const char *format, va_list arguments)
{
    /* Progress may stand unfinished on stdout: keep the two streams in order. */
    fflush(stdout);
    fprintf(stderr, "shepard: %s: ", kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

bool shepard_say_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("error", format, arguments);
    va_end(arguments);
    return false;
}

void shepard_say_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("note", format, arguments);
    va_end(arguments);
}
