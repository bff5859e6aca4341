/* SPDX-License-Identifier: MIT */
/* Sums over all points at the targets of a chunk, of one kind of charges. */
#ifndef SHEPARD_BACKEND_CUDA_TOTAL_CUH
#define SHEPARD_BACKEND_CUDA_TOTAL_CUH

#include "backend/cuda/cells.cuh"
#include "backend/cuda/far.cuh"
#include "backend/cuda/vicinity.cuh"

extern "C" {
#include "core/accuracy.h"
}

namespace shepard
{

/* The range of powers is cut into so many parts, each with rules and so lists of its own: shorter
 * than lists that are good for every power. */
constexpr int power_ranges = 3;

/* What sums took, counted on the device. */
struct total_work {
    unsigned long long pairs, nodes;
};

/* Targets that float32 sees well enough, and those it does not; see is_plain in sums.cuh. */
enum class target_class { plain, precise };

struct total_job {
    cloud_view cloud;
    curve along;
    target_view targets;
    const std::uint64_t *key; /* [m] */
    item_view items;
    vicinity around;
    const shepard_accuracy *accuracy; /* [power_ranges] on the device; nullptr: every pair */
    double smoothing2;
    double nearest;   /* points behind the vicinity's weights */
    bool form2;       /* every power is 2 */
    bool spread;      /* charges are q z'^2 in place of q z' */
    bool squares;     /* sums of q^2 w^2: powers count twice, weight2 is what is sure */
    bool all_precise; /* every target is precise */
    target_class which;
    const double *centre; /* [columns, m] as sums: every pair is summed, the charges are q (z' -
                             centre)^2; nullptr: they are the same for all targets */
    int column, columns;  /* first and number of this pass, at most total_columns */
    double *weight;       /* [m] at the targets' places: sum of weights; nullptr: not wanted */
    double *sums;         /* [columns, m] of the whole call: sum of w z' over that of w */
    unsigned int *next;   /* 0: number of the next item */
    total_work *work;
};

/* Columns of a pass. */
constexpr int total_columns(target_class which)
{
    return which == target_class::plain ? 4 : 1;
}

/* Asynchronous. The moments' charges are q, then those of each column. Plain targets have float32
 * moments. */
void sum_plain(const total_job &job, const far_view<float> &far, cudaStream_t stream);
void sum_precise(const total_job &job, const far_view<float> &far, cudaStream_t stream);
void sum_precise(const total_job &job, const far_view<double> &far, cudaStream_t stream);

} // namespace shepard

#endif
