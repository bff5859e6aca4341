/* SPDX-License-Identifier: MIT */
#include "backend/cpu/nearest.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/leave_out.h"
#include "core/neighbours.h"
#include "core/repeats.h"
#include "core/schedule.h"

#include <string.h>

#define BLOCK_TILE 16
#define BLOCK_RUN 256

/* The scratch of one thread. */
struct finder {
    struct shepard_target_block block;
    struct shepard_neighbours neighbours;
};

/* What the threads of one call share. */
struct nearest_call {
    const struct shepard_geometry *points;
    const struct shepard_nearest_job *job;
    struct shepard_search search;
    struct shepard_schedule schedule;
    struct finder *finders; /* [threads] */
    int threads;
};

static void write_indices(const struct nearest_call *call, const struct shepard_hits *hits,
                          size_t count, uint32_t *indices)
{
    for (size_t j = 0; j < count; j++)
        indices[j] = call->points->index[hits->rank[j]];
    for (size_t j = count; j < call->job->k; j++)
        indices[j] = SHEPARD_NO_POINT;
}

static void write_target(const struct nearest_call *call, const struct finder *finder, size_t i)
{
    const struct shepard_nearest_job *job = call->job;
    const struct shepard_hits *hits = &finder->neighbours.hits;
    const size_t count = isnan(finder->block.x[i]) ? 0 : hits->count;
    const size_t index = finder->block.index[i], row = index * job->k;
    if (job->indices != NULL)
        write_indices(call, hits, count, job->indices + row);
    if (job->distances.data == NULL)
        return;
    /* In place: nobody asks for the squares after this. */
    double *distances = hits->d2;
    shepard_geometry_distances(call->points, job->targets, index, hits->d2, count, distances);
    /* Rounding may make the arc of a longer chord the shorter one. */
    for (size_t j = 1; j < count; j++)
        distances[j] = fmax(distances[j], distances[j - 1]);
    for (size_t j = 0; j < job->k; j++)
        shepard_output_put(job->distances, row + j, j < count ? distances[j] : NAN);
}

/* So many targets ahead the rows of the outputs are fetched, which are anywhere in memory. */
#define ROWS_AHEAD 4

SHEPARD_FETCH void fetch_rows(const struct nearest_call *call,
                              const struct shepard_target_block *block, size_t i)
{
    const struct shepard_nearest_job *job = call->job;
    const struct shepard_output_array indices = {job->indices, SHEPARD_FLOAT32,
                                                 sizeof *job->indices};
    if (i >= block->count)
        return;
    const size_t row = block->index[i] * job->k;
    shepard_output_fetch(indices, row, row + job->k);
    shepard_output_fetch(job->distances, row, row + job->k);
}

static enum shepard_status find_block(void *context, size_t number, int thread)
{
    struct nearest_call *call = context;
    struct finder *finder = &call->finders[thread];
    const struct shepard_target_block *block = &finder->block;
    shepard_schedule_block(&call->schedule, number, &finder->block);
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < block->count && status == SHEPARD_OK; i++) {
        bool enough;
        fetch_rows(call, block, i + ROWS_AHEAD);
        shepard_neighbours_prepare_block(&finder->neighbours, block, i);
        if (!isnan(block->x[i])) {
            if (call->job->targets->leave_out != NULL)
                finder->neighbours.left_out =
                    shepard_leave_out_of(call->job->targets->leave_out, block->index[i]);
            finder->neighbours.z = block->z[i];
            status =
                shepard_neighbours_find(&finder->neighbours, block->x[i], block->y[i], &enough);
        }
        if (status == SHEPARD_OK)
            write_target(call, finder, i);
    }
    return status;
}

