/* SPDX-License-Identifier: MIT */
/* test_trend [FOLDER [SEED]]: trends on covariates, against their definition computed a second
 * time, in random data; with FOLDER instead how much they improve predictions of zinc by the Meuse.
 */
#include "check.h"

#include "base/random.h"
#include "shepard/shepard.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED 77 /* the status that ctest reads as skipped */
#define POINTS 240
#define P 3 /* covariates */
#define Z 2 /* value columns */

/* ---- data and a fit of them -------------------------------------------------------------------
 */

struct data {
    size_t n, p, columns;
    double x[POINTS], y[POINTS], weights[POINTS];
    double z[Z][POINTS], c[P][POINTS];
    bool weighted;
};

/* What a fit says. */
struct outcome {
    enum shepard_status status;
    struct shepard_error error;
    double b[Z * P], se[Z * P], rmse[Z], without[Z];
    double rest[Z][POINTS];
    size_t used[Z];
};

static enum shepard_backend backend;

static struct shepard_points *points_of(const struct data *data)
{
    struct shepard_points *points = NULL;
    struct shepard_points_options options;
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = data->n,
                                                    .x = shepard_doubles(data->x),
                                                    .y = shepard_doubles(data->y)};
    shepard_points_options_init(&options);
    options.backend = backend;
    options.threads = 1;
    check(shepard_points_create(&coordinates, &options, &points, NULL) == SHEPARD_OK, "points");
    return points;
}

static struct outcome fit_named(const struct data *data,
                                const struct shepard_parameters *parameters,
                                const char *const *names)
{
    struct outcome outcome = {.status = SHEPARD_OK};
    struct shepard_array z[Z], c[P];
    struct shepard_output_array rest[Z];
    for (size_t k = 0; k < Z; k++) {
        z[k] = shepard_doubles(data->z[k]);
        rest[k] = shepard_output_doubles(outcome.rest[k]);
    }
    for (size_t j = 0; j < P; j++)
        c[j] = shepard_doubles(data->c[j]);
    const struct shepard_values values = {
        .size = sizeof values,
        .column_count = data->columns,
        .columns = z,
        .weights = shepard_doubles(data->weighted ? data->weights : NULL)};
    const struct shepard_covariates covariates = {
        .size = sizeof covariates, .count = data->p, .columns = c, .names = names};
    const struct shepard_trend trend = {.size = sizeof trend,
                                        .coefficients = outcome.b,
                                        .standard_errors = outcome.se,
                                        .rmse = outcome.rmse,
                                        .rmse_without = outcome.without,
                                        .used = outcome.used,
                                        .residuals = rest};
    struct shepard_points *points = points_of(data);
    outcome.status =
        shepard_trend_fit(points, &values, &covariates, parameters, &trend, NULL, &outcome.error);
    shepard_points_free(points);
    return outcome;
}

static struct outcome fit(const struct data *data, const struct shepard_parameters *parameters)
{
    return fit_named(data, parameters, NULL);
}

/* Errors of the leave-one-out predictions of one column, by itself. */
static void leave_one_out(const struct data *data, const struct shepard_parameters *parameters,
                          const double *column, double *errors)
{
    struct shepard_points *points = points_of(data);
    struct shepard_field *field = NULL;
    const struct shepard_array array = shepard_doubles(column);
    const struct shepard_values values = {
        .size = sizeof values,
        .column_count = 1,
        .columns = &array,
        .weights = shepard_doubles(data->weighted ? data->weights : NULL)};
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT};
    const struct shepard_output_array predicted = shepard_output_doubles(errors);
    const struct shepard_output output = {.size = sizeof output, .values = &predicted};
    check(shepard_field_create(points, &values, &field, NULL) == SHEPARD_OK &&
              shepard_predict(field, parameters, &targets, &output, NULL, NULL) == SHEPARD_OK,
          "leave-one-out");
    for (size_t i = 0; i < data->n; i++)
        errors[i] = column[i] - errors[i];
    shepard_field_free(field);
    shepard_points_free(points);
}

