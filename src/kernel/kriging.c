/* SPDX-License-Identifier: MIT */
/* Systems of kriging by Cholesky, a vector of them at once. Compiled once for each instruction set.
 * A lane's results depend on nothing but its own system. */
#include "kernel/drift.h"
#include "kernel/kernels.h"
#include "kernel/math.h"

/* log2(e) */
#define LOG2E 1.4426950408889634074

/* The least eigenvalue of a plane's equations, as a part of the other. */
#define PLANE_SPREAD 1e-6

/* Of one vector of lanes. */
struct kriging_lanes {
    const struct shepard_variogram *variogram;
    struct shepard_kriging_batch *batch;
    size_t first;    /* lane */
    size_t m, extra; /* rows of increments, and behind them */
    vd *row;         /* the lower triangle, row by row; of the factor when it is done */
    vd *from_base;   /* [m] semivariances between the base and the points */
    vd *inverse;     /* [m] of the factor's diagonal */
};

static inline vd *kriging_row(const struct kriging_lanes *lanes, size_t i)
{
    return lanes->row + i * (i + 1) / 2;
}

/* 1 - 2^a, a <= 0, to nearly full relative precision: near 0 nothing is subtracted from 1. */
static inline vd kriging_one_less_exp2(vd a)
{
    static const double terms[] = {VD_EXP2_TERMS};
    const vd held = vd_max(a, vd_all(-1023));
    const vd whole = vd_round(held);
    const vd r = held - whole;
    vd p;
    VD_POLYNOMIALS(terms, &r, &p, 1, true);
    const vd scale = (vd)((vl_of(whole) + 1023) << 52);
    return (1 - scale) - scale * (p * r);
}

/* 1 - (1 + h) e^-h. Below 1/4 by its series, sum of (-1)^n (n - 1) / n! h^n: the terms left out are
 * below 2^-60 of the sum. */
static inline vd kriging_matern32(vd h)
{
    vd series = h * (-12.0 / 6227020800.0) + 11.0 / 479001600.0;
    series = series * h + -10.0 / 39916800.0;
    series = series * h + 9.0 / 3628800.0;
    series = series * h + -8.0 / 362880.0;
    series = series * h + 7.0 / 40320.0;
    series = series * h + -6.0 / 5040.0;
    series = series * h + 5.0 / 720.0;
    series = series * h + -4.0 / 120.0;
    series = series * h + 3.0 / 24.0;
    series = series * h + -2.0 / 6.0;
    series = series * h + 1.0 / 2.0;
    const vd held = vd_select((vl)(h > 1100), vd_all(1100), h);
    const vd less = kriging_one_less_exp2(held * -LOG2E);
    return vd_select((vl)(h < 0.25), series * h * h, less - held * (1 - less));
}

/* h^p, h >= 0, p in (0, 2], at most 2^60. */
static inline vd kriging_power(vd h, double p)
{
    const vd least = vd_all(0x1p-1000), most = vd_all(60);
    const vd log2_power = vd_log2(vd_max(h, least)) * p;
    const vd held = vd_select((vl)(log2_power > most), most, log2_power);
    return vd_select((vl)(h > least), vd_exp2(held), vd_all(0));
}

/* Of two points, or of a point and a target, at this squared distance. */
static inline __attribute__((always_inline)) vd
kriging_semivariance(const struct shepard_variogram *variogram, enum shepard_covariance covariance,
                     vd d2)
{
    const vd h = vd_sqrt(d2) * variogram->unit;
    vd rise = h;
    switch (covariance) {
    case SHEPARD_COVARIANCE_STABLE:
        rise = kriging_one_less_exp2(kriging_power(h, variogram->p) * -LOG2E);
        break;
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        rise = kriging_one_less_exp2(h * -LOG2E);
        break;
    case SHEPARD_COVARIANCE_SPHERICAL:
        rise = vd_select((vl)(h < 1), h * (1.5 - 0.5 * h * h), vd_all(1));
        break;
    case SHEPARD_COVARIANCE_MATERN32:
        rise = kriging_matern32(h);
        break;
    case SHEPARD_COVARIANCE_GAUSSIAN:
        rise = kriging_one_less_exp2(h * h * -LOG2E);
        break;
    case SHEPARD_COVARIANCE_LINEAR:
        break;
    }
    return rise * variogram->structure + variogram->nugget;
}

