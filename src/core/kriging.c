/* SPDX-License-Identifier: MIT */
#include "core/kriging.h"

#include "base/error.h"
#include "base/memory.h"
#include "kernel/drift.h"

/* ---- semivariances --------------------------------------------------------------------------- */

/* 1 - (1 + h) e^-h. Below 1/4 by its series, sum of (-1)^n (n - 1) / n! h^n: the terms left out are
 * below 2^-70 of the sum. */
static long double matern32_rise(long double h)
{
    long double term = h * h / 2, sum = term;
    if (h > 1e4L)
        return 1;
    if (h >= 0.25L)
        return -expm1l(-h) - h * expl(-h);
    for (int n = 3; n < 17; n++) {
        term *= -h / (long double)n;
        sum += term * (long double)(n - 1);
    }
    return sum;
}

long double shepard_kriging_rise(const struct shepard_variogram *variogram, long double h)
{
    switch (variogram->covariance) {
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        return -expm1l(-h);
    case SHEPARD_COVARIANCE_SPHERICAL:
        return h < 1 ? h * (1.5L - 0.5L * h * h) : 1;
    case SHEPARD_COVARIANCE_MATERN32:
        return matern32_rise(h);
    case SHEPARD_COVARIANCE_GAUSSIAN:
        return -expm1l(-h * h);
    case SHEPARD_COVARIANCE_LINEAR:
        return h;
    case SHEPARD_COVARIANCE_STABLE:
        break;
    }
    return -expm1l(-powl(h, variogram->p));
}

/* Of two points, or of a point and a target, that are (dx, dy, dz) apart. */
static long double semivariance(const struct shepard_variogram *variogram, long double dx,
                                long double dy, long double dz)
{
    const long double h = sqrtl(dx * dx + dy * dy + dz * dz) * variogram->unit;
    return variogram->nugget + variogram->structure * shepard_kriging_rise(variogram, h);
}

/* ---- room ------------------------------------------------------------------------------------ */

struct shepard_kriging_system shepard_kriging_system_of(const struct shepard_variogram *variogram,
                                                        const struct shepard_allocator *allocator)
{
    return (struct shepard_kriging_system){.variogram = variogram, .allocator = allocator};
}

void shepard_kriging_free(struct shepard_kriging_system *system)
{
    shepard_release(system->allocator, system->x);
    shepard_release(system->allocator, system->place);
    *system = shepard_kriging_system_of(system->variogram, system->allocator);
}

static size_t reals_for(size_t room)
{
    return 7 * room + room * (room + 1) / 2;
}

size_t shepard_kriging_bytes(const struct shepard_kriging_system *system)
{
    return reals_for(system->room) * sizeof *system->x + 2 * system->room * sizeof *system->place;
}

static bool reserve(struct shepard_kriging_system *system, size_t count)
{
    if (count <= system->room)
        return true;
    shepard_kriging_free(system);
    const size_t room = count;
    system->x = shepard_allocate(system->allocator, reals_for(room), sizeof *system->x);
    system->place = shepard_allocate(system->allocator, 2 * room, sizeof *system->place);
    if (system->x == NULL || system->place == NULL) {
        shepard_kriging_free(system);
        return false;
    }
    system->room = room;
    system->share = system->place + room;
    system->y = system->x + room;
    system->from_base = system->x + 2 * room;
    system->along = system->x + 3 * room;
    system->across = system->x + 4 * room;
    system->b = system->x + 5 * room;
    system->z = system->x + 6 * room;
    system->row = system->x + 7 * room;
    return true;
}

/* ---- the factor ------------------------------------------------------------------------------ */

/* The place among those that have been listed; their number if it is new. Without a nugget the
 * points at one place are one. */
static size_t find_place(const struct shepard_kriging_system *system, long double x, long double y,
                         long double z)
{
    if (system->variogram->nugget > 0)
        return system->m + 1;
    if (x == 0 && y == 0 && z == 0)
        return 0;
    size_t i = 0;
    while (i < system->m && !(system->x[i] == x && system->y[i] == y && system->z[i] == z))
        i++;
    return i + 1;
}

