/* SPDX-License-Identifier: MIT */
#include "general.h"

#include "message.h"
#include "option.h"

#include "shepard/shepard_io.h"

#include <string.h>

static struct shepard_words optfiles;

/* GDAL puts their contents in place of the options. */
static bool note_optfiles(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (shepard_option_matches(argv[i], "--optfile") &&
            !shepard_words_add(&optfiles, argv[i + 1], strlen(argv[i + 1]))) {
            return false;
        }
    }
    return true;
}

const struct shepard_words *shepard_general_optfiles(void)
{
    return &optfiles;
}

bool shepard_general_begin(int *argc, char ***argv, bool *done)
{
    struct shepard_io_error error;
    *done = false;
    shepard_io_init();
    return note_optfiles(*argc, *argv) &&
           (shepard_io_arguments(argc, argv, done, &error) == SHEPARD_IO_OK ||
            shepard_say_error("%s", error.message));
}

void shepard_general_end(char **argv, char **first)
{
    if (argv != first) {
        shepard_io_arguments_free(argv);
    }
    shepard_words_free(&optfiles);
    shepard_io_exit();
}

const char *shepard_general_gdal_version(void)
{
    return shepard_io_gdal_version();
}
