/* SPDX-License-Identifier: MIT */
#include "core/plane_single.h"
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

static double nearest2(const struct shepard_samples *points, double x, double y)
{
    double least = INFINITY;
    for (size_t i = 0; i < points->count; i++)
        least = fmin(least, (points->x[i] - x) * (points->x[i] - x) +
                                (points->y[i] - y) * (points->y[i] - y));
    return least;
}

/* Sets lane j of targets that are on no point: no two powers need be the same. */
static void place_target(const struct cloud *cloud, double power, size_t j, double *x, double *y,
                         struct shepard_decay_lanes *decay, unsigned long *seed)
{
    double unit2;
    do {
        cloud_target(cloud, seed, x, y);
        unit2 = nearest2(&cloud->samples, *x, *y);
    } while (unit2 == 0);
    decay->unit2[j] = unit2 + decay->smoothing2;
    decay->half_power[j] = power / 2;
}

/* A form with its powers: that of the general form varies from lane to lane. */
static double power_of(double power, enum shepard_form form, unsigned long *seed)
{
    return form == SHEPARD_FORM_GENERAL ? power * (0.8 + 0.2 * chance(seed)) : power;
}

static double some_smoothing2(unsigned long *seed)
{
    return chance(seed) < 0.5 ? 0 : scaled_chance(seed, -40, 2);
}

static double relative(double found, double expected, double scale)
{
    return isfinite(found) ? fabs(found - expected) / scale : INFINITY;
}

/* ---- double ---------------------------------------------------------------------------------- */

struct rows {
    size_t count; /* numbers of one row of columns */
    double *memory;
};

static struct rows make_rows(size_t columns)
{
    struct rows rows = {columns * SHEPARD_ROW, malloc(7 * columns * SHEPARD_ROW * sizeof(double))};
    if (rows.memory == NULL)
        exit(2);
    return rows;
}

static void point_rows(const struct rows *rows, size_t first, struct shepard_sum_double *sum)
{
    sum->centre = rows->memory;
    sum->z = rows->memory + first * rows->count;
    sum->zx = sum->z + rows->count;
    sum->zy = sum->zx + rows->count;
}

/* Largest difference of a double sum from the plain one, relative to sums of absolute terms; reach:
 * of offsets. */
static double compare_double(const struct shepard_sum_double *a, const struct shepard_sum_double *b,
                             size_t columns, double mean_radius_log2)
{
    double worst = 0;
    for (size_t j = 0; j < a->targets; j++) {
        const double w = a->w[j], wx = w * mean_radius_log2, wxx = wx * mean_radius_log2;
        worst = fmax(worst, relative(b->w[j], w, w));
        worst = fmax(worst, relative(b->ww[j], a->ww[j], a->ww[j]));
        for (size_t c = 0; c < columns; c++) {
            const size_t at = c * SHEPARD_ROW + j;
            worst = fmax(worst, relative(b->z[at], a->z[at], w));
            if (a->plane)
                worst = fmax(worst, relative(b->zx[at], a->zx[at], wx));
            if (a->plane)
                worst = fmax(worst, relative(b->zy[at], a->zy[at], wx));
        }
        if (!a->plane)
            continue;
        worst = fmax(worst, relative(b->wx[j], a->wx[j], wx));
        worst = fmax(worst, relative(b->wy[j], a->wy[j], wx));
        worst = fmax(worst, relative(b->wxx[j], a->wxx[j], wxx));
        worst = fmax(worst, relative(b->wyy[j], a->wyy[j], wxx));
        worst = fmax(worst, relative(b->wxy[j], a->wxy[j], wxx));
    }
    return worst;
}

/* The whole sum over the points, or in pieces that end anywhere. */
static void sum_points_double(const struct shepard_sum_kernels *kernels,
                              const struct sample *sample, bool pieces,
                              struct shepard_sum_double *sum, unsigned long *seed)
{
    const size_t n = sample->data.tree->count;
    kernels->start_double(&sample->data, sum);
    for (size_t first = 0, end; first < n; first = end) {
        end = pieces ? first + 1 + pick(seed, 200) : n;
        end = end < n ? end : n;
        const struct shepard_run run = {first, end - first};
        kernels->add_points_double(&sample->data, sum, &run);
    }
    kernels->finish_double(&sample->data, sum);
}