static void make_data(struct shepard_random *random, struct data *data)
{
    const double phase = 6 * shepard_random_uniform(random);
    memset(data, 0, sizeof *data);
    data->n = POINTS - (size_t)(60 * shepard_random_uniform(random));
    data->p = P;
    data->columns = Z;
    for (size_t i = 0; i < data->n; i++) {
        const double x = data->x[i] = 100 * shepard_random_uniform(random);
        const double y = data->y[i] = 80 * shepard_random_uniform(random);
        data->weights[i] = 0.5 + shepard_random_uniform(random);
        data->c[0][i] =
            500 + 40 * sin(x / 3 + phase) * cos(y / 4) + 10 * shepard_random_normal(random);
        data->c[1][i] = fabs(sin(x / 20 + y / 15)) + 0.2 * shepard_random_normal(random);
        data->c[2][i] = 1e-3 * shepard_random_uniform(random);
        const double smooth = 5 * sin(x / 30 + phase) + 3 * cos(y / 25);
        data->z[0][i] = 0.25 * data->c[0][i] - 8 * data->c[1][i] + 900 * data->c[2][i] + smooth +
                        0.3 * shepard_random_normal(random);
        data->z[1][i] = smooth + shepard_random_normal(random);
    }
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
    "krige:model=exponential:psill=4:range=20:nugget=0.5:k=12",
    "krige:model=spherical:psill=4:range=30:nugget=0.5:kind=simple:mean=2:k=10",
    "krige:model=matern32:psill=4:range=10:nugget=0.5:kind=universal:k=16",
};

static struct shepard_parameters parameters_of(const char *text)
{
    struct shepard_parameters parameters;
    struct shepard_error error = {.message = ""};
    check(shepard_parameters_parse(text, &parameters, NULL, &error) == SHEPARD_OK, "%s: %s", text,
          error.message);
    return parameters;
}

/* ---- the definition ----------------------------------------------------------------------------
 */

/* Solves a p x p system with p + p right sides by elimination with pivoting. */
static void eliminate(size_t p, long double a[P][2 * P + 1], size_t width)
{
    for (size_t k = 0; k < p; k++) {
        size_t best = k;
        for (size_t i = k; i < p; i++)
            best = fabsl(a[i][k]) > fabsl(a[best][k]) ? i : best;
        for (size_t j = 0; j < width; j++) {
            const long double swapped = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swapped;
        }
        for (size_t i = 0; i < p; i++) {
            const long double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (size_t j = 0; j < width; j++)
                a[i][j] -= factor * a[k][j];
        }
        for (size_t j = width; j-- > 0;)
            a[k][j] /= a[k][k];
    }
}

/* The errors of z and the covariates, column by column. */
struct errors {
    double z[POINTS], c[P][POINTS];
};

static bool usable(const struct data *data, const struct errors *errors, size_t i)
{
    bool good = isfinite(errors->z[i]);
    for (size_t j = 0; j < data->p; j++)
        good = good && isfinite(errors->c[j][i]);
    return good;
}

static double squares(const struct data *data, const struct errors *errors, const double *b)
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
static size_t solve_normal(const struct data *data, const struct errors *errors, double *b,
                           double *se)
{
    long double a[P][2 * P + 1] = {{0}};
    const size_t p = data->p;
    size_t used = 0;
    for (size_t i = 0; i < data->n; i++) {
        if (!usable(data, errors, i))
            continue;
        const long double w = data->weighted ? data->weights[i] : 1;
        used++;
        for (size_t j = 0; j < p; j++) {
            for (size_t k = 0; k < p; k++)
                a[j][k] += w * errors->c[j][i] * errors->c[k][i];
            a[j][p] += w * errors->c[j][i] * errors->z[i];
        }
    }
    for (size_t j = 0; j < p; j++)
        a[j][p + 1 + j] = 1;
    eliminate(p, a, 2 * p + 1);
    for (size_t j = 0; j < p; j++)
        b[j] = (double)a[j][p];
    const double variance = squares(data, errors, b) / (double)(used - p);
    for (size_t j = 0; j < p; j++)
        se[j] = sqrt(variance * (double)a[j][p + 1 + j]);
    return used;
}

