/* SPDX-License-Identifier: MIT */
#include "backend/cuda/engine.cuh"

#include "backend/cuda/total.cuh"

extern "C" {
#include "base/memory.h"
}

#include <algorithm>
#include <atomic>
#include <cstring>

namespace shepard
{

/* The part of device memory that is kept for the next call: asking the driver for 10 GiB takes as
 * long as 10^7 sums. */
static constexpr std::size_t kept_part = 4;

/* Parts of a range of powers: with more, judging nodes costs more than shorter lists gain. */
static constexpr int range_parts = 4;

/* What docs/math.md, section 12 counts for a GPU's logarithms and powers. */
static constexpr double single_logarithm = 300;

/* Asking how much memory there is takes long: once for each device. */
static void keep_memory(int device)
{
    constexpr int devices_most = 64;
    static std::atomic<bool> asked[devices_most];
    if (device < devices_most && asked[device])
        return;
    cudaMemPool_t pool;
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "asking for device memory");
    std::uint64_t kept = all / kept_part;
    check(cudaDeviceGetDefaultMemPool(&pool, device), "asking for device memory");
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
          "asking for device memory");
    if (device < devices_most)
        asked[device] = true;
}

holding::holding(int device, const shepard_data &data, const shepard_stretch &stretch,
                 shepard_points *facts, shepard_timing *timing)
    : device_(device)
{
    const use_device here(device);
    keep_memory(device);
    stage_clock clock(true);
    stream_ = std::make_unique<stream>();
    cloud_ = std::make_unique<cloud>(data, stretch, facts, *stream_, clock);
    if (facts->count == 0)
        return;
    cloud_->show(&view_);
    clock.enter(&shepard_timing::tree, *stream_);
    boxes_ = std::make_unique<boxes>(view_, stream_->get());
    boxes_->fill(view_);
    clock.enter(nullptr, *stream_);
    stream_->wait("building the tree");
    clock.add_to(timing);
}

/* The stream goes last: blocks are given back in it. */
holding::~holding()
{
    int before = 0;
    (void)cudaGetDevice(&before);
    (void)cudaSetDevice(device_);
    for (far_kind &kind : kinds_)
        kind = far_kind();
    tree_.reset();
    cells_ = cells();
    boxes_.reset();
    cloud_.reset();
    stream_.reset();
    (void)cudaSetDevice(before);
}

/* ---- kinds of sums --------------------------------------------------------------------------- */

static shepard_accuracy_demand demand_of(const shepard_rules &rules, double points, double charges,
                                         double levels)
{
    shepard_accuracy_demand demand = {};
    demand.eps = rules.eps;
    shepard_rules_powers(&rules, &demand.power, &demand.power_max);
    demand.points = points;
    demand.levels = levels;
    demand.charges = charges;
    demand.orders_max = far_orders_max;
    demand.parts = range_parts;
    return demand;
}

static void set_rules(const shepard_accuracy_demand &all, shepard_accuracy *accuracy)
{
    shepard_accuracy_demand demand = all;
    const double low = all.power, high = all.power_max;
    const double edge[power_ranges][2] = {{low, low}, {low, high}, {high, high}};
    for (int range = 0; range < power_ranges; range++) {
        demand.power = edge[range][0];
        demand.power_max = edge[range][1];
        shepard_accuracy_set(&demand, &accuracy[range]);
    }
}

static bool rounds(const shepard_accuracy *accuracy)
{
    bool any = false;
    for (int range = 0; range < power_ranges; range++)
        any = any || shepard_accuracy_rounds(&accuracy[range]);
    return any;
}

static shepard_accuracy_demand in_single(const shepard_accuracy_demand &all)
{
    shepard_accuracy_demand demand = all;
    demand.single = demand.single_nodes = demand.single_moments = true;
    demand.logarithm = single_logarithm;
    demand.orders_max = far_orders_single;
    return demand;
}

/* Rules in float32, if that leaves room for the dropped degrees. */
static bool set_single(const shepard_rules &rules, const shepard_accuracy_demand &demand,
                       double least_weight, shepard_accuracy *accuracy)
{
    if (rules.precision != SHEPARD_SINGLE || demand.power_max > SHEPARD_ACCURACY_SINGLE_POWER ||
        least_weight < SHEPARD_ACCURACY_SINGLE_WEIGHT || !shepard_accuracy_affords(&demand))
        return false;
    set_rules(demand, accuracy);
    return !rounds(accuracy);
}

static void upload(rule_set *rules, cudaStream_t in)
{
    rules->device = block<shepard_accuracy>(power_ranges, in);
    check(cudaMemcpyAsync(rules->device.get(), rules->host, sizeof rules->host,
                          cudaMemcpyHostToDevice, in),
          "uploading the rules");
}

