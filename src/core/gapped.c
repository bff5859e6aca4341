/* SPDX-License-Identifier: MIT */
#include "core/gapped.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/array.h"
#include "core/halving.h"
#include "core/samples.h"

#include <string.h>

/* ---- copies ---------------------------------------------------------------------------------- */

struct copying {
    struct shepard_gapped *gapped;
    const struct shepard_values *values;
};

/* Points copied, and columns measured, per block of a loop. */
#define COPY_BLOCK 256
#define MEASURE_BLOCK 8

/* Columns in whole rows of values as given. */
static size_t row_stride(const struct shepard_gapped *gapped)
{
    return shepard_ceil_div(gapped->columns, SHEPARD_COLUMNS_ROW) * SHEPARD_COLUMNS_ROW;
}

static void copy_point(const struct copying *copying, size_t i)
{
    struct shepard_gapped *gapped = copying->gapped;
    const struct shepard_values *values = copying->values;
    const size_t index = gapped->geometry->index[i];
    uint64_t *present = gapped->present + i * gapped->table.words;
    const bool usable = values->weights.data == NULL ||
                        shepard_weight_usable(shepard_array_at(&values->weights, index));
    memset(present, 0, gapped->table.words * sizeof *present);
    for (size_t c = 0; c < gapped->columns; c++) {
        const double z = shepard_array_at(&values->columns[gapped->column[c]], index);
        const bool given = usable && isfinite(z);
        gapped->rows[shepard_columns_row_place(&gapped->table, i, c)] = given ? z : NAN;
        present[c / 64] |= (uint64_t)given << c % 64;
    }
    for (size_t c = gapped->columns; c < row_stride(gapped); c++)
        gapped->rows[shepard_columns_row_place(&gapped->table, i, c)] = NAN;
    if (values->weights.data != NULL)
        gapped->weights[i] = shepard_array_at(&values->weights, index);
}

static enum shepard_status copy_block(void *context, size_t block, int thread)
{
    const struct copying *copying = context;
    const size_t first = block * COPY_BLOCK;
    const size_t end = shepard_smaller(first + COPY_BLOCK, copying->gapped->geometry->count);
    (void)thread;
    for (size_t i = first; i < end; i++)
        copy_point(copying, i);
    return SHEPARD_OK;
}

static void measure_column(struct shepard_gapped *gapped, size_t column)
{
    double low = INFINITY, high = -INFINITY, highest = 0;
    for (size_t i = 0; i < gapped->geometry->count; i++) {
        if (!shepard_columns_present(&gapped->table, i, column))
            continue;
        const double z = shepard_columns_value(&gapped->table, i, column);
        low = z < low ? z : low;
        high = z > high ? z : high;
        if (gapped->weights != NULL)
            highest = fmax(highest, gapped->weights[i]);
    }
    const struct shepard_value_unit unit = shepard_value_unit_of(low, high);
    gapped->value_min[column] = low;
    gapped->value_max[column] = high;
    gapped->highest[column] = highest;
    gapped->middle[column] = unit.middle;
    gapped->scale[column] = unit.scale;
    gapped->shift[column] = unit.middle * unit.scale;
}

/* The scaled values of a column that has been measured. Adding 0 makes 0 of -0. */
static void scale_column(const struct shepard_gapped *gapped, size_t column)
{
    for (size_t i = 0; i < gapped->geometry->count; i++) {
        const double z =
            column < gapped->columns ? shepard_columns_value(&gapped->table, i, column) : NAN;
        gapped->scaled[shepard_columns_place(&gapped->table, i, column)] =
            isnan(z) ? -0.0 : z * gapped->scale[column] - gapped->shift[column] + 0.0;
    }
    gapped->scaled[shepard_columns_place(&gapped->table, gapped->geometry->count, column)] = -0.0;
}