/* Lanes without a target hold what is no number. */
static struct shepard_sum_double draw_double(const struct sample *sample, const struct rows *rows,
                                             double power, unsigned long *seed)
{
    struct shepard_sum_double sum = {.targets = 1 + pick(seed, SHEPARD_LANES)};
    const struct shepard_box *box = &sample->cloud.points.frame.box;
    sum.decay.form = chance(seed) < 0.2 ? SHEPARD_FORM_GENERAL : shepard_form_of(power);
    sum.decay.smoothing2 = some_smoothing2(seed);
    sum.plane = chance(seed) < 0.5;
    sum.straight = sum.plane && chance(seed) < 0.3;
    sum.spread = !sum.plane && chance(seed) < 0.5;
    for (size_t i = 0; i < rows->count; i++)
        rows->memory[i] = i % SHEPARD_ROW < sum.targets
                              ? sample->data.middle[i / SHEPARD_ROW] + chance(seed) - 0.5
                              : NAN;
    for (size_t j = 0; j < SHEPARD_LANES; j++)
        sum.x[j] = sum.y[j] = sum.origin_x[j] = sum.origin_y[j] = sum.main_x[j] = sum.main_y[j] =
            sum.decay.unit2[j] = sum.decay.half_power[j] = NAN;
    for (size_t j = 0; j < sum.targets; j++) {
        place_target(&sample->cloud, power_of(power, sum.decay.form, seed), j, &sum.x[j], &sum.y[j],
                     &sum.decay, seed);
        sum.origin_x[j] = box->x_min + chance(seed);
        sum.origin_y[j] = box->y_min + chance(seed);
        draw_axes(seed, &sum.main_x[j], &sum.main_y[j]);
    }
    return sum;
}

static void check_double(struct tally *tally, const struct shepard_kernels *kernels,
                         const struct sample *sample, double power, unsigned long *seed)
{
    const struct rows rows = make_rows(sample->data.columns);
    struct shepard_sum_double expected = draw_double(sample, &rows, power, seed), found = expected;
    const bool pieces = chance(seed) < 0.7;
    point_rows(&rows, 1, &expected);
    point_rows(&rows, 4, &found);
    sum_points_double(&shepard_sum_scalar, sample, false, &expected, seed);
    sum_points_double(kernels->sum, sample, pieces, &found, seed);
    const double worst = compare_double(&expected, &found, sample->data.columns, 4);
    tally_check(tally, worst <= SUM_ERROR,
                "%s: double sums over %s in %s, n = %zu, power %g, are off by %g", kernels->isa,
                sample->cloud.name, pieces ? "pieces" : "one", sample->data.tree->count, power,
                worst);
    free(rows.memory);
}

/* Against sums in long double: the roundings of many additions are not lost. */
static void check_recovery(struct tally *tally, const struct shepard_kernels *kernels,
                           enum cloud_kind kind, unsigned long *seed)
{
    enum { N = 4000 };
    const double power = 0.1;
    struct sample sample;
    sample_make(&sample, kind, N, 1, true, seed);
    const struct rows rows = make_rows(1);
    struct shepard_sum_double sum = draw_double(&sample, &rows, power, seed);
    long double total = 0;
    sum.targets = 1;
    sum.plane = sum.straight = sum.spread = false;
    sum.decay.form = SHEPARD_FORM_GENERAL;
    point_rows(&rows, 1, &sum);
    kernels->sum->start_double(&sample.data, &sum);
    for (size_t i = 0; i < N; i++)
        kernels->sum->add_points_double(&sample.data, &sum, &(struct shepard_run){i, 1});
    kernels->sum->finish_double(&sample.data, &sum);
    for (size_t i = 0; i < N; i++) {
        const long double dx = (long double)sample.data.tree->x[i] - sum.x[0];
        const long double dy = (long double)sample.data.tree->y[i] - sum.y[0];
        const long double u = sum.decay.unit2[0] / (dx * dx + dy * dy + sum.decay.smoothing2);
        total += sample.data.weights[i] * powl(u, sum.decay.half_power[0]);
    }
    const double off = fabs((double)((sum.w[0] - total) / total));
    tally_check(tally, off <= WEIGHT_ERROR / 4, "%s: a sum over %s by single points is off by %g",
                kernels->isa, sample.cloud.name, off);
    free(rows.memory);
    sample_free(&sample);
}

