/* SPDX-License-Identifier: MIT */
/* Predictions from all points within a radius, in the plane and in space. */
#ifndef SHEPARD_BACKEND_CUDA_RADIUS_KERNELS_CUH
#define SHEPARD_BACKEND_CUDA_RADIUS_KERNELS_CUH

#include "backend/cuda/neighbourhood_kernels.cuh"
#include "backend/cuda/radius_search.cuh"

namespace shepard
{

constexpr int radius_threads = 64;

/* What the first walk finds of the points of a target. */
struct points_within {
    std::uint32_t count;
    double nearest2, farthest2;
    std::uint32_t nearest; /* the first of several */
    bool enough;
};

template <int sectors, class Search>
__device__ points_within look_within(const Search &search, bool takes_part, const list_rules &rule)
{
    points_within found = {0, (double)INFINITY, 0, 0, false};
    std::uint32_t of_sector[sectors] = {};
    search.walk(takes_part, [&](double d2, std::uint32_t rank) {
        found.count++;
        found.nearest = d2 < found.nearest2 ? rank : found.nearest;
        found.nearest2 = fmin(found.nearest2, d2);
        found.farthest2 = fmax(found.farthest2, d2);
        if constexpr (sectors > 1) {
            const double2 to = search.bearing(rank);
            const int sector = sector_of<sectors>(to.x, to.y);
#pragma unroll
            for (int s = 0; s < sectors; s++)
                of_sector[s] += s == sector;
        }
    });
    if constexpr (sectors == 1)
        of_sector[0] = found.count;
    found.enough = found.count > 0 && found.count >= rule.least;
#pragma unroll
    for (int s = 0; s < sectors; s++)
        found.enough = found.enough && of_sector[s] >= rule.least_each;
    return found;
}

/* The points of each lane's target and their weights, q included: a weighted list that is made
 * again by each walk. Lanes that do not take part have none, and wait for the others. */
template <class Points, class Search> class walked_list
{
  public:
    __device__ walked_list(const Points &points, const Search &search, bool takes_part,
                           const points_within &found, const shepard_decay &decay)
        : takes_part(takes_part), points_(points), search_(search), found_(found), decay_(decay)
    {
        for_each([&](double weight, std::uint32_t) {
            w += weight;
            ww += weight * weight;
        });
    }

    template <class Use> __device__ void for_each(const Use &use) const
    {
        search_.walk(takes_part,
                     [&](double d2, std::uint32_t rank) { use(weight(d2, rank), rank); });
    }

    __device__ std::uint32_t nearest() const { return found_.nearest; }
    __device__ bool is_alone() const
    {
        return takes_part && weight(found_.nearest2, found_.nearest) == w;
    }

    const bool takes_part;
    double w = 0, ww = 0;

  private:
    __device__ double weight(double d2, std::uint32_t rank) const
    {
        return weight_of(points_, decay_, d2, rank);
    }

    const Points &points_;
    const Search &search_;
    const points_within &found_;
    const shepard_decay decay_;
};

/* The squared median of the distances of each target's points, [m]. A kernel of its own: together
 * with the plane its code would not fit in the cache of instructions. */
template <class Points, class Targets>
__global__ void __launch_bounds__(radius_threads)
    median_kernel(const __grid_constant__ Points points, const __grid_constant__ Targets targets,
                  const __grid_constant__ list_rules within, double *__restrict__ h2)
{
    using search_type = radius_search<Points, Targets>;
    constexpr int warps = radius_threads / warp_lanes;
    __shared__ typename Points::box_type around[warps];
    __shared__ median_scratch scratch[warps];
    const int warp = threadIdx.x / warp_lanes;
    const auto target = target_of_lane(targets);
    const search_type search(points, targets, within, target, around[warp]);
    const points_within found = look_within<1>(search, target.present, within);
    const double median2 = median_search<search_type>(search, scratch[warp])
                               .find(found.count > 0, found.count, found.nearest2, found.farthest2);
    if (found.count > 0)
        h2[target.i] = median2;
}

/* powers: [m]; nullptr: the rule's. h2: as medians are found, [m], for planes. */
template <int sectors, bool with_plane, class Points, class Targets>
__global__ void __launch_bounds__(radius_threads)
    predict_within_kernel(const __grid_constant__ Points points,
                          const __grid_constant__ Targets targets,
                          const __grid_constant__ list_rules within,
                          const __grid_constant__ neighbourhood_rules rule,
                          const double *__restrict__ powers, const double *__restrict__ h2,
                          const __grid_constant__ outputs out)
{
    using search_type = radius_search<Points, Targets>;
    constexpr int warps = radius_threads / warp_lanes;
    __shared__ typename Points::box_type around[warps];
    const auto target = target_of_lane(targets);
    const search_type search(points, targets, within, target, around[threadIdx.x / warp_lanes]);
    const points_within found = look_within<sectors>(search, target.present, within);
    const bool there = target.i < targets.m;
    const std::uint32_t index = there ? targets.index[target.i] : 0;
    if (there) {
        put(out.count, index, found.count);
        put(out.nearest, index,
            found.count > 0 ? sqrt(found.nearest2) / rule.frame_scale : rule.nodata);
        if (!found.enough)
            put_nodata(out, points.columns, index, rule.nodata);
    }
    const double power = powers != nullptr && found.enough ? powers[target.i] : rule.power.power;
    const shepard_decay decay = {SHEPARD_FORM_GENERAL, power, rule.smoothing2,
                                 found.nearest2 + rule.smoothing2};
    const walked_list<Points, search_type> list(points, search, found.enough, found, decay);
    predict_from_weights<with_plane>(points, rule, list,
                                     with_plane && found.enough ? h2[target.i] : 0, power, target,
                                     out, index);
}

/* ---- launches -------------------------------------------------------------------------------- */

template <int sectors, class Points, class Targets>
void predict_within(const Points &points, const Targets &targets, const shepard_rules &rules,
                    double frame_scale, const double *powers, const outputs &out,
                    cudaStream_t stream)
{
    const list_rules within = list_rules_of(rules.search, points.n);
    const unsigned blocks = blocks_for(targets.m, radius_threads);
    const bool with_plane = rules.degree == 1;
    const block<double> h2(with_plane ? targets.m : 0, stream);
    if (with_plane)
        median_kernel<Points, Targets>
            <<<blocks, radius_threads, 0, stream>>>(points, targets, within, h2.get());
    const auto kernel = with_plane ? predict_within_kernel<sectors, true, Points, Targets>
                                   : predict_within_kernel<sectors, false, Points, Targets>;
    kernel<<<blocks, radius_threads, 0, stream>>>(
        points, targets, within, rules_of(rules, points.n, frame_scale), powers, h2.get(), out);
}

/* Sectors matter where each must have points. */
template <class Points, class Targets>
void predict_within_radius(const Points &points, const Targets &targets, const shepard_rules &rules,
                           double frame_scale, const double *powers, const outputs &out,
                           cudaStream_t stream)
{
    const int sectors = rules.search.min_points_per_sector > 0 ? rules.search.sectors : 1;
    if (sectors == 8)
        predict_within<8>(points, targets, rules, frame_scale, powers, out, stream);
    else if (sectors == 4)
        predict_within<4>(points, targets, rules, frame_scale, powers, out, stream);
    else
        predict_within<1>(points, targets, rules, frame_scale, powers, out, stream);
}

} // namespace shepard

#endif
