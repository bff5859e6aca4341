/* SPDX-License-Identifier: MIT */
/* In place of gpu.cu where the build has no CUDA. */
#include "gpu.h"

#include "base/error.h"

static enum shepard_status refuse(struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_BACKEND, "engine",
                             "this engine needs a GPU: built without CUDA");
}

enum shepard_status shepard_paper_gpu_warm(const struct shepard_paper_engine *engine,
                                           const struct shepard_paper_problem *problems,
                                           size_t sets, struct shepard_error *error)
{
    (void)engine;
    (void)problems;
    (void)sets;
    return refuse(error);
}

enum shepard_status shepard_paper_gpu_run(const struct shepard_paper_engine *engine,
                                          const struct shepard_paper_problem *problems, size_t sets,
                                          double *const *values, struct shepard_paper_times *times,
                                          struct shepard_error *error)
{
    (void)engine;
    (void)problems;
    (void)sets;
    (void)values;
    (void)times;
    return refuse(error);
}