/* ---- single ---------------------------------------------------------------------------------- */

static void sum_points_single(const struct shepard_sum_kernels *kernels,
                              const struct sample *sample, bool pieces,
                              struct shepard_sum_single *sum, unsigned long *seed)
{
    const size_t n = sample->data.tree->count;
    kernels->start_single(&sample->data, sum);
    for (size_t first = 0, end; first < n; first = end) {
        end = pieces ? first + 1 + pick(seed, 200) : n;
        end = end < n ? end : n;
        const struct shepard_run run = {first, end - first};
        kernels->add_points_single(&sample->data, sum, &run);
    }
}

static struct shepard_sum_single draw_single(const struct sample *sample, double power, bool plane,
                                             unsigned long *seed)
{
    struct shepard_sum_single sum = {.targets = 1 + pick(seed, SHEPARD_LANES)};
    sum.decay.form = chance(seed) < 0.2 ? SHEPARD_FORM_GENERAL : shepard_form_of(power);
    sum.plane = plane;
    sum.decay.smoothing2 = plane ? 0 : some_smoothing2(seed);
    for (size_t j = 0; j < SHEPARD_LANES; j++)
        sum.x[j] = sum.y[j] = sum.decay.unit2[j] = sum.decay.half_power[j] = NAN;
    for (size_t j = 0; j < sum.targets; j++)
        place_target(&sample->cloud, power_of(power, sum.decay.form, seed), j, &sum.x[j], &sum.y[j],
                     &sum.decay, seed);
    return sum;
}

/* What the sums of a sample may lose by fast weights, a part of the value range. */
static double fast_bound(const struct sample *sample, double power)
{
    double sum = 0, least = INFINITY;
    for (size_t i = 0; i < sample->data.tree->count; i++) {
        const double q = sample->data.weights == NULL ? 1 : sample->data.weights[i];
        sum += q;
        least = fmin(least, q);
    }
    return shepard_accuracy_fast_rounding(
        &(struct shepard_accuracy_demand){.power_max = power, .charges = sum / least});
}

/* Largest errors of sums of weights, relative to them, over `of_weights`, and of predictions, parts
 * of the value range. Charges lie in [-1, 1]. */
static double compare_single(const struct shepard_sum_single *a, const struct shepard_sum_single *b,
                             size_t columns, double of_weights)
{
    double worst = 0;
    for (size_t j = 0; j < a->targets; j++) {
        worst = fmax(worst, relative(b->w[j], a->w[j], a->w[j]) / of_weights);
        for (size_t c = 0; c < columns; c++) {
            const size_t at = c * SHEPARD_LANES + j;
            worst = fmax(worst, relative(b->z[at] / b->w[j], a->z[at] / a->w[j], 2));
        }
    }
    return worst;
}

