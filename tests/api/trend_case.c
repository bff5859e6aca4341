/* SPDX-License-Identifier: MIT */
#include "trend_case.h"

#include "check.h"
#include "table.h"

#include <math.h>
#include <string.h>

enum shepard_backend trend_backend;

struct shepard_points *trend_points(const struct trend_data *data)
{
    struct shepard_points *points = NULL;
    struct shepard_points_options options;
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = data->n,
                                                    .x = shepard_doubles(data->x),
                                                    .y = shepard_doubles(data->y)};
    shepard_points_options_init(&options);
    options.backend = trend_backend;
    options.anisotropy_ratio = data->ratio > 0 ? data->ratio : 1;
    options.anisotropy_angle = data->angle;
    options.threads = 1;
    check(shepard_points_create(&coordinates, &options, &points, NULL) == SHEPARD_OK, "points");
    return points;
}

struct trend_outcome trend_fit(const struct trend_data *data,
                               const struct shepard_parameters *parameters,
                               const char *const *names)
{
    struct trend_outcome outcome = {.status = SHEPARD_OK};
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
    struct shepard_points *points = trend_points(data);
    outcome.status =
        shepard_trend_fit(points, &values, &covariates, parameters, &trend, NULL, &outcome.error);
    shepard_points_free(points);
    return outcome;
}

void trend_leave_one_out(const struct trend_data *data, const struct shepard_parameters *parameters,
                         const double *column, double *errors)
{
    struct shepard_points *points = trend_points(data);
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

void trend_data_make(struct shepard_random *random, struct trend_data *data)
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

struct shepard_parameters trend_parameters(const char *text)
{
    struct shepard_parameters parameters;
    struct shepard_error error = {.message = ""};
    check(shepard_parameters_parse(text, &parameters, NULL, &error) == SHEPARD_OK, "%s: %s", text,
          error.message);
    return parameters;
}

struct shepard_parameters trend_parameters_fit(struct trend_data *data, const char *text,
                                               bool with_trend, struct shepard_fit_info *info)
{
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    struct shepard_array c[P];
    const struct shepard_array z = shepard_doubles(data->z[0]);
    const struct shepard_values values = {.size = sizeof values, .column_count = 1, .columns = &z};
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = data->n,
                                                    .x = shepard_doubles(data->x),
                                                    .y = shepard_doubles(data->y)};
    const struct shepard_covariates covariates = {
        .size = sizeof covariates, .count = data->p, .columns = c};
    const struct shepard_fit_data fit = {.size = sizeof fit,
                                         .coordinates = &coordinates,
                                         .values = &values,
                                         .covariates = with_trend ? &covariates : NULL};
    struct shepard_error error = {.message = ""};
    for (size_t j = 0; j < data->p; j++)
        c[j] = shepard_doubles(data->c[j]);
    shepard_points_options_init(&options);
    options.threads = 1;
    *info = (struct shepard_fit_info){.size = sizeof *info};
    check(shepard_parameters_parse(text, &parameters, &options, NULL) == SHEPARD_OK, "%s", text);
    if (parameters.method != SHEPARD_METHOD_KRIGE)
        return parameters;
    check(shepard_fit(&fit, &parameters, &options, info, NULL, &error) == SHEPARD_OK, "%s: %s",
          text, error.message);
    data->ratio = options.anisotropy_ratio;
    data->angle = options.anisotropy_angle;
    return parameters;
}

void trend_eliminate(size_t p, size_t width, long double *a)
{
    for (size_t k = 0; k < p; k++) {
        size_t best = k;
        for (size_t i = k; i < p; i++)
            best = fabsl(a[i * width + k]) > fabsl(a[best * width + k]) ? i : best;
        for (size_t j = 0; j < width; j++) {
            const long double swapped = a[k * width + j];
            a[k * width + j] = a[best * width + j];
            a[best * width + j] = swapped;
        }
        for (size_t i = 0; i < p; i++) {
            const long double factor = i == k ? 0 : a[i * width + k] / a[k * width + k];
            for (size_t j = 0; j < width; j++)
                a[i * width + j] -= factor * a[k * width + j];
        }
        for (size_t j = width; j-- > 0;)
            a[k * width + j] /= a[k * width + k];
    }
}

