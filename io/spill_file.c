/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "spill_file.h"

#include "journal.h"
#include "used_points.h"

#include <cpl_conv.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool shepard_spill_set_columns(struct shepard_spill *spill, size_t columns, bool weighted)
{
    spill->fields = shepard_record_fields(columns, weighted);
    spill->counts = malloc(columns * sizeof *spill->counts);
    spill->ends = malloc(2 * columns * sizeof *spill->ends);
    spill->read = malloc(shepard_spill_bytes(spill, SHEPARD_SPILL_BUCKET_MAX));
    if (!spill->counts || !spill->ends || !spill->read)
        return false;
    shepard_used_points_begin(&spill->info, spill->counts, spill->ends, columns);
    return true;
}

/* The file has no name from here on: what a killed run leaves of it takes no room. */
int shepard_spill_open(const struct shepard_spill *spill, const char *name,
                       struct shepard_io_error *error)
{
    const char *path = CPLFormFilename(spill->folder.path, name, NULL);
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "temp",
                        "the temporary file \"%.300s\" cannot be made (%s); give another folder "
                        "with --temp",
                        path, strerror(errno));
    else
        unlink(path);
    return file;
}

static enum shepard_io_status fail_write(const struct shepard_spill *spill, int reason,
                                         struct shepard_io_error *error)
{
    const double gigabytes = 1e-9 * (double)shepard_spill_bytes(spill, spill->info.points);
    if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG)
        return shepard_io_fail(
            error, SHEPARD_IO_ERROR_WRITE, "temp",
            "no room for temporary files in \"%.300s\" (%s): %.3g GB were "
            "written, and up to twice as much as all points take is needed; make "
            "room, or give a folder on another disk with --temp",
            spill->folder.path, strerror(reason), gigabytes);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "temp",
                           "writing a temporary file in \"%.300s\" failed (%s); give another "
                           "folder with --temp",
                           spill->folder.path, strerror(reason));
}

enum shepard_io_status shepard_spill_write(const struct shepard_spill *spill, int file,
                                           const double *records, size_t count, uint64_t first,
                                           struct shepard_io_error *error)
{
    const int reason = shepard_write_at(file, records, shepard_spill_bytes(spill, count),
                                        first * shepard_spill_bytes(spill, 1));
    return reason ? fail_write(spill, reason, error) : SHEPARD_IO_OK;
}

enum shepard_io_status shepard_spill_fail_lost(const struct shepard_spill *spill,
                                               struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_READ, "temp",
                           "a temporary file in \"%.300s\" was changed, or cannot be read any "
                           "more: run again, or give a folder on another disk with --temp",
                           spill->folder.path);
}