/* `fast`: with fast weights. The largest error over what it may be. */
static double check_single(struct tally *tally, const struct shepard_kernels *kernels,
                           const struct sample *sample, double power, bool fast,
                           unsigned long *seed)
{
    const struct rows rows = make_rows(sample->data.columns);
    struct shepard_sum_single expected = draw_single(sample, power, false, seed), found = expected;
    const bool pieces = chance(seed) < 0.7;
    const double bound = fast ? fast_bound(sample, power) : SINGLE_ERROR;
    found.fast_weights = fast;
    expected.z = rows.memory;
    found.z = rows.memory + rows.count;
    sum_points_single(&shepard_sum_scalar, sample, false, &expected, seed);
    sum_points_single(kernels->sum, sample, pieces, &found, seed);
    const double worst =
        compare_single(&expected, &found, sample->data.columns, fast ? 2 : 10) / bound;
    tally_check(tally, worst <= 1,
                "%s: single sums%s over %s in %s, n = %zu, power %g, are off by %g of what they "
                "may be",
                kernels->isa, fast ? " of fast weights" : "", sample->cloud.name,
                pieces ? "pieces" : "one", sample->data.tree->count, power, worst);
    free(rows.memory);
    return worst;
}

/* Fast weights of single points by Eq. 25a: the nearest point is any number of times nearer. */
static double check_fast_weights(struct tally *tally, const struct shepard_kernels *kernels,
                                 unsigned long *seed)
{
    double worst = 0;
    struct sample sample;
    sample_make(&sample, CLOUD_UNIFORM, 2, 1, false, seed);
    const struct shepard_run run = {0, 1};
    for (int trial = 0; trial < 2000; trial++) {
        double z[2][SHEPARD_LANES];
        const double power = scaled_chance(seed, -3, 3);
        struct shepard_sum_single expected = draw_single(&sample, power, false, seed), found;
        expected.decay.form = SHEPARD_FORM_GENERAL;
        for (size_t j = 0; j < expected.targets; j++)
            expected.decay.unit2[j] *= scaled_chance(seed, -60 / fmax(power, 1), 0);
        found = expected;
        found.fast_weights = true;
        expected.z = z[0];
        found.z = z[1];
        shepard_sum_scalar.start_single(&sample.data, &expected);
        shepard_sum_scalar.add_points_single(&sample.data, &expected, &run);
        kernels->sum->start_single(&sample.data, &found);
        kernels->sum->add_points_single(&sample.data, &found, &run);
        for (size_t j = 0; j < expected.targets; j++) {
            if (expected.w[j] < 0x1p-125)
                continue;
            const double bound =
                (93 * expected.decay.half_power[j] + 46 - 2.78 * log2(expected.w[j])) * 0x1p-24;
            worst = fmax(worst, relative(found.w[j], expected.w[j], expected.w[j]) / bound);
        }
    }
    tally_check(tally, worst <= 1, "%s: fast weights are off by %g of what they may be",
                kernels->isa, worst);
    sample_free(&sample);
    return worst;
}

/* Largest difference of sums for planes, relative to what float32 may lose: that of each weight
 * (Eq. 24), and of sums of weights times distances. */
static double compare_planes(const struct shepard_sum_single *a, const struct shepard_sum_single *b,
                             size_t columns)
{
    double worst = 0;
    for (size_t j = 0; j < a->targets; j++) {
        const double u = 0x1p-24, power = 2 * a->decay.half_power[j];
        const double part =
            shepard_accuracy_weight_rounding(power) + SHEPARD_PLANE_SINGLE_POINTS * u;
        const double w = part * a->w[j], wxx = part * (a->wxx[j] + a->wyy[j]), wx = sqrt(w * wxx);
        worst = fmax(worst, relative(b->w[j], a->w[j], w));
        worst = fmax(worst, relative(b->wx[j], a->wx[j], wx));
        worst = fmax(worst, relative(b->wy[j], a->wy[j], wx));
        worst = fmax(worst, relative(b->wxx[j], a->wxx[j], wxx));
        worst = fmax(worst, relative(b->wxy[j], a->wxy[j], wxx));
        worst = fmax(worst, relative(b->wyy[j], a->wyy[j], wxx));
        for (size_t c = 0; c < columns; c++) {
            const size_t at = c * SHEPARD_LANES + j;
            worst = fmax(worst, relative(b->z[at], a->z[at], w));
            worst = fmax(worst, relative(b->zx[at], a->zx[at], wx));
            worst = fmax(worst, relative(b->zy[at], a->zy[at], wx));
        }
    }
    return worst;
}

