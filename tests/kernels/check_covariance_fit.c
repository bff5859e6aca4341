/* SPDX-License-Identifier: MIT */
/* Fits of covariances to simulated fields, and what every fit promises. */
#include "core/covariance_fit.h"
#include "suite.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

struct field {
    size_t n;
    double *x, *y, *z;
};

static struct field field_of(size_t n)
{
    double *memory = calloc(3 * n, sizeof *memory);
    if (memory == NULL)
        exit(2);
    return (struct field){n, memory, memory + n, memory + 2 * n};
}

static const struct shepard_covariance_given nothing = {
    .psill = NAN, .nugget = NAN, .range = NAN, .p = NAN, .mean = NAN, .ratio = NAN, .angle = NAN};

static struct shepard_covariance_data data_of(const struct field *field)
{
    return (struct shepard_covariance_data){.count = field->n,
                                            .x = field->x,
                                            .y = field->y,
                                            .z = field->z,
                                            .given = nothing,
                                            .seed = 1,
                                            .kernels = shepard_kernels_choose(),
                                            .threads = 1};
}

static struct shepard_covariance_fit fit_with(const struct shepard_covariance_data *data)
{
    struct shepard_covariance_fit fit;
    if (shepard_covariance_fit_run(data, &fit, NULL) != SHEPARD_OK)
        exit(2);
    return fit;
}

static struct shepard_covariance_fit fit_of(const struct field *field)
{
    const struct shepard_covariance_data data = data_of(field);
    return fit_with(&data);
}

static double normal(unsigned long *seed)
{
    return sqrt(-2 * log(1 - chance(seed))) * cos(6.283185307179586 * chance(seed));
}

/* On a grid of 2^-20: shifts and scales by powers of two are exact. */
static double snapped(double a)
{
    return ldexp(nearbyint(ldexp(a, 20)), -20);
}

/* A covariance, user units. */
struct truth {
    double psill, nugget, range, ratio, angle, p;
};

/* A Gaussian field at random places of the unit square by a dense factor. */
static struct field simulate(const struct truth *truth, size_t n, unsigned long *seed)
{
    const struct field field = field_of(n);
    double *a = calloc(n * n, sizeof *a), *noise = calloc(n, sizeof *noise);
    if (a == NULL || noise == NULL)
        exit(2);
    const double c = cos(truth->angle / 57.29577951308232),
                 s = sin(truth->angle / 57.29577951308232);
    for (size_t i = 0; i < n; i++) {
        field.x[i] = snapped(chance(seed));
        field.y[i] = snapped(chance(seed));
        noise[i] = normal(seed);
    }
    for (size_t i = 0; i < n; i++) {
        double z = 0;
        for (size_t j = 0; j <= i; j++) {
            const double dx = field.x[i] - field.x[j], dy = field.y[i] - field.y[j];
            const double h = hypot(c * dx + s * dy, truth->ratio * (c * dy - s * dx));
            double sum =
                truth->psill * exp(-pow(h / truth->range, truth->p)) + (i == j ? truth->nugget : 0);
            for (size_t m = 0; m < j; m++)
                sum -= a[i * n + m] * a[j * n + m];
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
            z += a[i * n + j] * noise[j];
        }
        field.z[i] = snapped(z);
    }
    free(noise);
    free(a);
    return field;
}

static const struct truth anisotropic = {1, 0.1, 0.3, 3, 30, 1};

/* The difference of two angles of axes, degrees. */
static double turn(double a, double b)
{
    return fabs(remainder(a - b, 180));
}

/* Tolerances that held at 26 seeds. */
static void check_recovery(struct tally *tally, unsigned long *seed)
{
    static const struct truth truths[] = {
        {1, 0.1, 0.3, 3, 30, 1}, {4, 0.4, 0.2, 1, 0, 1}, {1, 0.02, 0.2, 2, -60, 1.6}};
    for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++) {
        const struct truth *t = &truths[i];
        const struct field field = simulate(t, 900, seed);
        const struct shepard_covariance_fit fit = fit_of(&field);
        /* What data in one place can tell of psill and range ([Zhang04] of docs/math.md), and the
         * rest. */
        const double slope = log(fit.psill / pow(fit.range * fit.range / fit.ratio, fit.p / 2));
        const double expected = log(t->psill / pow(t->range * t->range / t->ratio, t->p / 2));
        tally_check(tally,
                    fit.form == SHEPARD_FIT_LIKELIHOOD && fabs(fit.p - t->p) < 0.65 &&
                        fabs(fit.nugget - t->nugget) < 0.2 * t->psill &&
                        fabs(log(fit.ratio / t->ratio)) < 0.6 && fabs(slope - expected) < 2,
                    "recovery of field %zu: p %g nugget %g ratio %g slope %g, not %g", i, fit.p,
                    fit.nugget, fit.ratio, slope, expected);
        if (t->ratio > 1)
            tally_check(tally, fit.anisotropic && turn(fit.angle, t->angle) < 12,
                        "direction %g, not %g", fit.angle, t->angle);
        free(field.x);
    }
}

