/* SPDX-License-Identifier: MIT */
#include "rank_subtrees.h"

#include "shepard/shepard_essential.h"

#include <stdlib.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The first point of a subtree, or past the last point. */
static size_t point_of(const struct shepard_rank_subtrees *subtrees, size_t subtree)
{
    return smaller(subtree * SHEPARD_SUBTREE_POINTS, subtrees->points);
}

static uint64_t from_others(const struct shepard_rank_items *in)
{
    return (uint64_t)(in->count - in->counts[shepard_rank()]) * in->size;
}

/* ---- Cuts ------------------------------------------------------------------------------------ */

/* Subtrees are cut where they are nearest to the cuts between the ranks' points; *before: points of
 * the ranks before this one. */
static bool cut(struct shepard_rank_subtrees *subtrees, size_t count, size_t *before)
{
    const size_t ranks = (size_t)shepard_rank_count();
    const uint64_t own = count;
    struct shepard_rank_items counts = {0};
    subtrees->first = calloc(ranks + 1, sizeof *subtrees->first);
    if (shepard_ranks_first(!subtrees->first) < (int)ranks ||
        !shepard_ranks_gather(&own, 1, sizeof own, &counts)) {
        return false;
    }
    const uint64_t *const of_rank = counts.items;
    for (size_t r = 0; r < ranks; r++) {
        *before = r == (size_t)shepard_rank() ? subtrees->points : *before;
        subtrees->first[r] =
            (subtrees->points + SHEPARD_SUBTREE_POINTS / 2) / SHEPARD_SUBTREE_POINTS;
        subtrees->points += (size_t)of_rank[r];
    }
    subtrees->first[ranks] =
        (subtrees->points + SHEPARD_SUBTREE_POINTS - 1) / SHEPARD_SUBTREE_POINTS;
    for (size_t r = 0; r < ranks; r++) {
        subtrees->first[r] = smaller(subtrees->first[r], subtrees->first[ranks]);
    }
    shepard_rank_items_free(&counts);
    return true;
}

/* Of all ranks: points go to the rank that has their subtree; those of this rank are count, behind
 * `before` of others. */
static bool move(struct shepard_rank_subtrees *subtrees, size_t before, size_t count)
{
    const size_t ranks = (size_t)shepard_rank_count();
    struct shepard_rank_items in = {0};
    struct shepard_rank_items out = {.size = subtrees->fields * sizeof *subtrees->records,
                                     .items = subtrees->records,
                                     .counts = calloc(ranks, sizeof *out.counts),
                                     .count = count};
    bool good = shepard_ranks_first(!out.counts) == (int)ranks;
    for (size_t r = 0; good && r < ranks; r++) {
        const size_t first = larger(before, point_of(subtrees, subtrees->first[r]));
        const size_t end = smaller(before + count, point_of(subtrees, subtrees->first[r + 1]));
        out.counts[r] = end > first ? end - first : 0;
    }
    good = good && shepard_ranks_exchange(&out, &in);
    if (good) {
        subtrees->bytes += from_others(&in);
    }
    free(in.counts);
    free(out.counts);
    free(subtrees->records);
    subtrees->records = good ? in.items : NULL;
    subtrees->count = in.count;
    return good;
}

bool shepard_rank_subtrees_make(struct shepard_rank_subtrees *subtrees,
                                struct shepard_spread_points *spread)
{
    size_t before = 0;
    subtrees->fields = spread->fields;
    subtrees->records = spread->records;
    spread->records = NULL;
    return cut(subtrees, spread->count, &before) && move(subtrees, before, spread->count);
}

void shepard_rank_subtrees_free(struct shepard_rank_subtrees *subtrees)
{
    free(subtrees->records);
    free(subtrees->first);
    *subtrees = (struct shepard_rank_subtrees){0};
}

double *shepard_rank_subtrees_gather(struct shepard_rank_subtrees *subtrees, const double *own,
                                     size_t numbers)
{
    const size_t rank = (size_t)shepard_rank();
    struct shepard_rank_items all = {0};
    if (!shepard_ranks_gather(own, subtrees->first[rank + 1] - subtrees->first[rank],
                              numbers * sizeof *own, &all)) {
        return NULL;
    }
    subtrees->bytes += from_others(&all);
    free(all.counts);
    return all.items;
}

/* ---- Subtrees of others ---------------------------------------------------------------------- */

static bool begin_items(struct shepard_rank_items *items, size_t size, size_t most)
{
    *items = (struct shepard_rank_items){
        .size = size,
        .items = malloc(most * size + 1),
        .counts = calloc((size_t)shepard_rank_count(), sizeof *items->counts)};
    return items->items && items->counts;
}

static bool list_wanted(const struct shepard_rank_subtrees *subtrees, const unsigned char *marks,
                        struct shepard_rank_items *wanted)
{
    const size_t ranks = (size_t)shepard_rank_count(), own = (size_t)shepard_rank();
    if (!begin_items(wanted, sizeof(uint32_t), subtrees->first[ranks])) {
        return false;
    }
    for (size_t r = 0; r < ranks; r++) {
        for (size_t s = subtrees->first[r]; s < subtrees->first[r + 1] && r != own; s++) {
            if (marks[s]) {
                ((uint32_t *)wanted->items)[wanted->count++] = (uint32_t)s;
                wanted->counts[r]++;
            }
        }
    }
    return true;
}

static bool answer(const struct shepard_rank_subtrees *subtrees,
                   const struct shepard_rank_items *asked, struct shepard_rank_items *answers)
{
    const size_t first = point_of(subtrees, subtrees->first[shepard_rank()]);
    const size_t size = subtrees->fields * sizeof *subtrees->records;
    const uint32_t *subtree = asked->items;
    if (!begin_items(answers, size, asked->count * SHEPARD_SUBTREE_POINTS)) {
        return false;
    }
    for (size_t r = 0; r < (size_t)shepard_rank_count(); r++) {
        for (size_t i = 0; i < asked->counts[r]; i++, subtree++) {
            const size_t from = point_of(subtrees, *subtree);
            const size_t some = point_of(subtrees, (size_t)*subtree + 1) - from;
            memcpy((char *)answers->items + answers->count * size,
                   subtrees->records + (from - first) * subtrees->fields, some * size);
            answers->count += some;
            answers->counts[r] += some;
        }
    }
    return true;
}

bool shepard_rank_subtrees_fetch(struct shepard_rank_subtrees *subtrees, const unsigned char *marks,
                                 struct shepard_rank_items *records)
{
    const int ranks = shepard_rank_count();
    struct shepard_rank_items wanted = {0}, asked = {0}, answers = {0};
    bool good = shepard_ranks_first(!list_wanted(subtrees, marks, &wanted)) == ranks &&
                shepard_ranks_exchange(&wanted, &asked);
    good = good && shepard_ranks_first(!answer(subtrees, &asked, &answers)) == ranks &&
           shepard_ranks_exchange(&answers, records);
    if (good) {
        subtrees->bytes += from_others(records);
    }
    shepard_rank_items_free(&wanted);
    shepard_rank_items_free(&asked);
    shepard_rank_items_free(&answers);
    return good;
}
