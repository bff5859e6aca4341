/* SPDX-License-Identifier: MIT */
/* Conditional values of Gaussian fields. Compiled once for each instruction set. No fused
 * operations: a fit has the same bits on all of them. */
#include "kernel/kernels.h"
#include "kernel/math.h"

#define POINTS_MAX (SHEPARD_CONDITION_MAX + 1)
#define ROW(i) ((i) * ((i) + 1) / 2)

/* Where log2 of 0 would be asked for. */
#define DISTANCE2_MIN 1e-300
#define LOG2_E 1.4426950408889634074
#define LN_2 0.69314718055994530942

/* The lower triangle of the matrix of a vector of points by rows, the point itself after its
 * neighbours; then a row of values and a row of ones. Factorized in place. */
struct likelihood_matrix {
    size_t neighbours;
    vd a[ROW(POINTS_MAX + 2)];
};

/* h^p of squared distances. */
static void powers(vd *step, double p)
{
    for (int j = 0; j < VD_AT_ONCE; j++)
        step[j] = vd_max(step[j], vd_all(DISTANCE2_MIN));
    vd_log2_each(step, VD_AT_ONCE, false);
    for (int j = 0; j < VD_AT_ONCE; j++)
        step[j] *= p / 2;
    vd_exp2_each(step, VD_AT_ONCE, false);
}

/* exp(-a) in place of a. */
static void decays(vd *step)
{
    for (int j = 0; j < VD_AT_ONCE; j++)
        step[j] *= -LOG2_E;
    vd_exp2_each(step, VD_AT_ONCE, false);
}

static void roots(vd *step)
{
    for (int j = 0; j < VD_AT_ONCE; j++)
        step[j] = vd_sqrt(step[j]);
}

/* A step of squared distances becomes covariances. */
static void covary(vd *step, const struct shepard_covariance_shape *shape)
{
    vd h[VD_AT_ONCE];
    switch (shape->covariance) {
    case SHEPARD_COVARIANCE_STABLE:
        powers(step, shape->p);
        decays(step);
        break;
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        roots(step);
        decays(step);
        break;
    case SHEPARD_COVARIANCE_SPHERICAL:
        roots(step);
        for (int j = 0; j < VD_AT_ONCE; j++)
            step[j] = vd_select((vl)(step[j] < 1), 1 - step[j] * (1.5 - 0.5 * step[j] * step[j]),
                                vd_all(0));
        break;
    case SHEPARD_COVARIANCE_MATERN32:
        roots(step);
        for (int j = 0; j < VD_AT_ONCE; j++)
            h[j] = step[j] = vd_select((vl)(step[j] < 1000), step[j], vd_all(1000));
        decays(step);
        for (int j = 0; j < VD_AT_ONCE; j++)
            step[j] *= 1 + h[j];
        break;
    case SHEPARD_COVARIANCE_GAUSSIAN:
        decays(step);
        break;
    case SHEPARD_COVARIANCE_LINEAR:
        roots(step);
        for (int j = 0; j < VD_AT_ONCE; j++)
            step[j] = 1 - step[j];
        break;
    }
}

/* Squared distances become covariances; count is filled up to whole steps. */
static void covariances(vd *a, size_t count, const struct shepard_covariance_shape *shape)
{
    for (size_t i = 0; i < count; i += VD_AT_ONCE)
        covary(a + i, shape);
}

/* Squared distances; 0 of a point from itself. */
static void distances(const struct shepard_conditioning *points, size_t lane,
                      const struct shepard_covariance_shape *shape, vd *a)
{
    vd u[POINTS_MAX], v[POINTS_MAX];
    for (size_t i = 0; i <= points->neighbours; i++) {
        const size_t at = i * SHEPARD_CONDITION_LANES + lane;
        const vd x = vd_load(points->x + at), y = vd_load(points->y + at);
        u[i] = shape->ux * x + shape->uy * y;
        v[i] = shape->vx * x + shape->vy * y;
        for (size_t j = 0; j <= i; j++) {
            const vd du = u[i] - u[j], dv = v[i] - v[j];
            a[ROW(i) + j] = du * du + dv * dv;
        }
    }
}

/* Adds the squares of what is between heights. */
static void rises(const struct shepard_conditioning *points, size_t lane,
                  const struct shepard_covariance_shape *shape, vd *a)
{
    vd w[POINTS_MAX];
    for (size_t i = 0; i <= points->neighbours; i++) {
        w[i] = shape->wz * vd_load(points->height + i * SHEPARD_CONDITION_LANES + lane);
        for (size_t j = 0; j < i; j++)
            a[ROW(i) + j] += (w[i] - w[j]) * (w[i] - w[j]);
    }
}

static void fill(const struct shepard_conditioning *points, size_t lane,
                 const struct shepard_covariance_shape *shape, vd jitter,
                 struct likelihood_matrix *matrix)
{
    const size_t count = points->neighbours + 1;
    vd *const a = matrix->a;
    matrix->neighbours = points->neighbours;
    for (size_t i = ROW(count); i < ROW(count) + VD_AT_ONCE; i++)
        a[i] = vd_all(0);
    distances(points, lane, shape, a);
    if (points->height != NULL)
        rises(points, lane, shape, a);
    covariances(a, ROW(count), shape);
    for (size_t i = 0; i < count; i++) {
        a[ROW(i) + i] = 1 + shape->nugget + jitter;
        a[ROW(count) + i] = vd_load(points->z + i * SHEPARD_CONDITION_LANES + lane);
        a[ROW(count + 1) + i] = vd_all(1);
    }
}

