/* SPDX-License-Identifier: MIT */
/* What the device must find: by comparing every point, and in long double. */
#ifndef SHEPARD_TESTS_CUDA_EXACT_PREDICTION_CUH
#define SHEPARD_TESTS_CUDA_EXACT_PREDICTION_CUH

#include "scene.cuh"

extern "C" {
#include "core/rules.h"
}

struct hit {
    double d2;
    std::uint32_t rank;
};

/* All points, nearest first, in the order of Eq. 15 of docs/math.md. */
std::vector<hit> sort_by_distance(const host_points &points, double x, double y);

/* Eq. 3 to 7 for the first adapt.k. */
long double true_alpha(const shepard_rules &rules, const std::vector<hit> &hits);

/* Eq. 8; 1 or 0 where unit2 is 0. */
long double true_weight(long double power, long double unit2, long double shifted2, double d2);

struct exact_prediction {
    std::size_t count;
    bool met;
    double nearest2; /* squared distance of the nearest */
    long double power, effective;
    std::vector<long double> values, deviations; /* a column each */
};

/* hits: all points, sorted. */
exact_prediction predict_exactly(const host_points &points, const shepard_rules &rules,
                                 std::vector<hit> hits, double x, double y);

#endif
