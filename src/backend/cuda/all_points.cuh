/* SPDX-License-Identifier: MIT */
/* Sums over all points at the targets of a chunk, of one kind of charges: groups of targets that
 * are treated alike are found, for each the tree is walked and what to sum how is listed, and
 * summed. Mirrors backend/cpu/all_points.c. */
#ifndef SHEPARD_BACKEND_CUDA_ALL_POINTS_CUH
#define SHEPARD_BACKEND_CUDA_ALL_POINTS_CUH

#include "backend/cuda/moments.cuh"
#include "backend/cuda/pairs_job.cuh"
#include "backend/cuda/power.cuh"
#include "backend/cuda/target_cells.cuh"
#include "cuda/pool.cuh"
#include "cuda/stream.cuh"

extern "C" {
#include "core/accuracy.h"
#include "core/frame.h"
#include "kernel/axes.h"
}

namespace shepard
{

/* The range of powers is cut into so many, each with rules and so lists of its own, shorter than
 * lists that are good for every power: the least power, what is between, and the largest. Most
 * targets of AIDW have the least or the largest: their expansions are made for it. */
constexpr int power_ranges = 3;
constexpr int range_between = 1;

/* What sums took, counted on the device. */
struct all_points_work {
    unsigned long long pairs, nodes;
};

/* Sums of planes: of weights, of them times x, y, xx, xy and yy, then of each column times 1, x and
 * y. */
constexpr int plane_of_weights = 6, plane_of_column = 3;

/* Cells with diagonals of up to that part of the box's count offsets from one place
 * (docs/math/gpu.md, Planes). */
constexpr double one_origin_part = 1.0 / 8;

/* A pass of planes over the targets that are at its phase. */
struct plane_pass {
    const std::uint8_t *phase; /* [m] of each target; nullptr: sums are no planes' */
    int now;
    const shepard_axes *axes; /* [m] what offsets are taken in */
    bool straight;            /* along x and y */
    bool coarse;              /* weights need not be more exact than coarse_power.cuh has them */
    shepard_box box;          /* of all points, frame units */
    double *sums;             /* [plane_of_weights + plane_of_column * all columns, m] */
};

struct all_points_job : pairs_job<points_view, target_view> {
    hilbert_curve along;
    const std::uint64_t *key; /* [m] */
    item_view items;
    far_tree tree;
    const shepard_accuracy *accuracy; /* [power_ranges] on the device; nullptr: every pair */
    const shepard_accuracy *local;    /* the same for local expansions; nullptr: not used */
    double power[power_ranges];       /* that of all of a range's targets, but of those between */
    power_rule rule;
    double mean_reach; /* the mean of the law's nearest distances, of points 1 apart on average */
    double nearest;    /* points behind the vicinity's weights */
    double charges;    /* log2 of the sum of all q over the least */
    bool all_precise;  /* every target is summed in double */
    plane_pass plane;
    all_points_work *work; /* added to; nullptr: not wanted */
};

/* Memory for the lists of sums, reused from chunk to chunk: a device's pool can take a millisecond
 * to put hundreds of megabytes together from pieces. */
using list_room = block<std::uint32_t>;

/* The moments' charges are q, then those of each column; one of the two, or neither where every
 * pair is summed. Waits for the stream, and needs room no longer then. */
void sum_all_points(const all_points_job &job, const far_view<float> *single,
                    const far_view<double> *precise, list_room &room, const stream &in);

} // namespace shepard

#endif
