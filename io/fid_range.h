/* SPDX-License-Identifier: MIT */
/** A share of the rows of a database table, by their row numbers (FIDs). */
#ifndef SHEPARD_IO_FID_RANGE_H
#define SHEPARD_IO_FID_RANGE_H

#include "layer_selection.h"

/**
 * Has a layer without a spatial filter hand out one share of the rows that pass the condition
 * `where` (NULL: all), and takes that off the layer if need be: each row is in one of the shares,
 * and none has more than twice the rows of an even one. *rows: of all shares, whether they pass or
 * not. False, with the layer as it was: it is no table of GeoPackage or SQLite with row numbers, or
 * they have too many gaps, or the condition cannot be part of another.
 */
bool shepard_fid_range_set(const struct shepard_layer_selection *pick, const char *where,
                           const struct shepard_share *share, uint64_t *rows);

#endif
