/* SPDX-License-Identifier: MIT */
#include "kernel/sum_impl.h"

const struct shepard_sum_kernels shepard_sum_neon = {list_weights, sum_double, sum_single};
