/* SPDX-License-Identifier: MIT */
/** A share of the features of a FlatGeobuf file. */
#ifndef SHEPARD_IO_FGB_RANGE_H
#define SHEPARD_IO_FGB_RANGE_H

#include "shepard/shepard_io.h"

/**
 * A view of the file with one share of its features, for GDAL: its path, for CPLFree. It has no
 * index: neither filters by place nor FIDs are those of the file. The view stays in a folder of
 * /vsimem/. NULL: the file has no index, or not the form that it should have, for any share.
 */
char *shepard_fgb_range(const char *path, const char *folder, const struct shepard_share *share);

#endif
