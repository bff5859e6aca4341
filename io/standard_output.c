/* SPDX-License-Identifier: MIT */
#include "standard_output.h"

#include <string.h>

bool shepard_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strncmp(path, "/vsistdout", 10) == 0;
}