static double weight_of(const struct data *data, const struct errors *errors)
{
    double sum = 0;
    for (size_t i = 0; i < data->n; i++)
        sum += !usable(data, errors, i) ? 0 : data->weighted ? data->weights[i] : 1;
    return sum;
}

/* No b nearby leaves less. */
static void check_least(const struct data *data, const struct errors *errors, const double *b)
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

static void check_definition(const struct data *data, const struct shepard_parameters *parameters,
                             double tolerance)
{
    static struct errors errors;
    const struct outcome got = fit(data, parameters);
    if (!check(got.status == SHEPARD_OK, "status %d: %s", got.status, got.error.message))
        return;
    for (size_t j = 0; j < data->p; j++)
        leave_one_out(data, parameters, data->c[j], errors.c[j]);
    for (size_t k = 0; k < data->columns; k++) {
        static double of_rest[POINTS];
        double b[P], se[P];
        const double *found = got.b + k * data->p, *spread = got.se + k * data->p;
        leave_one_out(data, parameters, data->z[k], errors.z);
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
        leave_one_out(data, parameters, got.rest[k], of_rest);
        for (size_t i = 0; i < data->n; i++) {
            double want = errors.z[i];
            for (size_t j = 0; j < data->p; j++)
                want -= found[j] * errors.c[j][i];
            check_near(of_rest[i], want, tolerance * rmse, "error of the rest");
        }
    }
}

/* With a known mean the errors of covariates are those around 0. */
static struct shepard_parameters centred(const struct shepard_parameters *parameters,
                                         struct data *data)
{
    struct shepard_parameters same = *parameters;
    if (parameters->kriging.kind != SHEPARD_KRIGING_SIMPLE)
        return same;
    for (size_t k = 0; k < data->columns; k++)
        for (size_t i = 0; i < data->n; i++)
            data->z[k][i] -= parameters->kriging.mean;
    same.kriging.mean = 0;
    return same;
}

static void check_methods(struct shepard_random *random)
{
    static struct data data, shifted;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const struct shepard_parameters parameters = parameters_of(methods[m]);
        make_data(random, &data);
        data.weighted = parameters.method != SHEPARD_METHOD_KRIGE && m % 2 == 0;
        check_case("%s, backend %d", methods[m], (int)backend);
        shifted = data;
        const struct shepard_parameters same = centred(&parameters, &shifted);
        check_definition(&shifted, &same, 1e-6);
        const struct outcome got = fit(&data, &parameters), want = fit(&shifted, &same);
        for (size_t j = 0; j < Z * P; j++)
            check_near(got.b[j], want.b[j], 1e-6 * want.se[j], "b with a known mean");
        const double truth[P] = {0.25, -8, 900};
        const bool biased = parameters.kriging.kind == SHEPARD_KRIGING_SIMPLE; /* by its mean */
        for (size_t j = 0; j < P && !biased; j++)
            check(fabs(got.b[j] - truth[j]) < 6 * got.se[j], "b[%zu] = %g +- %g, not %g", j,
                  got.b[j], got.se[j], truth[j]);
    }
}

/* ---- properties --------------------------------------------------------------------------------
 */

