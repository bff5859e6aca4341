/* SPDX-License-Identifier: MIT */
/** The features of a layer, in their order, read ahead. */
#ifndef SHEPARD_IO_FEATURE_READER_H
#define SHEPARD_IO_FEATURE_READER_H

#include "read_ahead.h"

#include <ogr_api.h>

struct shepard_feature_batch;

/** Start from {0}; stays where it is from begin to end. */
struct shepard_feature_reader {
    OGRLayerH layer;
    bool last; /* some formats begin again where they are asked for more than the last feature */
    struct shepard_read_ahead *ahead;
    const struct shepard_feature_batch *batch;
    size_t at; /* in the batch */
};

/** Begins with the first feature; false: out of memory. The layer and its dataset are not to be
 * used until the end. */
bool shepard_feature_reader_begin(struct shepard_feature_reader *reader, OGRLayerH layer,
                                  const struct shepard_io_control *control);

/** The next feature, which stays until the next call; NULL: at the end, and where reading failed,
 * which GDAL reports. */
OGRFeatureH shepard_feature_reader_next(struct shepard_feature_reader *reader);

/** The same for some features, *count. */
const OGRFeatureH *shepard_feature_reader_next_batch(struct shepard_feature_reader *reader,
                                                     size_t *count);

void shepard_feature_reader_end(struct shepard_feature_reader *reader);

#endif
