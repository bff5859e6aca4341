/* SPDX-License-Identifier: MIT */
/* test_trend [FOLDER [SEED]]: trends on covariates, against their definition computed a second
 * time, in random data; with FOLDER instead how much they improve predictions of zinc by the Meuse.
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

static struct trend_outcome fit(const struct trend_data *data,
                                const struct shepard_parameters *parameters)
{
    return trend_fit(data, parameters, NULL);
}

/* ---- methods -----------------------------------------------------------------------------------
 */

static const char *const methods[] = {
    "idw:k=12",
    "idw:sectors=8:max_points_per_sector=1:power=3",
    "idw:eps=0:precision=double",
    "aidw:eps=0:precision=double",
    "idw:k=12:degree=1",
    "idw:radius=25:min_points=4",
};

/* ---- the definition ----------------------------------------------------------------------------
 */

/* The errors of z and the covariates, column by column. */
struct errors {
    double z[POINTS], c[P][POINTS];
};

static bool usable(const struct trend_data *data, const struct errors *errors, size_t i)
{
    bool good = isfinite(errors->z[i]);
    for (size_t j = 0; j < data->p; j++)
        good = good && isfinite(errors->c[j][i]);
    return good;
}

static double squares(const struct trend_data *data, const struct errors *errors, const double *b)
{
    long double sum = 0;
    for (size_t i = 0; i < data->n; i++)
        if (usable(data, errors, i)) {
            long double e = errors->z[i];
            for (size_t j = 0; j < data->p; j++)
                e -= (long double)b[j] * errors->c[j][i];
            sum += e * e * (data->weighted ? data->weights[i] : 1);
        }
    return (double)sum;
}

/* b and standard errors by the normal equations. */
static size_t solve_normal(const struct trend_data *data, const struct errors *errors, double *b,
                           double *se)
{
    long double a[P * (2 * P + 1)] = {0};
    const size_t p = data->p, width = 2 * p + 1;
    size_t used = 0;
    for (size_t i = 0; i < data->n; i++) {
        if (!usable(data, errors, i))
            continue;
        const long double w = data->weighted ? data->weights[i] : 1;
        used++;
        for (size_t j = 0; j < p; j++) {
            for (size_t k = 0; k < p; k++)
                a[j * width + k] += w * errors->c[j][i] * errors->c[k][i];
            a[j * width + p] += w * errors->c[j][i] * errors->z[i];
        }
    }
    for (size_t j = 0; j < p; j++)
        a[j * width + p + 1 + j] = 1;
    trend_eliminate(p, width, a);
    for (size_t j = 0; j < p; j++)
        b[j] = (double)a[j * width + p];
    const double variance = squares(data, errors, b) / (double)(used - p);
    for (size_t j = 0; j < p; j++)
        se[j] = sqrt(variance * (double)a[j * width + p + 1 + j]);
    return used;
}

static double weight_of(const struct trend_data *data, const struct errors *errors)
{
    double sum = 0;
    for (size_t i = 0; i < data->n; i++)
        sum += !usable(data, errors, i) ? 0 : data->weighted ? data->weights[i] : 1;
    return sum;
}

/* No b nearby leaves less. */
static void check_least(const struct trend_data *data, const struct errors *errors, const double *b)
{
    const double least = squares(data, errors, b);
    for (size_t j = 0; j < data->p; j++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double other[P];
            memcpy(other, b, sizeof other);
            other[j] *= 1 + 1e-3 * sign;
            check(squares(data, errors, other) > least, "b[%zu] %+d: less", j, sign);
        }
}

