/* SPDX-License-Identifier: MIT */
/* Systems of kriging by Cholesky, a vector of them at once. Compiled once for each instruction set.
 * A lane's results depend on nothing but its own system. */
#include "kernel/drift.h"
#include "kernel/kernels.h"
#include "kernel/math.h"

/* Sums of products are fused where they are written so, not where a compiler finds it good: a
 * system of its own and one in a larger batch go through other copies of a loop. */
static inline vd kriging_less(vd a, vd x, vd y)
{
    return vd_fma(-x, y, a);
}

/* log2(e) */
#define LOG2E 1.4426950408889634074

/* Of one vector of lanes. */
struct kriging_lanes {
    const struct shepard_variogram *variogram;
    struct shepard_kriging_batch *batch;
    size_t first;    /* lane */
    size_t m, extra; /* rows of increments, and behind them */
    vd *row;         /* the lower triangle, row by row; of the factor when it is done */
    vd *from_base;   /* [m + 1] semivariances between the base and the points, and the target */
    vd *inverse;     /* [m] of the factor's diagonal */
};

static inline vd *kriging_row(const struct kriging_lanes *lanes, size_t i)
{
    return lanes->row + i * (i + 1) / 2;
}

/* Functions of a step of vectors in place; their operations take turns (kernel/math.h). */

/* 1 - 2^a, a <= 0, to nearly full relative precision: near 0 nothing is subtracted from 1. */
static inline void kriging_one_less_exp2(vd *a)
{
    static const double terms[] = {VD_EXP2_TERMS};
    vd whole[VD_AT_ONCE], r[VD_AT_ONCE], p[VD_AT_ONCE];
    for (int i = 0; i < VD_AT_ONCE; i++) {
        const vd held = vd_max(a[i], vd_all(-1023));
        whole[i] = vd_round(held);
        r[i] = held - whole[i];
    }
    VD_POLYNOMIALS(terms, r, p, VD_AT_ONCE, true);
    for (int i = 0; i < VD_AT_ONCE; i++) {
        const vd scale = (vd)((vl_of(whole[i]) + 1023) << 52);
        a[i] = kriging_less(1 - scale, scale, p[i] * r[i]);
    }
}

/* 1 - (1 + h) e^-h. Below 1/4 by its series, sum of (-1)^n (n - 1) / n! h^n: the terms left out are
 * below 2^-60 of the sum. */
static inline void kriging_matern32(vd *h)
{
    static const double terms[] = {-12.0 / 6227020800.0, 11.0 / 479001600.0, -10.0 / 39916800.0,
                                   9.0 / 3628800.0,      -8.0 / 362880.0,    7.0 / 40320.0,
                                   -6.0 / 5040.0,        5.0 / 720.0,        -4.0 / 120.0,
                                   3.0 / 24.0,           -2.0 / 6.0,         1.0 / 2.0};
    vd series[VD_AT_ONCE], held[VD_AT_ONCE], less[VD_AT_ONCE];
    VD_POLYNOMIALS(terms, h, series, VD_AT_ONCE, true);
    for (int i = 0; i < VD_AT_ONCE; i++) {
        held[i] = vd_select((vl)(h[i] > 1100), vd_all(1100), h[i]);
        less[i] = held[i] * -LOG2E;
    }
    kriging_one_less_exp2(less);
    for (int i = 0; i < VD_AT_ONCE; i++)
        h[i] = vd_select((vl)(h[i] < 0.25), series[i] * h[i] * h[i],
                         kriging_less(less[i], held[i], 1 - less[i]));
}

