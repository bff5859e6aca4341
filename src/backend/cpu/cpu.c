/* SPDX-License-Identifier: MIT */
/* The cpu backend: OpenMP over blocks of targets, kernels chosen for the CPU. */
#include "backend/cpu/essential.h"
#include "backend/cpu/gapped.h"
#include "backend/cpu/kriging.h"
#include "backend/cpu/nearest.h"
#include "backend/cpu/worker.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/diagnostics.h"
#include "core/methods.h"
#include "core/repeats.h"

static const char *unavailable_reason(void)
{
#define NAME(isa, runs) " " #isa
    if (!shepard_kernels_limit_known())
        return "the environment variable SHEPARD_ISA names no instruction set of this build; unset "
               "it, or set it to one of:" SHEPARD_ISA_LIST(NAME);
#undef NAME
    return "";
}

static const char *isa(void)
{
    return shepard_kernels_choose()->isa;
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* What the threads of one call share. */
struct predict_call {
    struct shepard_schedule schedule;
    struct shepard_cpu_worker *workers; /* [threads] */
    int threads;
};

/* Of more columns, what is loaded first would be gone when it is written. */
#define FETCHED_COLUMNS 8

/* Loads the results of a list's block into the caches: along the curve they are anywhere in memory,
 * and a store that waits for memory holds up those after it. */
SHEPARD_FETCH void fetch_results(const struct shepard_cpu_worker *worker)
{
    const struct shepard_predict_job *job = worker->job;
    const size_t columns = shepard_smaller(worker->engine->points->columns, FETCHED_COLUMNS);
    for (size_t i = 0; job->targets->raster == NULL && i < worker->block.count; i++)
        shepard_output_fetch_target(job->output, columns, worker->block.index[i]);
}

static enum shepard_status predict_block(void *context, size_t block, int thread)
{
    struct predict_call *call = context;
    struct shepard_cpu_worker *worker = &call->workers[thread];
    shepard_schedule_block(&call->schedule, block, &worker->block);
    fetch_results(worker);
    if (!worker->engine->rules->search.all)
        return shepard_cpu_worker_predict_neighbourhood(worker);
    return worker->kriging != NULL ? shepard_cpu_kriging_predict_all_points(worker)
                                   : shepard_cpu_worker_predict_all_points(worker);
}

/* With exact sums over all points a block is one batch of them: work for every thread where targets
 * are few, and an answer to the progress callback in time. With expansions few cells should be cut
 * by the end of a block. */
static struct shepard_block_size block_size(const struct shepard_cpu_engine *engine)
{
    if (!engine->rules->search.all)
        return (struct shepard_block_size){.tile = 16, .run = 256};
    return engine->farfield == NULL ? (struct shepard_block_size){.tile = 4, .run = 16}
                                    : (struct shepard_block_size){.tile = 16, .run = 1024};
}

static enum shepard_status create_worker(struct shepard_cpu_worker *worker,
                                         const struct shepard_cpu_engine *engine,
                                         const struct shepard_predict_job *job)
{
    const enum shepard_status status = shepard_cpu_worker_create(worker, engine, job);
    if (status != SHEPARD_OK || !shepard_method_facts(engine->rules->method)->kriging)
        return status;
    worker->kriging = shepard_cpu_kriging_create(engine);
    return worker->kriging != NULL ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}

static void close_call(struct predict_call *call, const struct shepard_allocator *allocator)
{
    for (int i = 0; call->workers != NULL && i < call->threads; i++) {
        shepard_cpu_kriging_free(call->workers[i].kriging, allocator);
        shepard_cpu_worker_free(&call->workers[i]);
    }
    shepard_release(allocator, call->workers);
    shepard_schedule_free(&call->schedule);
}

static enum shepard_status open_call(struct predict_call *call,
                                     const struct shepard_cpu_engine *engine,
                                     const struct shepard_predict_job *job)
{
    const struct shepard_allocator *allocator = engine->points->allocator;
    const struct shepard_rules *rules = engine->rules;
    enum shepard_status status =
        shepard_schedule_create(job->targets, &engine->points->geometry->frame, block_size(engine),
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
    for (int i = 0; i < call->threads; i++) {
        call->workers[i].engine = NULL;
        call->workers[i].kriging = NULL;
    }
    for (int i = 0; i < call->threads && status == SHEPARD_OK; i++)
        status = create_worker(&call->workers[i], engine, job);
    return status;
}

static void count_work(const struct predict_call *call, const struct shepard_control *control)
{
    for (int i = 0; control != NULL && control->work != NULL && i < call->threads; i++) {
        control->work->pairs += call->workers[i].work.pairs;
        control->work->nodes += call->workers[i].work.nodes;
    }
}

static enum shepard_status run(const struct shepard_cpu_engine *engine,
                               const struct shepard_predict_job *job)
{
    struct predict_call call = {0};
    enum shepard_status status = open_call(&call, engine, job);
    if (status == SHEPARD_OK) {
        const struct shepard_loop loop = {.threads = call.threads,
                                          .blocks = call.schedule.blocks,
                                          .body = predict_block,
                                          .context = &call,
                                          .control = job->control};
        status = shepard_loop_run(&loop);
        count_work(&call, job->control);
    }
    close_call(&call, engine->points->allocator);
    return status;
}

/* Predicts at targets that leave points out. */
static enum shepard_status run_leaving_out(const struct shepard_cpu_engine *engine,
                                           const struct shepard_predict_job *job)
{
    struct shepard_leave_out leave_out;
    struct shepard_repeats repeats;
    struct shepard_targets_view targets = *job->targets;
    struct shepard_predict_job found = *job;
    enum shepard_status status = shepard_leave_out_create(&targets, &job->places->geometry,
                                                          engine->points->geometry, &leave_out);
    if (status != SHEPARD_OK)
        return status;
    targets.leave_out = &leave_out;
    found.targets = &targets;
    status = shepard_repeats_find(&targets, &leave_out, &repeats);
    shepard_repeats_serve(&repeats, &targets);
    if (status == SHEPARD_OK)
        status = run(engine, &found);
    if (status == SHEPARD_OK)
        shepard_repeats_copy(&repeats, job->output, engine->points->columns);
    shepard_repeats_free(&repeats);
    shepard_leave_out_free(&leave_out);
    return status;
}

/* Predicts where the job has targets. */
static enum shepard_status serve(const struct shepard_prepared_field *field,
                                 const struct shepard_predict_job *job, struct shepard_error *error)
{
    struct shepard_cpu_engine engine;
    enum shepard_status status = shepard_cpu_engine_open(shepard_cpu_field_of(field), job, &engine);
    if (status == SHEPARD_OK)
        status = shepard_cpu_engine_provide(&engine);
    if (status == SHEPARD_OK && job->targets != NULL)
        status = shepard_targets_leave_out(job->targets) ? run_leaving_out(&engine, job)
                                                         : run(&engine, job);
    shepard_cpu_engine_close(&engine);
    return shepard_kriging_fail(status, error);
}

const struct shepard_backend_table shepard_backend_cpu = {
    .backend = SHEPARD_BACKEND_CPU,
    .name = "cpu",
    .unavailable_reason = unavailable_reason,
    .isa = isa,
    .points_create = shepard_cpu_points_create,
    .points_subset = shepard_cpu_points_subset,
    .points_adopt = shepard_cpu_points_adopt,
    .points_free = shepard_cpu_points_free,
    .field_create = shepard_cpu_field_create,
    .field_free = shepard_cpu_field_free,
    .prepare = serve,
    .predict = serve,
    .predict_gapped = shepard_cpu_gapped_predict,
    .nearest = shepard_cpu_nearest,
    .points_holding = shepard_cpu_points_holding,
    .field_holding = shepard_cpu_field_holding,
    .essential = &shepard_cpu_essential,
};
