/* SPDX-License-Identifier: MIT */
#include "spread.h"

#include "curve_key.h"
#include "ranks.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keys that a rank gives of its points, of which all choose where the curve is cut: shares of the
 * points then differ by some percent. */
enum { SAMPLES = 1024 };

/* Buckets of all ranks, which each rank holds: beyond that, buckets have more points. */
static const size_t buckets_max = (size_t)1 << 26;

/* ---- Order ----------------------------------------------------------------------------------- */

/* A point: its place along the curve, or the rank that it goes to, above its number. */
enum { INDEX_BITS = 32 };

struct order {
    uint64_t *items, *other; /* [count] */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Through the square round the points of all ranks. */
static void make_curve(struct shepard_curve *curve, const double *records, size_t count,
                       size_t fields)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        for (size_t d = 0; d < 2; d++) {
            const double at = records[i * fields + d];
            low[d] = at < low[d] ? at : low[d];
            high[d] = at > high[d] ? at : high[d];
        }
    }
    shepard_ranks_least(low, 2);
    shepard_ranks_most(high, 2);
    shepard_curve_make(curve, (const double[]){low[0], high[0]}, (const double[]){low[1], high[1]},
                       1);
}

static bool begin_order(struct order *order, size_t count)
{
    order->items = malloc((count + 1) * sizeof *order->items);
    order->other = malloc((count + 1) * sizeof *order->other);
    return order->items && order->other && count <= INT_MAX;
}

static void end_order(struct order *order)
{
    free(order->items);
    free(order->other);
    *order = (struct order){0};
}

static uint64_t place_of(uint64_t item)
{
    return item >> INDEX_BITS;
}

static size_t index_of(uint64_t item)
{
    return (size_t)(item & (((uint64_t)1 << INDEX_BITS) - 1));
}

/* The last bits of the keys are left out. */
static void set_keys(struct order *order, const struct shepard_curve *curve, const double *records,
                     size_t count, size_t fields)
{
    enum { KEYS = 256, LEFT_OUT = SHEPARD_CURVE_KEY_BITS - (64 - INDEX_BITS) };
    uint64_t keys[KEYS];
    for (size_t first = 0; first < count; first += KEYS) {
        const double *const at = records + first * fields;
        const size_t some = smaller(KEYS, count - first);
        shepard_curve_keys(curve, at, at + 1, fields * sizeof *at, some, keys);
        for (size_t i = 0; i < some; i++) {
            order->items[first + i] = keys[i] >> LEFT_OUT << INDEX_BITS | (first + i);
        }
    }
}

/* By digits of places up to this one, the last digit first. */
static void sort_to(struct order *order, size_t count, uint64_t most)
{
    enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };
    size_t place[DIGITS];
    for (int shift = 0; most >> shift > 0; shift += DIGIT_BITS) {
        size_t sum = 0;
        memset(place, 0, sizeof place);
        for (size_t i = 0; i < count; i++) {
            place[place_of(order->items[i]) >> shift & (DIGITS - 1)]++;
        }
        for (size_t d = 0; d < DIGITS; d++) {
            const size_t of_digit = place[d];
            place[d] = sum;
            sum += of_digit;
        }
        for (size_t i = 0; i < count; i++) {
            order->other[place[place_of(order->items[i]) >> shift & (DIGITS - 1)]++] =
                order->items[i];
        }
        uint64_t *const sorted = order->other;
        order->other = order->items;
        order->items = sorted;
    }
}

/* The records in the order of the items; NULL: out of memory. */
static double *arrange(const struct order *order, const double *records, size_t count,
                       size_t fields)
{
    double *const arranged = malloc((count * fields + 1) * sizeof *arranged);
    for (size_t i = 0; arranged && i < count; i++) {
        memcpy(arranged + i * fields, records + index_of(order->items[i]) * fields,
               fields * sizeof *arranged);
    }
    return arranged;
}

/* ---- Cuts ------------------------------------------------------------------------------------ */

static int compare_keys(const void *a, const void *b)
{
    const uint64_t of_a = *(const uint64_t *)a, of_b = *(const uint64_t *)b;
    return (of_a > of_b) - (of_a < of_b);
}

/* Each step-th key, so that all points count the same. */
static uint64_t *sample(const struct order *order, size_t count, size_t step, size_t *samples)
{
    uint64_t *const keys = malloc((count / step + 2) * sizeof *keys);
    *samples = 0;
    for (size_t i = step / 2; keys && i < count; i += step) {
        keys[(*samples)++] = place_of(order->items[i]);
    }
    return keys;
}

/* Where the next rank's stretch of the curve begins, [ranks - 1]; NULL on all ranks: out of memory.
 */
