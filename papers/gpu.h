/* SPDX-License-Identifier: MIT */
/* The engines on a GPU, behind plain C. */
#ifndef SHEPARD_PAPERS_GPU_H
#define SHEPARD_PAPERS_GPU_H

#include "problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the device's context, and loads the kernels that the problem will launch, by a run on a few
 * of its points whose results are dropped: what follows is the time of the work. */
enum shepard_status shepard_paper_gpu_warm(const struct shepard_paper_engine *engine,
                                           const struct shepard_paper_problem *problem,
                                           struct shepard_error *error);

/* Sets all times but total; adds to prepare. */
enum shepard_status shepard_paper_gpu_run(const struct shepard_paper_engine *engine,
                                          const struct shepard_paper_problem *problem,
                                          double *const *values, struct shepard_paper_times *times,
                                          struct shepard_error *error);

#ifdef __cplusplus
}
#endif

#endif
