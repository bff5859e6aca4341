/* SPDX-License-Identifier: MIT */
/** The coordinate reference system (CRS) of a LAS file. */
#ifndef SHEPARD_IO_LAS_CRS_H
#define SHEPARD_IO_LAS_CRS_H

#include "las_records.h"

/** WKT of the CRS that the records say, to be freed with CPLFree; NULL: none, or not to be
 * understood. wkt_first: WKT counts where there are keys of GeoTIFF too, else the keys do. */
char *shepard_las_crs(const struct shepard_las_records *records, bool wkt_first);

#endif
