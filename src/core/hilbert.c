/* SPDX-License-Identifier: MIT */
/* Sorted by the first digit of its key, a place is in one of many parts that fit into the caches.
 * Each is then sorted by one thread, but a large one is split by the next digit, as all places
 * were. */
#include "core/hilbert.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/division.h"
#include "core/frame.h"
#include "core/hilbert_key.h"
#include "core/range.h"

#include <string.h>

#define KEY_BITS 32
#define DIGIT_BITS 11 /* of a split */
#define DIGITS (1u << DIGIT_BITS)
#define RADIX_BITS 8     /* of a pass within a part, at most */
#define FEW 32           /* fewer items are sorted by insertion */
#define MANY 1024        /* fewer are not worth a table of turns, */
#define LARGE (1u << 16) /* nor more than one thread */

/* A part: items are key << 32 | index, whose keys differ in their last bits alone. Where it holds
 * all places, the indices are not read: they are 0, 1, 2 and so on until their keys differ. */
struct key_range {
    uint64_t *items, *other; /* [count] of the other one only the room is used */
    uint32_t *order;         /* [count] where the sorted indices go */
    size_t count;
    int bits;
};

/* The square that keys cover. */
struct key_square {
    double x, y, size;         /* corner and side; size 0: one place */
    bool aligned;              /* it is one of the division: x and y are unused */
    int depth;                 /* of the division's squares that keys stand for; 2^depth */
    double scale, column, row; /* numbers of the first of them */
};

struct sort {
    const struct shepard_places *places;
    const struct shepard_hilbert_turns *turns; /* NULL: few places */
    int threads;
    size_t large;                    /* items of a part that all threads sort together */
    size_t (*histograms)[DIGITS];    /* [threads] */
    const struct shepard_box *whole; /* of the next square; NULL: that of its own places */
    struct key_range *pending;       /* [pending_count] large parts */
    size_t pending_count;
    struct key_range part;    /* the large part at work, */
    struct key_square square; /* its square */
    int shift;                /* and the digit that splits it */
};

/* ---- squares --------------------------------------------------------------------------------- */

static uint32_t index_at(const struct sort *sort, const struct key_range *part, size_t i)
{
    return part->count == sort->places->count ? (uint32_t)i : (uint32_t)part->items[i];
}

/* Depths of the largest and the smallest square that is searched for. */
#define DEPTH_LEAST (-20)
#define DEPTH_MOST 240

/* The number at a depth of the first square within square number of SHEPARD_HILBERT_BITS depths
 * less. */
static double first_number(double number, int depth)
{
    const int above = depth - SHEPARD_HILBERT_BITS;
    return depth >= 0 ? ldexp(shepard_division_start(number, above), depth)
                      : ldexp(number, SHEPARD_HILBERT_BITS);
}

/* Sets the square round the places, up to (x_max, y_max), to the smallest one of the division that
 * holds them, if any. No quarter of it holds them all, so each sort separates some places. */
static void align(const struct shepard_places *places, double x_max, double y_max,
                  struct key_square *square)
{
    const double x = square->x - places->x0, y = square->y - places->y0;
    const double right = x_max - places->x0, top = y_max - places->y0;
    const int first = 1 - ilogb(square->size);
    for (int depth = first; depth <= DEPTH_MOST && depth >= DEPTH_LEAST; depth--) {
        const double column = shepard_division_number(x, depth);
        const double row = shepard_division_number(y, depth);
        if (column != shepard_division_number(right, depth) ||
            row != shepard_division_number(top, depth))
            continue;
        square->aligned = depth < first; /* else offsets are too coarse to separate them */
        square->depth = depth + SHEPARD_HILBERT_BITS;
        square->scale = ldexp(1, square->depth);
        square->column = first_number(column, square->depth);
        square->row = first_number(row, square->depth);
        return;
    }
}

