/* SPDX-License-Identifier: MIT */
/* Each thread merges a range of the keys. */
#define _GNU_SOURCE
#include "spill_file.h"

#include "background.h"
#include "journal.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* Of a run that are in memory: bytes at least, and records at most. */
enum { INPUT_BYTES_MIN = 2048, INPUT_RECORDS_MAX = 16384 };

/* A run that is read. */
struct input {
    uint64_t next, end; /* records that are not in memory yet */
    double *records;
    uint64_t *keys;
    size_t at, count; /* the next record, and all, in memory */
};

/* An input that has records, by the key of its next one. */
struct entry {
    uint64_t key;
    size_t input;
};

/* A range of keys. */
struct merge {
    const struct shepard_spill *spill;
    const struct shepard_io_control *control; /* NULL: it reports nothing */
    atomic_bool *stop;                        /* one has failed */
    struct input *inputs;                     /* [run_count] */
    size_t room;                              /* records of each */
    struct entry *heap;                       /* that with the least key first */
    size_t heap_count;
    int file;                     /* of the output */
    double *records;              /* of the output, until they are written */
    size_t count, chunk;          /* of them, and when they are written */
    uint64_t first, written, end; /* records of the output before its own, those and what it wrote,
                                     and those before the next range's */
    struct shepard_spill_buckets buckets;
    struct shepard_background thread;
    enum shepard_io_status status;
    struct shepard_io_error error;
};

/* ---- Input ----------------------------------------------------------------------------------- */

/* What was read is not needed again: its room on the disk is given back, where that can be. */
static void give_back(const struct shepard_spill *spill, uint64_t first, size_t count)
{
#ifdef FALLOC_FL_PUNCH_HOLE
    (void)!fallocate(spill->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                     (off_t)(first * shepard_spill_bytes(spill, 1)),
                     (off_t)shepard_spill_bytes(spill, count));
#else
    (void)spill, (void)first, (void)count;
#endif
}

static enum shepard_io_status fill(struct merge *merge, struct input *input)
{
    const struct shepard_spill *spill = merge->spill;
    const uint64_t left = input->end - input->next;
    input->at = 0;
    input->count = left < merge->room ? (size_t)left : merge->room;
    if (input->count == 0)
        return SHEPARD_IO_OK;
    if (!shepard_read_at(spill->file, input->records, shepard_spill_bytes(spill, input->count),
                         input->next * shepard_spill_bytes(spill, 1)))
        return shepard_spill_fail_lost(spill, &merge->error);
    give_back(spill, input->next, input->count);
    input->next += input->count;
    shepard_curve_keys(&spill->curve, input->records, input->records + 1,
                       shepard_spill_bytes(spill, 1), input->count, input->keys);
    return SHEPARD_IO_OK;
}

/* Records of one key stay in the order in which they were read. */
static bool comes_before(const struct entry *a, const struct entry *b)
{
    return a->key != b->key ? a->key < b->key : a->input < b->input;
}

