/* SPDX-License-Identifier: MIT */
/* test_trend_gls [FOLDER [SEED]]: trends of kriging against generalized least squares with the
 * whole covariance matrix in long double; with FOLDER instead how much they improve kriging of zinc
 * by the Meuse.
 */
#include "check.h"

#include "base/random.h"
#include "shepard/shepard.h"
#include "trend_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED 77 /* the status that ctest reads as skipped */
#define EXACT 16   /* so many points are conditioned on all before them */

static const double pi = 3.14159265358979323846;

/* ---- random kriging ----------------------------------------------------------------------------
 */

static struct shepard_parameters draw_parameters(struct shepard_random *random)
{
    struct shepard_parameters parameters = trend_parameters("krige:model=exponential");
    struct shepard_kriging *kriging = &parameters.kriging;
    kriging->covariance =
        (enum shepard_covariance)(6 * shepard_random_uniform(random)); /* to _LINEAR */
    kriging->kind = (enum shepard_kriging_kind)(3 * shepard_random_uniform(random));
    if (kriging->covariance == SHEPARD_COVARIANCE_LINEAR && kriging->kind == SHEPARD_KRIGING_SIMPLE)
        kriging->kind = SHEPARD_KRIGING_ORDINARY;
    kriging->psill = shepard_random_magnitude(random, 0.1, 100);
    kriging->nugget = kriging->psill * shepard_random_magnitude(random, 1e-2, 10);
    kriging->range = shepard_random_magnitude(random, 2, 200);
    const double p = 0.2 + 1.75 * shepard_random_uniform(random);
    const double mean = 20 * shepard_random_normal(random);
    kriging->p = kriging->covariance == SHEPARD_COVARIANCE_STABLE ? p : NAN;
    kriging->mean = kriging->kind == SHEPARD_KRIGING_SIMPLE ? mean : NAN;
    return parameters;
}

static void draw_anisotropy(struct shepard_random *random, struct trend_data *data)
{
    data->ratio = shepard_random_magnitude(random, 0.2, 10);
    data->angle = 400 * shepard_random_uniform(random) - 200;
}

/* ---- the definition ----------------------------------------------------------------------------
 */

static long double covariance(const struct shepard_kriging *kriging, long double h)
{
    const long double part = h / kriging->range;
    switch (kriging->covariance) {
    case SHEPARD_COVARIANCE_STABLE:
        return kriging->psill * expl(-powl(part, kriging->p));
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        return kriging->psill * expl(-part);
    case SHEPARD_COVARIANCE_SPHERICAL:
        return part < 1 ? kriging->psill * (1 - 1.5L * part + 0.5L * part * part * part) : 0;
    case SHEPARD_COVARIANCE_MATERN32:
        return kriging->psill * (1 + part) * expl(-part);
    case SHEPARD_COVARIANCE_GAUSSIAN:
        return kriging->psill * expl(-part * part);
    default: /* any constant will do that is large enough */
        return kriging->psill * (5e4L / kriging->range - part);
    }
}

static long double distance(const struct trend_data *data, size_t i, size_t j)
{
    const long double angle = (long double)data->angle * pi / 180;
    const long double dx = (long double)data->x[i] - data->x[j];
    const long double dy = (long double)data->y[i] - data->y[j];
    const long double along = dx * cosl(angle) + dy * sinl(angle);
    const long double across = dy * cosl(angle) - dx * sinl(angle);
    return hypotl(along, (data->ratio > 0 ? data->ratio : 1) * across);
}

/* Cholesky's factor of the covariances of all points. */
static void factor(const struct trend_data *data, const struct shepard_kriging *kriging,
                   long double a[POINTS][POINTS])
{
    for (size_t i = 0; i < data->n; i++)
        for (size_t j = 0; j <= i; j++) {
            long double sum = covariance(kriging, distance(data, i, j));
            sum += i == j ? kriging->nugget : 0;
            for (size_t m = 0; m < j; m++)
                sum -= a[i][m] * a[j][m];
            a[i][j] = i == j ? sqrtl(sum) : sum / a[j][j];
        }
}

/* L^-1 of a column, less a constant. */
static void whiten(size_t n, long double a[POINTS][POINTS], const double *column, double less,
                   long double *to)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = (column != NULL ? column[i] : 1) - (long double)less;
        for (size_t m = 0; m < i; m++)
            to[i] -= a[i][m] * to[m];
        to[i] /= a[i][i];
    }
}

