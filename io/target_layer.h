/* SPDX-License-Identifier: MIT */
/** The targets of a query layer, and how to find the layer again. */
#ifndef SHEPARD_IO_TARGET_LAYER_H
#define SHEPARD_IO_TARGET_LAYER_H

#include "shepard/shepard_io.h"

struct shepard_target_layer {
    struct shepard_source *source;
    char *layer, *sql, *where;
    char *srs;                       /* of the features: their own or the default; NULL: unknown */
    char *target_srs;                /* of the data points; NULL: unknown */
    bool write_target_srs;           /* the output is in target_srs */
    struct shepard_point_set points; /* one for each feature; NaN where it has no usable point */
    double *x, *y;                   /* the same in target_srs; of points where nothing changes */
    size_t missing, untransformed;
    bool transformed;
};

#endif
