/* SPDX-License-Identifier: MIT */
#include "choice_file.h"

#include "message.h"
#include "text_list.h"
#include "whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *shepard_choice_file(const char *text)
{
    return text && text[0] == '@' ? text + 1 : NULL;
}

/* The first line that is neither empty nor a comment; NULL: none. */
static char *find_line(FILE *file)
{
    char line[1024];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, " \t\r\n")] = '\0';
        if (line[0] && line[0] != '#') {
            return strdup(line);
        }
    }
    return NULL;
}

bool shepard_choice_read(const char *file, char **text)
{
    FILE *const in = fopen(file, "r");
    if (!in) {
        return shepard_say_error("-a @%s: cannot be read: %s; `shepard tune --write` makes such a "
                                 "file",
                                 file, strerror(errno));
    }
    *text = find_line(in);
    fclose(in);
    return *text || shepard_say_error("-a @%s: there is no algorithm in this file, such as "
                                      "idw:k=12; `shepard tune --write` makes one",
                                      file);
}

bool shepard_choice_write(const char *file, const char *text, const char *comment)
{
    char *lines = NULL;
    const bool good = shepard_append_format(&lines, "# %s\n%s\n", comment, text) &&
                      shepard_whole_file_write("--write", file, lines, strlen(lines));
    free(lines);
    return good;
}
