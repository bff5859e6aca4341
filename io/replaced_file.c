/* SPDX-License-Identifier: MIT */
#include "replaced_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static bool keep_group(const char *path, const struct stat *old)
{
    return chown(path, old->st_uid, old->st_gid) == 0 || chown(path, (uid_t)-1, old->st_gid) == 0;
}

void shepard_keep_owner(const char *from, const char *to)
{
    struct stat old;
    if (stat(to, &old) != 0 || !S_ISREG(old.st_mode))
        return;
    const mode_t lost = keep_group(from, &old) ? 0 : S_IRWXG;
    chmod(from, old.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO) & ~lost);
}

const char *shepard_broken_link(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0 || !S_ISLNK(info.st_mode) || stat(path, &info) == 0)
        return NULL;
    return errno == ELOOP ? "a link that leads back to itself"
                          : "a link to a file that is not there";
}
