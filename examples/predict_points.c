/* SPDX-License-Identifier: MIT */
/* The shortest use of libshepard: soundings of a lake's depth, and the depth at three other places.
 */
#include <shepard/shepard.h>

#include <stdio.h>

static const double x[] = {120, 340, 560, 210, 430, 640, 150, 380, 600};     /* metres */
static const double y[] = {100, 140, 90, 310, 280, 330, 520, 490, 540};      /* metres */
static const double depth[] = {2.1, 4.8, 3.0, 7.4, 9.6, 5.9, 3.3, 6.2, 2.7}; /* metres */

static const double target_x[] = {300, 430, 500};
static const double target_y[] = {200, 280, 400};

enum { point_count = sizeof x / sizeof *x, target_count = sizeof target_x / sizeof *target_x };

static enum shepard_status make_points(struct shepard_points **points, struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = point_count,
                                                    .x = shepard_doubles(x),
                                                    .y = shepard_doubles(y)};
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    return shepard_points_create(&coordinates, &options, points, error);
}

static enum shepard_status make_field(const struct shepard_points *points,
                                      struct shepard_field **field, struct shepard_error *error)
{
    const struct shepard_array column = shepard_doubles(depth);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    return shepard_field_create(points, &values, field, error);
}

static enum shepard_status print_depths(const struct shepard_field *field,
                                        struct shepard_error *error)
{
    double depths[target_count];
    const struct shepard_output_array predictions = shepard_output_doubles(depths);
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LIST,
                                            .count = target_count,
                                            .x = shepard_doubles(target_x),
                                            .y = shepard_doubles(target_y)};
    const struct shepard_output output = {.size = sizeof output, .values = &predictions};
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.neighbourhood.max_points = 6;
    const enum shepard_status status =
        shepard_predict(field, &parameters, &targets, &output, NULL, error);
    for (size_t i = 0; status == SHEPARD_OK && i < target_count; i++)
        printf("depth at (%g, %g): %.2f m\n", target_x[i], target_y[i], depths[i]);
    return status;
}

int main(void)
{
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error;
    enum shepard_status status = make_points(&points, &error);
    if (status == SHEPARD_OK)
        status = make_field(points, &field, &error);
    if (status == SHEPARD_OK)
        status = print_depths(field, &error);
    if (status != SHEPARD_OK)
        fprintf(stderr, "predict_points: %s\n", error.message);
    shepard_field_free(field);
    shepard_points_free(points);
    return status == SHEPARD_OK ? 0 : 1;
}
