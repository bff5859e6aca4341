/* SPDX-License-Identifier: MIT */
/* Weights and sums. Compiled once for each instruction set. */
#include "kernel/sum_single_impl.h"

const struct shepard_sum_kernels SHEPARD_KERNELS(sum) = {
    list_weights, start_double,      add_points_double, add_nodes_double, finish_double,
    start_single, add_points_single, add_nodes_single,  add_plane_nodes,
};
