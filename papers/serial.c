/* SPDX-License-Identifier: MIT */
#include "serial.h"

#include "base/error.h"
#include "base/memory.h"
#include "stopwatch.h"

#include <math.h>

/* Totals within these bounds have lost nothing to the range of numbers; other sums are made again,
 * in double and relative to the nearest. */
struct total_bounds {
    double low, high;
};
static const struct total_bounds single_bounds = {0x1p-60, 0x1p100};
static const struct total_bounds double_bounds = {0x1p-900, 0x1p900};

/* Data in the engine's units, rounded to single precision. */
struct single_points {
    float *x, *y; /* [n] */
    float *z;     /* [n, columns] */
};

/* Data in the engine's units. */
struct serial_points {
    size_t n, columns;
    double *x, *y;               /* [n] */
    double *z;                   /* [n, columns] */
    struct single_points single; /* NULL with engines in double */
};

struct serial_target {
    double x, y;
};

/* How weights come from squared distances. */
struct power {
    double half;       /* alpha / 2 */
    double reference2; /* w = (reference2 / d2)^half */
    bool square;       /* w = reference2 / d2 */
};

static double distance2(const struct serial_points *cloud, size_t i, const struct serial_target *at)
{
    const double dx = cloud->x[i] - at->x, dy = cloud->y[i] - at->y;
    return dx * dx + dy * dy;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

/* The k smallest squared distances, by insertion, rising. */
static void find_nearest(const struct serial_points *cloud, const struct serial_target *at,
                         size_t k, double *d2)
{
    for (size_t j = 0; j < k; j++)
        d2[j] = INFINITY;
    for (size_t i = 0; i < cloud->n; i++) {
        const double a = distance2(cloud, i, at);
        if (!(a < d2[k - 1]))
            continue;
        size_t j = k - 1;
        for (; j > 0 && d2[j - 1] > a; j--)
            d2[j] = d2[j - 1];
        d2[j] = a;
    }
}

static double alpha_at(const struct serial_points *cloud, const struct serial_target *at,
                       const struct shepard_adapt *adapt, double *nearest2)
{
    double d2[SHEPARD_PAPER_NEIGHBOURS_MAX], sum = 0;
    find_nearest(cloud, at, adapt->k, d2);
    for (size_t j = 0; j < adapt->k; j++)
        sum += sqrt(d2[j]);
    *nearest2 = d2[0];
    return shepard_adapt_power(adapt, sum / (double)adapt->k);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* sums[0] = sum of weights, sums[1 + c] = sum of weights times values. Those of a single column
 * stay in registers. */
static void add_all(const struct serial_points *cloud, const struct serial_target *at,
                    const struct power *power, double *sums)
{
    double total = 0, first = 0;
    for (size_t c = 1; c < cloud->columns; c++)
        sums[1 + c] = 0;
    for (size_t i = 0; i < cloud->n; i++) {
        const double ratio = power->reference2 / distance2(cloud, i, at);
        const double w = power->square ? ratio : pow(ratio, power->half);
        const double *z = &cloud->z[i * cloud->columns];
        total += w;
        first += w * z[0];
        for (size_t c = 1; c < cloud->columns; c++)
            sums[1 + c] += w * z[c];
    }
    sums[0] = total;
    sums[1] = first;
}

/* The same in single precision, as [IDW14] has it: the rounding errors of n additions stay in. */
static void add_all_single(const struct serial_points *cloud, const struct serial_target *at,
                           const struct power *power, double *sums)
{
    const struct single_points *const single = &cloud->single;
    const float x = (float)at->x, y = (float)at->y, half = (float)power->half;
    float total = 0, first = 0, more[SHEPARD_PAPER_COLUMNS_MAX] = {0};
    for (size_t i = 0; i < cloud->n; i++) {
        const float dx = single->x[i] - x, dy = single->y[i] - y;
        const float ratio = 1 / (dx * dx + dy * dy);
        const float w = power->square ? ratio : powf(ratio, half);
        const float *z = &single->z[i * cloud->columns];
        total += w;
        first += w * z[0];
        for (size_t c = 1; c < cloud->columns; c++)
            more[c] += w * z[c];
    }
    sums[0] = total;
    sums[1] = first;
    for (size_t c = 1; c < cloud->columns; c++)
        sums[1 + c] = more[c];
}

/* At the place of data points: the sums of their values. */
static void add_coincident(const struct serial_points *cloud, const struct serial_target *at,
                           double *sums)
{
    for (size_t c = 0; c <= cloud->columns; c++)
        sums[c] = 0;
    for (size_t i = 0; i < cloud->n; i++) {
        if (distance2(cloud, i, at) > 0)
            continue;
        sums[0] += 1;
        for (size_t c = 0; c < cloud->columns; c++)
            sums[1 + c] += cloud->z[i * cloud->columns + c];
    }
}

/* NaN and infinities are not. */
static bool is_within(const struct total_bounds *bounds, double total)
{
    return total >= bounds->low && total <= bounds->high;
}

static void add_idw(const struct serial_points *cloud, const struct serial_target *at,
                    struct power power, double *sums)
{
    const bool single = cloud->single.x != NULL;
    if (single)
        add_all_single(cloud, at, &power, sums);
    else
        add_all(cloud, at, &power, sums);
    if (is_within(single ? &single_bounds : &double_bounds, sums[0]))
        return;
    find_nearest(cloud, at, 1, &power.reference2);
    if (power.reference2 > 0)
        add_all(cloud, at, &power, sums);
    else
        add_coincident(cloud, at, sums);
}

static void add_aidw(const struct serial_points *cloud, const struct serial_target *at,
                     const struct shepard_adapt *adapt, double *sums)
{
    struct power power = {0};
    power.half = alpha_at(cloud, at, adapt, &power.reference2) / 2;
    if (power.reference2 > 0)
        add_all(cloud, at, &power, sums);
    else
        add_coincident(cloud, at, sums);
}

/* ---- the run --------------------------------------------------------------------------------- */

static void free_cloud(struct serial_points *cloud)
{
    shepard_release(NULL, cloud->x);
    shepard_release(NULL, cloud->y);
    shepard_release(NULL, cloud->z);
    shepard_release(NULL, cloud->single.x);
    shepard_release(NULL, cloud->single.y);
    shepard_release(NULL, cloud->single.z);
}

/* NULL where memory ran out. */
static float *round_all(const double *from, size_t count)
{
    float *const to = shepard_allocate(NULL, count, sizeof(float));
    for (size_t i = 0; to != NULL && i < count; i++)
        to[i] = (float)from[i];
    return to;
}

static bool make_single(struct serial_points *cloud)
{
    cloud->single =
        (struct single_points){round_all(cloud->x, cloud->n), round_all(cloud->y, cloud->n),
                               round_all(cloud->z, cloud->n * cloud->columns)};
    return cloud->single.x != NULL && cloud->single.y != NULL && cloud->single.z != NULL;
}

static bool make_cloud(const struct shepard_paper_problem *problem, struct serial_points *cloud)
{
    const struct shepard_coordinates *from = problem->job->coordinates;
    const struct shepard_array *values = problem->job->values->columns;
    const double *x = from->x.data, *y = from->y.data;
    const size_t n = problem->n, columns = problem->columns;
    *cloud = (struct serial_points){.n = n,
                                    .columns = columns,
                                    .x = shepard_allocate(NULL, n, sizeof(double)),
                                    .y = shepard_allocate(NULL, n, sizeof(double)),
                                    .z = shepard_allocate(NULL, n, columns * sizeof(double))};
    if (cloud->x == NULL || cloud->y == NULL || cloud->z == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        cloud->x[i] = shepard_paper_place(problem, x[i], problem->x_middle);
        cloud->y[i] = shepard_paper_place(problem, y[i], problem->y_middle);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < columns; c++) {
            const double *z = values[c].data;
            cloud->z[i * columns + c] = shepard_paper_value(&problem->ranges[c], z[i]);
        }
    return true;
}

static void predict(const struct shepard_paper_engine *engine,
                    const struct shepard_paper_problem *problem, const struct serial_points *cloud,
                    double *const *values)
{
    const struct shepard_targets *targets = problem->job->targets;
    const double *x = targets->x.data, *y = targets->y.data;
    const struct power power = {problem->power / 2, 1, engine->square};
    double sums[1 + SHEPARD_PAPER_COLUMNS_MAX];
    for (size_t t = 0; t < problem->m; t++) {
        const struct serial_target at = {shepard_paper_place(problem, x[t], problem->x_middle),
                                         shepard_paper_place(problem, y[t], problem->y_middle)};
        if (engine->system == SHEPARD_PAPER_IDW)
            add_idw(cloud, &at, power, sums);
        else
            add_aidw(cloud, &at, &problem->adapt, sums);
        for (size_t c = 0; c < problem->columns; c++)
            values[c][t] = shepard_paper_result(&problem->ranges[c], sums[1 + c] / sums[0]);
    }
}

enum shepard_status shepard_paper_serial_run(const struct shepard_paper_engine *engine,
                                             const struct shepard_paper_problem *problem,
                                             double *const *values,
                                             struct shepard_paper_times *times,
                                             struct shepard_error *error)
{
    const double started = shepard_seconds_wall();
    struct serial_points cloud;
    const bool single = engine->precision == SHEPARD_PRECISION_SINGLE;
    if (!make_cloud(problem, &cloud) || (single && !make_single(&cloud))) {
        free_cloud(&cloud);
        return shepard_error_set_memory(error, "the serial engine's copy of the data");
    }
    const double prepared = shepard_seconds_wall();
    predict(engine, problem, &cloud, values);
    times->prepare += prepared - started;
    times->weighting += shepard_seconds_wall() - prepared;
    free_cloud(&cloud);
    return SHEPARD_OK;
}
