/* SPDX-License-Identifier: MIT */
#include "spill_file.h"

#include "used_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An item is a key, and below it the number of a point in the run. */
enum { INDEX_BITS = 64 - SHEPARD_CURVE_KEY_BITS };
static const size_t run_max = (size_t)1 << INDEX_BITS;

/* Records gathered before they are written. */
enum { RECORDS = 32768 };

/* Keys computed at once. */
enum { KEYS = 256 };

/* Nothing is known but the first points: the square is so many times as large as their box, for
 * files in the order of tiles. That leaves 4096 steps of the curve on a side of the box. */
static const double square_times = 256;

enum shepard_io_status shepard_spill_writer_begin(struct shepard_spill_writer *writer,
                                                  struct shepard_io_error *error)
{
    if (writer->capacity > run_max)
        writer->capacity = run_max;
    writer->items = malloc(writer->capacity * sizeof *writer->items);
    writer->other = malloc(writer->capacity * sizeof *writer->other);
    writer->records = malloc(RECORDS * SHEPARD_SPILL_FIELDS_MAX * sizeof *writer->records);
    if (writer->items && writer->other && writer->records)
        return SHEPARD_IO_OK;
    shepard_spill_writer_end(writer);
    return shepard_io_fail_memory(error);
}

void shepard_spill_writer_end(struct shepard_spill_writer *writer)
{
    free(writer->items);
    free(writer->other);
    free(writer->records);
    writer->items = writer->other = NULL;
    writer->records = NULL;
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* The points in use from *next on, at most a run of them: their items. Returns how many. */
static size_t choose(struct shepard_spill_writer *writer, const struct shepard_sunk_points *points,
                     size_t *next)
{
    size_t kept = 0, i = *next;
    for (; i < points->count && i - *next < writer->capacity; i++)
        if (shepard_point_is_used(points, i)) {
            shepard_used_points_add(&writer->spill->info, points, i);
            writer->items[kept++] = i - *next;
        }
    *next = i;
    return kept;
}

static void set_keys(struct shepard_spill_writer *writer, const struct shepard_sunk_points *points,
                     size_t start, size_t count)
{
    double x[KEYS], y[KEYS];
    uint64_t key[KEYS];
    for (size_t first = 0; first < count; first += KEYS) {
        uint64_t *items = writer->items + first;
        const size_t some = count - first < KEYS ? count - first : KEYS;
        for (size_t i = 0; i < some; i++) {
            x[i] = points->x[start + items[i]];
            y[i] = points->y[start + items[i]];
        }
        shepard_curve_keys(&writer->spill->square, x, y, sizeof *x, some, key);
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
                   size_t count)
{
    const size_t fields = writer->spill->fields;
    for (size_t i = 0; i < count; i++) {
        const size_t at = start + (size_t)(items[i] & (run_max - 1));
        double *record = writer->records + i * fields;
        record[0] = points->x[at];
        record[1] = points->y[at];
        record[2] = points->value[at];
        if (points->weight)
            record[3] = points->weight[at];
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

static enum shepard_io_status write_run(struct shepard_spill_writer *writer,
                                        const struct shepard_sunk_points *points, size_t start,
                                        size_t count, struct shepard_io_error *error)
{
    struct shepard_spill *spill = writer->spill;
    const uint64_t before = spill->info.points - count;
    for (size_t first = 0; first < count; first += RECORDS) {
        const size_t some = count - first < RECORDS ? count - first : RECORDS;
        gather(writer, points, start, writer->items + first, some);
        const enum shepard_io_status status =
            shepard_spill_write(spill, spill->file, writer->records, some, before + first, error);
        if (status)
            return status;
    }
    return count > 0 ? add_run(spill, before, count, error) : SHEPARD_IO_OK;
}

static void choose_square(struct shepard_spill_writer *writer,
                          const struct shepard_sunk_points *points)
{
    double x_min = INFINITY, x_max = -INFINITY, y_min = INFINITY, y_max = -INFINITY;
    for (size_t i = 0; i < points->count; i++) {
        x_min = fmin(x_min, points->x[i]);
        x_max = fmax(x_max, points->x[i]);
        y_min = fmin(y_min, points->y[i]);
        y_max = fmax(y_max, points->y[i]);
    }
    writer->spill->square = shepard_curve_square_of(x_min, x_max, y_min, y_max, square_times);
    writer->square_is_known = true;
}

enum shepard_io_status shepard_spill_writer_take(void *user,
                                                 const struct shepard_sunk_points *points,
                                                 struct shepard_io_error *error)
{
    struct shepard_spill_writer *writer = user;
    enum shepard_io_status status = shepard_used_points_check(points, error);
    writer->spill->fields = points->weight ? 4 : 3;
    if (!writer->square_is_known)
        choose_square(writer, points);
    for (size_t next = 0; next < points->count && !status;) {
        const size_t start = next, count = choose(writer, points, &next);
        set_keys(writer, points, start, count);
        sort_items(writer, count);
        status = write_run(writer, points, start, count, error);
    }
    return status;
}
