/* SPDX-License-Identifier: MIT */
/* What GPUs compute themselves: the one place that knows. */
#ifndef SHEPARD_BACKEND_CUDA_REFUSAL_H
#define SHEPARD_BACKEND_CUDA_REFUSAL_H

#include "shepard/shepard.h"

/* The most neighbours that a GPU looks for, in all or in each sector, and the most in a system of
 * kriging. */
#define SHEPARD_CUDA_NEIGHBOURS 256
#define SHEPARD_CUDA_SYSTEM 64

/* "" where a GPU predicts by these parameters from this many points; else why the CPU
 * does, a sentence. */
const char *shepard_cuda_refusal(const struct shepard_parameters *parameters,
                                 enum shepard_metric metric, size_t points);

/* The same of targets that are data points, each left out, where it predicts at others. */
const char *shepard_cuda_refusal_to_leave_out(const struct shepard_parameters *parameters,
                                              bool keep_coincident);

/* Why a GPU does not predict at targets with stars. */
const char *shepard_cuda_refusal_of_stars(void);

/* The same of results, which are resolved. */
const char *shepard_cuda_refusal_of_output(const struct shepard_parameters *parameters,
                                           const struct shepard_output *output);

#endif
