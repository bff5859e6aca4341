/* SPDX-License-Identifier: MIT */
#include "replaced_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static bool keep_group(int file, const struct stat *old)
{
    return fchown(file, old->st_uid, old->st_gid) == 0 || fchown(file, (uid_t)-1, old->st_gid) == 0;
}

void shepard_keep_owner(int file, const char *place)
{
    struct stat old;
    if (stat(place, &old) != 0 || !S_ISREG(old.st_mode))
        return;
    const mode_t lost = keep_group(file, &old) ? 0 : S_IRWXG;
    fchmod(file, old.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO) & ~lost);
}

const char *shepard_broken_link(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0 || !S_ISLNK(info.st_mode) || stat(path, &info) == 0)
        return NULL;
    switch (errno) {
    case ELOOP:
        return "a link that leads back to itself";
    case EACCES:
        return "a link into a folder that you may not enter";
    default:
        return "a link to a file that is not there";
    }
}
