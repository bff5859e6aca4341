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

/* Adds to the target's row what the plane needs to be reproduced (Eq. 59). Double is not enough for
 * points as near to a line as that. */
static void kriging_add_plane(const struct kriging_lanes *lanes, vd *least)
{
    const size_t m = lanes->m;
    vd *b = kriging_row(lanes, m), *along = kriging_row(lanes, m + 1);
    vd *across = kriging_row(lanes, m + 2);
    double beta_x[LANES_D], beta_y[LANES_D], q_x[LANES_D], q_y[LANES_D], pivot[LANES_D];
    vd_store(pivot, *least);
    for (size_t v = 0; v < LANES_D; v++) {
        const struct shepard_drift drift = {-along[m + 1][v], -across[m + 1][v], -across[m + 2][v]};
        const long double q[2] = {along[m][v], across[m][v]};
        long double beta[2];
        const double spread = (double)shepard_drift_solve(&drift, q, beta);
        pivot[v] = spread < PLANE_SPREAD ? -1 : pivot[v];
        beta_x[v] = (double)beta[0];
        beta_y[v] = (double)beta[1];
        q_x[v] = (double)q[0];
        q_y[v] = (double)q[1];
    }
    *least = vd_load(pivot);
    const vd x = vd_load(beta_x), y = vd_load(beta_y);
    b[m] += x * vd_load(q_x) + y * vd_load(q_y);
    for (size_t i = 0; i < m; i++)
        b[i] += x * along[i] + y * across[i];
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
