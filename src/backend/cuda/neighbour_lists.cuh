/* SPDX-License-Identifier: MIT */
/* The points that each target of a chunk uses, in device memory: neighbourhoods of sectors and
 * ellipses, and all that are read more than once. Mirrors core/neighbours.h. */
#ifndef SHEPARD_BACKEND_CUDA_NEIGHBOUR_LISTS_CUH
#define SHEPARD_BACKEND_CUDA_NEIGHBOUR_LISTS_CUH

#include "backend/cuda/nearest_list.cuh"
#include "cuda/pool.cuh"

extern "C" {
#include "core/rules.h"
}

namespace shepard
{

/* As kernels see it; in the targets' order. */
struct neighbour_lists_view {
    std::uint32_t m, stride; /* targets; numbers from one place of a list to the next */
    double *d2;              /* [places, stride] squared distances, on a sphere of arcs */
    std::uint32_t *rank;     /* [places, stride] */
    std::uint32_t *count;    /* [m] 0 where a target is not finite */
    bool *enough;            /* [m] the least numbers of points are there */

    __device__ neighbour_row row(std::uint32_t t) const { return {d2 + t, rank + t, (int)stride}; }
};

/* Whether the points of a neighbourhood are found by sector, or in an ellipse. */
bool is_by_sector(const shepard_search &search);

/* Whether a neighbourhood holds all points within a radius. */
bool has_no_limit(const shepard_search &search);

/* Whether the points of a target stand in a list between kernels: those that are found by sector
 * or in an ellipse, those of systems, and those of planes on a sphere; none without a limit. */
bool keeps_lists(const shepard_rules &rules, bool in_space);

/* The search for the k nearest points. */
shepard_search search_of_nearest(std::size_t k);

/* Points that a target has at most, and places that its list takes, where there is a limit. */
std::size_t most_neighbours(const shepard_search &search, std::size_t points);
std::size_t list_places(const shepard_search &search, std::size_t points);

class neighbour_lists
{
  public:
    /* Of a neighbourhood with a limit: asynchronous. */
    neighbour_lists(const points_view &points, const target_view &targets,
                    const shepard_search &search, cudaStream_t stream);
    neighbour_lists(const space_points_view &points, const space_target_view &targets,
                    const shepard_search &search, cudaStream_t stream);

    neighbour_lists_view view() const
    {
        return {m_, stride_, d2_.get(), rank_.get(), count_.get(), enough_.get()};
    }

  private:
    neighbour_lists(std::uint32_t m, std::size_t places, cudaStream_t stream);

    std::uint32_t m_, stride_;
    block<double> d2_;
    block<std::uint32_t> rank_, count_;
    block<bool> enough_;
};

} // namespace shepard

#endif
