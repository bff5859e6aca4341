/* SPDX-License-Identifier: MIT */
#include "thread_count.h"

#include "shepard/shepard.h"

/* Only points say it. */
int shepard_thread_count(int option)
{
    const double zero = 0;
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = 1,
                                                    .x = shepard_doubles(&zero),
                                                    .y = shepard_doubles(&zero)};
    struct shepard_points_options options;
    struct shepard_points_info info = {.size = sizeof info};
    struct shepard_points *points = NULL;
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    options.threads = option;
    if (shepard_points_create(&coordinates, &options, &points, NULL) == SHEPARD_OK) {
        shepard_points_get_info(points, &info);
    }
    shepard_points_free(points);
    return info.threads > 0 ? info.threads : 1;
}
