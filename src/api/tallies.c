/* SPDX-License-Identifier: MIT */
#include "api/tallies.h"

#include <math.h>

/* The best of a later tier is chosen if it is better than that of an earlier one by this many
 * standard errors of the difference: of many trials the best is better by chance, too. */
#define ERRORS_OF_TIER 2

static double mean_square(const struct shepard_tally *tally, size_t without)
{
    double squares = 0, count = 0;
    for (size_t p = 0; p < SHEPARD_TALLY_PARTS; p++) {
        if (p != without) {
            squares += tally->squares[p];
            count += (double)tally->counts[p];
        }
    }
    return count > 0 ? squares / count : INFINITY;
}

/* The standard error of the difference of two mean squares that miss nothing, by the scatter of the
 * parts. */
static double difference_error(const struct shepard_tally *a, const struct shepard_tally *b,
                               size_t without)
{
    const double mean = mean_square(a, without) - mean_square(b, without);
    double squares = 0, count = 0, parts = 0;
    for (size_t p = 0; p < SHEPARD_TALLY_PARTS; p++) {
        if (p == without || a->counts[p] == 0)
            continue;
        const double n = (double)a->counts[p], rest = a->squares[p] - b->squares[p] - n * mean;
        squares += rest * rest;
        count += n;
        parts++;
    }
    return parts > 1 ? sqrt(squares * parts / (parts - 1)) / count : INFINITY;
}

/* Whether a misses less, or as much and is better by a margin. */
static bool is_better(const struct shepard_tally *a, const struct shepard_tally *b, size_t without,
                      double margin)
{
    return a->missing != b->missing ? a->missing < b->missing
                                    : mean_square(b, without) - mean_square(a, without) > margin;
}

size_t shepard_tallies_best(const struct shepard_tally *tallies, size_t count,
                            enum shepard_tier tier, size_t without)
{
    size_t best = SHEPARD_NO_TALLY;
    for (size_t t = 0; t < count; t++)
        if (!tallies[t].failed && tallies[t].tier == tier &&
            (best == SHEPARD_NO_TALLY || is_better(&tallies[t], &tallies[best], without, 0)))
            best = t;
    return best;
}

size_t shepard_tallies_choose(const struct shepard_tally *tallies, size_t count, size_t without)
{
    size_t chosen = SHEPARD_NO_TALLY;
    for (int tier = 0; tier < SHEPARD_TIERS; tier++) {
        const size_t best = shepard_tallies_best(tallies, count, (enum shepard_tier)tier, without);
        if (best == SHEPARD_NO_TALLY)
            continue;
        if (chosen == SHEPARD_NO_TALLY ||
            is_better(&tallies[best], &tallies[chosen], without,
                      ERRORS_OF_TIER * difference_error(&tallies[best], &tallies[chosen], without)))
            chosen = best;
    }
    return chosen;
}

double shepard_tallies_honest_square(const struct shepard_tally *tallies, size_t count)
{
    double squares = 0, errors = 0;
    for (size_t p = 0; p < SHEPARD_TALLY_PARTS; p++) {
        const struct shepard_tally *chosen = &tallies[shepard_tallies_choose(tallies, count, p)];
        squares += chosen->squares[p];
        errors += (double)chosen->counts[p];
    }
    return squares / errors;
}
