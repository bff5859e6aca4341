/* SPDX-License-Identifier: MIT */
/* Which targets of an item are treated alike, and under which rules. Nothing that a target's sums
 * depend on tells which other targets there are. */
#ifndef SHEPARD_BACKEND_CUDA_GROUPS_CUH
#define SHEPARD_BACKEND_CUDA_GROUPS_CUH

#include "backend/cuda/all_points.cuh"
#include "backend/cuda/pair_weights.cuh"
#include "backend/cuda/walk.cuh"

#include <cmath>

namespace shepard
{

/* A target's group: its range of powers, and how far the least its weights can come to is below the
 * cell's weight floor, in steps of 2^tier_step. Beyond: targets that are groups by themselves, with
 * their number in the item. */
constexpr int tier_step = 4;
constexpr int tier_most = 1000000;
constexpr int group_alone = 1 << 24;
constexpr int group_precise = 1 << 25; /* to be summed in double */
constexpr int group_parent = 1 << 26;  /* a parent group: its range is that of its groups */
constexpr int group_done = INT32_MAX;

/* So many points of a least cell of the curve, which cannot be cut, cost its targets more than
 * lists of their own. */
constexpr std::uint32_t crowd_least = 32 * cell_points;

/* What rounding may have added to the nearest points' weights: log2 of a part. */
constexpr double weight_margin = 1e-6;
/* The weight floor is, for each of the points known, this much (log2) below the weight at the mean
 * spacing in the cell, less with smoothing, as nearest points' weights then differ less. */
constexpr double weight_floor_slack = 3.25;
constexpr double nearest_most = 16;
/* That of a parent group is so much lower: it is for cells of other mean spacings, too. */
constexpr double parent_slack = 1;

/* Within these bounds of the unit, in the anchor's, float32 tells all distances that matter well
 * enough: the nearest point is not below 2^-20 of the cell's size, 2^-22 of that of a
 * larger cell with up to 1,024 points. */
constexpr double plain_near2 = 0x1p-34, plain_far2 = 0x1p60;
constexpr double plain_side = 0x1p30;
/* Points so far away that Eq. 47 does not hold for them may weigh at most 2^-8 of all together. */
constexpr double wide_far2 = 0x1p20, wide_side = 0x1p50;
constexpr double wide_weight = -8;

/* As shepard_weight_floor, in the frame's unit. */
struct cell_weight_floor {
    double charge, distance;
};

/* What is known of an item. */
struct item_state {
    std::uint32_t first;
    int targets;
    bool crowded; /* a least cell of the curve, with many points: it is cut no further */
    box region;
    double spacing; /* the mean one of the cell's points */
    cell_weight_floor weight_floor;
};

/* In the item's cell, or in a larger one: what so many first bits of its key name, with so many
 * points. */
__device__ inline item_state open_item(const all_points_job &job, std::uint32_t item, int length,
                                       std::uint32_t points)
{
    item_state state;
    const item_view &items = job.items;
    const std::uint32_t first = items.first[item];
    std::uint32_t end = min(first + item_targets, job.targets.m);
    if (item + 1 < *items.count)
        end = min(end, items.first[item + 1]);
    state.first = first;
    state.targets = (int)(end - first);
    state.crowded = length + 2 > hilbert_bits && points > crowd_least;
    state.region = hilbert_region(
        job.along, hilbert_place_of(job.along, job.targets.x[first], job.targets.y[first]),
        job.key[first], length);
    const double area =
        (state.region.x_max - state.region.x_min) * (state.region.y_max - state.region.y_min);
    const double spacing2 = fmax(area / max(points, 1u), 0x1p-1000);
    state.spacing = sqrt(spacing2);
    if (job.accuracy == nullptr)
        return state;
    state.weight_floor.charge = (double)job.tree.root().charge - log2((double)job.points.n) +
                                log2(fmin(job.nearest, nearest_most)) -
                                weight_floor_slack * sqrt(spacing2 / (spacing2 + job.smoothing2));
    state.weight_floor.distance = log2(spacing2 + job.smoothing2) / 2;
    return state;
}

/* What some first bits of a key name, and how many data points are there. */
struct named_cell {
    int length;
    std::uint32_t points;
};

/* An item's cell, the largest one round it with at most parent_cell_points points, where targets of
 * powers between are grouped, and its parent cell. */
struct item_cells {
    named_cell own, between, parent;
};

/* What `length` first bits of a key, two neighbouring lanes' own, name. */
__device__ inline named_cell named(const all_points_job &job, std::uint64_t key, int length)
{
    const int lane = (int)threadIdx.x % 32, rest = hilbert_bits - length;
    const std::uint64_t end = (key >> rest) + (std::uint64_t)(lane % 2);
    const std::uint32_t rank = length == 0
                                   ? (std::uint32_t)(lane % 2) * job.points.n
                                   : hilbert_rank(job.points.key, job.points.n, end << rest);
    return {length,
            __shfl_sync(whole_warp, rank, lane | 1) - __shfl_sync(whole_warp, rank, lane & ~1)};
}

/* The last lane's of those, counted from the first, with at most so many points; the first's where
 * it has more. Points become more from lane to lane. */
__device__ inline named_cell largest_of(const named_cell &own, std::uint32_t most)
{
    const unsigned small = __ballot_sync(whole_warp, own.points <= most);
    const int best = small != 0 ? 31 - __clz((int)small) : 0;
    return {__shfl_sync(whole_warp, own.length, best), __shfl_sync(whole_warp, own.points, best)};
}

/* The largest cell of a key with at most so many points. coarse: lanes' own, of every fourth
 * length. */
__device__ inline named_cell largest_cell(const all_points_job &job, std::uint64_t key,
                                          const named_cell &coarse, std::uint32_t most)
{
    const int from = largest_of(coarse, most).length, pair = (int)threadIdx.x % 32 / 2;
    return largest_of(named(job, key, max(from - min(pair, 3), 0)), most);
}

/* Lanes look at every fourth length, then at the three before the one found. */
__device__ inline item_cells cells_of_item(const all_points_job &job, std::uint32_t item)
{
    const std::uint32_t first = job.items.first[item];
    const std::uint64_t key = job.key[first];
    const int pair = (int)threadIdx.x % 32 / 2, length = job.items.length[first];
    const named_cell coarse = named(job, key, max(length - 4 * pair, 0));
    const named_cell own = {length, __shfl_sync(whole_warp, coarse.points, 0)};
    const named_cell between = largest_cell(job, key, coarse, parent_cell_points);
    const int by_raster = job.items.raster_length - parent_bits;
    if (by_raster >= between.length)
        return {own, between, between};
    const named_cell largest = largest_cell(job, key, coarse, coarse_parent_points);
    if (largest.length >= by_raster)
        return {own, between, largest};
    return {own, between, named(job, key, by_raster)};
}

/* Whether, by the density in a cell, hardly any target there has a power between the least and the
 * largest. */
__device__ inline bool has_uniform_power(const all_points_job &job, const named_cell &cell)
{
    /* Of the distances expected: those of nearly all targets are more, and less than 1 over it. */
    constexpr double part = 0.7;
    const double side = ldexp(job.along.side, -(cell.length / 2));
    const double area = cell.length % 2 == 0 ? side * side : side * side / 2;
    const double reach = job.mean_reach * sqrt(area / max(cell.points, 1u));
    const double times = job.squares ? 2 : 1;
    const double low = times * shepard_adapt_power(&job.rule.adapt, reach * part);
    const double high = times * shepard_adapt_power(&job.rule.adapt, reach / part);
    return low == high && (low == job.power[0] || low == job.power[power_ranges - 1]);
}

/* A power of two near 1 / a, a > 0. */
__device__ inline double unit_scale(double a)
{
    return ldexp(1.0, -ilogb(a));
}

__device__ inline bool is_outside(const all_points_job &job, std::uint32_t t)
{
    return !hilbert_holds(job.along, job.targets.x[t], job.targets.y[t]);
}

/* Of a target that is a group by itself, no region but its place counts. */
__device__ inline bool stands_alone(const all_points_job &job, const item_state &state,
                                    std::uint32_t t)
{
    return state.crowded || is_outside(job, t);
}

/* Alone: a target that is a group by itself counts from itself. */
__device__ inline anchor anchor_of(const all_points_job &job, const item_state &state,
                                   std::uint32_t t, bool alone)
{
    if (alone)
        return {job.targets.x[t], job.targets.y[t], unit_scale(sqrt(unit2_of(job, t)))};
    return {state.region.x_min + (state.region.x_max - state.region.x_min) / 2,
            state.region.y_min + (state.region.y_max - state.region.y_min) / 2,
            unit_scale(state.spacing)};
}

__device__ inline bool is_plain(const all_points_job &job, const item_state &state, std::uint32_t t,
                                bool alone)
{
    if (job.all_precise)
        return false;
    const double scale = anchor_of(job, state, t, alone).scale;
    const double unit2 = unit2_of(job, t) * scale * scale, side = job.along.side * scale;
    if (!(unit2 >= plain_near2 && unit2 <= plain_far2))
        return false;
    if (side <= plain_side)
        return true;
    const double apart = log2(plain_side * plain_side * 2 / wide_far2);
    return side <= wide_side && unit2 <= wide_far2 &&
           job.charges - apart * power_of_target(job, t) / 2 <= wide_weight;
}

/* log2 of what the nearest points are sure to weigh, for a unit of 1. */
__device__ inline double sure_charge(const all_points_job &job, std::uint32_t t)
{
    return log2(job.squares ? job.around.weight2[t] : job.around.weight[t]) - weight_margin;
}

/* 0 and 2 are of one power each. */
__device__ inline int range_of(const all_points_job &job, std::uint32_t t)
{
    const double power = power_of_target(job, t);
    if (power <= job.power[0])
        return 0;
    return power < job.power[power_ranges - 1] ? range_between : power_ranges - 1;
}

__device__ inline int group_of(const all_points_job &job, const item_state &state, std::uint32_t t)
{
    const double unit2 = unit2_of(job, t);
    if (isnan(job.targets.x[t]) || unit2 == 0 || unit2 == (double)INFINITY)
        return group_done;
    if (job.plane.phase != nullptr && job.plane.phase[t] != job.plane.now)
        return group_done;
    const bool alone = stands_alone(job, state, t);
    const int first = is_plain(job, state, t, alone) ? 0 : group_precise;
    if (job.accuracy == nullptr)
        return first;
    if (alone)
        return first + group_alone + (int)(t - state.first);
    const double power = power_of_target(job, t);
    const double sure = sure_charge(job, t) - power * log2(unit2_of(job, t)) / 2;
    const double missing = state.weight_floor.charge - power * state.weight_floor.distance - sure;
    const int tier = missing <= 0 ? 0 : (int)fmin(ceil(missing / tier_step), (double)tier_most);
    return first + tier * power_ranges + range_of(job, t);
}

__device__ inline bool is_alone(int group)
{
    return (group & group_alone) != 0;
}

__device__ inline int range_of_group(int group)
{
    return group % group_alone % power_ranges;
}

__device__ inline std::uint32_t target_alone(const item_state &state, int group)
{
    return state.first + (std::uint32_t)(group % group_alone);
}

/* The power that all of a group have, or 0. */
__device__ inline double power_of_group(const all_points_job &job, const item_state &state,
                                        int group)
{
    if (job.accuracy == nullptr)
        return 0;
    if (is_alone(group))
        return power_of_target(job, target_alone(state, group));
    const int range = range_of_group(group);
    return range != range_between ? job.power[range] : 0;
}

__device__ inline cell_weight_floor weight_floor_of(const all_points_job &job,
                                                    const item_state &state, int group)
{
    if (is_alone(group)) {
        const std::uint32_t t = target_alone(state, group);
        return {sure_charge(job, t), log2(unit2_of(job, t)) / 2};
    }
    const int tier = group % group_alone / power_ranges;
    const double slack = (group & group_parent) != 0 ? parent_slack : 0;
    return {state.weight_floor.charge - tier_step * tier - slack, state.weight_floor.distance};
}

/* Weights of a group's local expansion are over this, log2, for a unit of 1. */
__device__ inline double local_exponent(const cell_weight_floor &weight_floor, double power)
{
    return weight_floor.charge - power * weight_floor.distance;
}

/* Whether offsets in sums of planes are counted from one place for all of a group's targets, for
 * one that stands alone from its own. That rounds off parts of the cell's radius and the data's
 * squared (docs/math/gpu.md, Planes). */
__device__ inline bool has_one_origin(const all_points_job &job, const item_state &state, int group)
{
    if (!job.plane.straight || is_alone(group))
        return job.plane.straight;
    const shepard_box &box = job.plane.box;
    return hypot(state.region.x_max - state.region.x_min,
                 state.region.y_max - state.region.y_min) <=
           one_origin_part * hypot(box.x_max - box.x_min, box.y_max - box.y_min);
}

/* Whether a cell's targets may share a local expansion. */
__device__ inline bool expands_here(const all_points_job &job, const item_state &state, int group)
{
    return job.plane.phase != nullptr ? has_one_origin(job, state, group)
                                      : (group & group_precise) == 0;
}

/* The range of a group's parent group, or range_between, which has none. */
__device__ inline int parent_range_of(const all_points_job &job, const item_state &state, int group)
{
    if (!expands_here(job, state, group))
        return range_between;
    if (!is_alone(group))
        return range_of_group(group);
    const std::uint32_t t = target_alone(state, group);
    return is_outside(job, t) ? range_between : range_of(job, t);
}

/* Where the parent group of a range is, in parent_list::of_first. */
__device__ inline std::size_t parent_slot_of(std::uint32_t first_item, int range)
{
    return 2 * (std::size_t)first_item + (range > 0);
}

__device__ inline region_view view_of(const all_points_job &job, const item_state &state, int group)
{
    region_view view = {};
    if (job.accuracy == nullptr)
        return view;
    const bool alone = is_alone(group);
    const std::uint32_t t = alone ? target_alone(state, group) : state.first;
    const int range = alone ? range_of(job, t) : range_of_group(group);
    const anchor middle = anchor_of(job, state, t, alone);
    const cell_weight_floor weight_floor = weight_floor_of(job, state, group);
    view.local_most = INFINITY;
    view.accuracy = &job.accuracy[range];
    view.few = job.plane.phase != nullptr ? few_points_of_plane : few_points;
    view.x = middle.x;
    view.y = middle.y;
    view.scale = middle.scale;
    view.lift = ilogb(middle.scale);
    view.smoothing2 = (float)(job.smoothing2 * middle.scale * middle.scale);
    view.weight_floor = {(shepard_coarse)weight_floor.charge,
                         (shepard_coarse)(weight_floor.distance + view.lift)};
    if (alone)
        return view;
    const double half_x = (state.region.x_max - state.region.x_min) / 2 * middle.scale;
    const double half_y = (state.region.y_max - state.region.y_min) / 2 * middle.scale;
    view.half_x = __double2float_ru(half_x);
    view.half_y = __double2float_ru(half_y);
    view.radius = __double2float_ru(hypot(half_x, half_y));
    if (job.local != nullptr && range != range_between && expands_here(job, state, group))
        view.local = &job.local[range];
    return view;
}

} // namespace shepard

#endif