/* b and standard errors of column k. */
static void solve_dense(const struct trend_data *data, const struct shepard_kriging *kriging,
                        size_t k, double *b, double *se)
{
    enum { MOST = P + 1, WIDTH = 2 * MOST + 1 };
    static long double a[POINTS][POINTS], column[MOST + 1][POINTS];
    long double normal[MOST * WIDTH] = {0};
    const bool simple = kriging->kind == SHEPARD_KRIGING_SIMPLE;
    const size_t n = data->n, first = simple ? 0 : 1, size = data->p + first;
    const size_t width = 2 * size + 1;
    factor(data, kriging, a);
    whiten(n, a, NULL, 0, column[0]); /* stays where there is a constant */
    for (size_t j = 0; j < data->p; j++)
        whiten(n, a, data->c[j], 0, column[first + j]);
    whiten(n, a, data->z[k], simple ? kriging->mean : 0, column[size]);
    for (size_t j = 0; j < size; j++) {
        for (size_t m = 0; m <= size; m++)
            for (size_t i = 0; i < n; i++)
                normal[j * width + m] += column[j][i] * column[m][i];
        normal[j * width + size + 1 + j] = 1;
    }
    trend_eliminate(size, width, normal);
    for (size_t j = 0; j < data->p; j++) {
        const long double *row = normal + (first + j) * width;
        b[j] = (double)row[size];
        se[j] = (double)sqrtl(row[size + 1 + first + j]);
    }
}

/* Residuals and errors that belong to b. */
static void check_errors(const struct trend_data *data, const struct shepard_parameters *parameters,
                         const struct trend_outcome *got)
{
    static double errors[POINTS], of_rest[POINTS];
    for (size_t k = 0; k < data->columns; k++) {
        double sum = 0, without = 0;
        trend_leave_one_out(data, parameters, data->z[k], errors);
        trend_leave_one_out(data, parameters, got->rest[k], of_rest);
        for (size_t i = 0; i < data->n; i++) {
            double rest = data->z[k][i];
            for (size_t j = 0; j < data->p; j++)
                rest -= got->b[k * data->p + j] * data->c[j][i];
            check_near(got->rest[k][i], rest, 1e-12 * fabs(data->z[k][i]), "rest");
            sum += of_rest[i] * of_rest[i] / (double)data->n;
            without += errors[i] * errors[i] / (double)data->n;
        }
        check_near(got->rmse[k], sqrt(sum), 1e-7 * sqrt(without), "rmse");
        check_near(got->without[k], sqrt(without), 1e-9 * sqrt(without), "rmse without");
        check(got->used[k] == data->n, "%zu of %zu points", got->used[k], data->n);
    }
}

static void check_exact(struct shepard_random *random, int trial)
{
    static struct trend_data data;
    struct shepard_parameters parameters = draw_parameters(random);
    trend_data_make(random, &data);
    draw_anisotropy(random, &data);
    data.p = 1 + (size_t)(P * shepard_random_uniform(random));
    data.n = data.p + 2 + (size_t)((double)(EXACT - data.p - 1) * shepard_random_uniform(random));
    check_case("%zu points, model %d, kind %d, trial %d, backend %d", data.n,
               (int)parameters.kriging.covariance, (int)parameters.kriging.kind, trial,
               (int)trend_backend);
    const struct trend_outcome got = trend_fit(&data, &parameters, NULL);
    if (!check(got.status == SHEPARD_OK, "status %d: %s", got.status, got.error.message))
        return;
    for (size_t k = 0; k < data.columns; k++) {
        double b[P], se[P];
        solve_dense(&data, &parameters.kriging, k, b, se);
        for (size_t j = 0; j < data.p; j++) {
            check_near(got.b[k * data.p + j], b[j], 1e-8 * (fabs(b[j]) + se[j]), "b");
            check_near(got.se[k * data.p + j], se[j], 1e-8 * se[j], "standard error");
        }
    }
    check_errors(&data, &parameters, &got);
}

/* Of more points what 15 neighbours say is nearly all: b is a little less efficient than that of
 * all of them, most where the covariance ends (spherical) or a mean is known. The values are no
 * sample of the covariance: where it is smooth, b may differ by several standard errors. */