static void list_places(struct shepard_kriging_system *system,
                        const struct shepard_kriging_points *points)
{
    system->base_x = points->x[points->rank[0]];
    system->base_y = points->y[points->rank[0]];
    system->base_z = points->z != NULL ? points->z[points->rank[0]] : 0;
    system->count = points->count;
    system->m = 0;
    system->place[0] = 0;
    system->share[0] = 1;
    for (size_t i = 1; i < points->count; i++) {
        const long double x = points->x[points->rank[i]] - system->base_x;
        const long double y = points->y[points->rank[i]] - system->base_y;
        const long double z = points->z != NULL ? points->z[points->rank[i]] - system->base_z : 0;
        const size_t place = find_place(system, x, y, z);
        system->place[i] = (uint32_t)place;
        if (place <= system->m) {
            system->share[place]++;
            continue;
        }
        system->x[system->m] = x;
        system->y[system->m] = y;
        system->z[system->m] = z;
        system->from_base[system->m] = semivariance(system->variogram, x, y, z);
        system->share[++system->m] = 1;
    }
}

static long double *row_of(const struct shepard_kriging_system *system, size_t i)
{
    return system->row + i * (i + 1) / 2;
}

/* The covariance of two increments, whose points are `between` apart as semivariances go, own and
 * other from the base (Eq. 56, 57); the noise of the base is in both. */
static long double covariance(const struct shepard_kriging_system *system, long double own,
                              long double other, long double between)
{
    const long double simple = system->variogram->simple ? 1 : 0;
    return own + other - between - simple * own * other +
           system->noise * (1 - simple * own) * (1 - simple * other);
}

static void fill(struct shepard_kriging_system *system)
{
    const long double *g = system->from_base;
    for (size_t i = 0; i < system->m; i++) {
        long double *row = row_of(system, i);
        for (size_t j = 0; j < i; j++)
            row[j] =
                covariance(system, g[i], g[j],
                           semivariance(system->variogram, system->x[i] - system->x[j],
                                        system->y[i] - system->y[j], system->z[i] - system->z[j]));
        row[i] = covariance(system, g[i], g[i], 0) + system->noise;
    }
}

/* a less the product of the first n numbers of two rows. */
static long double less_product(long double a, const long double *first, const long double *second,
                                size_t n)
{
    for (size_t i = 0; i < n; i++)
        a -= first[i] * second[i];
    return a;
}

/* Cholesky's factor in place of the rows; false: the system is singular. */
static bool factor(struct shepard_kriging_system *system, long double least)
{
    for (size_t i = 0; i < system->m; i++) {
        long double *row = row_of(system, i);
        for (size_t j = 0; j < i; j++) {
            const long double *other = row_of(system, j);
            row[j] = less_product(row[j], row, other, j) / other[j];
        }
        const long double pivot = less_product(row[i], row, row, i);
        if (!(pivot > least))
            return false;
        row[i] = sqrtl(pivot);
    }
    return true;
}

/* L^-1 a in place of a. */
static void solve_lower(const struct shepard_kriging_system *system, long double *a)
{
    for (size_t i = 0; i < system->m; i++) {
        const long double *row = row_of(system, i);
        a[i] = less_product(a[i], row, a, i) / row[i];
    }
}

/* L'^-1 a in place of a. */
static void solve_upper(const struct shepard_kriging_system *system, long double *a)
{
    for (size_t j = system->m; j-- > 0;) {
        const long double *row = row_of(system, j);
        a[j] /= row[j];
        for (size_t i = 0; i < j; i++)
            a[i] -= row[i] * a[j];
    }
}

/* The size of a range of n offsets and 0. */
static long double extent(const long double *a, size_t n)
{
    long double least = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        least = fminl(least, a[i]);
        most = fmaxl(most, a[i]);
    }
    return most - least;
}

/* By the box of the points, so that all bases have the same. */
static long double jitter_of(const struct shepard_kriging_system *system)
{
    const size_t m = system->m;
    return SHEPARD_KRIGING_JITTER * semivariance(system->variogram, extent(system->x, m),
                                                 extent(system->y, m), extent(system->z, m));
}

enum shepard_status shepard_kriging_factor(struct shepard_kriging_system *system,
                                           const struct shepard_kriging_points *points)
{
    if (points->count > SHEPARD_KRIGING_POINTS_MAX)
        return SHEPARD_ERROR_SIZE;
    if (!reserve(system, points->count))
        return SHEPARD_ERROR_MEMORY;
    list_places(system, points);
    system->noise = 0;
    fill(system);
    const long double jitter = jitter_of(system);
    if (!factor(system, jitter)) {
        system->noise = jitter;
        fill(system);
        factor(system, 0);
    }
    for (size_t i = 0; system->variogram->universal && i < system->m; i++) {
        system->along[i] = system->x[i];
        system->across[i] = system->y[i];
    }
    if (system->variogram->universal) {
        solve_lower(system, system->along);
        solve_lower(system, system->across);
    }
    return SHEPARD_OK;
}