/* Lanes that have row i. */
static inline vl kriging_has(const struct kriging_lanes *lanes, size_t i)
{
    return (vl)(vd_load(lanes->batch->increments + lanes->first) > vd_all((double)i));
}

static inline vd kriging_keep(vl mask, vd a)
{
    return (vd)(mask & (vl)a);
}

/* The target's row (Eq. 57) and the plane's: what a target far away has in common with the base is
 * not subtracted. base: semivariance between the target and the base. */
static inline __attribute__((always_inline)) void
kriging_fill_target(const struct kriging_lanes *lanes, enum shepard_covariance covariance, vd base)
{
    const struct shepard_variogram *variogram = lanes->variogram;
    const struct shepard_kriging_batch *batch = lanes->batch;
    const size_t m = lanes->m, at = lanes->first;
    const vd tx = vd_load(batch->target_x + at), ty = vd_load(batch->target_y + at);
    const vd simple = vd_all(variogram->simple ? 1 : 0), d2 = tx * tx + ty * ty;
    vd *b = kriging_row(lanes, m), *along = kriging_row(lanes, m + 1);
    vd *across = kriging_row(lanes, m + 2);
    for (size_t i = 0; i < m; i++) {
        const vd x = vd_load(batch->x[i] + at), y = vd_load(batch->y[i] + at);
        const vd dx = tx - x, dy = ty - y, d2_point = dx * dx + dy * dy;
        const vd own = lanes->from_base[i];
        vd nearer = base - kriging_semivariance(variogram, covariance, d2_point);
        if (covariance == SHEPARD_COVARIANCE_LINEAR)
            nearer = (x * (tx + dx) + y * (ty + dy)) / (vd_sqrt(d2) + vd_sqrt(d2_point)) *
                     (variogram->structure * variogram->unit);
        const vl has = kriging_has(lanes, i);
        b[i] = kriging_keep(has, nearer + own - simple * base * own);
        if (lanes->extra > 1) {
            along[i] = kriging_keep(has, x);
            across[i] = kriging_keep(has, y);
        }
    }
    b[m] = 2 * base - simple * base * base;
    if (lanes->extra > 1) {
        along[m] = tx;
        across[m] = ty;
        along[m + 1] = across[m + 1] = across[m + 2] = vd_all(0);
    }
}

/* Covariances of the increments (Eq. 56). */
static inline __attribute__((always_inline)) void kriging_fill(const struct kriging_lanes *lanes,
                                                               enum shepard_covariance covariance)
{
    const struct shepard_variogram *variogram = lanes->variogram;
    const struct shepard_kriging_batch *batch = lanes->batch;
    const size_t m = lanes->m, at = lanes->first;
    const vd simple = vd_all(variogram->simple ? 1 : 0);
    for (size_t i = 0; i < m; i++) {
        const vd x = vd_load(batch->x[i] + at), y = vd_load(batch->y[i] + at);
        const vd own = kriging_semivariance(variogram, covariance, x * x + y * y);
        const vl has = kriging_has(lanes, i);
        vd *row = kriging_row(lanes, i);
        lanes->from_base[i] = own;
        for (size_t j = 0; j < i; j++) {
            const vd dx = x - vd_load(batch->x[j] + at), dy = y - vd_load(batch->y[j] + at);
            const vd other = lanes->from_base[j];
            const vd between = kriging_semivariance(variogram, covariance, dx * dx + dy * dy);
            row[j] = kriging_keep(has, own - between + other - simple * own * other);
        }
        row[i] = vd_select(has, 2 * own - simple * own * own, vd_all(1));
    }
}

/* Cholesky's factor in place of the rows; of those behind the increments what is left of their
 * products (Eq. 58). Returns the least pivot; -1 where one is not above 0. */
static inline vd kriging_factor(const struct kriging_lanes *lanes)
{
    const size_t m = lanes->m, rows = m + lanes->extra;
    vd least = vd_all(INFINITY);
    for (size_t j = 0; j < m; j++) {
        const vd pivot = kriging_row(lanes, j)[j];
        const vd own = vd_select(kriging_has(lanes, j), pivot, vd_all(INFINITY));
        least = vd_select((vl)(own >= least), least, vd_select((vl)(own > 0), own, vd_all(-1)));
        const vd inverse = 1 / vd_sqrt(pivot);
        lanes->inverse[j] = inverse;
        for (size_t i = j + 1; i < rows; i++) {
            vd *row = kriging_row(lanes, i);
            const vd l = row[j] *= inverse;
            for (size_t c = j + 1; c <= i; c++)
                row[c] -= l * kriging_row(lanes, c)[j];
        }
    }
    return least;
}

