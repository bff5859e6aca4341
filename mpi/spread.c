/* SPDX-License-Identifier: MIT */
#include "spread.h"

#include "bucket_box.h"
#include "curve_cuts.h"
#include "curve_order.h"
#include "ranks.h"
#include "thread_team.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Buckets of all ranks, which each rank holds: beyond that, buckets have more points. */
static const size_t buckets_max = (size_t)1 << 26;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- Sending --------------------------------------------------------------------------------- */

/* Records on their way to the ranks that get them. */
struct sending {
    struct shepard_curve_records from;
    struct shepard_curve_cuts cuts;
    uint32_t *places; /* [count] */
    size_t *at;       /* [threads][ranks] records of a thread's share for each rank, then where */
    bool failed[SHEPARD_TEAM_MAX];
    struct shepard_rank_items out;
};

static void find_places(void *user, int thread)
{
    struct sending *const sending = user;
    const size_t first = shepard_team_share(sending->from.count, thread, sending->from.threads);
    const size_t end = shepard_team_share(sending->from.count, thread + 1, sending->from.threads);
    sending->failed[thread] =
        !shepard_curve_places(&sending->from, first, end, sending->places + first);
}

static bool any_failed(const struct sending *sending)
{
    bool failed = false;
    for (int t = 0; t < sending->from.threads; t++) {
        failed = failed || sending->failed[t];
    }
    return failed;
}

/* In place of its place each record gets its rank. */
static void find_ranks(void *user, int thread)
{
    struct sending *const sending = user;
    size_t *const counts = sending->at + (size_t)thread * sending->cuts.ranks;
    const size_t end = shepard_team_share(sending->from.count, thread + 1, sending->from.threads);
    size_t i = shepard_team_share(sending->from.count, thread, sending->from.threads);
    for (; i < end; i++) {
        const size_t rank = shepard_curve_cuts_rank(&sending->cuts, sending->places[i]);
        sending->places[i] = (uint32_t)rank;
        counts[rank]++;
    }
}

/* Rank by rank, for each of them thread by thread. */
static void place_shares(struct sending *sending)
{
    const size_t ranks = sending->cuts.ranks;
    size_t sum = 0;
    for (size_t r = 0; r < ranks; r++) {
        const size_t before = sum;
        for (int t = 0; t < sending->from.threads; t++) {
            size_t *const at = &sending->at[(size_t)t * ranks + r];
            const size_t of_thread = *at;
            *at = sum;
            sum += of_thread;
        }
        sending->out.counts[r] = sum - before;
    }
}

static void move_records(void *user, int thread)
{
    struct sending *const sending = user;
    const size_t fields = sending->from.fields;
    size_t *const at = sending->at + (size_t)thread * sending->cuts.ranks;
    const size_t end = shepard_team_share(sending->from.count, thread + 1, sending->from.threads);
    size_t i = shepard_team_share(sending->from.count, thread, sending->from.threads);
    for (; i < end; i++) {
        const double *const from = sending->from.records + i * fields;
        double *const to = (double *)sending->out.items + at[sending->places[i]]++ * fields;
        for (size_t f = 0; f < fields; f++) {
            to[f] = from[f];
        }
    }
}

static bool begin_sending(struct sending *sending)
{
    const size_t ranks = (size_t)shepard_rank_count(), count = sending->from.count;
    struct shepard_rank_items *const out = &sending->out;
    *out =
        (struct shepard_rank_items){.size = sending->from.fields * sizeof(double), .count = count};
    /* What comes is sorted into the same memory, and may be some percent more. */
    out->items = malloc((count + count / 16) * out->size + 1);
    out->counts = calloc(ranks, sizeof *out->counts);
    sending->places = malloc((count + 1) * sizeof *sending->places);
    sending->at = calloc((size_t)sending->from.threads * ranks, sizeof *sending->at);
    return out->items && out->counts && sending->places && sending->at && count <= INT_MAX;
}

/* Of all ranks: *in gets what comes, in place of the records. */
static bool send_records(struct sending *sending, double *records, struct shepard_rank_items *in)
{
    const int ranks = shepard_rank_count(), threads = sending->from.threads;
    bool good = shepard_ranks_first(!begin_sending(sending)) == ranks;
    if (good) {
        shepard_team_run(threads, find_places, sending);
        good = shepard_ranks_first(any_failed(sending)) == ranks &&
               shepard_curve_cuts_make(&sending->cuts, sending->places, sending->from.count);
    }
    if (good) {
        shepard_team_run(threads, find_ranks, sending);
        place_shares(sending);
        shepard_team_run(threads, move_records, sending);
    }
    free(sending->places);
    free(sending->at);
    in->items = records;
    return good && shepard_ranks_exchange(&sending->out, in);
}

