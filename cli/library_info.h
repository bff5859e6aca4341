/* SPDX-License-Identifier: MIT */
/** What the library computes with. */
#ifndef SHEPARD_CLI_LIBRARY_INFO_H
#define SHEPARD_CLI_LIBRARY_INFO_H

#include "shepard/shepard.h"

/** With these options: backend, instruction set, threads, and so on; the backend is "none", and
 * threads is 0, where no points can be made. */
struct shepard_points_info shepard_library_info(const struct shepard_points_options *options);

/** Threads with this option of --threads; 0: as many as OpenMP takes. 1 where that is not known. */
int shepard_library_threads(int option);

#endif
