/* SPDX-License-Identifier: MIT */
#include "core/range.h"

#include "base/arithmetic.h"
#include "base/parallel.h"

#define SLICES 32
/* Fewer numbers are one slice. */
#define SLICE_MIN 16384

struct slices {
    const double *a;
    size_t n, length;
    struct shepard_range of[SLICES];
};

static enum shepard_status measure_slice(void *context, size_t slice, int thread)
{
    struct slices *slices = context;
    const double *a = slices->a;
    const size_t first = slice * slices->length;
    const size_t end = shepard_smaller(first + slices->length, slices->n);
    double low = a[first], high = a[first];
    (void)thread;
    for (size_t i = first; i < end; i++) {
        low = a[i] < low ? a[i] : low;
        high = a[i] > high ? a[i] : high;
    }
    slices->of[slice] = (struct shepard_range){low, high};
    return SHEPARD_OK;
}

struct shepard_range shepard_range_join(const struct shepard_range *of, size_t count)
{
    struct shepard_range range = of[0];
    for (size_t i = 1; i < count; i++) {
        range.low = of[i].low < range.low ? of[i].low : range.low;
        range.high = of[i].high > range.high ? of[i].high : range.high;
    }
    return range;
}

struct shepard_range shepard_range_of(const double *a, size_t n, int threads)
{
    const size_t even = shepard_ceil_div(n, SLICES);
    struct slices slices = {.a = a, .n = n, .length = even > SLICE_MIN ? even : SLICE_MIN};
    const struct shepard_loop loop = {.threads = threads,
                                      .blocks = shepard_ceil_div(n, slices.length),
                                      .body = measure_slice,
                                      .context = &slices};
    shepard_loop_run(&loop);
    return shepard_range_join(slices.of, loop.blocks);
}
