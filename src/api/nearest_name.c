/* SPDX-License-Identifier: MIT */
#include "shepard/shepard.h"

#include <string.h>

/* Longer names are compared by their first letters only. */
enum { LETTERS_MAX = 63 };

/* Shorter beginnings are shared by names of different things. */
enum { STEM_MIN = 4 };

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static size_t letters(const char *name)
{
    const size_t length = strlen(name);
    return length < LETTERS_MAX ? length : LETTERS_MAX;
}

static size_t least(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Damerau-Levenshtein distance in its optimal string alignment form: insertions, deletions,
   substitutions and swaps of neighbours cost 1 each. */
static size_t distance(const char *a, const char *b)
{
    const size_t n = letters(a), m = letters(b);
    size_t d[3][LETTERS_MAX + 1]; /* rows i - 2, i - 1, i, taken modulo 3 */
    for (size_t j = 0; j <= m; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = d[i % 3];
        const size_t *above = d[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = least(row[j - 1] + 1, above[j] + 1, above[j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], d[(i - 2) % 3][j - 2] + 1, SIZE_MAX);
        }
    }
    return d[n % 3][m];
}

/* Of two names with the same beginning, at least four letters and all but one of the candidate's:
   "kriging" and "krige". */
static bool has_same_stem(const char *name, const char *candidate)
{
    size_t same = 0;
    while (candidate[same] != '\0' && lower(name[same]) == lower(candidate[same]))
        same++;
    return same >= STEM_MIN && same + 1 >= strlen(candidate);
}

static const char *first_of_same_stem(const char *name, const char *const *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (has_same_stem(name, candidates[i]))
            return candidates[i];
    return NULL;
}

const char *shepard_nearest_name(const char *name, const char *const *candidates, size_t count)
{
    const size_t length = letters(name);
    const char *nearest = NULL;
    size_t most = length / 3 > 1 ? length / 3 : 1;
    for (size_t i = 0; i < count; i++) {
        const size_t found = distance(name, candidates[i]);
        const size_t other = letters(candidates[i]);
        if (found > most || found >= (length > other ? length : other))
            continue;
        if (!nearest || found < most) {
            nearest = candidates[i];
            most = found;
        }
    }
    return nearest ? nearest : first_of_same_stem(name, candidates, count);
}
