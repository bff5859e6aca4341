/* SPDX-License-Identifier: MIT */
/* mkdtemp and nftw are XSI, flock BSD. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "temp_folder.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char shepard_temp_folder_owner[] = ".shepard-owner";

/* No extension of the output's: GDAL would take the folder for an .ods or .xlsx archive. */
static const char pattern[] = ".shepard.XXXXXX";
static const size_t prefix_length = sizeof ".shepard." - 1;

/* Which kernel sees the locks: its host's name, and the number that it gave itself when it started.
 */
struct host {
    char text[200];
};

static struct host this_host(void)
{
    char name[64] = "", boot[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file && !fgets(boot, sizeof boot, file))
        boot[0] = '\0';
    if (file)
        fclose(file);
    gethostname(name, sizeof name - 1);
    boot[strcspn(boot, "\n")] = '\0';
    struct host host;
    snprintf(host.text, sizeof host.text, "%s %s", name, boot);
    return host;
}

/* ---- Making and removing --------------------------------------------------------------------- */

/* The owner file until it is locked. */
static char *draft_path(const char *folder)
{
    return CPLStrdup(CPLSPrintf("%s/%s.part", folder, shepard_temp_folder_owner));
}

/* The file gets its name when it is locked: no one finds it unlocked while its run lives, where the
 * file system has locks. 0, or errno; EBUSY: a sweep took the folder for one of a killed run. */
static int lock_folder(const char *folder, int *lock)
{
    char *path = CPLStrdup(CPLFormFilename(folder, shepard_temp_folder_owner, NULL));
    char *draft = draft_path(folder);
    const struct host host = this_host();
    const ssize_t length = (ssize_t)strlen(host.text);
    int reason = 0;
    *lock = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (*lock < 0)
        reason = errno == ENOENT ? EBUSY : errno;
    else if (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        reason = EBUSY;
    else if (write(*lock, host.text, (size_t)length) != length)
        reason = ENOSPC;
    else if (rename(draft, path) != 0)
        reason = errno == ENOENT ? EBUSY : errno;
    if (reason && reason != EBUSY)
        unlink(draft);
    if (reason && *lock >= 0)
        close(*lock);
    CPLFree(draft);
    CPLFree(path);
    return reason;
}

int shepard_temp_folder_make(struct shepard_temp_folder *folder, const char *parent)
{
    enum { TRIALS = 8 };
    int reason = EBUSY;
    for (int i = 0; i < TRIALS && reason == EBUSY; i++) {
        char *path = CPLStrdup(CPLFormFilename(parent, pattern, NULL));
        int lock = -1;
        if (!mkdtemp(path)) {
            reason = errno;
        } else {
            reason = lock_folder(path, &lock);
            if (reason)
                rmdir(path);
        }
        if (!reason)
            *folder = (struct shepard_temp_folder){path, lock};
        else
            CPLFree(path);
    }
    return reason;
}

static bool is_own_folder(const char *path, struct stat *info)
{
    return lstat(path, info) == 0 && S_ISDIR(info->st_mode) && info->st_uid == geteuid();
}

/* Locks the owner file of a folder that stays; errno on failure. The run that had the lock may have
 * removed the folder meanwhile: EAGAIN. */
static int take_lock(const char *folder, int *lock)
{
    char *path = CPLStrdup(CPLFormFilename(folder, shepard_temp_folder_owner, NULL));
    struct stat locked, there;
    int reason = 0;
    *lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (*lock < 0 || (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK))
        reason = errno;
    else if (fstat(*lock, &locked) != 0 || stat(path, &there) != 0 || locked.st_ino != there.st_ino)
        reason = EAGAIN;
    if (reason && *lock >= 0)
        close(*lock);
    CPLFree(path);
    return reason;
}

int shepard_temp_folder_take(struct shepard_temp_folder *folder, const char *path)
{
    enum { TRIALS = 3 };
    int reason = EAGAIN, lock = -1;
    for (int i = 0; i < TRIALS && (reason == EAGAIN || reason == ENOENT); i++) {
        struct stat info;
        reason = mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : errno;
        if (!reason && !is_own_folder(path, &info))
            reason = EPERM;
        if (!reason)
            reason = take_lock(path, &lock);
    }
    if (!reason)
        *folder = (struct shepard_temp_folder){CPLStrdup(path), lock};
    return reason;
}

void shepard_temp_folder_leave(struct shepard_temp_folder *folder)
{
    if (folder->path && folder->lock >= 0)
        close(folder->lock);
    CPLFree(folder->path);
    *folder = (struct shepard_temp_folder){0};
}

/* All but the folder and its owner file. */
static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    const bool is_owner = at->level == 1 && strcmp(path + at->base, shepard_temp_folder_owner) == 0;
    return at->level == 0 || is_owner ? 0 : remove(path);
}