static struct shepard_box box_of(const struct sort *sort, const struct key_range *part)
{
    const double *x = sort->places->x, *y = sort->places->y;
    if (part->count == sort->places->count) {
        const struct shepard_range of_x = shepard_range_of(x, part->count, sort->threads);
        const struct shepard_range of_y = shepard_range_of(y, part->count, sort->threads);
        return (struct shepard_box){of_x.low, of_x.high, of_y.low, of_y.high};
    }
    const uint32_t start = (uint32_t)part->items[0];
    struct shepard_box box = {x[start], x[start], y[start], y[start]};
    for (size_t i = 1; i < part->count; i++) {
        const uint32_t index = (uint32_t)part->items[i];
        box.x_min = x[index] < box.x_min ? x[index] : box.x_min;
        box.x_max = x[index] > box.x_max ? x[index] : box.x_max;
        box.y_min = y[index] < box.y_min ? y[index] : box.y_min;
        box.y_max = y[index] > box.y_max ? y[index] : box.y_max;
    }
    return box;
}

static struct key_square square_round(const struct shepard_box *box)
{
    const double width = box->x_max - box->x_min, height = box->y_max - box->y_min;
    return (struct key_square){box->x_min, box->y_min, .size = width > height ? width : height};
}

/* The square round a part's places. */
static struct key_square square_of(const struct sort *sort, const struct key_range *part)
{
    const struct shepard_box box = box_of(sort, part);
    struct key_square square = square_round(&box);
    if (sort->places->aligned && square.size > 0)
        align(sort->places, box.x_max, box.y_max, &square);
    return square;
}

/* The same, but that round the places of all stretches of the curve at first. */
static struct key_square first_square(struct sort *sort, const struct key_range *part)
{
    const struct shepard_box *whole = sort->whole;
    sort->whole = NULL;
    return whole != NULL ? square_round(whole) : square_of(sort, part);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static uint32_t cell(double offset, double size)
{
    const uint32_t at = (uint32_t)(offset / size * (1 << SHEPARD_HILBERT_BITS));
    return at < (1 << SHEPARD_HILBERT_BITS) ? at : (1 << SHEPARD_HILBERT_BITS) - 1;
}

/* The key of a place's cell; where aligned the division's own, so that a place on a border is on
 * the same side of it everywhere. */
static inline uint64_t key_of(const struct sort *sort, const struct key_square *square,
                              uint32_t index)
{
    const struct shepard_places *places = sort->places;
    uint32_t column, row;
    if (square->aligned) {
        const double scale = square->scale, x = places->x[index], y = places->y[index];
        const int depth = square->depth;
        column = (uint32_t)(shepard_division_scaled(x - places->x0, depth, scale) - square->column);
        row = (uint32_t)(shepard_division_scaled(y - places->y0, depth, scale) - square->row);
    } else {
        column = cell(places->x[index] - square->x, square->size);
        row = cell(places->y[index] - square->y, square->size);
    }
    return sort->turns != NULL ? shepard_hilbert_key_by(sort->turns, column, row)
                               : shepard_hilbert_key(column, row);
}

/* Keys of items first to end - 1. */
static void key_items(const struct sort *sort, const struct key_square *square,
                      const struct key_range *part, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const uint32_t index = index_at(sort, part, i);
        part->items[i] = key_of(sort, square, index) << 32 | index;
    }
}

/* ---- parts of one thread --------------------------------------------------------------------- */

static void put_order(const struct sort *sort, const struct key_range *part)
{
    for (size_t i = 0; i < part->count; i++)
        part->order[i] = index_at(sort, part, i);
}

