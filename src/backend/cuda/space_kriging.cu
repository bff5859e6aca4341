/* SPDX-License-Identifier: MIT */
/* Kriging of places with three coordinates. */
#include "backend/cuda/kriging.cuh"
#include "backend/cuda/kriging_kernels.cuh"

namespace shepard
{

void krige(const space_points_view &points, const space_target_view &targets,
           const shepard_rules &rules, const shepard_geometry &facts, const outputs &out,
           const stream &in, stage_timer &clock)
{
    krige_by(points, targets, rules, facts, out, in, clock);
}

} // namespace shepard
