/* SPDX-License-Identifier: MIT */
/* The cuda backend's table: what devices compute, and what falls back to the CPU. */
#include "backend/cuda/cpu_fallback.cuh"
#include "backend/cuda/crew.cuh"
#include "backend/cuda/host_copy.cuh"
#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/neighbourhood.cuh"
#include "backend/cuda/predict.cuh"
#include "backend/cuda/shared_upload.cuh"

extern "C" {
#include "base/call_part.h"
#include "base/memory.h"
#include "base/timing.h"
#include "cuda/device.h"
}

#include <algorithm>
#include <new>

using namespace shepard;

namespace
{

struct cuda_points : shepard_prepared_points {
    std::vector<std::unique_ptr<device_points>> devices; /* none: the CPU computes all */
    std::shared_ptr<crew> helpers = crew::common();
    fallback_points host;
    std::size_t given_count = 0; /* of the caller's coordinates */
    shepard_timing timing = {};
    const char *notice = "";

    cuda_points() : shepard_prepared_points{} {}
};

struct cuda_field : shepard_prepared_field {
    std::vector<std::unique_ptr<device_field>> devices; /* none: the CPU computes all */
    fallback_field host;
    std::size_t memory_limit = 0;
    std::size_t given_count = 0; /* of the caller's arrays */
    shepard_timing timing = {};
    const char *notice = "";

