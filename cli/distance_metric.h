/* SPDX-License-Identifier: MIT */
/** How the distances of a job are measured: along great circles between longitudes and latitudes,
 * in space with -zdim, else in the plane. */
#ifndef SHEPARD_CLI_DISTANCE_METRIC_H
#define SHEPARD_CLI_DISTANCE_METRIC_H

#include "job.h"

/** Chooses it for points that have longitude and latitude or not; a method of GDAL stays in the
 * plane, with a note. who: whose coordinates they are, as "layer a". False on options that do not
 * go together, said. */
bool shepard_distance_metric_choose(struct shepard_job *job, const char *who, bool geographic);

/** Gives an algorithm the metric of the job's; a sum of all points is then exact, where no eps is
 * given. */
void shepard_distance_metric_share(const struct shepard_job *job,
                                   struct shepard_algorithm *algorithm);

/** Name of a metric, as --json has it, static. */
const char *shepard_distance_metric_name(enum shepard_metric metric);

#endif
