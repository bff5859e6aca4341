/* SPDX-License-Identifier: MIT */
#include "kernel/search_impl.h"

const struct shepard_search_kernels shepard_search_avx512 = {search_nearest, search_list_leaves,
                                                             search_nearest_listed, search_inside};
