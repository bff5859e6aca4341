/* SPDX-License-Identifier: MIT */
/* Predictions for consecutive targets of a call on one device, from their upload to the download of
 * the results. */
#ifndef SHEPARD_BACKEND_CUDA_CHUNK_CUH
#define SHEPARD_BACKEND_CUDA_CHUNK_CUH

#include "backend/cuda/engine.cuh"
#include "backend/cuda/total.cuh"

namespace shepard
{

/* A call as all devices see it. */
struct call_view {
    const shepard_targets_view *targets;
    const shepard_output *output;          /* predictions */
    const shepard_nearest_job *neighbours; /* or k nearest points */
    const shepard_points *facts;
    const shepard_rules *rules;
    bool counted; /* work is wanted */
    /* What is wanted of sums. */
    bool values, deviations, effective;

    bool sums() const { return values || deviations || effective; }
};

call_view view_of_call(const shepard_engine &engine, const shepard_targets_view *targets,
                       const shepard_output *output, const shepard_control *control);

/* Device memory that a target of a call takes, bytes, about. */
std::size_t bytes_of_target(const call_view &call);

/* Targets first ... first + count - 1. Sums wait for the stream; the rest, and the download, are
 * only enqueued. work: on the device, added to. */
void run_chunk(holding &on, const call_view &call, std::size_t first, std::size_t count,
               total_work *work, const stream &in, stage_clock &clock);

} // namespace shepard

#endif
