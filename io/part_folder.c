/* SPDX-License-Identifier: MIT */
#include "io_error.h"
#include "output_stage.h"
#include "temp_folder.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct shepard_part_folder {
    struct shepard_temp_folder temp;
};

static enum shepard_io_status fail_folder(const char *output, int reason,
                                          struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "no folder for the parts of \"%.300s\" can be made next to it: %s",
                           output, strerror(reason));
}

enum shepard_io_status shepard_part_folder_make(const char *output,
                                                struct shepard_part_folder **folder,
                                                const struct shepard_io_control *control,
                                                struct shepard_io_error *error)
{
    struct shepard_part_folder *made = VSICalloc(1, sizeof *made);
    if (!made)
        return shepard_io_fail_memory(error);
    char *parent = CPLStrdup(CPLGetDirname(output));
    shepard_temp_folder_sweep(parent, control);
    const int reason = shepard_temp_folder_make(&made->temp, parent);
    CPLFree(parent);
    if (!reason) {
        *folder = made;
        return SHEPARD_IO_OK;
    }
    VSIFree(made);
    return fail_folder(output, reason, error);
}

/* ---- What an earlier run left ---------------------------------------------------------------- */

/* Its number, where a name is that of a folder in which a part is kept; else 0. */
static size_t part_number(const char *name)
{
    size_t number;
    int end = 0;
    return sscanf(name, ".shepard-resume.part%zu.tif%n", &number, &end) == 1 && end > 0 &&
                   name[end] == '\0'
               ? number
               : 0;
}

void shepard_kept_files_find(const char *output, struct shepard_kept_files *found)
{
    char *folder = shepard_stage_kept_folder(output);
    char **names = VSIReadDir(folder);
    *found = (struct shepard_kept_files){.whole = shepard_stage_is_kept(output)};
    for (int i = 0; names && names[i]; i++) {
        const size_t number = part_number(names[i]);
        found->parts = number > found->parts ? number : found->parts;
    }
    CSLDestroy(names);
    CPLFree(folder);
}

static enum shepard_io_status take(const char *output, const char *path,
                                   struct shepard_temp_folder *temp, struct shepard_io_error *error)
{
    const int reason = shepard_temp_folder_take(temp, path);
    if (reason == EWOULDBLOCK)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                               "another run is writing \"%.300s\" (it has locked \"%.300s\"): wait "
                               "for its end",
                               output, path);
    return reason ? fail_folder(output, reason, error) : SHEPARD_IO_OK;
}

enum shepard_io_status shepard_part_folder_take(const char *output,
                                                struct shepard_part_folder **folder,
                                                struct shepard_io_error *error)
{
    struct shepard_part_folder *taken = VSICalloc(1, sizeof *taken);
    if (!taken)
        return shepard_io_fail_memory(error);
    char *path = shepard_stage_kept_folder(output);
    const enum shepard_io_status status = take(output, path, &taken->temp, error);
    CPLFree(path);
    if (status)
        VSIFree(taken);
    else
        *folder = taken;
    return status;
}

const char *shepard_part_folder_path(const struct shepard_part_folder *folder)
{
    return folder->temp.path;
}

void shepard_part_folder_leave(struct shepard_part_folder *folder)
{
    if (!folder)
        return;
    shepard_temp_folder_leave(&folder->temp);
    VSIFree(folder);
}

void shepard_part_folder_remove(struct shepard_part_folder *folder)
{
    if (!folder)
        return;
    shepard_temp_folder_remove(&folder->temp);
    VSIFree(folder);
}
