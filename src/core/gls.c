/* SPDX-License-Identifier: MIT */
#include "core/gls.h"

#include "base/error.h"
#include "base/memory.h"
#include "core/least_squares.h"

#include <math.h>

#define LANES SHEPARD_CONDITION_LANES

static size_t rows_of(const struct shepard_gls *gls)
{
    return gls->sets->groups * LANES;
}

static double *values_of(const struct shepard_gls *gls)
{
    return gls->numbers + (gls->sets->covariates + 1) * rows_of(gls);
}

void shepard_gls_free(struct shepard_gls *gls)
{
    const struct shepard_allocator *allocator = gls->sets != NULL ? gls->sets->allocator : NULL;
    shepard_release(allocator, gls->triangle);
    shepard_release(allocator, gls->numbers);
    shepard_release(allocator, gls->column);
    shepard_release(allocator, gls->coefficient);
    shepard_release(allocator, gls->left);
    *gls = (struct shepard_gls){0};
}

enum shepard_status shepard_gls_create(const struct shepard_vecchia *sets, struct shepard_gls *gls,
                                       struct shepard_error *error)
{
    const struct shepard_allocator *allocator = sets->allocator;
    const size_t p = sets->covariates, rows = sets->groups * LANES;
    *gls = (struct shepard_gls){.sets = sets};
    gls->left = shepard_allocate(allocator, p * rows, sizeof *gls->left);
    gls->coefficient = shepard_allocate(allocator, p + 1, sizeof *gls->coefficient);
    gls->column = shepard_allocate(allocator, p + 1, sizeof *gls->column);
    gls->numbers = shepard_allocate(allocator, p + 2, rows * sizeof *gls->numbers);
    gls->triangle = shepard_allocate(allocator, p + 2, (p + 1) * sizeof *gls->triangle);
    if (gls->left == NULL || gls->coefficient == NULL || gls->column == NULL ||
        gls->numbers == NULL || gls->triangle == NULL) {
        shepard_gls_free(gls);
        return shepard_error_set_memory(error, "generalized least squares");
    }
    for (size_t j = 0; j <= p; j++)
        gls->column[j] = gls->numbers + j * rows;
    gls->least = gls->triangle + (p + 1) * (p + 1);
    return SHEPARD_OK;
}

struct shepard_condition_covariates shepard_gls_group(const struct shepard_gls *gls, size_t group)
{
    struct shepard_condition_covariates covariates =
        shepard_vecchia_group_covariates(gls->sets, group);
    covariates.left = gls->left + group * covariates.count * LANES;
    return covariates;
}

/* ---- the system ------------------------------------------------------------------------------ */

/* Sets the first columns and the values: a row for each point, over its deviation. */
static void fill(const struct shepard_gls *gls, const struct shepard_conditionals *conditionals,
                 double mean)
{
    const size_t p = gls->sets->covariates;
    for (size_t i = 0; i < rows_of(gls); i++) {
        const size_t group = i / LANES, lane = i % LANES;
        const struct shepard_conditionals *of = &conditionals[group];
        const double scale = sqrt(gls->sets->weight[i] / of->variance[lane]);
        const double known = isnan(mean) ? 0 : mean * of->one[lane];
        values_of(gls)[i] = scale * (of->value[lane] - known);
        gls->column[0][i] = scale * of->one[lane];
        for (size_t j = 0; j < p; j++)
            gls->column[j + 1][i] = scale * gls->left[(group * p + j) * LANES + lane];
    }
}

/* Without the constant where the mean is known. */
static struct shepard_least_squares system_of(const struct shepard_gls *gls, double mean)
{
    const size_t first = isnan(mean) ? 0 : 1;
    return (struct shepard_least_squares){.rows = rows_of(gls),
                                          .columns = gls->sets->covariates + 1 - first,
                                          .column = gls->column + first,
                                          .triangle = gls->triangle};
}

/* Leaves out what cannot be told from columns before it, and all behind that. */
static struct shepard_least_squares
factor(const struct shepard_gls *gls, const struct shepard_conditionals *conditionals, double mean)
{
    struct shepard_least_squares system = system_of(gls, mean);
    size_t told = system.columns;
    do {
        system.columns = told;
        fill(gls, conditionals, mean);
        for (size_t j = 0; j < told; j++)
            gls->least[j] =
                SHEPARD_LEAST_LEFT * shepard_least_squares_norm(system.rows, system.column[j]);
        told = shepard_least_squares_factor(&system, gls->least);
    } while (told < system.columns);
    return system;
}

struct shepard_gls_value shepard_gls_solve(const struct shepard_gls *gls,
                                           const struct shepard_conditionals *conditionals,
                                           double mean)
{
    const size_t p = gls->sets->covariates, constants = isnan(mean) ? 1 : 0;
    const struct shepard_least_squares system = factor(gls, conditionals, mean);
    double *const values = values_of(gls), *const found = gls->least;
    shepard_least_squares_solve(&system, values, found);
    const double root = shepard_least_squares_norm(system.rows, values);
    struct shepard_gls_value value = {.mean = mean, .squares = root * root};
    if (constants > 0)
        value.mean = system.columns > 0 ? found[0] : 0;
    value.told = system.columns > constants ? system.columns - constants : 0;
    for (size_t j = 0; j < p; j++)
        gls->coefficient[j] = j < value.told ? found[constants + j] : 0;
    return value;
}

/* ---- how sure -------------------------------------------------------------------------------- */

/* inverse [n, n]: R^-1 of an upper triangle; the rest stays. */
static void invert(size_t n, const double *r, double *inverse)
{
    for (size_t j = 0; j < n; j++)
        for (size_t k = j; k < n; k++) {
            double x = k == j ? 1 : 0;
            for (size_t l = j; l < k; l++)
                x -= inverse[j * n + l] * r[l * n + k];
            inverse[j * n + k] = x / r[k * n + k];
        }
}

/* Sum over the points of their weights times products of two columns. */
static double weighted_product(const struct shepard_gls *gls, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < rows_of(gls); i++)
        sum += gls->sets->weight[i] * a[i] * b[i];
    return (double)gls->sets->orders * sum;
}

/* Eq. 77: R^-1 M R^-T, M being the sum of products of rows of Q. */
enum shepard_status shepard_gls_covariance(const struct shepard_gls *gls, double mean,
                                           double *covariance, struct shepard_error *error)
{
    const struct shepard_least_squares system = system_of(gls, mean);
    const size_t n = system.columns, p = gls->sets->covariates, constants = n - p;
    double *const inverse = shepard_allocate(gls->sets->allocator, 3 * n, n * sizeof *inverse);
    if (inverse == NULL)
        return shepard_error_set_memory(error, "generalized least squares");
    double *const middle = inverse + n * n, *const left = middle + n * n;
    invert(n, gls->triangle, inverse);
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k <= j; k++)
            middle[j * n + k] = middle[k * n + j] =
                weighted_product(gls, system.column[j], system.column[k]);
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++) {
            left[j * n + k] = 0;
            for (size_t a = j; a < n; a++)
                left[j * n + k] += inverse[j * n + a] * middle[a * n + k];
        }
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < p; k++) {
            double sum = 0;
            for (size_t a = constants + k; a < n; a++)
                sum += left[(constants + j) * n + a] * inverse[(constants + k) * n + a];
            covariance[j * p + k] = sum;
        }
    shepard_release(gls->sets->allocator, inverse);
    return SHEPARD_OK;
}
