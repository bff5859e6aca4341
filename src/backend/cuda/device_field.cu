/* SPDX-License-Identifier: MIT */
#include "backend/cuda/device_field.cuh"

#include "backend/cuda/coarse_power.cuh"
#include "backend/cuda/use_device.cuh"

#include <cmath>

namespace shepard
{

/* Far fields that are kept at most: their rules take memory too. */
static constexpr std::size_t sets_most = 64;

/* Preparations that have been begun, and not been asked how long they took, at most. */
static constexpr std::size_t clocks_most = 64;

/* Of the tolerance of planes: more would cost more nodes than powers in double do. */
static constexpr double coarse_part = 0.1;

/* What docs/math/gpu.md counts for a GPU's logarithms and powers. */
static constexpr double single_logarithm = 300;

device_field::device_field(device_points &on, const shepard_values &values, shepard_samples *facts,
                           bool *gaps, shepard_timing *timing)
    : on_(on)
{
    const use_device here(on.device());
    stage_timer clock(true);
    stream_ = std::make_unique<stream>();
    view_ = on.view();
    store_ = std::make_unique<value_store>(view_, values, on.given_count(), facts, gaps, *stream_,
                                           clock);
    if (*gaps)
        return;
    store_->show(&view_);
    stream_->wait("taking in the values");
    clock.add_to(timing);
}

/* What has been begun reads the points, which may go next. The stream goes last: blocks are given
 * back in it. */
device_field::~device_field()
{
    const use_device_quietly here(on_.device());
    if (stream_)
        (void)cudaStreamSynchronize(stream_->get());
    sets_.clear();
    singles_.clear();
    doubles_.clear();
    store_.reset();
    clocks_.clear();
    stream_.reset();
}

/* ---- rules ----------------------------------------------------------------------------------- */

static shepard_accuracy_demand demand_of(const far_demand &of, double points, double charges,
                                         double levels)
{
    shepard_accuracy_demand demand = {};
    demand.eps = of.eps;
    demand.power = of.power;
    demand.power_max = of.power_max;
    demand.points = points;
    demand.levels = levels;
    demand.charges = charges;
    demand.smooth = demand.summed = of.smooth;
    demand.orders_max = far_orders_max;
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
static bool set_single(const far_demand &of, const shepard_accuracy_demand &demand,
                       double least_weight, shepard_accuracy *accuracy)
{
    if (!of.single || demand.power_max > SHEPARD_ACCURACY_SINGLE_POWER ||
        least_weight < SHEPARD_ACCURACY_SINGLE_WEIGHT || !shepard_mac_affords(&demand))
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

/* What coarse powers take of the tolerance of planes, errors of both kinds at once included (eps is
 * at most 0.01); 0: too much, and powers are in double. */
static double coarse_share(const shepard_accuracy_demand &demand)
{
    const double lambda = demand.power_max / 2, error = 1.02 * coarse_power_error(lambda);
    return lambda <= coarse_lambda_most && error <= coarse_part * demand.eps ? error : 0;
}

/* ---- far fields ------------------------------------------------------------------------------ */

/* The moments of a form, kept or new. */
template <class Real>
std::shared_ptr<far_field<Real>>
device_field::moments(std::list<std::shared_ptr<far_field<Real>>> &kept, charge_kind kind,
                      int orders)
{
    for (const auto &one : kept)
        if (one->kind() == kind && one->view().orders == orders)
            return one;
    auto made = std::make_shared<far_field<Real>>(view_, on_.tree(), kind, orders, stream_->get());
    kept.push_back(made);
    return made;
}

/* Under the lock. */
void device_field::make(charge_kind kind, int level, const far_demand &of, far_kind *to)
{
    const double least_weight = store_->least_weight(), n = (double)view_.n;
    shepard_accuracy_demand demand =
        demand_of(of, n, n / least_weight, (double)on_.tree().levels());
    if (kind == charge_kind::squares) {
        demand.power *= 2;
        demand.power_max *= 2;
        demand.charges = n / (least_weight * least_weight);
    }
    if (kind == charge_kind::planes) {
        demand.relative = true;
        demand.eps = shepard_plane_tolerance(of.eps, level);
        demand.orders_max = far_orders_planes;
        const double share = coarse_share(demand);
        to->coarse = share > 0;
        demand.eps -= share;
    }
    to->power = demand.power;
    to->power_max = demand.power_max;
    to->charges = std::log2(demand.charges);
    const cudaStream_t in = stream_->get();
    shepard_accuracy_demand single = in_single(demand);
    if (kind == charge_kind::values && set_single(of, single, least_weight, to->rules.host)) {
        to->single = moments(singles_, kind, to->rules.host[0].orders);
        if (to->rules.host[0].orders == far_orders_single) {
            single.local = true;
            set_rules(single, to->local.host);
            upload(&to->local, in);
        }
    } else {
        set_rules(demand, to->rules.host);
        const bool planes = kind == charge_kind::planes;
        to->precise = moments(doubles_, kind, planes ? far_orders_max : to->rules.host[0].orders);
        to->expands = planes && !of.smooth && to->rules.host[0].orders == far_orders_planes;
    }
    upload(&to->rules, in);
}

bool far_set::begin(charge_kind kind, int level)
{
    far_kind &own = kinds_[(int)kind + level];
    const std::lock_guard<std::mutex> one(making_);
    if (own.made())
        return false;
    const std::lock_guard<std::mutex> alone(of_.making_);
    far_kind fresh;
    of_.make(kind, level, demand_, &fresh);
    fresh.ready = std::make_unique<event>();
    fresh.ready->record(*of_.stream_);
    own = std::move(fresh);
    return true;
}

const far_kind &far_set::provide(charge_kind kind, int level, const stream &in)
{
    (void)begin(kind, level);
    const far_kind &own = kinds_[(int)kind + level];
    check(cudaStreamWaitEvent(in.get(), own.ready->get(), 0), "collecting moments");
    return own;
}

std::shared_ptr<far_set> device_field::take(const shepard_rules &rules)
{
    if (!rules.search.all || rules.eps == 0 ||
        (rules.degree == 1 && !shepard_plane_bears(rules.eps, store_->least_weight())))
        return nullptr;
    far_demand demand;
    demand.eps = rules.eps;
    demand.smooth = rules.smoothing2 > 0;
    demand.single = rules.precision == SHEPARD_PRECISION_SINGLE;
    shepard_rules_powers(&rules, &demand.power, &demand.power_max);
    const std::lock_guard<std::mutex> one(making_);
    auto found = sets_.begin();
    while (found != sets_.end() && !((*found)->demand() == demand))
        ++found;
    std::shared_ptr<far_set> set =
        found != sets_.end() ? *found : std::make_shared<far_set>(*this, demand);
    if (found != sets_.end())
        sets_.erase(found);
    sets_.push_back(set);
    return set;
}

void device_field::trim(std::size_t limit)
{
    const use_device_quietly here(on_.device());
    const auto unused = [](const auto &moments) { return moments.use_count() == 1; };
    const std::lock_guard<std::mutex> one(making_);
    for (auto set = sets_.begin();
         set != sets_.end() && (prepared_bytes() > limit || sets_.size() > sets_most);) {
        set = set->use_count() == 1 ? sets_.erase(set) : std::next(set);
        singles_.remove_if(unused);
        doubles_.remove_if(unused);
    }
}

void device_field::prepare(const shepard_rules &rules, const shepard_output &output)
{
    const use_device here(on_.device());
    if (!rules.search.all)
        return;
    std::list<stage_timer> clock;
    clock.emplace_back(true);
    clock.front().enter(&shepard_timing::moments, *stream_);
    bool any = on_.provide_division(rules.eps > 0, *stream_);
    if (const auto set = take(rules)) {
        const auto values = rules.degree == 1 ? charge_kind::planes : charge_kind::values;
        any = set->begin(values, 0) || any;
        if (output.deviations != nullptr)
            any = set->begin(charge_kind::spread, 0) || any;
        if (output.effective.data != nullptr)
            any = set->begin(charge_kind::squares, 0) || any;
    }
    clock.front().enter(nullptr, *stream_);
    const std::lock_guard<std::mutex> one(making_);
    if (any)
        clocks_.splice(clocks_.end(), clock);
    if (clocks_.size() > clocks_most)
        add_clocks();
}

/* Under the lock. */
void device_field::add_clocks() const
{
    stream_->wait("collecting moments");
    for (stage_timer &clock : clocks_)
        clock.add_to(&timing_);
    clocks_.clear();
}

shepard_timing device_field::timing() const
{
    const use_device here(on_.device());
    const std::lock_guard<std::mutex> one(making_);
    add_clocks();
    return timing_;
}

std::size_t device_field::prepared_bytes() const
{
    std::size_t bytes = 0;
    for (const auto &one : singles_)
        bytes += one->bytes();
    for (const auto &one : doubles_)
        bytes += one->bytes();
    return bytes;
}

std::size_t device_field::bytes() const
{
    const std::lock_guard<std::mutex> one(making_);
    return store_->bytes() + prepared_bytes();
}

/* ---- back to the host ------------------------------------------------------------------------ */

void device_field::download(double *values, double *weights) const
{
    const use_device here(on_.device());
    const std::size_t n = view_.n;
    const auto bring = [&](double *to, const double *from, std::size_t count) {
        if (to != nullptr)
            check(cudaMemcpyAsync(to, from, count * sizeof(double), cudaMemcpyDeviceToHost,
                                  stream_->get()),
                  "bringing the values back");
    };
    bring(values, view_.values, n * (std::size_t)view_.columns);
    bring(weights, view_.weights, n);
    stream_->wait("bringing the values back");
}

} // namespace shepard
