/* SPDX-License-Identifier: MIT */
#include "path.h"

#include "message.h"
#include "replaced_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool shepard_path_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0 || strncmp(path, "/vsistdout", 10) == 0 ||
           strcmp(path, "/dev/stdout") == 0;
}

bool shepard_path_is_stdin(const char *path)
{
    return strcmp(path, "-") == 0 || strncmp(path, "/vsistdin", 9) == 0 ||
           strcmp(path, "/dev/stdin") == 0;
}

static bool is_one_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

/* The folder of a file, in memory of the caller's. */
static const char *folder_of(const char *path, char *room, size_t size)
{
    const char *const slash = strrchr(path, '/');
    snprintf(room, size, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return room;
}

static const char *name_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *shepard_path_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

bool shepard_path_same(const char *a, const char *b)
{
    char folder_a[PATH_MAX], folder_b[PATH_MAX];
    if (shepard_path_is_stdout(a) || shepard_path_is_stdout(b)) {
        return false;
    }
    return strcmp(a, b) == 0 || is_one_file(a, b) ||
           (strcmp(name_of(a), name_of(b)) == 0 &&
            is_one_file(folder_of(a, folder_a, sizeof folder_a),
                        folder_of(b, folder_b, sizeof folder_b)));
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

bool shepard_path_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool shepard_path_check_output(const char *before, const char *path)
{
    struct stat status;
    if (shepard_path_is_stdout(path)) {
        return true;
    }
    const char *const broken = shepard_broken_link(path);
    if (broken) {
        return shepard_say_error("%scannot write %s: it is %s; remove it, or give another name",
                                 before, path, broken);
    }
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) {
        return true;
    }
    return shepard_say_error("%scannot write %s: it is a %s; give the name of a file%s", before,
                             path, kind(status.st_mode),
                             S_ISDIR(status.st_mode) ? "" : ", or - or /vsistdout/");
}