static double check_planes_single(struct tally *tally, const struct shepard_kernels *kernels,
                                  const struct sample *sample, double power, unsigned long *seed)
{
    const struct rows rows = make_rows(sample->data.columns);
    struct shepard_sum_single expected = draw_single(sample, power, true, seed), found = expected;
    const bool pieces = chance(seed) < 0.7;
    expected.z = rows.memory;
    expected.zx = expected.z + rows.count;
    expected.zy = expected.zx + rows.count;
    found.z = expected.zy + rows.count;
    found.zx = found.z + rows.count;
    found.zy = found.zx + rows.count;
    sum_points_single(&shepard_sum_scalar, sample, false, &expected, seed);
    sum_points_single(kernels->sum, sample, pieces, &found, seed);
    const double worst = compare_planes(&expected, &found, sample->data.columns);
    tally_check(tally, worst <= 1,
                "%s: single sums for planes over %s in %s, n = %zu, power %g, are off by %g of "
                "what they may be",
                kernels->isa, sample->cloud.name, pieces ? "pieces" : "one",
                sample->data.tree->count, power, worst);
    free(rows.memory);
    return worst;
}

static void time_sums(const struct shepard_kernels *kernels, double power, unsigned long *seed)
{
    enum { POINTS = 50000, TIMES = 4 };
    struct sample sample;
    double z[SHEPARD_ROW];
    sample_make(&sample, CLOUD_UNIFORM, POINTS, 1, false, seed);
    struct shepard_sum_single sum = {.targets = SHEPARD_LANES, .z = z};
    sum.decay.form = shepard_form_of(power);
    for (size_t j = 0; j < SHEPARD_LANES; j++)
        place_target(&sample.cloud, power, j, &sum.x[j], &sum.y[j], &sum.decay, seed);
    const double start = seconds();
    for (int i = 0; i < TIMES; i++)
        sum_points_single(kernels->sum, &sample, false, &sum, seed);
    printf("%-8s single sums, power %g: %6.3f 1e9 pairs/s\n", kernels->isa, power,
           1e-9 * POINTS * SHEPARD_LANES * TIMES / (seconds() - start));
    sample_free(&sample);
}

void check_sums(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed)
{
    static const double alphas[] = {0.1, 1, 2, 2.5, 3, 4, 5.5, 8};
    static const size_t sizes[] = {1, 63, 64, 65, 2001};
    double worst[] = {0, 0}, worst_plane = 0;
    check_weights(tally, kernels, &seed);
    const double worst_weight = check_fast_weights(tally, kernels, &seed);
    for (int kind = 0; kind < CLOUD_KINDS; kind++) {
        if (kernels->sum != &shepard_sum_scalar)
            check_recovery(tally, kernels, (enum cloud_kind)kind, &seed);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (int variant = 0; variant < 4; variant++) {
                struct sample sample;
                sample_make(&sample, (enum cloud_kind)kind, sizes[i], variant < 2 ? 1 : 3,
                            variant % 2 == 1, &seed);
                for (size_t a = 0; sizes[i] > 1 && a < sizeof alphas / sizeof alphas[0]; a++) {
                    check_double(tally, kernels, &sample, alphas[a], &seed);
                    for (int fast = 0; fast < 2; fast++)
                        worst[fast] = fmax(worst[fast], check_single(tally, kernels, &sample,
                                                                     alphas[a], fast, &seed));
                    worst_plane = fmax(worst_plane, check_planes_single(tally, kernels, &sample,
                                                                        alphas[a], &seed));
                }
                sample_free(&sample);
            }
    }
    printf("%-8s single sums: largest error %.2g of the value range; of their bounds fast weights "
           "%.2g, sums of them %.2g, sums for planes %.2g\n",
           kernels->isa, worst[0] * SINGLE_ERROR, worst_weight, worst[1], worst_plane);
    time_sums(kernels, 2, &seed);
    time_sums(kernels, 2.5, &seed);
}
