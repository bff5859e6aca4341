/* SPDX-License-Identifier: MIT */
#include "general.h"

#include <stddef.h>

bool shepard_general_begin(int *argc, char ***argv, bool *done)
{
    (void)argc, (void)argv;
    *done = false;
    return true;
}

void shepard_general_end(char **argv, char **first)
{
    (void)argv, (void)first;
}

const char *shepard_general_gdal_version(void)
{
    return NULL;
}
