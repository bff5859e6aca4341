/* SPDX-License-Identifier: MIT */
/* The values of a batch, written in the order of its targets: one by one each would take a cache
 * line of its own. */
#include "backend/cpu/gapped.h"

#include "base/arithmetic.h"

#include <stdlib.h>

/* Where a target's values are among those of the batch. */
struct row {
    size_t index, target;
};

static int compare_rows(const void *a, const void *b)
{
    const struct row *first = a, *second = b;
    return (first->index > second->index) - (first->index < second->index);
}

/* Puts rows in order where their indices are in [least, least + SHEPARD_CPU_GAPPED_BATCH). */
static void place_rows(struct row *rows, size_t count, size_t least)
{
    size_t target[SHEPARD_CPU_GAPPED_BATCH];
    for (size_t i = 0; i < SHEPARD_CPU_GAPPED_BATCH; i++)
        target[i] = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        target[rows[i].index - least] = rows[i].target;
    for (size_t i = 0, placed = 0; placed < count; i++)
        if (target[i] != SIZE_MAX)
            rows[placed++] = (struct row){least + i, target[i]};
}

void shepard_cpu_gapped_order(struct shepard_cpu_gapped_batch *batch)
{
    struct row rows[SHEPARD_CPU_GAPPED_BATCH];
    size_t least = SIZE_MAX, most = 0;
    for (size_t t = 0; t < batch->count; t++) {
        rows[t] = (struct row){batch->target[t].index, t};
        least = shepard_smaller(least, rows[t].index);
        most = rows[t].index > most ? rows[t].index : most;
    }
    if (batch->count > 0 && most - least < SHEPARD_CPU_GAPPED_BATCH)
        place_rows(rows, batch->count, least);
    else
        qsort(rows, batch->count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < batch->count; i++) {
        batch->row[i] = batch->mean + rows[i].target * SHEPARD_COLUMNS_STEP;
        batch->index[i] = rows[i].index;
    }
}

/* Whether the numbers of these columns of a step are doubles side by side, target by target. */
static bool are_beside(const struct shepard_cpu_gapped_column *columns, size_t count)
{
    const struct shepard_output_array *first = &columns[0].values;
    bool beside = first->type == SHEPARD_FLOAT64 && first->stride != sizeof(double) &&
                  columns[count - 1].column == columns[0].column + count - 1;
    for (size_t c = 1; c < count; c++)
        beside &= columns[c].values.type == first->type &&
                  columns[c].values.stride == first->stride &&
                  columns[c].values.data == (double *)first->data + c;
    return beside;
}

/* Whether columns have the lanes from 0 on and doubles without gaps. */
static bool are_dense(const struct shepard_cpu_gapped_column *columns, size_t count)
{
    bool dense = true;
    for (size_t c = 0; c < count; c++)
        dense &= columns[c].column % SHEPARD_COLUMNS_STEP == c &&
                 columns[c].values.type == SHEPARD_FLOAT64 &&
                 columns[c].values.stride == sizeof(double);
    return dense;
}

void shepard_cpu_gapped_write(const struct shepard_cpu_gapped_worker *worker,
                              const struct shepard_cpu_gapped_column *columns, size_t count)
{
    const struct shepard_cpu_gapped_batch *batch = &worker->batch;
    const struct shepard_output_array *first = &columns[0].values;
    const size_t lane = columns[0].column % SHEPARD_COLUMNS_STEP;
    double *to[SHEPARD_COLUMNS_STEP];
    if (are_dense(columns, count)) {
        for (size_t c = 0; c < count; c++)
            to[c] = columns[c].values.data;
        worker->call->points->kernels->columns->turn(batch->row, batch->index, batch->count, to,
                                                     count);
    } else if (are_beside(columns, count)) {
        for (size_t i = 0; i < batch->count; i++)
            memcpy((char *)first->data + (ptrdiff_t)batch->index[i] * first->stride,
                   batch->row[i] + lane, count * sizeof(double));
    } else {
        for (size_t c = 0; c < count; c++)
            for (size_t i = 0; i < batch->count; i++)
                shepard_output_put(columns[c].values, batch->index[i],
                                   batch->row[i][columns[c].column % SHEPARD_COLUMNS_STEP]);
    }
}
