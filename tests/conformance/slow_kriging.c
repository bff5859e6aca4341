/* SPDX-License-Identifier: MIT */
#include "slow_kriging.h"

#include "scene.h"

#include <math.h>
#include <stdlib.h>

static long double semivariance(const struct shepard_kriging *kriging, long double h)
{
    const long double t = h / kriging->range;
    long double rise = 0;
    switch (kriging->covariance) {
    case SHEPARD_COVARIANCE_STABLE:
        rise = 1 - expl(-powl(t, kriging->p));
        break;
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        rise = 1 - expl(-t);
        break;
    case SHEPARD_COVARIANCE_SPHERICAL:
        rise = t < 1 ? (3 * t - t * t * t) / 2 : 1;
        break;
    case SHEPARD_COVARIANCE_MATERN32:
        rise = t < 1e4L ? 1 - (1 + t) * expl(-t) : 1;
        break;
    case SHEPARD_COVARIANCE_GAUSSIAN:
        rise = 1 - expl(-t * t);
        break;
    case SHEPARD_COVARIANCE_LINEAR:
        rise = t;
        break;
    }
    return h > 0 ? kriging->nugget + kriging->psill * rise : 0;
}

/* Solves a [n, n + 1] by elimination with full pivoting; the solution replaces the last column. An
 * unknown whose pivots vanish is 0. */
static void eliminate(long double *a, size_t n, long double *solution)
{
    size_t *column = scene_memory(n, sizeof *column);
    const size_t stride = n + 1;
    size_t rank = 0;
    long double first = 0;
    for (size_t i = 0; i < n; i++)
        column[i] = i;
    for (; rank < n; rank++) {
        size_t row = rank, best = rank;
        for (size_t i = rank; i < n; i++)
            for (size_t j = rank; j < n; j++)
                if (fabsl(a[i * stride + j]) > fabsl(a[row * stride + best])) {
                    row = i;
                    best = j;
                }
        const long double pivot = a[row * stride + best];
        first = rank == 0 ? fabsl(pivot) : first;
        if (fabsl(pivot) < 1e-17L * first)
            break;
        for (size_t j = 0; j <= n; j++) {
            const long double kept = a[row * stride + j];
            a[row * stride + j] = a[rank * stride + j];
            a[rank * stride + j] = kept;
        }
        for (size_t i = 0; i < n; i++) {
            const long double kept = a[i * stride + best];
            a[i * stride + best] = a[i * stride + rank];
            a[i * stride + rank] = kept;
        }
        const size_t moved = column[best];
        column[best] = column[rank];
        column[rank] = moved;
        for (size_t i = rank + 1; i < n; i++) {
            const long double factor = a[i * stride + rank] / pivot;
            for (size_t j = rank; j <= n; j++)
                a[i * stride + j] -= factor * a[rank * stride + j];
        }
    }
    for (size_t i = 0; i < n; i++)
        solution[i] = 0;
    for (size_t i = rank; i-- > 0;) {
        long double sum = a[i * stride + n];
        for (size_t j = i + 1; j < rank; j++)
            sum -= a[i * stride + j] * solution[column[j]];
        solution[column[i]] = sum / a[i * stride + i];
    }
    free(column);
}

/* Simple: C w = c. */
static void solve_simple(struct slow_system *system)
{
    const struct shepard_kriging *kriging = system->kriging;
    const long double sill = (long double)kriging->psill + kriging->nugget;
    const size_t n = system->n, stride = n + 1;
    long double *a = scene_memory(n * stride, sizeof *a);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            a[i * stride + j] = sill - semivariance(kriging, hypotl(system->x[i] - system->x[j],
                                                                    system->y[i] - system->y[j]));
        a[i * stride + n] = sill - semivariance(kriging, hypotl(system->x[i], system->y[i]));
    }
    eliminate(a, n, system->weight);
    system->mean_weight = 1;
    system->variance = sill;
    for (size_t i = 0; i < n; i++) {
        const long double c = sill - semivariance(kriging, hypotl(system->x[i], system->y[i]));
        system->mean_weight -= system->weight[i];
        system->variance -= system->weight[i] * c;
    }
    free(a);
}

/* Ordinary and universal: semivariances bordered by the functions of the mean, 1, x and y, which
 * are 1, 0 and 0 at the target. */