/* row[j] less the product of what stands before it in row and pivot. */
static inline vd reduced(const vd *row, const vd *pivot, size_t j)
{
    vd rest = row[j];
    for (size_t m = 0; m < j; m++)
        rest -= row[m] * pivot[m];
    return rest;
}

/* Column j of row i and the three after it, times scale: four chains of operations at once. */
static inline void reduce_four(vd *a, size_t i, const vd *pivot, size_t j, vd scale)
{
    vd *const row0 = a + ROW(i), *const row1 = row0 + i + 1, *const row2 = row1 + i + 2,
              *const row3 = row2 + i + 3;
    vd rest0 = row0[j], rest1 = row1[j], rest2 = row2[j], rest3 = row3[j];
    for (size_t m = 0; m < j; m++) {
        rest0 -= row0[m] * pivot[m];
        rest1 -= row1[m] * pivot[m];
        rest2 -= row2[m] * pivot[m];
        rest3 -= row3[m] * pivot[m];
    }
    row0[j] = rest0 * scale;
    row1[j] = rest1 * scale;
    row2[j] = rest2 * scale;
    row3[j] = rest3 * scale;
}

/* Cholesky's factor of the neighbours, with the reciprocals of its diagonal; the other rows become
 * g', (L^-1 z)' and (L^-1 1)'. Lanes of the result: a pivot is too small. */
static vl factorize(struct likelihood_matrix *matrix)
{
    const size_t rows = matrix->neighbours + 3;
    vd *const a = matrix->a;
    vl failed = {0};
    for (size_t j = 0; j < matrix->neighbours; j++) {
        vd *const pivot_row = a + ROW(j);
        const vd pivot = reduced(pivot_row, pivot_row, j);
        const vl good = (vl)(pivot > vd_all(SHEPARD_PIVOT_MIN));
        const vd scale = 1 / vd_sqrt(vd_select(good, pivot, vd_all(1)));
        size_t i = j + 1;
        failed |= ~good;
        for (; i + 4 <= rows; i += 4)
            reduce_four(a, i, pivot_row, j, scale);
        for (; i < rows; i++)
            a[ROW(i) + j] = reduced(a + ROW(i), pivot_row, j) * scale;
        pivot_row[j] = scale;
    }
    return failed;
}

/* What the neighbours leave of a column of values, [neighbours + 1, lanes]. */
static vd condition_column(const struct likelihood_matrix *matrix, const double *column)
{
    const size_t k = matrix->neighbours;
    const vd *const a = matrix->a;
    vd row[POINTS_MAX];
    for (size_t i = 0; i <= k; i++)
        row[i] = vd_load(column + i * SHEPARD_CONDITION_LANES);
    for (size_t j = 0; j < k; j++) {
        const vd part = row[j] * a[ROW(j) + j];
        for (size_t i = j + 1; i <= k; i++)
            row[i] -= a[ROW(i) + j] * part;
    }
    return row[k];
}

/* Lanes of the result: the matrix has no factor. */
static vl condition_lanes(const struct shepard_covariance_shape *shape,
                          const struct shepard_conditioning *points,
                          const struct shepard_condition_covariates *covariates, size_t lane,
                          vd jitter, struct shepard_conditionals *to)
{
    struct likelihood_matrix matrix;
    fill(points, lane, shape, jitter, &matrix);
    const vl failed = factorize(&matrix);
    const size_t k = matrix.neighbours;
    const vd *const g = matrix.a + ROW(k);
    const vd variance = reduced(g, g, k);
    const vl good = (vl)(variance > vd_all(SHEPARD_PIVOT_MIN));
    vd log_variance = vd_select(good, variance, vd_all(1));
    vd_log2_each(&log_variance, 1, false);
    vd_store(to->value + lane, reduced(matrix.a + ROW(k + 1), g, k));
    vd_store(to->one + lane, reduced(matrix.a + ROW(k + 2), g, k));
    vd_store(to->variance + lane, variance);
    vd_store(to->log_variance + lane, LN_2 * log_variance);
    for (size_t c = 0; covariates != NULL && c < covariates->count; c++)
        vd_store(covariates->left + c * SHEPARD_CONDITION_LANES + lane,
                 condition_column(&matrix, covariates->given + c * covariates->stride + lane));
    return failed | ~good;
}

static void condition(const struct shepard_covariance_shape *shape,
                      const struct shepard_conditioning *points,
                      const struct shepard_condition_covariates *covariates,
                      struct shepard_conditionals *to)
{
    for (size_t lane = 0; lane < SHEPARD_CONDITION_LANES; lane += LANES_D) {
        vd jitter = {0};
        vl failed = condition_lanes(shape, points, covariates, lane, jitter, to);
        for (double more = SHEPARD_JITTER; vl_bits(failed) != 0 && more <= SHEPARD_JITTER_MAX;
             more *= SHEPARD_JITTER_FACTOR) {
            jitter = vd_select(failed, vd_all(more), jitter);
            failed = condition_lanes(shape, points, covariates, lane, jitter, to);
        }
    }
}

const struct shepard_likelihood_kernels SHEPARD_KERNELS(likelihood) = {condition};