/* Links are removed, not followed. The owner file last: what a run leaves that is killed meanwhile
 * has an owner. */
static bool remove_tree(const char *path)
{
    enum { OPEN_FOLDERS = 16 };
    if (nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0)
        return false;
    unlink(CPLFormFilename(path, shepard_temp_folder_owner, NULL));
    return rmdir(path) == 0;
}

void shepard_temp_folder_remove(struct shepard_temp_folder *folder)
{
    if (!folder->path)
        return;
    remove_tree(folder->path);
    if (folder->lock >= 0)
        close(folder->lock);
    CPLFree(folder->path);
    *folder = (struct shepard_temp_folder){0};
}

/* ---- What killed runs left ------------------------------------------------------------------- */

/* Removes a folder without an owner that holds nothing else: its run was killed, or lives and makes
 * another one. */
static bool remove_nameless(const char *path)
{
    char *draft = draft_path(path);
    const int lock = open(draft, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    const bool is_free = lock < 0 ? errno == ENOENT : flock(lock, LOCK_EX | LOCK_NB) == 0;
    if (is_free && lock >= 0)
        unlink(draft);
    if (lock >= 0)
        close(lock);
    CPLFree(draft);
    return is_free && rmdir(path) == 0;
}

static void note_removed(const char *path, const struct shepard_io_control *control)
{
    shepard_io_warn(control, "removed \"%.300s\", left by a run that was killed", path);
}

/* A run that lives names its folder at once, and removes it soon after it is empty: there is
 * nothing to say of a young one. */
static void judge_nameless(const char *path, const struct stat *info,
                           const struct shepard_io_control *control)
{
    enum { SECONDS_TO_LOCK = 60 };
    struct stat now;
    const bool removed = remove_nameless(path);
    if (difftime(time(NULL), info->st_mtime) <= SECONDS_TO_LOCK)
        return;
    if (removed)
        note_removed(path, control);
    else if (is_own_folder(path, &now))
        shepard_io_warn(control,
                        "\"%.300s\" was left by a run that was killed: remove it if no run uses it",
                        path);
}

static void judge_owner(const char *path, int lock, const struct shepard_io_control *control)
{
    const struct host host = this_host();
    struct host owner = {""};
    const ssize_t length = read(lock, owner.text, sizeof owner.text - 1);
    owner.text[length > 0 ? length : 0] = '\0';
    if (strcmp(owner.text, host.text) != 0) {
        owner.text[strcspn(owner.text, " ")] = '\0';
        shepard_io_warn(control,
                        "\"%.300s\" belongs to a run on the host \"%.100s\", or was left by one "
                        "that was killed: remove it if that run is gone",
                        path, owner.text);
    } else if (flock(lock, LOCK_EX | LOCK_NB) == 0 && remove_tree(path)) {
        note_removed(path, control);
    }
}

static void sweep_one(const char *path, const struct shepard_io_control *control)
{
    struct stat info;
    if (!is_own_folder(path, &info))
        return;
    char *owner = CPLStrdup(CPLFormFilename(path, shepard_temp_folder_owner, NULL));
    const int lock = open(owner, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    const bool missing = lock < 0 && errno == ENOENT;
    CPLFree(owner);
    if (missing)
        judge_nameless(path, &info, control);
    if (lock < 0)
        return;
    judge_owner(path, lock, control);
    close(lock);
}

void shepard_temp_folder_sweep(const char *parent, const struct shepard_io_control *control)
{
    DIR *folder = opendir(parent);
    char **found = NULL;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strlen(entry->d_name) == sizeof pattern - 1 &&
            strncmp(entry->d_name, pattern, prefix_length) == 0)
            found = CSLAddString(found, entry->d_name);
    if (folder)
        closedir(folder);
    for (int i = 0; found && found[i]; i++) {
        char *path = CPLStrdup(CPLFormFilename(parent, found[i], NULL));
        sweep_one(path, control);
        CPLFree(path);
    }
    CSLDestroy(found);
}
