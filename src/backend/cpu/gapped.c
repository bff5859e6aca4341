/* SPDX-License-Identifier: MIT */
#include "backend/cpu/gapped.h"
#include "backend/cpu/output.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/hilbert_key.h"

#include <stdlib.h>

/* From so many columns on a list of targets is taken as given, block by block: what is written
 * scattered would cost more than searches that are. */
#define AS_GIVEN_COLUMNS 16

/* A group of which more than this part of the targets would be left is given up: what is kept of
 * those left takes little beside the results. */
#define LEFT_SHARE 16

static enum shepard_status collect_left(const struct shepard_cpu_gapped_call *call)
{
    struct shepard_gapped_job *job = call->job;
    size_t count = 0;
    for (int t = 0; t < call->threads; t++)
        count += call->workers[t].left_count;
    for (size_t g = 0; g < job->gapped->groups; g++)
        job->wanted[g] &= call->left[g] <= call->left_most;
    if (count == 0)
        return SHEPARD_OK;
    job->left = shepard_allocate(job->gapped->geometry->allocator, count, sizeof *job->left);
    if (job->left == NULL)
        return SHEPARD_ERROR_MEMORY;
    for (int t = 0; t < call->threads; t++) {
        const struct shepard_cpu_gapped_worker *worker = &call->workers[t];
        if (worker->left_count > 0)
            memcpy(job->left + job->left_count, worker->left,
                   worker->left_count * sizeof *job->left);
        job->left_count += worker->left_count;
    }
    return SHEPARD_OK;
}

/* ---- workers --------------------------------------------------------------------------------- */

static void free_worker(struct shepard_cpu_gapped_worker *worker)
{
    const struct shepard_allocator *allocator = worker->call->points->base.geometry.allocator;
    shepard_neighbours_free(&worker->wide);
    shepard_neighbours_free(&worker->nearby);
    shepard_neighbours_free(&worker->own);
    void *const blocks[] = {worker->left,       worker->missing, worker->beside,
                            worker->batch.rank, worker->batch.w, worker->list,
                            worker->rank,       worker->columns, worker->answerer.list};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        shepard_release(allocator, blocks[i]);
}

static enum shepard_status create_searches(struct shepard_cpu_gapped_worker *worker)
{
    const struct shepard_cpu_gapped_call *call = worker->call;
    const struct shepard_tree *tree = &call->points->store.tree;
    const struct shepard_search_kernels *kernels = call->points->kernels->search;
    const struct shepard_allocator *allocator = call->points->base.geometry.allocator;
    enum shepard_status status =
        shepard_neighbours_create(&worker->wide, tree, kernels, &call->wide, allocator);
    if (status == SHEPARD_OK &&
        (!call->at_once || call->rules->adaptive || call->rules->degree == 1))
        status =
            shepard_neighbours_create(&worker->own, tree, kernels, &call->rules->search, allocator);
    if (status == SHEPARD_OK && call->looks_near)
        status =
            shepard_neighbours_create(&worker->nearby, tree, kernels, &call->nearby, allocator);
    return status;
}

/* On failure what is held is still to be freed. */
static enum shepard_status create_worker(struct shepard_cpu_gapped_worker *worker)
{
    const struct shepard_gapped *gapped = worker->call->job->gapped;
    const struct shepard_allocator *allocator = gapped->geometry->allocator;
    worker->missing = shepard_allocate(allocator, gapped->table.words, sizeof *worker->missing);
    worker->columns = shepard_allocate(allocator, gapped->columns, sizeof *worker->columns);
    if (!worker->missing || !worker->columns)
        return SHEPARD_ERROR_MEMORY;
    return create_searches(worker);
}

/* ---- one call -------------------------------------------------------------------------------- */

/* Whether columns differ in nothing but their points. */
static bool can_average_at_once(const struct shepard_cpu_gapped_call *call)
{
    const struct shepard_gapped *gapped = call->job->gapped;
    bool differ = false;
    for (size_t c = 0; c < gapped->columns; c++)
        differ = differ || shepard_output_column(call->deviations, c).data != NULL;
    for (size_t g = 0; g < gapped->groups; g++)
        differ =
            differ || (call->job->wanted[g] && call->job->rules[g].adapt.k != call->rules->adapt.k);
    const struct shepard_search *search = &call->rules->search;
    const struct shepard_column_kernels *kernels = call->points->kernels->columns;
    return !differ && shepard_search_is_plain(search) &&
           (kernels->ratios != NULL || (!call->rules->adaptive && call->rules->degree == 0)) &&
           (shepard_search_is_nearest(search) || call->rules->degree == 0);
}

