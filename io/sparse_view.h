/* SPDX-License-Identifier: MIT */
/** A file that GDAL reads as parts of other files. */
#ifndef SHEPARD_IO_SPARSE_VIEW_H
#define SHEPARD_IO_SPARSE_VIEW_H

#include <stddef.h>
#include <stdint.h>

/** A part of a file, and where it stands in the view. Parts follow one another; gaps are zeros. */
struct shepard_view_part {
    const char *path;
    uint64_t from, length; /* bytes of the file */
    uint64_t to;           /* the first of them in the view */
};

/** Writes the view to a path. GDAL's name of it, for CPLFree; NULL: it cannot be written. */
char *shepard_sparse_view_make(const char *path, const struct shepard_view_part *parts,
                               size_t count);

#endif
