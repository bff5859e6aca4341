/* SPDX-License-Identifier: MIT */
#include "rank_tree.h"

#include "rank_subtrees.h"
#include "ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What the steps share, each of which is of all ranks. */
struct making {
    struct shepard_rank_tree *tree;
    struct shepard_rank_subtrees subtrees;
    struct shepard_essential_options options;
    double *summaries;     /* [all subtrees, numbers] */
    unsigned char *needed; /* [all subtrees] */
    size_t *added;         /* [all subtrees] numbers of those that are added at once */
    size_t there;          /* points that were added */
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

/* The first `count` of those to be added. */
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
                                         .subtrees = making->added,
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
    const size_t all = subtrees->first[shepard_rank_count()];
    making->options.weighted = is_weighted(subtrees->fields);
    making->options.weight_min = least_weight(subtrees);
    making->needed = malloc(all + 1);
    making->added = malloc((all + 1) * sizeof *making->added);
    const bool room = (making->needed && making->added) || fail_memory(making);
    return all_did(room && shepard_essential_create(&making->options, &making->tree->essential,
                                                    making->error) == SHEPARD_OK);
}

/* This rank's subtrees, and summaries of those of all. */
static bool add_own(struct making *making)
{
    struct shepard_rank_subtrees *const subtrees = &making->subtrees;
    const size_t first = subtrees->first[shepard_rank()];
    const size_t count = subtrees->first[shepard_rank() + 1] - first;
    const size_t each = shepard_essential_numbers(making->tree->essential);
    const struct subtree_records records = {subtrees->records, subtrees->count, subtrees->fields};
    double *const own = malloc(count * each * sizeof *own + 1);
    for (size_t i = 0; i < count; i++) {
        making->added[i] = first + i;
    }
    const bool good = all_did((own || fail_memory(making)) && add(making, count, &records, own));
    if (good) {
        making->summaries = shepard_rank_subtrees_gather(subtrees, own, each);
    }
    free(own);
    return good && (making->summaries || fail_memory(making));
}

static bool find_needs(struct making *making)
{
    return all_did(shepard_essential_need(making->tree->essential, making->summaries,
                                          making->needed, making->error) == SHEPARD_OK);
}

/* What the rank's cells need of others. */
static bool add_needed(struct making *making)
{
    struct shepard_rank_subtrees *const subtrees = &making->subtrees;
    const size_t first = subtrees->first[shepard_rank()], end = subtrees->first[shepard_rank() + 1];
    struct shepard_rank_items got = {0};
    size_t count = 0;
    for (size_t s = 0; s < subtrees->first[shepard_rank_count()]; s++) {
        if (making->needed[s] && (s < first || s >= end)) {
            making->added[count++] = s;
        }
    }
    if (!shepard_rank_subtrees_fetch(subtrees, making->needed, &got)) {
        return fail_memory(making);
    }
    const struct subtree_records records = {got.items, got.count, subtrees->fields};
    const bool good = all_did(add(making, count, &records, NULL));
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
    free(making.summaries);
    free(making.needed);
    free(making.added);
    shepard_rank_subtrees_free(&making.subtrees);
    return good;
}

void shepard_rank_tree_free(struct shepard_rank_tree *tree)
{
    shepard_essential_free(tree->essential);
    *tree = (struct shepard_rank_tree){0};
}