static enum shepard_status open_call(struct nearest_call *call,
                                     const struct shepard_cpu_points *points)
{
    const struct shepard_allocator *allocator = call->points->allocator;
    const struct shepard_block_size size = {.tile = BLOCK_TILE, .run = BLOCK_RUN};
    enum shepard_status status =
        shepard_schedule_create(call->job->targets, &call->points->frame, size,
                                call->points->threads, allocator, &call->schedule);
    if (status != SHEPARD_OK)
        return status;
    const size_t threads = shepard_smaller((size_t)call->points->threads, call->schedule.blocks);
    call->finders = shepard_allocate(allocator, threads, sizeof *call->finders);
    if (call->finders == NULL)
        return SHEPARD_ERROR_MEMORY;
    while ((size_t)call->threads < threads && status == SHEPARD_OK) {
        status =
            shepard_neighbours_create(&call->finders[call->threads].neighbours, &points->store.tree,
                                      points->kernels->search, &call->search, allocator);
        call->threads += status == SHEPARD_OK;
    }
    return status;
}

static void close_call(struct nearest_call *call)
{
    for (int i = 0; i < call->threads; i++)
        shepard_neighbours_free(&call->finders[i].neighbours);
    shepard_release(call->points->allocator, call->finders);
    shepard_schedule_free(&call->schedule);
}

static enum shepard_status run(const struct shepard_prepared_points *points,
                               const struct shepard_nearest_job *job)
{
    const struct shepard_geometry *geometry = &points->geometry;
    struct nearest_call call = {
        .points = geometry,
        .job = job,
        .search = {.max_points = shepard_smaller(job->k, geometry->count),
                   .max_points_per_sector = SIZE_MAX,
                   .sectors = 1,
                   .barriers = geometry->barriers,
                   .frame_3d = shepard_frame_is_3d(&geometry->frame) ? &geometry->frame : NULL}};
    enum shepard_status status = open_call(&call, shepard_cpu_points_of(points));
    if (status == SHEPARD_OK)
        status = shepard_loop_run(&(struct shepard_loop){call.threads, call.schedule.blocks,
                                                         find_block, &call, job->control});
    close_call(&call);
    return status;
}

/* What served targets found goes to those that repeat their places. */
static void copy_repeats(const struct shepard_repeats *repeats,
                         const struct shepard_nearest_job *job)
{
    for (size_t i = 0; repeats->first != NULL && job->indices != NULL && i < repeats->targets; i++)
        if (repeats->first[i] != i)
            memcpy(job->indices + i * job->k, job->indices + repeats->first[i] * job->k,
                   job->k * sizeof *job->indices);
    shepard_repeats_copy_rows(repeats, &job->distances, job->k);
}

/* Of data points, each left out of its own search. */
static enum shepard_status run_leaving_out(const struct shepard_prepared_points *points,
                                           const struct shepard_nearest_job *job)
{
    struct shepard_leave_out leave_out;
    struct shepard_repeats repeats;
    struct shepard_targets_view targets = *job->targets;
    struct shepard_nearest_job found = *job;
    enum shepard_status status =
        shepard_leave_out_create(&targets, &points->geometry, &points->geometry, &leave_out);
    if (status != SHEPARD_OK)
        return status;
    targets.leave_out = &leave_out;
    found.targets = &targets;
    status = shepard_repeats_find(&targets, &leave_out, &repeats);
    shepard_repeats_serve(&repeats, &targets);
    if (status == SHEPARD_OK)
        status = run(points, &found);
    if (status == SHEPARD_OK)
        copy_repeats(&repeats, job);
    shepard_repeats_free(&repeats);
    shepard_leave_out_free(&leave_out);
    return status;
}

enum shepard_status shepard_cpu_nearest(const struct shepard_prepared_points *points,
                                        const struct shepard_nearest_job *job,
                                        struct shepard_error *error)
{
    const enum shepard_status status =
        job->targets->points ? run_leaving_out(points, job) : run(points, job);
    return status == SHEPARD_ERROR_MEMORY ? shepard_error_set_memory(error, "the search") : status;
}