    cuda_field() : shepard_prepared_field{} {}
};

const cuda_points &own(const shepard_prepared_points *points)
{
    return *static_cast<const cuda_points *>(points);
}

const cuda_field &own(const shepard_prepared_field *field)
{
    return *static_cast<const cuda_field *>(field);
}

/* What is made once and kept; else points and fields are not changed by a call. */
fallback_points &host_of(const cuda_points &points)
{
    return const_cast<fallback_points &>(points.host);
}

fallback_field &host_of(const cuda_field &field)
{
    return const_cast<fallback_field &>(field.host);
}

template <class T> T *make(const shepard_allocator *allocator)
{
    void *const room = shepard_allocate(allocator, 1, sizeof(T));
    return room != nullptr ? new (room) T : nullptr;
}

template <class T> void destroy(const shepard_allocator *allocator, T *made)
{
    made->~T();
    shepard_release(allocator, made);
}

void give(const shepard_error &trouble, shepard_error *error)
{
    if (error != nullptr)
        *error = trouble;
}

/* ---- points ---------------------------------------------------------------------------------- */

constexpr const char *points_without_memory =
    "the GPU has too little memory for these points: the CPU computes";

void points_free(shepard_prepared_points *points)
{
    destroy(points->geometry.allocator, static_cast<cuda_points *>(points));
}

/* Points that the cpu backend has made: what is known of them, without their arrays. */
void hold_on_cpu(shepard_prepared_points *host, cuda_points *made)
{
    made->host.hold(host);
    made->geometry = host->geometry;
    made->geometry.x = made->geometry.y = made->geometry.z = nullptr;
    made->geometry.index = nullptr;
}

shepard_status points_on_cpu(const shepard_points_plan *plan, cuda_points *made,
                             shepard_error *error)
{
    shepard_prepared_points *host = nullptr;
    shepard_status made_on_cpu = SHEPARD_OK;
    const shepard_status status = guard(error, [&] {
        const host_coordinates copy(*plan->coordinates);
        shepard_points_plan own = *plan;
        own.coordinates = &copy.coordinates;
        made_on_cpu = shepard_backend_cpu.points_create(&own, &host, error);
    });
    if (status != SHEPARD_OK || made_on_cpu != SHEPARD_OK)
        return status != SHEPARD_OK ? status : made_on_cpu;
    hold_on_cpu(host, made);
    return SHEPARD_OK;
}

std::vector<int> devices_of(const shepard_points_options &options)
{
    shepard_cuda_info cuda;
    shepard_cuda_get_info(&cuda);
    const bool all = options.device == SHEPARD_DEVICE_ALL;
    const int end = all ? (int)cuda.devices : options.device + 1;
    std::vector<int> devices;
    for (int device = all ? 0 : options.device; device < end; device++)
        devices.push_back(device);
    return devices;
}

std::vector<int> devices_of(const cuda_points &points)
{
    std::vector<int> devices;
    for (const auto &one : points.devices)
        devices.push_back(one->device());
    return devices;
}

/* Makes the points of all devices at once: make(number, geometry, timing) those of one. */
template <class Make> void make_points(std::size_t devices, cuda_points *made, const Make &make)
{
    std::vector<shepard_geometry> facts(devices, made->geometry);
    std::vector<shepard_timing> timings(devices);
    made->devices.resize(devices);
    made->helpers->at_once(
        devices, [&](std::size_t i) { made->devices[i] = make(i, &facts[i], &timings[i]); });
    made->geometry = facts.front();
    for (const shepard_timing &one : timings)
        shepard_timing_add(&one, &made->timing);
}

/* Places with three coordinates, which the CPU has put in order, go to devices as they are. Where
 * these have no memory for them, the CPU computes. */
shepard_status upload_points(const std::vector<int> &devices, cuda_points *made,
                             shepard_error *error)
{
    shepard_error trouble;
    const shepard_status status = guard(&trouble, [&] {
        const auto make = [&](std::size_t i, shepard_geometry *, shepard_timing *timing) {
            return std::make_unique<device_points>(devices[i], made->host.get()->geometry,
                                                   made->given_count, timing);
        };
        make_points(devices.size(), made, make);
    });
    if (status == SHEPARD_OK)
        return status;
    made->devices.clear();
    if (status == SHEPARD_ERROR_MEMORY) {
        made->notice = points_without_memory;
        return SHEPARD_OK;
    }
    give(trouble, error);
    return status;
}

shepard_status fill_space_points(const shepard_points_plan *plan, cuda_points *made,
                                 shepard_error *error)
{
    shepard_status status = points_on_cpu(plan, made, error);
    if (status != SHEPARD_OK)
        return status;
    shepard_holding holding = {};
    shepard_backend_cpu.points_holding(made->host.get(), &holding);
    made->timing = holding.timing;
    std::vector<int> devices;
    status = guard(error, [&] { devices = devices_of(*plan->options); });
    return status == SHEPARD_OK ? upload_points(devices, made, error) : status;
}

/* Points that devices have no memory for are the CPU's. */
shepard_status fill_points(const shepard_points_plan *plan, cuda_points *made, shepard_error *error)
{
    shepard_error trouble;
    const shepard_status status = guard(&trouble, [&] {
        const std::vector<int> devices = devices_of(*plan->options);
        const shepard_coordinates &given = *plan->coordinates;
        shared_upload uploaded(devices, {given.x, given.y}, given.count, given.memory,
                               *made->helpers);
        const auto make = [&](std::size_t i, shepard_geometry *facts, shepard_timing *timing) {
            shepard_coordinates own = given;
            own.x = uploaded.array(i, 0);
            own.y = uploaded.array(i, 1);
            own.memory = uploaded.memory(i);
            return std::make_unique<device_points>(devices[i], own, plan->stretch, facts, timing);
        };
        make_points(devices.size(), made, make);
        uploaded.add_to(&made->timing);
    });
    if (status == SHEPARD_OK && made->geometry.count == 0)
        return shepard_geometry_fail_empty(plan->coordinates->count, error);
    if (status == SHEPARD_OK)
        return status;
    made->devices.clear();
    if (status == SHEPARD_ERROR_MEMORY) {
        made->notice = points_without_memory;
        return points_on_cpu(plan, made, error);
    }
    give(trouble, error);
    return status;
}

shepard_status points_create(const shepard_points_plan *plan, shepard_prepared_points **points,
                             shepard_error *error)
{
    cuda_points *const made = make<cuda_points>(plan->allocator);
    if (made == nullptr)
        return shepard_error_set_memory(error, "the points");
    made->geometry.allocator = plan->allocator;
    made->geometry.threads = plan->threads;
    made->given_count = plan->coordinates->count;
    const bool in_plane = plan->space.metric == SHEPARD_METRIC_PLANE;
    const shepard_status status =
        in_plane ? fill_points(plan, made, error) : fill_space_points(plan, made, error);
    if (status == SHEPARD_OK)
        *points = made;
    else
        points_free(made);
    return status;
}

shepard_status subset_on_cpu(const cuda_points &all, const bool *keep, cuda_points *made,
                             shepard_error *error)
{
    shepard_status status = SHEPARD_OK;
    if (!all.devices.empty())
        status = host_of(all).provide(all.devices[0].get(), all, error);
    shepard_prepared_points *host = nullptr;
    if (status == SHEPARD_OK)
        status = shepard_backend_cpu.points_subset(all.host.get(), keep, &host, error);
    if (status != SHEPARD_OK)
        return status;
    hold_on_cpu(host, made);
    return SHEPARD_OK;
}

shepard_status fill_subset(const cuda_points &all, const bool *keep, cuda_points *made,
                           shepard_error *error)
{
    shepard_error trouble;
    shepard_status status = guard(&trouble, [&] {
        for (const auto &one : all.devices)
            made->devices.push_back(std::make_unique<device_points>(*one, keep, &made->geometry));
    });
    if (!made->devices.empty() && status == SHEPARD_OK)
        return status;
    made->devices.clear();
    if (status == SHEPARD_ERROR_MEMORY)
        made->notice = points_without_memory;
    if (status == SHEPARD_OK || status == SHEPARD_ERROR_MEMORY)
        return subset_on_cpu(all, keep, made, error);
    give(trouble, error);
    return status;
}

shepard_status fill_space_subset(const cuda_points &all, const bool *keep, cuda_points *made,
                                 shepard_error *error)
{
    shepard_status status = subset_on_cpu(all, keep, made, error);
    if (status != SHEPARD_OK)
        return status;
    std::vector<int> devices;
    status = guard(error, [&] { devices = devices_of(all); });
    return status == SHEPARD_OK ? upload_points(devices, made, error) : status;
}

shepard_status points_indices(const shepard_prepared_points *points, std::uint32_t *indices,
                              shepard_error *error)
{
    const cuda_points &from = own(points);
    if (from.devices.empty()) {
        const shepard_geometry &host = from.host.get()->geometry;
        std::copy_n(host.index, host.count, indices);
        return SHEPARD_OK;
    }
    return guard(error, [&] { from.devices[0]->download(nullptr, nullptr, indices); });
}

shepard_status points_subset(const shepard_prepared_points *all, const bool *keep,
                             shepard_prepared_points **points, shepard_error *error)
{
    const cuda_points &from = own(all);
    cuda_points *const made = make<cuda_points>(all->geometry.allocator);
    if (made == nullptr)
        return shepard_error_set_memory(error, "the points");
    made->geometry = all->geometry;
    made->given_count = from.given_count;
    shepard_status status = guard(error, [&] {
        std::vector<std::uint32_t> indices(all->geometry.count);
        shepard_error trouble;
        if (points_indices(all, indices.data(), &trouble) != SHEPARD_OK)
            throw fault{trouble};
        made->geometry.count = 0;
        for (const std::uint32_t i : indices)
            made->geometry.count += keep[i];
    });
    if (status == SHEPARD_OK)
        status = shepard_frame_is_3d(&all->geometry.frame)
                     ? fill_space_subset(from, keep, made, error)
                     : fill_subset(from, keep, made, error);
    if (status == SHEPARD_OK)
        *points = made;
    else
        points_free(made);
    return status;
}

void points_holding(const shepard_prepared_points *points, shepard_holding *holding)
{
    const cuda_points &of = own(points);
    holding->bytes = sizeof of + of.host.bytes();
    for (const auto &one : of.devices)
        holding->device_bytes += one->bytes();
    holding->notice = of.notice;
    holding->timing = of.timing;
}

/* ---- fields ---------------------------------------------------------------------------------- */

void field_free(shepard_prepared_field *field)
{
    const shepard_allocator *const allocator = field->points->geometry.allocator;
    shepard_release(allocator, field->samples.value_min);
    shepard_release(allocator, field->samples.value_max);
    destroy(allocator, static_cast<cuda_field *>(field));
}

bool allocate_ranges(shepard_samples *samples)
{
    const std::size_t columns = samples->columns;
    samples->value_min =
        static_cast<double *>(shepard_allocate(samples->allocator, columns, sizeof(double)));
    samples->value_max =
        static_cast<double *>(shepard_allocate(samples->allocator, columns, sizeof(double)));
    return samples->value_min != nullptr && samples->value_max != nullptr;
}

shepard_status field_on_cpu(const cuda_points &points, const shepard_values *values,
                            cuda_field *made, bool *gaps, shepard_error *error)
{
    shepard_status status = SHEPARD_OK;
    if (!points.devices.empty())
        status = host_of(points).provide(points.devices[0].get(), points, error);
    if (status != SHEPARD_OK)
        return status;
    shepard_prepared_field *host = nullptr;
    shepard_status made_on_cpu = SHEPARD_OK;
    status = guard(error, [&] {
        const host_values copy(*values, made->given_count);
        made_on_cpu = shepard_backend_cpu.field_create(points.host.get(), &copy.values,
                                                       made->memory_limit, &host, gaps, error);
    });
    if (status == SHEPARD_OK)
        status = made_on_cpu;
    if (status == SHEPARD_OK && !*gaps)
        made->host.hold(host);
    return status;
}

/* The caller's values as each device reads them. */
class shared_values
{
  public:
    shared_values(const cuda_points &points, const shepard_values &given)
        : given_(given), uploaded_(devices_of(points), arrays_of(given), points.given_count,
                                   given.memory, *points.helpers)
    {
    }