static void check_definition(const struct trend_data *data,
                             const struct shepard_parameters *parameters, double tolerance)
{
    static struct errors errors;
    const struct trend_outcome got = fit(data, parameters);
    if (!check(got.status == SHEPARD_OK, "status %d: %s", got.status, got.error.message))
        return;
    for (size_t j = 0; j < data->p; j++)
        trend_leave_one_out(data, parameters, data->c[j], errors.c[j]);
    for (size_t k = 0; k < data->columns; k++) {
        static double of_rest[POINTS];
        double b[P], se[P];
        const double *found = got.b + k * data->p, *spread = got.se + k * data->p;
        trend_leave_one_out(data, parameters, data->z[k], errors.z);
        const size_t used = solve_normal(data, &errors, b, se);
        const double weight = weight_of(data, &errors);
        check(got.used[k] == used, "%zu points, not %zu", got.used[k], used);
        for (size_t j = 0; j < data->p; j++) {
            check_near(found[j], b[j], tolerance * se[j], "b");
            check_near(spread[j], se[j], 1e-6 * se[j], "standard error");
        }
        check_least(data, &errors, found);
        const double rmse = sqrt(squares(data, &errors, found) / weight);
        const double none[P] = {0};
        check_near(got.rmse[k], rmse, 1e-6 * rmse, "rmse");
        check_near(got.without[k], sqrt(squares(data, &errors, none) / weight), 1e-6 * rmse,
                   "rmse without");
        check(got.rmse[k] <= got.without[k], "%g above %g", got.rmse[k], got.without[k]);
        /* Interpolating what is left has these very errors. */
        trend_leave_one_out(data, parameters, got.rest[k], of_rest);
        for (size_t i = 0; i < data->n; i++) {
            double want = errors.z[i];
            for (size_t j = 0; j < data->p; j++)
                want -= found[j] * errors.c[j][i];
            check_near(of_rest[i], want, tolerance * rmse, "error of the rest");
        }
    }
}

static void check_methods(struct shepard_random *random)
{
    static struct trend_data data;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const struct shepard_parameters parameters = trend_parameters(methods[m]);
        trend_data_make(random, &data);
        data.weighted = m % 2 == 0;
        check_case("%s, backend %d", methods[m], (int)trend_backend);
        check_definition(&data, &parameters, 1e-6);
        const struct trend_outcome got = fit(&data, &parameters);
        const double truth[P] = {0.25, -8, 900};
        for (size_t j = 0; j < P; j++)
            check(fabs(got.b[j] - truth[j]) < 6 * got.se[j], "b[%zu] = %g +- %g, not %g", j,
                  got.b[j], got.se[j], truth[j]);
    }
}

/* ---- properties --------------------------------------------------------------------------------
 */

static void check_units(struct shepard_random *random)
{
    static struct trend_data data, other;
    const struct shepard_parameters parameters = trend_parameters("idw:k=9");
    const double unit = shepard_random_magnitude(random, 1e-6, 1e6);
    const double height = shepard_random_magnitude(random, 1e-150, 1e150);
    check_case("units %g, %g", unit, height);
    trend_data_make(random, &data);
    other = data;
    for (size_t i = 0; i < data.n; i++) {
        other.c[1][i] = unit * (data.c[1][i] + 3);
        other.z[0][i] = height * data.z[0][i];
        other.z[1][i] = data.z[1][i] + 7 * data.c[0][i];
    }
    const struct trend_outcome a = fit(&data, &parameters), b = fit(&other, &parameters);
    for (size_t j = 0; j < P; j++) {
        const double scale = j == 1 ? 1 / unit : 1;
        check_near(b.b[j], scale * height * a.b[j], 1e-8 * height * scale * a.se[j], "scaled b");
        check_near(b.se[j], scale * height * a.se[j], 1e-8 * height * scale * a.se[j], "scaled se");
        check_near(b.b[P + j], scale * (a.b[P + j] + (j == 0 ? 7 : 0)), 1e-8 * scale * a.se[P + j],
                   "b with a part added");
    }
    check_near(b.rmse[1], a.rmse[1], 1e-8 * a.rmse[1], "rmse with a part added");
}

