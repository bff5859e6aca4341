/* SPDX-License-Identifier: MIT */
/** A few difficult rows, written by OGR's CSV driver and by shepard_csv_rows. */
#ifndef SHEPARD_IO_CSV_TRIAL_H
#define SHEPARD_IO_CSV_TRIAL_H

#include "csv_rows.h"

#include <gdal.h>

/** Whether this version of the driver writes the same text for a layer like this one. The rows have
 * been made, and have no file. */
bool shepard_csv_trial_agrees(GDALDriverH driver, const struct shepard_csv_layer *layer,
                              struct shepard_csv_rows *rows);

#endif