    /* make(values) on a device, by its number. */
    template <class Make> auto make(std::size_t device, const Make &make) const
    {
        const std::size_t columns = given_.column_count;
        std::vector<shepard_array> rows;
        for (std::size_t c = 0; c < columns; c++)
            rows.push_back(uploaded_.array(device, c));
        shepard_values own = given_;
        own.columns = rows.data();
        own.weights = uploaded_.array(device, columns);
        own.memory = uploaded_.memory(device);
        return make(own);
    }
    void add_to(shepard_timing *timing) { uploaded_.add_to(timing); }

  private:
    /* The columns, then the weights. */
    static std::vector<shepard_array> arrays_of(const shepard_values &given)
    {
        std::vector<shepard_array> all(given.columns, given.columns + given.column_count);
        all.push_back(given.weights);
        return all;
    }

    const shepard_values &given_;
    shared_upload uploaded_;
};

/* Makes the values of all devices at once; *gaps: one is unusable. */
void make_values(const cuda_points &points, const shepard_values &values, cuda_field *made,
                 bool *gaps)
{
    const std::size_t count = points.devices.size(), columns = made->samples.columns;
    struct part {
        std::vector<double> low, high;
        bool gaps = false;
        shepard_timing timing = {};
    };
    std::vector<part> parts(count);
    made->devices.resize(count);
    shared_values shared(points, values);
    points.helpers->at_once(count, [&](std::size_t i) {
        part &own = parts[i];
        own.low.resize(columns);
        own.high.resize(columns);
        shepard_samples facts = made->samples;
        facts.value_min = own.low.data();
        facts.value_max = own.high.data();
        made->devices[i] = shared.make(i, [&](const shepard_values &rows) {
            return std::make_unique<device_field>(*points.devices[i], rows, &facts, &own.gaps,
                                                  &own.timing);
        });
    });
    std::copy(parts[0].low.begin(), parts[0].low.end(), made->samples.value_min);
    std::copy(parts[0].high.begin(), parts[0].high.end(), made->samples.value_max);
    *gaps = parts[0].gaps;
    for (const part &one : parts)
        shepard_timing_add(&one.timing, &made->timing);
    shared.add_to(&made->timing);
}

/* Values that devices have no memory for are the CPU's. */
shepard_status fill_field(const cuda_points &points, const shepard_values *values, cuda_field *made,
                          bool *gaps, shepard_error *error)
{
    if (points.devices.empty())
        return field_on_cpu(points, values, made, gaps, error);
    shepard_error trouble;
    const shepard_status status =
        guard(&trouble, [&] { make_values(points, *values, made, gaps); });
    if (status == SHEPARD_OK)
        return status;
    made->devices.clear();
    if (status == SHEPARD_ERROR_MEMORY) {
        made->notice = "the GPU has too little memory for these values: the CPU computes";
        return field_on_cpu(points, values, made, gaps, error);
    }
    give(trouble, error);
    return status;
}

shepard_status field_create(const shepard_prepared_points *points, const shepard_values *values,
                            std::size_t memory_limit, shepard_prepared_field **field, bool *gaps,
                            shepard_error *error)
{
    const shepard_allocator *const allocator = points->geometry.allocator;
    cuda_field *const made = make<cuda_field>(allocator);
    if (made == nullptr)
        return shepard_error_set_memory(error, "the field");
    made->points = points;
    made->memory_limit = memory_limit;
    made->given_count = own(points).given_count;
    made->samples = shepard_samples_of_places(&points->geometry);
    made->samples.columns = values->column_count;
    *gaps = false;
    const shepard_status status = allocate_ranges(&made->samples)
                                      ? fill_field(own(points), values, made, gaps, error)
                                      : shepard_error_set_memory(error, "the field");
    if (status == SHEPARD_OK && !*gaps)
        *field = made;
    else
        field_free(made);
    return status;
}

void field_holding(const shepard_prepared_field *field, shepard_holding *holding)
{
    const cuda_field &of = own(field);
    holding->bytes = sizeof of + of.samples.columns * 2 * sizeof(double) + of.host.bytes();
    holding->timing = of.timing;
    for (const auto &one : of.devices)
        holding->device_bytes += one->bytes();
    /* A device that has failed knows no times. */
    (void)guard(nullptr, [&] {
        for (const auto &one : of.devices) {
            const shepard_timing timing = one->timing();
            shepard_timing_add(&timing, &holding->timing);
        }
    });
    holding->notice = of.notice;
}

/* ---- calls ----------------------------------------------------------------------------------- */

void give_notice(const shepard_control *control, const char *text)
{
    if (control != nullptr && control->notice != nullptr)
        control->notice(text, control->user);
}

/* An address in the memory of an output; nullptr: nothing is wanted. */
const void *any_array(const shepard_output &output, std::size_t columns)
{
#define ADDRESS(id, array, name) output.array.data,
    for (const void *one : {SHEPARD_DIAGNOSTIC_LIST(ADDRESS, SHEPARD_NO_DIAGNOSTIC)})
        if (one != nullptr)
            return one;
#undef ADDRESS
#define COLUMNS(id, arrays, name) , output.arrays
    for (const shepard_output_array *kind :
         {output.values SHEPARD_DIAGNOSTIC_LIST(SHEPARD_NO_DIAGNOSTIC, COLUMNS)})
        for (std::size_t c = 0; kind != nullptr && c < columns; c++)
            if (kind[c].data != nullptr)
                return kind[c].data;
#undef COLUMNS
    return nullptr;
}

constexpr const char *short_of_memory =
    "the GPU has too little memory for this call: the CPU computes it";

bool leaves_out(const shepard_targets_view *targets)
{
    return targets != nullptr && targets->points;
}

/* One device begins what sums need while it takes in the targets, unless these are so many that
 * they are planned for by the memory that is free afterwards. */
constexpr std::size_t begun_meanwhile_most = std::size_t{1} << 22;

shepard_status try_on_devices(const cuda_field &field, const shepard_predict_job *job,
                              shepard_error *error)
{
    bool cancelled = false;
    const shepard_status status = guard(error, [&] {
        crew &helpers = *own(field.points).helpers;
        const bool meanwhile = job->targets != nullptr && field.devices.size() == 1 &&
                               job->targets->count <= begun_meanwhile_most;
        if (!meanwhile)
            helpers.at_once(field.devices.size(), [&](std::size_t i) {
                field.devices[i]->prepare(*job->rules, *job->output);
            });
        std::vector<device_call> devices;
        for (std::size_t i = 0; i < field.devices.size(); i++) {
            device_field &one = *field.devices[i];
            device_points *const places =
                leaves_out(job->targets) ? own(job->places).devices[i].get() : nullptr;
            devices.push_back({one.points(), &one, one.take(*job->rules), places, meanwhile});
        }
        if (job->targets == nullptr)
            return;
        const lent_memory from(job->targets->memory, job->targets->x.data);
        const lent_memory to(job->output->memory, any_array(*job->output, field.samples.columns));
        cancelled = run_call(devices, view_of_call(field, *job, from, to), job->control, helpers);
    });
    return status == SHEPARD_OK && cancelled ? SHEPARD_ERROR_CANCELLED : status;
}

/* Where memory is out, once more without what earlier predictions left. part: what the job is
 * watched with. */
shepard_status predict_on_devices(const cuda_field &field, const shepard_predict_job *job,
                                  shepard_call_part *part, shepard_error *error)
{
    const auto trim = [&](std::size_t limit) {
        for (const auto &one : field.devices)
            one->trim(limit);
    };
    shepard_status status = try_on_devices(field, job, error);
    if (status == SHEPARD_ERROR_MEMORY) {
        trim(0);
        shepard_call_part_again(part);
        status = try_on_devices(field, job, error);
    }
    trim(field.memory_limit / field.devices.size());
    return status;
}

/* What the CPU computes. */
shepard_status predict_on_host(const cuda_field &field, const shepard_predict_job *job,
                               shepard_error *error)
{
    const cuda_points &points = own(field.points);
    shepard_status status = SHEPARD_OK;
    if (!points.devices.empty())
        status = host_of(points).provide(points.devices[0].get(), points, error);
    if (status == SHEPARD_OK && !field.devices.empty())
        status = host_of(field).provide(field.devices[0].get(), *points.host.get(),
                                        field.memory_limit, error);
    if (status != SHEPARD_OK)
        return status;
    if (job->targets == nullptr)
        return shepard_backend_cpu.prepare(field.host.get(), job, error);
    const shepard_prepared_points *places_on_host = nullptr;
    if (shepard_targets_leave_out(job->targets)) {
        const cuda_points &places = own(job->places);
        if (!places.devices.empty())
            status = host_of(places).provide(places.devices[0].get(), places, error);
        places_on_host = places.host.get();
    }
    if (status != SHEPARD_OK)
        return status;
    const shepard_status copied = guard(error, [&] {
        const downloaded_targets targets(*job->targets);
        const host_output results(*job->output, field.samples.columns, job->targets->count);
        shepard_predict_job own_job = *job;
        own_job.targets = &targets.view;
        own_job.places = places_on_host;
        own_job.output = &results.output();
        status = shepard_backend_cpu.predict(field.host.get(), &own_job, error);
        if (status == SHEPARD_OK)
            results.give_back();
    });
    return copied == SHEPARD_OK ? status : copied;
}

shepard_status predict(const shepard_prepared_field *field, const shepard_predict_job *asked,
                       shepard_error *error)
{
    const cuda_field &of = own(field);
    shepard_call_part part;
    shepard_predict_job watched = *asked;
    watched.control = shepard_call_part_begin(&part, asked->control, 0, 1);
    const shepard_predict_job *const job = &watched;
    const shepard_geometry &geometry = field->points->geometry;
    const char *refusal =
        shepard_cuda_refusal(job->parameters, geometry.frame.space.metric, geometry.count);
    if (*refusal == '\0' && leaves_out(job->targets))
        refusal = shepard_cuda_refusal_to_leave_out(job->parameters, job->targets->keep_coincident);
    if (*refusal == '\0' && job->targets != nullptr && job->targets->star_radii != nullptr)
        refusal = shepard_cuda_refusal_of_stars();
    if (*refusal == '\0')
        refusal = shepard_cuda_refusal_of_output(job->parameters, job->output);
    if (!of.devices.empty() && *refusal == '\0') {
        shepard_error trouble;
        const shepard_status status = predict_on_devices(of, job, &part, &trouble);
        if (status != SHEPARD_OK && status != SHEPARD_ERROR_MEMORY)
            give(trouble, error);
        if (status != SHEPARD_ERROR_MEMORY)
            return status;
        give_notice(job->control, short_of_memory);
        shepard_call_part_again(&part);
    } else if (!of.devices.empty()) {
        give_notice(job->control, refusal);
    }
    return predict_on_host(of, job, error);
}

shepard_status nearest_on_host(const cuda_points &points, const shepard_nearest_job *job,
                               shepard_error *error)
{
    shepard_status status = SHEPARD_OK;
    if (!points.devices.empty())
        status = host_of(points).provide(points.devices[0].get(), points, error);
    if (status != SHEPARD_OK)
        return status;
    const shepard_status copied = guard(error, [&] {
        const host_found found(*job);
        status = shepard_backend_cpu.nearest(points.host.get(), &found.job(), error);
        if (status == SHEPARD_OK)
            found.give_back();
    });
    return copied == SHEPARD_OK ? status : copied;
}

shepard_status nearest_on_devices(const cuda_points &points, const shepard_nearest_job *job,
                                  shepard_error *error)
{
    bool cancelled = false;
    const shepard_status status = guard(error, [&] {
        std::vector<device_call> devices;
        for (const auto &one : points.devices)
            devices.push_back({*one, nullptr, nullptr, one.get()});
        const void *const any =
            job->indices != nullptr ? job->indices : static_cast<void *>(job->distances.data);
        const lent_memory from(job->targets->memory, job->targets->x.data);
        const lent_memory to(job->memory, any);
        cancelled =
            run_call(devices, view_of_call(points, *job, from, to), job->control, *points.helpers);
    });
    return status == SHEPARD_OK && cancelled ? SHEPARD_ERROR_CANCELLED : status;
}

shepard_status nearest(const shepard_prepared_points *points, const shepard_nearest_job *asked,
                       shepard_error *error)
{
    const cuda_points &of = own(points);
    shepard_call_part part;
    shepard_nearest_job watched = *asked;
    watched.control = shepard_call_part_begin(&part, asked->control, 0, 1);
    const shepard_nearest_job *const job = &watched;
    if (!of.devices.empty() && job->k <= neighbours_max) {
        shepard_error trouble;
        const shepard_status status = nearest_on_devices(of, job, &trouble);
        if (status != SHEPARD_OK && status != SHEPARD_ERROR_MEMORY)
            give(trouble, error);
        if (status != SHEPARD_ERROR_MEMORY)
            return status;
        give_notice(job->control, short_of_memory);
        shepard_call_part_again(&part);
    } else if (!of.devices.empty()) {
        give_notice(job->control,
                    "the GPU finds at most 256 neighbours: the CPU computes this search");
    }
    return nearest_on_host(of, job, error);
}

/* ---- arrays of devices ------------------------------------------------------------------------
 */

shepard_status check_array(const shepard_array *array, std::size_t count, const char *argument,
                           shepard_error *error)
{
    const char *const first = static_cast<const char *>(array->data);
    const char *const last = first + (std::ptrdiff_t)(count - 1) * array->stride;
    bool inside = false;
    const shepard_status status =
        guard(error, [&] { inside = is_of_device(first) && is_of_device(last); });
    if (status != SHEPARD_OK || inside)
        return status;
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, argument,
        "%s: %zu elements from %p on do not lie in the memory of a CUDA device: "
        "give arrays of cudaMalloc, or say SHEPARD_MEMORY_HOST",
        argument, count, array->data);
}