/* Points without a value, a covariate or a weight are as if they were not there. */
static void check_gaps(struct shepard_random *random)
{
    static struct trend_data data, part;
    const struct shepard_parameters parameters = trend_parameters("idw:k=9");
    check_case("gaps");
    trend_data_make(random, &data);
    data.weighted = true;
    for (size_t i = 0; i < data.n; i++) {
        const double u = shepard_random_uniform(random);
        data.c[0][i] = u < 0.1 ? NAN : data.c[0][i];
        data.c[2][i] = u > 0.1 && u < 0.2 ? INFINITY : data.c[2][i];
        data.z[0][i] = u > 0.2 && u < 0.3 ? NAN : data.z[0][i];
        data.weights[i] = u > 0.3 && u < 0.35 ? 0 : data.weights[i];
    }
    const struct trend_outcome whole = fit(&data, &parameters);
    for (size_t k = 0; k < Z; k++) {
        part = data;
        part.n = 0;
        part.columns = 1;
        for (size_t i = 0; i < data.n; i++) {
            const bool has = isfinite(data.c[0][i]) && isfinite(data.c[2][i]);
            check(isnan(whole.rest[k][i]) == !(has && isfinite(data.z[k][i])), "rest %zu: %g", i,
                  whole.rest[k][i]);
            if (!has || !isfinite(data.z[k][i]) || data.weights[i] == 0)
                continue;
            part.x[part.n] = data.x[i];
            part.y[part.n] = data.y[i];
            part.weights[part.n] = data.weights[i];
            part.z[0][part.n] = data.z[k][i];
            for (size_t j = 0; j < P; j++)
                part.c[j][part.n] = data.c[j][i];
            part.n++;
        }
        const struct trend_outcome alone = fit(&part, &parameters);
        check(whole.used[k] == part.n && alone.used[0] == part.n, "%zu and %zu of %zu points",
              whole.used[k], alone.used[0], part.n);
        for (size_t j = 0; j < P; j++)
            check_near(whole.b[k * P + j], alone.b[j], 1e-9 * alone.se[j], "b of a part");
    }
}

/* ---- what is refused ---------------------------------------------------------------------------
 */

static void check_refused(const struct trend_data *data, const char *method,
                          enum shepard_status status, const char *text)
{
    static const char *const names[P] = {"height", "slope", "rain"};
    const struct shepard_parameters parameters = trend_parameters(method);
    const struct trend_outcome got = trend_fit(data, &parameters, names);
    check(got.status == status && strstr(got.error.message, text) != NULL,
          "%s, for %s: status %d: %s", method, text, got.status, got.error.message);
}

static void check_refusals(struct shepard_random *random)
{
    static struct trend_data data, bad;
    check_case("refusals");
    trend_data_make(random, &data);
    bad = data;
    for (size_t i = 0; i < data.n; i++)
        bad.c[1][i] = 1e7 / 3;
    check_refused(&bad, "idw:k=9", SHEPARD_ERROR_ARGUMENT, "the covariate slope is constant");
    for (size_t i = 0; i < data.n; i++)
        bad.c[1][i] = data.c[1][i], bad.c[2][i] = 3 * data.c[0][i] - 1e3 * data.c[1][i] + 20;
    check_refused(&bad, "idw:k=9", SHEPARD_ERROR_ARGUMENT,
                  "the covariate rain is a linear function");
    check_refused(&bad, "idw", SHEPARD_ERROR_ARGUMENT, "the covariate rain is a linear function");
    bad = data;
    for (size_t i = 0; i < data.n; i++)
        bad.c[0][i] = 2 * data.x[i] - data.y[i];
    check_refused(&bad, "idw:k=9:degree=1:ridge=0:damping=0", SHEPARD_ERROR_ARGUMENT,
                  "the covariate height is predicted from other points");
    bad = data;
    bad.n = P + 1;
    check_refused(&bad, "idw", SHEPARD_ERROR_ARGUMENT, "needs at least");
    bad = data;
    for (size_t i = 0; i < data.n; i++)
        bad.c[2][i] = NAN;
    check_refused(&bad, "idw", SHEPARD_ERROR_NO_POINTS, "at a point with all covariates");
    bad = data;
    bad.p = 0;
    check_refused(&bad, "idw", SHEPARD_ERROR_ARGUMENT, "covariates.count is 0");
    bad = data;
    bad.weighted = true;
    bad.weights[7] = -1;
    check_refused(&bad, "idw", SHEPARD_ERROR_ARGUMENT, "weights must not be negative");
    check_refused(&data, "krige", SHEPARD_ERROR_ARGUMENT, "psill");
}

