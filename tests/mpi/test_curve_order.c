/* SPDX-License-Identifier: MIT */
/* Random records, many of them at one place, and numbers of threads: sorted, they are the same
 * records in the order of the library's curve, those of one place by their numbers. The seed:
 * SHEPARD_TEST_SEED, or the time. */
#include "base/random.h"
#include "curve_order.h"
#include "thread_team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIALS = 200, FIELDS = 4, NUMBERED = FIELDS + 1 };

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

static void swap(double *a, double *b)
{
    const double other = *a;
    *a = *b;
    *b = other;
}

/* The last two fields have the record's number; numbers are not in order. */
static double *make_records(size_t count, size_t stretch)
{
    double *const records = malloc((count * NUMBERED + 1) * sizeof *records);
    for (size_t i = 0; i < count; i++) {
        const bool heaped = random_to(3) == 0;
        double *const record = records + i * NUMBERED;
        record[0] = heaped ? 7 : (double)random_to(stretch) / (double)stretch * 100;
        record[1] = heaped ? 9 : (double)random_to(stretch) / (double)stretch * 100;
        record[2] = (double)random_to(1000);
        record[3] = (double)i;
    }
    for (size_t i = 1; i < count; i++) {
        swap(&records[i * NUMBERED + 3], &records[random_to(i) * NUMBERED + 3]);
    }
    for (size_t i = 0; i < count; i++) {
        records[i * NUMBERED + 4] = records[i * NUMBERED + 3];
    }
    return records;
}

static bool same_place(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

static void check(const struct shepard_curve_records *of, const double *sorted)
{
    struct shepard_curve_records after = *of;
    uint32_t *const places = malloc((of->count + 1) * sizeof *places);
    const double **const given = calloc(of->count + 1, sizeof *given);
    after.records = sorted;
    after.fields = FIELDS;
    if (!shepard_curve_places(&after, 0, of->count, places)) {
        fail("out of memory", of);
    }
    for (size_t i = 0; i < of->count; i++) {
        given[(size_t)of->records[i * NUMBERED + 3]] = of->records + i * NUMBERED;
    }
    for (size_t i = 0; i < of->count; i++) {
        const double *const record = sorted + i * FIELDS, *const before = record - FIELDS;
        const double **const as_given = &given[(size_t)record[3]];
        if (i > 0 && places[i - 1] > places[i]) {
            fail("not in the order of the curve", of);
        }
        if (i > 0 && same_place(before, record) && before[3] >= record[3]) {
            fail("not in the order of the numbers", of);
        }
        if (!*as_given || memcmp(record, *as_given, FIELDS * sizeof *record) != 0) {
            fail("not the same records", of);
        }
        *as_given = NULL;
    }
    free(places);
    free(given);
}

static void run_trial(void)
{
    const size_t count = random_to(random_to(20000)), stretch = 1 + random_to(1000000);
    double *const records = make_records(count, stretch);
    const struct shepard_curve_records of = {.box = {true, 0, 0, 100, 100},
                                             .records = records,
                                             .count = count,
                                             .fields = NUMBERED,
                                             .numbered = true,
                                             .threads = shepard_team_size((int)random_to(9))};
    double *const room = random_to(1) ? malloc(1 + random_to(100000)) : NULL;
    double *const sorted = shepard_curve_sort(&of, room);
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