static void check_many(struct shepard_random *random)
{
    static struct trend_data data;
    double most = 0, ratio = 0, squares = 0, count = 0;
    for (int trial = 0; trial < 20; trial++) {
        struct shepard_parameters parameters = draw_parameters(random);
        trend_data_make(random, &data);
        draw_anisotropy(random, &data);
        if (parameters.kriging.kind == SHEPARD_KRIGING_SIMPLE)
            parameters.kriging.mean = 0; /* about that of what the trend leaves */
        check_case("%zu points, model %d, kind %d, trial %d", data.n,
                   (int)parameters.kriging.covariance, (int)parameters.kriging.kind, trial);
        const struct trend_outcome got = trend_fit(&data, &parameters, NULL);
        check(got.status == SHEPARD_OK, "%s", got.error.message);
        for (size_t k = 0; k < data.columns; k++) {
            double b[P], se[P];
            solve_dense(&data, &parameters.kriging, k, b, se);
            for (size_t j = 0; j < data.p; j++) {
                const double off = fabs(got.b[k * P + j] - b[j]) / se[j];
                most = fmax(most, off);
                ratio = fmax(ratio, fabs(log(got.se[k * P + j] / se[j])));
                squares += off * off;
                count++;
                check(off < 10, "b off by %g standard errors", off);
            }
        }
    }
    check_measure("240 points: b off, in standard errors", most);
    check_measure("the root of its mean square", sqrt(squares / count));
    check(squares / count < 1, "b off by %g standard errors", sqrt(squares / count));
    check_measure("their standard errors off, a part", ratio);
    check(ratio < 0.6, "standard errors off by %g", ratio);
}

/* ---- samples of many points --------------------------------------------------------------------
 */

/* Of white noise on a covariate that is smooth or not: the spread of b in standard errors. */
static void check_sample(struct shepard_random *random)
{
    enum { N = 60000, RUNS = 40 }; /* so that points of the sample stand for several */
    static double x[N], y[N], c[N], z[N];
    const struct shepard_parameters parameters =
        trend_parameters("krige:model=exponential:psill=1:range=0.001:nugget=1");
    const struct shepard_array column = shepard_doubles(c), value = shepard_doubles(z);
    const struct shepard_coordinates coordinates = {
        .size = sizeof coordinates, .count = N, .x = shepard_doubles(x), .y = shepard_doubles(y)};
    const struct shepard_covariates covariates = {
        .size = sizeof covariates, .count = 1, .columns = &column};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &value};
    double b, se, sum = 0;
    const struct shepard_trend trend = {
        .size = sizeof trend, .coefficients = &b, .standard_errors = &se};
    struct shepard_points_options options;
    check_case("a sample of %d points", N);
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    options.threads = 1;
    for (int run = 0; run < RUNS; run++) {
        struct shepard_points *points = NULL;
        for (int i = 0; i < N; i++) {
            x[i] = 100 * shepard_random_uniform(random);
            y[i] = 100 * shepard_random_uniform(random);
            c[i] = run % 2 == 0 ? sin(x[i] / 20) : shepard_random_normal(random);
            z[i] = 2 * c[i] + sqrt(2) * shepard_random_normal(random);
        }
        check(shepard_points_create(&coordinates, &options, &points, NULL) == SHEPARD_OK &&
                  shepard_trend_fit(points, &values, &covariates, &parameters, &trend, NULL,
                                    NULL) == SHEPARD_OK,
              "a trend");
        shepard_points_free(points);
        sum += (b - 2) / se * (b - 2) / se / RUNS;
    }
    check_measure("a sample's spread of b over its standard error", sqrt(sum));
    check(sqrt(sum) > 0.7 && sqrt(sum) < 1.35, "spread %g", sqrt(sum));
}

/* ---- properties --------------------------------------------------------------------------------
 */

static void check_units(struct shepard_random *random)
{
    static struct trend_data data, other;
    struct shepard_parameters parameters = draw_parameters(random), scaled;
    const double height = shepard_random_magnitude(random, 1e-100, 1e100);
    const double length = shepard_random_magnitude(random, 1e-6, 1e6);
    check_case("units %g, %g", height, length);
    parameters.kriging.kind = SHEPARD_KRIGING_ORDINARY;
    parameters.kriging.mean = NAN;
    scaled = parameters;
    scaled.kriging.range *= length;
    scaled.kriging.psill *= height * height;
    scaled.kriging.nugget *= height * height;
    trend_data_make(random, &data);
    other = data;
    for (size_t i = 0; i < data.n; i++) {
        other.x[i] = length * (data.x[i] + 1e3);
        other.y[i] = length * data.y[i];
        other.z[0][i] = height * (data.z[0][i] + 7 * data.c[1][i] + 30);
        other.c[0][i] = data.c[0][i] + 1e4;
    }
    const struct trend_outcome a = trend_fit(&data, &parameters, NULL);
    const struct trend_outcome b = trend_fit(&other, &scaled, NULL);
    for (size_t j = 0; j < P; j++) {
        const double want = height * (a.b[j] + (j == 1 ? 7 : 0)), se = height * a.se[j];
        check_near(b.b[j], want, 1e-6 * se, "scaled b");
        check_near(b.se[j], se, 1e-6 * se, "scaled standard error");
    }
}

