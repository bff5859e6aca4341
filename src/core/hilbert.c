/* SPDX-License-Identifier: MIT */
/* Sorted by the first digit of its key, a place is in one of many parts that fit into the caches.
 * Each is then sorted by one thread, but a large one is split by the next digit, as all places
 * were. */
#include "core/hilbert.h"

#include "base/arithmetic.h"
#include "base/fetch.h"
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

/* What offsets are from: (a - origin) / size. */
struct key_root {
    double x, y, size;
};

/* What keys stand for: cells of a square of a division, or words of coordinates. */
struct key_square {
    int word; /* 0: cells; 1 to 4: words, where offsets do not separate the places */
    struct key_root root;
    bool shifted;              /* the division is that of core/division.h, about an origin */
    int depth;                 /* of the division's squares that keys stand for; 2^depth */
    double scale, column, row; /* numbers of the first of them */
};

/* A part: items are key << 32 | index, whose keys differ in their last bits alone. Where it holds
 * all places, the indices are not read: they are 0, 1, 2 and so on until their keys differ. */
struct key_range {
    uint64_t *items, *other; /* [count] of the other one only the room is used */
    uint32_t *order;         /* [count] where the sorted indices go */
    size_t count;
    int bits;
    struct key_square square; /* whose keys these are; not set for all places at first */
};

struct sort {
    const struct shepard_places *places;
    const struct shepard_hilbert_turns *turns; /* NULL: few places */
    struct key_root root;                      /* of the division */
    int threads;
    size_t large;                 /* items of a part that all threads sort together */
    size_t (*histograms)[DIGITS]; /* [threads] */
    struct key_range *pending;    /* [pending_count] large parts */
    size_t pending_count;
    struct key_range part; /* the large part at work, */
    int shift;             /* and the digit that splits it */
};

/* ---- squares --------------------------------------------------------------------------------- */

static uint32_t index_at(const struct sort *sort, const struct key_range *part, size_t i)
{
    return part->count == sort->places->count ? (uint32_t)i : (uint32_t)part->items[i];
}

/* Depths of the largest and the smallest square that is searched for. */
#define DEPTH_LEAST (-20)
#define DEPTH_MOST 240

/* Along a side of a square: 2^SHEPARD_HILBERT_BITS. */
#define CELLS 0x1p16

/* Above this depth few places simply get their cell as the next square: to search for the smallest
 * takes longer. */
#define DEPTH_NEXT 48

static struct shepard_box box_of_all(const struct shepard_places *places, int threads)
{
    const struct shepard_range x = shepard_range_of(places->x, places->count, threads);
    const struct shepard_range y = shepard_range_of(places->y, places->count, threads);
    return (struct shepard_box){x.low, x.high, y.low, y.high};
}

