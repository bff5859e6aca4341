/* SPDX-License-Identifier: MIT */
/* The cpu backend: OpenMP over blocks of targets, kernels chosen for the CPU. */
#include "backend/cpu/worker.h"
#include "base/fault.h"
#include "base/memory.h"
#include "base/parallel.h"

static const char *unusable(void)
{
    if (!shepard_kernels_limit_known())
        return "the environment variable SHEPARD_ISA names no instruction set of this build; unset "
               "it, or set it to scalar, baseline, avx2 or avx512 (x86-64), or neon (arm64)";
    return "";
}

static const char *isa(const struct shepard_engine *engine)
{
    return engine != NULL ? engine->kernels->isa : shepard_kernels_choose()->isa;
}

/* What the threads of one call share. */
struct call {
    struct shepard_schedule schedule;
    struct shepard_cpu_worker *workers; /* [threads] */
    int threads;
    const struct shepard_nearest_job *nearest; /* NULL: predictions */
};

static enum shepard_status predict_block(void *context, size_t block, int thread)
{
    struct call *call = context;
    struct shepard_cpu_worker *worker = &call->workers[thread];
    shepard_schedule_block(&call->schedule, block, &worker->block);
    return worker->engine->rules->search.all ? shepard_cpu_worker_predict_global(worker)
                                             : shepard_cpu_worker_predict_local(worker);
}

/* With exact sums over all points a block is one batch of them: work for every thread where targets
 * are few, and an answer to the progress callback in time. With expansions few cells should be cut
 * by the end of a block. */
static struct shepard_block_size block_size(const struct shepard_engine *engine, bool nearest)
{
    if (nearest || !engine->rules->search.all)
        return (struct shepard_block_size){16, 256};
    return engine->far == NULL ? (struct shepard_block_size){4, 16}
                               : (struct shepard_block_size){16, 1024};
}

static void close_call(struct call *call, const struct shepard_allocator *allocator)
{
    for (int i = 0; call->workers != NULL && i < call->threads; i++)
        shepard_cpu_worker_free(&call->workers[i]);
    shepard_release(allocator, call->workers);
    shepard_schedule_free(&call->schedule);
}

static enum shepard_status open_call(struct call *call, const struct shepard_engine *engine,
                                     const struct shepard_job *job)
{
    const struct shepard_allocator *allocator = engine->points->allocator;
    const struct shepard_rules *rules = engine->rules;
    enum shepard_status status = shepard_schedule_create(
        job->targets, &engine->points->frame, block_size(engine, call->nearest != NULL),
        rules->threads, allocator, &call->schedule);
    if (status != SHEPARD_OK)
        return status;
    const size_t blocks = call->schedule.blocks;
    call->threads = engine->rules->threads;
    if ((size_t)call->threads > blocks)
        call->threads = (int)blocks;
    call->workers = shepard_allocate(allocator, (size_t)call->threads, sizeof *call->workers);
    if (call->workers == NULL)
        return SHEPARD_ERROR_MEMORY;
    for (int i = 0; i < call->threads; i++)
        call->workers[i].engine = NULL;
    for (int i = 0; i < call->threads && status == SHEPARD_OK; i++)
        status = shepard_cpu_worker_create(&call->workers[i], engine, job);
    return status;
}

static void count_work(const struct call *call, const struct shepard_control *control)
{
    for (int i = 0; control != NULL && control->work != NULL && i < call->threads; i++) {
        control->work->pairs += call->workers[i].work.pairs;
        control->work->nodes += call->workers[i].work.nodes;
    }
}

static enum shepard_status run(const struct shepard_engine *engine, const struct shepard_job *job,
                               const struct shepard_nearest_job *nearest, shepard_block_fn *body,
                               struct shepard_error *error)
{
    struct call call = {.nearest = nearest};
    enum shepard_status status = open_call(&call, engine, job);
    if (status == SHEPARD_OK) {
        const struct shepard_loop loop = {.threads = call.threads,
                                          .blocks = call.schedule.blocks,
                                          .body = body,
                                          .context = &call,
                                          .control = job->control};
        status = shepard_loop_run(&loop);
        count_work(&call, job->control);
    }
    close_call(&call, engine->points->allocator);
    return status == SHEPARD_ERROR_MEMORY ? shepard_fail_memory(error, "the predictions") : status;
}

