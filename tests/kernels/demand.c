/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <math.h>

struct shepard_accuracy_demand draw_demand(unsigned long *seed)
{
    struct shepard_accuracy_demand demand = {.single = chance(seed) < 0.4};
    demand.single_nodes = demand.single && chance(seed) < 0.8;
    demand.single_moments = demand.single || chance(seed) < 0.1;
    demand.relative = !demand.single && chance(seed) < 0.3;
    const double least = demand.single           ? SHEPARD_ACCURACY_SINGLE
                         : demand.single_moments ? 1e-5
                         : demand.relative       ? 1e-14
                                                 : SHEPARD_ACCURACY_DOUBLE;
    const double power_max = demand.single ? 8 : chance(seed) < 0.1 ? 100 : 20;
    demand.eps = scaled_chance(seed, log2(least) + 1e-9, -4);
    demand.power = chance(seed) < 0.5 ? 1 + (double)pick(seed, 4) : power_max * chance(seed) + 0.1;
    demand.power = fmin(demand.power, power_max);
    demand.power_max = demand.power;
    if (chance(seed) < 0.5)
        demand.power_max += (power_max - demand.power) * chance(seed) * chance(seed);
    demand.points = scaled_chance(seed, 4, 32);
    demand.charges = demand.points * scaled_chance(seed, 0, 60);
    demand.smooth = chance(seed) < 0.3;
    demand.logarithm = chance(seed) < 0.3 ? 16 * chance(seed) : 0;
    demand.orders_max = chance(seed) < 0.3 ? 1 + (int)pick(seed, SHEPARD_ORDERS_MAX) : 0;
    return demand;
}

double draw_power(const struct shepard_accuracy_demand *demand, unsigned long *seed)
{
    const double kind = chance(seed);
    return kind < 0.3   ? demand->power
           : kind < 0.6 ? demand->power_max
                        : demand->power + (demand->power_max - demand->power) * chance(seed);
}
