/* SPDX-License-Identifier: MIT */
/* The baseline of every speed-up: one thread, brute force, the C library's pow or powf. */
#ifndef SHEPARD_PAPERS_SERIAL_H
#define SHEPARD_PAPERS_SERIAL_H

#include "problem.h"

/* Adds to times->prepare, sets weighting. */
enum shepard_status shepard_paper_serial_run(const struct shepard_paper_engine *engine,
                                             const struct shepard_paper_problem *problem,
                                             double *const *values,
                                             struct shepard_paper_times *times,
                                             struct shepard_error *error);

#endif
