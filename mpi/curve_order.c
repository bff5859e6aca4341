/* SPDX-License-Identifier: MIT */
#include "curve_order.h"

#include "thread_team.h"

#include "shepard/shepard_essential.h"

#include <stdlib.h>
#include <string.h>

static struct shepard_array column(const struct shepard_curve_records *of, size_t first, size_t f)
{
    return (struct shepard_array){of->records + first * of->fields + f, SHEPARD_FLOAT64,
                                  (ptrdiff_t)(of->fields * sizeof *of->records)};
}

static struct shepard_coordinates coordinates(const struct shepard_curve_records *of, size_t first,
                                              size_t end)
{
    return (struct shepard_coordinates){.size = sizeof(struct shepard_coordinates),
                                        .count = end - first,
                                        .x = column(of, first, 0),
                                        .y = column(of, first, 1)};
}

static struct shepard_whole whole(const struct shepard_curve_records *of)
{
    return (struct shepard_whole){.size = sizeof(struct shepard_whole),
                                  .x_min = of->box.x_min,
                                  .x_max = of->box.x_max,
                                  .y_min = of->box.y_min,
                                  .y_max = of->box.y_max};
}

bool shepard_curve_places(const struct shepard_curve_records *of, size_t first, size_t end,
                          uint32_t *places)
{
    const struct shepard_whole all = whole(of);
    const struct shepard_coordinates some = coordinates(of, first, end);
    return shepard_essential_keys(&all, &some, places, NULL) == SHEPARD_OK;
}

static int compare_places(const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

void shepard_curve_sort_places(uint32_t *places, size_t count)
{
    if (count > 0) {
        qsort(places, count, sizeof *places, compare_places);
    }
}

/* ---- Records --------------------------------------------------------------------------------- */

struct curve_sort {
    const struct shepard_curve_records *of;
    uint32_t *order;
    double *sorted;
};

static const double *record(const struct curve_sort *sort, size_t i)
{
    return sort->of->records + (size_t)sort->order[i] * sort->of->fields;
}

static bool at_one_place(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

/* A record of a run at one place. */
struct numbered {
    double number;
    uint32_t index;
};

static int compare_numbers(const void *a, const void *b)
{
    const double first = ((const struct numbered *)a)->number;
    const double second = ((const struct numbered *)b)->number;
    return (first > second) - (first < second);
}

/* Where the run of record `first` ends; *sorted: its numbers rise. */
static size_t end_of_run(const struct curve_sort *sort, size_t first, bool *sorted)
{
    const size_t last = sort->of->fields - 1;
    size_t end = first + 1;
    *sorted = true;
    for (; end < sort->of->count && at_one_place(record(sort, first), record(sort, end)); end++) {
        *sorted = *sorted && record(sort, end - 1)[last] < record(sort, end)[last];
    }
    return end;
}

static bool sort_run(struct curve_sort *sort, size_t first, size_t end)
{
    struct numbered *const run = malloc((end - first) * sizeof *run);
    for (size_t i = first; run && i < end; i++) {
        run[i - first] = (struct numbered){record(sort, i)[sort->of->fields - 1], sort->order[i]};
    }
    if (run) {
        qsort(run, end - first, sizeof *run, compare_numbers);
    }
    for (size_t i = first; run && i < end; i++) {
        sort->order[i] = run[i - first].index;
    }
    free(run);
    return run != NULL;
}

static bool order_by_number(struct curve_sort *sort)
{
    bool sorted, good = true;
    for (size_t first = 0, end; good && first < sort->of->count; first = end) {
        end = end_of_run(sort, first, &sorted);
        good = sorted || sort_run(sort, first, end);
    }
    return good;
}

static void gather(void *user, int thread)
{
    struct curve_sort *const sort = user;
    const struct shepard_curve_records *const of = sort->of;
    const size_t fields = of->fields - of->numbered;
    const size_t end = shepard_team_share(of->count, thread + 1, of->threads);
    for (size_t i = shepard_team_share(of->count, thread, of->threads); i < end; i++) {
        memcpy(sort->sorted + i * fields, record(sort, i), fields * sizeof *sort->sorted);
    }
}

static bool find_order(struct curve_sort *sort)
{
    const struct shepard_curve_records *const of = sort->of;
    const struct shepard_whole all = whole(of);
    const struct shepard_coordinates records = coordinates(of, 0, of->count);
    if (shepard_essential_order(&all, &records, of->threads, sort->order, NULL) != SHEPARD_OK) {
        return false;
    }
    return !of->numbered || order_by_number(sort);
}

double *shepard_curve_sort(const struct shepard_curve_records *of, double *room)
{
    const size_t fields = of->fields - of->numbered;
    struct curve_sort sort = {.of = of,
                              .order = malloc((of->count + 1) * sizeof *sort.order),
                              .sorted = realloc(room, (of->count * fields + 1) * sizeof *room)};
    const bool good = sort.order && sort.sorted && find_order(&sort);
    if (good) {
        shepard_team_run(of->threads, gather, &sort);
    } else {
        free(sort.sorted ? sort.sorted : room);
    }
    free(sort.order);
    return good ? sort.sorted : NULL;
}
