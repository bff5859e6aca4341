/* SPDX-License-Identifier: MIT */
#include "spill_file.h"

#include "checksum.h"
#include "journal.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* Records of the output gathered before they are written; a multiple of a bucket's. */
enum { OUTPUT_RECORDS = 32 * SHEPARD_SPILL_BUCKET_MAX };

/* Records of a run that are in memory, at least and at most. */
enum { INPUT_RECORDS_MIN = 64, INPUT_RECORDS_MAX = 16384 };

/* A run that is read. */
struct input {
    uint64_t next, end; /* records that are not in memory yet */
    double *records;
    uint64_t *keys;
    size_t at, count; /* the next record, and all, in memory */
};

struct merge {
    struct shepard_spill *spill;
    struct input *inputs; /* [run_count] */
    size_t room;          /* records of each */
    size_t *heap;         /* numbers of inputs, that with the least key first */
    size_t heap_count;
    int file;        /* of the output; -1: the one run stays as it is */
    double *records; /* of the output */
    size_t count;    /* of them */
    uint64_t written;
};

/* ---- Input ----------------------------------------------------------------------------------- */

static enum shepard_io_status fill(const struct merge *merge, struct input *input,
                                   struct shepard_io_error *error)
{
    const struct shepard_spill *spill = merge->spill;
    const uint64_t left = input->end - input->next;
    input->at = 0;
    input->count = left < merge->room ? (size_t)left : merge->room;
    if (input->count == 0)
        return SHEPARD_IO_OK;
    if (!shepard_read_at(spill->file, input->records, shepard_spill_bytes(spill, input->count),
                         input->next * shepard_spill_bytes(spill, 1)))
        return shepard_spill_fail_lost(spill, error);
    input->next += input->count;
    shepard_curve_keys(&spill->square, input->records, input->records + 1,
                       shepard_spill_bytes(spill, 1), input->count, input->keys);
    return SHEPARD_IO_OK;
}

static uint64_t key_of(const struct merge *merge, size_t input)
{
    return merge->inputs[input].keys[merge->inputs[input].at];
}

static void sift(struct merge *merge, size_t i)
{
    const size_t moved = merge->heap[i];
    const uint64_t key = key_of(merge, moved);
    for (size_t child = 2 * i + 1; child < merge->heap_count; child = 2 * i + 1) {
        if (child + 1 < merge->heap_count &&
            key_of(merge, merge->heap[child + 1]) < key_of(merge, merge->heap[child]))
            child++;
        if (key <= key_of(merge, merge->heap[child]))
            break;
        merge->heap[i] = merge->heap[child];
        i = child;
    }
    merge->heap[i] = moved;
}

