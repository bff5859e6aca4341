/* SPDX-License-Identifier: MIT */
/* The cuda backend's table: what devices serve, and what is left to the processor. */
#include "backend/cuda/engine.cuh"
#include "backend/cuda/local.cuh"
#include "backend/cuda/predict.cuh"
#include "backend/cuda/vicinity.cuh"

extern "C" {
#include "base/memory.h"
#include "base/parallel.h"
#include "cuda/device.h"
}

#include <new>

using namespace shepard;

static const char *isa(const shepard_engine *)
{
    return "";
}

/* ---- what is left to the processor ----------------------------------------------------------- */

/* Rules for options as far as they do not depend on the points. */
static shepard_rules rules_for(const shepard_data *data, const shepard_options *options)
{
    shepard_points any = {};
    any.count = data->count;
    any.columns = data->columns;
    const double radius = std::fmax(options->neighbourhood.radius1, options->neighbourhood.radius2);
    any.frame.scale = radius > 0 ? std::ldexp(1, -std::ilogb(radius)) : 1;
    any.frame.box = {0, 1, 0, 1};
    any.frame.stretch.ratio = 1;
    return shepard_rules_of(options, &any);
}

/* "" where devices serve these options. */
static const char *reason_to_leave(const shepard_data *data, const shepard_options *options)
{
    const shepard_rules rules = rules_for(data, options);
    if (rules.adaptive && rules.adapt.k > neighbours_max)
        return "the GPU looks for at most 64 neighbours: this model is left to the processor";
    if (!rules.search.all)
        return serves_locally(rules, (int)data->columns)
                   ? ""
                   : "the GPU takes neighbourhoods of at most 64 nearest points, in a circle or "
                     "without: this one is left to the processor";
    if (rules.degree == 1)
        return "the GPU has no planes over all points: this model is left to the processor";
    if (options->smoothing > 0 && rules.eps > 0)
        return "the GPU has no smoothing in sums with a tolerance: this model is left to the "
               "processor";
    return "";
}

/* ---- taking points in ------------------------------------------------------------------------ */

static void release_holdings(void *held)
{
    delete static_cast<holdings *>(held);
}

static shepard_status take_on_host(const shepard_data *data, const shepard_options *options,
                                   shepard_points *points, shepard_error *error)
{
    holdings *const held = static_cast<holdings *>(points->elsewhere);
    const shepard_allocator *const allocator = points->allocator;
    const shepard_stretch stretch =
        shepard_stretch_of(options->anisotropy_ratio, options->anisotropy_angle);
    const shepard_status status = shepard_points_create(
        data, &stretch, shepard_threads(options->threads), allocator, points, error);
    points->elsewhere = held;
    points->release_elsewhere = release_holdings;
    return status;
}

static void take_on_devices(const shepard_data &data, const shepard_options &options,
                            holdings *held, shepard_points *points)
{
    const shepard_stretch stretch =
        shepard_stretch_of(options.anisotropy_ratio, options.anisotropy_angle);
    shepard_cuda_info cuda;
    shepard_cuda_get_info(&cuda);
    const bool all = options.device == SHEPARD_DEVICE_ALL;
    const int first = all ? 0 : options.device;
    const int end = all ? (int)cuda.devices : options.device + 1;
    for (int device = first; device < end; device++)
        held->of.push_back(std::make_unique<holding>(device, data, stretch, points, &held->timing));
}

static bool allocate_ranges(shepard_points *points)
{
    points->value_min =
        static_cast<double *>(shepard_allocate(points->allocator, points->columns, sizeof(double)));
    points->value_max =
        static_cast<double *>(shepard_allocate(points->allocator, points->columns, sizeof(double)));
    return points->value_min != nullptr && points->value_max != nullptr;
}

/* Data that devices have no memory for are the processor's. */
static shepard_status take(const shepard_data *data, const shepard_options *options,
                           shepard_points *points, shepard_error *error)
{
    holdings *const held = new (std::nothrow) holdings;
    if (held == nullptr)
        return shepard_fail_memory(error, "the model");
    points->elsewhere = held;
    points->release_elsewhere = release_holdings;
    held->notice = reason_to_leave(data, options);
    if (!held->notice.empty())
        return take_on_host(data, options, points, error);
    if (!allocate_ranges(points))
        return shepard_fail_memory(error, "the data points");
    shepard_error trouble;
    const shepard_status status =
        guard(&trouble, [&] { take_on_devices(*data, *options, held, points); });
    if (status == SHEPARD_OK)
        return points->count > 0 ? SHEPARD_OK : shepard_points_fail_empty(data, error);
    if (status != SHEPARD_ERROR_MEMORY) {
        if (error != nullptr)
            *error = trouble;
        return status;
    }
    held->of.clear();
    held->notice = "the GPU has too little memory for these points: they are left to the processor";
    shepard_release(points->allocator, points->value_min);
    shepard_release(points->allocator, points->value_max);
    points->value_min = points->value_max = nullptr;
    return take_on_host(data, options, points, error);
}

/* ---- engines --------------------------------------------------------------------------------- */

static void free_engine(shepard_engine *engine)
{
    const shepard_allocator *const allocator = engine->points->allocator;
    engine->~shepard_engine();
    shepard_release(allocator, engine);
}