static uint64_t *find_cuts(const struct order *order, size_t count)
{
    const size_t ranks = (size_t)shepard_rank_count();
    uint64_t all = count;
    shepard_ranks_sum(&all, 1);
    size_t samples;
    const size_t step = (size_t)(all / (SAMPLES * ranks)) + 1;
    uint64_t *const keys = sample(order, count, step, &samples);
    uint64_t *const cuts = malloc(ranks * sizeof *cuts);
    struct shepard_rank_items gathered = {0};
    const bool good = shepard_ranks_first(!keys || !cuts) == (int)ranks &&
                      shepard_ranks_gather(keys, samples, sizeof *keys, &gathered);
    free(keys);
    if (!good) {
        free(cuts);
        return NULL;
    }
    qsort(gathered.items, gathered.count, sizeof *cuts, compare_keys);
    for (size_t r = 1; r < ranks; r++) {
        cuts[r - 1] =
            gathered.count > 0 ? ((const uint64_t *)gathered.items)[r * gathered.count / ranks] : 0;
    }
    shepard_rank_items_free(&gathered);
    return cuts;
}

/* In place of its place each item gets the number of the rank that it goes to. */
static void find_ranks(struct order *order, size_t count, const uint64_t *cuts, size_t *counts)
{
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = (size_t)shepard_rank_count() - 1;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (cuts[middle] <= place_of(order->items[i])) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        order->items[i] = (uint64_t)low << INDEX_BITS | index_of(order->items[i]);
        counts[low]++;
    }
}

/* Records, grouped by the rank they go to, of all ranks: *in gets what comes. Frees the records. */
static bool send_records(struct shepard_spread_points *spread, const struct shepard_curve *curve,
                         double *records, size_t count, struct shepard_rank_items *in)
{
    const int ranks = shepard_rank_count();
    const size_t fields = spread->fields;
    struct order order = {0};
    struct shepard_rank_items out = {.size = fields * sizeof *records, .count = count};
    out.counts = calloc((size_t)ranks, sizeof *out.counts);
    bool good = begin_order(&order, count) && out.counts;
    uint64_t *cuts = NULL;
    if (shepard_ranks_first(!good) == ranks) {
        set_keys(&order, curve, records, count, fields);
        cuts = find_cuts(&order, count);
    }
    if (cuts) {
        find_ranks(&order, count, cuts, out.counts);
        sort_to(&order, count, (uint64_t)ranks - 1);
        out.items = arrange(&order, records, count, fields);
    }
    free(cuts);
    end_order(&order);
    free(records);
    good = shepard_ranks_first(!out.items) == ranks && shepard_ranks_exchange(&out, in);
    shepard_rank_items_free(&out);
    return good;
}

/* ---- Buckets --------------------------------------------------------------------------------- */

static size_t buckets_of(const struct shepard_spread_points *spread)
{
    return (spread->count + spread->bucket_points - 1) / spread->bucket_points;
}

static struct shepard_spill_bucket box_of(const double *records, size_t count, size_t fields)
{
    struct shepard_spill_bucket bucket = {INFINITY, -INFINITY, INFINITY, -INFINITY, count};
    for (size_t i = 0; i < count; i++) {
        const double x = records[i * fields], y = records[i * fields + 1];
        bucket.x_min = x < bucket.x_min ? x : bucket.x_min;
        bucket.x_max = x > bucket.x_max ? x : bucket.x_max;
        bucket.y_min = y < bucket.y_min ? y : bucket.y_min;
        bucket.y_max = y > bucket.y_max ? y : bucket.y_max;
    }
    return bucket;
}

/* Takes over what was gathered. */
static bool keep_buckets(struct shepard_spread_points *spread, struct shepard_rank_items *all)
{
    const size_t ranks = (size_t)shepard_rank_count();
    spread->buckets = all->items;
    spread->bucket_count = all->count;
    spread->first = calloc(ranks + 1, sizeof *spread->first);
    for (size_t r = 0; spread->first && r < ranks; r++) {
        spread->first[r + 1] = spread->first[r] + all->counts[r];
    }
    free(all->counts);
    return shepard_ranks_first(!spread->first) == (int)ranks;
}

static bool publish_buckets(struct shepard_spread_points *spread)
{
    uint64_t all = spread->count;
    shepard_ranks_sum(&all, 1);
    spread->bucket_points = SHEPARD_SPILL_BUCKET_MAX;
    if (all / buckets_max > spread->bucket_points) {
        spread->bucket_points = (size_t)(all / buckets_max);
    }
    const size_t count = buckets_of(spread), size = spread->bucket_points;
    struct shepard_spill_bucket *const own = malloc((count + 1) * sizeof *own);
    for (size_t i = 0; own && i < count; i++) {
        own[i] = box_of(spread->records + i * size * spread->fields,
                        smaller(size, spread->count - i * size), spread->fields);
    }
    struct shepard_rank_items gathered = {0};
    const bool good = shepard_ranks_first(!own) == shepard_rank_count() &&
                      shepard_ranks_gather(own, count, sizeof *own, &gathered);
    free(own);
    return good && keep_buckets(spread, &gathered);
}

/* ---- Making ---------------------------------------------------------------------------------- */

