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

/* The first point of a branch or a subtree, or past the last point. */
static size_t point_of_branch(const struct shepard_rank_subtrees *subtrees, size_t branch)
{
    return smaller(branch * SHEPARD_BRANCH_POINTS, subtrees->points);
}

static size_t point_of(const struct shepard_rank_subtrees *subtrees, size_t subtree)
{
    return smaller(subtree * SHEPARD_SUBTREE_POINTS, subtrees->points);
}

size_t shepard_rank_subtrees_first(const struct shepard_rank_subtrees *subtrees, size_t branch)
{
    const size_t all = (subtrees->points + SHEPARD_SUBTREE_POINTS - 1) / SHEPARD_SUBTREE_POINTS;
    return smaller(branch * SHEPARD_BRANCH_SUBTREES, all);
}

bool shepard_rank_subtrees_own(const struct shepard_rank_subtrees *subtrees, size_t branch)
{
    return branch >= subtrees->first[shepard_rank()] &&
           branch < subtrees->first[shepard_rank() + 1];
}

static uint64_t from_others(const struct shepard_rank_items *in)
{
    return (uint64_t)(in->count - in->counts[shepard_rank()]) * in->size;
}

/* ---- Cuts ------------------------------------------------------------------------------------ */

/* Branches are cut where they are nearest to the cuts between the ranks' points; *before: points of
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
        subtrees->first[r] = (subtrees->points + SHEPARD_BRANCH_POINTS / 2) / SHEPARD_BRANCH_POINTS;
        subtrees->points += (size_t)of_rank[r];
    }
    subtrees->first[ranks] = (subtrees->points + SHEPARD_BRANCH_POINTS - 1) / SHEPARD_BRANCH_POINTS;
    for (size_t r = 0; r < ranks; r++) {
        subtrees->first[r] = smaller(subtrees->first[r], subtrees->first[ranks]);
    }
    shepard_rank_items_free(&counts);
    return true;
}

/* Of all ranks: points go to the rank that has their branch; those of this rank are count, behind
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
        const size_t first = larger(before, point_of_branch(subtrees, subtrees->first[r]));
        const size_t end =
            smaller(before + count, point_of_branch(subtrees, subtrees->first[r + 1]));
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

/* What ranks have of their subtrees. */
struct held {
    const struct shepard_rank_subtrees *subtrees;
    const void *items; /* [own] behind one another */
    size_t size;
    bool records; /* an item a point; else one a subtree */
};

/* Items of a subtree, and how many: `first` is its place among those of the rank that has it. */
static size_t items_of(const struct held *held, size_t subtree, size_t *first)
{
    const struct shepard_rank_subtrees *const subtrees = held->subtrees;
    const size_t branch = subtrees->first[shepard_rank()];
    if (!held->records) {
        *first = subtree - shepard_rank_subtrees_first(subtrees, branch);
        return 1;
    }
    *first = point_of(subtrees, subtree) - point_of_branch(subtrees, branch);
    return point_of(subtrees, subtree + 1) - point_of(subtrees, subtree);
}

static bool begin_items(struct shepard_rank_items *items, size_t size, size_t most)
{
    *items = (struct shepard_rank_items){
        .size = size,
        .items = malloc(most * size + 1),
        .counts = calloc((size_t)shepard_rank_count(), sizeof *items->counts)};
    return items->items && items->counts;
}

/* Rank by rank, which have what is wanted by rising number. */
static bool ask(const struct shepard_rank_subtrees *subtrees,
                const struct shepard_wanted_subtrees *wanted, struct shepard_rank_items *asked)
{
    size_t rank = 0;
    if (!begin_items(asked, sizeof(uint32_t), wanted->count)) {
        return false;
    }
    for (size_t i = 0; i < wanted->count; i++) {
        while (wanted->subtrees[i] / SHEPARD_BRANCH_SUBTREES >= subtrees->first[rank + 1]) {
            rank++;
        }
        ((uint32_t *)asked->items)[asked->count++] = (uint32_t)wanted->subtrees[i];
        asked->counts[rank]++;
    }
    return true;
}

static size_t count_items(const struct held *held, const struct shepard_rank_items *asked)
{
    const uint32_t *const numbers = asked->items;
    size_t count = 0, first;
    for (size_t i = 0; i < asked->count; i++) {
        count += items_of(held, numbers[i], &first);
    }
    return count;
}

static bool answer(const struct held *held, const struct shepard_rank_items *asked,
                   struct shepard_rank_items *answers)
{
    const uint32_t *number = asked->items;
    if (!begin_items(answers, held->size, count_items(held, asked))) {
        return false;
    }
    for (size_t r = 0; r < (size_t)shepard_rank_count(); r++) {
        for (size_t i = 0; i < asked->counts[r]; i++, number++) {
            size_t first;
            const size_t some = items_of(held, *number, &first);
            memcpy((char *)answers->items + answers->count * held->size,
                   (const char *)held->items + first * held->size, some * held->size);
            answers->count += some;
            answers->counts[r] += some;
        }
    }
    return true;
}

static bool fetch(struct shepard_rank_subtrees *subtrees,
                  const struct shepard_wanted_subtrees *wanted, const struct held *held,
                  struct shepard_rank_items *got)
{
    const int ranks = shepard_rank_count();
    struct shepard_rank_items own = {0}, asked = {0}, answers = {0};
    bool good = shepard_ranks_first(!ask(subtrees, wanted, &own)) == ranks &&
                shepard_ranks_exchange(&own, &asked);
    good = good && shepard_ranks_first(!answer(held, &asked, &answers)) == ranks &&
           shepard_ranks_exchange(&answers, got);
    if (good) {
        subtrees->bytes += from_others(got);
    }
    shepard_rank_items_free(&own);
    shepard_rank_items_free(&asked);
    shepard_rank_items_free(&answers);
    return good;
}

bool shepard_rank_subtrees_fetch(struct shepard_rank_subtrees *subtrees,
                                 const struct shepard_wanted_subtrees *wanted, const double *own,
                                 size_t numbers, struct shepard_rank_items *got)
{
    const struct held held = {subtrees, own, numbers * sizeof *own, false};
    return fetch(subtrees, wanted, &held, got);
}

bool shepard_rank_subtrees_fetch_records(struct shepard_rank_subtrees *subtrees,
                                         const struct shepard_wanted_subtrees *wanted,
                                         struct shepard_rank_items *got)
{
    const struct held held = {subtrees, subtrees->records,
                              subtrees->fields * sizeof *subtrees->records, true};
    return fetch(subtrees, wanted, &held, got);
}