/* The sills of noise add up to its variance about its mean. */
static void check_noise(struct tally *tally, unsigned long *seed)
{
    const struct field field = field_of(40 + pick(seed, 800));
    double sum = 0, squares = 0;
    for (size_t i = 0; i < field.n; i++) {
        field.x[i] = chance(seed);
        field.y[i] = chance(seed);
        field.z[i] = 1000 + 70 * normal(seed);
        sum += field.z[i];
        squares += field.z[i] * field.z[i];
    }
    const double mean = sum / (double)field.n, variance = squares / (double)field.n - mean * mean;
    const struct shepard_covariance_fit fit = fit_of(&field);
    tally_check(tally,
                fabs((fit.psill + fit.nugget) / variance - 1) < 0.25 &&
                    fabs(fit.scale * fit.scale * (1 + fit.nugget_ratio) / variance - 1) < 0.25 &&
                    fabs(fit.mean - mean) < 0.5 * sqrt(variance),
                "noise of mean %g and variance %g: mean %g, psill %g, nugget %g", mean, variance,
                fit.mean, fit.psill, fit.nugget);
    free(field.x);
}

/* Bits of what does not have user units. */
static bool same_search(const struct shepard_covariance_fit *a,
                        const struct shepard_covariance_fit *b)
{
    return a->form == b->form && a->nugget_ratio == b->nugget_ratio && a->ratio == b->ratio &&
           a->angle == b->angle && a->p == b->p && a->objective == b->objective &&
           a->evaluations == b->evaluations && a->conditioned == b->conditioned &&
           a->clipped == b->clipped && a->anisotropic == b->anisotropic;
}

static bool same_fit(const struct shepard_covariance_fit *a, const struct shepard_covariance_fit *b)
{
    return same_search(a, b) && a->psill == b->psill && a->nugget == b->nugget &&
           a->scale == b->scale && a->range == b->range && a->mean == b->mean;
}

/* Units that are powers of two and shifts that round nothing change nothing else. */
static void check_units(struct tally *tally, unsigned long *seed)
{
    const struct field field = simulate(&anisotropic, 300 + pick(seed, 400), seed);
    const struct shepard_covariance_fit plain = fit_of(&field);
    for (size_t i = 0; i < field.n; i++) {
        field.x[i] = ldexp(field.x[i] + 1024, 9);
        field.y[i] = ldexp(field.y[i] - 512, 9);
        field.z[i] = ldexp(field.z[i] + 4096, -7);
    }
    const struct shepard_covariance_fit moved = fit_of(&field);
    tally_check(tally,
                same_search(&plain, &moved) && moved.range == ldexp(plain.range, 9) &&
                    moved.psill == ldexp(plain.psill, -14) &&
                    moved.nugget == ldexp(plain.nugget, -14) &&
                    fabs(moved.mean - ldexp(plain.mean + 4096, -7)) < 1e-9,
                "other units: range %g and %g, psill %g and %g", plain.range, moved.range,
                plain.psill, moved.psill);
    for (size_t i = 0; i < field.n; i++)
        field.z[i] = ldexp(field.z[i], -650);
    const struct shepard_covariance_fit tiny = fit_of(&field);
    tally_check(tally, same_search(&moved, &tiny) && tiny.scale == ldexp(moved.scale, -650),
                "tiny values: scale %g", tiny.scale);
    free(field.x);
}

/* A map that is turned turns the angle; the search takes another way to the same place. */
static void check_turns(struct tally *tally, unsigned long *seed)
{
    const struct field field = simulate(&anisotropic, 700, seed);
    const struct shepard_covariance_fit plain = fit_of(&field);
    const double angle = 360 * chance(seed), c = cos(angle / 57.29577951308232),
                 s = sin(angle / 57.29577951308232);
    for (size_t i = 0; i < field.n; i++) {
        const double x = field.x[i], y = field.y[i];
        field.x[i] = c * x - s * y;
        field.y[i] = s * x + c * y;
    }
    const struct shepard_covariance_fit turned = fit_of(&field);
    tally_check(tally,
                turned.anisotropic && turn(turned.angle, plain.angle + angle) < 5 &&
                    fabs(log(turned.ratio / plain.ratio)) < 0.3 &&
                    fabs(turned.objective - plain.objective) < 0.03,
                "turned by %g: angle %g from %g, ratio %g from %g, objective %g from %g", angle,
                turned.angle, plain.angle, turned.ratio, plain.ratio, turned.objective,
                plain.objective);
    free(field.x);
}