static void solve_bordered(struct slow_system *system)
{
    const struct shepard_kriging *kriging = system->kriging;
    const size_t m = system->n, n = m + (kriging->kind == SHEPARD_KRIGING_UNIVERSAL ? 3 : 1);
    const size_t stride = n + 1;
    long double *a = scene_memory(n * stride, sizeof *a), *solution = scene_memory(n, sizeof *a);
    long double size = 0, scale = 0;
    for (size_t i = 0; i < m; i++) {
        size = fmaxl(size, hypotl(system->x[i], system->y[i]));
        scale = fmaxl(scale, semivariance(kriging, hypotl(system->x[i], system->y[i])));
    }
    for (size_t i = 0; i < n * stride; i++)
        a[i] = 0;
    for (size_t i = 0; i < m; i++) {
        const long double functions[] = {1, system->x[i] / size, system->y[i] / size};
        for (size_t j = 0; j < m; j++)
            a[i * stride + j] = semivariance(kriging, hypotl(system->x[i] - system->x[j],
                                                             system->y[i] - system->y[j])) /
                                scale;
        for (size_t j = m; j < n; j++)
            a[i * stride + j] = a[j * stride + i] = functions[j - m];
        a[i * stride + n] = semivariance(kriging, hypotl(system->x[i], system->y[i])) / scale;
    }
    a[m * stride + n] = 1;
    for (size_t i = 0; i < m; i++)
        system->weight[i] = a[i * stride + n];
    eliminate(a, n, solution);
    system->variance = solution[m];
    for (size_t i = 0; i < m; i++)
        system->variance += solution[i] * system->weight[i];
    system->variance *= scale;
    for (size_t i = 0; i < m; i++)
        system->weight[i] = solution[i];
    system->mean_weight = 0;
    free(a);
    free(solution);
}

void slow_kriging_solve(struct slow_system *system)
{
    if (system->kriging->kind == SHEPARD_KRIGING_SIMPLE)
        solve_simple(system);
    else
        solve_bordered(system);
}

/* Whether not all points are on a line. */
static bool is_wide(const struct slow_system *system)
{
    const long double *x = system->x, *y = system->y;
    bool wide = false;
    for (size_t i = 2; i < system->n; i++) {
        const long double ax = x[1] - x[0], ay = y[1] - y[0], bx = x[i] - x[0], by = y[i] - y[0];
        wide = wide || fabsl(ax * by - ay * bx) > 1e-9L * (hypotl(ax, ay) * hypotl(bx, by));
    }
    return wide;
}

/* z' C^-1 z, z less the mean that generalized least squares finds: weights that give the values
 * back by the covariances, and 0 by the functions of the mean. */
long double slow_kriging_scaling(const struct slow_system *system, const long double *values)
{
    const struct shepard_kriging *kriging = system->kriging;
    const bool simple = kriging->kind == SHEPARD_KRIGING_SIMPLE;
    const size_t m = system->n, functions = simple                                       ? 0
                                            : kriging->kind == SHEPARD_KRIGING_UNIVERSAL ? 3
                                                                                         : 1;
    const size_t n = m + functions, stride = n + 1;
    const long double sill = (long double)kriging->psill + kriging->nugget;
    long double *a = scene_memory(n * stride, sizeof *a), *solution = scene_memory(n, sizeof *a);
    long double size = 0, squares = 0;
    for (size_t i = 0; i < m; i++)
        size = fmaxl(size, hypotl(system->x[i], system->y[i]));
    for (size_t i = 0; i < n * stride; i++)
        a[i] = 0;
    for (size_t i = 0; i < m; i++) {
        const long double of_mean[] = {1, system->x[i] / size, system->y[i] / size};
        for (size_t j = 0; j < m; j++)
            a[i * stride + j] =
                (simple ? 1 : 0) - semivariance(kriging, hypotl(system->x[i] - system->x[j],
                                                                system->y[i] - system->y[j])) /
                                       sill;
        for (size_t j = m; j < n; j++)
            a[i * stride + j] = a[j * stride + i] = of_mean[j - m];
        a[i * stride + n] = values[i] - (simple ? kriging->mean : 0);
    }
    eliminate(a, n, solution);
    for (size_t i = 0; i < m; i++)
        squares += solution[i] * (values[i] - (simple ? kriging->mean : 0)) / sill;
    const size_t rank = functions < 3 || is_wide(system) ? functions : m < 2 ? 1 : 2;
    free(solution);
    free(a);
    return (8 + squares) / (8 + (long double)(m - rank));
}
