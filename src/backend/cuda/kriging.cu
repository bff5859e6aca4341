/* SPDX-License-Identifier: MIT */
#include "backend/cuda/kriging.cuh"

#include "backend/cuda/kriging_kernels.cuh"

namespace shepard
{

void krige(const points_view &points, const target_view &targets, const shepard_rules &rules,
           const shepard_geometry &facts, const outputs &out, const stream &in, stage_timer &clock)
{
    krige_by(points, targets, rules, facts, out, in, clock);
}

} // namespace shepard
