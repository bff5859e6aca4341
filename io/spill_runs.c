/* SPDX-License-Identifier: MIT */
#include "spill_file.h"

#include "used_points.h"

#include <stdlib.h>
#include <string.h>

/* An item is a key, and below it the number of a point in the run. */
enum { INDEX_BITS = 64 - SHEPARD_CURVE_KEY_BITS };
static const size_t run_min = 64, run_max = (size_t)1 << INDEX_BITS;

/* Keys computed at once. */
enum { KEYS = 256 };

/* Nothing is known but the first points: the square is so many times as large as their box, for
 * files in the order of tiles. That leaves 4096 steps of the curve on a side of the box. */
static const double square_times = 256;

static bool make_numbers(struct shepard_sunk_points *points, size_t columns, bool weighted)
{
    *points = (struct shepard_sunk_points){.columns = columns, .weighted = weighted};
    points->numbers = calloc(shepard_record_fields(columns, weighted), sizeof *points->numbers);
    return points->numbers;
}

static void free_points(struct shepard_sunk_points *points)
{
    const size_t fields = shepard_record_fields(points->columns, points->weighted);
    for (size_t f = 0; points->numbers && f < fields; f++)
        free(points->numbers[f]);
    free(points->numbers);
    *points = (struct shepard_sunk_points){0};
}

static bool make_room(struct shepard_spill_writer *writer)
{
    const struct shepard_spill *spill = writer->spill;
    writer->items = malloc(writer->capacity * sizeof *writer->items);
    writer->other = malloc(writer->capacity * sizeof *writer->other);
    writer->records = malloc(shepard_spill_bytes(spill, shepard_spill_chunk(spill)));
    return writer->items && writer->other && writer->records;
}

enum shepard_io_status shepard_spill_writer_begin(void *user, size_t columns, bool weighted,
                                                  size_t *capacity, struct shepard_io_error *error)
{
    struct shepard_spill_writer *writer = user;
    const size_t points =
        writer->memory / shepard_spill_run_bytes(shepard_record_fields(columns, weighted));
    *capacity = writer->capacity = points < run_min ? run_min : points < run_max ? points : run_max;
    return shepard_spill_set_columns(writer->spill, columns, weighted) && make_room(writer) &&
                   make_numbers(&writer->points, columns, weighted) &&
                   make_numbers(&writer->sample, columns, weighted)
               ? SHEPARD_IO_OK
               : shepard_io_fail_memory(error);
}

void shepard_spill_writer_end(struct shepard_spill_writer *writer)
{
    shepard_background_wait(&writer->thread);
    free_points(&writer->points);
    free_points(&writer->sample);
    free(writer->items);
    free(writer->other);
    free(writer->records);
    writer->items = writer->other = NULL;
    writer->records = NULL;
}

/* The points in use from *next on, at most a run of them: their items. Returns how many. */
static size_t choose(struct shepard_spill_writer *writer, const struct shepard_sunk_points *points,
                     size_t *next)
{
    size_t kept = 0, i = *next;
    for (; i < points->count && i - *next < writer->capacity; i++)
        if (shepard_used_points_add(&writer->spill->info, points, i))
            writer->items[kept++] = i - *next;
    *next = i;
    return kept;
}

/* ---- Sorting --------------------------------------------------------------------------------- */

static void set_keys(struct shepard_spill_writer *writer, const struct shepard_sunk_points *points,
                     size_t start, size_t count)
{
    double x[KEYS], y[KEYS];
    uint64_t key[KEYS];
    for (size_t first = 0; first < count; first += KEYS) {
        uint64_t *items = writer->items + first;
        const size_t some = count - first < KEYS ? count - first : KEYS;
        for (size_t i = 0; i < some; i++) {
            x[i] = points->numbers[0][start + items[i]];
            y[i] = points->numbers[1][start + items[i]];
        }
        shepard_curve_keys(&writer->spill->curve, x, y, sizeof *x, some, key);
        for (size_t i = 0; i < some; i++)
            items[i] |= key[i] << INDEX_BITS;
    }
}

