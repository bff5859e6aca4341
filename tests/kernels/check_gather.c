/* SPDX-License-Identifier: MIT */
/* Values and weights gathered into the order of the points: each is the caller's, the ends of each
 * column are its least and largest value, and one number that is unusable is seen wherever it is.
 */
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 5 };

/* A caller's arrays; every second column is in single precision, two numbers apart. */
struct given {
    size_t n, columns;
    double *memory; /* [columns + 3, n]: columns, weights, x, y */
    struct shepard_array arrays[COLUMNS_MOST];
    struct shepard_array weights;
};

static struct given given_make(size_t n, size_t columns, bool weighted, unsigned long *seed)
{
    struct given given = {.n = n, .columns = columns};
    given.memory = calloc((columns + 3) * n, sizeof *given.memory);
    if (given.memory == NULL)
        exit(2);
    for (size_t c = 0; c < columns; c++) {
        double *column = given.memory + c * n;
        given.arrays[c] = resolved(column);
        if (c % 2 == 1)
            given.arrays[c] = (struct shepard_array){column, SHEPARD_FLOAT32, sizeof(double)};
        for (size_t i = 0; i < n; i++) {
            const double value = (chance(seed) - 0.5) * exp2(40 * chance(seed));
            const float single = (float)value;
            if (c % 2 == 1)
                memcpy(column + i, &single, sizeof single);
            else
                column[i] = value;
        }
    }
    for (size_t i = columns * n; i < (columns + 3) * n; i++)
        given.memory[i] = 0.1 + chance(seed);
    given.weights = resolved(weighted ? given.memory + columns * n : NULL);
    return given;
}

static double value_of(const struct given *given, size_t column, size_t i)
{
    const double *at = given->memory + column * given->n + i;
    float single;
    memcpy(&single, at, sizeof single);
    return column % 2 == 1 ? (double)single : *at;
}

static bool copies_column(const struct given *given, const struct shepard_samples *samples,
                          size_t c)
{
    double low = INFINITY, high = -INFINITY;
    bool same = true;
    for (size_t i = 0; i < given->n; i++) {
        const double value = value_of(given, c, samples->index[i]);
        same = same && samples->values[c][i] == value;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return same && samples->value_min[c] == low && samples->value_max[c] == high;
}

static bool copies_weights(const struct given *given, const struct shepard_samples *samples)
{
    const double *weights = given->weights.data;
    double largest = 0;
    bool same = true;
    if (weights == NULL)
        return samples->weights == NULL;
    for (size_t i = 0; i < given->n; i++)
        largest = fmax(largest, weights[i]);
    for (size_t i = 0; i < given->n; i++)
        same = same && samples->weights[i] == weights[samples->index[i]] / largest;
    return same;
}

/* Makes one number unusable. */
static void spoil(const struct given *given, unsigned long *seed)
{
    const size_t arrays = given->columns + (given->weights.data != NULL);
    const size_t array = pick(seed, arrays);
    const float single = NAN;
    double *at = given->memory + array * given->n + pick(seed, given->n);
    if (array < given->columns && array % 2 == 1)
        memcpy(at, &single, sizeof single);
    else
        *at = array == given->columns ? 0 : chance(seed) < 0.5 ? INFINITY : NAN;
}

static void check_given(struct tally *tally, size_t n, size_t columns, bool weighted, int threads,
                        unsigned long *seed)
{
    const struct given given = given_make(n, columns, weighted, seed);
    const double *x = given.memory + (columns + 1) * n;
    const struct shepard_coordinates coordinates = {
        .count = n, .x = resolved(x), .y = resolved(x + n)};
    const struct shepard_values values = {
        .column_count = columns, .columns = given.arrays, .weights = given.weights};
    const struct shepard_stretch none = {.ratio = 1, .cosine = 1};
    struct shepard_geometry geometry = {.threads = threads};
    struct shepard_samples samples;
    struct shepard_error error;
    bool gaps;
    if (shepard_geometry_create(&coordinates, &none, &geometry, &error) != SHEPARD_OK ||
        shepard_samples_create(&geometry, &values, &samples, &gaps, &error) != SHEPARD_OK)
        exit(2);
    bool same = !gaps && copies_weights(&given, &samples);
    for (size_t c = 0; same && c < columns; c++)
        same = copies_column(&given, &samples, c);
    shepard_samples_free(&samples);
    spoil(&given, seed);
    const bool seen =
        shepard_samples_create(&geometry, &values, &samples, &gaps, &error) == SHEPARD_OK && gaps &&
        samples.values == NULL;
    tally_check(tally, same, "n = %zu, columns %zu, weights %d, threads %d: other samples", n,
                columns, weighted, threads);
    tally_check(tally, seen, "n = %zu, columns %zu, weights %d, threads %d: a gap was not seen", n,
                columns, weighted, threads);
    shepard_geometry_free(&geometry);
    free(given.memory);
}

void check_gather(struct tally *tally, unsigned long seed)
{
    /* Round the blocks that arrays are copied by. */
    static const size_t counts[] = {1, 2, 1000, 65535, 65536, 65537, 200000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t columns = 1; columns <= COLUMNS_MOST; columns += 2)
            for (int weighted = 0; weighted < 2; weighted++)
                check_given(tally, counts[i], columns, weighted, 1 + (int)pick(&seed, 3), &seed);
}
