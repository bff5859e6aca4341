/* SPDX-License-Identifier: MIT */
/* The k nearest squared distances of a target, by insertion, and the power they give. */
#ifndef SHEPARD_PAPERS_GRID_SEARCH_CUH
#define SHEPARD_PAPERS_GRID_SEARCH_CUH

#include "weight_function.cuh"

#include "core/adapt.h"

namespace shepard
{

/* shepard_adapt in the precision of a kernel. */
template <class Real> struct adapt_table {
    int k;
    Real r_expected, r_min, r_max;
    Real alphas[5];
};

/* Places of the shorter of the two lists that kernels have. */
constexpr int short_list = 16;

/* Sorted, in registers: K is known when compiling, k <= K is not. The first K - k places hold -1,
 * nearer than anything, so that the last place is always that of the k-th. */
template <class Real, int K> struct nearest_list {
    Real d2[K];

    __device__ explicit nearest_list(int k)
    {
#pragma unroll
        for (int i = 0; i < K; i++)
            d2[i] = i < K - k ? Real(-1) : Real(INFINITY);
    }

    __device__ Real last() const
    {
        return d2[K - 1];
    }

    __device__ void offer(Real a)
    {
        if (!(a < d2[K - 1]))
            return;
#pragma unroll
        for (int i = K - 1; i > 0; i--) {
            const Real held = a < d2[i] ? a : d2[i];
            d2[i] = held > d2[i - 1] ? held : d2[i - 1];
        }
        d2[0] = a < d2[0] ? a : d2[0];
    }

    __device__ Real nearest() const
    {
        Real first = d2[K - 1];
#pragma unroll
        for (int i = K - 1; i >= 0; i--)
            first = d2[i] >= 0 ? d2[i] : first;
        return first;
    }

    __device__ Real mean_distance(int k) const
    {
        Real sum = 0;
#pragma unroll
        for (int i = 0; i < K; i++)
            sum += d2[i] > 0 ? sqrt(d2[i]) : Real(0);
        return sum / Real(k);
    }
};

/* The weight function of a target from its neighbours; good: a plain sum by it will do. */
template <class Real> struct found_weight_function {
    Real alpha, shift;
    bool good;
};

template <class Real, int K>
__device__ inline found_weight_function<Real> adapt_to(const adapt_table<Real> &table,
                                                       const nearest_list<Real, K> &list)
{
    found_weight_function<Real> found;
    const Real nearest2 = list.nearest();
    found.alpha = shepard_adapt_power(&table, list.mean_distance(table.k));
    found.good = nearest2 >= limits<Real>::nearest2 && found.alpha <= limits<Real>::alpha;
    found.shift = found.good ? shift_of(found.alpha, nearest2) : Real(0);
    return found;
}

} // namespace shepard

#endif
