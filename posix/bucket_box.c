/* SPDX-License-Identifier: MIT */
#include "bucket_box.h"

#include <math.h>

struct shepard_spill_bucket shepard_bucket_box(const double *records, size_t count, size_t fields)
{
    struct shepard_spill_bucket box = {INFINITY, -INFINITY, INFINITY, -INFINITY, count};
    for (size_t i = 0; i < count; i++) {
        const double x = records[i * fields], y = records[i * fields + 1];
        box.x_min = x < box.x_min ? x : box.x_min;
        box.x_max = x > box.x_max ? x : box.x_max;
        box.y_min = y < box.y_min ? y : box.y_min;
        box.y_max = y > box.y_max ? y : box.y_max;
    }
    return box;
}

struct shepard_spill_bucket shepard_bucket_join(const struct shepard_spill_bucket *buckets,
                                                size_t count)
{
    struct shepard_spill_bucket all = buckets[0];
    for (size_t i = 1; i < count; i++) {
        all.x_min = fmin(all.x_min, buckets[i].x_min);
        all.x_max = fmax(all.x_max, buckets[i].x_max);
        all.y_min = fmin(all.y_min, buckets[i].y_min);
        all.y_max = fmax(all.y_max, buckets[i].y_max);
        all.count += buckets[i].count;
    }
    return all;
}
