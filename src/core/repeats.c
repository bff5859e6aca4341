/* SPDX-License-Identifier: MIT */
#include "core/repeats.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/random.h"
#include "core/diagnostics.h"

#include <string.h>

/* Repeats are looked for where so many of so many consecutive points are at the place of the one
 * before. A few at a place cost less than the search for them. */
#define CROWD 64
#define WINDOW 256

/* Served targets by their places: linear probing, at most half full. */
struct place_table {
    const struct shepard_targets_view *targets;
    const struct shepard_leave_out *leave_out;
    uint32_t *target; /* [mask + 1]; SHEPARD_NO_POINT: free */
    size_t mask;
};

/* Where target i stands among all points; SHEPARD_NO_POINT: nowhere. */
static uint32_t rank_of(const struct place_table *table, size_t i)
{
    const uint32_t *indices = table->targets->indices;
    return table->leave_out->rank[indices != NULL ? indices[i] : i];
}

static uint64_t mixed(uint64_t bits)
{
    struct shepard_random random = {bits};
    return shepard_random_bits(&random);
}

/* A coordinate's bits; 0 and -0 are one place. */
static uint64_t bits_of(double coordinate)
{
    uint64_t bits;
    coordinate += 0.0;
    memcpy(&bits, &coordinate, sizeof bits);
    return bits;
}

static size_t slot_of(const struct place_table *table, uint32_t rank)
{
    const struct shepard_geometry *all = table->leave_out->all;
    uint64_t key = mixed(bits_of(all->x[rank])) + bits_of(all->y[rank]);
    if (all->z != NULL)
        key = mixed(key) + bits_of(all->z[rank]);
    return (size_t)mixed(key) & table->mask;
}

static bool is_same_place(const struct shepard_geometry *all, uint32_t a, uint32_t b)
{
    return all->x[a] == all->x[b] && all->y[a] == all->y[b] &&
           (all->z == NULL || all->z[a] == all->z[b]);
}

/* The first target at the place of target i, which is put into the table where it is that. */
static uint32_t first_at_place(struct place_table *table, uint32_t i)
{
    const uint32_t rank = rank_of(table, i);
    if (rank == SHEPARD_NO_POINT)
        return i;
    size_t slot = slot_of(table, rank);
    for (; table->target[slot] != SHEPARD_NO_POINT; slot = (slot + 1) & table->mask)
        if (is_same_place(table->leave_out->all, rank, rank_of(table, table->target[slot])))
            return table->target[slot];
    table->target[slot] = i;
    return i;
}

static enum shepard_status find_first(struct place_table *table, struct shepard_repeats *repeats)
{
    const size_t m = repeats->targets;
    table->mask = 1;
    while (table->mask < 2 * m)
        table->mask = 2 * table->mask + 1;
    table->target = shepard_allocate(repeats->allocator, table->mask + 1, sizeof *table->target);
    repeats->first = shepard_allocate(repeats->allocator, m, sizeof *repeats->first);
    if (table->target == NULL || repeats->first == NULL)
        return SHEPARD_ERROR_MEMORY;
    for (size_t slot = 0; slot <= table->mask; slot++)
        table->target[slot] = SHEPARD_NO_POINT;
    repeats->count = 0;
    for (size_t i = 0; i < m; i++) {
        repeats->first[i] = first_at_place(table, (uint32_t)i);
        repeats->count += repeats->first[i] == i;
    }
    return SHEPARD_OK;
}

static enum shepard_status list_served(struct shepard_repeats *repeats)
{
    size_t count = 0;
    repeats->served = shepard_allocate(repeats->allocator, repeats->count, sizeof *repeats->served);
    if (repeats->served == NULL)
        return SHEPARD_ERROR_MEMORY;
    for (size_t i = 0; i < repeats->targets; i++)
        if (repeats->first[i] == i)
            repeats->served[count++] = (uint32_t)i;
    return SHEPARD_OK;
}

/* Whether many points are at one place. Those at one stand together, or nearly so. */
static bool is_crowded(const struct shepard_geometry *all)
{
    for (size_t first = 1; first < all->count; first += WINDOW) {
        const size_t end = shepard_smaller(first + WINDOW, all->count);
        size_t same = 0;
        for (size_t i = first; i < end; i++)
            same += all->x[i] == all->x[i - 1] && all->y[i] == all->y[i - 1];
        if (same >= CROWD)
            return true;
    }
    return false;
}

enum shepard_status shepard_repeats_find(const struct shepard_targets_view *targets,
                                         const struct shepard_leave_out *leave_out,
                                         struct shepard_repeats *repeats)
{
    *repeats = (struct shepard_repeats){
        .targets = targets->count, .count = targets->count, .allocator = leave_out->allocator};
    if (!targets->points || targets->keep_coincident || targets->star_radii != NULL ||
        !is_crowded(leave_out->all))
        return SHEPARD_OK;
    struct place_table table = {.targets = targets, .leave_out = leave_out};
    enum shepard_status status = find_first(&table, repeats);
    shepard_release(repeats->allocator, table.target);
    const bool repeated = status == SHEPARD_OK && repeats->count < repeats->targets;
    if (repeated)
        status = list_served(repeats);
    if (!repeated || status != SHEPARD_OK) {
        shepard_repeats_free(repeats);
        repeats->count = repeats->targets = targets->count;
    }
    return status;
}

void shepard_repeats_free(struct shepard_repeats *repeats)
{
    shepard_release(repeats->allocator, repeats->served);
    shepard_release(repeats->allocator, repeats->first);
    *repeats = (struct shepard_repeats){0};
}

void shepard_repeats_copy_rows(const struct shepard_repeats *repeats,
                               const struct shepard_output_array *array, size_t row)
{
    char *data = array->data;
    const size_t size = (size_t)shepard_type_size(array->type);
    for (size_t i = 0; data != NULL && repeats->first != NULL && i < repeats->targets; i++)
        for (size_t j = 0; repeats->first[i] != i && j < row; j++) {
            const ptrdiff_t from = (ptrdiff_t)(repeats->first[i] * row + j);
            memcpy(data + (ptrdiff_t)(i * row + j) * array->stride, data + from * array->stride,
                   size);
        }
}

void shepard_repeats_copy(const struct shepard_repeats *repeats,
                          const struct shepard_output *output, size_t columns)
{
#define COPY(id, array, name) shepard_repeats_copy_rows(repeats, &output->array, 1);
#define COPY_COLUMN(id, arrays, name)                                                              \
    if (output->arrays != NULL)                                                                    \
        shepard_repeats_copy_rows(repeats, &output->arrays[c], 1);
    for (size_t c = 0; c < columns; c++) {
        COPY_COLUMN(VALUE, values, "value")
        SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, COPY_COLUMN)
    }
    SHEPARD_DIAGNOSTIC_LIST(COPY, SHEPARD_NO_DIAGNOSTIC)
#undef COPY_COLUMN
#undef COPY
}
