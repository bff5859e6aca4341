/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <math.h>
#include <stdlib.h>

/* Weights are positive and at most 1 at unit2: absolute errors are relative to the nearest weight.
 */
#define WEIGHT_ERROR 2e-15
/* The plain kernel adds up thousands of terms one by one. */
#define SUM_ERROR 5e-13
#define SINGLE_ERROR 1e-6

static void check_weights(struct tally *tally, const struct shepard_kernels *kernels,
                          unsigned long *seed)
{
    enum { COUNT = 203 };
    static const double alphas[] = {1e-3, 0.1, 0.5, 1, 1.5, 2, 2.5, 3, 3.7, 4, 8, 20, 99.5, 100};
    double d2[COUNT], expected[COUNT], found[COUNT];
    for (size_t a = 0; a < sizeof alphas / sizeof alphas[0]; a++) {
        const double unit2 = pow(10, 20 * chance(seed) - 10);
        const struct shepard_decay decay = {shepard_form_of(alphas[a]), alphas[a],
                                            a % 3 == 0 ? unit2 * chance(seed) : 0, unit2};
        double worst = 0;
        for (size_t i = 0; i < COUNT; i++)
            d2[i] = unit2 * pow(2, 60 * chance(seed) * chance(seed));
        const size_t count = 1 + (size_t)(chance(seed) * COUNT);
        shepard_sum_scalar.weights(d2, count, &decay, expected);
        kernels->sum->weights(d2, count, &decay, found);
        for (size_t i = 0; i < count; i++)
            worst = fmax(worst, fabs(found[i] - expected[i]));
        tally_check(tally, worst <= WEIGHT_ERROR, "%s: weights of power %g are off by %g",
                    kernels->isa, alphas[a], worst);
    }
}

/* A cloud in the form that sums read. */
struct bench {
    struct cloud cloud;
    struct shepard_sum_data data;
    struct shepard_group *groups;
    float *floats; /* x, y, q, charges */
    const float **charges;
    double *numbers; /* middles, half-ranges, scales */
    double *rows;    /* [2 kernels, 4, columns, SHEPARD_ROW] */
};

static void fill_floats(struct bench *bench, size_t n, size_t columns)
{
    const struct shepard_points *points = &bench->cloud.points;
    float *x = bench->floats, *y = x + n, *q = y + n;
    for (size_t g = 0; g * SHEPARD_GROUP < n; g++) {
        const size_t first = g * SHEPARD_GROUP;
        struct shepard_group group = {points->x[first], points->y[first], 0};
        for (size_t i = first; i < n && i < first + SHEPARD_GROUP; i++) {
            const double dx = points->x[i] - group.x, dy = points->y[i] - group.y;
            x[i] = (float)dx;
            y[i] = (float)dy;
            group.radius2 = fmax(group.radius2, dx * dx + dy * dy);
        }
        bench->groups[g] = group;
    }
    for (size_t c = 0; c < columns; c++) {
        bench->numbers[c] = 1e3 * (double)c + 0.5;
        bench->numbers[columns + c] = 0.5;
        bench->numbers[2 * columns + c] = 2;
        float *charges = q + (c + 1) * n;
        for (size_t i = 0; i < n; i++) {
            q[i] = points->weights != NULL ? (float)points->weights[i] : 1;
            charges[i] = q[i] * (float)((points->values[c][i] - bench->numbers[c]) * 2);
        }
        bench->charges[c] = charges;
    }
}

static void make_bench(struct bench *bench, enum cloud_kind kind, size_t n, size_t columns,
                       bool weighted, unsigned long *seed)
{
    cloud_make(&bench->cloud, kind, n, columns, weighted, seed);
    bench->groups = malloc((n / SHEPARD_GROUP + 1) * sizeof *bench->groups);
    bench->floats = malloc((3 + columns) * n * sizeof *bench->floats);
    bench->charges = malloc(columns * sizeof *bench->charges);
    bench->numbers = malloc(3 * columns * sizeof *bench->numbers);
    bench->rows = malloc(8 * columns * SHEPARD_ROW * sizeof *bench->rows);
    if (!bench->groups || !bench->floats || !bench->charges || !bench->numbers || !bench->rows)
        exit(2);
    fill_floats(bench, n, columns);
    bench->data = (struct shepard_sum_data){
        .tree = &bench->cloud.store.tree,
        .columns = columns,
        .values = (const double *const *)bench->cloud.points.values,
        .weights = bench->cloud.points.weights,
        .scale = bench->numbers + 2 * columns,
        .groups = bench->groups,
        .x = bench->floats,
        .y = bench->floats + n,
        .charges = bench->charges,
        .charge = weighted ? bench->floats + 2 * n : NULL,
        .middle = bench->numbers,
        .half_range = bench->numbers + columns,
    };
}

