/* SPDX-License-Identifier: MIT */
#include "kernel/moments_impl.h"

const struct shepard_moment_kernels shepard_moments_avx2 = {collect, translate, express, measure};