static void sift(struct merge *merge, size_t i)
{
    struct entry *const heap = merge->heap;
    const struct entry moved = heap[i];
    for (size_t child = 2 * i + 1; child < merge->heap_count; child = 2 * i + 1) {
        child += child + 1 < merge->heap_count && comes_before(&heap[child + 1], &heap[child]);
        if (comes_before(&moved, &heap[child]))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

/* Takes the first record of the heap away. */
static enum shepard_io_status advance(struct merge *merge)
{
    struct input *input = &merge->inputs[merge->heap[0].input];
    if (++input->at == input->count) {
        const enum shepard_io_status status = fill(merge, input);
        if (status)
            return status;
    }
    if (input->at == input->count)
        merge->heap[0] = merge->heap[--merge->heap_count];
    else
        merge->heap[0].key = input->keys[input->at];
    if (merge->heap_count > 0)
        sift(merge, 0);
    return SHEPARD_IO_OK;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static enum shepard_io_status report(struct merge *merge)
{
    const double fraction =
        (double)(merge->written - merge->first) / (double)(merge->end - merge->first);
    if (atomic_load(merge->stop) ||
        (merge->control && !shepard_io_progress(merge->control, fraction)))
        return shepard_io_fail_cancelled(&merge->error);
    return SHEPARD_IO_OK;
}

static enum shepard_io_status flush(struct merge *merge)
{
    const struct shepard_spill *spill = merge->spill;
    if (!shepard_spill_buckets_add(&merge->buckets, merge->records, spill->fields, merge->count,
                                   merge->written))
        return shepard_io_fail_memory(&merge->error);
    const enum shepard_io_status status = shepard_spill_write(
        spill, merge->file, merge->records, merge->count, merge->written, &merge->error);
    merge->written += merge->count;
    merge->count = 0;
    return status ? status : report(merge);
}

static enum shepard_io_status emit(struct merge *merge)
{
    const size_t fields = merge->spill->fields;
    const struct input *input = &merge->inputs[merge->heap[0].input];
    const double *from = input->records + input->at * fields;
    double *to = merge->records + merge->count * fields;
    for (size_t f = 0; f < fields; f++)
        to[f] = from[f];
    return ++merge->count == merge->chunk ? flush(merge) : SHEPARD_IO_OK;
}

/* ---- The merge of a range -------------------------------------------------------------------- */

static enum shepard_io_status start_heap(struct merge *merge)
{
    for (size_t i = 0; i < merge->spill->run_count; i++) {
        struct input *input = &merge->inputs[i];
        const enum shepard_io_status status = fill(merge, input);
        if (status)
            return status;
        if (input->count > 0)
            merge->heap[merge->heap_count++] = (struct entry){input->keys[0], i};
    }
    for (size_t i = merge->heap_count / 2; i-- > 0;)
        sift(merge, i);
    return SHEPARD_IO_OK;
}

static void *run(void *user)
{
    struct merge *merge = user;
    enum shepard_io_status status = start_heap(merge);
    while (merge->heap_count > 0 && !status) {
        status = emit(merge);
        if (!status)
            status = advance(merge);
    }
    merge->status = status || merge->count == 0 ? status : flush(merge);
    if (merge->status)
        atomic_store(merge->stop, true);
    return NULL;
}

static void release(struct merge *merge)
{
    for (size_t i = 0; merge->inputs && i < merge->spill->run_count; i++) {
        free(merge->inputs[i].records);
        free(merge->inputs[i].keys);
    }
    shepard_spill_buckets_clear(&merge->buckets);
    free(merge->inputs);
    free(merge->heap);
    free(merge->records);
}

static bool make_room(struct merge *merge, size_t memory)
{
    const struct shepard_spill *spill = merge->spill;
    const size_t runs = spill->run_count, record = shepard_spill_bytes(spill, 1) + sizeof(uint64_t);
    const size_t least = (INPUT_BYTES_MIN + record - 1) / record;
    merge->room = memory / (runs * record);
    merge->room = merge->room < least               ? least
                  : merge->room > INPUT_RECORDS_MAX ? INPUT_RECORDS_MAX
                                                    : merge->room;
    merge->chunk = shepard_spill_chunk(spill);
    merge->inputs = calloc(runs, sizeof *merge->inputs);
    merge->heap = malloc(runs * sizeof *merge->heap);
    merge->records = malloc(shepard_spill_bytes(spill, merge->chunk));
    bool good = merge->inputs && merge->heap && merge->records;
    for (size_t i = 0; i < runs && good; i++) {
        struct input *input = &merge->inputs[i];
        input->records = malloc(shepard_spill_bytes(spill, merge->room));
        input->keys = malloc(merge->room * sizeof *input->keys);
        good = input->records && input->keys;
    }
    return good;
}

/* ---- Ranges of keys -------------------------------------------------------------------------- */

/* Keys looked at for each range, of all runs together. */
enum { SAMPLES = 64, RANGES_MAX = 16 };

static bool key_at(const struct shepard_spill *spill, uint64_t record, uint64_t *key)
{
    double place[2];
    if (!shepard_read_at(spill->file, place, sizeof place, record * shepard_spill_bytes(spill, 1)))
        return false;
    shepard_curve_keys(&spill->curve, place, place + 1, sizeof place, 1, key);
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Where ranges of about as many records each end: splitters [ranges - 1]. */
static bool find_splitters(const struct shepard_spill *spill, size_t ranges, uint64_t *splitters)
{
    const uint64_t step = 1 + spill->info.points / (SAMPLES * ranges);
    uint64_t keys[SAMPLES * RANGES_MAX];
    size_t count = 0;
    for (uint64_t record = step / 2; record < spill->info.points; record += step)
        if (!key_at(spill, record, &keys[count++]))
            return false;
    qsort(keys, count, sizeof *keys, compare);
    for (size_t i = 1; i < ranges; i++)
        splitters[i - 1] = keys[i * count / ranges];
    return true;
}

/* The first record of a run whose key is not below this one. */
static bool find_record(const struct shepard_spill *spill, const struct shepard_spill_run *run,
                        uint64_t key, uint64_t *record)
{
    uint64_t low = run->first, high = run->first + run->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        uint64_t found;
        if (!key_at(spill, middle, &found))
            return false;
        if (found < key)
            low = middle + 1;
        else
            high = middle;
    }
    *record = low;
    return true;
}

/* Says of each range where it begins and ends in each run and in the output. */
static bool divide(struct merge *merges, size_t ranges)
{
    const struct shepard_spill *spill = merges->spill;
    uint64_t splitters[RANGES_MAX];
    if (!find_splitters(spill, ranges, splitters))
        return false;
    for (size_t r = 0; r < ranges; r++) {
        for (size_t i = 0; i < spill->run_count; i++) {
            const struct shepard_spill_run *run = &spill->runs[i];
            struct input *input = &merges[r].inputs[i];
            input->next = r > 0 ? merges[r - 1].inputs[i].end : run->first;
            input->end = run->first + run->count;
            if (r + 1 < ranges && !find_record(spill, run, splitters[r], &input->end))
                return false;
            merges[r].end += input->end - input->next;
        }
        merges[r].first = merges[r].written = r > 0 ? merges[r - 1].end : 0;
        merges[r].end += merges[r].first;
    }
    return true;
}

/* ---- The merge ------------------------------------------------------------------------------- */

/* The caller's thread has the first range, and reports. */
static enum shepard_io_status run_all(struct merge *merges, size_t ranges,
                                      struct shepard_io_error *error)
{
    for (size_t r = 1; r < ranges; r++)
        shepard_background_start(&merges[r].thread, run, &merges[r]);
    run(&merges[0]);
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (size_t r = 0; r < ranges; r++) {
        shepard_background_wait(&merges[r].thread);
        /* The others were stopped by the one that failed. */
        if (merges[r].status && (!status || status == SHEPARD_IO_ERROR_CANCELLED)) {
            status = merges[r].status;
            if (error)
                *error = merges[r].error;
        }
    }
    return status;
}

static enum shepard_io_status merge_ranges(struct shepard_spill *spill, struct merge *merges,
                                           size_t ranges, size_t memory,
                                           struct shepard_io_error *error)
{
    bool good = true;
    for (size_t r = 0; r < ranges && good; r++)
        good = make_room(&merges[r], memory / ranges);
    if (!good)
        return shepard_io_fail_memory(error);
    if (!divide(merges, ranges))
        return shepard_spill_fail_lost(spill, error);
    const enum shepard_io_status status = run_all(merges, ranges, error);
    for (size_t r = 0; r < ranges && good; r++)
        good = shepard_spill_buckets_append(&spill->buckets, &merges[r].buckets);
    return status ? status : good ? SHEPARD_IO_OK : shepard_io_fail_memory(error);
}

enum shepard_io_status shepard_spill_merge(struct shepard_spill *spill, size_t memory, int threads,
                                           const struct shepard_io_control *control,
                                           struct shepard_io_error *error)
{
    const size_t ranges = threads < RANGES_MAX ? (size_t)threads : RANGES_MAX;
    if (spill->run_count < 2)
        return SHEPARD_IO_OK;
    shepard_spill_buckets_clear(&spill->buckets);
    struct merge *merges = calloc(ranges, sizeof *merges);
    if (!merges)
        return shepard_io_fail_memory(error);
    const int file = shepard_spill_open(spill, "buckets", error);
    atomic_bool stop = false;
    for (size_t r = 0; r < ranges; r++) {
        merges[r].spill = spill;
        merges[r].control = r == 0 ? control : NULL;
        merges[r].stop = &stop;
        merges[r].file = file;
    }
    const enum shepard_io_status status =
        file < 0 ? SHEPARD_IO_ERROR_WRITE : merge_ranges(spill, merges, ranges, memory, error);
    for (size_t r = 0; r < ranges; r++)
        release(&merges[r]);
    free(merges);
    if (file >= 0) {
        close(spill->file);
        spill->file = file;
    }
    return status;
}