static enum shepard_status measure_block(void *context, size_t block, int thread)
{
    struct shepard_gapped *gapped = context;
    const size_t first = block * MEASURE_BLOCK;
    const size_t end = shepard_smaller(first + MEASURE_BLOCK, gapped->table.stride);
    (void)thread;
    for (size_t c = first; c < end; c++) {
        if (c < gapped->columns)
            measure_column(gapped, c);
        scale_column(gapped, c);
    }
    return SHEPARD_OK;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void place_columns(struct shepard_gapped *gapped, const size_t *group)
{
    size_t placed = 0;
    for (size_t g = 0; g < gapped->groups; g++) {
        gapped->group[g].first = placed;
        for (size_t c = 0; c < gapped->columns; c++)
            if (group[c] == g)
                gapped->column[placed++] = c;
        gapped->group[g].count = placed - gapped->group[g].first;
    }
}

static void measure_group(const struct shepard_gapped *gapped, struct shepard_gapped_group *group)
{
    const struct shepard_geometry *all = gapped->geometry;
    struct shepard_box box = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (!shepard_columns_present(&gapped->table, i, group->first))
            continue;
        box.x_min = fmin(box.x_min, all->x[i]);
        box.x_max = fmax(box.x_max, all->x[i]);
        box.y_min = fmin(box.y_min, all->y[i]);
        box.y_max = fmax(box.y_max, all->y[i]);
        count++;
    }
    group->geometry = *all;
    group->geometry.x = group->geometry.y = NULL;
    group->geometry.index = NULL;
    group->geometry.count = count;
    if (count < all->count)
        group->geometry.frame.box = box;
}

/* ---- creation -------------------------------------------------------------------------------- */

static bool allocate_numbers(struct shepard_gapped *gapped)
{
    double **const of[] = {&gapped->highest, &gapped->value_min, &gapped->value_max,
                           &gapped->middle,  &gapped->scale,     &gapped->shift};
    const size_t stride = gapped->table.stride;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        *of[i] = shepard_allocate(gapped->geometry->allocator, stride, sizeof(double));
        for (size_t c = 0; *of[i] != NULL && c < stride; c++)
            (*of[i])[c] = 1;
        if (*of[i] == NULL)
            return false;
    }
    return true;
}

static bool allocate(struct shepard_gapped *gapped, bool weighted)
{
    const struct shepard_allocator *allocator = gapped->geometry->allocator;
    const size_t n = gapped->geometry->count;
    gapped->column = shepard_allocate(allocator, gapped->columns, sizeof *gapped->column);
    gapped->group = shepard_allocate(allocator, gapped->groups, sizeof *gapped->group);
    gapped->rows = shepard_allocate(allocator, n + 1, row_stride(gapped) * sizeof(double));
    gapped->scaled = shepard_allocate(allocator, n + 1, gapped->table.stride * sizeof(double));
    gapped->present = shepard_allocate(allocator, n, gapped->table.words * sizeof(uint64_t));
    if (weighted)
        gapped->weights = shepard_allocate(allocator, n + 1, sizeof(double));
    return gapped->column && gapped->group && gapped->rows && gapped->scaled && gapped->present &&
           (gapped->weights || !weighted) && allocate_numbers(gapped);
}

static void complete_table(struct shepard_gapped *gapped)
{
    if (gapped->weights != NULL)
        gapped->weights[gapped->geometry->count] = 1;
    gapped->table.x = gapped->geometry->x;
    gapped->table.y = gapped->geometry->y;
    gapped->table.rows = gapped->rows;
    gapped->table.scaled = gapped->scaled;
    gapped->table.present = gapped->present;
    gapped->table.scale = gapped->scale;
    gapped->table.shift = gapped->shift;
    gapped->table.middle = gapped->middle;
    gapped->table.low = gapped->value_min;
    gapped->table.high = gapped->value_max;
    gapped->table.weights = gapped->weights;
    gapped->table.highest = gapped->highest;
    gapped->table.least_weight = SHEPARD_WEIGHT_MIN;
}

