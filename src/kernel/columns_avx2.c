/* SPDX-License-Identifier: MIT */
#include "kernel/columns_impl.h"

const struct shepard_column_kernels shepard_columns_avx2 = {columns_average};
