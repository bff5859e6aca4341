/* SPDX-License-Identifier: MIT */
#include "suggest.h"

#include <ctype.h>
#include <string.h>

/* Longer names are compared by their beginning. */
enum { LENGTH_MAX = 63 };

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int lower(const char *text, size_t i)
{
    return tolower((unsigned char)text[i]);
}

/*
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours
 * each cost 1. Three rows of the usual table.
 */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t na = min_size(strlen(a), LENGTH_MAX), nb = min_size(strlen(b), LENGTH_MAX);
    size_t rows[3][LENGTH_MAX + 1];
    for (size_t j = 0; j <= nb; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            const int ca = lower(a, i - 1), cb = lower(b, j - 1);
            row[j] = min_size(above[j - 1] + (ca != cb), min_size(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && ca == lower(b, j - 2) && lower(a, i - 2) == cb) {
                row[j] = min_size(row[j], above2[j - 2] + 1);
            }
        }
    }
    return rows[na % 3][nb];
}

void shepard_suggest(struct shepard_suggestion *suggestion, const char *name)
{
    /* With more than about a third of its letters wrong a name is no help. */
    const size_t limit = 1 + strlen(suggestion->word) / 3;
    const size_t distance = edit_distance(suggestion->word, name);
    if (distance <= limit && (!suggestion->best || distance < suggestion->distance)) {
        suggestion->best = name;
        suggestion->distance = distance;
    }
}