void holding::make(charge_kind kind, const shepard_rules &rules, far_kind *to)
{
    const double least_weight = cloud_->least_weight();
    shepard_accuracy_demand demand =
        demand_of(rules, (double)view_.n, (double)view_.n / least_weight, (double)tree_->levels());
    if (kind == charge_kind::squares) {
        demand.power *= 2;
        demand.power_max *= 2;
        demand.charges = (double)view_.n / (least_weight * least_weight);
    }
    to->power = demand.power;
    to->power_max = demand.power_max;
    const cudaStream_t in = stream_->get();
    shepard_accuracy_demand single = in_single(demand);
    if (kind == charge_kind::values && set_single(rules, single, least_weight, to->rules.host)) {
        to->single =
            std::make_unique<far_field<float>>(view_, *tree_, kind, to->rules.host[0].orders, in);
        if (to->rules.host[0].orders == far_orders_single) {
            single.local = true;
            set_rules(single, to->local.host);
            upload(&to->local, in);
        }
    } else {
        set_rules(demand, to->rules.host);
        to->precise =
            std::make_unique<far_field<double>>(view_, *tree_, kind, to->rules.host[0].orders, in);
    }
    upload(&to->rules, in);
}

const far_kind &holding::provide(charge_kind kind, const shepard_rules &rules)
{
    far_kind &own = kinds_[(int)kind];
    if (rules.eps == 0)
        return own;
    const std::lock_guard<std::mutex> one(making_);
    if (!own.made()) {
        far_kind made;
        make(kind, rules, &made);
        stream_->wait("collecting moments");
        own = std::move(made);
    }
    return own;
}

void holding::prepare(const shepard_rules &rules, shepard_timing *timing)
{
    const use_device here(device_);
    stage_clock clock(true);
    if (!rules.search.all)
        return;
    clock.enter(&shepard_timing::moments, *stream_);
    cells_ = cells(view_, stream_->get());
    if (rules.eps > 0)
        tree_ = std::make_unique<cell_tree>(view_.key, view_.n, *stream_);
    (void)provide(charge_kind::values, rules);
    clock.enter(nullptr, *stream_);
    stream_->wait("collecting moments");
    clock.add_to(timing);
}

std::size_t holding::bytes() const
{
    std::size_t bytes = cells_.bytes() + (cloud_ ? cloud_->bytes() : 0) +
                        (boxes_ ? boxes_->bytes() : 0) + (tree_ ? tree_->bytes() : 0);
    for (const far_kind &kind : kinds_)
        bytes += kind.bytes();
    return bytes;
}

/* ---- back to the host ------------------------------------------------------------------------ */

template <class T> static void bring(T *to, const T *from, std::size_t count, cudaStream_t stream)
{
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream),
          "bringing the data points back");
}

/* What download leaves to the caller where memory is out, he frees. */
static void allocate_points(shepard_points *points, bool weighted)
{
    const std::size_t n = points->count, columns = points->columns;
    const shepard_allocator *allocator = points->allocator;
    const auto room = [&](std::size_t count) {
        void *block = shepard_allocate(allocator, count, sizeof(double));
        if (block == nullptr)
            fail(SHEPARD_ERROR_MEMORY, "out of memory for the data points");
        return static_cast<double *>(block);
    };
    points->x = room(shepard_points_room(n));
    points->y = room(shepard_points_room(n));
    points->value_min = room(columns);
    points->value_max = room(columns);
    points->index = reinterpret_cast<std::uint32_t *>(room((n + 1) / 2));
    points->values = reinterpret_cast<double **>(room(columns));
    std::memset(points->values, 0, columns * sizeof(double *));
    for (std::size_t c = 0; c < columns; c++)
        points->values[c] = room(n);
    if (weighted)
        points->weights = room(n);
}

void holding::download(const shepard_points &facts, shepard_points *points) const
{
    const use_device here(device_);
    const cudaStream_t in = stream_->get();
    const std::size_t n = facts.count;
    *points = facts;
    points->x = points->y = points->weights = nullptr;
    points->values = nullptr;
    points->index = nullptr;
    points->value_min = points->value_max = nullptr;
    points->elsewhere = nullptr;
    allocate_points(points, view_.weights != nullptr);
    std::memcpy(points->value_min, facts.value_min, facts.columns * sizeof(double));
    std::memcpy(points->value_max, facts.value_max, facts.columns * sizeof(double));
    bring(points->x, view_.x, n, in);
    bring(points->y, view_.y, n, in);
    for (std::size_t c = 0; c < facts.columns; c++)
        bring(points->values[c], view_.values + c * n, n, in);
    if (view_.weights != nullptr)
        bring(points->weights, view_.weights, n, in);
    bring(points->index, view_.index, n, in);
    stream_->wait("bringing the data points back");
}

} // namespace shepard
