/* SPDX-License-Identifier: MIT */
/* The engines on a GPU, behind plain C. */
#ifndef SHEPARD_PAPERS_GPU_H
#define SHEPARD_PAPERS_GPU_H

#include "problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* problems: [sets]; several have the same n and m and one column each.
 *
 * Makes the device's context, and loads the kernels that the problems will launch, by a run on a
 * few of their points whose results are dropped: what follows is the time of the work. */
enum shepard_status shepard_paper_gpu_warm(const struct shepard_paper_engine *engine,
                                           const struct shepard_paper_problem *problems,
                                           size_t sets, struct shepard_error *error);

/* Sets all times but total; adds to prepare. values: [sets or columns]. */
enum shepard_status shepard_paper_gpu_run(const struct shepard_paper_engine *engine,
                                          const struct shepard_paper_problem *problems, size_t sets,
                                          double *const *values, struct shepard_paper_times *times,
                                          struct shepard_error *error);

#ifdef __cplusplus
}
#endif

#endif