/* ---- zinc by the Meuse -------------------------------------------------------------------------
 */

bool trend_read_zinc(const char *folder, struct trend_data *data)
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

/* ---- folds -------------------------------------------------------------------------------------
 */

/* A fold's own targets, and the points outside it. */
struct fold {
    struct trend_data outside;
    size_t count, at[POINTS]; /* inside */
    double x[POINTS], y[POINTS];
};

static void divide(const struct trend_data *data, const size_t *number, size_t own,
                   struct fold *fold)
{
    struct trend_data *part = &fold->outside;
    *part = *data;
    part->n = fold->count = 0;
    for (size_t i = 0; i < data->n; i++) {
        if (number[i] == own) {
            fold->x[fold->count] = data->x[i];
            fold->y[fold->count] = data->y[i];
            fold->at[fold->count++] = i;
            continue;
        }
        part->x[part->n] = data->x[i];
        part->y[part->n] = data->y[i];
        part->z[0][part->n] = data->z[0][i];
        for (size_t j = 0; j < data->p; j++)
            part->c[j][part->n] = data->c[j][i];
        part->n++;
    }
}

static void predict_fold(const struct trend_data *data, struct fold *fold, const char *text,
                         bool with_trend, double *predicted)
{
    struct trend_data *part = &fold->outside;
    struct shepard_fit_info info;
    const struct shepard_parameters parameters =
        trend_parameters_fit(part, text, with_trend, &info);
    struct trend_outcome trend = {.status = SHEPARD_OK};
    double found[POINTS];
    if (with_trend)
        trend = trend_fit(part, &parameters, NULL);
    check(trend.status == SHEPARD_OK, "%s", trend.error.message);
    struct shepard_points *points = trend_points(part);
    struct shepard_field *field = NULL;
    const struct shepard_array array = shepard_doubles(with_trend ? trend.rest[0] : part->z[0]);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &array};
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = fold->count,
                                            .x = shepard_doubles(fold->x),
                                            .y = shepard_doubles(fold->y)};
    const struct shepard_output_array to = shepard_output_doubles(found);
    const struct shepard_output output = {.size = sizeof output, .values = &to};
    check(shepard_field_create(points, &values, &field, NULL) == SHEPARD_OK &&
              shepard_predict(field, &parameters, &targets, &output, NULL, NULL) == SHEPARD_OK,
          "predictions of a fold");
    for (size_t k = 0; k < fold->count; k++) {
        predicted[fold->at[k]] = found[k];
        for (size_t j = 0; j < data->p; j++)
            predicted[fold->at[k]] += with_trend ? trend.b[j] * data->c[j][fold->at[k]] : 0;
    }
    shepard_field_free(field);
    shepard_points_free(points);
}

static double fold_error(const struct trend_data *data, const char *text, const size_t *number,
                         bool with_trend)
{
    static struct fold fold;
    double predicted[POINTS], sum = 0;
    for (size_t f = 0; f < 10; f++) {
        divide(data, number, f, &fold);
        predict_fold(data, &fold, text, with_trend, predicted);
    }
    for (size_t i = 0; i < data->n; i++)
        sum += pow(predicted[i] - data->z[0][i], 2);
    return sqrt(sum / (double)data->n);
}

struct trend_fold_errors trend_fold_errors(const struct trend_data *data, const char *text,
                                           int divisions, struct shepard_random *random)
{
    struct trend_fold_errors errors = {0, 0};
    for (int run = 0; run < divisions; run++) {
        size_t number[POINTS];
        for (size_t i = 0; i < data->n; i++)
            number[i] = i % 10;
        for (size_t i = data->n; i-- > 1;) {
            const size_t other = (size_t)(shepard_random_uniform(random) * (double)(i + 1));
            const size_t swapped = number[i];
            number[i] = number[other];
            number[other] = swapped;
        }
        errors.without += fold_error(data, text, number, false) / divisions;
        errors.with += fold_error(data, text, number, true) / divisions;
    }
    return errors;
}
