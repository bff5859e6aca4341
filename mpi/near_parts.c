/* SPDX-License-Identifier: MIT */
#include "near_parts.h"

#include "ranks.h"

#include <stdlib.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t points_of(const struct shepard_spread_points *spread, size_t part)
{
    return smaller(spread->part_points, spread->count - part * spread->part_points);
}

static uint64_t from_others(const struct shepard_rank_items *in)
{
    return (uint64_t)in->count * in->size;
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* What a rank wants of others, and what each of them has for it. */
struct request {
    const struct shepard_spread_points *spread;
    struct shepard_rank_items wanted, asked, answers, got;
};

static void end_request(struct request *request)
{
    shepard_rank_items_free(&request->wanted);
    shepard_rank_items_free(&request->asked);
    shepard_rank_items_free(&request->answers);
    shepard_rank_items_free(&request->got);
}

static bool begin_items(struct shepard_rank_items *items, size_t size, size_t most)
{
    *items = (struct shepard_rank_items){
        .size = size,
        .items = malloc(most * size + 1),
        .counts = calloc((size_t)shepard_rank_count(), sizeof *items->counts)};
    return items->items && items->counts;
}

/* Numbers of what is marked, of others: rank by rank, first [ranks + 1]. numbers: NULL, they count
 * from 0 in each rank. */
static bool want(struct request *request, const unsigned char *marks, const size_t *first,
                 const uint32_t *numbers)
{
    const size_t ranks = (size_t)shepard_rank_count(), own = (size_t)shepard_rank();
    struct shepard_rank_items *const wanted = &request->wanted;
    if (!begin_items(wanted, sizeof(uint32_t), first[ranks])) {
        return false;
    }
    for (size_t r = 0; r < ranks; r++) {
        for (size_t i = first[r]; i < first[r + 1] && r != own; i++) {
            if (marks[i]) {
                ((uint32_t *)wanted->items)[wanted->count++] =
                    numbers ? numbers[i] : (uint32_t)(i - first[r]);
                wanted->counts[r]++;
            }
        }
    }
    return true;
}

/* Of all ranks. answer: fills the answers from what was asked. */
static bool ask(struct request *request, bool good, bool (*answer)(struct request *request))
{
    const int ranks = shepard_rank_count();
    good = shepard_ranks_first(!good) == ranks &&
           shepard_ranks_exchange(&request->wanted, &request->asked);
    return good && shepard_ranks_first(!answer(request)) == ranks &&
           shepard_ranks_exchange(&request->answers, &request->got);
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

/* The parts of a bucket of this rank. */
static size_t parts_of_bucket(const struct shepard_spread_points *spread, size_t bucket)
{
    const size_t all = shepard_spread_parts_of(spread, spread->count);
    return smaller(SHEPARD_SPREAD_PARTS, all - bucket * SHEPARD_SPREAD_PARTS);
}

static bool answer_boxes(struct request *request)
{
    const struct shepard_spread_points *const spread = request->spread;
    const struct shepard_rank_items *const asked = &request->asked;
    struct shepard_rank_items *const answers = &request->answers;
    if (!begin_items(answers, sizeof *spread->parts, asked->count * SHEPARD_SPREAD_PARTS)) {
        return false;
    }
    const uint32_t *number = asked->items;
    struct shepard_spill_bucket *const boxes = answers->items;
    for (size_t r = 0; r < (size_t)shepard_rank_count(); r++) {
        for (size_t i = 0; i < asked->counts[r]; i++, number++) {
            const size_t some = parts_of_bucket(spread, *number);
            memcpy(boxes + answers->count, spread->parts + (size_t)*number * SHEPARD_SPREAD_PARTS,
                   some * sizeof *boxes);
            answers->count += some;
            answers->counts[r] += some;
        }
    }
    return true;
}

/* Parts, from the one with this number of their rank on. */
static void add_parts(struct shepard_near_parts *near, size_t number,
                      const struct shepard_spill_bucket *boxes, size_t count)
{
    for (size_t i = 0; i < count; i++, near->count++) {
        near->boxes[near->count] = boxes[i];
        near->number[near->count] = (uint32_t)(number + i);
    }
}

/* Own boxes, and those got, in the order of the ranks. */
static void collect(struct shepard_near_parts *near, const struct shepard_spread_points *spread,
                    const unsigned char *marks, const struct shepard_spill_bucket *got)
{
    const size_t ranks = (size_t)shepard_rank_count(), own = (size_t)shepard_rank();
    for (size_t r = 0; r < ranks; r++) {
        near->first[r] = near->count;
        for (size_t i = spread->first[r]; i < spread->first[r + 1]; i++) {
            if (!marks[i]) {
                continue;
            }
            const size_t number = (i - spread->first[r]) * SHEPARD_SPREAD_PARTS;
            const size_t some = shepard_spread_parts_of(spread, spread->buckets[i].count);
            add_parts(near, number, r == own ? spread->parts + number : got, some);
            got += r == own ? 0 : some;
        }
    }
    near->first[ranks] = near->count;
}

static bool begin_parts(struct shepard_near_parts *near, const struct shepard_spread_points *spread,
                        const unsigned char *marks)
{
    size_t count = 0;
    for (size_t i = 0; i < spread->bucket_count; i++) {
        count += marks[i] ? shepard_spread_parts_of(spread, spread->buckets[i].count) : 0;
    }
    *near = (struct shepard_near_parts){
        .boxes = malloc((count + 1) * sizeof *near->boxes),
        .number = malloc((count + 1) * sizeof *near->number),
        .first = calloc((size_t)shepard_rank_count() + 1, sizeof *near->first)};
    return near->boxes && near->number && near->first;
}

bool shepard_near_parts_make(struct shepard_near_parts *near, struct shepard_spread_points *spread,
                             const unsigned char *marks)
{
    struct request request = {.spread = spread};
    const bool begun =
        begin_parts(near, spread, marks) && want(&request, marks, spread->first, NULL);
    const bool good = ask(&request, begun, answer_boxes);
    if (good) {
        spread->bytes += from_others(&request.got);
        collect(near, spread, marks, request.got.items);
    }
    end_request(&request);
    return good;
}

void shepard_near_parts_free(struct shepard_near_parts *near)
{
    free(near->boxes);
    free(near->number);
    free(near->first);
    *near = (struct shepard_near_parts){0};
}

/* ---- Points ---------------------------------------------------------------------------------- */

static bool answer_points(struct request *request)
{
    const struct shepard_spread_points *const spread = request->spread;
    const struct shepard_rank_items *const asked = &request->asked;
    struct shepard_rank_items *const answers = &request->answers;
    const uint32_t *number = asked->items;
    size_t points = 0;
    for (size_t i = 0; i < asked->count; i++) {
        points += points_of(spread, number[i]);
    }
    if (!begin_items(answers, spread->fields * sizeof *spread->records, points)) {
        return false;
    }
    for (size_t r = 0; r < (size_t)shepard_rank_count(); r++) {
        for (size_t i = 0; i < asked->counts[r]; i++, number++) {
            const size_t some = points_of(spread, *number);
            memcpy((double *)answers->items + answers->count * spread->fields,
                   spread->records + *number * spread->part_points * spread->fields,
                   some * answers->size);
            answers->count += some;
            answers->counts[r] += some;
        }
    }
    return true;
}

/* Columns of count numbers, filled from records one after the other. */
struct near_columns {
    double *numbers;
    size_t count, fields, filled;
};

static void fill(struct near_columns *columns, const double *records, size_t count)
{
    const size_t fields = columns->fields;
    for (size_t f = 0; f < fields; f++) {
        double *const to = columns->numbers + f * columns->count + columns->filled;
        for (size_t i = 0; i < count; i++) {
            to[i] = records[i * fields + f];
        }
    }
    columns->filled += count;
}

static size_t marked_points(const struct shepard_near_parts *near, const unsigned char *marks)
{
    size_t points = 0;
    for (size_t i = 0; i < near->count; i++) {
        points += marks[i] ? near->boxes[i].count : 0;
    }
    return points;
}

/* The rank's own points where they are, then those of others, in pieces that a cache holds. */
static void fill_columns(struct near_columns *columns, const struct shepard_near_parts *near,
                         const struct request *request, const unsigned char *marks)
{
    enum { PIECE = 256 };
    const struct shepard_spread_points *const spread = request->spread;
    const size_t own = (size_t)shepard_rank(), count = request->got.count;
    for (size_t i = near->first[own]; i < near->first[own + 1]; i++) {
        if (marks[i]) {
            fill(columns, spread->records + near->number[i] * spread->part_points * spread->fields,
                 near->boxes[i].count);
        }
    }
    for (size_t i = 0; i < count; i += PIECE) {
        fill(columns, (const double *)request->got.items + i * spread->fields,
             smaller(PIECE, count - i));
    }
}

double *shepard_near_parts_fetch(const struct shepard_near_parts *near,
                                 struct shepard_spread_points *spread, const unsigned char *marks,
                                 size_t *count)
{
    struct request request = {.spread = spread};
    struct near_columns columns = {.count = marked_points(near, marks), .fields = spread->fields};
    columns.numbers = malloc((columns.fields * columns.count + 1) * sizeof *columns.numbers);
    const bool begun = columns.numbers && want(&request, marks, near->first, near->number);
    if (ask(&request, begun, answer_points)) {
        spread->bytes += from_others(&request.got);
        fill_columns(&columns, near, &request, marks);
        *count = columns.count;
    } else {
        free(columns.numbers);
        columns.numbers = NULL;
    }
    end_request(&request);
    return columns.numbers;
}