static uint64_t from_others(const struct shepard_rank_items *in)
{
    return (uint64_t)(in->count - in->counts[shepard_rank()]) * in->size;
}

/* Along the curve, what came in place of what is there. */
static bool sort_records(struct shepard_spread_points *spread, const struct shepard_curve *curve,
                         const struct shepard_rank_items *in)
{
    struct order order = {0};
    spread->count = in->count;
    if (begin_order(&order, in->count)) {
        set_keys(&order, curve, in->items, in->count, spread->fields);
        sort_to(&order, in->count, UINT32_MAX);
        spread->records = arrange(&order, in->items, in->count, spread->fields);
    }
    end_order(&order);
    return shepard_ranks_first(!spread->records) == shepard_rank_count();
}

bool shepard_spread_make(struct shepard_spread_points *spread, double *records, size_t count,
                         size_t fields)
{
    struct shepard_rank_items in = {0};
    struct shepard_curve curve;
    make_curve(&curve, records, count, fields);
    *spread = (struct shepard_spread_points){.fields = fields};
    if (!send_records(spread, &curve, records, count, &in)) {
        return false;
    }
    spread->bytes = from_others(&in);
    const bool good = sort_records(spread, &curve, &in);
    shepard_rank_items_free(&in);
    return good && publish_buckets(spread);
}

void shepard_spread_forget(struct shepard_spread_points *spread)
{
    free(spread->records);
    spread->records = NULL;
}

void shepard_spread_free(struct shepard_spread_points *spread)
{
    free(spread->records);
    free(spread->buckets);
    free(spread->first);
    *spread = (struct shepard_spread_points){0};
}

/* ---- Fetching -------------------------------------------------------------------------------- */

/* Which of its buckets each rank is asked for. */
static bool make_requests(const struct shepard_spread_points *spread, const unsigned char *marks,
                          struct shepard_rank_items *requests)
{
    const size_t ranks = (size_t)shepard_rank_count();
    uint32_t *const numbers = malloc((spread->bucket_count + 1) * sizeof *numbers);
    *requests = (struct shepard_rank_items){.size = sizeof *numbers,
                                            .items = numbers,
                                            .counts = calloc(ranks, sizeof *requests->counts)};
    if (!numbers || !requests->counts) {
        return false;
    }
    for (size_t r = 0; r < ranks; r++) {
        for (size_t i = spread->first[r]; i < spread->first[r + 1]; i++) {
            if (marks[i]) {
                numbers[requests->count++] = (uint32_t)(i - spread->first[r]);
                requests->counts[r]++;
            }
        }
    }
    return true;
}

static size_t points_of(const struct shepard_spread_points *spread, size_t bucket)
{
    return smaller(spread->bucket_points, spread->count - bucket * spread->bucket_points);
}

/* The records that each rank asks for. */
static bool make_answers(const struct shepard_spread_points *spread,
                         const struct shepard_rank_items *requests,
                         struct shepard_rank_items *answers)
{
    const size_t ranks = (size_t)shepard_rank_count();
    const uint32_t *const numbers = requests->items;
    size_t points = 0;
    for (size_t i = 0; i < requests->count; i++) {
        points += points_of(spread, numbers[i]);
    }
    *answers = (struct shepard_rank_items){
        .size = spread->fields * sizeof *spread->records,
        .items = malloc((points * spread->fields + 1) * sizeof *spread->records),
        .counts = calloc(ranks, sizeof *answers->counts)};
    if (!answers->items || !answers->counts) {
        return false;
    }
    for (size_t r = 0, next = 0; r < ranks; r++) {
        for (size_t i = 0; i < requests->counts[r]; i++, next++) {
            const size_t some = points_of(spread, numbers[next]);
            memcpy((double *)answers->items + answers->count * spread->fields,
                   spread->records + numbers[next] * spread->bucket_points * spread->fields,
                   some * answers->size);
            answers->count += some;
            answers->counts[r] += some;
        }
    }
    return true;
}

double *shepard_spread_fetch(struct shepard_spread_points *spread, const unsigned char *marks,
                             size_t *count)
{
    const int ranks = shepard_rank_count();
    struct shepard_rank_items wanted = {0}, asked = {0}, answers = {0}, got = {0};
    bool good = make_requests(spread, marks, &wanted);
    good = shepard_ranks_first(!good) == ranks && shepard_ranks_exchange(&wanted, &asked);
    shepard_rank_items_free(&wanted);
    if (good) {
        good = make_answers(spread, &asked, &answers);
        good = shepard_ranks_first(!good) == ranks && shepard_ranks_exchange(&answers, &got);
    }
    shepard_rank_items_free(&asked);
    shepard_rank_items_free(&answers);
    double *const records = good ? got.items : NULL;
    if (good) {
        spread->bytes += from_others(&got);
        *count = got.count;
        got.items = NULL;
    }
    shepard_rank_items_free(&got);
    return records;
}
