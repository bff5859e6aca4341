/* SPDX-License-Identifier: MIT */
#include "rank_tree.h"

#include "rank_subtrees.h"
#include "ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the steps share, each of which is of all ranks. */
struct making {
    struct shepard_rank_tree *tree;
    struct shepard_rank_subtrees subtrees;
    struct shepard_essential_options options;
    size_t each;          /* numbers of a summary */
    double *own;          /* [own subtrees, each] summaries */
    double *summaries;    /* [all branches, each] */
    double *of_subtrees;  /* [subtrees of opened branches, each] summaries */
    unsigned char *marks; /* [all subtrees] of branches, then of subtrees of the opened */
    size_t *opened;       /* [all branches] numbers of those that are opened */
    size_t opened_count;
    size_t *numbers; /* [all subtrees] of those at work */
    size_t there;    /* points that were added */
    struct shepard_error *error;
};

/* Of all ranks: whether a step did what it should on each. */
static bool all_did(bool good)
{
    return shepard_ranks_first(!good) == shepard_rank_count();
}

static bool fail_memory(struct making *making)
{
    making->error->status = SHEPARD_ERROR_MEMORY;
    snprintf(making->error->message, sizeof making->error->message,
             "out of memory for the points of a rank; start more ranks");
    return false;
}

/* ---- Records --------------------------------------------------------------------------------- */

/* Records of whole subtrees, as the library takes them. */
struct subtree_records {
    const double *numbers; /* [count][fields] */
    size_t count, fields;
};

static struct shepard_array field_of(const struct subtree_records *records, size_t f)
{
    return (struct shepard_array){records->numbers + f, SHEPARD_FLOAT64,
                                  (ptrdiff_t)(records->fields * sizeof *records->numbers)};
}

static bool is_weighted(size_t fields)
{
    return fields > 3;
}

/* Of the first `count` at work. */
static bool add(struct making *making, size_t count, const struct subtree_records *records,
                double *summaries)
{
    const struct shepard_array column = field_of(records, 2), none = {0};
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = records->count,
                                                    .x = field_of(records, 0),
                                                    .y = field_of(records, 1)};
    const struct shepard_values values = {
        .size = sizeof values,
        .column_count = 1,
        .columns = &column,
        .weights = is_weighted(records->fields) ? field_of(records, 3) : none};
    const struct shepard_subtrees own = {.size = sizeof own,
                                         .subtrees = making->numbers,
                                         .count = count,
                                         .coordinates = &coordinates,
                                         .values = &values};
    making->there += records->count;
    return shepard_essential_add(making->tree->essential, &own, summaries, making->error) ==
           SHEPARD_OK;
}