static void free_bench(struct bench *bench)
{
    free(bench->rows);
    free(bench->numbers);
    free(bench->charges);
    free(bench->floats);
    free(bench->groups);
    cloud_free(&bench->cloud);
}

static double nearest2(const struct shepard_points *points, double x, double y)
{
    double least = INFINITY;
    for (size_t i = 0; i < points->count; i++)
        least = fmin(least, (points->x[i] - x) * (points->x[i] - x) +
                                (points->y[i] - y) * (points->y[i] - y));
    return least;
}

/* A target that is on no point, with its decay. */
static struct shepard_decay free_target(const struct cloud *cloud, double alpha, double smoothing2,
                                        unsigned long *seed, double *x, double *y)
{
    double unit2;
    do {
        cloud_target(cloud, seed, x, y);
        unit2 = nearest2(&cloud->points, *x, *y);
    } while (unit2 == 0);
    return (struct shepard_decay){shepard_form_of(alpha), alpha, smoothing2, unit2 + smoothing2};
}

static double relative(double found, double expected, double scale)
{
    return fabs(found - expected) / scale;
}

/* Largest difference of a double sum from the plain one, relative to sums of absolute terms. */
static double compare_double(const struct shepard_sum_double *a, const struct shepard_sum_double *b,
                             size_t columns)
{
    double worst = 0;
    for (size_t j = 0; j < a->targets; j++) {
        const double w = a->w[j], reach = 4;
        worst = fmax(worst, relative(b->w[j], w, w));
        worst = fmax(worst, relative(b->ww[j], a->ww[j], a->ww[j]));
        for (size_t c = 0; c < columns; c++)
            worst = fmax(worst, relative(b->z[c * SHEPARD_ROW + j], a->z[c * SHEPARD_ROW + j], w));
        if (!a->plane)
            continue;
        worst = fmax(worst, relative(b->wx[j], a->wx[j], w * reach));
        worst = fmax(worst, relative(b->wyy[j], a->wyy[j], w * reach * reach));
        worst = fmax(worst, relative(b->wxy[j], a->wxy[j], w * reach * reach));
        for (size_t c = 0; c < columns; c++)
            worst = fmax(
                worst, relative(b->zx[c * SHEPARD_ROW + j], a->zx[c * SHEPARD_ROW + j], w * reach));
    }
    return worst;
}

static void check_double(struct tally *tally, const struct shepard_kernels *kernels,
                         struct bench *bench, double alpha, unsigned long *seed)
{
    const size_t row = bench->data.columns * SHEPARD_ROW;
    struct shepard_sum_double expected = {.targets = 1 + (size_t)(chance(seed) * SHEPARD_LANES)};
    expected.plane = chance(seed) < 0.5;
    expected.spread = !expected.plane && chance(seed) < 0.5;
    expected.centre = bench->rows;
    for (size_t i = 0; i < row; i++)
        bench->rows[i] = bench->numbers[i / SHEPARD_ROW];
    const double smoothing2 = chance(seed) < 0.5 ? 0 : 1e-4;
    for (size_t j = 0; j < expected.targets; j++) {
        expected.decay[j] =
            free_target(&bench->cloud, alpha, smoothing2, seed, &expected.x[j], &expected.y[j]);
        expected.origin_x[j] = bench->cloud.points.frame.box.x_min;
        expected.origin_y[j] = bench->cloud.points.frame.box.y_min;
    }
    for (size_t j = expected.targets; j < SHEPARD_LANES; j++)
        expected.origin_x[j] = expected.origin_y[j] = expected.x[j] = expected.y[j] = 0;
    struct shepard_sum_double found = expected;
    expected.z = bench->rows + row;
    expected.zx = expected.z + row;
    expected.zy = expected.zx + row;
    found.z = expected.zy + row;
    found.zx = found.z + row;
    found.zy = found.zx + row;
    shepard_sum_scalar.sum_double(&bench->data, &expected);
    kernels->sum->sum_double(&bench->data, &found);
    const double worst = compare_double(&expected, &found, bench->data.columns);
    tally_check(tally, worst <= SUM_ERROR, "%s: double sums over %s, power %g, are off by %g",
                kernels->isa, bench->cloud.name, alpha, worst);
}

