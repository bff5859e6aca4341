/* SPDX-License-Identifier: MIT */
#include "curve_cuts.h"

#include "curve_order.h"
#include "ranks.h"

#include <stdlib.h>

/* Places that a rank gives of its points, of which all choose the cuts: shares of the points then
 * differ by some percent. */
enum { SAMPLES = 1024 };

enum { ENTRY_SHIFT = 32 - SHEPARD_CUTS_BITS };

/* Each step-th place, so that all points count the same. */
static uint32_t *sample(const uint32_t *places, size_t count, size_t step, size_t *samples)
{
    uint32_t *const some = malloc((count / step + 2) * sizeof *some);
    *samples = 0;
    for (size_t i = step / 2; some && i < count; i += step) {
        some[(*samples)++] = places[i];
    }
    return some;
}

static size_t search(const struct shepard_curve_cuts *cuts, size_t low, size_t high, uint32_t place)
{
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (cuts->begin[middle] <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void make_table(struct shepard_curve_cuts *cuts)
{
    const size_t last = cuts->ranks - 1;
    for (size_t i = 0; i < SHEPARD_CUTS_ENTRIES; i++) {
        cuts->rank[i] = (uint32_t)search(cuts, 0, last, (uint32_t)(i << ENTRY_SHIFT));
    }
    cuts->rank[SHEPARD_CUTS_ENTRIES] = (uint32_t)last;
}

/* Of all ranks: all samples, sorted. */
static bool gather_sample(const uint32_t *places, size_t count, struct shepard_rank_items *gathered)
{
    uint64_t all = count;
    shepard_ranks_sum(&all, 1);
    const size_t step = (size_t)(all / (SAMPLES * (uint64_t)shepard_rank_count())) + 1;
    size_t samples;
    uint32_t *const some = sample(places, count, step, &samples);
    const bool good = shepard_ranks_first(!some) == shepard_rank_count() &&
                      shepard_ranks_gather(some, samples, sizeof *some, gathered);
    free(some);
    if (good) {
        shepard_curve_sort_places(gathered->items, gathered->count);
    }
    return good;
}

bool shepard_curve_cuts_make(struct shepard_curve_cuts *cuts, const uint32_t *places, size_t count)
{
    struct shepard_rank_items gathered = {0};
    cuts->ranks = (size_t)shepard_rank_count();
    cuts->begin = malloc(cuts->ranks * sizeof *cuts->begin);
    bool good = shepard_ranks_first(!cuts->begin) == (int)cuts->ranks &&
                gather_sample(places, count, &gathered);
    for (size_t r = 1; good && r < cuts->ranks; r++) {
        const uint32_t *const sorted = gathered.items;
        cuts->begin[r - 1] = gathered.count > 0 ? sorted[r * gathered.count / cuts->ranks] : 0;
    }
    if (good) {
        make_table(cuts);
    }
    shepard_rank_items_free(&gathered);
    return good;
}

size_t shepard_curve_cuts_rank(const struct shepard_curve_cuts *cuts, uint32_t place)
{
    const size_t entry = place >> ENTRY_SHIFT;
    return search(cuts, cuts->rank[entry], cuts->rank[entry + 1], place);
}

void shepard_curve_cuts_free(struct shepard_curve_cuts *cuts)
{
    free(cuts->begin);
    *cuts = (struct shepard_curve_cuts){0};
}