/* h^p, h >= 0, p in (0, 2], at most 2^60. */
static inline void kriging_power(vd *h, double p)
{
    const vd least = vd_all(0x1p-1000), most = vd_all(60);
    vd power[VD_AT_ONCE];
    for (int i = 0; i < VD_AT_ONCE; i++)
        power[i] = vd_max(h[i], least);
    vd_log2_each(power, VD_AT_ONCE, true);
    for (int i = 0; i < VD_AT_ONCE; i++) {
        power[i] *= p;
        power[i] = vd_select((vl)(power[i] > most), most, power[i]);
    }
    vd_exp2_each(power, VD_AT_ONCE, true);
    for (int i = 0; i < VD_AT_ONCE; i++)
        h[i] = vd_select((vl)(h[i] > least), power[i], vd_all(0));
}

/* From distances in ranges to the covariance's part of a semivariance. */
static inline void kriging_rise(const struct shepard_variogram *variogram, vd *h)
{
    switch (variogram->covariance) {
    case SHEPARD_COVARIANCE_STABLE:
        kriging_power(h, variogram->p);
        for (int i = 0; i < VD_AT_ONCE; i++)
            h[i] *= -LOG2E;
        kriging_one_less_exp2(h);
        break;
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        for (int i = 0; i < VD_AT_ONCE; i++)
            h[i] *= -LOG2E;
        kriging_one_less_exp2(h);
        break;
    case SHEPARD_COVARIANCE_SPHERICAL:
        for (int i = 0; i < VD_AT_ONCE; i++)
            h[i] = vd_select((vl)(h[i] < 1), h[i] * (1.5 - 0.5 * h[i] * h[i]), vd_all(1));
        break;
    case SHEPARD_COVARIANCE_MATERN32:
        kriging_matern32(h);
        break;
    case SHEPARD_COVARIANCE_GAUSSIAN:
        for (int i = 0; i < VD_AT_ONCE; i++)
            h[i] *= h[i] * -LOG2E;
        kriging_one_less_exp2(h);
        break;
    case SHEPARD_COVARIANCE_LINEAR:
        break;
    }
}

/* Of two points, or of a point and a target, at these squared distances, in place; count is filled
 * up to whole steps. */
