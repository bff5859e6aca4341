/* SPDX-License-Identifier: MIT */
/** The files of a shapefile. */
#ifndef SHEPARD_IO_SHAPE_FILES_H
#define SHEPARD_IO_SHAPE_FILES_H

#include "layer_selection.h"

/** Warns where the layer is one of a shapefile whose files do not hold the same number of features,
 * as one of them is cut off or of another version. */
void shepard_shape_files_check(const struct shepard_layer_selection *pick,
                               const struct shepard_io_control *control);

#endif
