/* SPDX-License-Identifier: MIT */
#include "command_line.h"

#include "text_list.h"

#include <stdlib.h>
#include <string.h>

static bool append_argument(char **text, const char *argument)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789_@%+=:,./-";
    if (argument[0] && argument[strspn(argument, plain)] == '\0') {
        return shepard_append_format(text, " %s", argument);
    }
    bool good = shepard_append_format(text, " '");
    for (const char *rest = argument; good && *rest;) {
        const size_t length = strcspn(rest, "'");
        good =
            shepard_append_format(text, "%.*s%s", (int)length, rest, rest[length] ? "'\\''" : "");
        rest += length + (rest[length] ? 1 : 0);
    }
    return good && shepard_append_format(text, "'");
}

char *shepard_command_line(const char *verb, int argc, char **argv)
{
    char *text = NULL;
    bool good = shepard_append_format(&text, "shepard %s", verb);
    for (int i = 0; good && i < argc; i++) {
        good = append_argument(&text, argv[i]);
    }
    if (!good) {
        free(text);
        text = NULL;
    }
    return text;
}