/* Threads and vectors change no bit; plain C with libm finds as good a fit. */
static void check_same_bits(struct tally *tally, size_t n, unsigned long *seed)
{
    const struct field field = field_of(n);
    for (size_t i = 0; i < n; i++) {
        field.x[i] = chance(seed);
        field.y[i] = chance(seed);
        field.z[i] = sin(9 * field.x[i]) + cos(7 * field.y[i]) + 0.1 * chance(seed);
    }
    struct shepard_covariance_data data = data_of(&field);
    const struct shepard_covariance_fit expected = fit_with(&data);
    for (data.threads = 1; data.threads <= 3; data.threads++) {
        const struct shepard_covariance_fit found = fit_with(&data);
        tally_check(tally, same_fit(&expected, &found), "%zu points, %d threads: another fit", n,
                    data.threads);
    }
    for (size_t i = 0; (data.kernels = shepard_kernels_at(i)) != NULL; i++) {
        const struct shepard_covariance_fit found = fit_with(&data);
        tally_check(tally,
                    i == 0 ? fabs(found.objective - expected.objective) < 0.005
                           : same_fit(&expected, &found),
                    "%zu points, %s: another fit, %g from %g", n, data.kernels->isa,
                    found.objective, expected.objective);
    }
    free(field.x);
}

/* ---- degenerate data ------------------------------------------------------------------------- */

/* Ways to be degenerate. */
enum {
    CONSTANT,
    NOISE,
    PLANE,
    LINE,
    FOUR_SAME,
    FOUR,
    NEAR_DUPLICATES,
    LATTICE,
    UTM,
    TINY,
    LARGE,
    SPIKE,
    ONE_PLACE,
    KINDS
};

static void degenerate(const struct field *field, int kind, unsigned long *seed)
{
    const double large = ldexp(1, 40);
    for (size_t i = 0; i < field->n; i++) {
        double x = chance(seed), y = chance(seed), z = chance(seed);
        const size_t four = i / 4 * 4;
        if (kind == LATTICE) {
            x = (double)(i % 7);
            y = floor((double)i / 7);
        }
        if (kind == LINE)
            y = 0;
        if (kind == ONE_PLACE)
            x = y = 0.5;
        if ((kind == FOUR || kind == FOUR_SAME) && i > four) {
            x = field->x[four];
            y = field->y[four];
            z = kind == FOUR_SAME ? field->z[four] : z;
        }
        if (kind == NEAR_DUPLICATES && i % 2 == 1) {
            x = field->x[i - 1] + 1e-9 * x;
            y = field->y[i - 1] + 1e-9 * y;
        }
        if (kind == UTM) {
            x = 500000 + 100 * x;
            y = 5.2e6 + 100 * y;
        }
        field->x[i] = x;
        field->y[i] = y;
        field->z[i] = kind == CONSTANT ? 42
                      : kind == PLANE  ? 1 + 2 * x - y
                      : kind == TINY   ? 1e-200 * z
                      : kind == LARGE  ? large + z
                      : kind == SPIKE  ? (i == 0 ? 1e6 : z)
                                       : z;
    }
}

static bool is_finite(const struct shepard_covariance_fit *fit)
{
    const double all[] = {fit->psill, fit->nugget, fit->scale, fit->nugget_ratio, fit->range,
                          fit->ratio, fit->angle,  fit->p,     fit->mean,         fit->objective};
    bool finite = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        finite = finite && isfinite(all[i]) && fabs(all[i]) <= DBL_MAX;
    return finite && fit->range > 0 && fit->ratio >= 1 && fit->p >= 0.2 && fit->p <= 1.95 &&
           fit->scale >= 0 && fit->nugget_ratio >= 0 && fabs(fit->angle) <= 90;
}

static enum shepard_fit_form expected_form(int kind, size_t n)
{
    if (n == 1 || kind == CONSTANT || kind == ONE_PLACE ||
        ((kind == FOUR || kind == FOUR_SAME) && n <= 4))
        return SHEPARD_FIT_CONSTANT;
    return n < SHEPARD_COVARIANCE_FIT_MIN ? SHEPARD_FIT_FEW : SHEPARD_FIT_LIKELIHOOD;
}

