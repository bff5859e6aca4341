/* SPDX-License-Identifier: MIT */
#include "said.h"

#include "message.h"

#include <stdarg.h>
#include <stdio.h>

struct said_errors said;

void said_clear(void)
{
    said = (struct said_errors){0};
}

bool shepard_say_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    said.count++;
    vsnprintf(said.text, sizeof said.text, format, arguments);
    va_end(arguments);
    return false;
}

void shepard_say_note(const char *format, ...)
{
    (void)format;
}
