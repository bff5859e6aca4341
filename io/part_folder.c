/* SPDX-License-Identifier: MIT */
#include "io_error.h"
#include "temp_folder.h"

#include <cpl_conv.h>
#include <string.h>

struct shepard_part_folder {
    struct shepard_temp_folder temp;
};

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
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "no folder for the parts of \"%.300s\" can be made next to it: %s",
                           output, strerror(reason));
}

const char *shepard_part_folder_path(const struct shepard_part_folder *folder)
{
    return folder->temp.path;
}

void shepard_part_folder_remove(struct shepard_part_folder *folder)
{
    if (!folder)
        return;
    shepard_temp_folder_remove(&folder->temp);
    VSIFree(folder);
}