/* A covariance that is fitted with a trend is that of what it leaves: values that differ by a trend
 * have the same one, and its mean is that of generalized least squares. */
static void check_fits(struct shepard_random *random, const char *text)
{
    static struct trend_data data, other, untouched;
    struct shepard_fit_info info, again, plain;
    check_case("%s", text);
    trend_data_make(random, &data);
    other = data;
    for (size_t i = 0; i < data.n; i++)
        other.z[0][i] += 0.5 * data.c[0][i] - 3e3 * data.c[2][i];
    untouched = other; /* a fit puts its anisotropy there */
    const struct shepard_parameters a = trend_parameters_fit(&data, text, true, &info);
    const struct shepard_parameters b = trend_parameters_fit(&other, text, true, &again);
    const struct shepard_parameters without = trend_parameters_fit(&untouched, text, false, &plain);
    const struct shepard_kriging *first = &a.kriging, *second = &b.kriging;
    const double sill = first->psill + first->nugget;
    check_near(second->psill, first->psill, 1e-4 * sill, "psill");
    check_near(second->nugget, first->nugget, 1e-4 * sill, "nugget");
    check_near(second->range, first->range, 1e-3 * first->range, "range");
    check(without.kriging.psill + without.kriging.nugget > 4 * sill, "sill %g, without a trend %g",
          sill, without.kriging.psill + without.kriging.nugget);
    check(info.points == data.n && info.fitted, "%zu points", info.points);
    const struct trend_outcome got = trend_fit(&data, &a, NULL);
    const struct trend_outcome moved = trend_fit(&other, &b, NULL);
    const double shift[P] = {0.5, 0, -3e3}, truth[P] = {0.25, -8, 900};
    double mean = 0;
    for (size_t i = 0; i < data.n; i++)
        mean += got.rest[0][i] / (double)data.n;
    check(fabs(info.mean - mean) < 3 * sqrt(sill), "mean %g, of the rest %g", info.mean, mean);
    for (size_t j = 0; j < P; j++) {
        check_near(moved.b[j], got.b[j] + shift[j], 1e-2 * got.se[j], "b of a shifted trend");
        check(fabs(got.b[j] - truth[j]) < 5 * got.se[j], "b[%zu] = %g +- %g, not %g", j, got.b[j],
              got.se[j], truth[j]);
    }
}

/* A trend and nothing else leaves nothing, whatever has to be fitted. */
static void check_nothing_left(struct shepard_random *random)
{
    static struct trend_data data;
    struct shepard_fit_info info;
    check_case("nothing but a trend");
    trend_data_make(random, &data);
    for (size_t i = 0; i < data.n; i++)
        data.z[0][i] = 3 + 2 * data.c[0][i] - data.c[1][i];
    data.p = 2;
    data.columns = 1;
    const struct shepard_parameters parameters = trend_parameters_fit(&data, "krige", true, &info);
    const struct trend_outcome got = trend_fit(&data, &parameters, NULL);
    check(info.form == SHEPARD_FIT_CONSTANT, "form %d", info.form);
    check_near(info.mean, 3, 1e-9, "mean");
    check_near(got.b[0], 2, 1e-11, "b");
    check_near(got.b[1], -1, 1e-11, "b");
    check_near(got.rmse[0], 0, 1e-9, "rmse");
}