/* The columns and groups that take part. */
static void list_columns(struct shepard_cpu_gapped_call *call)
{
    const struct shepard_gapped *gapped = call->job->gapped;
    memset(call->wanted, 0, gapped->table.words * sizeof *call->wanted);
    for (size_t g = 0; g < gapped->groups; g++) {
        const struct shepard_gapped_group *group = &gapped->group[g];
        bool leads = true;
        for (size_t c = group->first; c < group->first + group->count; c++) {
            const struct shepard_output_array values = shepard_output_column(call->values, c);
            if (!call->job->wanted[g] || values.data == NULL)
                continue;
            call->wanted[c / 64] |= (uint64_t)1 << c % 64;
            call->columns[call->column_count++] =
                (struct shepard_cpu_gapped_column){c, g, leads, values};
            leads = false;
        }
    }
}

/* The caller's arrays in the order of the gapped values; NULL where there are none. */
static struct shepard_output_array *sort_columns(const struct shepard_gapped *gapped,
                                                 const struct shepard_output_array *given,
                                                 struct shepard_output_array *sorted)
{
    for (size_t c = 0; given != NULL && c < gapped->columns; c++)
        sorted[c] = given[gapped->column[c]];
    return given != NULL ? sorted : NULL;
}

/* The least share of the points that a group has, and the largest k of AIDW. */
static void set_searches(struct shepard_cpu_gapped_call *call)
{
    const struct shepard_gapped *gapped = call->job->gapped;
    size_t fewest = gapped->geometry->count, most = 1;
    for (size_t g = 0; g < gapped->groups; g++)
        if (call->job->wanted[g]) {
            call->rules = &call->job->rules[g];
            fewest = shepard_smaller(fewest, gapped->group[g].geometry.count);
            most = call->rules->adapt.k > most ? call->rules->adapt.k : most;
        }
    const double share = (double)fewest / (double)gapped->geometry->count;
    const struct shepard_search nearest = {.max_points = most,
                                           .max_points_per_sector = SIZE_MAX,
                                           .sectors = 1,
                                           .barriers = call->rules->search.barriers};
    const struct shepard_search *search = &call->rules->search;
    call->wide = shepard_search_widened(search, share);
    call->nearby = shepard_search_widened(&nearest, share);
    call->looks_near =
        call->rules->adaptive &&
        (search->frame_3d != NULL ||
         !shepard_search_begins_near(&call->wide, call->nearby.max_points_per_sector));
}

static bool allocate(struct shepard_cpu_gapped_call *call)
{
    const struct shepard_gapped *gapped = call->job->gapped;
    const struct shepard_allocator *allocator = gapped->geometry->allocator;
    call->outputs = shepard_allocate(allocator, 2 * gapped->columns, sizeof *call->outputs);
    call->wanted = shepard_allocate(allocator, gapped->table.words, sizeof *call->wanted);
    call->columns = shepard_allocate(allocator, gapped->columns, sizeof *call->columns);
    call->left = shepard_allocate(allocator, gapped->groups, sizeof *call->left);
    return call->outputs && call->wanted && call->columns && call->left;
}

static enum shepard_status create_workers(struct shepard_cpu_gapped_call *call)
{
    const struct shepard_allocator *allocator = call->job->gapped->geometry->allocator;
    const size_t threads = shepard_smaller((size_t)call->rules->threads, call->schedule.blocks);
    call->workers = shepard_allocate(allocator, threads, sizeof *call->workers);
    if (call->workers == NULL)
        return SHEPARD_ERROR_MEMORY;
    for (; call->threads < (int)threads; call->threads++)
        call->workers[call->threads] = (struct shepard_cpu_gapped_worker){.call = call};
    enum shepard_status status = SHEPARD_OK;
    for (int t = 0; t < call->threads && status == SHEPARD_OK; t++)
        status = create_worker(&call->workers[t]);
    return status;
}

/* On failure what is held is still to be closed. */
static enum shepard_status open_call(struct shepard_cpu_gapped_call *call)
{
    const struct shepard_gapped_job *job = call->job;
    const struct shepard_gapped *gapped = job->gapped;
    const struct shepard_allocator *allocator = gapped->geometry->allocator;
    if (!allocate(call))
        return SHEPARD_ERROR_MEMORY;
    call->values = sort_columns(gapped, job->output->values, call->outputs);
    call->deviations =
        sort_columns(gapped, job->output->deviations, call->outputs + gapped->columns);
    for (size_t g = 0; g < gapped->groups; g++)
        atomic_init(&call->left[g], 0);
    call->left_most = job->targets->count / LEFT_SHARE;
    set_searches(call);
    list_columns(call);
    call->at_once = can_average_at_once(call);
    call->as_given = job->targets->raster == NULL && call->column_count >= AS_GIVEN_COLUMNS;
    const struct shepard_block_size size = {
        .tile = 16, .run = SHEPARD_CPU_GAPPED_BATCH, .as_given = call->as_given};
    enum shepard_status status =
        shepard_schedule_create(job->targets, &gapped->geometry->frame, size, call->rules->threads,
                                allocator, &call->schedule);
    return status == SHEPARD_OK ? create_workers(call) : status;
}