static void insert_items(uint64_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* The other array takes the items by one digit. */
static void move_items(struct key_range *part, int shift, int bits)
{
    size_t place[1 << RADIX_BITS] = {0}, sum = 0;
    const unsigned digits = 1u << bits;
    for (size_t i = 0; i < part->count; i++)
        place[(part->items[i] >> shift) & (digits - 1)]++;
    for (unsigned d = 0; d < digits; d++) {
        const size_t count = place[d];
        place[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < part->count; i++)
        part->other[place[(part->items[i] >> shift) & (digits - 1)]++] = part->items[i];
    uint64_t *const moved = part->other;
    part->other = part->items;
    part->items = moved;
}

static void sort_items(struct key_range *part)
{
    if (part->count < FEW) {
        insert_items(part->items, part->count);
        return;
    }
    const int passes = (part->bits + RADIX_BITS - 1) / RADIX_BITS;
    const int bits = passes > 0 ? (part->bits + passes - 1) / passes : 0;
    for (int pass = 0; pass < passes; pass++)
        move_items(part, 32 + pass * bits, bits);
}

static bool comes_before(const struct shepard_places *places, uint32_t a, uint32_t b)
{
    return places->x[a] != places->x[b] ? places->x[a] < places->x[b] : places->y[a] < places->y[b];
}

/* By x, then y: a run that fits into a leaf need only be the same for any order of the input. */
static void insert_places(const struct shepard_places *places, const struct key_range *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const uint32_t index = (uint32_t)run->items[i];
        size_t at = i;
        for (; at > 0 && comes_before(places, index, run->order[at - 1]); at--)
            run->order[at] = run->order[at - 1];
        run->order[at] = index;
    }
}

static void sort_part(const struct sort *sort, struct key_range part);

/* Sorts a run of one key: its places get keys of a square. */
static void sort_run(const struct sort *sort, const struct key_square *square, struct key_range run)
{
    if (square->size == 0) {
        put_order(sort, &run);
        return;
    }
    key_items(sort, square, &run, 0, run.count);
    run.bits = KEY_BITS;
    sort_part(sort, run);
}

/* Each run of one key is sorted within itself. */
static void sort_part(const struct sort *sort, struct key_range part)
{
    const size_t few = sort->places->aligned ? 1 : SHEPARD_HILBERT_RUN;
    sort_items(&part);
    for (size_t first = 0, end; first < part.count; first = end) {
        for (end = first + 1; end < part.count; end++)
            if (part.items[end] >> 32 != part.items[first] >> 32)
                break;
        const struct key_range run = {part.items + first, part.other + first, part.order + first,
                                      end - first, 0};
        if (run.count > few) {
            const struct key_square square = square_of(sort, &run);
            sort_run(sort, &square, run);
        } else {
            insert_places(sort->places, &run);
        }
    }
}

/* ---- parts of all threads -------------------------------------------------------------------- */

static void slice(const struct sort *sort, size_t block, size_t *first, size_t *end)
{
    const size_t blocks = (size_t)sort->threads;
    *first = sort->part.count * block / blocks;
    *end = sort->part.count * (block + 1) / blocks;
}

static enum shepard_status key_slice(void *context, size_t block, int thread)
{
    const struct sort *sort = context;
    size_t first, end;
    (void)thread;
    slice(sort, block, &first, &end);
    key_items(sort, &sort->square, &sort->part, first, end);
    return SHEPARD_OK;
}

static unsigned digit(const struct sort *sort, uint64_t item)
{
    return (unsigned)(item >> sort->shift) & (DIGITS - 1);
}

static enum shepard_status count_slice(void *context, size_t block, int thread)
{
    const struct sort *sort = context;
    size_t first, end, *histogram = sort->histograms[block];
    (void)thread;
    slice(sort, block, &first, &end);
    memset(histogram, 0, sizeof sort->histograms[0]);
    for (size_t i = first; i < end; i++)
        histogram[digit(sort, sort->part.items[i])]++;
    return SHEPARD_OK;
}

static enum shepard_status move_slice(void *context, size_t block, int thread)
{
    const struct sort *sort = context;
    size_t first, end, *place = sort->histograms[block];
    (void)thread;
    slice(sort, block, &first, &end);
    for (size_t i = first; i < end; i++)
        sort->part.other[place[digit(sort, sort->part.items[i])]++] = sort->part.items[i];
    return SHEPARD_OK;
}

/* Counts become the first places of each digit and slice. */
static void accumulate(const struct sort *sort)
{
    size_t sum = 0;
    for (unsigned d = 0; d < DIGITS; d++)
        for (int t = 0; t < sort->threads; t++) {
            const size_t count = sort->histograms[t][d];
            sort->histograms[t][d] = sum;
            sum += count;
        }
}

static void run_slices(struct sort *sort, shepard_block_fn *body)
{
    const struct shepard_loop loop = {
        .threads = sort->threads, .blocks = (size_t)sort->threads, .body = body, .context = sort};
    shepard_loop_run(&loop);
}

/* Of the part that has been split: its items of one digit. The last slice's places are the ends. */
static struct key_range part_of_digit(const struct sort *sort, size_t d)
{
    const size_t *ends = sort->histograms[sort->threads - 1];
    const size_t first = d > 0 ? ends[d - 1] : 0;
    return (struct key_range){sort->part.other + first, sort->part.items + first,
                              sort->part.order + first, ends[d] - first, sort->shift - 32};
}

static enum shepard_status sort_digit(void *context, size_t d, int thread)
{
    const struct sort *sort = context;
    const struct key_range part = part_of_digit(sort, d);
    (void)thread;
    if (part.count < sort->large)
        sort_part(sort, part);
    return SHEPARD_OK;
}

/* Large parts wait, the others are sorted. */
static void split(struct sort *sort)
{
    sort->shift = 32 + (sort->part.bits > DIGIT_BITS ? sort->part.bits - DIGIT_BITS : 0);
    run_slices(sort, count_slice);
    accumulate(sort);
    run_slices(sort, move_slice);
    for (size_t d = 0; d < DIGITS; d++) {
        const struct key_range part = part_of_digit(sort, d);
        if (part.count >= sort->large)
            sort->pending[sort->pending_count++] = part;
    }
    shepard_loop_run(&(struct shepard_loop){
        .threads = sort->threads, .blocks = DIGITS, .body = sort_digit, .context = sort});
}

static void sort_pending(struct sort *sort)
{
    while (sort->pending_count > 0) {
        sort->part = sort->pending[--sort->pending_count];
        if (sort->part.bits == 0) {
            sort->square = first_square(sort, &sort->part);
            if (sort->square.size == 0) {
                put_order(sort, &sort->part);
                continue;
            }
            run_slices(sort, key_slice);
            sort->part.bits = KEY_BITS;
        }
        split(sort);
    }
}

/* ---- all places ------------------------------------------------------------------------------ */

/* Room for what many places need; they share threads by parts of a quarter of a thread's share. */
static bool open_many(struct sort *sort, int threads, const struct shepard_allocator *allocator)
{
    const size_t share = sort->places->count / (4 * (size_t)threads);
    sort->threads = threads;
    sort->large = share > LARGE ? share : LARGE;
    sort->histograms = shepard_allocate(allocator, (size_t)threads, sizeof sort->histograms[0]);
    sort->pending =
        shepard_allocate(allocator, sort->places->count / sort->large + 1, sizeof *sort->pending);
    return sort->histograms != NULL && sort->pending != NULL;
}

static void sort_all(struct sort *sort, const struct key_range *all)
{
    struct shepard_hilbert_turns turns;
    if (all->count >= MANY) {
        shepard_hilbert_turns_fill(&turns);
        sort->turns = &turns;
    }
    if (sort->pending == NULL) {
        const struct key_square square = first_square(sort, all);
        sort_run(sort, &square, *all);
        return;
    }
    sort->pending[sort->pending_count++] = *all;
    sort_pending(sort);
}

enum shepard_status shepard_hilbert_order(const struct shepard_places *places, int threads,
                                          const struct shepard_allocator *allocator,
                                          uint32_t *order)
{
    const size_t n = places->count;
    const struct key_range all = {.items = shepard_allocate(allocator, n, sizeof *all.items),
                                  .other = shepard_allocate(allocator, n, sizeof *all.other),
                                  .order = order,
                                  .count = n};
    struct sort sort = {.places = places, .threads = 1, .whole = places->whole};
    const bool complete = all.items != NULL && all.other != NULL &&
                          (n < LARGE || open_many(&sort, threads, allocator));
    if (complete && n > 0)
        sort_all(&sort, &all);
    shepard_release(allocator, sort.pending);
    shepard_release(allocator, sort.histograms);
    shepard_release(allocator, all.other);
    shepard_release(allocator, all.items);
    return complete ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}

void shepard_hilbert_keys(const struct shepard_places *places,
                          const struct shepard_hilbert_turns *turns, uint32_t *key)
{
    const struct sort sort = {.places = places, .turns = turns};
    const struct key_square square = square_round(places->whole);
    for (size_t i = 0; i < places->count; i++)
        key[i] = square.size > 0 ? (uint32_t)key_of(&sort, &square, (uint32_t)i) : 0;
}
