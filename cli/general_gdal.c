/* SPDX-License-Identifier: MIT */
#include "general.h"

#include "message.h"
#include "option.h"

#include "shepard/shepard_io.h"

#include <string.h>

/* Strips are of whole blocks: few wait for more of them. Rasters of covariates are read in the
 * order of the strips. */
enum { CACHE_BYTES = 256 * 1024 * 1024 };

static struct shepard_text_list optfiles;

/* GDAL puts their contents in place of the options. */
static bool note_optfiles(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (shepard_option_matches(argv[i], "--optfile") &&
            !shepard_text_list_add(&optfiles, argv[i + 1], strlen(argv[i + 1]))) {
            return false;
        }
    }
    return true;
}

/* Whether the command itself names an address on a network. */
static bool names_address(int argc, char **argv)
{
    static const char *const parts[] = {"://",     "/vsicurl", "/vsis3",    "/vsigs",     "/vsiaz",
                                        "/vsioss", "/vsiadls", "/vsiswift", "/vsiwebhdfs"};
    for (int i = 1; i < argc; i++) {
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
            if (strstr(argv[i], parts[p])) {
                return true;
            }
        }
    }
    return false;
}

const struct shepard_text_list *shepard_general_optfiles(void)
{
    return &optfiles;
}

bool shepard_general_begin(int *argc, char ***argv, bool *done)
{
    struct shepard_io_error error;
    *done = false;
    shepard_io_init();
    if (!note_optfiles(*argc, *argv)) {
        return false;
    }
    if (shepard_io_arguments(argc, argv, done, &error)) {
        return shepard_say_error("%s", error.message);
    }
    shepard_io_allow_network(names_address(*argc, *argv));
    shepard_io_limit_cache(CACHE_BYTES);
    return true;
}

void shepard_general_end(char **argv, char **first)
{
    if (argv != first) {
        shepard_io_arguments_free(argv);
    }
    shepard_text_list_free(&optfiles);
    shepard_io_exit();
}

const char *shepard_general_gdal_version(void)
{
    return shepard_io_gdal_version();
}