/* By the keys' digits, the last one first. */
static void sort_items(struct shepard_spill_writer *writer, size_t count)
{
    enum { DIGIT_BITS = 10, DIGITS = 1 << DIGIT_BITS };
    size_t place[DIGITS];
    for (int shift = INDEX_BITS; shift < 64; shift += DIGIT_BITS) {
        memset(place, 0, sizeof place);
        for (size_t i = 0; i < count; i++)
            place[writer->items[i] >> shift & (DIGITS - 1)]++;
        size_t sum = 0;
        for (size_t d = 0; d < DIGITS; d++) {
            const size_t of_digit = place[d];
            place[d] = sum;
            sum += of_digit;
        }
        for (size_t i = 0; i < count; i++)
            writer->other[place[writer->items[i] >> shift & (DIGITS - 1)]++] = writer->items[i];
        uint64_t *const sorted = writer->other;
        writer->other = writer->items;
        writer->items = sorted;
    }
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void gather(const struct shepard_spill_writer *writer,
                   const struct shepard_sunk_points *points, size_t start, const uint64_t *items,
                   size_t count, double *records)
{
    const size_t fields = writer->spill->fields;
    for (size_t i = 0; i < count; i++) {
        const size_t at = start + (size_t)(items[i] & (run_max - 1));
        double *record = records + i * fields;
        for (size_t f = 0; f < fields; f++)
            record[f] = points->numbers[f][at];
    }
}

static enum shepard_io_status add_run(struct shepard_spill *spill, uint64_t first, uint64_t count,
                                      struct shepard_io_error *error)
{
    struct shepard_spill_run *runs =
        realloc(spill->runs, (spill->run_count + 1) * sizeof *spill->runs);
    if (!runs)
        return shepard_io_fail_memory(error);
    spill->runs = runs;
    runs[spill->run_count++] = (struct shepard_spill_run){first, count};
    return SHEPARD_IO_OK;
}

/* The first run may be the only one: its records are those of the buckets then. */
static enum shepard_io_status write_records(struct shepard_spill_writer *writer, size_t count,
                                            uint64_t first)
{
    struct shepard_spill *spill = writer->spill;
    if (spill->run_count == 0 &&
        !shepard_spill_buckets_add(&spill->buckets, writer->records, spill->fields, count, first))
        return shepard_io_fail_memory(&writer->error);
    return shepard_spill_write(spill, spill->file, writer->records, count, first, &writer->error);
}

static enum shepard_io_status write_run(struct shepard_spill_writer *writer, size_t start,
                                        size_t count)
{
    struct shepard_spill *spill = writer->spill;
    const uint64_t before = spill->info.points - count;
    const size_t chunk = shepard_spill_chunk(spill);
    for (size_t first = 0; first < count; first += chunk) {
        const size_t some = count - first < chunk ? count - first : chunk;
        gather(writer, &writer->points, start, writer->items + first, some, writer->records);
        const enum shepard_io_status status = write_records(writer, some, before + first);
        if (status)
            return status;
    }
    return count > 0 ? add_run(spill, before, count, &writer->error) : SHEPARD_IO_OK;
}

static void choose_curve(struct shepard_spill_writer *writer)
{
    const struct shepard_bounds *box = &writer->spill->info.box;
    const double x[2] = {box->x_min, box->x_max}, y[2] = {box->y_min, box->y_max};
    shepard_curve_make(&writer->spill->curve, x, y, square_times);
    writer->curve_is_known = true;
}

/* ---- A sample -------------------------------------------------------------------------------- */

static void copy_point(struct shepard_sunk_points *to, size_t at,
                       const struct shepard_sunk_points *from, size_t i, size_t fields)
{
    for (size_t f = 0; f < fields; f++)
        to->numbers[f][at] = from->numbers[f][i];
}

static bool make_sample(struct shepard_sunk_points *sample, size_t capacity, size_t fields)
{
    bool good = true;
    sample->capacity = capacity;
    for (size_t f = 0; f < fields; f++) {
        sample->numbers[f] = malloc(capacity * sizeof(double));
        good = good && sample->numbers[f];
    }
    return good;
}

/* Of a full sample every other point stays. */
static enum shepard_io_status add_to_sample(struct shepard_spill_writer *writer)
{
    const struct shepard_sunk_points *points = &writer->points;
    struct shepard_sunk_points *sample = &writer->sample;
    struct shepard_spill_info *info = &writer->spill->info;
    const size_t fields = writer->spill->fields;
    if (sample->capacity == 0 && !make_sample(sample, writer->capacity, fields))
        return shepard_io_fail_memory(&writer->error);
    for (size_t i = 0; i < points->count; i++) {
        if (!shepard_used_points_add(info, points, i) || (info->points - 1) % writer->stride != 0)
            continue;
        copy_point(sample, sample->count++, points, i, fields);
        if (sample->count < sample->capacity)
            continue;
        for (size_t kept = 1; 2 * kept < sample->count; kept++)
            copy_point(sample, kept, sample, 2 * kept, fields);
        sample->count = (sample->count + 1) / 2;
        writer->stride *= 2;
    }
    return SHEPARD_IO_OK;
}

/* The spill gets the sample, sorted. */
static enum shepard_io_status keep_sample(struct shepard_spill_writer *writer)
{
    struct shepard_spill *spill = writer->spill;
    const size_t count = writer->sample.count;
    for (size_t i = 0; i < count; i++)
        writer->items[i] = i;
    spill->kept = malloc(shepard_spill_bytes(spill, count + 1));
    if (!spill->kept)
        return shepard_io_fail_memory(&writer->error);
    choose_curve(writer);
    set_keys(writer, &writer->sample, 0, count);
    sort_items(writer, count);
    gather(writer, &writer->sample, 0, writer->items, count, spill->kept);
    return shepard_spill_buckets_add(&spill->buckets, spill->kept, spill->fields, count, 0)
               ? SHEPARD_IO_OK
               : shepard_io_fail_memory(&writer->error);
}

/* ---- Taking ---------------------------------------------------------------------------------- */

static enum shepard_io_status write_runs(struct shepard_spill_writer *writer)
{
    const struct shepard_sunk_points *points = &writer->points;
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (size_t next = 0; next < points->count && !status;) {
        const size_t start = next, count = choose(writer, points, &next);
        if (count > 0 && !writer->curve_is_known)
            choose_curve(writer);
        set_keys(writer, points, start, count);
        sort_items(writer, count);
        status = write_run(writer, start, count);
    }
    return status;
}

static void *take_points(void *user)
{
    struct shepard_spill_writer *writer = user;
    writer->status = shepard_used_points_check(&writer->points, &writer->error);
    if (!writer->status)
        writer->status = writer->samples ? add_to_sample(writer) : write_runs(writer);
    return NULL;
}

/* Waits for the points that were taken last: what became of them. */
static enum shepard_io_status taken(struct shepard_spill_writer *writer,
                                    struct shepard_io_error *error)
{
    shepard_background_wait(&writer->thread);
    if (writer->status && error)
        *error = writer->error;
    return writer->status;
}

enum shepard_io_status shepard_spill_writer_finish(struct shepard_spill_writer *writer,
                                                   struct shepard_io_error *error)
{
    shepard_background_wait(&writer->thread);
    if (!writer->status && writer->sample.count > 0)
        writer->status = keep_sample(writer);
    return taken(writer, error);
}

static void swap(struct shepard_sunk_points *a, struct shepard_sunk_points *b)
{
    const struct shepard_sunk_points before = *a;
    *a = *b;
    *b = before;
}

enum shepard_io_status shepard_spill_writer_take(void *user, struct shepard_sunk_points *points,
                                                 struct shepard_io_error *error)
{
    struct shepard_spill_writer *writer = user;
    const enum shepard_io_status status = taken(writer, error);
    swap(&writer->points, points);
    if (status)
        return status;
    if (!writer->alone) {
        shepard_background_start(&writer->thread, take_points, writer);
        return SHEPARD_IO_OK;
    }
    take_points(writer);
    return taken(writer, error);
}
