/* SPDX-License-Identifier: MIT */
#include "core/schedule.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/hilbert.h"
#include "core/leave_out.h"
#include "core/space.h"

/* Tiles that a window of `extent` cells from `first` on touches. */
static size_t tiles(size_t tile, size_t first, size_t extent)
{
    return extent == 0 ? 0 : shepard_ceil_div(first % tile + extent, tile);
}

/* The cells of a tile along the Hilbert curve: a square's curve is that of its quarter four times,
 * the first and the last one mirrored. */
static void fill_curve(uint8_t curve[SHEPARD_TILE_MAX * SHEPARD_TILE_MAX])
{
    curve[0] = 0;
    for (size_t side = 1, count = 1; side < SHEPARD_TILE_MAX; side *= 2, count *= 4)
        for (size_t i = 0; i < count; i++) {
            const size_t column = curve[i] % SHEPARD_TILE_MAX, row = curve[i] / SHEPARD_TILE_MAX;
            curve[i] = (uint8_t)(row + SHEPARD_TILE_MAX * column);
            curve[count + i] = (uint8_t)(column + SHEPARD_TILE_MAX * (row + side));
            curve[2 * count + i] = (uint8_t)(column + side + SHEPARD_TILE_MAX * (row + side));
            curve[3 * count + i] =
                (uint8_t)(2 * side - 1 - row + SHEPARD_TILE_MAX * (side - 1 - column));
        }
}

/* How many targets of a list are served. */
static size_t served_count(const struct shepard_targets_view *targets)
{
    return targets->served != NULL ? targets->served_count : targets->count;
}

/* The number of the served target i. */
static size_t served_target(const struct shepard_targets_view *targets, size_t i)
{
    return targets->served != NULL ? targets->served[i] : i;
}

/* A list of targets on its way into an order. */
struct sorting {
    struct shepard_schedule *schedule;
    double *x, *y; /* [served_count] */
};

/* Targets placed, or numbered, per block of the loop. */
#define SORT_BLOCK 16384

/* The place to sort target i by: one that is not finite stands at the box's corner. */
static void sortable(const struct shepard_schedule *schedule, size_t i, double *x, double *y)
{
    const struct shepard_targets_view *targets = schedule->targets;
    const struct shepard_frame *frame = schedule->frame;
    double px, py, pz;
    bool found;
    if (shepard_frame_is_3d(frame)) {
        found = shepard_targets_place_3d(targets, frame, i, &px, &py, &pz);
        if (found)
            shepard_space_flatten(frame, px, py, pz, x, y);
    } else {
        found = shepard_targets_place(targets, frame, i, x, y);
    }
    if (!found) {
        *x = frame->box.x_min;
        *y = frame->box.y_min;
    }
}

static enum shepard_status place_block(void *context, size_t block, int thread)
{
    const struct sorting *sorting = context;
    const struct shepard_targets_view *targets = sorting->schedule->targets;
    const size_t end = shepard_smaller((block + 1) * SORT_BLOCK, served_count(targets));
    (void)thread;
    for (size_t i = block * SORT_BLOCK; i < end; i++)
        sortable(sorting->schedule, served_target(targets, i), &sorting->x[i], &sorting->y[i]);
    return SHEPARD_OK;
}

/* From places in the list of served targets to their numbers. */
static enum shepard_status number_block(void *context, size_t block, int thread)
{
    const struct sorting *sorting = context;
    const struct shepard_targets_view *targets = sorting->schedule->targets;
    uint32_t *const order = sorting->schedule->order;
    const size_t end = shepard_smaller((block + 1) * SORT_BLOCK, served_count(targets));
    (void)thread;
    for (size_t i = block * SORT_BLOCK; i < end; i++)
        order[i] = (uint32_t)served_target(targets, order[i]);
    return SHEPARD_OK;
}

static enum shepard_status sort_places(struct sorting *sorting, int threads)
{
    const struct shepard_schedule *schedule = sorting->schedule;
    const size_t m = served_count(schedule->targets);
    const struct shepard_box *box = &schedule->frame->box;
    const struct shepard_places places = {.count = m,
                                          .x = sorting->x,
                                          .y = sorting->y,
                                          .aligned = true,
                                          .x0 = box->x_min,
                                          .y0 = box->y_min};
    struct shepard_loop loop = {.threads = threads,
                                .blocks = shepard_ceil_div(m, SORT_BLOCK),
                                .body = place_block,
                                .context = sorting};
    shepard_loop_run(&loop);
    const enum shepard_status status =
        shepard_hilbert_order(&places, threads, schedule->allocator, schedule->order);
    if (status != SHEPARD_OK || schedule->targets->served == NULL)
        return status;
    loop.body = number_block;
    return shepard_loop_run(&loop);
}

