/* SPDX-License-Identifier: MIT */
/** Host memory that a GPU reads and writes by itself, without a copy in between. */
#ifndef SHEPARD_BENCH_PINNED_H
#define SHEPARD_BENCH_PINNED_H

#include <shepard/shepard.h>

/** Static. */
const struct shepard_allocator *shepard_pinned_allocator(void);

/** An array of count numbers; NULL where there is no such memory. NULL may be freed. */
double *shepard_pinned_numbers(size_t count);
void shepard_pinned_free(double *numbers);

#endif
