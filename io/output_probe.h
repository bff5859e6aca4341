/* SPDX-License-Identifier: MIT */
/** A small output of the kind that is to come, which shows what its files are called. */
#ifndef SHEPARD_IO_OUTPUT_PROBE_H
#define SHEPARD_IO_OUTPUT_PROBE_H

#include "shepard/shepard_io.h"

#include <gdal.h>

/** Writes it at the path. What goes wrong is left to the output itself to report. */
void shepard_output_probe(const struct shepard_output_spec *spec, GDALDriverH driver,
                          const char *path);

#endif