static enum shepard_status sort_targets(struct shepard_schedule *schedule, int threads)
{
    const size_t m = served_count(schedule->targets);
    struct sorting sorting = {schedule, shepard_allocate(schedule->allocator, m, sizeof(double)),
                              shepard_allocate(schedule->allocator, m, sizeof(double))};
    schedule->order = shepard_allocate(schedule->allocator, m, sizeof *schedule->order);
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    if (sorting.x != NULL && sorting.y != NULL && schedule->order != NULL)
        status = sort_places(&sorting, threads);
    shepard_release(schedule->allocator, sorting.x);
    shepard_release(schedule->allocator, sorting.y);
    return status;
}

enum shepard_status shepard_schedule_create(const struct shepard_targets_view *targets,
                                            const struct shepard_frame *frame,
                                            struct shepard_block_size size, int threads,
                                            const struct shepard_allocator *allocator,
                                            struct shepard_schedule *schedule)
{
    *schedule = (struct shepard_schedule){.targets = targets,
                                          .frame = frame,
                                          .tile = size.tile,
                                          .run = size.run,
                                          .allocator = allocator};
    const struct shepard_window *window = &targets->window;
    if (targets->raster != NULL) {
        schedule->blocks = tiles(size.tile, window->column, window->columns) *
                           tiles(size.tile, window->row, window->rows);
        fill_curve(schedule->curve);
        return SHEPARD_OK;
    }
    schedule->blocks = shepard_ceil_div(served_count(targets), size.run);
    enum shepard_status status = size.as_given ? SHEPARD_OK : sort_targets(schedule, threads);
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
    const bool is_3d = shepard_frame_is_3d(schedule->frame);
    double x, y, z = 0;
    const bool found =
        is_3d ? shepard_targets_place_3d(schedule->targets, schedule->frame, index, &x, &y, &z)
              : shepard_targets_place(schedule->targets, schedule->frame, index, &x, &y);
    if (!found) {
        x = y = NAN;
        z = is_3d ? NAN : 0;
    }
    block->index[block->count] = index;
    block->x[block->count] = x;
    block->y[block->count] = y;
    block->z[block->count++] = z;
}

/* So many targets ahead coordinates are fetched: along the curve they are anywhere in their arrays.
 */
#define TARGETS_AHEAD 16

/* The target at place i of the schedule. */
static size_t target_at(const struct shepard_schedule *schedule, size_t i)
{
    return schedule->order != NULL ? schedule->order[i] : served_target(schedule->targets, i);
}

SHEPARD_FETCH void fetch(const struct shepard_targets_view *targets, size_t i)
{
    if (targets->points)
        shepard_leave_out_fetch(targets->leave_out, i);
    else
        shepard_targets_fetch(targets, i);
}

static void fill_list(const struct shepard_schedule *schedule, size_t block,
                      struct shepard_target_block *targets)
{
    const size_t size = schedule->run, first = block * size;
    const size_t all = served_count(schedule->targets), end = shepard_smaller(first + size, all);
    for (size_t i = first; i < end; i++) {
        if (i + TARGETS_AHEAD < all)
            fetch(schedule->targets, target_at(schedule, i + TARGETS_AHEAD));
        add_target(schedule, target_at(schedule, i), targets);
    }
}

/* The part of tile i that lies in a window's columns or rows. */
static void clip_tile(size_t tile, size_t i, size_t first, size_t extent, size_t *start,
                      size_t *end)
{
    const size_t before = first % tile;
    *start = i == 0 ? before : 0;
    *end = shepard_smaller(before + extent - i * tile, tile);
}

/* Along the curve, so that each target is next to the one before, and those of a square whose side
 * is a power of two, aligned to the raster's origin, follow on each other. */
static void fill_tile(const struct shepard_schedule *schedule, size_t block,
                      struct shepard_target_block *targets)
{
    const struct shepard_window *window = &schedule->targets->window;
    const size_t tile = schedule->tile, across = tiles(tile, window->column, window->columns);
    const size_t left = block % across * tile - window->column % tile;
    const size_t top = block / across * tile - window->row % tile;
    size_t start, end, high, low;
    clip_tile(tile, block % across, window->column, window->columns, &start, &end);
    clip_tile(tile, block / across, window->row, window->rows, &high, &low);
    for (size_t i = 0; i < SHEPARD_TILE_MAX * SHEPARD_TILE_MAX; i++) {
        const size_t column = schedule->curve[i] % SHEPARD_TILE_MAX;
        const size_t row = schedule->curve[i] / SHEPARD_TILE_MAX;
        if (column >= start && column < end && row >= high && row < low)
            add_target(schedule, (top + row) * window->columns + left + column, targets);
    }
}

void shepard_schedule_block(const struct shepard_schedule *schedule, size_t block,
                            struct shepard_target_block *targets)
{
    targets->count = 0;
    if (schedule->targets->raster == NULL)
        fill_list(schedule, block, targets);
    else
        fill_tile(schedule, block, targets);
}
