/* SPDX-License-Identifier: MIT */
/* How the targets of a cell are divided by their powers. That the rules of a range hold for the
 * powers of its targets is asserted where sums go by them. */
#include "backend/cpu/power_ranges.h"
#include "suite.h"

#include <math.h>

#define TRIALS 2000

/* One power often, as that of predictions that are not adaptive. */
static struct shepard_cpu_range draw_range(unsigned long *seed)
{
    const double least = 0.1 + 4 * chance(seed);
    return (struct shepard_cpu_range){least, chance(seed) < 0.2 ? least : least + 4 * chance(seed)};
}

static double draw_in(const struct shepard_cpu_range *all, unsigned long *seed)
{
    switch (pick(seed, 4)) {
    case 0:
        return all->least;
    case 1:
        return all->most;
    default:
        return all->least + (all->most - all->least) * chance(seed);
    }
}

/* NULL or what is wrong with the range that a power is said to belong to. */
static const char *check_range(unsigned long *seed)
{
    const struct shepard_cpu_range all = draw_range(seed);
    const double power = draw_in(&all, seed);
    for (int d = SHEPARD_CPU_DIVISION_SINGLE; d <= SHEPARD_CPU_DIVISION_NONE; d++) {
        const enum shepard_cpu_powers powers = shepard_cpu_powers_of(d, all, power);
        const struct shepard_cpu_range range = shepard_cpu_powers_range(powers, all);
        const bool end = power == all.least || power == all.most;
        if (!(power >= range.least && power <= range.most && range.least >= all.least &&
              range.most <= all.most))
            return "a power is not in its range, or this is not in that of all";
        if ((powers < SHEPARD_CPU_SINGLE_POWERS) != (d == SHEPARD_CPU_DIVISION_SINGLE && end))
            return "a single power is in a range of several, or the other way round";
        if (d == SHEPARD_CPU_DIVISION_NONE && powers != SHEPARD_CPU_POWERS_ANY)
            return "targets that are together are divided";
    }
    return NULL;
}

/* Adaptive rules whose powers rise or fall with the distance. */
static struct shepard_rules draw_rules(unsigned long *seed)
{
    struct shepard_rules rules = {.adaptive = true};
    rules.adapt.k = 1 + pick(seed, 20);
    rules.adapt.r_expected = scaled_chance(seed, -20, 0);
    rules.adapt.r_max = 0.5 + 3 * chance(seed);
    rules.adapt.r_min = pick(seed, 2) == 0 ? 0 : chance(seed) * rules.adapt.r_max / 2;
    const bool falling = pick(seed, 4) == 0;
    rules.adapt.alphas[falling ? 4 : 0] = 0.1 + chance(seed);
    for (int i = 1; i < 5; i++) {
        const int at = falling ? 4 - i : i, before = falling ? 5 - i : i - 1;
        rules.adapt.alphas[at] = rules.adapt.alphas[before] + chance(seed);
    }
    return rules;
}

/* The range of a power where points have a spacing, as distances come to a part of the expected. */
static enum shepard_cpu_powers range_at(const struct shepard_rules *rules, double spacing,
                                        double part, enum shepard_cpu_division division)
{
    const struct shepard_adapt *adapt = &rules->adapt;
    const double reach = shepard_adapt_expect_mean(1, spacing * spacing, adapt->k);
    struct shepard_cpu_range all;
    shepard_rules_powers(rules, &all.least, &all.most);
    return shepard_cpu_powers_of(division, all, shepard_adapt_power(adapt, reach * part));
}

/* NULL or what is wrong with how a density divides targets. */
static const char *check_division(unsigned long *seed)
{
    const struct shepard_rules rules = draw_rules(seed);
    const double spacing = rules.adapt.r_expected * scaled_chance(seed, -6, 6);
    const enum shepard_cpu_division otherwise =
        pick(seed, 2) == 0 ? SHEPARD_CPU_DIVISION_SINGLE : SHEPARD_CPU_DIVISION_NONE;
    const enum shepard_cpu_division division =
        shepard_cpu_powers_divide(&rules, spacing, otherwise);
    for (int lift = -20; lift <= 20; lift += 40)
        if (shepard_cpu_powers_divide(&rules, ldexp(rules.adapt.r_expected, lift), otherwise) !=
            SHEPARD_CPU_DIVISION_SINGLE)
            return "targets among dense points, or far from all, do not have single powers";
    if (division == otherwise)
        return NULL;
    for (double part = 0.6; part < 1 / 0.6; part *= 1.1)
        if (range_at(&rules, spacing, part, division) == SHEPARD_CPU_POWERS_ANY)
            return "a division is chosen that many targets do not fit";
    return NULL;
}

void check_powers(struct tally *tally, unsigned long seed)
{
    for (int i = 0; i < TRIALS; i++) {
        const unsigned long own = seed;
        const char *wrong = check_range(&seed);
        tally_check(tally, wrong == NULL, "powers, seed %lu: %s", own, wrong);
        wrong = check_division(&seed);
        tally_check(tally, wrong == NULL, "division, seed %lu: %s", own, wrong);
    }
}
