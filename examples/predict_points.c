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

static enum shepard_status make_model(struct shepard_model **model, struct shepard_error *error)
{
    const double *const columns[] = {depth};
    const struct shepard_data data = {
        .count = point_count, .x = x, .y = y, .columns = 1, .values = columns};
    struct shepard_options options;
    shepard_options_init(&options);
    options.neighbourhood.max_points = 6;
    return shepard_model_create(&data, &options, model, error);
}

static enum shepard_status print_depths(const struct shepard_model *model,
                                        struct shepard_error *error)
{
    double depths[target_count];
    double *const columns[] = {depths};
    const struct shepard_targets targets = {.count = target_count, .x = target_x, .y = target_y};
    const struct shepard_output output = {.values = columns};
    const enum shepard_status status =
        shepard_predict_points(model, &targets, &output, NULL, error);
    for (size_t i = 0; status == SHEPARD_OK && i < target_count; i++)
        printf("depth at (%g, %g): %.2f m\n", target_x[i], target_y[i], depths[i]);
    return status;
}

int main(void)
{
    struct shepard_model *model = NULL;
    struct shepard_error error;
    enum shepard_status status = make_model(&model, &error);
    if (status == SHEPARD_OK)
        status = print_depths(model, &error);
    if (status != SHEPARD_OK)
        fprintf(stderr, "predict_points: %s\n", error.message);
    shepard_model_free(model);
    return status == SHEPARD_OK ? 0 : 1;
}
