/* SPDX-License-Identifier: MIT */
#include "backend/cuda/chunk.cuh"

#include "backend/cuda/finalize.cuh"
#include "backend/cuda/kriging.cuh"
#include "backend/cuda/neighbour_lists.cuh"
#include "backend/cuda/neighbourhood.cuh"
#include "backend/cuda/plane_fit.cuh"

#include <algorithm>
#include <cmath>

namespace shepard
{

static bool any_of(const shepard_output_array *columns, std::size_t count)
{
    bool any = false;
    for (std::size_t c = 0; columns != nullptr && c < count; c++)
        any = any || columns[c].data != nullptr;
    return any;
}

std::size_t call_view::list_places() const
{
    const bool in_space = shepard_frame_is_3d(&facts->frame);
    if (neighbours != nullptr || all_points())
        return 0;
    const bool listed = keeps_lists(*rules, in_space);
    const bool for_powers = in_space && rules->adaptive && (listed || has_no_limit(rules->search));
    return (listed ? shepard::list_places(rules->search, facts->count) : 0) +
           (for_powers ? std::min(rules->adapt.k, facts->count) : 0);
}

call_view view_of_call(const shepard_prepared_field &field, const shepard_predict_job &job,
                       const lent_memory &from, const lent_memory &to)
{
    const std::size_t columns = field.samples.columns;
    const shepard_output &output = *job.output;
    return {job.targets,
            &from,
            &to,
            &output,
            nullptr,
            &field.points->geometry,
            columns,
            job.rules,
            job.control != nullptr && job.control->work != nullptr,
            any_of(output.values, columns),
            any_of(output.deviations, columns),
            output.effective.data != nullptr};
}

call_view view_of_call(const shepard_prepared_points &points, const shepard_nearest_job &job,
                       const lent_memory &from, const lent_memory &to)
{
    return {job.targets, &from,   &to,   nullptr, &job,  &points.geometry,
            0,           nullptr, false, false,   false, false};
}

std::size_t bytes_of_target(const call_view &call)
{
    const std::size_t columns = call.columns;
    const bool in_space = shepard_frame_is_3d(&call.facts->frame);
    std::size_t bytes = (in_space ? 16 : 0) + 16 + 24 + 24 + 32 + 32 + 8 + 8 * call.distances();
    bytes += (call.targets->points ? 3 : 0) * sizeof(std::uint32_t);
    if (call.neighbours != nullptr)
        return bytes + call.neighbours->k * (sizeof(double) + sizeof(std::uint32_t));
    bytes += 8 * columns * (call.values + call.deviations + call.sums() + call.deviations);
    bytes += call.list_places() * (sizeof(double) + sizeof(std::uint32_t));
    if (call.all_points() && call.rules->degree == 1)
        bytes += sizeof(double) + plane_fit_bytes(columns);
    return bytes + 168;
}

namespace
{

/* ---- results --------------------------------------------------------------------------------- */

/* A chunk's results on the device. */
struct chunk_results {
    block<double> values;
#define BLOCK(id, array, name) block<double> array;
    SHEPARD_DIAGNOSTIC_LIST(BLOCK, BLOCK)
#undef BLOCK
    outputs view;

    chunk_results(const call_view &call, std::size_t m, cudaStream_t in)
    {
        const std::size_t columns = call.columns;
        const shepard_output &wanted = *call.output;
        const auto room = [&](bool needed, std::size_t size) {
            return needed ? block<double>(size, in) : block<double>();
        };
#define ROOM(id, array, name) array = room(wanted.array.data != nullptr, m);
#define COLUMNS(id, arrays, name) arrays = room(any_of(wanted.arrays, columns), m * columns);
        COLUMNS(VALUE, values, "value")
        SHEPARD_DIAGNOSTIC_LIST(ROOM, COLUMNS)
#undef COLUMNS
#undef ROOM
#define GET(id, array, name) array.get(),
        view = {(std::uint32_t)m, values.get(), SHEPARD_DIAGNOSTIC_LIST(GET, GET)};
#undef GET
    }
};

void deliver_all(const call_view &call, const chunk_results &made, std::size_t first,
                 const stream &in)
{
    const shepard_output &to = *call.output;
    const std::size_t m = made.view.m;
#define DELIVER(id, array, name) deliver(to.array, first, made.array.get(), m, *call.to, in);
#define COLUMNS(id, arrays, name)                                                                  \
    for (std::size_t c = 0; to.arrays != nullptr && c < call.columns; c++)                         \
        deliver(to.arrays[c], first, made.arrays.get() + c * m, m, *call.to, in);
    COLUMNS(VALUE, values, "value")
    SHEPARD_DIAGNOSTIC_LIST(DELIVER, COLUMNS)
#undef COLUMNS
#undef DELIVER
}

/* ---- sums over all points -------------------------------------------------------------------- */

/* Sums of each kind, for all columns, in the plane. */
class plane_sums
{
  public:
    using job_type = pairs_job<points_view, target_view>;

