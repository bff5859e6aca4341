/* SPDX-License-Identifier: MIT */
#include "kernel/sum_single_impl.h"

const struct shepard_sum_kernels shepard_sum_avx512 = {
    list_weights,  start_double, add_points_double, add_nodes_double,
    finish_double, start_single, add_points_single, add_nodes_single,
};
