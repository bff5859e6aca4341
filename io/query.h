/* SPDX-License-Identifier: MIT */
/** The targets of a query layer, and how to find the layer again. */
#ifndef SHEPARD_IO_QUERY_H
#define SHEPARD_IO_QUERY_H

#include "shepard/shepard_io.h"

#include <ogr_srs_api.h>

struct shepard_query {
    struct shepard_source *source;
    char *layer, *sql, *where;
    char *target_srs;                /* WKT of the data points; NULL: unknown */
    struct shepard_point_set points; /* one for each feature; NaN where it has no usable point */
    size_t missing, untransformed;
    bool transformed;
};

/** Longitude or easting first, as the coordinates of files come; NULL where the WKT is wrong. */
OGRSpatialReferenceH shepard_traditional_srs(const char *wkt);

#endif