    plane_sums(const device_call &on, const call_view &call, const targets &chosen,
               all_points_work *work, chunk_lane &lane)
        : on_(on), lane_(lane), in_(lane.in),
          cut_(on.division(), on.view(), on.along(), chosen, raster_length(on, call),
               on.far == nullptr, in_.get())
    {
        const shepard_rules &rules = *call.rules;
        job_.along = on.along();
        job_.key = chosen.key();
        job_.items = cut_.view();
        job_.nearest = rules.adaptive ? (double)rules.adapt.k : 1;
        job_.rule = power_rule_of(rules);
        job_.mean_reach = shepard_adapt_expect_mean(1, 1, rules.adaptive ? rules.adapt.k : 1);
        job_.work = work;
    }

    void sum(const job_type &pairs, charge_kind kind) const
    {
        sum_by(pairs, {}, on_.provide(kind, 0, in_));
    }

    /* Planes instead: from the least exact sums on, for targets that these are not good enough for
     * more exact ones. */
    void fit(const job_type &pairs, const plane_answers &answers, const plane_rules &rules) const
    {
        plane_fit fit(answers, rules, on_.far == nullptr, in_);
        for (int phase = 0; phase < plane_phases; phase++) {
            if (fit.count_at(phase) == 0)
                continue;
            sum_by(pairs, fit.pass(phase),
                   phase < plane_phase_exact
                       ? on_.provide(charge_kind::planes, level_of_phase(phase), in_)
                       : no_far_kind);
            fit.finish(phase);
        }
    }

  private:
    /* Of planes cells and their parents are made no larger than those with one origin: others have
     * no local expansion. */
    static int raster_length(const device_call &on, const call_view &call)
    {
        const shepard_raster *const raster = call.targets->raster;
        if (raster == nullptr)
            return no_raster_length;
        const shepard_frame &frame = call.facts->frame;
        const int own = raster_length_of(*raster, frame, on.along());
        if (call.rules->degree != 1)
            return own;
        const double diagonal =
            std::hypot(frame.box.x_max - frame.box.x_min, frame.box.y_max - frame.box.y_min);
        constexpr double less = 1 - 0x1p-20; /* regions are a little larger than cells */
        const int straight = diagonal_length_of(less * one_origin_part * diagonal, on.along());
        return std::max(own, straight + parent_bits);
    }

    void sum_by(const job_type &pairs, const plane_pass &plane, const far_kind &kind) const
    {
        const far_view<float> *single = kind.single ? &kind.single->view() : nullptr;
        const far_view<double> *precise = kind.precise ? &kind.precise->view() : nullptr;
        all_points_job job = job_;
        static_cast<job_type &>(job) = pairs;
        if (kind.made())
            job.tree = single != nullptr ? far_tree(*single) : far_tree(*precise);
        job.accuracy = kind.rules.device.get();
        job.local = kind.local.device.get();
        if (kind.expands && plane.straight)
            job.local = job.accuracy;
        job.charges = kind.charges;
        job.power[0] = kind.power;
        job.power[power_ranges - 1] = kind.power_max;
        job.all_precise = !kind.single;
        job.plane = plane;
        job.plane.coarse = kind.coarse;
        sum_all_points(job, single, precise, lane_.room, in_);
    }

    const device_call &on_;
    chunk_lane &lane_;
    const stream &in_;
    items cut_;
    all_points_job job_ = {};
};

/* The same of three coordinates. */
class space_sums
{
  public:
    using job_type = space_pairs_job;

    space_sums(const device_call &, const call_view &, const targets &, all_points_work *,
               const chunk_lane &lane)
        : in_(lane.in)
    {
    }

    void sum(const job_type &pairs, charge_kind) const { sum_all_pairs(pairs, in_); }