enum shepard_status shepard_kriging_fail(enum shepard_status status, struct shepard_error *error)
{
    if (status == SHEPARD_ERROR_MEMORY)
        return shepard_error_set_memory(error, "the predictions");
    if (status == SHEPARD_ERROR_SIZE)
        shepard_error_set(
            error, status, "parameters.neighbourhood",
            "parameters.neighbourhood lets a target have more than %d data points, the "
            "most that kriging solves at once: limit them, as with k=16",
            SHEPARD_KRIGING_POINTS_MAX);
    return status;
}

/* ---- targets --------------------------------------------------------------------------------- */

/* A target, as an offset from the base. */
struct target {
    long double x, y, z;
    long double from_base; /* semivariance */
};

/* How much nearer the target is to point i than to the base, as semivariances go. With a linear one
 * nothing is subtracted that a target far away has in common with both. */
static long double nearer(const struct shepard_kriging_system *system, const struct target *target,
                          size_t i)
{
    const struct shepard_variogram *variogram = system->variogram;
    const long double x = system->x[i], y = system->y[i], z = system->z[i];
    const long double dx = target->x - x, dy = target->y - y, dz = target->z - z;
    if (variogram->covariance != SHEPARD_COVARIANCE_LINEAR)
        return target->from_base - semivariance(variogram, dx, dy, dz);
    const long double distances =
        sqrtl(target->x * target->x + target->y * target->y + target->z * target->z) +
        sqrtl(dx * dx + dy * dy + dz * dz);
    return (x * (target->x + dx) + y * (target->y + dy) + z * (target->z + dz)) / distances *
           ((long double)variogram->structure * variogram->unit);
}

/* A of the plane (Eq. 59). */
static struct shepard_drift drift_of(const struct shepard_kriging_system *system)
{
    const size_t m = system->m;
    const long double *along = system->along, *across = system->across;
    return (struct shepard_drift){-less_product(0, along, along, m),
                                  -less_product(0, along, across, m),
                                  -less_product(0, across, across, m)};
}

/* A^+ q; the rank of A. */
static int solve_plane(const struct shepard_kriging_system *system, const long double q[2],
                       long double beta[2])
{
    const struct shepard_drift drift = drift_of(system);
    const bool both = shepard_drift_solve(&drift, q, beta) > SHEPARD_DRIFT_SINGULAR;
    return both ? 2 : drift.xx + drift.yy > 0;
}

/* The plane's part: b and the variance change (Eq. 59). */
static long double add_plane(const struct shepard_kriging_system *system,
                             const struct target *target, long double *b)
{
    const size_t m = system->m;
    const long double *along = system->along, *across = system->across;
    const long double q[2] = {less_product(target->x, along, b, m),
                              less_product(target->y, across, b, m)};
    long double beta[2];
    solve_plane(system, q, beta);
    for (size_t i = 0; i < m; i++)
        b[i] += beta[0] * along[i] + beta[1] * across[i];
    return beta[0] * q[0] + beta[1] * q[1];
}

/* From the weights of increments to those of points and of the mean (Eq. 58). */
static void put_weights(const struct shepard_kriging_system *system, const struct target *target,
                        const long double *b, struct shepard_kriging_answer *answer)
{
    long double sum = 0, known = -target->from_base;
    for (size_t i = 0; i < system->m; i++) {
        sum += b[i];
        known += b[i] * system->from_base[i];
    }
    known = system->variogram->simple ? known : 0;
    answer->mean_weight = -known;
    for (size_t i = 0; i < system->count; i++) {
        const size_t place = system->place[i];
        const long double weight = place == 0 ? 1 - sum + known : b[place - 1];
        answer->weight[i] = weight / system->share[place];
    }
}