static void check_degenerate(struct tally *tally, unsigned long *seed)
{
    static const size_t counts[] = {1, 2, 3, 5, 8, 9, 10, 20, 30, 2100};
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            const struct field field = field_of(counts[i]);
            degenerate(&field, kind, seed);
            const struct shepard_covariance_fit fit = fit_of(&field);
            const bool few = counts[i] < SHEPARD_COVARIANCE_FIT_ALL_MIN;
            tally_check(tally,
                        is_finite(&fit) && fit.form == expected_form(kind, counts[i]) &&
                            (!few || (fit.p == 1 && fit.ratio == 1)) &&
                            (kind != SPIKE || counts[i] < 20 || fit.clipped == 1),
                        "degenerate %d of %zu points: form %d psill %g nugget %g range %g ratio %g "
                        "p %g, %zu clipped",
                        kind, counts[i], (int)fit.form, fit.psill, fit.nugget, fit.range, fit.ratio,
                        fit.p, fit.clipped);
            free(field.x);
        }
    }
}

/* ---- failures -------------------------------------------------------------------------------- */

/* An allocator that fails after so many blocks, and counts those that are held; for one thread. */
struct meter {
    long allowed, held;
};

static void *meter_allocate(size_t size, void *user)
{
    struct meter *meter = user;
    if (meter->allowed-- <= 0)
        return NULL;
    meter->held++;
    return malloc(size);
}

static void meter_release(void *block, void *user)
{
    ((struct meter *)user)->held--;
    free(block);
}

/* Too little memory at any place is an error that leaks nothing. */
static void check_memory(struct tally *tally, size_t n, unsigned long *seed)
{
    const struct field field = field_of(n);
    degenerate(&field, NOISE, seed);
    struct meter meter = {0};
    const struct shepard_allocator allocator = {meter_allocate, meter_release, &meter};
    struct shepard_covariance_data data = data_of(&field);
    data.allocator = &allocator;
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    long allowed = 0;
    for (; status == SHEPARD_ERROR_MEMORY && allowed < 1000; allowed++) {
        struct shepard_covariance_fit fit;
        struct shepard_error error = {0};
        meter.allowed = allowed;
        status = shepard_covariance_fit_run(&data, &fit, &error);
        tally_check(tally, meter.held == 0 && (status == SHEPARD_OK || error.status == status),
                    "%zu points, %ld blocks allowed: %ld held", n, allowed, meter.held);
    }
    tally_check(tally, status == SHEPARD_OK && allowed > 3,
                "%zu points: status %d after %ld blocks", n, (int)status, allowed);
    free(field.x);
}

struct watch {
    long calls, allowed;
    double last;
    bool rising;
};

static bool watch_progress(double fraction, void *user)
{
    struct watch *watch = user;
    watch->rising = watch->rising && fraction >= watch->last && fraction <= 1;
    watch->last = fraction;
    return ++watch->calls < watch->allowed;
}

static void check_cancelling(struct tally *tally, unsigned long *seed)
{
    const struct field field = field_of(150);
    degenerate(&field, NOISE, seed);
    struct watch watch = {.allowed = 1000000, .rising = true};
    const struct shepard_control control = {
        .size = sizeof control, .progress = watch_progress, .user = &watch};
    struct shepard_covariance_data data = data_of(&field);
    data.control = &control;
    const struct shepard_covariance_fit fit = fit_with(&data);
    tally_check(tally, watch.rising && (size_t)watch.calls == fit.evaluations,
                "progress: %ld calls for %zu evaluations", watch.calls, fit.evaluations);
    for (long allowed = 1; allowed <= (long)fit.evaluations; allowed += 1 + allowed / 2) {
        struct shepard_covariance_fit none;
        struct shepard_error error = {0};
        watch = (struct watch){.allowed = allowed, .rising = true};
        const enum shepard_status status = shepard_covariance_fit_run(&data, &none, &error);
        tally_check(tally, status == SHEPARD_ERROR_CANCELLED && watch.calls == allowed,
                    "cancelled at call %ld: status %d after %ld", allowed, (int)status,
                    watch.calls);
    }
    free(field.x);
}

void check_covariance_fit(struct tally *tally, unsigned long seed)
{
    check_recovery(tally, &seed);
    for (int trial = 0; trial < 2; trial++) {
        check_noise(tally, &seed);
        check_units(tally, &seed);
        check_turns(tally, &seed);
    }
    check_same_bits(tally, 900, &seed);
    check_same_bits(tally, 2600, &seed);
    check_degenerate(tally, &seed);
    check_memory(tally, 9, &seed);
    check_memory(tally, 40, &seed);
    check_memory(tally, 2200, &seed);
    check_cancelling(tally, &seed);
}
