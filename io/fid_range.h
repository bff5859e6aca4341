/* SPDX-License-Identifier: MIT */
/** A share of the rows of a database table, by their row numbers (FIDs). */
#ifndef SHEPARD_IO_FID_RANGE_H
#define SHEPARD_IO_FID_RANGE_H

#include "layer_selection.h"

/**
 * Has a layer without filters hand out one share of its rows: each row is in one of the shares, and
 * none has more than twice the rows of an even one. *rows: of all shares. False, with the layer as
 * it was: it is no table of GeoPackage or SQLite with row numbers, or they have too many gaps.
 */
bool shepard_fid_range_set(const struct shepard_layer_selection *pick,
                           const struct shepard_share *share, uint64_t *rows);

#endif
