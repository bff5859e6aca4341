/* SPDX-License-Identifier: MIT */
/* Which method suits the data, and how far it is off where predictions are wanted: rain at gauges
 * in the west of a region, and a raster of its whole. */
#include <shepard/shepard_validate.h>

#include <math.h>
#include <stdio.h>

enum { gauge_count = 400 };
static double x[gauge_count], y[gauge_count], rain[gauge_count]; /* km, km, mm */

/* Gauges on a bent line of steps that never meet; few in the east. */
static void place_gauges(void)
{
    for (int i = 0; i < gauge_count; i++) {
        const double part = fmod(i * 0.6180339887, 1);
        x[i] = 100 * part * part;
        y[i] = 60 * fmod(i * 0.7548776662, 1);
        rain[i] = 80 + 30 * sin(x[i] / 15) * cos(y[i] / 12);
    }
}

static enum shepard_status hold_out(const struct shepard_validation *validation,
                                    struct shepard_holdout **holdout, struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = gauge_count,
                                                    .x = shepard_doubles(x),
                                                    .y = shepard_doubles(y)};
    const struct shepard_array column = shepard_doubles(rain);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    return shepard_holdout_create(&coordinates, &values, &options, validation, NULL, holdout,
                                  error);
}

static enum shepard_status print_rmse(struct shepard_holdout *holdout, const char *method,
                                      struct shepard_error *error)
{
    struct shepard_parameters parameters;
    struct shepard_validation_result result = {.size = sizeof result};
    enum shepard_status status = shepard_parameters_parse(method, &parameters, NULL, error);
    if (status == SHEPARD_OK)
        status = shepard_holdout_validate(holdout, &parameters, NULL, &result, NULL, error);
    if (status == SHEPARD_OK)
        printf("    %-48s RMSE %.2f mm\n", method, result.scores.rmse);
    return status;
}

static enum shepard_status compare(const char *title, const struct shepard_validation *validation,
                                   struct shepard_error *error)
{
    static const char *const methods[] = {"idw:k=12", "aidw",
                                          "idw:sectors=4:max_points_per_sector=2:degree=1"};
    struct shepard_holdout *holdout = NULL;
    struct shepard_holdout_info info = {.size = sizeof info};
    enum shepard_status status = hold_out(validation, &holdout, error);
    if (status != SHEPARD_OK)
        return status;
    shepard_holdout_get_info(holdout, &info);
    printf("%s: %zu predictions, nearest data %.1f km away\n%s%s", title, info.count,
           info.held_out_nearest, info.notice, *info.notice != '\0' ? "\n" : "");
    for (size_t i = 0; status == SHEPARD_OK && i < sizeof methods / sizeof *methods; i++)
        status = print_rmse(holdout, methods[i], error);
    shepard_holdout_free(holdout);
    return status;
}

int main(void)
{
    const struct shepard_targets targets = {
        .size = sizeof targets,
        .kind = SHEPARD_TARGETS_RASTER,
        .raster = {.x0 = 0, .y0 = 60, .dx = 0.5, .dy = -0.5, .columns = 200, .rows = 120}};
    struct shepard_validation validation;
    struct shepard_error error;
    place_gauges();
    shepard_validation_init(&validation);
    enum shepard_status status = compare("leave-one-out", &validation, &error);
    validation.kind = SHEPARD_VALIDATION_STARS;
    validation.targets = &targets;
    if (status == SHEPARD_OK)
        status = compare("stars", &validation, &error);
    if (status != SHEPARD_OK)
        puts(error.message);
    return status != SHEPARD_OK;
}
