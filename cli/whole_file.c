/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */

#include "whole_file.h"

#include "message.h"
#include "path.h"
#include "replaced_file.h"
#include "text_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct draft {
    char *place; /* where it goes, links followed */
    char *path;  /* where it is until then */
};

static bool say_cannot_write(const char *option, const char *file)
{
    return shepard_say_error("%s: cannot write %s: %s", option, file, strerror(errno));
}

static void free_draft(struct draft *draft)
{
    free(draft->path);
    free(draft->place);
}

static FILE *open_draft(struct draft *draft, const char *file)
{
    draft->place = realpath(file, NULL);
    const bool replaces = draft->place;
    if (!replaces) {
        draft->place = strdup(file);
    }
    if (!draft->place ||
        !shepard_append_format(&draft->path, "%s.%ld.part", draft->place, (long)getpid())) {
        return NULL;
    }
    const int number = open(draft->path, O_WRONLY | O_CREAT | O_EXCL, replaces ? 0600 : 0666);
    if (number < 0) {
        return NULL;
    }
    /* A rewritten file keeps its permissions, whatever the umask. */
    shepard_keep_owner(number, draft->place);
    FILE *const out = fdopen(number, "w");
    if (!out) {
        close(number);
        unlink(draft->path);
    }
    return out;
}

static bool may_write(const char *option, const char *file)
{
    char *before = NULL;
    const bool good =
        shepard_append_format(&before, "%s: ", option) && shepard_path_check_output(before, file);
    free(before);
    return good;
}

bool shepard_whole_file_check(const char *option, const char *file)
{
    struct draft draft = {0};
    if (!may_write(option, file)) {
        return false;
    }
    FILE *const out = open_draft(&draft, file);
    if (out) {
        fclose(out);
        unlink(draft.path);
    } else {
        say_cannot_write(option, file);
    }
    free_draft(&draft);
    return out;
}

bool shepard_whole_file_write(const char *option, const char *file, const char *text, size_t length)
{
    struct draft draft = {0};
    if (!may_write(option, file)) {
        return false;
    }
    FILE *const out = open_draft(&draft, file);
    bool good = out && fwrite(text, 1, length, out) == length && fflush(out) == 0;
    if (out) {
        good = fclose(out) == 0 && good;
        good = good && rename(draft.path, draft.place) == 0;
    }
    if (!good) {
        say_cannot_write(option, file);
    }
    if (out && !good) {
        unlink(draft.path);
    }
    free_draft(&draft);
    return good;
}
