/* SPDX-License-Identifier: MIT */
/* Random records, many of them at one place, and numbers of threads: sorted, they are the same
 * records in the order of the curve. The seed: SHEPARD_TEST_SEED, or the time. */
#include "base/random.h"
#include "curve_order.h"
#include "thread_team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIALS = 200, FIELDS = 4 };

static struct shepard_random random_stream;

/* From 0 to most. */
static size_t random_to(size_t most)
{
    return (size_t)(shepard_random_bits(&random_stream) % (most + 1));
}

static void fail(const char *text, const struct shepard_curve_records *of)
{
    printf("%zu records, %d threads: %s\n", of->count, of->threads, text);
    exit(1);
}

/* The last field has the record's number. */
static double *make_records(size_t count, size_t stretch)
{
    double *const records = malloc((count * FIELDS + 1) * sizeof *records);
    for (size_t i = 0; i < count; i++) {
        const bool heaped = random_to(3) == 0;
        records[i * FIELDS] = heaped ? 7 : (double)random_to(stretch) / (double)stretch * 100;
        records[i * FIELDS + 1] = heaped ? 9 : (double)random_to(stretch) / (double)stretch * 100;
        records[i * FIELDS + 2] = (double)random_to(1000);
        records[i * FIELDS + 3] = (double)i;
    }
    return records;
}

static void check(const struct shepard_curve_records *of, const double *sorted)
{
    struct shepard_curve_records after = *of;
    uint32_t *const places = malloc((of->count + 1) * sizeof *places);
    unsigned char *const seen = calloc(of->count + 1, 1);
    after.records = sorted;
    shepard_curve_places(&after, 0, of->count, places);
    for (size_t i = 0; i < of->count; i++) {
        const size_t number = (size_t)sorted[i * FIELDS + 3];
        if (i > 0 && places[i - 1] > places[i]) {
            fail("not in the order of the curve", of);
        }
        if (number >= of->count || seen[number]++ ||
            memcmp(sorted + i * FIELDS, of->records + number * FIELDS, FIELDS * sizeof *sorted) !=
                0) {
            fail("not the same records", of);
        }
    }
    free(places);
    free(seen);
}

/* The least and the largest place, as the ends of a rank's stretch may be. */
static void ends_of(const struct shepard_curve_records *of, uint32_t *low, uint32_t *high)
{
    uint32_t *const places = malloc((of->count + 1) * sizeof *places);
    shepard_curve_places(of, 0, of->count, places);
    *low = UINT32_MAX;
    *high = 0;
    for (size_t i = 0; i < of->count; i++) {
        *low = places[i] < *low ? places[i] : *low;
        *high = places[i] > *high ? places[i] : *high;
    }
    free(places);
}

static void run_trial(void)
{
    const double ends[] = {0, 100};
    const size_t count = random_to(random_to(20000)), stretch = 1 + random_to(1000000);
    double *const records = make_records(count, stretch);
    struct shepard_curve curve;
    uint32_t low = 0, high = UINT32_MAX;
    shepard_curve_make(&curve, ends, ends, 1);
    const struct shepard_curve_records of = {&curve, records, count, FIELDS,
                                             shepard_team_size((int)random_to(9))};
    if (count > 0 && random_to(1)) {
        ends_of(&of, &low, &high);
    }
    double *const room = random_to(1) ? malloc(1 + random_to(100000)) : NULL;
    double *const sorted = shepard_curve_sort(&of, low, high, room);
    if (!sorted) {
        fail("out of memory", &of);
    }
    check(&of, sorted);
    free(sorted);
    free(records);
}

int main(void)
{
    const char *const given = getenv("SHEPARD_TEST_SEED");
    random_stream.state = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("SHEPARD_TEST_SEED=%llu\n", (unsigned long long)random_stream.state);
    for (int i = 0; i < TRIALS; i++) {
        run_trial();
    }
    return 0;
}
