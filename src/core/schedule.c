/* SPDX-License-Identifier: MIT */
#include "core/schedule.h"

#include "base/memory.h"
#include "base/number.h"
#include "core/hilbert.h"

#include <string.h>

/* Places to sort by: a target that is not finite stands at the box's corner. */
static void sortable(const struct shepard_targets_view *targets, const struct shepard_frame *frame,
                     double *x, double *y)
{
    for (size_t i = 0; i < targets->count; i++) {
        x[i] = targets->x[i];
        y[i] = targets->y[i];
        if (isfinite(x[i]) && isfinite(y[i])) {
            shepard_frame_target(frame, &x[i], &y[i]);
        } else {
            x[i] = frame->box.x_min;
            y[i] = frame->box.y_min;
        }
    }
}

static enum shepard_status sort_targets(struct shepard_schedule *schedule, int threads)
{
    const size_t m = schedule->targets->count;
    double *x = shepard_allocate(schedule->allocator, m, sizeof *x);
    double *y = shepard_allocate(schedule->allocator, m, sizeof *y);
    schedule->order = shepard_allocate(schedule->allocator, m, sizeof *schedule->order);
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    if (x != NULL && y != NULL && schedule->order != NULL) {
        sortable(schedule->targets, schedule->frame, x, y);
        const struct shepard_places places = {m, x, y};
        status = shepard_hilbert_order(&places, threads, schedule->allocator, schedule->order);
    }
    shepard_release(schedule->allocator, x);
    shepard_release(schedule->allocator, y);
    return status;
}

enum shepard_status shepard_schedule_create(const struct shepard_targets_view *targets,
                                            const struct shepard_frame *frame, int threads,
                                            const struct shepard_allocator *allocator,
                                            struct shepard_schedule *schedule)
{
    *schedule =
        (struct shepard_schedule){.targets = targets, .frame = frame, .allocator = allocator};
    if (targets->raster != NULL) {
        schedule->blocks = shepard_ceil_div(targets->window.columns, SHEPARD_TILE) *
                           shepard_ceil_div(targets->window.rows, SHEPARD_TILE);
        return SHEPARD_OK;
    }
    schedule->blocks = (targets->count + SHEPARD_BLOCK - 1) / SHEPARD_BLOCK;
    enum shepard_status status = sort_targets(schedule, threads);
    if (status != SHEPARD_OK)
        shepard_schedule_free(schedule);
    return status;
}

void shepard_schedule_free(struct shepard_schedule *schedule)
{
    shepard_release(schedule->allocator, schedule->order);
    schedule->order = NULL;
}

static void add_target(const struct shepard_schedule *schedule, size_t index,
                       struct shepard_target_block *block)
{
    double x, y;
    shepard_targets_at(schedule->targets, index, &x, &y);
    if (isfinite(x) && isfinite(y))
        shepard_frame_target(schedule->frame, &x, &y);
    else
        x = y = NAN;
    block->index[block->count] = index;
    block->x[block->count] = x;
    block->y[block->count++] = y;
}

static void fill_list(const struct shepard_schedule *schedule, size_t block,
                      struct shepard_target_block *targets)
{
    const size_t first = block * SHEPARD_BLOCK;
    const size_t end = shepard_smaller(first + SHEPARD_BLOCK, schedule->targets->count);
    for (size_t i = first; i < end; i++)
        add_target(schedule, schedule->order[i], targets);
}

/* Rows forth and back, so that each target is next to the one before. */
static void fill_tile(const struct shepard_schedule *schedule, size_t block,
                      struct shepard_target_block *targets)
{
    const struct shepard_window *window = &schedule->targets->window;
    const size_t across = shepard_ceil_div(window->columns, SHEPARD_TILE);
    const size_t left = block % across * SHEPARD_TILE, top = block / across * SHEPARD_TILE;
    const size_t right = shepard_smaller(left + SHEPARD_TILE, window->columns);
    const size_t bottom = shepard_smaller(top + SHEPARD_TILE, window->rows);
    for (size_t row = top; row < bottom; row++)
        for (size_t i = left; i < right; i++) {
            const size_t column = row % 2 == 0 ? i : left + right - 1 - i;
            add_target(schedule, row * window->columns + column, targets);
        }
}

void shepard_schedule_block(const struct shepard_schedule *schedule, size_t block,
                            struct shepard_target_block *targets)
{
    targets->count = 0;
    if (schedule->order != NULL)
        fill_list(schedule, block, targets);
    else
        fill_tile(schedule, block, targets);
}