static double least_weight(const struct shepard_rank_subtrees *subtrees)
{
    double least = INFINITY;
    for (size_t i = 0; is_weighted(subtrees->fields) && i < subtrees->count; i++) {
        least = fmin(least, subtrees->records[i * subtrees->fields + 3]);
    }
    shepard_ranks_least(&least, 1);
    return least;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static bool create(struct making *making)
{
    const struct shepard_rank_subtrees *const subtrees = &making->subtrees;
    const size_t branches = subtrees->first[shepard_rank_count()];
    const size_t all = shepard_rank_subtrees_first(subtrees, branches);
    making->options.weighted = is_weighted(subtrees->fields);
    making->options.weight_min = least_weight(subtrees);
    making->marks = malloc(all + 1);
    making->numbers = malloc((all + 1) * sizeof *making->numbers);
    making->opened = malloc((branches + 1) * sizeof *making->opened);
    const bool room = (making->marks && making->numbers && making->opened) || fail_memory(making);
    return all_did(room && shepard_essential_create(&making->options, &making->tree->essential,
                                                    making->error) == SHEPARD_OK);
}

/* This rank's branches; their summaries: [own branches, each]. */
static bool add_and_join(struct making *making, double *of_branches)
{
    const struct shepard_rank_subtrees *const subtrees = &making->subtrees;
    const size_t first = subtrees->first[shepard_rank()], end = subtrees->first[shepard_rank() + 1];
    const size_t subtree = shepard_rank_subtrees_first(subtrees, first);
    const size_t count = shepard_rank_subtrees_first(subtrees, end) - subtree;
    const struct subtree_records records = {subtrees->records, subtrees->count, subtrees->fields};
    const struct shepard_branches branches = {
        .size = sizeof branches, .branches = making->opened, .count = end - first};
    making->own = malloc(count * making->each * sizeof *making->own + 1);
    for (size_t i = 0; i < count; i++) {
        making->numbers[i] = subtree + i;
    }
    for (size_t b = first; b < end; b++) {
        making->opened[b - first] = b;
    }
    return (making->own || fail_memory(making)) && add(making, count, &records, making->own) &&
           shepard_essential_join(making->tree->essential, &branches, making->own, of_branches,
                                  making->error) == SHEPARD_OK;
}

static bool add_own(struct making *making)
{
    const size_t *const first = making->subtrees.first + shepard_rank();
    making->each = shepard_essential_numbers(making->tree->essential);
    double *const of_branches =
        malloc((first[1] - first[0]) * making->each * sizeof *of_branches + 1);
    const bool good =
        all_did((of_branches || fail_memory(making)) && add_and_join(making, of_branches));
    if (good) {
        making->summaries =
            shepard_rank_subtrees_gather(&making->subtrees, of_branches, making->each);
    }
    free(of_branches);
    return good && (making->summaries || fail_memory(making));
}

/* Which branches have to be known better; returns how many subtrees they have. */
static bool find_opened(struct making *making, size_t *subtrees)
{
    const struct shepard_rank_subtrees *const of = &making->subtrees;
    if (shepard_essential_open(making->tree->essential, making->summaries, making->marks,
                               making->error) != SHEPARD_OK) {
        return false;
    }
    *subtrees = 0;
    for (size_t b = 0; b < of->first[shepard_rank_count()]; b++) {
        if (making->marks[b]) {
            making->opened[making->opened_count++] = b;
            *subtrees +=
                shepard_rank_subtrees_first(of, b + 1) - shepard_rank_subtrees_first(of, b);
        }
    }
    making->of_subtrees = malloc(*subtrees * making->each * sizeof *making->of_subtrees + 1);
    return making->of_subtrees || fail_memory(making);
}

/* Subtrees of opened branches of other ranks: all, or those that are needed. */
static struct shepard_wanted_subtrees list_wanted(const struct making *making, bool needed)
{
    const struct shepard_rank_subtrees *const subtrees = &making->subtrees;
    const unsigned char *mark = making->marks;
    size_t count = 0;
    for (size_t i = 0; i < making->opened_count; i++) {
        const size_t branch = making->opened[i];
        const bool own = shepard_rank_subtrees_own(subtrees, branch);
        const size_t end = shepard_rank_subtrees_first(subtrees, branch + 1);
        for (size_t s = shepard_rank_subtrees_first(subtrees, branch); s < end; s++, mark++) {
            if (!own && (!needed || *mark)) {
                making->numbers[count++] = s;
            }
        }
    }
    return (struct shepard_wanted_subtrees){making->numbers, count};
}

/* Own summaries and those of others, branch by branch. */
static void merge_summaries(struct making *making, const double *got)
{
    const struct shepard_rank_subtrees *const subtrees = &making->subtrees;
    const size_t own = shepard_rank_subtrees_first(subtrees, subtrees->first[shepard_rank()]);
    double *to = making->of_subtrees;
    for (size_t i = 0; i < making->opened_count; i++) {
        const size_t branch = making->opened[i];
        const size_t first = shepard_rank_subtrees_first(subtrees, branch);
        const size_t numbers =
            (shepard_rank_subtrees_first(subtrees, branch + 1) - first) * making->each;
        const bool is_own = shepard_rank_subtrees_own(subtrees, branch);
        memcpy(to, is_own ? making->own + (first - own) * making->each : got, numbers * sizeof *to);
        got += is_own ? 0 : numbers;
        to += numbers;
    }
}

/* Opens branches: gets the summaries of their subtrees, and finds which of these are needed. */
static bool find_needs(struct making *making)
{
    struct shepard_rank_items got = {0};
    size_t count;
    if (!all_did(find_opened(making, &count))) {
        return false;
    }
    const struct shepard_wanted_subtrees wanted = list_wanted(making, false);
    if (!shepard_rank_subtrees_fetch(&making->subtrees, &wanted, making->own, making->each, &got)) {
        return fail_memory(making);
    }
    merge_summaries(making, got.items);
    shepard_rank_items_free(&got);
    const struct shepard_branches branches = {
        .size = sizeof branches, .branches = making->opened, .count = making->opened_count};
    return all_did(shepard_essential_need(making->tree->essential, &branches, making->of_subtrees,
                                          making->marks, making->error) == SHEPARD_OK);
}

/* What the rank's cells need of others. */
static bool add_needed(struct making *making)
{
    struct shepard_rank_items got = {0};
    const struct shepard_wanted_subtrees wanted = list_wanted(making, true);
    if (!shepard_rank_subtrees_fetch_records(&making->subtrees, &wanted, &got)) {
        return fail_memory(making);
    }
    const struct subtree_records records = {got.items, got.count, making->subtrees.fields};
    const bool good = all_did(add(making, wanted.count, &records, NULL));
    shepard_rank_items_free(&got);
    return good;
}

static bool finish(struct making *making)
{
    struct shepard_rank_tree *const tree = making->tree;
    double most = (double)making->there;
    shepard_ranks_most(&most, 1);
    tree->most = (size_t)most;
    tree->bytes = making->subtrees.bytes;
    return all_did(shepard_essential_finish(tree->essential, &tree->field, making->error) ==
                   SHEPARD_OK);
}

bool shepard_rank_tree_make(struct shepard_rank_tree *tree, struct shepard_spread_points *spread,
                            const struct shepard_essential_options *options,
                            struct shepard_error *error)
{
    struct making making = {.tree = tree, .options = *options, .error = error};
    *error = (struct shepard_error){.status = SHEPARD_OK};
    const bool good =
        (shepard_rank_subtrees_make(&making.subtrees, spread) || fail_memory(&making)) &&
        create(&making) && add_own(&making) && find_needs(&making) && add_needed(&making) &&
        finish(&making);
    free(making.own);
    free(making.summaries);
    free(making.of_subtrees);
    free(making.marks);
    free(making.opened);
    free(making.numbers);
    shepard_rank_subtrees_free(&making.subtrees);
    return good;
}

void shepard_rank_tree_free(struct shepard_rank_tree *tree)
{
    shepard_essential_free(tree->essential);
    *tree = (struct shepard_rank_tree){0};
}
