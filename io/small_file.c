/* SPDX-License-Identifier: MIT */
#include "small_file.h"

#include <cpl_vsi.h>

bool shepard_small_file_write(const char *path, const void *bytes, size_t length)
{
    VSILFILE *file = VSIFOpenL(path, "wb");
    const bool good = file && VSIFWriteL(bytes, 1, length, file) == length;
    if (file)
        VSIFCloseL(file);
    return good;
}
