/* SPDX-License-Identifier: MIT */
/* What tests of expansions share. */
#ifndef SHEPARD_TESTS_CUDA_EXPANSION_TESTS_CUH
#define SHEPARD_TESTS_CUDA_EXPANSION_TESTS_CUH

#include "backend/cuda/moments.cuh"

#include <algorithm>
#include <cmath>
#include <vector>

/* A node's moments of some charges up to an order (Eq. 26), as kernel/node.h has them. */
template <class Real>
void fill_moments(const shepard::far_node &node, int points, const double *x, const double *y,
                  const double *charge, int order, Real *to)
{
    for (int degree = 0, at = 0; degree <= order; degree++)
        for (int k = 0; 2 * k <= degree; k++) {
            const int m = degree - 2 * k;
            double re = 0, im = 0;
            for (int i = 0; i < points; i++) {
                const double dx = (x[i] - node.x) / node.scale, dy = (y[i] - node.y) / node.scale;
                const double r = std::hypot(dx, dy), turn = m * std::atan2(dy, dx);
                re += charge[i] * std::pow(r, degree) * std::cos(turn);
                im += charge[i] * std::pow(r, degree) * std::sin(turn);
            }
            to[at++] = (Real)(m > 0 ? 2 * re : re);
            if (m > 0)
                to[at++] = (Real)(2 * im);
        }
}

inline double median_of(std::vector<double> numbers)
{
    const auto middle = numbers.begin() + (long)numbers.size() / 2;
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

#endif
