/* SPDX-License-Identifier: MIT */
/* Notices of the library: each is kept and noted once, in order; none is noted with -q. */
#include "check.h"
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const texts[] = {"a plane", "", "k above 64", "a plane", "k above 64", "a"};

static void give(struct shepard_progress *watch)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        shepard_progress_notice(texts[i], watch);
}

/* What give() writes on standard error. */
static void hear(struct shepard_progress *watch, char *heard, size_t room)
{
    FILE *const file = tmpfile();
    const int kept = dup(STDERR_FILENO);
    heard[0] = '\0';
    if (!check(file != NULL && kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0, "no file"))
        return;
    give(watch);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    heard[fread(heard, 1, room - 1, file)] = '\0';
    fclose(file);
}

static void check_kept(const struct shepard_text_list *notices)
{
    static const char *const kept[] = {"a plane", "k above 64", "a"};
    if (!check(notices->count == 3, "%zu notices", notices->count))
        return;
    for (size_t i = 0; i < 3; i++)
        check(strcmp(notices->items[i], kept[i]) == 0, "notice %zu: %s", i, notices->items[i]);
}

int main(void)
{
    char heard[512];
    struct shepard_progress loud = {.quiet = false}, quiet = {.quiet = true};
    check_case("loud");
    hear(&loud, heard, sizeof heard);
    check(strcmp(heard, "shepard: note: a plane\nshepard: note: k above 64\n"
                        "shepard: note: a\n") == 0,
          "heard %s", heard);
    check_kept(&loud.notes);
    check_case("quiet");
    hear(&quiet, heard, sizeof heard);
    check(heard[0] == '\0', "heard %s", heard);
    check_kept(&quiet.notes);
    shepard_text_list_free(&loud.notes);
    shepard_text_list_free(&quiet.notes);
    return check_finish("notices");
}
