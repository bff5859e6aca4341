/* SPDX-License-Identifier: MIT */
/* The cuda backend of a build without CUDA. */
#include "backend/backend.h"

static const char *unusable(void)
{
    return "this build has no CUDA: build it where nvcc is";
}

static const char *isa(const struct shepard_engine *engine)
{
    (void)engine;
    return "";
}

const struct shepard_backend_table shepard_backend_cuda = {
    .backend = SHEPARD_BACKEND_CUDA,
    .name = "cuda",
    .unusable = unusable,
    .isa = isa,
};