void shepard_kriging_answer(const struct shepard_kriging_system *system, const double at[3],
                            long double *room, struct shepard_kriging_answer *answer)
{
    struct target target = {
        .x = at[0] - system->base_x, .y = at[1] - system->base_y, .z = at[2] - system->base_z};
    target.from_base = semivariance(system->variogram, target.x, target.y, target.z);
    const long double *g = system->from_base;
    for (size_t i = 0; i < system->m; i++)
        room[i] = covariance(system, g[i], target.from_base,
                             target.from_base - nearer(system, &target, i));
    solve_lower(system, room);
    answer->variance = less_product(covariance(system, target.from_base, target.from_base, 0), room,
                                    room, system->m);
    if (system->variogram->universal)
        answer->variance += add_plane(system, &target, room);
    answer->variance = fmaxl(answer->variance, 0);
    solve_upper(system, room);
    put_weights(system, &target, room, answer);
}

/* ---- local scaling --------------------------------------------------------------------------- */

/* Sums of values at a place become the increments' (Eq. 55); returns the base's. */
static long double add_up(const struct shepard_kriging_system *system, const long double *values,
                          long double *y)
{
    long double base = 0;
    for (size_t i = 0; i < system->m; i++)
        y[i] = 0;
    for (size_t i = 0; i < system->count; i++) {
        const size_t place = system->place[i];
        const long double part = values[i] / system->share[place];
        if (place == 0)
            base += part;
        else
            y[place - 1] += part;
    }
    return base;
}

/* L^-1 of the increments (Eq. 55) of values less the known mean; returns the base's. */
static long double whiten_values(const struct shepard_kriging_system *system,
                                 const long double *values, long double *y)
{
    const long double base = add_up(system, values, y);
    for (size_t i = 0; i < system->m; i++)
        y[i] -= base * (system->variogram->simple ? 1 - system->from_base[i] : 1);
    solve_lower(system, y);
    return base;
}

/* Slopes of the plane of whitened increments; the rank of A, and u of Eq. 59a. */
static int fit_plane(const struct shepard_kriging_system *system, const long double *y,
                     long double u[2], long double slope[2])
{
    u[0] = -less_product(0, system->along, y, system->m);
    u[1] = -less_product(0, system->across, y, system->m);
    return solve_plane(system, u, slope);
}

double shepard_kriging_local_scaling(const struct shepard_kriging_system *system,
                                     const long double *values, long double *room)
{
    const bool simple = system->variogram->simple;
    const long double base = whiten_values(system, values, room);
    long double squares = (simple ? base * base : 0) - less_product(0, room, room, system->m);
    double freedom = (double)system->m + (simple ? 1 : 0);
    if (system->variogram->universal) {
        long double u[2], slope[2];
        freedom -= fit_plane(system, room, u, slope);
        squares -= slope[0] * u[0] + slope[1] * u[1];
    }
    return shepard_kriging_scaling((double)fmaxl(squares, 0), freedom);
}

/* ---- all targets at once --------------------------------------------------------------------- */

double shepard_kriging_least_pivot(const struct shepard_kriging_system *system, double *largest)
{
    long double least = INFINITY, most = 0;
    for (size_t i = 0; i < system->m; i++) {
        const long double root = row_of(system, i)[i];
        least = fminl(least, root * root);
        most = fmaxl(most, system->from_base[i]);
    }
    *largest = (double)most;
    return (double)least;
}

double shepard_kriging_plane_inverse(const struct shepard_kriging_system *system, double inverse[3])
{
    const struct shepard_drift drift = drift_of(system);
    const long double x[2] = {1, 0}, y[2] = {0, 1};
    long double first[2], second[2];
    shepard_drift_solve(&drift, x, first);
    const long double part = shepard_drift_solve(&drift, y, second);
    inverse[0] = (double)first[0];
    inverse[1] = (double)first[1];
    inverse[2] = (double)second[1];
    return (double)part;
}

void shepard_kriging_copy_factor(const struct shepard_kriging_system *system, double *factor)
{
    for (size_t i = 0; i < system->m; i++) {
        const long double *row = row_of(system, i);
        for (size_t j = 0; j < i; j++)
            *factor++ = (double)row[j];
        *factor++ = (double)(1 / row[i]);
    }
}

struct shepard_kriging_plane shepard_kriging_dual(const struct shepard_kriging_system *system,
                                                  const long double *values, long double *weight)
{
    long double u[2], slope[2] = {0, 0};
    const long double base = whiten_values(system, values, weight);
    if (system->variogram->universal)
        fit_plane(system, weight, u, slope);
    for (size_t i = 0; system->variogram->universal && i < system->m; i++)
        weight[i] -= slope[0] * system->along[i] + slope[1] * system->across[i];
    solve_upper(system, weight);
    return (struct shepard_kriging_plane){(double)base, (double)slope[0], (double)slope[1]};
}