shepard_status check_stream(const shepard_memory *memory, const void *array, const char *argument,
                            shepard_error *error)
{
    shepard_error trouble;
    const shepard_status status = guard(&trouble, [&] { const lent_memory lent(*memory, array); });
    if (status == SHEPARD_OK)
        return status;
    return shepard_error_set(error, status, argument, "%s: %s", argument, trouble.message);
}

shepard_status find_in_array(const shepard_array *array, const shepard_array *beside,
                             std::size_t count, const double bounds[2],
                             const shepard_memory *memory, std::size_t *first, shepard_error *error)
{
    return guard(error, [&] {
        *first = find_between(*array, beside != nullptr ? *beside : shepard_array{}, count,
                              bounds[0], bounds[1], *memory);
    });
}

shepard_status download_array(const shepard_array *array, std::size_t count,
                              const shepard_memory *memory, double *to, shepard_error *error)
{
    return guard(error, [&] {
        const std::vector<double> numbers = bring_to_host(*array, count, *memory);
        std::copy(numbers.begin(), numbers.end(), to);
    });
}

const shepard_device_arrays arrays = {check_stream, check_array, find_in_array, download_array};

const char *isa()
{
    return "";
}

} // namespace

extern "C" const shepard_backend_table shepard_backend_cuda = {SHEPARD_BACKEND_CUDA,
                                                               "cuda",
                                                               shepard_device_unusable,
                                                               isa,
                                                               shepard_cuda_refusal,
                                                               points_create,
                                                               points_subset,
                                                               nullptr,
                                                               points_indices,
                                                               points_free,
                                                               field_create,
                                                               field_free,
                                                               predict,
                                                               predict,
                                                               nullptr, /* gap sets: one by one */
                                                               nearest,
                                                               points_holding,
                                                               field_holding,
                                                               &arrays,
                                                               nullptr};
