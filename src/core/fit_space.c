/* SPDX-License-Identifier: MIT */
#include "core/fit_space.h"

#include "base/arithmetic.h"

#include <math.h>

#define P_MIN 0.2
#define P_MAX 1.95
#define LN_NUGGET_MIN (-14)
#define LN_NUGGET_MAX 5
#define LN_RATIO_MAX 3
/* Lengths of 0 and more than all doubles are kept out, and ratios that options do not take. */
#define LN_MAX 30
#define LN_RATIO_LIMIT 13

/* A linear semivariance is that of a covariance 1 - h / a with a range far beyond the data, in
 * diagonals of their box. */
#define LINEAR_RANGE 10

/* ---- what is given --------------------------------------------------------------------------- */

static bool is_given(double a)
{
    return !isnan(a);
}

static bool is_linear(const struct shepard_fit_space *space)
{
    return space->covariance == SHEPARD_COVARIANCE_LINEAR;
}

/* Whether the sill without nugget, of a linear one the slope, is given. */
static bool holds_sill(const struct shepard_fit_space *space)
{
    return is_given(space->psill) && (is_given(space->range) || !is_linear(space));
}

/* Whether the part of the nugget is given. */
static bool holds_nugget_ratio(const struct shepard_fit_space *space)
{
    return space->nugget == 0 || (is_given(space->nugget) && holds_sill(space));
}

bool shepard_fit_space_has(const struct shepard_fit_space *space, enum shepard_fit_axis axis)
{
    switch (axis) {
    case SHEPARD_FIT_LN_RANGE:
        return !is_given(space->range) && !is_linear(space);
    case SHEPARD_FIT_LN_NUGGET:
        return !holds_nugget_ratio(space);
    case SHEPARD_FIT_P:
        return space->covariance == SHEPARD_COVARIANCE_STABLE && !is_given(space->p);
    case SHEPARD_FIT_STRETCH:
        return !is_given(space->ln_ratio);
    default:
        return !is_given(space->ln_ratio) && !is_given(space->angle);
    }
}

void shepard_fit_space_start(const struct shepard_fit_space *space, double *at)
{
    for (int axis = 0; axis < SHEPARD_FIT_AXES; axis++)
        at[axis] = 0;
    at[SHEPARD_FIT_P] =
        space->covariance == SHEPARD_COVARIANCE_STABLE && is_given(space->p) ? space->p : 1;
}

/* ---- the covariance -------------------------------------------------------------------------- */

double shepard_fit_space_ln_ratio(const struct shepard_fit_space *space, const double *at)
{
    if (is_given(space->ln_ratio))
        return space->ln_ratio;
    if (is_given(space->angle))
        return shepard_clamp(at[SHEPARD_FIT_STRETCH], -LN_RATIO_LIMIT, LN_RATIO_LIMIT);
    const double length = hypot(at[SHEPARD_FIT_STRETCH], at[SHEPARD_FIT_STRETCH_ACROSS]);
    return shepard_clamp(length, 0, LN_RATIO_LIMIT);
}

double shepard_fit_space_direction(const struct shepard_fit_space *space, const double *at)
{
    return is_given(space->angle)
               ? space->angle
               : atan2(at[SHEPARD_FIT_STRETCH_ACROSS], at[SHEPARD_FIT_STRETCH]) / 2;
}

/* ln a, of a circle of the same area. */
static double ln_range_at(const struct shepard_fit_space *space, const double *at)
{
    if (is_linear(space))
        return log(LINEAR_RANGE * space->diagonal);
    if (is_given(space->range))
        return log(space->range) - shepard_fit_space_ln_ratio(space, at) / 2;
    return at[SHEPARD_FIT_LN_RANGE];
}

double shepard_fit_space_range(const struct shepard_fit_space *space, const double *at)
{
    return exp(shepard_clamp(ln_range_at(space, at), -LN_MAX, LN_MAX)) *
           exp(shepard_fit_space_ln_ratio(space, at) / 2);
}

/* The sill given, of a linear one that at the range of the place. */
static double sill_given(const struct shepard_fit_space *space, const double *at)
{
    return is_linear(space) ? space->psill * (shepard_fit_space_range(space, at) / space->range)
                            : space->psill;
}

static double nugget_ratio_at(const struct shepard_fit_space *space, const double *at)
{
    if (space->nugget == 0)
        return 0;
    if (holds_nugget_ratio(space))
        return space->nugget / sill_given(space, at);
    return exp(shepard_clamp(at[SHEPARD_FIT_LN_NUGGET], -LN_MAX, LN_MAX));
}

/* The area of a circle is kept. */
struct shepard_covariance_shape shepard_fit_space_shape(const struct shepard_fit_space *space,
                                                        const double *at)
{
    const double a = exp(shepard_clamp(ln_range_at(space, at), -LN_MAX, LN_MAX));
    const double root = exp(shepard_fit_space_ln_ratio(space, at) / 2);
    const double angle = shepard_fit_space_direction(space, at);
    const double cosine = cos(angle), sine = sin(angle);
    return (struct shepard_covariance_shape){
        .ux = cosine / (root * a),
        .uy = sine / (root * a),
        .vx = -sine * root / a,
        .vy = cosine * root / a,
        .wz = root / a,
        .covariance = space->covariance,
        .p = is_given(space->p) ? space->p : shepard_clamp(at[SHEPARD_FIT_P], P_MIN, P_MAX),
        .nugget = nugget_ratio_at(space, at)};
}

struct shepard_likelihood_known shepard_fit_space_known(const struct shepard_fit_space *space,
                                                        const double *at)
{
    struct shepard_likelihood_known known = {.mean = space->mean, .sill = NAN};
    if (holds_sill(space))
        known.sill = sill_given(space, at);
    else if (space->nugget > 0)
        known.sill = space->nugget / nugget_ratio_at(space, at);
    return known;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static double square_above(double a, double limit)
{
    return a > limit ? (a - limit) * (a - limit) : 0;
}

double shepard_fit_space_penalty(const struct shepard_fit_space *space, const double *at)
{
    const double ratio = fabs(shepard_fit_space_ln_ratio(space, at)), p = at[SHEPARD_FIT_P] - 1;
    const double range = ln_range_at(space, at);
    return 0.05 * p * p + square_above(at[SHEPARD_FIT_P], P_MAX) +
           square_above(-at[SHEPARD_FIT_P], -P_MIN) + 0.002 * ratio * ratio +
           square_above(ratio, LN_RATIO_MAX) + 0.002 * square_above(range, log(4)) +
           0.002 * square_above(-range, -log(space->spacing / 2)) +
           square_above(at[SHEPARD_FIT_LN_NUGGET], LN_NUGGET_MAX) +
           square_above(-at[SHEPARD_FIT_LN_NUGGET], -LN_NUGGET_MIN);
}