static double check_single(struct tally *tally, const struct shepard_kernels *kernels,
                           struct bench *bench, double alpha, unsigned long *seed)
{
    const size_t row = bench->data.columns * SHEPARD_LANES;
    struct shepard_sum_single expected = {.targets = 1 + (size_t)(chance(seed) * SHEPARD_LANES)};
    const double smoothing2 = chance(seed) < 0.5 ? 0 : 1e-4;
    for (size_t j = 0; j < expected.targets; j++)
        expected.decay[j] =
            free_target(&bench->cloud, alpha, smoothing2, seed, &expected.x[j], &expected.y[j]);
    struct shepard_sum_single found = expected;
    expected.z = bench->rows;
    found.z = bench->rows + row;
    shepard_sum_scalar.sum_single(&bench->data, &expected);
    kernels->sum->sum_single(&bench->data, &found);
    double worst = 0;
    for (size_t j = 0; j < expected.targets; j++)
        for (size_t c = 0; c < bench->data.columns; c++) {
            const size_t at = c * SHEPARD_LANES + j;
            /* Charges lie in [-1, 1]: half of it is a fraction of the value range. */
            worst =
                fmax(worst, fabs(expected.z[at] / expected.w[j] - found.z[at] / found.w[j]) / 2);
        }
    tally_check(tally, worst <= SINGLE_ERROR, "%s: single sums over %s, power %g, are off by %g",
                kernels->isa, bench->cloud.name, alpha, worst);
    return worst;
}

static void time_sums(const struct shepard_kernels *kernels, double alpha, unsigned long *seed)
{
    enum { POINTS = 50000, TIMES = 4 };
    struct bench bench;
    make_bench(&bench, CLOUD_UNIFORM, POINTS, 1, false, seed);
    struct shepard_sum_single sum = {.targets = SHEPARD_LANES, .z = bench.rows};
    for (size_t j = 0; j < SHEPARD_LANES; j++)
        sum.decay[j] = free_target(&bench.cloud, alpha, 0, seed, &sum.x[j], &sum.y[j]);
    const double start = seconds();
    for (int i = 0; i < TIMES; i++)
        kernels->sum->sum_single(&bench.data, &sum);
    printf("%-8s single sums, power %g: %6.3f 1e9 pairs/s\n", kernels->isa, alpha,
           1e-9 * POINTS * SHEPARD_LANES * TIMES / (seconds() - start));
    free_bench(&bench);
}

void check_sums(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed)
{
    static const double alphas[] = {0.1, 1, 2, 2.5, 3, 4, 5.5, 8};
    static const size_t sizes[] = {1, 63, 64, 65, 3001};
    double worst = 0;
    check_weights(tally, kernels, &seed);
    for (int kind = 0; kind < CLOUD_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (int variant = 0; variant < 4; variant++) {
                struct bench bench;
                make_bench(&bench, (enum cloud_kind)kind, sizes[i], variant < 2 ? 1 : 3,
                           variant % 2 == 1, &seed);
                for (size_t a = 0; sizes[i] > 1 && a < sizeof alphas / sizeof alphas[0]; a++) {
                    check_double(tally, kernels, &bench, alphas[a], &seed);
                    worst = fmax(worst, check_single(tally, kernels, &bench, alphas[a], &seed));
                }
                free_bench(&bench);
            }
    printf("%-8s single sums: largest error %.2g of the value range\n", kernels->isa, worst);
    time_sums(kernels, 2, &seed);
    time_sums(kernels, 2.5, &seed);
}
