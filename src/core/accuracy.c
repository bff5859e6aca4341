/* SPDX-License-Identifier: MIT */
#include "core/accuracy.h"

#include "core/rising.h"

#include <assert.h>
#include <math.h>

/* What is left of a tolerance after the division by the sum of weights, itself inexact (Eq. 30). */
#define BUDGET 0.975
/* The part of that for rounding. */
#define ROUNDING_PART 0.25
/* The part for interpolation, if any, of what rounding leaves. */
#define INTERPOLATION_PART 0.4
/* The largest g kappa t at which the geometric bound of the dropped degrees is used. */
#define RATIO_MAX 0.95
/* The largest t of any use. */
#define T_MAX 0.6

/* The least t that is looked for. */
#define T_LEAST 0x1p-31

/* The largest t may be too small by as much of itself, or have a bound this much (log2) below what
 * is allowed. */
#define LARGEST_EXACT 0x1p-28

#define DEGREES (SHEPARD_ORDER(SHEPARD_ORDERS_MAX - 1) + 1)

/* A function that rises with t, for a power and an order, and the most that it may be. summands:
 * those of the power, by degrees. */
struct ratio_search {
    const struct shepard_accuracy_demand *demand;
    double power;
    int order;
    double most;
    const double *summands;
};

/* What the product of an exponent with the power may round off in double, averaged over weights:
 * units of v (Eq. 20a). In float32 that product is exact. */
static double exponent_rounding(const struct shepard_accuracy_demand *demand)
{
    return 1.39 * (log2(demand->charges) + 1. / 3);
}

/* Up to this sum of charges, weights below 2^-126 of the largest come to nothing. */
#define FAST_CHARGES 0x1p80

/* Rounding of sums over points (Eq. 20b and 25). */
static double pair_rounding(const struct shepard_accuracy_demand *demand, bool single)
{
    const double lambda = demand->power_max / 2;
    if (single)
        return ((23 + 1.9 + demand->logarithm) * lambda / 2 + 2.5 + 21) * 0x1p-24;
    return ((23 + 1.4) * lambda / 2 + 3 + 66 + exponent_rounding(demand) / 2) * 0x1p-53;
}

double shepard_accuracy_fast_rounding(const struct shepard_accuracy_demand *demand)
{
    const double lambda = demand->power_max / 2;
    return ((93 * lambda + 46) / 2 + exponent_rounding(demand) + 21) * 0x1p-24;
}

/* Rounding of an expansion relative to its node's own weight, units of u: of the weight at the
 * centre, which numerator and denominator share, and for each degree l of the terms (Eq. 33). */
struct node_errors {
    double u, common, per_degree, base;
};

static struct node_errors node_errors_of(const struct shepard_accuracy_demand *demand, bool single,
                                         double spread)
{
    const double lambda = demand->power_max / 2;
    if (single && demand->local)
        return (struct node_errors){0x1p-24, 12, demand->smooth ? 13 : 10,
                                    demand->smooth ? 43 : 36};
    if (single && demand->logarithm > 0)
        return (struct node_errors){0x1p-24, (12.9 + demand->logarithm) * lambda + 5,
                                    demand->smooth ? 18.5 : 21, demand->smooth ? 17 : 13};
    if (single)
        return (struct node_errors){0x1p-24, (8.9 + demand->logarithm) * lambda + 5,
                                    demand->smooth ? 14 : 17, 6};
    const double common = 8.3 * lambda + 2 + exponent_rounding(demand) + 1.39 * log2(spread);
    if (demand->smooth && demand->summed)
        return (struct node_errors){0x1p-53, common, 14.5, 9};
    if (demand->smooth)
        return (struct node_errors){0x1p-53, common, 19, 6};
    return (struct node_errors){0x1p-53, common, 16, 11};
}

/* Gegenbauer's C_l at 3 / sqrt 8, step by step. */
struct gegenbauer {
    double now, before;
};

#define GEGENBAUER_AT 1.0606601717798213

static void raise(struct gegenbauer *c, double power, int l)
{
    const double next =
        (2 * GEGENBAUER_AT * (power / 2 + l) * c->now - (power + l - 1) * c->before) / (l + 1);
    c->before = c->now;
    c->now = next;
}

/* Rounding of moments that are computed and stored in double, units of v (Eq. 33c). Moments stored
 * in float32: rounding there is far larger. */
