/* SPDX-License-Identifier: MIT */
#include "spill_buckets.h"

#include "bucket_box.h"
#include "checksum.h"

#include <stdlib.h>

static bool reserve(struct shepard_spill_buckets *buckets, size_t more)
{
    if (buckets->count + more <= buckets->room)
        return true;
    const size_t room = 2 * buckets->room + more + 64;
    struct shepard_spill_bucket *box = realloc(buckets->box, room * sizeof *box);
    buckets->box = box ? box : buckets->box;
    struct shepard_spill_place *place = realloc(buckets->place, room * sizeof *place);
    buckets->place = place ? place : buckets->place;
    buckets->room = box && place ? room : buckets->room;
    return box && place;
}

bool shepard_spill_buckets_add(struct shepard_spill_buckets *buckets, const double *records,
                               size_t fields, size_t count, uint64_t first)
{
    for (size_t at = 0; at < count; at += SHEPARD_SPILL_BUCKET_MAX) {
        const size_t left = count - at;
        const size_t some = left < SHEPARD_SPILL_BUCKET_MAX ? left : SHEPARD_SPILL_BUCKET_MAX;
        const double *from = records + at * fields;
        if (!reserve(buckets, 1))
            return false;
        buckets->box[buckets->count] = shepard_bucket_box(from, some, fields);
        buckets->place[buckets->count++] = (struct shepard_spill_place){
            first + at, shepard_checksum_add(0, from, some * fields * sizeof *from)};
    }
    return true;
}

bool shepard_spill_buckets_append(struct shepard_spill_buckets *buckets,
                                  const struct shepard_spill_buckets *more)
{
    if (!reserve(buckets, more->count))
        return false;
    for (size_t i = 0; i < more->count; i++, buckets->count++) {
        buckets->box[buckets->count] = more->box[i];
        buckets->place[buckets->count] = more->place[i];
    }
    return true;
}

void shepard_spill_buckets_clear(struct shepard_spill_buckets *buckets)
{
    free(buckets->box);
    free(buckets->place);
    *buckets = (struct shepard_spill_buckets){0};
}
