/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of several processes: errors that wait, one a line. */
enum { WAITING_SIZE = 8192, LINE_SIZE = WAITING_SIZE + 64 };
static char waiting[WAITING_SIZE];
static bool errors_wait, notes_are_left_out;

/* In one write, into which mpirun puts nothing that others write. */
static void say(const char *kind, const char *format, va_list arguments)
{
    char line[LINE_SIZE];
    va_list again;
    va_copy(again, arguments);
    const int begin = snprintf(line, sizeof line, "shepard: %s: ", kind);
    const int length =
        begin + vsnprintf(line + begin, sizeof line - (size_t)begin, format, arguments);
    /* Progress may stand unfinished on stdout: keep the two streams in order. */
    fflush(stdout);
    if (length + 1 < LINE_SIZE) {
        strcpy(line + length, "\n");
        fputs(line, stderr);
    } else {
        fprintf(stderr, "%.*s", begin, line);
        vfprintf(stderr, format, again);
        fputc('\n', stderr);
    }
    va_end(again);
}

static void keep(const char *format, va_list arguments)
{
    const size_t used = strlen(waiting);
    snprintf(waiting + used, sizeof waiting - used, "%s", used > 0 ? "\nshepard: error: " : "");
    const size_t begin = strlen(waiting);
    vsnprintf(waiting + begin, sizeof waiting - begin, format, arguments);
}

bool shepard_say_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (errors_wait) {
        keep(format, arguments);
    } else {
        say("error", format, arguments);
    }
    va_end(arguments);
    return false;
}

void shepard_say_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!notes_are_left_out) {
        say("note", format, arguments);
    }
    va_end(arguments);
}

void shepard_messages_wait(bool notes)
{
    errors_wait = true;
    notes_are_left_out = !notes;
}

void shepard_messages_end(bool write)
{
    errors_wait = false;
    if (write && waiting[0]) {
        shepard_say_error("%s", waiting);
    }
    waiting[0] = '\0';
}