static void close_call(struct shepard_cpu_gapped_call *call)
{
    const struct shepard_allocator *allocator = call->job->gapped->geometry->allocator;
    for (int t = 0; t < call->threads; t++)
        free_worker(&call->workers[t]);
    shepard_release(allocator, call->workers);
    shepard_schedule_free(&call->schedule);
    shepard_release(allocator, call->outputs);
    shepard_release(allocator, call->wanted);
    shepard_release(allocator, call->columns);
    shepard_release(allocator, call->left);
}

/* A target that is not finite. */
static void answer_nowhere(const struct shepard_cpu_gapped_call *call, size_t index)
{
    const struct shepard_gapped *gapped = call->job->gapped;
    for (size_t g = 0; g < gapped->groups; g++) {
        const size_t first = gapped->group[g].first;
        const struct shepard_output output = {
            .values = call->values != NULL ? call->values + first : NULL,
            .deviations = call->deviations != NULL ? call->deviations + first : NULL};
        if (call->job->wanted[g])
            shepard_cpu_output_put_unmet(&output, gapped->group[g].count, index,
                                         call->rules->nodata);
    }
}

/* A target of a list and where it lies along the curve. */
struct place {
    uint32_t key;
    size_t index;
    double x, y;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *first = a, *second = b;
    return (first->key > second->key) - (first->key < second->key);
}

static uint32_t key_of(const struct shepard_box *box, double x, double y)
{
    const double wide = fmax(box->x_max - box->x_min, box->y_max - box->y_min);
    const double scale = wide > 0 ? 65535 / wide : 0;
    const double along = shepard_clamp((x - box->x_min) * scale, 0, 65535);
    const double across = shepard_clamp((y - box->y_min) * scale, 0, 65535);
    return shepard_hilbert_key((uint32_t)along, (uint32_t)across);
}

/* Puts the targets of a block in order along the curve: neighbours take values from the same
 * points. */
static void sort_block(const struct shepard_box *box, struct shepard_target_block *block)
{
    struct place places[SHEPARD_CPU_GAPPED_BATCH];
    for (size_t i = 0; i < block->count; i++)
        places[i] = (struct place){isnan(block->x[i]) ? 0 : key_of(box, block->x[i], block->y[i]),
                                   block->index[i], block->x[i], block->y[i]};
    qsort(places, block->count, sizeof *places, compare_places);
    for (size_t i = 0; i < block->count; i++) {
        block->index[i] = places[i].index;
        block->x[i] = places[i].x;
        block->y[i] = places[i].y;
    }
}

static enum shepard_status predict_block(void *context, size_t block, int thread)
{
    const struct shepard_cpu_gapped_call *call = context;
    struct shepard_cpu_gapped_worker *worker = &call->workers[thread];
    enum shepard_status status = SHEPARD_OK;
    shepard_schedule_block(&call->schedule, block, &worker->block);
    if (call->as_given)
        sort_block(&call->points->base.geometry.frame.box, &worker->block);
    for (size_t i = 0; i < worker->block.count && status == SHEPARD_OK; i++) {
        shepard_neighbours_prepare_block(&worker->wide, &worker->block, i);
        if (call->looks_near)
            shepard_neighbours_prepare_block(&worker->nearby, &worker->block, i);
        if (isnan(worker->block.x[i]))
            answer_nowhere(call, worker->block.index[i]);
        else
            status = call->at_once ? shepard_cpu_gapped_average(worker, i)
                                   : shepard_cpu_gapped_list(worker, i);
    }
    return status == SHEPARD_OK ? shepard_cpu_gapped_finish(worker) : status;
}

enum shepard_status shepard_cpu_gapped_predict(const struct shepard_prepared_points *points,
                                               struct shepard_gapped_job *job,
                                               struct shepard_error *error)
{
    struct shepard_cpu_gapped_call call = {.job = job, .points = shepard_cpu_points_of(points)};
    enum shepard_status status = open_call(&call);
    if (status == SHEPARD_OK)
        status = shepard_loop_run(&(struct shepard_loop){.threads = call.threads,
                                                         .blocks = call.schedule.blocks,
                                                         .body = predict_block,
                                                         .context = &call,
                                                         .control = job->control});
    if (status == SHEPARD_OK)
        status = collect_left(&call);
    close_call(&call);
    return status == SHEPARD_ERROR_MEMORY ? shepard_error_set_memory(error, "the predictions")
                                          : status;
}