static shepard_status prepare(shepard_engine *engine, shepard_error *error)
{
    holdings *const held = engine->held;
    shepard_error trouble;
    const shepard_status status = guard(&trouble, [&] {
        for (auto &one : held->of)
            one->prepare(*engine->rules, &engine->timing);
    });
    if (status == SHEPARD_OK)
        return status;
    if (status != SHEPARD_ERROR_MEMORY) {
        if (error != nullptr)
            *error = trouble;
        return status;
    }
    engine->notice = "the GPU has too little memory for this model: it is left to the processor";
    const shepard_status other =
        engine->host.provide(*held->of[0], *engine->points, engine->rules, error);
    if (other == SHEPARD_OK)
        held->of.clear();
    return other;
}

static shepard_status create(shepard_points *points, const shepard_rules *rules,
                             shepard_engine **engine, shepard_error *error)
{
    void *const room = shepard_allocate(points->allocator, 1, sizeof(shepard_engine));
    if (room == nullptr)
        return shepard_fail_memory(error, "the model");
    shepard_engine *const made = new (room) shepard_engine;
    made->points = points;
    made->rules = rules;
    made->held = static_cast<holdings *>(points->elsewhere);
    made->notice = made->held->notice;
    made->timing = made->held->timing;
    const shepard_status status =
        made->held->of.empty() ? made->host.create(points, rules, error) : prepare(made, error);
    if (status == SHEPARD_OK)
        *engine = made;
    else
        free_engine(made);
    return status;
}

static std::size_t bytes(const shepard_engine *engine)
{
    return sizeof *engine + engine->host.bytes();
}

static void tell(const shepard_engine *engine, shepard_model_info *info)
{
    for (const auto &one : engine->held->of)
        info->device_bytes += one->bytes();
    info->notice = engine->notice.c_str();
    info->timing = engine->timing;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void give_notice(const shepard_control *control, const char *text)
{
    if (control != nullptr && control->notice != nullptr)
        control->notice(text, control->user);
}

/* A model is never changed by a call but for what it makes once and keeps. */
static shepard_status provide_host(const shepard_engine *engine, shepard_error *error)
{
    if (engine->held->of.empty())
        return SHEPARD_OK;
    return const_cast<shepard_engine *>(engine)->host.provide(*engine->held->of[0], *engine->points,
                                                              engine->rules, error);
}

/* Runs a call on the devices; SHEPARD_ERROR_MEMORY: they have not the memory. */
static shepard_status run(const shepard_engine *engine, const call_view &call,
                          const shepard_control *control, shepard_error *error)
{
    bool cancelled = false;
    const shepard_status status =
        guard(error, [&] { cancelled = run_call(*engine, call, control); });
    return status == SHEPARD_OK && cancelled ? SHEPARD_ERROR_CANCELLED : status;
}

/* Distances of targets so far away that they were held nearer. */
static void mend_far(const shepard_points &points, const shepard_targets_view &targets,
                     double *distances, std::size_t k)
{
    const double far = std::ldexp(1, 239) / points.frame.scale;
    for (std::size_t i = 0; i < targets.count; i++) {
        double *const row = distances + i * k;
        std::size_t count = 0;
        while (count < k && !std::isnan(row[count]))
            count++;
        if (count == 0 || !(row[count - 1] >= far))
            continue;
        const std::vector<double> d2(count, SHEPARD_FRAME_FAR2);
        double x, y;
        shepard_targets_at(&targets, i, &x, &y);
        if (std::isfinite(x) && std::isfinite(y))
            shepard_points_distances(&points, &targets, i, d2.data(), count, row);
    }
}

static constexpr const char *short_of_memory =
    "the GPU has too little memory for this call: it is left to the processor";

static shepard_status predict(const shepard_engine *engine, const shepard_job *job,
                              shepard_error *error)
{
    if (!engine->held->of.empty()) {
        const call_view call = view_of_call(*engine, job->targets, job->output, job->control);
        const shepard_status status = run(engine, call, job->control, error);
        if (status == SHEPARD_OK && job->output->nearest != nullptr)
            mend_far(*engine->points, *job->targets, job->output->nearest, 1);
        if (status != SHEPARD_ERROR_MEMORY)
            return status;
        give_notice(job->control, short_of_memory);
    }
    const shepard_status status = provide_host(engine, error);
    return status == SHEPARD_OK ? shepard_backend_cpu.predict(engine->host.engine(), job, error)
                                : status;
}

static shepard_status nearest(const shepard_engine *engine, const shepard_nearest_job *job,
                              shepard_error *error)
{
    if (!engine->held->of.empty() && job->k <= neighbours_max) {
        const shepard_output none = {};
        call_view call = view_of_call(*engine, job->targets, &none, job->control);
        call.neighbours = job;
        const shepard_status status = run(engine, call, job->control, error);
        if (status == SHEPARD_OK && job->distances != nullptr)
            mend_far(*engine->points, *job->targets, job->distances, job->k);
        if (status != SHEPARD_ERROR_MEMORY)
            return status;
        give_notice(job->control, short_of_memory);
    } else if (!engine->held->of.empty()) {
        give_notice(job->control, "the GPU looks for at most 64 neighbours: this search is left to "
                                  "the processor");
    }
    const shepard_status status = provide_host(engine, error);
    return status == SHEPARD_OK ? shepard_backend_cpu.nearest(engine->host.engine(), job, error)
                                : status;
}

extern "C" const shepard_backend_table shepard_backend_cuda = {SHEPARD_BACKEND_CUDA,
                                                               "cuda",
                                                               shepard_device_unusable,
                                                               isa,
                                                               take,
                                                               create,
                                                               free_engine,
                                                               predict,
                                                               nearest,
                                                               bytes,
                                                               tell};