static void kriging_semivariances(const struct shepard_variogram *variogram, vd *a, size_t count)
{
    for (size_t first = 0; first < count; first += VD_AT_ONCE) {
        vd *step = a + first, h[VD_AT_ONCE];
        for (int i = 0; i < VD_AT_ONCE; i++)
            h[i] = vd_sqrt(step[i]) * variogram->unit;
        kriging_rise(variogram, h);
        for (int i = 0; i < VD_AT_ONCE; i++)
            step[i] = vd_fma(h[i], vd_all(variogram->structure), vd_all(variogram->nugget));
    }
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

/* The squared length of the target's offset from the base. */
static inline vd kriging_target2(const struct kriging_lanes *lanes)
{
    const struct shepard_kriging_batch *batch = lanes->batch;
    const vd x = vd_load(batch->target_x + lanes->first);
    const vd y = vd_load(batch->target_y + lanes->first);
    const vd flat = x * x + y * y;
    if (!batch->is_3d)
        return flat;
    const vd z = vd_load(batch->target_z + lanes->first);
    return flat + z * z;
}

/* The same of point i. */
static inline vd kriging_point2(const struct kriging_lanes *lanes, size_t i)
{
    const struct shepard_kriging_batch *batch = lanes->batch;
    const vd x = vd_load(batch->x[i] + lanes->first), y = vd_load(batch->y[i] + lanes->first);
    const vd flat = x * x + y * y;
    if (!batch->is_3d)
        return flat;
    const vd z = vd_load(batch->z[i] + lanes->first);
    return flat + z * z;
}

/* How much nearer the target is to point i than to the base, as distances go; d2: of the point. */
static inline vd kriging_nearer(const struct kriging_lanes *lanes, size_t i, vd d, vd d2)
{
    const struct shepard_kriging_batch *batch = lanes->batch;
    const size_t at = lanes->first;
    const vd tx = vd_load(batch->target_x + at), ty = vd_load(batch->target_y + at);
    const vd x = vd_load(batch->x[i] + at), y = vd_load(batch->y[i] + at);
    vd product = x * (tx + (tx - x)) + y * (ty + (ty - y));
    if (batch->is_3d) {
        const vd tz = vd_load(batch->target_z + at), z = vd_load(batch->z[i] + at);
        product += z * (tz + (tz - z));
    }
    return product / (d + vd_sqrt(d2));
}

/* The target's row (Eq. 57): what a target far away has in common with the base is not
 * subtracted. */
static void kriging_fill_target(const struct kriging_lanes *lanes)
{
    const struct shepard_variogram *variogram = lanes->variogram;
    const struct shepard_kriging_batch *batch = lanes->batch;
    const bool linear = variogram->covariance == SHEPARD_COVARIANCE_LINEAR;
    const size_t m = lanes->m, at = lanes->first;
    const vd tx = vd_load(batch->target_x + at), ty = vd_load(batch->target_y + at);
    const vd simple = vd_all(variogram->simple ? 1 : 0), d = vd_sqrt(kriging_target2(lanes));
    const vd base = lanes->from_base[m];
    vd *b = kriging_row(lanes, m);
    for (size_t i = 0; i < m; i++) {
        const vd x = vd_load(batch->x[i] + at), y = vd_load(batch->y[i] + at);
        const vd dx = tx - x, dy = ty - y;
        b[i] = dx * dx + dy * dy;
        if (batch->is_3d) {
            const vd dz = vd_load(batch->target_z + at) - vd_load(batch->z[i] + at);
            b[i] += dz * dz;
        }
        if (linear)
            b[i] = kriging_nearer(lanes, i, d, b[i]) * (variogram->structure * variogram->unit);
    }
    if (!linear)
        kriging_semivariances(variogram, b, m);
    for (size_t i = 0; i < m; i++) {
        const vd own = lanes->from_base[i], nearer = linear ? b[i] : base - b[i];
        b[i] = kriging_keep(kriging_has(lanes, i), nearer + own - simple * base * own);
    }
    b[m] = 2 * base - simple * base * base;
}

/* The plane's rows. */
static void kriging_fill_plane(const struct kriging_lanes *lanes)
{
    const struct shepard_kriging_batch *batch = lanes->batch;
    const size_t m = lanes->m, at = lanes->first;
    vd *along = kriging_row(lanes, m + 1), *across = kriging_row(lanes, m + 2);
    for (size_t i = 0; i < m; i++) {
        const vl has = kriging_has(lanes, i);
        along[i] = kriging_keep(has, vd_load(batch->x[i] + at));
        across[i] = kriging_keep(has, vd_load(batch->y[i] + at));
    }
    along[m] = vd_load(batch->target_x + at);
    across[m] = vd_load(batch->target_y + at);
    along[m + 1] = across[m + 1] = across[m + 2] = vd_all(0);
}

static void kriging_fill_base(const struct kriging_lanes *lanes)
{
    const size_t m = lanes->m;
    for (size_t i = 0; i < m; i++)
        lanes->from_base[i] = kriging_point2(lanes, i);
    lanes->from_base[m] = kriging_target2(lanes);
    kriging_semivariances(lanes->variogram, lanes->from_base, m + 1);
}

/* Covariances of the increments (Eq. 56). */
static void kriging_fill(const struct kriging_lanes *lanes)
{
    const struct shepard_kriging_batch *batch = lanes->batch;
    const size_t m = lanes->m, at = lanes->first;
    const vd simple = vd_all(lanes->variogram->simple ? 1 : 0);
    for (size_t i = 0; i < m; i++) {
        const vd x = vd_load(batch->x[i] + at), y = vd_load(batch->y[i] + at);
        const vd own = lanes->from_base[i];
        const vl has = kriging_has(lanes, i);
        vd *row = kriging_row(lanes, i);
        for (size_t j = 0; j < i; j++) {
            const vd dx = x - vd_load(batch->x[j] + at), dy = y - vd_load(batch->y[j] + at);
            row[j] = dx * dx + dy * dy;
        }
        for (size_t j = 0; batch->is_3d && j < i; j++) {
            const vd dz = vd_load(batch->z[i] + at) - vd_load(batch->z[j] + at);
            row[j] += dz * dz;
        }
        kriging_semivariances(lanes->variogram, row, i); /* what stands behind it comes later */
        for (size_t j = 0; j < i; j++) {
            const vd other = lanes->from_base[j];
            row[j] = kriging_keep(has, own - row[j] + other - simple * own * other);
        }
        row[i] = vd_select(has, 2 * own - simple * own * own, vd_all(1));
    }
}

/* Takes the pivot of column j: what its inverse root is, and whether it is the least. */
static inline void kriging_take_pivot(const struct kriging_lanes *lanes, size_t j, vd pivot,
                                      vd *least)
{
    const vd own = vd_select(kriging_has(lanes, j), pivot, vd_all(INFINITY));
    *least = vd_select((vl)(own >= *least), *least, vd_select((vl)(own > 0), own, vd_all(-1)));
    lanes->inverse[j] = 1 / vd_sqrt(pivot);
}

/* Rows of a tile, which has two columns of the factor. */
#define TILE_ROWS 4

/* Columns j and j + 1 of `count` rows from i on: as many chains of operations at once, of numbers
 * that stay in registers. */
static inline __attribute__((always_inline)) void
kriging_reduce(const struct kriging_lanes *lanes, size_t i, const size_t count, size_t j)
{
    const vd *first = kriging_row(lanes, j), *second = kriging_row(lanes, j + 1);
    vd *row[TILE_ROWS], a[TILE_ROWS], b[TILE_ROWS];
    for (size_t r = 0; r < count; r++) {
        row[r] = kriging_row(lanes, i + r);
        a[r] = row[r][j];
        b[r] = row[r][j + 1];
    }
    for (size_t c = 0; c < j; c++) {
        for (size_t r = 0; r < count; r++) {
            a[r] = kriging_less(a[r], row[r][c], first[c]);
            b[r] = kriging_less(b[r], row[r][c], second[c]);
        }
    }
    for (size_t r = 0; r < count; r++) {
        a[r] *= lanes->inverse[j];
        row[r][j] = a[r];
        row[r][j + 1] = kriging_less(b[r], a[r], second[j]) * lanes->inverse[j + 1];
    }
}

/* Columns j and j + 1 of the factor. */
static inline void kriging_factor_two(const struct kriging_lanes *lanes, size_t j, vd *least)
{
    const size_t rows = lanes->m + lanes->extra;
    vd *first = kriging_row(lanes, j), *second = kriging_row(lanes, j + 1);
    vd pivot = first[j], across = second[j], next = second[j + 1];
    size_t i = j + 2;
    for (size_t c = 0; c < j; c++) {
        pivot = kriging_less(pivot, first[c], first[c]);
        across = kriging_less(across, second[c], first[c]);
        next = kriging_less(next, second[c], second[c]);
    }
    kriging_take_pivot(lanes, j, pivot, least);
    second[j] = across * lanes->inverse[j];
    kriging_take_pivot(lanes, j + 1, kriging_less(next, second[j], second[j]), least);
    for (; i + TILE_ROWS <= rows; i += TILE_ROWS)
        kriging_reduce(lanes, i, TILE_ROWS, j);
    for (; i < rows; i++)
        kriging_reduce(lanes, i, 1, j);
}

/* Element j of a row less the products of the factor's first `count` columns. */
static inline vd kriging_reduced(const struct kriging_lanes *lanes, size_t i, size_t j,
                                 size_t count)
{
    const vd *row = kriging_row(lanes, i), *other = kriging_row(lanes, j);
    vd rest = row[j];
    for (size_t c = 0; c < count; c++)
        rest = kriging_less(rest, row[c], other[c]);
    return rest;
}

/* Cholesky's factor in place of the rows; of those behind the increments what is left of their
 * products (Eq. 58). Returns the least pivot; -1 where one is not above 0. */
static vd kriging_factor(const struct kriging_lanes *lanes)
{
    const size_t m = lanes->m, rows = m + lanes->extra;
    vd least = vd_all(INFINITY);
    for (size_t j = 0; j + 1 < m; j += 2)
        kriging_factor_two(lanes, j, &least);
    if (m % 2 == 1) {
        kriging_take_pivot(lanes, m - 1, kriging_reduced(lanes, m - 1, m - 1, m - 1), &least);
        for (size_t i = m; i < rows; i++)
            kriging_row(lanes, i)[m - 1] =
                kriging_reduced(lanes, i, m - 1, m - 1) * lanes->inverse[m - 1];
    }
    for (size_t i = m; i < rows; i++)
        for (size_t j = m; j <= i; j++)
            kriging_row(lanes, i)[j] = kriging_reduced(lanes, i, j, m);
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
    *least = vd_select((vl)(spread < vd_all(SHEPARD_KRIGING_PLANE_SPREAD)), vd_all(-1), *least);
    for (size_t i = 0; i <= m; i++)
        b[i] += vd_fma(beta[0], along[i], beta[1] * across[i]);
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
            own = kriging_less(own, row[j], y[j]);
        y[i] = own * lanes->inverse[i];
        squares = vd_fma(y[i], y[i], squares);
    }
    return squares;
}