/* A^+ q of the plane (Eq. 59), in every lane: beta replaces q. Returns the lesser eigenvalue of A
 * over the greater; *rank: of A. */
static vd kriging_solve_plane(const struct kriging_lanes *lanes, vd q[2], vd *rank)
{
    const vd *along = kriging_row(lanes, lanes->m + 1), *across = kriging_row(lanes, lanes->m + 2);
    const size_t m = lanes->m;
    double x[LANES_D], y[LANES_D], spread[LANES_D], ranks[LANES_D];
    for (size_t v = 0; v < LANES_D; v++) {
        const struct shepard_drift drift = {-along[m + 1][v], -across[m + 1][v], -across[m + 2][v]};
        const long double own[2] = {q[0][v], q[1][v]};
        long double beta[2];
        const long double part = shepard_drift_solve(&drift, own, beta);
        spread[v] = (double)part;
        ranks[v] = part > SHEPARD_DRIFT_SINGULAR ? 2 : drift.xx + drift.yy > 0;
        x[v] = (double)beta[0];
        y[v] = (double)beta[1];
    }
    q[0] = vd_load(x);
    q[1] = vd_load(y);
    *rank = vd_load(ranks);
    return vd_load(spread);
}

/* Adds to the target's row what the plane needs to be reproduced (Eq. 59). Double is not enough for
 * points as near to a line as that. */
static void kriging_add_plane(const struct kriging_lanes *lanes, vd *least)
{
    const size_t m = lanes->m;
    vd *b = kriging_row(lanes, m), *along = kriging_row(lanes, m + 1);
    vd *across = kriging_row(lanes, m + 2), beta[2] = {along[m], across[m]}, rank;
    const vd spread = kriging_solve_plane(lanes, beta, &rank);
    *least = vd_select((vl)(spread < vd_all(PLANE_SPREAD)), vd_all(-1), *least);
    b[m] += beta[0] * along[m] + beta[1] * across[m];
    for (size_t i = 0; i < m; i++)
        b[i] += beta[0] * along[i] + beta[1] * across[i];
}

/* Squares of a column's values about their mean (Eq. 59a); y [m]: those values. */
static vd kriging_squares(const struct kriging_lanes *lanes, vd base, vd *y)
{
    const vd simple = vd_all(lanes->variogram->simple ? 1 : 0);
    vd squares = simple * base * base;
    for (size_t i = 0; i < lanes->m; i++) {
        const vd *row = kriging_row(lanes, i);
        vd own = y[i] + kriging_keep(kriging_has(lanes, i), simple * base * lanes->from_base[i]);
        for (size_t j = 0; j < i; j++)
            own -= row[j] * y[j];
        y[i] = own * lanes->inverse[i];
        squares += y[i] * y[i];
    }
    return squares;
}

/* What of them a plane explains; *rank: how many of its slopes. */
static vd kriging_plane_squares(const struct kriging_lanes *lanes, const vd *y, vd *rank)
{
    const vd *along = kriging_row(lanes, lanes->m + 1), *across = kriging_row(lanes, lanes->m + 2);
    vd q[2] = {vd_all(0), vd_all(0)};
    for (size_t i = 0; i < lanes->m; i++) {
        q[0] += along[i] * y[i];
        q[1] += across[i] * y[i];
    }
    vd beta[2] = {q[0], q[1]};
    kriging_solve_plane(lanes, beta, rank);
    return beta[0] * q[0] + beta[1] * q[1];
}

/* Before the target's row becomes weights: the factor is used. */
static void kriging_measure(const struct kriging_lanes *lanes)
{
    struct shepard_kriging_batch *batch = lanes->batch;
    const size_t at = lanes->first, stride = SHEPARD_KRIGING_LANES;
    vd y[SHEPARD_KRIGING_INCREMENTS], rank = vd_all(0);
    for (size_t c = 0; c < batch->columns; c++) {
        const double *values = batch->values + c * (SHEPARD_KRIGING_INCREMENTS + 1) * stride + at;
        for (size_t i = 0; i < lanes->m; i++)
            y[i] = vd_load(values + (i + 1) * stride);
        vd squares = kriging_squares(lanes, vd_load(values), y);
        if (lanes->extra > 1)
            squares -= kriging_plane_squares(lanes, y, &rank);
        vd_store(batch->squares + c * stride + at, vd_max(squares, vd_all(0)));
    }
    vd_store(batch->freedom + at,
             vd_load(batch->increments + at) - rank + vd_all(lanes->variogram->simple ? 1 : 0));
}

