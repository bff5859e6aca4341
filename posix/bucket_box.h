/* SPDX-License-Identifier: MIT */
/** Boxes of points that stand one behind the other. */
#ifndef SHEPARD_POSIX_BUCKET_BOX_H
#define SHEPARD_POSIX_BUCKET_BOX_H

#include "shepard/shepard_io.h"

/** Of records of so many fields, which begin with x and y. */
struct shepard_spill_bucket shepard_bucket_box(const double *records, size_t count, size_t fields);

/** One round some, 1 or more. */
struct shepard_spill_bucket shepard_bucket_join(const struct shepard_spill_bucket *buckets,
                                                size_t count);

#endif
