/* SPDX-License-Identifier: MIT */
/* Searches for any k: which of the lists that there are, a lane's own or spread over a warp. */
#ifndef SHEPARD_BACKEND_CUDA_CHOOSE_SEARCH_CUH
#define SHEPARD_BACKEND_CUDA_CHOOSE_SEARCH_CUH

#include "backend/cuda/neighbours.cuh"
#include "backend/cuda/warp_search.cuh"

namespace shepard
{

template <class List, bool Leaving> struct search_tag {
    using list = List;
    static constexpr bool leaving = Leaving;
};

/* Sizes of the lists that there are: each is the code of a search once more, and some unused places
 * cost little. Of those spread over a warp: places of a lane; the last serves all k <=
 * neighbours_max. */
template <int... sizes> struct list_sizes {
};
using few_sizes = list_sizes<12, 24, 48>;
using many_slots = list_sizes<2, 4, 8>;

inline list_sizes<6, 10, 12, 16, 24, 32, 48> sizes_for(const target_view &)
{
    return {};
}

inline few_sizes sizes_for(const space_target_view &)
{
    return {};
}

template <bool ranked, bool leaving, class Launch, int least, int... more>
void choose_slots(int k, const Launch &launch, list_sizes<least, more...>)
{
    if constexpr (sizeof...(more) > 0)
        if (k > least * warp_lanes)
            return choose_slots<ranked, leaving>(k, launch, list_sizes<more...>());
    launch(search_tag<warp_list<least, ranked>, leaving>());
}

template <bool ranked, bool leaving, class Launch>
void choose_list(int k, const Launch &launch, list_sizes<>)
{
    choose_slots<ranked, leaving>(k, launch, many_slots());
}

template <bool ranked, bool leaving, class Launch, int least, int... more>
void choose_list(int k, const Launch &launch, list_sizes<least, more...>)
{
    if (k <= least)
        launch(search_tag<slot_list<least + spare_places, ranked>, leaving>());
    else
        choose_list<ranked, leaving>(k, launch, list_sizes<more...>());
}

/* Calls launch with the tag of the search for the k nearest, k <= neighbours_max. What targets
 * leave out is known by its rank. */
template <bool ranked, class Targets, class Launch>
void choose_search(const Targets &targets, int k, const Launch &launch)
{
    if (targets.left_out != nullptr)
        choose_list<true, true>(k, launch, few_sizes());
    else if (k <= 1)
        launch(search_tag<lone_list<ranked>, false>());
    else
        choose_list<ranked, false>(k, launch, sizes_for(targets));
}

inline unsigned search_blocks(std::uint32_t m)
{
    return (unsigned)(((std::size_t)m + search_threads - 1) / search_threads);
}

} // namespace shepard

#endif