static void check_units(struct shepard_random *random)
{
    static struct data data, other;
    const struct shepard_parameters parameters = parameters_of("idw:k=9");
    const double unit = shepard_random_magnitude(random, 1e-6, 1e6);
    const double height = shepard_random_magnitude(random, 1e-150, 1e150);
    check_case("units %g, %g", unit, height);
    make_data(random, &data);
    other = data;
    for (size_t i = 0; i < data.n; i++) {
        other.c[1][i] = unit * (data.c[1][i] + 3);
        other.z[0][i] = height * data.z[0][i];
        other.z[1][i] = data.z[1][i] + 7 * data.c[0][i];
    }
    const struct outcome a = fit(&data, &parameters), b = fit(&other, &parameters);
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
    static struct data data, part;
    const struct shepard_parameters parameters = parameters_of("idw:k=9");
    check_case("gaps");
    make_data(random, &data);
    data.weighted = true;
    for (size_t i = 0; i < data.n; i++) {
        const double u = shepard_random_uniform(random);
        data.c[0][i] = u < 0.1 ? NAN : data.c[0][i];
        data.c[2][i] = u > 0.1 && u < 0.2 ? INFINITY : data.c[2][i];
        data.z[0][i] = u > 0.2 && u < 0.3 ? NAN : data.z[0][i];
        data.weights[i] = u > 0.3 && u < 0.35 ? 0 : data.weights[i];
    }
    const struct outcome whole = fit(&data, &parameters);
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
        const struct outcome alone = fit(&part, &parameters);
        check(whole.used[k] == part.n && alone.used[0] == part.n, "%zu and %zu of %zu points",
              whole.used[k], alone.used[0], part.n);
        for (size_t j = 0; j < P; j++)
            check_near(whole.b[k * P + j], alone.b[j], 1e-9 * alone.se[j], "b of a part");
    }
}

/* ---- what is refused ---------------------------------------------------------------------------
 */

static void check_refused(const struct data *data, const char *method, enum shepard_status status,
                          const char *text)
{
    static const char *const names[P] = {"height", "slope", "rain"};
    const struct shepard_parameters parameters = parameters_of(method);
    const struct outcome got = fit_named(data, &parameters, names);
    check(got.status == status && strstr(got.error.message, text) != NULL,
          "%s, for %s: status %d: %s", method, text, got.status, got.error.message);
}

static void check_refusals(struct shepard_random *random)
{
    static struct data data, bad;
    check_case("refusals");
    make_data(random, &data);
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
    static struct data data;
    enum { RUNS = 200 };
    const struct shepard_parameters parameters = parameters_of("idw:k=12");
    double sum = 0;
    check_case("standard errors");
    make_data(random, &data);
    for (int run = 0; run < RUNS; run++) {
        for (size_t i = 0; i < data.n; i++)
            data.z[0][i] = 2 * data.c[1][i] + shepard_random_normal(random);
        const struct outcome got = fit(&data, &parameters);
        const double off = (got.b[1] - 2) / got.se[1];
        sum += off * off / RUNS;
    }
    check_measure("spread of b over its standard error", sqrt(sum));
    check(sqrt(sum) > 0.6 && sqrt(sum) < 1.6, "spread %g", sqrt(sum));
}

/* ---- zinc by the Meuse -------------------------------------------------------------------------
 */

/* The values of the points outside a fold, and the trend of these. */
static void predict_fold(const struct data *data, const struct shepard_parameters *parameters,
                         const bool *inside, bool with_trend, double *predicted)
{
    static struct data part;
    size_t at[POINTS], held = 0;
    double x[POINTS], y[POINTS], found[POINTS];
    part = *data;
    part.n = 0;
    for (size_t i = 0; i < data->n; i++) {
        if (inside[i]) {
            x[held] = data->x[i];
            y[held] = data->y[i];
            at[held++] = i;
            continue;
        }
        part.x[part.n] = data->x[i];
        part.y[part.n] = data->y[i];
        part.z[0][part.n] = data->z[0][i];
        for (size_t j = 0; j < data->p; j++)
            part.c[j][part.n] = data->c[j][i];
        part.n++;
    }
    struct outcome trend = {.status = SHEPARD_OK};
    if (with_trend)
        trend = fit(&part, parameters);
    check(trend.status == SHEPARD_OK, "%s", trend.error.message);
    struct shepard_points *points = points_of(&part);
    struct shepard_field *field = NULL;
    const struct shepard_array array = shepard_doubles(with_trend ? trend.rest[0] : part.z[0]);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &array};
    const struct shepard_targets targets = {
        .size = sizeof targets, .count = held, .x = shepard_doubles(x), .y = shepard_doubles(y)};
    const struct shepard_output_array to = shepard_output_doubles(found);
    const struct shepard_output output = {.size = sizeof output, .values = &to};
    check(shepard_field_create(points, &values, &field, NULL) == SHEPARD_OK &&
              shepard_predict(field, parameters, &targets, &output, NULL, NULL) == SHEPARD_OK,
          "predictions of a fold");
    for (size_t k = 0; k < held; k++) {
        predicted[at[k]] = found[k];
        for (size_t j = 0; j < data->p; j++)
            predicted[at[k]] += trend.b[j] * data->c[j][at[k]];
    }
    shepard_field_free(field);
    shepard_points_free(points);
}