static struct shepard_box box_of(const struct sort *sort, const struct key_range *part)
{
    const double *x = sort->places->x, *y = sort->places->y;
    if (part->count == sort->places->count)
        return box_of_all(sort->places, sort->threads);
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

/* A little longer than the square round a box: offsets are in [0, 1). */
static struct key_root root_round(const struct shepard_box *box)
{
    const double width = box->x_max - box->x_min, height = box->y_max - box->y_min;
    const double size = width > height ? width : height;
    return (struct key_root){box->x_min, box->y_min, size > 0 ? nextafter(size, INFINITY) : 1};
}

/* Of all places; the box of a whole as places in a frame are seen. */
static struct key_root root_of(const struct shepard_places *places, int threads)
{
    if (places->aligned)
        return (struct key_root){places->x0, places->y0, 1};
    struct shepard_box box;
    if (places->whole == NULL)
        box = box_of_all(places, threads);
    else
        box = (struct shepard_box){
            shepard_frame_seen(places->whole->x_min), shepard_frame_seen(places->whole->x_max),
            shepard_frame_seen(places->whole->y_min), shepard_frame_seen(places->whole->y_max)};
    return root_round(&box);
}

/* All of what a root covers. */
static struct key_square square_at(const struct key_root *root)
{
    return (struct key_square){.root = *root, .depth = SHEPARD_HILBERT_BITS, .scale = CELLS};
}

static inline double offset_of(double a, double origin, double size)
{
    return (a - origin) / size;
}

/* The number at a depth of the first square within square number of SHEPARD_HILBERT_BITS depths
 * less. */
static double first_number(double number, int depth)
{
    const int above = depth - SHEPARD_HILBERT_BITS;
    return depth >= 0 ? ldexp(shepard_division_start(number, above), depth)
                      : ldexp(number, SHEPARD_HILBERT_BITS);
}

static bool share_square(const struct shepard_box *offsets, int depth)
{
    return shepard_division_number(offsets->x_min, depth) ==
               shepard_division_number(offsets->x_max, depth) &&
           shepard_division_number(offsets->y_min, depth) ==
               shepard_division_number(offsets->y_max, depth);
}

/* The depth of the smallest square of the division that holds places with these offsets: keys in it
 * separate some of them. Where the curve is not aligned, only multiples of SHEPARD_HILBERT_BITS
 * count, so that which of two places comes first does not depend on the others. False: there is no
 * such square. */
static bool find_depth(const struct shepard_box *offsets, bool aligned, int *depth)
{
    const double width = offsets->x_max - offsets->x_min, height = offsets->y_max - offsets->y_min;
    const double size = width > height ? width : height;
    const int step = aligned ? 1 : SHEPARD_HILBERT_BITS, least = aligned ? DEPTH_LEAST : 0;
    if (!(size > 0))
        return false;
    const int apart = 1 - ilogb(size);
    int at = apart;
    if (!aligned)
        at = (apart < DEPTH_MOST ? apart : DEPTH_MOST) / step * step;
    while (at >= least && at <= DEPTH_MOST && !share_square(offsets, at))
        at -= step;
    *depth = at;
    return at >= least && at <= DEPTH_MOST && at < apart && (aligned || at < DEPTH_MOST);
}

/* Its upper or lower half, in an order like that of numbers. */
static uint32_t word_of(double a, bool lower)
{
    uint64_t bits;
    const double positive_zero = a + 0.0;
    memcpy(&bits, &positive_zero, sizeof bits);
    bits ^= bits >> 63 ? UINT64_MAX : (uint64_t)1 << 63;
    return (uint32_t)(lower ? bits : bits >> 32);
}

/* Words 1 and 2 of a place are those of its x, 3 and 4 of its y. */
static uint32_t word_at(double x, double y, int word)
{
    return word_of(word <= 2 ? x : y, word % 2 == 0);
}

/* The first word that differs among places in a box. */
static struct key_square words_of(const struct shepard_box *box)
{
    struct key_square square = {.word = 1};
    while (word_at(box->x_min, box->y_min, square.word) ==
           word_at(box->x_max, box->y_max, square.word))
        square.word++;
    return square;
}

/* The square of places that are at more than one. Aligned ones that no square of the division
 * holds, or separates, have the square round them. */
static struct key_square square_of(const struct sort *sort, const struct key_range *part)
{
    const struct shepard_box box = box_of(sort, part);
    const struct key_root *root = &sort->root;
    const bool aligned = sort->places->aligned;
    const struct shepard_box offsets = {
        offset_of(box.x_min, root->x, root->size), offset_of(box.x_max, root->x, root->size),
        offset_of(box.y_min, root->y, root->size), offset_of(box.y_max, root->y, root->size)};
    int depth;
    if (find_depth(&offsets, aligned, &depth)) {
        const int cells = depth + SHEPARD_HILBERT_BITS;
        const double column = shepard_division_number(offsets.x_min, depth);
        const double row = shepard_division_number(offsets.y_min, depth);
        return (struct key_square){.root = *root,
                                   .shifted = aligned,
                                   .depth = cells,
                                   .scale = ldexp(1, cells),
                                   .column = first_number(column, cells),
                                   .row = first_number(row, cells)};
    }
    if (!aligned)
        return words_of(&box);
    const struct key_root own = root_round(&box);
    return square_at(&own);
}

/* Where the curve is not aligned, the cell of a place in the square above. */
static struct key_square square_within(const struct sort *sort, const struct key_square *above,
                                       uint32_t index)
{
    const struct key_root *root = &sort->root;
    const double u = offset_of(sort->places->x[index], root->x, root->size);
    const double v = offset_of(sort->places->y[index], root->y, root->size);
    return (struct key_square){.root = *root,
                               .depth = above->depth + SHEPARD_HILBERT_BITS,
                               .scale = above->scale * CELLS,
                               .column = floor(u * above->scale) * CELLS,
                               .row = floor(v * above->scale) * CELLS};
}

/* ---- keys ------------------------------------------------------------------------------------ */

static inline uint64_t key_at(const struct sort *sort, uint32_t column, uint32_t row)
{
    return sort->turns != NULL ? shepard_hilbert_key_by(sort->turns, column, row)
                               : shepard_hilbert_key(column, row);
}

/* The key of a place's cell, the division's own: a place on a border is on the same side of it
 * everywhere. */
static inline uint64_t key_of(const struct sort *sort, const struct key_square *square,
                              uint32_t index)
{
    const struct key_root *root = &square->root;
    const double x = sort->places->x[index], y = sort->places->y[index];
    const double u = offset_of(x, root->x, root->size), v = offset_of(y, root->y, root->size);
    const double scale = square->scale;
    const int depth = square->depth;
    if (square->word > 0)
        return word_at(x, y, square->word);
    if (!square->shifted) /* differences are exact and not negative */
        return key_at(sort, (uint32_t)(u * scale - square->column),
                      (uint32_t)(v * scale - square->row));
    return key_at(sort, (uint32_t)(shepard_division_scaled(u, depth, scale) - square->column),
                  (uint32_t)(shepard_division_scaled(v, depth, scale) - square->row));
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

static bool is_one_place(const struct sort *sort, const struct key_range *part)
{
    const double *x = sort->places->x, *y = sort->places->y;
    const uint32_t start = index_at(sort, part, 0);
    for (size_t i = 1; i < part->count; i++) {
        const uint32_t index = index_at(sort, part, i);
        if (x[index] != x[start] || y[index] != y[start])
            return false;
    }
    return true;
}

static void sort_part(const struct sort *sort, struct key_range part);

/* Sorts a run of one key of the square above: it gets keys of a square. */
static void sort_run(const struct sort *sort, const struct key_square *above, struct key_range run)
{
    if (is_one_place(sort, &run)) {
        put_order(sort, &run);
        return;
    }
    const bool next =
        run.count < FEW && above->word == 0 && above->depth < DEPTH_NEXT && !sort->places->aligned;
    run.square = next ? square_within(sort, above, index_at(sort, &run, 0)) : square_of(sort, &run);
    run.bits = KEY_BITS;
    key_items(sort, &run.square, &run, 0, run.count);
    sort_part(sort, run);
}

static bool have_one_key(const struct key_range *part, size_t i, size_t j)
{
    return part->items[i] >> 32 == part->items[j] >> 32;
}

/* Loads the places of runs among items at to end - 1 into the caches; returns how far it came. */
SHEPARD_FETCH size_t fetch(const struct sort *sort, const struct key_range *part, size_t at,
                           size_t end)
{
    for (; at < end && at + 1 < part->count; at++)
        if (have_one_key(part, at, at + 1) || (at > 0 && have_one_key(part, at - 1, at))) {
            __builtin_prefetch(&sort->places->x[(uint32_t)part->items[at]]);
            __builtin_prefetch(&sort->places->y[(uint32_t)part->items[at]]);
        }
    return at;
}

/* Each run of one key is sorted within itself. */
static void sort_part(const struct sort *sort, struct key_range part)
{
    sort_items(&part);
    for (size_t first = 0, end, fetched = 0; first < part.count; first = end) {
        for (end = first + 1; end < part.count && have_one_key(&part, first, end);)
            end++;
        fetched = fetch(sort, &part, fetched, first + 32);
        if (end - first == 1)
            part.order[first] = (uint32_t)part.items[first];
        else
            sort_run(sort, &part.square,
                     (struct key_range){.items = part.items + first,
                                        .other = part.other + first,
                                        .order = part.order + first,
                                        .count = end - first});
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
    key_items(sort, &sort->part.square, &sort->part, first, end);
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
                              sort->part.order + first, ends[d] - first,
                              sort->shift - 32,         sort->part.square};
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
            if (is_one_place(sort, &sort->part)) {
                put_order(sort, &sort->part);
                continue;
            }
            sort->part.square = square_of(sort, &sort->part);
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
    if (is_one_place(sort, all)) {
        put_order(sort, all);
        return;
    }
    sort->part = *all;
    sort->part.square = sort->places->aligned ? square_of(sort, all) : square_at(&sort->root);
    sort->part.bits = KEY_BITS;
    if (sort->pending == NULL) {
        key_items(sort, &sort->part.square, &sort->part, 0, all->count);
        sort_part(sort, sort->part);
        return;
    }
    run_slices(sort, key_slice);
    split(sort);
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
    struct sort sort = {.places = places, .threads = 1};
    const bool complete = all.items != NULL && all.other != NULL &&
                          (n < LARGE || open_many(&sort, threads, allocator));
    if (complete && n > 0) {
        sort.root = root_of(places, sort.threads);
        sort_all(&sort, &all);
    }
    shepard_release(allocator, sort.pending);
    shepard_release(allocator, sort.histograms);
    shepard_release(allocator, all.other);
    shepard_release(allocator, all.items);
    return complete ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}

void shepard_hilbert_keys(const struct shepard_places *places,
                          const struct shepard_hilbert_turns *turns, uint32_t *key)
{
    const struct sort sort = {.places = places, .turns = turns, .root = root_of(places, 1)};
    const struct key_square square = square_at(&sort.root);
    for (size_t i = 0; i < places->count; i++)
        key[i] = (uint32_t)key_of(&sort, &square, (uint32_t)i);
}
