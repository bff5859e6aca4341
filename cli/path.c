/* SPDX-License-Identifier: MIT */
#include "path.h"

#include "message.h"

#include <string.h>
#include <sys/stat.h>

bool shepard_path_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0 || strncmp(path, "/vsistdout", 10) == 0 ||
           strcmp(path, "/dev/stdout") == 0;
}

static const char *kind(mode_t mode)
{
    if (S_ISDIR(mode)) {
        return "folder";
    }
    if (S_ISFIFO(mode)) {
        return "FIFO";
    }
    return S_ISSOCK(mode) ? "socket" : "device";
}

bool shepard_path_check_output(const char *before, const char *path)
{
    struct stat status;
    if (shepard_path_is_stdout(path) || stat(path, &status) != 0 || S_ISREG(status.st_mode)) {
        return true;
    }
    return shepard_say_error("%scannot write %s: it is a %s; give the name of a file%s", before,
                             path, kind(status.st_mode),
                             S_ISDIR(status.st_mode) ? "" : ", or - or /vsistdout/");
}