/* From the factor to weights, which replace the target's row. */
static inline void kriging_substitute(const struct kriging_lanes *lanes)
{
    vd *b = kriging_row(lanes, lanes->m);
    for (size_t j = lanes->m; j-- > 0;) {
        const vd *row = kriging_row(lanes, j), weight = b[j] * lanes->inverse[j];
        b[j] = weight;
        for (size_t i = 0; i < j; i++)
            b[i] -= row[i] * weight;
    }
}

/* The largest semivariance from the base; a linear one of the target is not subtracted from
 * anything. */
static inline vd kriging_largest(const struct kriging_lanes *lanes, vd target)
{
    const bool linear = lanes->variogram->covariance == SHEPARD_COVARIANCE_LINEAR;
    vd largest = linear ? vd_all(0) : target;
    for (size_t i = 0; i < lanes->m; i++)
        largest = vd_max(largest, kriging_keep(kriging_has(lanes, i), lanes->from_base[i]));
    return largest;
}

static inline void kriging_put(const struct kriging_lanes *lanes, vd base, vd least)
{
    struct shepard_kriging_batch *batch = lanes->batch;
    const vd *b = kriging_row(lanes, lanes->m);
    const size_t at = lanes->first;
    vd sum = vd_all(0), known = -base;
    for (size_t i = 0; i < lanes->m; i++) {
        sum += b[i];
        known += b[i] * kriging_keep(kriging_has(lanes, i), lanes->from_base[i]);
        vd_store(batch->weight[i] + at, b[i]);
    }
    known *= vd_all(lanes->variogram->simple ? 1 : 0);
    vd_store(batch->base_weight + at, 1 - sum + known);
    vd_store(batch->mean_weight + at, -known);
    vd_store(batch->variance + at, b[lanes->m]);
    vd_store(batch->pivot + at, least);
    vd_store(batch->largest + at, kriging_largest(lanes, base));
}

static inline __attribute__((always_inline)) void
kriging_solve_lanes(const struct kriging_lanes *lanes, enum shepard_covariance covariance)
{
    const struct shepard_kriging_batch *batch = lanes->batch;
    const vd tx = vd_load(batch->target_x + lanes->first);
    const vd ty = vd_load(batch->target_y + lanes->first);
    const vd base = kriging_semivariance(lanes->variogram, covariance, tx * tx + ty * ty);
    kriging_fill(lanes, covariance);
    kriging_fill_target(lanes, covariance, base);
    vd least = kriging_factor(lanes);
    if (lanes->extra > 1)
        kriging_add_plane(lanes, &least);
    if (batch->columns > 0)
        kriging_measure(lanes);
    kriging_substitute(lanes);
    kriging_put(lanes, base, least);
}

static void kriging_solve(const struct shepard_variogram *variogram,
                          struct shepard_kriging_batch *batch)
{
    vd *room = (vd *)(void *)batch->room;
    for (size_t first = 0; first < SHEPARD_KRIGING_LANES; first += LANES_D) {
        const struct kriging_lanes lanes = {.variogram = variogram,
                                            .batch = batch,
                                            .first = first,
                                            .m = batch->most,
                                            .extra = variogram->universal ? 3 : 1,
                                            .from_base = room,
                                            .inverse = room + SHEPARD_KRIGING_ROWS,
                                            .row = room + 2 * SHEPARD_KRIGING_ROWS};
        switch (variogram->covariance) {
#define SOLVE(covariance)                                                                          \
    case covariance:                                                                               \
        kriging_solve_lanes(&lanes, covariance);                                                   \
        break;
            SOLVE(SHEPARD_COVARIANCE_STABLE)
            SOLVE(SHEPARD_COVARIANCE_EXPONENTIAL)
            SOLVE(SHEPARD_COVARIANCE_SPHERICAL)
            SOLVE(SHEPARD_COVARIANCE_MATERN32)
            SOLVE(SHEPARD_COVARIANCE_GAUSSIAN)
            SOLVE(SHEPARD_COVARIANCE_LINEAR)
#undef SOLVE
        }
    }
}

const struct shepard_kriging_kernels SHEPARD_KERNELS(kriging) = {kriging_solve};