static double fold_error(const struct data *data, const struct shepard_parameters *parameters,
                         const size_t *fold, bool with_trend)
{
    double predicted[POINTS], sum = 0;
    for (size_t f = 0; f < 10; f++) {
        bool inside[POINTS];
        for (size_t i = 0; i < data->n; i++)
            inside[i] = fold[i] == f;
        predict_fold(data, parameters, inside, with_trend, predicted);
    }
    for (size_t i = 0; i < data->n; i++)
        sum += pow(predicted[i] - data->z[0][i], 2);
    return sqrt(sum / (double)data->n);
}

/* Zinc, the root of the distance to the river, and the height of the ground. */
static bool read_zinc(const char *folder, struct data *data)
{
    static const char *const columns[] = {"zinc", "dist", "elev"};
    struct table table;
    data->p = 2;
    data->columns = 1;
    for (size_t c = 0; c < 3; c++) {
        if (!table_read(folder, "meuse/meuse.csv", columns[c], NULL, 0, &table))
            return false;
        check(table.n == 155, "%zu of the 155 Meuse points", table.n);
        data->n = table.n < POINTS ? table.n : POINTS;
        for (size_t i = 0; i < data->n; i++) {
            data->x[i] = table.x[i];
            data->y[i] = table.y[i];
            *(c == 0 ? &data->z[0][i] : &data->c[c - 1][i]) =
                c == 1 ? sqrt(table.z[i]) : table.z[i];
        }
        table_free(&table);
    }
    return true;
}

/* False: skipped. */
static bool check_zinc(const char *folder, struct shepard_random *random)
{
    static struct data data;
    enum { RUNS = 20 };
    const struct shepard_parameters parameters =
        parameters_of("idw:sectors=8:max_points_per_sector=1");
    double without = 0, with = 0;
    if (!read_zinc(folder, &data)) {
        printf("skipped: %s/meuse/meuse.csv is not there\n", folder);
        return false;
    }
    check_case("zinc");
    for (int run = 0; run < RUNS; run++) {
        size_t fold[POINTS];
        for (size_t i = 0; i < data.n; i++)
            fold[i] = i % 10;
        for (size_t i = data.n; i-- > 1;) {
            const size_t other = (size_t)(shepard_random_uniform(random) * (double)(i + 1));
            const size_t swapped = fold[i];
            fold[i] = fold[other];
            fold[other] = swapped;
        }
        without += fold_error(&data, &parameters, fold, false) / RUNS;
        with += fold_error(&data, &parameters, fold, true) / RUNS;
    }
    check_measure("zinc, idw 8 x 1, 10 folds, RMSE", without);
    check_measure("the same with a trend on sqrt(dist) and elev", with);
    check(with < 0.78 * without, "RMSE %g, with a trend %g", without, with);
    const struct outcome all = fit(&data, &parameters);
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
        backend = SHEPARD_BACKEND_CPU;
        return check_zinc(words[1], &random) ? check_finish("accuracy of trends") : SKIPPED;
    }
    for (size_t k = 0; k < sizeof backends / sizeof *backends; k++) {
        backend = backends[k];
        check_methods(&random);
        check_units(&random);
        check_gaps(&random);
        check_refusals(&random);
    }
    measure_spread(&random);
    return check_finish("trend");
}
