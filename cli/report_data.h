/* SPDX-License-Identifier: MIT */
/** What the page of --report shows and the raster does not keep: overviews of its bands, and
 * leave-one-out errors. */
#ifndef SHEPARD_CLI_REPORT_DATA_H
#define SHEPARD_CLI_REPORT_DATA_H

#include "left_out_points.h"
#include "overview.h"

/** Bands that are drawn, and columns that leave-one-out is made for. */
enum { SHEPARD_REPORT_MAPS = 12, SHEPARD_REPORT_COLUMNS = 6 };

/** Start from {0}; free with shepard_report_data_free. */
struct shepard_report_data {
    struct shepard_overview *overviews; /**< of the first bands */
    size_t overview_count;
    struct shepard_leave_one_out *held_out; /**< of the first value columns */
    size_t held_out_count;
};

/** Makes empty overviews of the first bands; false when out of memory, said. */
bool shepard_report_data_make(struct shepard_report_data *data,
                              const struct shepard_results *results,
                              const struct shepard_raster *raster);

/** Predicts data points from the others; nothing for methods of GDAL. False on an error, said. */
bool shepard_report_data_hold_out(struct shepard_report_data *data,
                                  const struct shepard_results *results,
                                  const struct shepard_column_groups *groups,
                                  const struct shepard_input *input, struct shepard_job *job);

void shepard_report_data_free(struct shepard_report_data *data);

#endif
