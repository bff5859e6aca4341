/* SPDX-License-Identifier: MIT */
#include "backend/cuda/knn_stats.cuh"

#include "backend/cuda/arc.cuh"
#include "backend/cuda/choose_search.cuh"
#include "backend/cuda/decay.cuh"
#include "backend/cuda/power.cuh"
#include "cuda/check.cuh"

#include <algorithm>

namespace shepard
{

namespace
{

struct knn_stats_rule {
    int k, ridge; /* points of all, and of h2 */
    power_rule power;
    double smoothing2;
};

/* q w and its square, summed over the k nearest. */
struct nearest_weight {
    double sum, square;
};

__device__ nearest_weight weigh_nearest(const points_view &points, const neighbour_row &row, int k,
                                        const shepard_decay &decay)
{
    nearest_weight total = {0, 0};
    for (int i = 0; decay.unit2 > 0 && i < k; i++) {
        const double q = points.weights != nullptr ? points.weights[row.rank(i)] : 1;
        const double w = k == 1 ? q : weight_at(decay, row.d2(i)) * q;
        total.sum += w;
        total.square += w * w;
    }
    return total;
}

__device__ void put_at(double *array, std::size_t i, double value)
{
    if (array != nullptr)
        array[i] = value;
}

template <class List, bool Leaving, class Points, class Targets>
__global__ void __launch_bounds__(search_threads)
    find_kernel(const __grid_constant__ Points points, const __grid_constant__ Targets targets,
                const __grid_constant__ knn_stats_rule rule, const __grid_constant__ knn_stats to)
{
    __shared__ search_scratch<List, Points> scratch[search_threads / warp_lanes];
    const auto target = target_of_lane(targets);
    neighbour_search<List, Leaving, Points, Targets> search(
        points, targets, scratch[threadIdx.x / warp_lanes], target, rule.k, DBL_MAX);
    const neighbour_row row = search.find(target);
    if (!target.present)
        return;
    bend_sorted(points, target, row, rule.k);
    const std::uint32_t used = points_for(points, targets, target.i);
    const double power = power_of(rule.power, row, used), nearest2 = row.d2(0);
    put_at(to.nearest2, target.i, nearest2);
    put_at(to.power, target.i, power);
    if (to.h2 != nullptr)
        to.h2[target.i] = median2_of(row, (int)min((std::uint32_t)rule.ridge, used));
    if (to.weight == nullptr && to.weight2 == nullptr)
        return;
    const shepard_decay decay = {SHEPARD_FORM_GENERAL, power, rule.smoothing2,
                                 nearest2 + rule.smoothing2};
    const nearest_weight weight =
        weigh_nearest(points, row, (int)min((std::uint32_t)rule.k, used), decay);
    put_at(to.weight, target.i, weight.sum);
    put_at(to.weight2, target.i, weight.square);
}

template <bool ranked, class Points, class Targets>
void find_stats(const Points &points, const Targets &targets, const shepard_rules &rules,
                const knn_stats &to, cudaStream_t stream)
{
    if (targets.m == 0)
        return;
    const int ridge = to.h2 != nullptr ? (int)rules.ridge_neighbours : 1;
    const knn_stats_rule rule = {std::max(rules.adaptive ? (int)rules.adapt.k : 1, ridge), ridge,
                                 power_rule_of(rules), rules.smoothing2};
    choose_search<ranked>(targets, rule.k, [&](auto tag) {
        using search = decltype(tag);
        const auto kernel = find_kernel<typename search::list, search::leaving, Points, Targets>;
        kernel<<<search_blocks(targets.m), search_threads, 0, stream>>>(points, targets, rule, to);
    });
    check_launch("looking round targets");
}

} // namespace

void find_knn_stats(const points_view &points, const target_view &targets,
                    const shepard_rules &rules, const knn_stats &to, cudaStream_t stream)
{
    if (points.weights != nullptr && (to.weight != nullptr || to.weight2 != nullptr))
        find_stats<true>(points, targets, rules, to, stream);
    else
        find_stats<false>(points, targets, rules, to, stream);
}

/* Arcs are those of the points. */
void find_knn_stats(const space_points_view &points, const space_target_view &targets,
                    const shepard_rules &rules, const knn_stats &to, cudaStream_t stream)
{
    find_stats<true>(points, targets, rules, to, stream);
}

} // namespace shepard
