/* SPDX-License-Identifier: MIT */
#include "curve_order.h"

#include "thread_team.h"

#include <stdlib.h>
#include <string.h>

/* A place along the curve, above the number of the record that is there. */
enum { INDEX_BITS = 32, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The last bits of the keys are left out. */
void shepard_curve_places(const struct shepard_curve_records *of, size_t first, size_t end,
                          uint32_t *places)
{
    enum { KEYS = 256, LEFT_OUT = SHEPARD_CURVE_KEY_BITS - 32 };
    uint64_t keys[KEYS];
    for (size_t i = first; i < end; i += KEYS) {
        const double *const at = of->records + i * of->fields;
        const size_t some = smaller(KEYS, end - i);
        shepard_curve_keys(of->curve, at, at + 1, of->fields * sizeof *at, some, keys);
        for (size_t k = 0; k < some; k++) {
            places[i - first + k] = (uint32_t)(keys[k] >> LEFT_OUT);
        }
    }
}

/* ---- Items ----------------------------------------------------------------------------------- */

/* Where the items of each digit begin, in place of how many there are. */
static void add_up(size_t counts[DIGITS])
{
    size_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t of_digit = counts[d];
        counts[d] = sum;
        sum += of_digit;
    }
}

static size_t digit_of(uint64_t item, int shift)
{
    return (size_t)(item >> shift & (DIGITS - 1));
}

static void sort_few(uint64_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

/* By so many of the bits from `shift` on, the last digit first; returns which of the two arrays has
 * them sorted. */
static uint64_t *sort_items(uint64_t *items, uint64_t *other, size_t count, int shift, int bits)
{
    enum { FEW = 32 };
    if (count <= FEW) {
        sort_few(items, count);
        return items;
    }
    for (int done = 0; done < bits; done += DIGIT_BITS) {
        size_t at[DIGITS] = {0};
        for (size_t i = 0; i < count; i++) {
            at[digit_of(items[i], shift + done)]++;
        }
        add_up(at);
        for (size_t i = 0; i < count; i++) {
            other[at[digit_of(items[i], shift + done)]++] = items[i];
        }
        uint64_t *const sorted = other;
        other = items;
        items = sorted;
    }
    return items;
}

bool shepard_curve_sort_places(uint32_t *places, size_t count)
{
    uint64_t *const items = malloc((2 * count + 1) * sizeof *items);
    for (size_t i = 0; items && i < count; i++) {
        items[i] = places[i];
    }
    const uint64_t *const sorted = items ? sort_items(items, items + count, count, 0, 32) : NULL;
    for (size_t i = 0; items && i < count; i++) {
        places[i] = (uint32_t)sorted[i];
    }
    free(items);
    return items != NULL;
}

/* ---- Records --------------------------------------------------------------------------------- */

/* The stretch of the curve is cut into DIGITS ranges of the same length, whose items fit into a
 * cache where points are spread evenly. */
struct curve_sort {
    const struct shepard_curve_records *of;
    uint32_t low;
    int shift; /* of a place in the stretch, to the number of its range */
    uint32_t *places;
    uint64_t *items;
    size_t (*at)[DIGITS];     /* [threads] items of a thread's share in each range, then where */
    size_t first[DIGITS + 1]; /* of each range */
    double *sorted;
    bool failed[SHEPARD_TEAM_MAX];
};

static size_t share_of(const struct curve_sort *sort, int thread)
{
    return shepard_team_share(sort->of->count, thread, sort->of->threads);
}

static void count_places(void *user, int thread)
{
    struct curve_sort *const sort = user;
    const size_t first = share_of(sort, thread), end = share_of(sort, thread + 1);
    memset(sort->at[thread], 0, sizeof sort->at[thread]);
    shepard_curve_places(sort->of, first, end, sort->places + first);
    for (size_t i = first; i < end; i++) {
        sort->at[thread][(sort->places[i] - sort->low) >> sort->shift]++;
    }
}

/* Range by range, in each of them thread by thread. */
static void place_shares(struct curve_sort *sort)
{
    size_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        sort->first[d] = sum;
        for (int t = 0; t < sort->of->threads; t++) {
            const size_t of_thread = sort->at[t][d];
            sort->at[t][d] = sum;
            sum += of_thread;
        }
    }
    sort->first[DIGITS] = sum;
}

static void make_items(void *user, int thread)
{
    struct curve_sort *const sort = user;
    const size_t end = share_of(sort, thread + 1);
    for (size_t i = share_of(sort, thread); i < end; i++) {
        const uint32_t place = sort->places[i] - sort->low;
        sort->items[sort->at[thread][place >> sort->shift]++] = (uint64_t)place << INDEX_BITS | i;
    }
}

/* other: room for the items of the range. */
static void sort_range(struct curve_sort *sort, size_t range, uint64_t *other)
{
    const size_t first = sort->first[range], count = sort->first[range + 1] - first;
    const size_t fields = sort->of->fields;
    const uint64_t *const items =
        sort_items(sort->items + first, other, count, INDEX_BITS, sort->shift);
    double *to = sort->sorted + first * fields;
    for (size_t i = 0; i < count; i++) {
        const double *const from = sort->of->records + (size_t)(items[i] & UINT32_MAX) * fields;
        for (size_t f = 0; f < fields; f++) {
            *to++ = from[f];
        }
    }
}

/* Those that begin in a thread's share: ranges *first up to, not with, *end. */
static void ranges_of(const struct curve_sort *sort, int thread, size_t *first, size_t *end)
{
    *first = *end = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        *first += sort->first[d] < share_of(sort, thread);
        *end += sort->first[d] < share_of(sort, thread + 1);
    }
}

static void sort_ranges(void *user, int thread)
{
    struct curve_sort *const sort = user;
    size_t first, end, most = 0;
    ranges_of(sort, thread, &first, &end);
    for (size_t d = first; d < end; d++) {
        const size_t count = sort->first[d + 1] - sort->first[d];
        most = count > most ? count : most;
    }
    uint64_t *const other = malloc((most + 1) * sizeof *other);
    for (size_t d = first; d < end && other; d++) {
        sort_range(sort, d, other);
    }
    sort->failed[thread] = !other;
    free(other);
}

static bool sort_all(struct curve_sort *sort, int threads)
{
    bool good = true;
    shepard_team_run(threads, count_places, sort);
    place_shares(sort);
    shepard_team_run(threads, make_items, sort);
    shepard_team_run(threads, sort_ranges, sort);
    for (int t = 0; t < threads; t++) {
        good = good && !sort->failed[t];
    }
    return good;
}

double *shepard_curve_sort(const struct shepard_curve_records *of, uint32_t low, uint32_t high,
                           double *room)
{
    struct curve_sort sort = {.of = of,
                              .low = low,
                              .places = malloc((of->count + 1) * sizeof *sort.places),
                              .items = malloc((of->count + 1) * sizeof *sort.items),
                              .at = malloc((size_t)of->threads * sizeof *sort.at)};
    sort.sorted = realloc(room, (of->count * of->fields + 1) * sizeof *room);
    while (of->count > 0 && (high - low) >> sort.shift >= DIGITS) {
        sort.shift++;
    }
    const bool good =
        sort.places && sort.items && sort.at && sort.sorted && sort_all(&sort, of->threads);
    if (!good) {
        free(sort.sorted ? sort.sorted : room);
    }
    free(sort.places);
    free(sort.items);
    free(sort.at);
    return good ? sort.sorted : NULL;
}
