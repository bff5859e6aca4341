/* SPDX-License-Identifier: MIT */
#include "backend/cuda/vicinity.cuh"

#include "backend/cuda/decay.cuh"
#include "backend/cuda/neighbours.cuh"
#include "backend/cuda/power.cuh"
#include "cuda/check.cuh"

namespace shepard
{

namespace
{

struct vicinity_law {
    int k;
    power_law power;
    double smoothing2;
};

/* q w and its square, summed over the k nearest. */
struct nearest_weight {
    double sum, square;
};

__device__ nearest_weight weigh_nearest(const cloud_view &cloud, const neighbour_row &row, int k,
                                        const shepard_decay &decay)
{
    nearest_weight total = {0, 0};
    for (int i = 0; decay.unit2 > 0 && i < k; i++) {
        const double q = cloud.weights != nullptr ? cloud.weights[row.rank(i)] : 1;
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

template <class List>
__global__ void __launch_bounds__(search_threads)
    find_kernel(const __grid_constant__ cloud_view cloud,
                const __grid_constant__ target_view targets,
                const __grid_constant__ vicinity_law law, const __grid_constant__ vicinity to)
{
    __shared__ search_scratch<List> scratch[search_threads / warp_lanes];
    const search_target target = target_of_lane(targets);
    neighbour_search<List> search(cloud, scratch[threadIdx.x / warp_lanes], target, law.k, DBL_MAX);
    const neighbour_row row = search.find(target);
    if (!target.present)
        return;
    const double alpha = power_of(law.power, row), nearest2 = row.d2(0);
    put_at(to.nearest2, target.i, nearest2);
    put_at(to.alpha, target.i, alpha);
    if (to.weight == nullptr && to.weight2 == nullptr)
        return;
    const shepard_decay decay = {SHEPARD_FORM_GENERAL, alpha, law.smoothing2,
                                 nearest2 + law.smoothing2};
    const nearest_weight weight = weigh_nearest(cloud, row, law.k, decay);
    put_at(to.weight, target.i, weight.sum);
    put_at(to.weight2, target.i, weight.square);
}

} // namespace

void find_vicinity(const cloud_view &cloud, const target_view &targets, const shepard_rules &rules,
                   const vicinity &to, cudaStream_t stream)
{
    if (targets.m == 0)
        return;
    const vicinity_law law = {rules.adaptive ? (int)rules.adapt.k : 1, power_law_of(rules),
                              rules.smoothing2};
    const auto launch = [&](auto tag) {
        using list = typename decltype(tag)::type;
        find_kernel<list>
            <<<search_blocks(targets.m), search_threads, 0, stream>>>(cloud, targets, law, to);
    };
    const bool ranked = cloud.weights != nullptr && (to.weight != nullptr || to.weight2 != nullptr);
    if (ranked)
        choose_list<true, neighbours_max>(law.k, launch);
    else
        choose_list<false, neighbours_max>(law.k, launch);
    check_launch("looking round targets");
}

} // namespace shepard
