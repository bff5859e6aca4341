/* SPDX-License-Identifier: MIT */
/* Points made through the library's interface, for tests that stop at its first error. */
#ifndef SHEPARD_TESTS_CUDA_LIBRARY_POINTS_CUH
#define SHEPARD_TESTS_CUDA_LIBRARY_POINTS_CUH

#include "cuda/check.cuh"

extern "C" {
#include "shepard/shepard.h"
}

#include <memory>
#include <vector>

inline void require(shepard_status status, const shepard_error &error)
{
    if (status != SHEPARD_OK)
        shepard::fail(status, "%s", error.message);
}

using owned_points = std::unique_ptr<shepard_points, void (*)(shepard_points *)>;

/* In the plane. */
inline owned_points make_points(const std::vector<double> &x, const std::vector<double> &y,
                                shepard_backend backend)
{
    shepard_coordinates coordinates = {};
    coordinates.size = sizeof coordinates;
    coordinates.count = x.size();
    coordinates.x = shepard_doubles(x.data());
    coordinates.y = shepard_doubles(y.data());
    shepard_points_options options;
    shepard_points_options_init(&options);
    options.backend = backend;
    shepard_points *points = nullptr;
    shepard_error error;
    require(shepard_points_create(&coordinates, &options, &points, &error), error);
    return {points, shepard_points_free};
}

#endif