/* ---- Buckets --------------------------------------------------------------------------------- */

size_t shepard_spread_parts_of(const struct shepard_spread_points *spread, size_t points)
{
    return (points + spread->part_points - 1) / spread->part_points;
}

static void find_parts(void *user, int thread)
{
    struct shepard_spread_points *const spread = user;
    const size_t count = shepard_spread_parts_of(spread, spread->count), size = spread->part_points;
    const size_t end = shepard_team_share(count, thread + 1, spread->threads);
    for (size_t i = shepard_team_share(count, thread, spread->threads); i < end; i++) {
        spread->parts[i] =
            shepard_bucket_box(spread->records + i * size * spread->fields,
                               smaller(size, spread->count - i * size), spread->fields);
    }
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
    const size_t most = (size_t)(all / buckets_max);
    const size_t points = most > SHEPARD_SPILL_BUCKET_MAX ? most : SHEPARD_SPILL_BUCKET_MAX;
    spread->part_points = points / SHEPARD_SPREAD_PARTS;
    const size_t parts = shepard_spread_parts_of(spread, spread->count);
    const size_t count = (parts + SHEPARD_SPREAD_PARTS - 1) / SHEPARD_SPREAD_PARTS;
    struct shepard_spill_bucket *const own = malloc((count + 1) * sizeof *own);
    spread->parts = malloc((parts + 1) * sizeof *spread->parts);
    struct shepard_rank_items gathered = {0};
    bool good = shepard_ranks_first(!own || !spread->parts) == shepard_rank_count();
    if (good) {
        shepard_team_run(spread->threads, find_parts, spread);
        for (size_t i = 0; i < count; i++) {
            const size_t first = i * SHEPARD_SPREAD_PARTS;
            own[i] = shepard_bucket_join(spread->parts + first,
                                         smaller(SHEPARD_SPREAD_PARTS, parts - first));
        }
        good = shepard_ranks_gather(own, count, sizeof *own, &gathered);
    }
    free(own);
    return good && keep_buckets(spread, &gathered);
}

/* ---- Making ---------------------------------------------------------------------------------- */

static uint64_t from_others(const struct shepard_rank_items *in)
{
    return (uint64_t)(in->count - in->counts[shepard_rank()]) * in->size;
}

/* Along the curve, what came, in place of what was sent. */
static bool sort_records(struct shepard_spread_points *spread, struct sending *sending,
                         const struct shepard_rank_items *in)
{
    struct shepard_curve_records came = sending->from;
    came.records = in->items;
    came.count = spread->count = in->count;
    spread->records = shepard_curve_sort(&came, sending->out.items);
    sending->out.items = NULL;
    return shepard_ranks_first(!spread->records) == shepard_rank_count();
}

bool shepard_spread_make(struct shepard_spread_points *spread, const struct shepard_bounds *box,
                         double *records, size_t count)
{
    struct shepard_rank_items in = {0};
    spread->threads = shepard_team_size(spread->threads);
    struct sending sending = {.from = {.box = *box,
                                       .records = records,
                                       .count = count,
                                       .fields = spread->fields + spread->numbered,
                                       .numbered = spread->numbered,
                                       .threads = spread->threads}};
    bool good = send_records(&sending, records, &in);
    if (good) {
        spread->bytes = from_others(&in);
        good = sort_records(spread, &sending, &in);
    }
    shepard_rank_items_free(&in);
    shepard_rank_items_free(&sending.out);
    shepard_curve_cuts_free(&sending.cuts);
    return good && publish_buckets(spread);
}

void shepard_spread_forget(struct shepard_spread_points *spread)
{
    free(spread->records);
    free(spread->parts);
    spread->records = NULL;
    spread->parts = NULL;
}

void shepard_spread_free(struct shepard_spread_points *spread)
{
    shepard_spread_forget(spread);
    free(spread->buckets);
    free(spread->first);
    *spread = (struct shepard_spread_points){0};
}
