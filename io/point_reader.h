/* SPDX-License-Identifier: MIT */
/** Reading the points of one layer by Arrow record batches. */
#ifndef SHEPARD_IO_POINT_READER_H
#define SHEPARD_IO_POINT_READER_H

#include "io_error.h"
#include "point_sink.h"
#include "source.h"

struct shepard_reading {
    struct shepard_source *source;
    const struct shepard_read_options *options;
    const struct shepard_io_control *control;
    struct shepard_gdal_error_scope *trap;
    struct shepard_io_error *error;
    struct shepard_point_sink *sink;   /* where points go; NULL: into the point set */
    const struct shepard_share *share; /* with a sink: all that is needed; NULL: all points are */
    bool one_each; /* one place for each feature, NaN where it has none; values of named
                      fields only */
};

/** Fills *points, which is {0}; it is to be freed after a failure too. */
enum shepard_io_status shepard_read_points(const struct shepard_reading *reading,
                                           struct shepard_point_set *points);

#endif