/* ---- how much the standard errors promise -------------------------------------------------------
 */

/* Of fits to the same places with other noise: the spread of b in standard errors. */
static void measure_spread(struct shepard_random *random)
{
    static struct trend_data data;
    enum { RUNS = 200 };
    const struct shepard_parameters parameters = trend_parameters("idw:k=12");
    double sum = 0;
    check_case("standard errors");
    trend_data_make(random, &data);
    for (int run = 0; run < RUNS; run++) {
        for (size_t i = 0; i < data.n; i++)
            data.z[0][i] = 2 * data.c[1][i] + shepard_random_normal(random);
        const struct trend_outcome got = fit(&data, &parameters);
        const double off = (got.b[1] - 2) / got.se[1];
        sum += off * off / RUNS;
    }
    check_measure("spread of b over its standard error", sqrt(sum));
    check(sqrt(sum) > 0.6 && sqrt(sum) < 1.6, "spread %g", sqrt(sum));
}

/* ---- zinc by the Meuse -------------------------------------------------------------------------
 */

/* False: skipped. */
static bool check_zinc(const char *folder, struct shepard_random *random)
{
    static struct trend_data data;
    static const char text[] = "idw:sectors=8:max_points_per_sector=1";
    const struct shepard_parameters parameters = trend_parameters(text);
    if (!trend_read_zinc(folder, &data)) {
        printf("skipped: %s/meuse/meuse.csv is not there\n", folder);
        return false;
    }
    check_case("zinc");
    const struct trend_fold_errors errors = trend_fold_errors(&data, text, 20, random);
    check_measure("zinc, idw 8 x 1, 10 folds, RMSE", errors.without);
    check_measure("the same with a trend on sqrt(dist) and elev", errors.with);
    check(errors.with < 0.78 * errors.without, "RMSE %g, with a trend %g", errors.without,
          errors.with);
    const struct trend_outcome all = fit(&data, &parameters);
    check_measure("zinc, leave-one-out RMSE without a trend", all.without[0]);
    check_measure("with it", all.rmse[0]);
    printf("zinc = %.1f (%.1f) sqrt(dist) %+.1f (%.1f) elev + rest\n", all.b[0], all.se[0],
           all.b[1], all.se[1]);
    check(all.b[0] < -2 * all.se[0] && all.b[1] < -2 * all.se[1], "signs of the coefficients");
    return true;
}

int main(int count, char **words)
{
    static const enum shepard_backend backends[] = {SHEPARD_BACKEND_REF, SHEPARD_BACKEND_CPU};
    const uint64_t seed = count > 2 ? strtoull(words[2], NULL, 10) : 20261123;
    struct shepard_random random = {seed};
    printf("seed %llu\n", (unsigned long long)seed);
    if (count > 1 && *words[1] != '\0') {
        trend_backend = SHEPARD_BACKEND_CPU;
        return check_zinc(words[1], &random) ? check_finish("accuracy of trends") : SKIPPED;
    }
    for (size_t k = 0; k < sizeof backends / sizeof *backends; k++) {
        trend_backend = backends[k];
        check_methods(&random);
        check_units(&random);
        check_gaps(&random);
        check_refusals(&random);
    }
    measure_spread(&random);
    return check_finish("trend");
}
