/* SPDX-License-Identifier: MIT */
#include "backend/cpu/power_ranges.h"

#include <math.h>

/* What LOW and HIGH have of all powers. Measured: with less, more targets are left over; with more,
 * lists are longer. */
#define PART 0.15

/* Of the mean distance to the nearest points that the density in a cell makes one expect, hardly
 * any of its targets has less than this part, or more than 1 over it. */
#define SPREAD 0.5

struct shepard_cpu_range shepard_cpu_powers_range(enum shepard_cpu_powers powers,
                                                  struct shepard_cpu_range all)
{
    const double part = PART * (all.most - all.least);
    switch (powers) {
    case SHEPARD_CPU_POWERS_LEAST:
        return (struct shepard_cpu_range){all.least, all.least};
    case SHEPARD_CPU_POWERS_MOST:
        return (struct shepard_cpu_range){all.most, all.most};
    case SHEPARD_CPU_POWERS_LOW:
        return (struct shepard_cpu_range){all.least, all.least + part};
    case SHEPARD_CPU_POWERS_HIGH:
        return (struct shepard_cpu_range){all.most - part, all.most};
    case SHEPARD_CPU_POWERS_ANY:
    case SHEPARD_CPU_POWERS:
        break;
    }
    return all;
}

/* Whether a range has all of some powers. */
static bool has(enum shepard_cpu_powers powers, struct shepard_cpu_range all,
                struct shepard_cpu_range some)
{
    const struct shepard_cpu_range range = shepard_cpu_powers_range(powers, all);
    return some.least >= range.least && some.most <= range.most;
}

enum shepard_cpu_powers shepard_cpu_powers_of(enum shepard_cpu_division division,
                                              struct shepard_cpu_range all, double power)
{
    static const enum shepard_cpu_powers ranges[][2] = {
        [SHEPARD_CPU_DIVISION_SINGLE] = {SHEPARD_CPU_POWERS_LEAST, SHEPARD_CPU_POWERS_MOST},
        [SHEPARD_CPU_DIVISION_LOW] = {SHEPARD_CPU_POWERS_LOW, SHEPARD_CPU_POWERS_LOW},
        [SHEPARD_CPU_DIVISION_HIGH] = {SHEPARD_CPU_POWERS_HIGH, SHEPARD_CPU_POWERS_HIGH},
        [SHEPARD_CPU_DIVISION_NONE] = {SHEPARD_CPU_POWERS_ANY, SHEPARD_CPU_POWERS_ANY}};
    for (int i = 0; i < 2; i++)
        if (has(ranges[division][i], all, (struct shepard_cpu_range){power, power}))
            return ranges[division][i];
    return SHEPARD_CPU_POWERS_ANY;
}

enum shepard_cpu_division shepard_cpu_powers_divide(const struct shepard_rules *rules,
                                                    double spacing,
                                                    enum shepard_cpu_division otherwise)
{
    static const double parts[] = {SPREAD, 1, 1 / SPREAD};
    const double reach = shepard_adapt_expect_mean(1, spacing * spacing, rules->adapt.k);
    struct shepard_cpu_range all, expected = {INFINITY, -INFINITY};
    shepard_rules_powers(rules, &all.least, &all.most);
    for (int i = 0; i < 3; i++) {
        const double power = shepard_adapt_power(&rules->adapt, reach * parts[i]);
        expected.least = fmin(expected.least, power);
        expected.most = fmax(expected.most, power);
    }
    if (has(SHEPARD_CPU_POWERS_LEAST, all, expected) || has(SHEPARD_CPU_POWERS_MOST, all, expected))
        return SHEPARD_CPU_DIVISION_SINGLE;
    if (has(SHEPARD_CPU_POWERS_LOW, all, expected))
        return SHEPARD_CPU_DIVISION_LOW;
    return has(SHEPARD_CPU_POWERS_HIGH, all, expected) ? SHEPARD_CPU_DIVISION_HIGH : otherwise;
}
