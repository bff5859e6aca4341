/* SPDX-License-Identifier: MIT */
/* A part of a raster by adaptive IDW, with diagnostics beside the prediction and a progress
 * callback: rain at 400 made-up gauges, the south-east quarter of a map drawn in characters. Dots
 * mark cells farther than 12 km from every gauge used. */
#include <shepard/shepard.h>

#include <math.h>
#include <stdio.h>

enum { gauge_count = 400, cells = 32 };

struct gauges {
    double x[gauge_count], y[gauge_count]; /* km */
    double rain[gauge_count];              /* mm */
};

/* Places from the plastic number's low-discrepancy sequence, thinned out towards the east. */
static struct gauges make_gauges(void)
{
    struct gauges gauges;
    for (int i = 0; i < gauge_count; i++) {
        const double a = fmod(0.7548776662466927 * (i + 1), 1.0);
        const double b = fmod(0.5698402909980532 * (i + 1), 1.0);
        gauges.x[i] = 200.0 * a * a;
        gauges.y[i] = 200.0 * b;
        gauges.rain[i] = 40.0 + 25.0 * sin(gauges.x[i] / 30.0) * cos(gauges.y[i] / 45.0);
    }
    return gauges;
}

static enum shepard_status make_points(const struct gauges *gauges, struct shepard_points **points,
                                       struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = gauge_count,
                                                    .x = shepard_doubles(gauges->x),
                                                    .y = shepard_doubles(gauges->y)};
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    return shepard_points_create(&coordinates, &options, points, error);
}

static enum shepard_status make_field(const struct gauges *gauges,
                                      const struct shepard_points *points,
                                      struct shepard_field **field, struct shepard_error *error)
{
    const struct shepard_array column = shepard_doubles(gauges->rain);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    return shepard_field_create(points, &values, field, error);
}

static struct shepard_parameters adaptive_idw(void)
{
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.method = SHEPARD_METHOD_AIDW;
    parameters.adaptive.expect = SHEPARD_EXPECT_KNN;
    parameters.neighbourhood.max_points = 16;
    return parameters;
}

static bool show_progress(double fraction, void *user)
{
    double *furthest = user;
    if (fraction > *furthest)
        *furthest = fraction;
    return true; /* false would cancel */
}

static void draw(const double *rain, const double *nearest, const double *power)
{
    static const char shades[] = " -+*#@";
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < cells * cells; i++) {
        const int shade = (int)((rain[i] - 15.0) / 50.0 * 6.0);
        putchar(nearest[i] > 12.0 ? '.' : shades[shade < 0 ? 0 : shade > 5 ? 5 : shade]);
        if (i % cells == cells - 1)
            putchar('\n');
        low = fmin(low, power[i]);
        high = fmax(high, power[i]);
    }
    printf("powers used: %.2f to %.2f\n", low, high);
}

static enum shepard_status predict(const struct shepard_field *field, struct shepard_error *error)
{
    static double rain[cells * cells], nearest[cells * cells], power[cells * cells];
    const struct shepard_output_array predictions = shepard_output_doubles(rain);
    double furthest = 0.0;
    const struct shepard_parameters parameters = adaptive_idw();
    const struct shepard_targets targets = {
        .size = sizeof targets,
        .kind = SHEPARD_TARGETS_WINDOW,
        .raster = {.y0 = 200, .dx = 200.0 / 64, .dy = -200.0 / 64, .columns = 64, .rows = 64},
        .window = {.column = 32, .row = 32, .columns = cells, .rows = cells}};
    const struct shepard_output output = {.size = sizeof output,
                                          .values = &predictions,
                                          .nearest = shepard_output_doubles(nearest),
                                          .power = shepard_output_doubles(power)};
    const struct shepard_control control = {
        .size = sizeof control, .progress = show_progress, .user = &furthest};
    const enum shepard_status status =
        shepard_predict(field, &parameters, &targets, &output, &control, error);
    if (status == SHEPARD_OK)
        draw(rain, nearest, power);
    return status;
}

int main(void)
{
    const struct gauges gauges = make_gauges();
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error;
    enum shepard_status status = make_points(&gauges, &points, &error);
    if (status == SHEPARD_OK)
        status = make_field(&gauges, points, &field, &error);
    if (status == SHEPARD_OK)
        status = predict(field, &error);
    if (status != SHEPARD_OK)
        fprintf(stderr, "raster_window: %s\n", error.message);
    shepard_field_free(field);
    shepard_points_free(points);
    return status == SHEPARD_OK ? 0 : 1;
}
