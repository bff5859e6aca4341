/* SPDX-License-Identifier: MIT */
#include "library_info.h"

/* Only points say it. */
struct shepard_points_info shepard_library_info(const struct shepard_points_options *options)
{
    const double zero = 0;
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = 1,
                                                    .x = shepard_doubles(&zero),
                                                    .y = shepard_doubles(&zero)};
    struct shepard_points_info info = {.size = sizeof info, .backend = "none", .isa = ""};
    struct shepard_points *points = NULL;
    if (shepard_points_create(&coordinates, options, &points, NULL) == SHEPARD_OK) {
        shepard_points_get_info(points, &info);
    }
    shepard_points_free(points);
    return info;
}

int shepard_library_threads(int option)
{
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    options.threads = option;
    const int threads = shepard_library_info(&options).threads;
    return threads > 0 ? threads : 1;
}