/* Takes the first record of the heap away. */
static enum shepard_io_status advance(struct merge *merge, struct shepard_io_error *error)
{
    struct input *input = &merge->inputs[merge->heap[0]];
    if (++input->at == input->count) {
        const enum shepard_io_status status = fill(merge, input, error);
        if (status)
            return status;
    }
    if (input->at == input->count)
        merge->heap[0] = merge->heap[--merge->heap_count];
    if (merge->heap_count > 0)
        sift(merge, 0);
    return SHEPARD_IO_OK;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static bool reserve_bucket(struct shepard_spill *spill)
{
    if (spill->info.bucket_count < spill->bucket_room)
        return true;
    const size_t room = 2 * spill->bucket_room + 64;
    struct shepard_spill_bucket *buckets = realloc(spill->buckets, room * sizeof *buckets);
    spill->buckets = buckets ? buckets : spill->buckets;
    struct shepard_spill_place *places = realloc(spill->places, room * sizeof *places);
    spill->places = places ? places : spill->places;
    spill->bucket_room = buckets && places ? room : spill->bucket_room;
    return buckets && places;
}

static void add_bucket(struct shepard_spill *spill, const double *records, size_t count,
                       uint64_t first)
{
    struct shepard_spill_bucket bucket = {INFINITY, -INFINITY, INFINITY, -INFINITY, count};
    for (size_t i = 0; i < count; i++) {
        const double x = records[i * spill->fields], y = records[i * spill->fields + 1];
        bucket.x_min = x < bucket.x_min ? x : bucket.x_min;
        bucket.x_max = x > bucket.x_max ? x : bucket.x_max;
        bucket.y_min = y < bucket.y_min ? y : bucket.y_min;
        bucket.y_max = y > bucket.y_max ? y : bucket.y_max;
    }
    spill->buckets[spill->info.bucket_count] = bucket;
    spill->places[spill->info.bucket_count++] = (struct shepard_spill_place){
        first, shepard_checksum_add(0, records, shepard_spill_bytes(spill, count))};
}

static enum shepard_io_status flush(struct merge *merge, struct shepard_io_error *error)
{
    struct shepard_spill *spill = merge->spill;
    for (size_t first = 0; first < merge->count; first += SHEPARD_SPILL_BUCKET_MAX) {
        const size_t left = merge->count - first;
        if (!reserve_bucket(spill))
            return shepard_io_fail_memory(error);
        add_bucket(spill, merge->records + first * spill->fields,
                   left < SHEPARD_SPILL_BUCKET_MAX ? left : SHEPARD_SPILL_BUCKET_MAX,
                   merge->written + first);
    }
    const enum shepard_io_status status =
        merge->file < 0 ? SHEPARD_IO_OK
                        : shepard_spill_write(spill, merge->file, merge->records, merge->count,
                                              merge->written, error);
    merge->written += merge->count;
    merge->count = 0;
    return status;
}

static enum shepard_io_status emit(struct merge *merge, struct shepard_io_error *error)
{
    const size_t fields = merge->spill->fields;
    const struct input *input = &merge->inputs[merge->heap[0]];
    const double *from = input->records + input->at * fields;
    double *to = merge->records + merge->count * fields;
    for (size_t f = 0; f < fields; f++)
        to[f] = from[f];
    return ++merge->count == OUTPUT_RECORDS ? flush(merge, error) : SHEPARD_IO_OK;
}

/* ---- The merge ------------------------------------------------------------------------------- */

static void release(struct merge *merge)
{
    for (size_t i = 0; merge->inputs && i < merge->spill->run_count; i++) {
        free(merge->inputs[i].records);
        free(merge->inputs[i].keys);
    }
    free(merge->inputs);
    free(merge->heap);
    free(merge->records);
}

static enum shepard_io_status begin(struct merge *merge, size_t memory,
                                    struct shepard_io_error *error)
{
    const struct shepard_spill *spill = merge->spill;
    const size_t runs = spill->run_count, record = shepard_spill_bytes(spill, 1) + sizeof(uint64_t);
    merge->room = memory / (runs * record);
    merge->room = merge->room < INPUT_RECORDS_MIN   ? INPUT_RECORDS_MIN
                  : merge->room > INPUT_RECORDS_MAX ? INPUT_RECORDS_MAX
                                                    : merge->room;
    merge->inputs = calloc(runs, sizeof *merge->inputs);
    merge->heap = malloc(runs * sizeof *merge->heap);
    merge->records = malloc(shepard_spill_bytes(spill, OUTPUT_RECORDS));
    bool good = merge->inputs && merge->heap && merge->records;
    for (size_t i = 0; i < runs && good; i++) {
        struct input *input = &merge->inputs[i];
        input->next = spill->runs[i].first;
        input->end = input->next + spill->runs[i].count;
        input->records = malloc(shepard_spill_bytes(spill, merge->room));
        input->keys = malloc(merge->room * sizeof *input->keys);
        good = input->records && input->keys;
    }
    return good ? SHEPARD_IO_OK : shepard_io_fail_memory(error);
}

static enum shepard_io_status start_heap(struct merge *merge, struct shepard_io_error *error)
{
    for (size_t i = 0; i < merge->spill->run_count; i++) {
        const enum shepard_io_status status = fill(merge, &merge->inputs[i], error);
        if (status)
            return status;
        merge->heap[merge->heap_count++] = i;
    }
    for (size_t i = merge->heap_count / 2; i-- > 0;)
        sift(merge, i);
    return SHEPARD_IO_OK;
}

static enum shepard_io_status run(struct merge *merge, const struct shepard_io_control *control,
                                  struct shepard_io_error *error)
{
    enum shepard_io_status status = start_heap(merge, error);
    while (merge->heap_count > 0 && !status) {
        status = emit(merge, error);
        if (!status)
            status = advance(merge, error);
        if (!status && merge->count == 0 && !shepard_io_progress(control, 1))
            status = shepard_io_fail_cancelled(error);
    }
    return status ? status : flush(merge, error);
}

/* The output becomes the spill's file. */
static enum shepard_io_status write_merged(struct merge *merge,
                                           const struct shepard_io_control *control,
                                           struct shepard_io_error *error)
{
    struct shepard_spill *spill = merge->spill;
    if (spill->run_count == 1)
        return run(merge, control, error);
    merge->file = shepard_spill_open(spill, "buckets", error);
    if (merge->file < 0)
        return SHEPARD_IO_ERROR_WRITE;
    const enum shepard_io_status status = run(merge, control, error);
    if (status) {
        close(merge->file);
        return status;
    }
    close(spill->file);
    spill->file = merge->file;
    return SHEPARD_IO_OK;
}

enum shepard_io_status shepard_spill_merge(struct shepard_spill *spill, size_t memory,
                                           const struct shepard_io_control *control,
                                           struct shepard_io_error *error)
{
    struct merge merge = {.spill = spill, .file = -1};
    if (spill->run_count == 0)
        return SHEPARD_IO_OK;
    enum shepard_io_status status = begin(&merge, memory, error);
    if (!status)
        status = write_merged(&merge, control, error);
    release(&merge);
    free(spill->runs);
    spill->runs = NULL;
    return status;
}
