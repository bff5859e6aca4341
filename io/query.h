/* SPDX-License-Identifier: MIT */
/** The targets of a query layer, and how to find the layer again. */
#ifndef SHEPARD_IO_QUERY_H
#define SHEPARD_IO_QUERY_H

#include "shepard/shepard_io.h"

struct shepard_query {
    struct shepard_source *source;
    char *layer, *sql, *where;
    struct shepard_point_set points; /* one for each feature; NaN where it has no usable point */
    size_t missing, untransformed;
    bool transformed;
};

#endif
