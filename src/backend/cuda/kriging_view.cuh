/* SPDX-License-Identifier: MIT */
/* What the systems of kriging on a GPU have in common. */
#ifndef SHEPARD_BACKEND_CUDA_KRIGING_VIEW_CUH
#define SHEPARD_BACKEND_CUDA_KRIGING_VIEW_CUH

#include "backend/cuda/neighbour_lists.cuh"
#include "backend/cuda/output.cuh"

namespace shepard
{

/* Systems of one chunk. The first point of a list is the base once its system has been looked at.
 */
template <class Points, class Targets> struct kriging_view {
    using place_type = typename Targets::place_type;

    Points points;
    Targets targets;
    neighbour_lists_view lists;
    shepard_kriging_rules rules;
    double power, nodata, frame_scale;
    int most; /* points of a system */
    outputs out;
};

using plane_kriging = kriging_view<points_view, target_view>;
using space_kriging = kriging_view<space_points_view, space_target_view>;

} // namespace shepard

#endif