static void check_gaps(struct shepard_random *random)
{
    static struct trend_data data, part;
    const struct shepard_parameters parameters = draw_parameters(random);
    check_case("gaps");
    trend_data_make(random, &data);
    for (size_t i = 0; i < data.n; i++) {
        const double u = shepard_random_uniform(random);
        data.c[0][i] = u < 0.1 ? NAN : data.c[0][i];
        data.z[0][i] = u > 0.1 && u < 0.3 ? INFINITY : data.z[0][i];
        data.x[i] = u > 0.3 && u < 0.35 ? NAN : data.x[i];
    }
    const struct trend_outcome whole = trend_fit(&data, &parameters, NULL);
    part = data;
    part.n = 0;
    part.columns = 1;
    for (size_t i = 0; i < data.n; i++) {
        if (!isfinite(data.c[0][i] + data.z[0][i] + data.x[i]))
            continue;
        part.x[part.n] = data.x[i];
        part.y[part.n] = data.y[i];
        part.z[0][part.n] = data.z[0][i];
        for (size_t j = 0; j < P; j++)
            part.c[j][part.n] = data.c[j][i];
        part.n++;
    }
    const struct trend_outcome alone = trend_fit(&part, &parameters, NULL);
    check(whole.used[0] == part.n, "%zu of %zu points", whole.used[0], part.n);
    for (size_t j = 0; j < P; j++)
        check_near(whole.b[j], alone.b[j], 1e-9 * alone.se[j], "b of a part");
}

static void check_refused(const struct trend_data *data, const char *method, const char *text)
{
    static const char *const names[P] = {"height", "slope", "rain"};
    const struct shepard_parameters parameters = trend_parameters(method);
    const struct trend_outcome got = trend_fit(data, &parameters, names);
    check(got.status == SHEPARD_ERROR_ARGUMENT && strstr(got.error.message, text) != NULL,
          "%s: status %d: %s", method, got.status, got.error.message);
}

static void check_refusals(struct shepard_random *random)
{
    static const char method[] = "krige:model=exponential:psill=1:range=9:nugget=0";
    static struct trend_data data, bad;
    check_case("refusals");
    trend_data_make(random, &data);
    check_refused(&data, "krige", "psill");
    check_refused(&data, "krige:model=exponential:psill=1:range=9", "nugget");
    bad = data;
    bad.weighted = true;
    check_refused(&bad, method, "kriging does not use weights");
    bad = data;
    for (size_t i = 0; i < data.n; i++)
        bad.c[1][i] = 7;
    check_refused(&bad, method, "the covariate slope is constant");
    bad = data;
    bad.n = P + 1;
    check_refused(&bad, method, "needs at least");
    bad = data;
    for (size_t i = P + 1; i < data.n; i++)
        bad.x[i] = NAN;
    check_refused(&bad, method, "needs at least");
}

/* ---- zinc by the Meuse -------------------------------------------------------------------------
 */

static void check_folds(const struct trend_data *data, const char *name, double most,
                        struct shepard_random *random)
{
    enum { DIVISIONS = 3 }; /* krige is fitted 60 times */
    const struct trend_fold_errors errors = trend_fold_errors(data, "krige", DIVISIONS, random);
    printf("%s, krige, 10 folds, mean RMSE of %d divisions: %.4g, with a trend %.4g\n", name,
           DIVISIONS, errors.without, errors.with);
    check(errors.with < most * errors.without, "%s: RMSE %g, with a trend %g", name, errors.without,
          errors.with);
}

/* False: skipped. */
static bool check_zinc(const char *folder, struct shepard_random *random)
{
    static struct trend_data data;
    if (!trend_read_zinc(folder, &data)) {
        printf("skipped: %s/meuse/meuse.csv is not there\n", folder);
        return false;
    }
    check_case("zinc");
    check_folds(&data, "zinc", 0.85, random);
    for (size_t i = 0; i < data.n; i++)
        data.z[0][i] = log(data.z[0][i]);
    check_folds(&data, "log zinc", 0.88, random);
    return true;
}

int main(int count, char **words)
{
    static const enum shepard_backend backends[] = {SHEPARD_BACKEND_REF, SHEPARD_BACKEND_CPU};
    const uint64_t seed = count > 2 ? strtoull(words[2], NULL, 10) : 20261123;
    struct shepard_random random = {seed};
    printf("seed %llu\n", (unsigned long long)seed);
    trend_backend = SHEPARD_BACKEND_CPU;
    if (count > 1 && *words[1] != '\0')
        return check_zinc(words[1], &random) ? check_finish("accuracy of trends of kriging")
                                             : SKIPPED;
    for (size_t k = 0; k < sizeof backends / sizeof *backends; k++) {
        trend_backend = backends[k];
        for (int trial = 0; trial < 200; trial++)
            check_exact(&random, trial);
    }
    check_many(&random);
    check_sample(&random);
    check_units(&random);
    check_fits(&random, "krige");
    check_fits(&random, "krige:kind=simple");
    check_fits(&random, "krige:model=exponential:kind=simple:mean=0:ratio=1:angle=0");
    check_nothing_left(&random);
    check_gaps(&random);
    check_refusals(&random);
    return check_finish("trend of kriging");
}