static double moment_errors(const struct shepard_accuracy_demand *demand, double power, int order,
                            double t)
{
    const double levels =
        demand->levels > 0 ? demand->levels : fmax(log2(demand->points / 16), 0) + 1;
    struct gegenbauer c = {1, 0};
    double sum = 0, term = 1, most = 1;
    for (int l = 0; l <= order; l++) {
        const double size = demand->smooth ? most * sqrt(l + 1) * exp2(l / 2.) : c.now;
        sum += size * term * (levels * (6 * l + 3) + 17);
        term *= SHEPARD_ACCURACY_RATIO * t;
        most *= (power + l) / (l + 1);
        raise(&c, power, l);
    }
    return sum;
}

double shepard_accuracy_summands(double power, int l)
{
    double sum = 0;
    for (int k = 0; 2 * k <= l; k++) {
        const int m = l - 2 * k;
        sum += (m > 0 ? 2 : 1) * shepard_rising_over(power / 2, m + k) *
               shepard_rising_over(power / 2, k) * fmax(1, exp2(m / 2. - 1));
    }
    return sum / shepard_rising_over(power, l);
}

/* Over C_l(1), what the sizes of all that is summed to factors of degree l with smoothing come to:
 * of the factors themselves (Eq. 33a), or of their summands. */
static double smooth_size(const struct ratio_search *search, bool summands, int l)
{
    return summands ? search->summands[l] : sqrt(l + 1);
}

static double node_rounding(const struct ratio_search *search, bool single, double t)
{
    const struct shepard_accuracy_demand *demand = search->demand;
    const double power = search->power;
    const int order = search->order;
    const double spread = pow(1 - fmin(t, 0.9), -power);
    const struct node_errors e = node_errors_of(demand, single, spread);
    const double stored = demand->single_moments ? 0x1p-24 : 0x1p-53;
    double sum = demand->single_moments ? 0 : 0x1p-53 * moment_errors(demand, power, order, t);
    double term = 1;
    for (int l = 0; l <= order; l++) {
        const double size = demand->smooth ? smooth_size(search, single || demand->summed, l) : 1;
        const double moments = demand->smooth ? smooth_size(search, false, l) : 1;
        sum += term * (size * (e.per_degree * l + e.base) * e.u + moments * stored);
        term *= (power + l) / (l + 1) * t;
    }
    return e.common * e.u / 2 + sum * pow(1 + t, power);
}

/* Bound of the sum of dropped degrees over the first of them (Eq. 29); at most 20. */
static double tail(double power, int order, double t)
{
    const double g = fmax(1, (order + 1 + power) / (order + 2)) * SHEPARD_ACCURACY_RATIO;
    return g * t < RATIO_MAX ? 1 / (1 - g * t) : INFINITY;
}

/* Rounding of the polynomials of at most 8 nodes a side, of sums with them, and of the unit of
 * weights: 1 / 2 of the units of u in a weight. */
static double grid_rounding(const struct shepard_accuracy_demand *demand)
{
    return (60 + demand->power_max) * 0x1p-53;
}

/* What interpolation makes of rounding at the nodes of a grid; 0 without interpolation. */
static double magnified(const struct shepard_accuracy_demand *demand, double rounding)
{
    return demand->magnified > 1 ? demand->magnified * (rounding + grid_rounding(demand)) : 0;
}

/* Bound of the dropped degrees over the least weight of a node (Eq. 31), or over the weight of each
 * of its points (Eq. 35a). */
static double dropped(const struct ratio_search *search, double t)
{
    const double power = search->power;
    const double first = shepard_rising_over(power, search->order + 1) * pow(t, search->order + 1);
    if (search->demand->relative)
        return first * pow(1 + t, fmax(power - 1, 1)) * pow(1 - t, fmin(power - 2, 0));
    return first * tail(power, search->order, t) * pow(1 + t, power);
}

/* What must not be above 1, as functions that rise with t. */
typedef double excess(const struct ratio_search *search, double t);

static double excess_of_rounding(const struct ratio_search *search, double t)
{
    const struct shepard_accuracy_demand *demand = search->demand;
    if (!(tail(search->power, search->order, t) < INFINITY))
        return INFINITY;
    const double own = node_rounding(search, demand->single_nodes, t);
    if (demand->magnified <= 1)
        return own / search->most;
    const double on_grid = magnified(demand, node_rounding(search, demand->single_grid, t));
    return fmax(own, on_grid) / search->most;
}

static double relative_excess(const struct ratio_search *search, double t)
{
    return dropped(search, t) / search->most;
}

/* A t and the log2 of its excess. */
struct tried {
    double t, log2_excess;
};

static struct tried try_at(const struct ratio_search *search, excess *of, double t)
{
    return (struct tried){t, log2(of(search, t))};
}

