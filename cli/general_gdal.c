/* SPDX-License-Identifier: MIT */
#include "general.h"

#include "message.h"

#include "shepard/shepard_io.h"

bool shepard_general_begin(int *argc, char ***argv, bool *done)
{
    struct shepard_io_error error;
    *done = false;
    shepard_io_init();
    return shepard_io_arguments(argc, argv, done, &error) == SHEPARD_IO_OK ||
           shepard_say_error("%s", error.message);
}

void shepard_general_end(char **argv, char **first)
{
    if (argv != first) {
        shepard_io_arguments_free(argv);
    }
    shepard_io_exit();
}

const char *shepard_general_gdal_version(void)
{
    return shepard_io_gdal_version();
}