enum shepard_status shepard_gapped_create(const struct shepard_geometry *geometry,
                                          const struct shepard_values *values, const size_t *group,
                                          size_t groups, struct shepard_gapped *gapped,
                                          struct shepard_error *error)
{
    const size_t steps = shepard_ceil_div(values->column_count, SHEPARD_COLUMNS_STEP);
    *gapped =
        (struct shepard_gapped){.geometry = geometry,
                                .columns = values->column_count,
                                .groups = groups,
                                .table = {.count = geometry->count,
                                          .stride = steps * SHEPARD_COLUMNS_STEP,
                                          .words = shepard_ceil_div(values->column_count, 64)}};
    if (!allocate(gapped, values->weights.data != NULL)) {
        shepard_gapped_free(gapped);
        return shepard_error_set_memory(error, "the values");
    }
    complete_table(gapped);
    place_columns(gapped, group);
    struct copying copying = {gapped, values};
    shepard_loop_run(&(struct shepard_loop){.threads = geometry->threads,
                                            .blocks = shepard_ceil_div(geometry->count, COPY_BLOCK),
                                            .body = copy_block,
                                            .context = &copying});
    shepard_loop_run(
        &(struct shepard_loop){.threads = geometry->threads,
                               .blocks = shepard_ceil_div(gapped->table.stride, MEASURE_BLOCK),
                               .body = measure_block,
                               .context = gapped});
    for (size_t g = 0; g < groups; g++)
        measure_group(gapped, &gapped->group[g]);
    return SHEPARD_OK;
}

void shepard_gapped_free(struct shepard_gapped *gapped)
{
    const struct shepard_allocator *allocator =
        gapped->geometry != NULL ? gapped->geometry->allocator : NULL;
    void *const blocks[] = {gapped->column,    gapped->group,   gapped->rows,    gapped->scaled,
                            gapped->present,   gapped->weights, gapped->highest, gapped->value_min,
                            gapped->value_max, gapped->middle,  gapped->scale,   gapped->shift};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        shepard_release(allocator, blocks[i]);
    *gapped = (struct shepard_gapped){0};
}

/* ---- questions ------------------------------------------------------------------------------- */

/* Points at one place stand next to each other, but for fewer than a run of the order. */
static bool are_distinct(const struct shepard_geometry *geometry)
{
    const double *x = geometry->x, *y = geometry->y;
    bool distinct = true;
    for (size_t i = 0; i < geometry->count && distinct; i++) {
        const size_t end = shepard_smaller(geometry->count, i + SHEPARD_HALVING_RUN);
        for (size_t j = i + 1; j < end; j++)
            distinct = distinct && (x[i] != x[j] || y[i] != y[j]);
    }
    return distinct;
}

bool shepard_gapped_is_distinct(struct shepard_gapped *gapped)
{
    if (shepard_once_begin(&gapped->looked)) {
        gapped->distinct = are_distinct(gapped->geometry);
        (void)shepard_once_end(&gapped->looked, SHEPARD_OK);
    }
    return gapped->distinct;
}

void shepard_gapped_restore(const struct shepard_gapped *gapped, size_t column, double *values)
{
    for (size_t i = 0; i < gapped->geometry->count; i++)
        values[gapped->geometry->index[i]] = shepard_columns_value(&gapped->table, i, column);
}

void shepard_gapped_restore_weights(const struct shepard_gapped *gapped, double *weights)
{
    for (size_t i = 0; i < gapped->geometry->count; i++)
        weights[gapped->geometry->index[i]] = gapped->weights[i];
}

void shepard_gapped_keep(const struct shepard_gapped *gapped, size_t group, bool *keep)
{
    for (size_t i = 0; i < gapped->geometry->count; i++)
        keep[gapped->geometry->index[i]] =
            shepard_columns_present(&gapped->table, i, gapped->group[group].first);
}

size_t shepard_gapped_bytes(const struct shepard_gapped *gapped)
{
    const size_t n = gapped->geometry->count, stride = gapped->table.stride;
    return (n + 1) * (row_stride(gapped) + stride) * sizeof(double) +
           n * gapped->table.words * sizeof(uint64_t) +
           (gapped->weights != NULL ? (n + 1) * sizeof(double) : 0) + 6 * stride * sizeof(double) +
           gapped->columns * sizeof *gapped->column + gapped->groups * sizeof *gapped->group;
}