/* Where a power of t through two that were tried is a little below 1; in the middle where one of
 * them has no bound. */
static double between(const struct tried *low, const struct tried *high)
{
    const double aim = -LARGEST_EXACT / 2;
    const double part = (aim - low->log2_excess) / (high->log2_excess - low->log2_excess);
    return low->t * pow(high->t / low->t, part > 0 ? part : 0.5);
}

/* The largest t in (0, T_MAX] whose excess is at most 1, or one that is little smaller; 0: there is
 * none. By the Illinois algorithm: an end that stays counts half from then on. */
static double largest(const struct ratio_search *search, excess *of)
{
    struct tried high = try_at(search, of, T_MAX), low = high, *replaced = NULL;
    while (!(low.log2_excess <= 0)) {
        high = low;
        low = try_at(search, of, low.t / 4);
        if (low.t < T_LEAST)
            return 0;
    }
    bool exact = low.log2_excess >= -LARGEST_EXACT;
    while (!exact && low.t < high.t * (1 - LARGEST_EXACT)) {
        const struct tried next = try_at(search, of, between(&low, &high));
        const bool good = next.log2_excess <= 0;
        struct tried *const end = good ? &low : &high, *const other = good ? &high : &low;
        if (end == replaced)
            other->log2_excess /= 2;
        *end = next;
        replaced = end;
        exact = good && next.log2_excess >= -LARGEST_EXACT;
    }
    return low.t;
}

/* Orders of use at a tolerance: a measured choice, not part of the proof. */
static int orders_for(const struct shepard_accuracy_demand *demand)
{
    const int bearable = demand->single ? 7 : SHEPARD_ORDERS_MAX;
    const int most =
        demand->orders_max > 0 && demand->orders_max < bearable ? demand->orders_max : bearable;
    const int wanted = (int)ceil(1 + 1.2 * -log10(demand->eps));
    return wanted < most ? wanted : most;
}

/* Bounds of errors: of rounding, relative to a node's own weight, relative to the sum of all
 * weights. */
struct allowance {
    double rounding, relative, absolute;
};

bool shepard_mac_affords(const struct shepard_accuracy_demand *demand)
{
    return pair_rounding(demand, demand->single) <= 0.5 * BUDGET * demand->eps;
}

/* The part of the tolerance that is for rounding, where points do not need more. */
static double rounding_part(const struct shepard_accuracy_demand *demand)
{
    return ROUNDING_PART * BUDGET * demand->eps;
}

static double rounding_of(const struct shepard_accuracy_demand *demand)
{
    return fmax(pair_rounding(demand, demand->single), rounding_part(demand));
}

bool shepard_accuracy_bears_fast(const struct shepard_accuracy_demand *demand)
{
    return demand->single && demand->charges <= FAST_CHARGES &&
           shepard_accuracy_fast_rounding(demand) <= rounding_part(demand);
}

double shepard_accuracy_interpolation(const struct shepard_accuracy_demand *demand)
{
    return INTERPOLATION_PART * (BUDGET * demand->eps - rounding_of(demand));
}

bool shepard_accuracy_bears(const struct shepard_accuracy_demand *demand)
{
    return magnified(demand, pair_rounding(demand, demand->single_grid)) <= rounding_of(demand);
}

/* Of what rounding leaves, the part for errors relative to a node's own weight. Where the power is
 * low, far nodes weigh much, and would use up what all share. Measured, not part of the proof. */
static double relative_part(const struct shepard_accuracy_demand *demand)
{
    if (demand->power < demand->power_max)
        return 0.7;
    return fmin(fmax(0.9 - (demand->power - 3), 0.4), 0.9);
}

static struct allowance allow(const struct shepard_accuracy_demand *demand)
{
    if (demand->relative)
        return (struct allowance){demand->eps, demand->eps, 0};
    const double rounding = rounding_of(demand);
    const double rest = BUDGET * demand->eps - rounding;
    assert(rest > 0);
    const double truncation =
        demand->magnified > 1 ? (rest - shepard_accuracy_interpolation(demand)) / demand->magnified
                              : rest;
    const double relative = relative_part(demand);
    return (struct allowance){rounding, relative * truncation, (1 - relative) * truncation};
}