/* What of them a plane explains; *rank: how many of its slopes. */
static vd kriging_plane_squares(const struct kriging_lanes *lanes, const vd *y, vd *rank)
{
    const vd *along = kriging_row(lanes, lanes->m + 1), *across = kriging_row(lanes, lanes->m + 2);
    vd q[2] = {vd_all(0), vd_all(0)};
    for (size_t i = 0; i < lanes->m; i++) {
        q[0] = vd_fma(along[i], y[i], q[0]);
        q[1] = vd_fma(across[i], y[i], q[1]);
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
            b[i] = kriging_less(b[i], row[i], weight);
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

static inline void kriging_put(const struct kriging_lanes *lanes, vd least)
{
    struct shepard_kriging_batch *batch = lanes->batch;
    const vd *b = kriging_row(lanes, lanes->m), base = lanes->from_base[lanes->m];
    const size_t at = lanes->first;
    vd sum = vd_all(0), known = -base;
    for (size_t i = 0; i < lanes->m; i++) {
        sum += b[i];
        known = vd_fma(b[i], kriging_keep(kriging_has(lanes, i), lanes->from_base[i]), known);
        vd_store(batch->weight[i] + at, b[i]);
    }
    known *= vd_all(lanes->variogram->simple ? 1 : 0);
    vd_store(batch->base_weight + at, 1 - sum + known);
    vd_store(batch->mean_weight + at, -known);
    vd_store(batch->variance + at, b[lanes->m]);
    vd_store(batch->pivot + at, least);
    vd_store(batch->largest + at, kriging_largest(lanes, base));
}

static void kriging_solve_lanes(const struct kriging_lanes *lanes)
{
    kriging_fill_base(lanes);
    kriging_fill(lanes);
    kriging_fill_target(lanes);
    if (lanes->extra > 1)
        kriging_fill_plane(lanes);
    vd least = kriging_factor(lanes);
    if (lanes->extra > 1)
        kriging_add_plane(lanes, &least);
    if (lanes->batch->columns > 0)
        kriging_measure(lanes);
    kriging_substitute(lanes);
    kriging_put(lanes, least);
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
        kriging_solve_lanes(&lanes);
    }
}

#include "kernel/kriging_surface_impl.h"

const struct shepard_kriging_kernels SHEPARD_KERNELS(kriging) = {kriging_solve, kriging_predict};