/* Moments that only some outputs need are made when they are first asked for. */
static enum shepard_status provide(const struct shepard_engine *engine,
                                   const struct shepard_job *job)
{
    enum shepard_status status = SHEPARD_OK;
    if (engine->far != NULL && job->output->effective != NULL)
        status = shepard_cpu_far_provide(engine, SHEPARD_CPU_SQUARES);
    if (status == SHEPARD_OK && engine->far != NULL && job->output->deviations != NULL)
        status = shepard_cpu_far_provide(engine, SHEPARD_CPU_SPREAD);
    return status;
}

static enum shepard_status predict(const struct shepard_engine *engine,
                                   const struct shepard_job *job, struct shepard_error *error)
{
    if (provide(engine, job) != SHEPARD_OK)
        return shepard_fail_memory(error, "the predictions");
    return run(engine, job, NULL, predict_block, error);
}

/* ---- k nearest points ------------------------------------------------------------------------ */

static void write_indices(const struct shepard_points *points, const struct shepard_hits *hits,
                          size_t count, size_t k, uint32_t *indices)
{
    for (size_t j = 0; j < count; j++)
        indices[j] = points->index[hits->rank[j]];
    for (size_t j = count; j < k; j++)
        indices[j] = SHEPARD_NONE;
}

static void write_nearest(const struct call *call, const struct shepard_cpu_worker *worker,
                          size_t i)
{
    const struct shepard_nearest_job *job = call->nearest;
    const struct shepard_points *points = worker->engine->points;
    const struct shepard_hits *hits = &worker->nearby.hits;
    const size_t count = isnan(worker->block.x[i]) ? 0 : hits->count;
    const size_t index = worker->block.index[i], row = index * job->k;
    if (job->indices != NULL)
        write_indices(points, hits, count, job->k, job->indices + row);
    if (job->distances == NULL)
        return;
    shepard_points_distances(points, job->targets, index, hits->d2, count, job->distances + row);
    for (size_t j = count; j < job->k; j++)
        job->distances[row + j] = NAN;
}

static enum shepard_status nearest_block(void *context, size_t block, int thread)
{
    struct call *call = context;
    struct shepard_cpu_worker *worker = &call->workers[thread];
    shepard_schedule_block(&call->schedule, block, &worker->block);
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < worker->block.count && status == SHEPARD_OK; i++) {
        bool enough;
        shepard_cpu_worker_prepare(worker, &worker->nearby, i);
        if (!isnan(worker->block.x[i]))
            status = shepard_neighbours_find(&worker->nearby, worker->block.x[i],
                                             worker->block.y[i], &enough);
        if (status == SHEPARD_OK)
            write_nearest(call, worker, i);
    }
    return status;
}

/* As a prediction whose rules ask for k neighbours. */
static enum shepard_status nearest(const struct shepard_engine *engine,
                                   const struct shepard_nearest_job *job,
                                   struct shepard_error *error)
{
    struct shepard_rules rules = *engine->rules;
    rules.search.all = true;
    rules.degree = 0;
    rules.adaptive = true;
    rules.adapt.k = job->k < engine->points->count ? job->k : engine->points->count;
    struct shepard_engine view = *engine;
    view.rules = &rules;
    const struct shepard_output none = {0};
    const struct shepard_job search = {job->targets, &none, job->control};
    return run(&view, &search, job, nearest_block, error);
}

const struct shepard_backend_table shepard_backend_cpu = {
    .backend = SHEPARD_BACKEND_CPU,
    .name = "cpu",
    .unusable = unusable,
    .isa = isa,
    .create = shepard_cpu_engine_create,
    .free = shepard_cpu_engine_free,
    .predict = predict,
    .nearest = nearest,
    .bytes = shepard_cpu_engine_bytes,
};
