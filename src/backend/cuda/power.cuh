/* SPDX-License-Identifier: MIT */
/* The power of a target: the same for all, or from the nearest of all points. */
#ifndef SHEPARD_BACKEND_CUDA_POWER_CUH
#define SHEPARD_BACKEND_CUDA_POWER_CUH

#include "backend/cuda/nearest_list.cuh"

extern "C" {
#include "core/rules.h"
}

namespace shepard
{

struct power_rule {
    bool adaptive;
    double power;
    shepard_adapt adapt;
};

inline power_rule power_rule_of(const shepard_rules &rules)
{
    return {rules.adaptive, rules.power, rules.adapt};
}

/* row: adapt.k points at least where adaptive, or all `points` that a target uses. */
__device__ inline double power_of(const power_rule &rule, const neighbour_row &row,
                                  std::uint32_t points)
{
    if (!rule.adaptive)
        return rule.power;
    const int k = (int)min((std::uint32_t)rule.adapt.k, points);
    double sum = 0;
    for (int i = 0; i < k; i++)
        sum += sqrt(row.d2(i));
    return shepard_adapt_power(&rule.adapt, sum / (double)k);
}

} // namespace shepard

#endif