  private:
    const stream &in_;
};

/* One chunk of predictions from all points. */
template <class Sums, class Points, class Targets> struct global_chunk {
    const device_call &on;
    const call_view &call;
    const targets &chosen;
    const Points &points;
    const Targets view;
    all_points_work *work;
    chunk_lane &lane;
    const stream &in = lane.in;
    knn_stats around = {};
    block<double> nearest2 = {}, power = {}, weight = {}, weight2 = {}, h2 = {};

    bool fits_planes() const { return call.sums() && call.rules->degree == 1; }

    void look_around()
    {
        const std::size_t m = view.m;
        const bool bounded = call.sums() && on.far != nullptr;
        nearest2 = block<double>(m, in.get());
        power = block<double>(m, in.get());
        if (bounded)
            weight = block<double>(m, in.get());
        if (bounded && call.effective)
            weight2 = block<double>(m, in.get());
        if (fits_planes())
            h2 = block<double>(m, in.get());
        around = {nearest2.get(), power.get(), weight.get(), weight2.get(), h2.get()};
        find_knn_stats(points, view, *call.rules, around, in.get());
    }

    /* For all columns of a kind. centre: of deviations where every pair is summed. */
    pairs_job<Points, Targets> pairs_of(charge_kind kind, double *to, double *weights,
                                        const double *centre) const
    {
        const shepard_rules &rules = *call.rules;
        pairs_job<Points, Targets> job = {};
        job.points = points;
        job.targets = view;
        job.around = around;
        job.smoothing2 = rules.smoothing2;
        job.form2 = !rules.adaptive && rules.power == 2;
        job.squares = kind == charge_kind::squares;
        job.spread = kind == charge_kind::spread && centre == nullptr;
        job.centre = centre;
        job.columns = job.squares ? 0 : points.columns;
        job.weight = weights;
        job.sums = to;
        return job;
    }

    void sum_kind(const Sums &sums, charge_kind kind, double *to, double *weights,
                  const double *centre = nullptr) const
    {
        sums.sum(pairs_of(kind, to, weights, centre), kind);
    }

    /* Planes' values; means and weights for what else is wanted. */
    void fit_planes(const plane_sums &sums, const plane_answers &answers, double *mean,
                    double *weights) const
    {
        const shepard_rules &rules = *call.rules;
        sums.fit(
            pairs_of(charge_kind::planes, nullptr, nullptr, nullptr), answers,
            {rules.ridge, rules.damping, rules.eps, call.facts->frame.box, mean, weights, work});
    }

    void sum_all(const finalize_job<Points, Targets> &answers)
    {
        const std::size_t m = view.m, columns = (std::size_t)points.columns;
        const bool exact = on.far == nullptr;
        const Sums sums(on, call, chosen, work, lane);
        block<double> mean(m * columns, in.get()), weights(m, in.get()), spread, squares;
        if constexpr (std::is_same_v<Sums, plane_sums>) {
            if (fits_planes()) {
                /* Targets of too few points have none, and may be centres of deviations. */
                check(cudaMemsetAsync(mean.get(), 0, mean.bytes(), in.get()), "fitting planes");
                fit_planes(sums, answers, mean.get(), weights.get());
            }
        }
        if (!fits_planes())
            sum_kind(sums, charge_kind::values, mean.get(), weights.get());
        if (call.deviations) {
            spread = block<double>(m * columns, in.get());
            const block<double> unused(m, in.get());
            sum_kind(sums, charge_kind::spread, spread.get(), unused.get(),
                     exact ? mean.get() : nullptr);
        }
        if (call.effective) {
            squares = block<double>(m, in.get());
            sum_kind(sums, charge_kind::squares, nullptr, squares.get());
        }
        finalize_job<Points, Targets> rest = answers;
        if (fits_planes())
            rest.out.values = nullptr;
        finalize_from_sums(rest, {mean.get(), spread.get(), exact, weights.get(), squares.get()},
                           in.get());
    }

    void await_moments() const
    {
        if (call.sums())
            (void)on.provide(fits_planes() ? charge_kind::planes : charge_kind::values, 0, in);
        if (call.deviations)
            (void)on.provide(charge_kind::spread, 0, in);
        if (call.effective)
            (void)on.provide(charge_kind::squares, 0, in);
    }

    void run(const outputs &out)
    {
        const shepard_rules &rules = *call.rules;
        lane.clock.enter(&shepard_timing::nearest, in);
        look_around();
        lane.clock.enter(nullptr, in);
        await_moments();
        lane.clock.enter(&shepard_timing::sums, in);
        finalize_job<Points, Targets> answers = {};
        answers.points = points;
        answers.targets = view;
        answers.key = chosen.key();
        answers.around = around;
        answers.smoothing2 = rules.smoothing2;
        answers.frame_scale = call.facts->frame.scale;
        answers.nodata = rules.nodata;
        answers.scan = !on.points.in_space() && on.along().side < 0x1p-400;
        answers.least = std::max(rules.search.min_points, std::size_t{1});
        answers.out = out;
        finalize_without_sums(answers, in.get());
        if (call.sums() && call.facts->count >= rules.search.min_points)
            sum_all(answers);
    }
};

void predict_from_all_points(const device_call &on, const call_view &call, const targets &chosen,
                             all_points_work *work, const outputs &out, chunk_lane &lane)
{
    if (on.points.in_space()) {
        global_chunk<space_sums, space_points_view, space_target_view>{
            on, call, chosen, on.view(), chosen.space_view(), work, lane}
            .run(out);
        return;
    }
    on.points.provide_division(on.far != nullptr, lane.in);
    global_chunk<plane_sums, points_view, target_view>{on,   call, chosen, on.view(), chosen.view(),
                                                       work, lane}
        .run(out);
}

/* ---- k nearest points ------------------------------------------------------------------------ */

void run_nearest(const device_call &on, const call_view &call, const targets &chosen,
                 std::size_t first, const stream &in, stage_timer &clock)
{
    const shepard_nearest_job &job = *call.neighbours;
    const std::size_t count = (std::size_t)chosen.view().m * job.k;
    block<std::uint32_t> indices;
    block<double> distances;
    if (job.indices != nullptr)
        indices = block<std::uint32_t>(count, in.get());
    if (call.distances())
        distances = block<double>(count, in.get());
    clock.enter(&shepard_timing::nearest, in);
    if (on.points.in_space())
        find_nearest(on.view(), chosen.space_view(), (int)job.k, call.facts->frame.scale,
                     indices.get(), distances.get(), in.get());
    else
        find_nearest(on.view(), chosen.view(), (int)job.k, call.facts->frame.scale, indices.get(),
                     distances.get(), in.get());
    if (call.distances())
        chosen.correct_far(distances.get(), (int)job.k, NAN, in);
    clock.enter(&shepard_timing::download, in);
    deliver_indices(job.indices, first * job.k, indices.get(), count, *call.to, in);
    deliver(job.distances, first * job.k, distances.get(), count, *call.to, in);
}

targets take_targets(const device_call &on, const call_view &call, const places_view &places,
                     std::size_t first, std::size_t count, chunk_lane &lane)
{
    const shepard_geometry &facts = *call.facts;
    const incoming_targets given(*call.targets, *call.from, first, count, places, lane.in,
                                 lane.clock);
    lane.clock.enter(nullptr, lane.in);
    if (on.begins)
        on.field->prepare(*call.rules, *call.output);
    return targets(given,
                   {facts.frame, on.along(), on.view(), facts.box.x_min, facts.box.y_min,
                    call.distances(), call.all_points()},
                   lane.in, lane.clock);
}

} // namespace

void run_chunk(const device_call &on, const call_view &call, const places_view &places,
               std::size_t first, std::size_t count, all_points_work *work, chunk_lane &lane)
{
    const stream &in = lane.in;
    stage_timer &clock = lane.clock;
    const shepard_geometry &facts = *call.facts;
    const targets chosen = take_targets(on, call, places, first, count, lane);
    if (call.neighbours != nullptr) {
        run_nearest(on, call, chosen, first, in, clock);
    } else {
        const chunk_results made(call, count, in.get());
        if (call.all_points()) {
            predict_from_all_points(on, call, chosen, work, made.view, lane);
        } else if (call.kriging() && on.points.in_space()) {
            clock.enter(&shepard_timing::nearest, in);
            krige(on.view(), chosen.space_view(), *call.rules, facts, made.view, in, clock);
        } else if (call.kriging()) {
            clock.enter(&shepard_timing::nearest, in);
            krige(on.view(), chosen.view(), *call.rules, facts, made.view, in, clock);
        } else if (on.points.in_space()) {
            clock.enter(&shepard_timing::nearest, in);
            predict_local(on.view(), chosen.space_view(), *call.rules, call.facts->frame.scale,
                          made.view, in.get());
        } else {
            clock.enter(&shepard_timing::nearest, in);
            predict_local(on.view(), chosen.view(), *call.rules, call.facts->frame.scale, made.view,
                          in.get());
        }
        if (call.distances())
            chosen.correct_far(made.nearest.get(), 1, call.rules->nodata, in);
        clock.enter(&shepard_timing::download, in);
        deliver_all(call, made, first, in);
    }
    clock.enter(nullptr, in);
}

} // namespace shepard
