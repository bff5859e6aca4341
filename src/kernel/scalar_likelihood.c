/* SPDX-License-Identifier: MIT */
/* Conditional values of Gaussian fields in plain C, with libm. The other kernels are tested against
 * it. */
#include "kernel/kernels.h"

#include <math.h>

#define POINTS_MAX (SHEPARD_CONDITION_MAX + 1)

/* The covariances of one point's neighbours, which become Cholesky's factor; below it the rows of
 * the point itself, of values and of ones. */
struct scalar_matrix {
    double a[POINTS_MAX + 2][POINTS_MAX];
};

static double covariance(const struct shepard_covariance_shape *shape, double dx, double dy,
                         double rise)
{
    const double u = shape->ux * dx + shape->uy * dy, v = shape->vx * dx + shape->vy * dy;
    const double w = shape->wz * rise, h = sqrt(u * u + v * v + w * w);
    switch (shape->covariance) {
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        return exp(-h);
    case SHEPARD_COVARIANCE_SPHERICAL:
        return h < 1 ? 1 - h * (1.5 - 0.5 * h * h) : 0;
    case SHEPARD_COVARIANCE_MATERN32:
        return h < 1000 ? (1 + h) * exp(-h) : 0;
    case SHEPARD_COVARIANCE_GAUSSIAN:
        return exp(-h * h);
    case SHEPARD_COVARIANCE_LINEAR:
        return 1 - h;
    case SHEPARD_COVARIANCE_STABLE:
        break;
    }
    return exp(-pow(h, shape->p));
}

static void fill(const struct shepard_conditioning *points, size_t lane,
                 const struct shepard_covariance_shape *shape, double jitter,
                 struct scalar_matrix *matrix)
{
    const size_t count = points->neighbours + 1;
    for (size_t i = 0; i < count; i++) {
        const size_t at = i * SHEPARD_CONDITION_LANES + lane;
        for (size_t j = 0; j < i; j++) {
            const size_t other = j * SHEPARD_CONDITION_LANES + lane;
            const double rise =
                points->height != NULL ? points->height[at] - points->height[other] : 0;
            matrix->a[i][j] = covariance(shape, points->x[at] - points->x[other],
                                         points->y[at] - points->y[other], rise);
        }
        matrix->a[i][i] = 1 + shape->nugget + jitter;
        matrix->a[count][i] = points->z[at];
        matrix->a[count + 1][i] = 1;
    }
}

/* Element j of a row less the product of what stands before it there and in another row. */
static double reduced(const double *row, const double *other, size_t j)
{
    double rest = row[j];
    for (size_t m = 0; m < j; m++)
        rest -= row[m] * other[m];
    return rest;
}

/* False: a pivot is too small. */
static bool factorize(struct scalar_matrix *matrix, size_t neighbours)
{
    for (size_t j = 0; j < neighbours; j++) {
        const double pivot = reduced(matrix->a[j], matrix->a[j], j);
        if (!(pivot > SHEPARD_PIVOT_MIN))
            return false;
        for (size_t i = j + 1; i < neighbours + 3; i++)
            matrix->a[i][j] = reduced(matrix->a[i], matrix->a[j], j) / sqrt(pivot);
        matrix->a[j][j] = sqrt(pivot);
    }
    return true;
}

/* What the neighbours leave of a column of values. */
static double condition_column(const struct scalar_matrix *matrix, size_t neighbours,
                               const double *column)
{
    double row[POINTS_MAX];
    for (size_t i = 0; i <= neighbours; i++) {
        row[i] = column[i * SHEPARD_CONDITION_LANES];
        row[i] = reduced(row, matrix->a[i], i);
        row[i] = i < neighbours ? row[i] / matrix->a[i][i] : row[i];
    }
    return row[neighbours];
}

/* False: the matrix has no factor. */
static bool condition_lane(const struct shepard_covariance_shape *shape,
                           const struct shepard_conditioning *points,
                           const struct shepard_condition_covariates *covariates, size_t lane,
                           double jitter, struct shepard_conditionals *to)
{
    struct scalar_matrix matrix;
    const size_t k = points->neighbours;
    fill(points, lane, shape, jitter, &matrix);
    if (!factorize(&matrix, k))
        return false;
    const double *g = matrix.a[k];
    to->value[lane] = reduced(matrix.a[k + 1], g, k);
    to->one[lane] = reduced(matrix.a[k + 2], g, k);
    to->variance[lane] = reduced(g, g, k);
    to->log_variance[lane] = log(to->variance[lane]);
    for (size_t c = 0; covariates != NULL && c < covariates->count; c++)
        covariates->left[c * SHEPARD_CONDITION_LANES + lane] =
            condition_column(&matrix, k, covariates->given + c * covariates->stride + lane);
    return to->variance[lane] > SHEPARD_PIVOT_MIN;
}

static void condition(const struct shepard_covariance_shape *shape,
                      const struct shepard_conditioning *points,
                      const struct shepard_condition_covariates *covariates,
                      struct shepard_conditionals *to)
{
    for (size_t lane = 0; lane < SHEPARD_CONDITION_LANES; lane++) {
        bool good = condition_lane(shape, points, covariates, lane, 0, to);
        for (double jitter = SHEPARD_JITTER; !good && jitter <= SHEPARD_JITTER_MAX;
             jitter *= SHEPARD_JITTER_FACTOR)
            good = condition_lane(shape, points, covariates, lane, jitter, to);
    }
}

const struct shepard_likelihood_kernels shepard_likelihood_scalar = {condition};