static void set_part(const struct shepard_accuracy_demand *demand,
                     const struct allowance *allowance, int part, struct shepard_accuracy *accuracy)
{
    const double power = (double)accuracy->power[part + 1] * (1 + 0x1p-23);
    double summands[DEGREES];
    for (int l = 0; demand->smooth && l <= SHEPARD_ORDER(accuracy->orders - 1); l++)
        summands[l] = shepard_accuracy_summands(power, l);
    for (int o = 0; o < accuracy->orders; o++) {
        struct ratio_search search = {demand, power, SHEPARD_ORDER(o), allowance->rounding,
                                      summands};
        const double t = largest(&search, excess_of_rounding);
        search.most = allowance->relative;
        const double relative = fmin(t, largest(&search, relative_excess));
        accuracy->limit[part][o] = (float)(log2(t) - SHEPARD_ACCURACY_MARGIN);
        /* As these are found, and by rounding, it may rise a little. */
        accuracy->relative[part][o] = fminf((float)(log2(relative) - SHEPARD_ACCURACY_MARGIN),
                                            part > 0 ? accuracy->relative[part - 1][o] : INFINITY);
        accuracy->factor[part][o] = (float)log2(shepard_rising_over(power, search.order + 1) *
                                                tail(power, search.order, t));
    }
}

/* What a quick look at a node goes by (docs/math/far-field.md, Eq. 32a). Orders that are not of use
 * have zeros. */
static void set_quick(struct shepard_accuracy *accuracy)
{
    const int last = accuracy->parts - 1;
    accuracy->light = -INFINITY;
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++) {
        const double relative = (double)accuracy->relative[last][o];
        const double limit = (double)accuracy->limit[last][o];
        const double error = (double)accuracy->factor[last][o] + (SHEPARD_ORDER(o) + 1) * relative;
        accuracy->relative_ratio2[o] = (float)(exp2(-2 * relative) * (1 + 0x1p-20));
        accuracy->limit_ratio2[o] = (float)(exp2(-2 * limit) * (1 - 0x1p-16));
        if (relative < limit)
            accuracy->light = fmaxf(accuracy->light,
                                    (float)((double)accuracy->absolute - SHEPARD_BUDGET_PART_LOG2 -
                                            error + SHEPARD_ACCURACY_MARGIN));
    }
}

void shepard_accuracy_set(const struct shepard_accuracy_demand *demand,
                          struct shepard_accuracy *accuracy)
{
    const struct allowance allowance = allow(demand);
    *accuracy = (struct shepard_accuracy){.orders = orders_for(demand)};
    accuracy->parts = demand->power < demand->power_max ? SHEPARD_ACCURACY_PARTS : 1;
    for (int i = 0; i <= accuracy->parts; i++)
        accuracy->power[i] =
            (float)(demand->power + (demand->power_max - demand->power) * i / accuracy->parts);
    for (int i = 0; i < accuracy->parts; i++)
        set_part(demand, &allowance, i, accuracy);
    accuracy->own = (float)allowance.relative;
    accuracy->absolute = (float)(log2(allowance.absolute) - SHEPARD_ACCURACY_MARGIN);
    accuracy->budget = (float)exp2((double)accuracy->absolute);
    set_quick(accuracy);
}

bool shepard_accuracy_holds_for(const struct shepard_accuracy *accuracy, double power)
{
    const double rounding = 0x1p-22 * power + 0x1p-126;
    return power >= (double)accuracy->power[0] - rounding &&
           power <= (double)accuracy->power[accuracy->parts] + rounding;
}

double shepard_accuracy_weight_rounding(double power)
{
    return ((22 + 1.9) * power / 2 + 5 + 1) * 0x1p-24;
}

/* Of a node with this t, whose terms of degrees 0 and 1 are in double (Eq. 36c). */
static double plane_node_rounding(double power, int order, double t)
{
    double sum = 0, term = power * t;
    for (int l = 2; l <= order; l++) {
        term *= (power + l - 1) / l * t;
        sum += term * (l + 5.5 + (l + 1) * (l + 2) / 2.);
    }
    return sum * pow(1 + t, power) * 0x1p-24;
}

double shepard_accuracy_plane_rounding(const struct shepard_accuracy *accuracy)
{
    double most = 0;
    for (int part = 0; part < accuracy->parts; part++)
        for (int o = 0; o < accuracy->orders; o++)
            most =
                fmax(most, plane_node_rounding((double)accuracy->power[part + 1], SHEPARD_ORDER(o),
                                               exp2((double)accuracy->relative[part][o])));
    return most;
}

bool shepard_accuracy_rounds(const struct shepard_accuracy *accuracy)
{
    const int o = accuracy->orders - 1;
    for (int i = 0; i < accuracy->parts; i++)
        if (accuracy->relative[i][o] >= accuracy->limit[i][o])
            return true;
    return false;
}
